//! What has to stay hidden from recursive content reads.

use std::collections::HashSet;

use portcullis_matcher::{ReachedPaths, RuleId};
use portcullis_paths::{FileKind, Table, fold_case, three_paths};
use portcullis_tool_names::Tool;

use crate::{
    case::{Access, Case, Place, Touch},
    existing,
    reach::{expand_braces, may_meet},
    ruling::RuleSetName,
};

/// Globs that a recursive read could reach although nobody may read them unasked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exclusion {
    /// A secret that a wildcard in the command's own words finds, or the pattern that may find one.
    pub(crate) found: Option<String>,
    /// Of secrets.
    pub(crate) secrets: Vec<String>,
    /// Of deny rules.
    pub(crate) denied: Vec<String>,
    /// A deny rule that may mean some of what is read, and that no glob says.
    pub(crate) unlisted: Option<(RuleSetName, RuleId)>,
}

impl Exclusion {
    /// All of it, for the verdict.
    pub(crate) fn globs(&self) -> Vec<String> {
        let mut globs = self.denied.clone();
        globs.extend(self.secrets.iter().filter(|glob| !self.denied.contains(glob)).cloned());
        globs
    }
}

pub(crate) fn exclusion(case: &Case<'_>) -> Exclusion {
    // Tools are governed by the rules for them, commands by those for reading.
    let tool = case.facts.tool.filter(|_| !case.is_shell() && !case.facts.reached.is_empty());
    let wide: Vec<Wide> = match tool {
        Some(_) => case.facts.reached.iter().flat_map(|reached| wide_reach(case, reached)).collect(),
        None => case.touches().iter().flat_map(wide_reads).collect(),
    };
    let unseen = case.unseen();
    if wide.is_empty() && unseen.is_empty() {
        return Exclusion::default();
    }
    let reached = |glob: &str| wide.iter().any(|read| read.meets(glob));
    // Searching for names reads nothing.
    let reads: &[Wide] = if matches!(tool, Some(Tool::Glob | Tool::ListDir)) { &[] } else { &wide };
    let (mut secrets, mut found) = (Vec::new(), None);
    if case.sensitive_asked() {
        secrets = case.context.sensitive.globs(Table::Secret);
        found = reads.iter().filter(|read| read.skips_dot_files).find_map(|read| read.finds(case, &secrets));
        secrets.retain(|glob| reads.iter().any(|read| !read.skips_dot_files && read.meets(glob)));
    }
    let (mut denied, mut seen) = (Vec::new(), HashSet::new());
    for set in [RuleSetName::Settings, RuleSetName::Session, RuleSetName::Cli] {
        let rules = case.rule_set(set);
        let (own, read): (&[String], _) = match tool {
            Some(tool) => (rules.denied_to(tool), None),
            None => (&[], Some(rules.denied_paths())),
        };
        let read = read.into_iter().flatten().filter(|(_, reading)| *reading).map(|(glob, _)| glob);
        for glob in own.iter().chain(read) {
            if seen.insert(glob.as_str()) && reached(glob) {
                denied.push(glob.clone());
            }
        }
    }
    for &(set, id) in unseen {
        for (glob, reading) in case.rule_set(set).denied_by(id) {
            if reading && !denied.contains(&glob) {
                denied.push(glob);
            }
        }
    }
    let unlisted = case.unlisted(true).filter(|_| !reads.is_empty());
    Exclusion { found, secrets, denied, unlisted }
}

/// Whether an absolute glob of the shell finds a secret that no rule spells out, or may find one.
pub(crate) fn finds_secret(case: &Case<'_>, glob: &str) -> bool {
    let wide = Wide { pattern: glob.to_owned(), skips_dot_files: true, any_case: false };
    wide.finds(case, &case.context.sensitive.globs(Table::Secret)).is_some()
}

/// A read of more than one file.
struct Wide {
    pattern: String,
    /// A shell glob, whose wildcards match no leading dot.
    skips_dot_files: bool,
    /// It finds names in any case of letters.
    any_case: bool,
}

impl Wide {
    /// The secret that a shell glob finds. Where the disk cannot be asked, the pattern itself when it can mean one.
    fn finds(&self, case: &Case<'_>, secrets: &[String]) -> Option<String> {
        // What cannot mean a secret needs no look at the disk, unless a link leads to one.
        let meets = secrets.iter().any(|glob| self.meets(glob));
        let resolver = case.context.resolver.as_deref();
        let Some(existing) = resolver.and_then(|resolver| existing::matching(resolver, &self.pattern)) else {
            return meets.then(|| self.pattern.clone());
        };
        existing.iter().filter(|existing| meets || existing.linked).find_map(|existing| {
            let paths = three_paths(&existing.path, "/", resolver.filter(|_| existing.linked));
            case.sensitive(Table::Secret, &paths)
        })
    }

    fn meets(&self, glob: &str) -> bool {
        if self.skips_dot_files
            && last(&self.pattern).starts_with(['*', '?', '['])
            && last(glob).starts_with('.')
        {
            return false;
        }
        let glob = if self.any_case { &fold_case(glob) } else { glob };
        if glob.starts_with('/') {
            may_meet(&self.pattern, glob)
        } else {
            may_meet(&self.pattern, &format!("/**/{glob}"))
        }
    }
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What a tool reaches. Nothing lies in a file.
fn wide_reach(case: &Case<'_>, reached: &ReachedPaths) -> Vec<Wide> {
    let wide = |pattern: &str| Wide {
        pattern: fold_case(pattern).into_owned(),
        skips_dot_files: false,
        any_case: true,
    };
    if reached.base.unknown {
        return vec![wide("/**")];
    }
    let resolver = case.context.resolver.as_deref();
    let kind = || resolver.and_then(|resolver| resolver.kind(&reached.base.physical));
    if reached.pattern == "**" && kind() == Some(FileKind::File) {
        return Vec::new();
    }
    let patterns = expand_braces(&reached.pattern);
    let below = |base: &str| patterns.iter().map(|p| wide(&format!("{base}/{p}"))).collect::<Vec<_>>();
    reached.base.iter().flat_map(below).collect()
}

fn wide_reads(touch: &Touch<'_>) -> Vec<Wide> {
    if touch.access != Access::Read {
        return Vec::new();
    }
    let below = |directory: &str| format!("{}/**", directory.trim_end_matches('/'));
    match &touch.place {
        Place::Path(path) if touch.recursive && path.unknown => {
            vec![Wide { pattern: "/**".to_owned(), skips_dot_files: false, any_case: false }]
        }
        Place::Path(path) if touch.recursive => path
            .iter()
            .map(|reading| Wide { pattern: below(reading), skips_dot_files: false, any_case: false })
            .collect(),
        Place::Path(_) => Vec::new(),
        Place::Glob(pattern, _) if touch.recursive => {
            vec![Wide { pattern: below(pattern), skips_dot_files: false, any_case: false }]
        }
        Place::Glob(pattern, _) => {
            vec![Wide { pattern: (*pattern).to_owned(), skips_dot_files: true, any_case: false }]
        }
        Place::Below(directory) => {
            vec![Wide { pattern: below(directory), skips_dot_files: false, any_case: false }]
        }
        Place::Unknown if touch.recursive => {
            vec![Wide { pattern: "/**".to_owned(), skips_dot_files: false, any_case: false }]
        }
        Place::Unknown => Vec::new(),
    }
}
