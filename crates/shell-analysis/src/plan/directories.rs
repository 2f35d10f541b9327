//! `cd`, `pushd` and `popd`, and what programs print about directories.

use super::{Call, Context, Flow, Planner, State};
use crate::{Directories, Text, Value, programs};

impl Planner<'_> {
    /// A `cd` may fail: the flow says where the shell is then.
    pub(crate) fn change_directory(
        &mut self,
        state: &mut State,
        cx: &Context,
        program: &str,
        call: Call,
    ) -> Flow {
        let before = state.directories.clone();
        let target = self.directory_target(state, program, &call);
        self.emit(state, cx, call);
        state.directories = match target {
            Some(target) => moved(&before, &target).bounded(),
            None => Directories::Unknown,
        };
        state.forget_relative();
        state.forget("OLDPWD");
        Flow { failed: Some(before), ..Flow::default() }
    }

    fn directory_target(&self, state: &State, program: &str, call: &Call) -> Option<Text> {
        // It may lead anywhere (`CDPATH=/a cd b`).
        if state.get("CDPATH").is_some_and(|binding| binding.value.known() != Some("")) {
            return None;
        }
        let mut operand = None;
        let mut options = true;
        for word in call.words.iter().skip(1) {
            let Value::Known(text) = &word.value else { return None };
            match text.as_str() {
                "--" if options => options = false,
                "-L" | "-e" if options && program == "cd" => {}
                // The last directory, also behind `--`.
                "-" => return None,
                _ if (options || program == "pushd") && text.starts_with(['-', '+']) => return None,
                _ if operand.is_some() => return None,
                _ => {
                    options = false;
                    operand = Some(text.clone());
                }
            }
        }
        match (program, operand) {
            ("popd", _) | ("pushd", None) => None,
            (_, Some(text)) if text.is_empty() => None,
            (_, Some(text)) => Some(text),
            (_, None) => match self.variable(state, "HOME").0 {
                Value::Known(home) => Some(home),
                _ => None,
            },
        }
    }
}

fn moved(from: &Directories, target: &str) -> Directories {
    let absolute = target.starts_with('/');
    // `/proc/self/cwd` is the directory where the shell is.
    let leads = |path: &str| match programs::behind(path, from) {
        None => None,
        Some(programs::Behind::Anywhere) => Some(Directories::Unknown),
        Some(programs::Behind::Paths(paths)) => {
            let paths = paths.iter().map(|path| portcullis_paths::normalize(path));
            Some(Directories::Known(paths.collect()))
        }
    };
    match from {
        _ if absolute => {
            return leads(target)
                .unwrap_or_else(|| Directories::Known([portcullis_paths::normalize(target)].into()));
        }
        Directories::Known(all) if all.iter().any(|directory| directory.starts_with("/proc")) => {
            return Directories::Unknown;
        }
        _ => {}
    }
    match from {
        Directories::Known(all) => Directories::Known(
            all.iter().map(|directory| portcullis_paths::join(directory, target)).collect(),
        ),
        Directories::Unknown => Directories::Unknown,
    }
}
