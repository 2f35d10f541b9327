//! Judges texts in a trusted project and in one that is not.

use portcullis_shell_analysis::{Analysis, EffectKind, PathTarget, Settings, analyze};

pub(crate) fn plan(text: &str, trusted: bool) -> Analysis {
    let roots = ["/repo".to_owned()];
    let settings = Settings { home: Some("/home/u"), trusted, ..Settings::new("/repo", &roots) };
    analyze(text, &settings)
}

/// Read-only in every project.
pub(crate) fn reports(texts: &[&str]) {
    let wrong: Vec<String> = texts
        .iter()
        .map(|text| (text, plan(text, false)))
        .filter(|(_, analysis)| !analysis.read_only())
        .map(|(text, analysis)| format!("{text}: {:?}", analysis.blockers))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Read-only where the project is trusted, and not where nobody has looked.
pub(crate) fn reports_if_trusted(texts: &[&str]) {
    let mut wrong = Vec::new();
    for text in texts {
        let trusted = plan(text, true);
        if !trusted.read_only() {
            wrong.push(format!("{text}: {:?}", trusted.blockers));
        }
        if plan(text, false).read_only() {
            wrong.push(format!("{text}: read-only in any project"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Never read-only, however trusted the project is.
pub(crate) fn acts(texts: &[&str]) {
    let wrong: Vec<&str> = texts.iter().copied().filter(|text| plan(text, true).read_only()).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Some flag or word of it is not in the specification.
pub(crate) fn not_known(texts: &[&str]) {
    let wrong: Vec<&str> =
        texts.iter().copied().filter(|text| plan(text, true).invocations[0].specified).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The effects of the first invocation, in one word each: `read`, `look`, `write`, `delete`, `run`, `net`,
/// `machine`, `process`, `terminal`, `environment`, `opaque`; those on paths with `:` and the path.
pub(crate) fn effects(text: &str) -> Vec<String> {
    let path = |target: &PathTarget| match target {
        PathTarget::Path(path) | PathTarget::Glob(path, _) => path.clone(),
        PathTarget::Below(path) => format!("{path}/..."),
        _ => "?".to_owned(),
    };
    let analysis = plan(text, true);
    let effects = &analysis.invocations[0].effects;
    effects
        .iter()
        .map(|effect| match &effect.kind {
            EffectKind::Read { path: target, .. } => format!("read:{}", path(target)),
            EffectKind::Metadata(target) => format!("look:{}", path(target)),
            EffectKind::Write(target) => format!("write:{}", path(target)),
            EffectKind::Delete { path: target, .. } => format!("delete:{}", path(target)),
            EffectKind::Execute(_) => "run".to_owned(),
            EffectKind::Network(_) => "net".to_owned(),
            EffectKind::System => "machine".to_owned(),
            EffectKind::Process => "process".to_owned(),
            EffectKind::Terminal => "terminal".to_owned(),
            EffectKind::Environment => "environment".to_owned(),
            _ => "opaque".to_owned(),
        })
        .collect()
}

/// Each text has all of these effects.
pub(crate) fn has(cases: &[(&str, &[&str])]) {
    let mut wrong = Vec::new();
    for (text, expected) in cases {
        let found = effects(text);
        for one in *expected {
            if !found.iter().any(|effect| effect == one) {
                wrong.push(format!("{text}: no {one} in {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The words at these places are hazards: no rule for a prefix covers them.
pub(crate) fn hazards(cases: &[(&str, usize)]) {
    let wrong: Vec<String> = cases
        .iter()
        .filter(|(text, index)| !plan(text, true).invocations[0].words[*index].hazard)
        .map(|(text, index)| format!("{text}: word {index}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
