//! gh: the subcommands that only show (gh manual), all of which talk to one host.

use super::{
    Build,
    flags::Slot,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, PathTarget, Value};

pub(super) const SPECS: &[Spec] = &[Spec::new(&["gh"], "", Operands::Custom(gh)).stops()];

const GENERAL: &str = "R= repo= L= limit= s= state= json= q= jq= t= template= l= label= a= assignee= A= author= S= search= B= base= H= head= \
    d draft D c comments all archived no-archived fork source topic= language= visibility= owner= name-only patch color= \
    watch i= interval= fail-fast required order= sort= m= milestone= mention= app= project= exclude-drafts exclude-pre-releases O= \
    hostname= match= created= updated= closed= merged= is-draft repo-state= review= checks= review-requested= reviewed-by= commenter= involves= mentions= \
    team-mentions= extension= filename= size= stars= forks= followers= good-first-issues= help-wanted-issues= license= include-forks= number= \
    include-prs locked no-assignee no-label no-milestone no-project author-name= author-email= committer= hash= parent= tree= r= b= branch= ref= yaml y \
    e org= o= u= user= paginate help archive web!x w!x";
const RUN_LIST: &str = "R= repo= L= limit= json= q= jq= t= template= w= workflow= b= branch= u= user= e= event= s= status= c= commit= created= a all help";
const RUN_VIEW: &str = "R= repo= json= q= jq= t= template= a= attempt= exit-status j= job= log log-failed v verbose help web!x w!x i= interval= compact";
const API: &str = "X= method= H= header= q= jq= t= template= i include paginate slurp p= preview= cache=w silent verbose hostname= help \
    f=o F=o raw-field=o field=o input=o";

/// Category and action, and the flags of the pair.
const ACTIONS: &[(&str, &[&str], &str)] = &[
    ("pr", &["list", "status", "checks", "diff", "view"], GENERAL),
    ("issue", &["list", "status", "view"], GENERAL),
    ("repo", &["list", "view", "gitignore", "license"], GENERAL),
    ("run", &["list"], RUN_LIST),
    ("run", &["view", "watch"], RUN_VIEW),
    ("release", &["list", "view"], GENERAL),
    ("workflow", &["list", "view"], GENERAL),
    ("label", &["list"], GENERAL),
    ("search", &["code", "commits", "issues", "prs", "repos"], GENERAL),
    ("gist", &["list"], GENERAL),
    ("cache", &["list"], GENERAL),
    ("secret", &["list"], "R= repo= a= app= e= env= o= org= u user json= q= jq= t= template= help"),
    ("ruleset", &["list", "view", "check"], "R= repo= L= limit= o= org= p parents web!x w!x help default"),
    ("org", &["list"], "L= limit= help"),
    (
        "project",
        &["list", "view", "field-list", "item-list"],
        "owner= L= limit= closed format= q= jq= t= template= web!x w!x help",
    ),
    ("ssh-key", &["list"], "help"),
    ("gpg-key", &["list"], "help"),
    ("extension", &["list"], "help"),
    ("status", &[], "e= exclude= o= org= help"),
    ("version", &[], "help"),
];

/// The words of every pair, and its flags; for the listing.
pub(super) fn subcommands() -> impl Iterator<Item = (Vec<&'static str>, &'static str)> {
    let pairs = ACTIONS.iter().flat_map(|(name, actions, flags)| {
        let whole = actions.is_empty().then(|| vec![*name]);
        whole
            .into_iter()
            .chain(actions.iter().map(move |action| vec![*name, *action]))
            .map(|words| (words, *flags))
    });
    pairs.chain([(vec!["api"], API)])
}

fn gh(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let category = build.word(1);
    let action = build.word(2);
    if matches!(category, Some("--version" | "version" | "--help" | "help") | None) && build.words.len() <= 2
    {
        if build.words.get(1).is_some_and(|word| word.value.known().is_none()) {
            build.effect(EffectKind::Opaque("a subcommand that is not known".into()));
        }
        return;
    }
    if category == Some("api") {
        api(build);
        return;
    }
    // In the user's own configuration.
    if let (3, Some("alias"), Some("list")) = (build.words.len(), category, action) {
        return;
    }
    let found = ACTIONS.iter().find(|(name, actions, _)| {
        Some(*name) == category
            && (actions.is_empty() || action.is_some_and(|action| actions.contains(&action)))
    });
    let Some((_, actions, flags)) = found else {
        let span = build.span_of(1);
        let text = format!("`gh {}` does more than show", category.unwrap_or_default());
        let listed = ACTIONS.iter().any(|(name, _, _)| Some(*name) == category)
            || matches!(
                category,
                Some(
                    "auth"
                        | "variable"
                        | "codespace"
                        | "alias"
                        | "config"
                        | "attestation"
                        | "browse"
                        | "preview"
                )
            );
        writes(build, category, action);
        if listed {
            build.push(EffectKind::Opaque(text.into()), span);
            build.push(EffectKind::Network(None), span);
        } else {
            build.opaque(span, text);
        }
        return;
    };
    let start = if actions.is_empty() { 2 } else { 3 };
    let parsed = build.parse(flags, start, false, false);
    environment(build, &parsed);
    let words = build.words;
    let operands =
        parsed.operands.iter().filter_map(|index| words.get(*index)).filter_map(|word| word.value.known());
    // Only these take a repository or an URL; a search text may hold anything.
    let operands = operands.filter(|_| category != Some("search"));
    let flags =
        parsed.flags.iter().filter(|flag| matches!(flag.name, "R" | "repo")).filter_map(|flag| flag.value);
    let mut named = operands.chain(flags.filter_map(Slot::known));
    let elsewhere = named.any(elsewhere);
    build.effect(EffectKind::Network(if elsewhere { None } else { Some("github.com".to_owned()) }));
    if elsewhere {
        build.effect(EffectKind::Opaque("another host".into()));
    }
}

/// A jq program of gh sees the environment, with the token in it.
fn environment(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let programs = parsed.flags.iter().filter(|flag| matches!(flag.name, "q" | "jq"));
    let mut known = programs.filter_map(|flag| flag.value).map(Slot::known);
    if known.any(|program| program.is_none_or(super::json::names_environment)) {
        build.effect(EffectKind::Environment);
    }
}

/// What a subcommand that does more than show leaves in the working directory, or takes from it.
fn writes(build: &mut Build<'_>, category: Option<&str>, action: Option<&str>) {
    let words = build.words;
    let span = build.span_of(2);
    let value = |names: &[&str]| {
        words.iter().enumerate().find_map(|(index, word)| {
            let text = word.value.known()?;
            if names.contains(&text) {
                return Some(words.get(index + 1).map_or(Value::Unknown, |word| word.value.clone()));
            }
            names.iter().find_map(|name| {
                let rest = text.strip_prefix(name)?;
                let long = name.starts_with("--");
                let rest =
                    if long { rest.strip_prefix('=')? } else { rest.strip_prefix('=').unwrap_or(rest) };
                Some(Value::Known(rest.into()))
            })
        })
    };
    match (category, action) {
        (Some("run" | "release"), Some("download")) => {
            let directory = value(&["-D", "--dir"]).or_else(|| value(&["-O", "--output"]));
            build.write_below(&directory.unwrap_or_else(|| Value::Known(".".into())), span);
        }
        (Some("repo"), Some("clone" | "fork" | "create")) | (Some("gist"), Some("clone")) => {
            let target =
                words.get(4).filter(|word| word.value.known().is_none_or(|text| !text.starts_with('-')));
            let value = target.map_or(Value::Known(".".into()), |word| word.value.clone());
            build.write_below(&value, span);
        }
        (Some("pr"), Some("checkout" | "co")) => build.push(EffectKind::Write(PathTarget::Unknown), span),
        (Some("extension"), Some("exec" | "install" | "upgrade")) | (Some("codespace"), _) => {
            build.push(EffectKind::Execute(Value::Unknown), span);
        }
        (Some("pr" | "issue" | "release" | "gist"), _) => {
            if let Some(file) = value(&["-F", "--body-file", "--notes-file"]) {
                build.read(&file, false, span);
            }
        }
        _ => {}
    }
}

/// `HOST/OWNER/REPO` and URLs lead to a host of their own.
fn elsewhere(text: &str) -> bool {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let url = rest.len() < text.len() || text.contains('@');
    let host = rest.split('/').next().unwrap_or_default();
    (url || rest.matches('/').count() > 1) && host != "github.com"
}

/// GET and HEAD without fields.
fn api(build: &mut Build<'_>) {
    let parsed = build.parse(API, 2, false, false);
    environment(build, &parsed);
    let methods = parsed.flags.iter().filter(|flag| matches!(flag.name, "X" | "method"));
    for flag in methods {
        let known = flag.value.and_then(Slot::known).map(str::to_ascii_uppercase);
        if !matches!(known.as_deref(), Some("GET" | "HEAD")) {
            build.hazard(flag.word);
            if let Some(Slot::Word(_)) = flag.value {
                build.hazard(flag.word + 1);
            }
            let span = build.span_of(flag.word);
            build.push(EffectKind::Opaque("a method that is not GET or HEAD".into()), span);
        }
    }
    let elsewhere = parsed.has(&["hostname"])
        || parsed.operands.iter().any(|index| {
            build
                .words
                .get(*index)
                .is_some_and(|word| word.value.known().is_none_or(|text| text.contains("://")))
        });
    build.effect(EffectKind::Network(if elsewhere { None } else { Some("github.com".to_owned()) }));
}
