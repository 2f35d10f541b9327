//! What has to stay hidden from recursive content reads.

use std::collections::HashSet;

use portcullis_paths::Table;

use crate::{
    case::{Access, Case, Place, Touch},
    reach::may_meet,
    ruling::RuleSetName,
};

/// Globs that a recursive read could reach although nobody may read them unasked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exclusion {
    /// Of secrets.
    pub(crate) secrets: Vec<String>,
    /// Of deny rules.
    pub(crate) denied: Vec<String>,
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
    let reads: Vec<Wide> = case.touches().iter().flat_map(wide_reads).collect();
    if reads.is_empty() {
        return Exclusion::default();
    }
    let reached = |glob: &str| reads.iter().any(|read| read.meets(glob));
    let secrets = if case.sensitive_asked() {
        case.context.sensitive.globs(Table::Secret).into_iter().filter(|glob| reached(glob)).collect()
    } else {
        Vec::new()
    };
    let (mut denied, mut seen) = (Vec::new(), HashSet::new());
    for set in [RuleSetName::Settings, RuleSetName::Session, RuleSetName::Cli] {
        for (glob, reading) in case.rule_set(set).denied_paths() {
            if *reading && seen.insert(glob.as_str()) && reached(glob) {
                denied.push(glob.clone());
            }
        }
    }
    Exclusion { secrets, denied }
}

/// A read of more than one file.
struct Wide {
    pattern: String,
    /// A shell glob, whose wildcards match no leading dot.
    skips_dot_files: bool,
}

impl Wide {
    fn meets(&self, glob: &str) -> bool {
        if self.skips_dot_files
            && last(&self.pattern).starts_with(['*', '?', '['])
            && last(glob).starts_with('.')
        {
            return false;
        }
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

fn wide_reads(touch: &Touch<'_>) -> Vec<Wide> {
    if touch.access != Access::Read {
        return Vec::new();
    }
    let below = |directory: &str| format!("{}/**", directory.trim_end_matches('/'));
    match &touch.place {
        Place::Path(path) if touch.recursive => {
            path.iter().map(|reading| Wide { pattern: below(reading), skips_dot_files: false }).collect()
        }
        Place::Path(_) => Vec::new(),
        Place::Glob(pattern, _) if touch.recursive => {
            vec![Wide { pattern: below(pattern), skips_dot_files: false }]
        }
        Place::Glob(pattern, _) => vec![Wide { pattern: (*pattern).to_owned(), skips_dot_files: true }],
        Place::Below(directory) => vec![Wide { pattern: below(directory), skips_dot_files: false }],
        Place::Unknown if touch.recursive => {
            vec![Wide { pattern: "/**".to_owned(), skips_dot_files: false }]
        }
        Place::Unknown => Vec::new(),
    }
}
