//! File tools may not leave the workspace. Shell calls are left to the kernel.

use portcullis_paths::{ThreePaths, is_within, normalize};

use crate::{Decision, case::Case, reach::literal_directory, ruling::Ruling};

/// Denies a write outside the root, and any file tool between the root and the isolation root.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    let workspace = case.context.workspace.as_ref()?;
    if case.is_shell() {
        return None;
    }
    let home = Places::of(case, workspace.root());
    let isolation = Places::of(case, workspace.isolation_root());
    let writing = case.is_writing_tool();
    let recursive = case.facts.recursive;

    let strays = |path: &str| {
        let in_root = home.hold(path);
        let in_isolation = isolation.hold(path) || (recursive && isolation.lie_below(path));
        !in_root && (writing || in_isolation)
    };
    let target = case
        .facts
        .targets
        .iter()
        .chain(&case.facts.respelled)
        .find(|target| target.unknown || target.iter().any(&strays))
        .map(shown);
    let pattern = || {
        let stray = case.facts.patterns.iter().find(|pattern| pattern_strays(pattern, &home, &isolation))?;
        Some(literal_directory(stray))
    };
    // A writing tool without a readable target is not known to stay inside.
    let unknown = || {
        let nameless = writing && case.facts.unknown_target && case.facts.targets.is_empty();
        nameless.then(|| "an unknown target".to_owned())
    };
    let outside = target.or_else(pattern).or_else(unknown)?;
    let root = workspace.root();
    let reason = format!("Permission denied by workspace sandbox: {outside} is outside {root}");
    Some(Ruling::new(Decision::Deny, reason).named("workspace sandbox"))
}

/// A directory by its name and by its real path.
struct Places {
    lexical: String,
    real: Option<String>,
}

impl Places {
    fn of(case: &Case<'_>, directory: &str) -> Self {
        let lexical = normalize(directory);
        let real = case.context.resolver.as_deref().and_then(|resolver| resolver.realpath(&lexical).ok());
        Self { real: real.filter(|real| *real != lexical), lexical }
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.lexical.as_str()).chain(self.real.as_deref())
    }

    fn hold(&self, path: &str) -> bool {
        self.iter().any(|place| is_within(path, place))
    }

    fn lie_below(&self, path: &str) -> bool {
        self.iter().any(|place| is_within(place, path))
    }
}

fn pattern_strays(pattern: &str, root: &Places, isolation: &Places) -> bool {
    let start = literal_directory(pattern);
    let climbs = pattern.split('/').any(|component| component == "..");
    if root.hold(&start) && !climbs {
        return false;
    }
    isolation.hold(&start)
        || climbs
        || isolation
            .iter()
            .any(|tree| crate::reach::meet_tree(pattern, tree) != crate::reach::Meeting::Outside)
}

fn shown(target: &ThreePaths) -> String {
    target.lexical.clone()
}
