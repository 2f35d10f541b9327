//! A judgement only ever gets stricter by what stands beside it.

use portcullis_shell_analysis::{Analysis, EffectKind, Settings, Shell, analyze, parse};

use super::LONGEST;

/// Stands behind a text that is complete; no text of a search has the name.
const EVIL: &str = "evil-program-7 x";

pub(crate) fn check(text: &str) {
    if text.len() > LONGEST {
        return;
    }
    let bash = judged(text, Shell::Bash, &["/repo"]);
    means_what_it_says(&bash);
    let read_only = bash.read_only();
    for shell in [Shell::Sh, Shell::Zsh, Shell::Unknown] {
        let other = judged(text, shell, &["/repo"]);
        means_what_it_says(&other);
        assert!(read_only || !other.read_only(), "{shell:?} is freer than bash: {text:?}");
    }
    grows_with_roots(text, read_only);
    grows_with_trust(text, read_only);
    if !read_only && parse(text).is_err() {
        appended_to_the_incomplete(text);
        return;
    }
    appended(text);
    inside(text, read_only);
}

fn judged(text: &str, shell: Shell, roots: &[&str]) -> Analysis {
    let roots: Vec<String> = roots.iter().map(|&root| root.to_owned()).collect();
    let settings = Settings { shell, home: Some("/home/u"), ..Settings::new("/repo", &roots) };
    analyze(text, &settings)
}

/// What is freer in its settings is freer in its answer.
fn grows_with_trust(text: &str, read_only: bool) {
    let roots = ["/repo".to_owned()];
    let settings = Settings { home: Some("/home/u"), ..Settings::new("/repo", &roots) };
    for freer in [
        Settings { allow_external_paths: true, ..settings },
        Settings { trusted: true, ..settings },
        Settings { scrubbed: true, ..settings },
    ] {
        assert!(!read_only || analyze(text, &freer).read_only(), "freer settings refuse {text:?}");
    }
}

fn reads_only(text: &str) -> bool {
    judged(text, Shell::Bash, &["/repo"]).read_only()
}

/// The answer for all is the answer for each.
fn means_what_it_says(analysis: &Analysis) {
    if !analysis.read_only() {
        return;
    }
    assert!(analysis.error.is_none() && analysis.opaque.is_none());
    for invocation in &analysis.invocations {
        assert!(invocation.read_only, "{invocation:?}");
        assert!(invocation.launchers.iter().all(|launcher| launcher.transparent), "{invocation:?}");
        assert!(invocation.assignments.iter().all(|assignment| assignment.harmless), "{invocation:?}");
        for effect in &invocation.effects {
            assert!(
                !matches!(
                    effect.kind,
                    EffectKind::Write(_)
                        | EffectKind::Delete { .. }
                        | EffectKind::ChangeMetadata(_)
                        | EffectKind::Execute(_)
                        | EffectKind::Process
                        | EffectKind::System
                        | EffectKind::Network(None)
                        | EffectKind::Opaque(_)
                ),
                "{invocation:?}"
            );
        }
    }
}

/// What may be read with few roots may be read with more.
fn grows_with_roots(text: &str, read_only: bool) {
    let bare = judged(text, Shell::Bash, &[]).read_only();
    let more = judged(text, Shell::Bash, &["/repo", "/etc"]).read_only();
    let all = judged(text, Shell::Bash, &["/"]).read_only();
    assert!(!bare || read_only, "read-only without roots alone: {text:?}");
    assert!(!read_only || more, "a root more takes something away: {text:?}");
    assert!(!more || all, "the root of all takes something away: {text:?}");
}

/// Nothing completes a text in which something stands that is not read-only.
fn appended_to_the_incomplete(text: &str) {
    // A delimiter of a here-document may be what is appended.
    if ends_in_backslash(text) || may_have_here_document(text) {
        return;
    }
    for tail in ["\nrm -rf x", "\n) ; rm -rf x", "\n} ; rm -rf x", "\nfi ; rm -rf x", "\ndone ; rm -rf x"] {
        let longer = format!("{text}{tail}");
        assert!(!reads_only(&longer), "read-only: {longer:?}");
    }
}

fn appended(text: &str) {
    if ends_in_backslash(text) || parse(text).is_err() || is_open(text) {
        return;
    }
    for tail in [
        "\nrm -rf x".to_owned(),
        "\nls > out".to_owned(),
        format!("\n{EVIL}"),
        format!("\n: && {EVIL}"),
        format!("\n: || {EVIL}"),
        format!("\n: | {EVIL}"),
        format!("\n: & {EVIL}"),
        format!("\n: $({EVIL})"),
        format!("\nif :; then {EVIL}; fi"),
    ] {
        let longer = format!("{text}{tail}");
        let analysis = judged(&longer, Shell::Bash, &["/repo"]);
        assert!(!analysis.read_only(), "read-only: {longer:?}");
        if analysis.error.is_some() || analysis.opaque.is_some() || !tail.contains(EVIL) {
            continue;
        }
        let at = longer.len() - tail.len() + tail.find(EVIL).unwrap();
        let covered = analysis.invocations.iter().any(|invocation| {
            let span = invocation.span;
            invocation.base_name() == Some("evil-program-7")
                && (span.start as usize..span.end as usize).contains(&at)
        });
        assert!(covered, "no invocation for the last command of {longer:?}");
    }
}

/// A group is what stands in it; other surroundings never make it freer.
fn inside(text: &str, read_only: bool) {
    if ends_in_backslash(text) || parse(text).is_err() || is_open(text) {
        return;
    }
    for (before, after) in [
        ("{\n", "\n}"),
        ("(\n", "\n)"),
        ("if\n", "\nthen :; fi"),
        ("! {\n", "\n}"),
        (": \"$(\n", "\n)\""),
        ("while\n", "\ndo :; done"),
    ] {
        let longer = format!("{before}{text}{after}");
        assert!(read_only || !reads_only(&longer), "its surroundings make it read-only: {longer:?}");
    }
    let written = format!("{{\n{text}\n}} > out");
    assert!(!reads_only(&written), "writes, and is read-only: {written:?}");
}

/// The text ends in a here-document without its delimiter, to which bash adds whatever follows.
fn is_open(text: &str) -> bool {
    let commands = |text: &str| parse(text).map_or(0, |script| script.list.items.len());
    may_have_here_document(text) && commands(&format!("{text}\n:")) <= commands(text)
}

/// Its operator may be continued on the next line.
fn may_have_here_document(text: &str) -> bool {
    text.replace("\\\n", "").contains("<<")
}

/// The end of the last line would be taken away.
fn ends_in_backslash(text: &str) -> bool {
    text.ends_with('\\')
}
