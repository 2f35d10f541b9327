//! What removes or overwrites a place that nobody can replace.

use portcullis_paths::{FileKind, ThreePaths, critical, normalize, parent, three_paths};

use crate::{
    Decision,
    case::{Access, Case, Cause, Place, Touch},
    reach::{component_may_be, is_glob, may_meet},
    ruling::Ruling,
};

/// Names below `/dev` that start a block device.
const BLOCK_DEVICES: [&str; 16] = [
    "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "loop", "dm-", "md", "sr", "disk", "mapper", "ram", "zram",
    "nbd", "pmem",
];

/// Asks, every time and in every mode.
pub(crate) fn judge(case: &Case<'_>) -> Option<Ruling> {
    if !case.is_shell() {
        return None;
    }
    // Most commands alter nothing, and what home and the root really are costs a look at the disk.
    if !case.touches().iter().any(|touch| touch.access.alters()) {
        return None;
    }
    let irreplaceable = Irreplaceable::of(case);
    let about = case.touches().iter().find_map(|touch| irreplaceable.hit_by(case, touch))?;
    Some(Ruling::new(Decision::AlwaysAsk, "Removes a critical path").about(about))
}

/// The places themselves.
struct Irreplaceable {
    /// Home, the project root, and what they really are.
    named: Vec<String>,
}

impl Irreplaceable {
    fn of(case: &Case<'_>) -> Self {
        let context = case.context;
        let mut named = vec![normalize(&context.project_root)];
        named.extend(context.home.as_deref().map(normalize));
        if let Some(resolver) = context.resolver.as_deref() {
            let real: Vec<String> = named.iter().filter_map(|path| resolver.realpath(path).ok()).collect();
            named.extend(real);
        }
        Self { named }
    }

    /// The name of the critical place that a touch destroys.
    fn hit_by(&self, case: &Case<'_>, touch: &Touch<'_>) -> Option<String> {
        if !touch.access.alters() {
            return None;
        }
        match &touch.place {
            Place::Path(path) => self.path_hit(case, touch, path),
            Place::Glob(pattern, directory) => self.glob_hit(touch, pattern, directory).or_else(|| {
                let rest = pattern.strip_prefix(directory.trim_end_matches('/'))?;
                linked(case, touch, directory, |there| {
                    self.glob_hit(touch, &format!("{}{rest}", there.trim_end_matches('/')), there)
                })
            }),
            Place::Below(directory) => self
                .below_hit(case, touch, directory)
                .or_else(|| linked(case, touch, directory, |there| self.below_hit(case, touch, there))),
            Place::Unknown => touch.cause.and_then(|cause| after_unknown_variable(touch, cause)),
        }
    }

    fn path_hit(&self, case: &Case<'_>, touch: &Touch<'_>, path: &ThreePaths) -> Option<String> {
        let overwritten = touch.cause.is_some_and(|cause| cause.redirection);
        path.iter()
            .find(|reading| match touch.access {
                Access::Delete => self.holds(reading) || is_block_device(case, reading),
                // Writing *to* a directory puts something into it; only a redirection replaces the file itself.
                Access::Write => (overwritten && self.holds(reading)) || is_block_device(case, reading),
                _ => *reading == "/",
            })
            .map(str::to_owned)
            .or_else(|| {
                let destroys = matches!(touch.access, Access::Delete | Access::Write);
                (path.unknown && destroys).then(|| crate::case::lost(path))
            })
    }

    /// Something below a directory is removed: anything, unless it is found by name.
    fn below_hit(&self, case: &Case<'_>, touch: &Touch<'_>, directory: &str) -> Option<String> {
        if touch.access != Access::Delete {
            return None;
        }
        let own_name = directory.rsplit('/').next().unwrap_or(directory);
        match found_by_name(case, touch) {
            Some(name) if !component_may_be(name, own_name) => {
                let pattern = format!("{}/**/{name}", directory.trim_end_matches('/'));
                self.glob_hit(touch, &pattern, directory)
            }
            _ => self.holds(directory).then(|| directory.to_owned()),
        }
    }

    fn glob_hit(&self, touch: &Touch<'_>, pattern: &str, directory: &str) -> Option<String> {
        if touch.access != Access::Delete {
            return None;
        }
        let pattern = pattern.trim_end_matches('/');
        let last = pattern.rsplit('/').next().unwrap_or(pattern);
        let everything =
            !last.is_empty() && last.chars().all(|character| matches!(character, '*' | '.' | '?'));
        let parent = pattern.get(..pattern.len().saturating_sub(last.len())).unwrap_or_default();
        let empties = everything && !is_glob(parent) && self.holds(&normalize(directory));
        (empties || self.glob_names(pattern)).then(|| pattern.to_owned())
    }

    /// Whether a match of the pattern can itself be critical.
    fn glob_names(&self, pattern: &str) -> bool {
        let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
        let anywhere = matches!(parts.as_slice(), ["**", ..]);
        if parts.len() <= 1 || anywhere && parts.iter().filter(|part| **part != "**").count() <= 1 {
            return true;
        }
        self.named.iter().any(|place| {
            let mut above = Some(place.as_str());
            while let Some(directory) = above {
                if may_meet(pattern, directory) {
                    return true;
                }
                above = parent(directory);
            }
            false
        })
    }

    fn holds(&self, path: &str) -> bool {
        self.named.iter().any(|place| critical(path, None, place).is_some())
    }
}

/// What is hit where the directory of a removal really is; the directory itself, where that can be anywhere.
fn linked(
    case: &Case<'_>,
    touch: &Touch<'_>,
    directory: &str,
    hit: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    if touch.access != Access::Delete {
        return None;
    }
    let paths = three_paths(directory, &case.context.cwd, case.context.resolver.as_deref());
    paths.iter().find_map(hit).or_else(|| paths.unknown.then(|| crate::case::lost(&paths)))
}

/// Tests and options of find(1) that only narrow what is found, with the words that each takes.
const NARROWING: [(&str, usize); 20] = [
    ("-a", 0),
    ("-and", 0),
    ("-depth", 0),
    ("-d", 0),
    ("-empty", 0),
    ("-mount", 0),
    ("-print", 0),
    ("-prune", 0),
    ("-xdev", 0),
    ("-atime", 1),
    ("-ctime", 1),
    ("-group", 1),
    ("-maxdepth", 1),
    ("-mindepth", 1),
    ("-mmin", 1),
    ("-mtime", 1),
    ("-newer", 1),
    ("-size", 1),
    ("-type", 1),
    ("-user", 1),
];

/// The pattern that `find` compares names with, where it runs what removes and everything in front of `-exec` has to
/// hold (find(1), "OPERATORS": tests that follow each other). None where it says nothing.
fn found_by_name<'a>(case: &Case<'a>, touch: &Touch<'_>) -> Option<&'a str> {
    let cause = touch.cause?;
    let find = case.invocations().find_map(|(text, invocation)| {
        let around = std::ptr::eq(text, cause.text)
            && invocation.span.start <= cause.span.start
            && cause.span.end <= invocation.span.end;
        (around && invocation.base_name() == Some("find")).then_some(invocation)
    })?;
    let mut words = find.words.iter().skip(1).map(|word| word.value.known());
    let mut expression = words.by_ref().skip_while(|word| {
        word.is_some_and(|word| !word.starts_with(['-', '(', '!']) || matches!(word, "-H" | "-L" | "-P"))
    });
    let mut name = None;
    loop {
        match expression.next()?? {
            "-exec" | "-execdir" => return name,
            "-name" => {
                let pattern = expression.next()??;
                let everything = pattern.chars().all(|letter| matches!(letter, '*' | '.' | '?'));
                // A slash never matches a name; what the shell would not take for one is left alone.
                if !everything && !pattern.contains('/') {
                    name = Some(pattern);
                }
            }
            word => {
                let (_, takes) = NARROWING.iter().find(|(known, _)| *known == word)?;
                for _ in 0..*takes {
                    expression.next()?;
                }
            }
        }
    }
}

fn is_block_device(case: &Case<'_>, path: &str) -> bool {
    let Some(name) = path.strip_prefix("/dev/") else { return false };
    let listed = BLOCK_DEVICES.iter().any(|start| name.starts_with(start));
    listed && case.context.resolver.as_deref().is_none_or(|files| files.kind(path) != Some(FileKind::File))
}

/// A word that is a variable followed by a slash or a glob: with an empty value it means the root.
fn after_unknown_variable(touch: &Touch<'_>, cause: Cause<'_>) -> Option<String> {
    let word = cause.span.slice(cause.text);
    let relevant = touch.access == Access::Delete || cause.redirection;
    (relevant && starts_with_variable_and_slash(word)).then(|| word.to_owned())
}

fn starts_with_variable_and_slash(word: &str) -> bool {
    let rest = word.trim_start_matches(['>', '|', '&', ' ', '"']);
    let Some(rest) = rest.strip_prefix('$') else { return false };
    let after = if let Some(braced) = rest.strip_prefix('{') {
        braced.split_once('}').map(|(_, after)| after)
    } else if rest.starts_with('(') {
        rest.rfind(')').and_then(|at| rest.get(at + 1..))
    } else {
        let end = rest.find(|character: char| !character.is_alphanumeric() && character != '_');
        end.and_then(|at| rest.get(at..))
    };
    after.is_some_and(|after| after.trim_start_matches('"').starts_with(['/', '*', '?']))
}

#[cfg(test)]
mod tests {
    use super::starts_with_variable_and_slash;

    #[test]
    fn an_empty_variable_would_mean_the_root() {
        for word in ["$D/*", "\"$D\"/*", "${D}/", "\"${D}/x\"", "$(pwd)/", "$D*"] {
            assert!(starts_with_variable_and_slash(word), "{word}");
        }
        for word in ["$D", "\"$D\"", "x$D/", "/tmp/$D/*", "build"] {
            assert!(!starts_with_variable_and_slash(word), "{word}");
        }
    }
}
