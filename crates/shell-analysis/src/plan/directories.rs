//! `cd`, `pushd` and `popd`, and what programs print about directories.

use super::{Call, Context, Feed, Flow, Planner, State, listings};
use crate::Directories;

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
            Some(target) => moved(&before, &target),
            None => Directories::Unknown,
        };
        state.forget_relative();
        state.forget("OLDPWD");
        Flow { failed: Some(before), ..Flow::default() }
    }

    fn directory_target(&self, state: &State, program: &str, call: &Call) -> Option<String> {
        let mut operand = None;
        let mut options = true;
        for word in call.words.iter().skip(1) {
            let text = word.value.known()?;
            match text {
                "--" if options => options = false,
                "-L" | "-e" if options && program == "cd" => {}
                _ if options && text.starts_with(['-', '+']) => return None,
                _ if operand.is_some() => return None,
                _ => {
                    options = false;
                    operand = Some(text.to_owned());
                }
            }
        }
        match (program, operand) {
            ("popd", _) | ("pushd", None) => None,
            (_, Some(text)) if text.is_empty() => None,
            (_, Some(text)) => Some(text),
            (_, None) => self.variable(state, "HOME").0.known().map(str::to_owned),
        }
    }

    /// Names below a directory that a program prints one per line ([`Feed::Below`]).
    pub(crate) fn feed_of(&self, state: &State, input: &Feed, program: &str, call: &Call) -> Feed {
        let words: Option<Vec<&str>> = call.words.iter().skip(1).map(|word| word.value.known()).collect();
        let Some(words) = words else { return Feed::Unknown };
        if listings::hands_on(program, &words) {
            let names = matches!(input, Feed::Below(_) | Feed::Relative);
            return if names && call.redirections.iter().all(|redirection| redirection.fd != 0) {
                input.clone()
            } else {
                Feed::Unknown
            };
        }
        if let Some(text) = printed(program, &words).filter(|_| call.redirections.is_empty()) {
            return Feed::Text(text);
        }
        let Directories::Known(directories) = &state.directories else { return Feed::Unknown };
        let [directory] = &**directories else { return Feed::Unknown };
        match (program, words.as_slice()) {
            ("find", words) => {
                let rest = words.iter().skip_while(|word| leads_find(word));
                let mut starts = rest.take_while(|word| !word.starts_with(['-', '(', ')', '!', ',']));
                let actions = words.iter().any(|word| {
                    matches!(
                        *word,
                        "-printf"
                            | "-exec"
                            | "-execdir"
                            | "-ok"
                            | "-okdir"
                            | "-ls"
                            | "-fprintf"
                            | "-files0-from"
                    )
                });
                match (starts.next(), starts.next()) {
                    (_, Some(_)) => Feed::Unknown,
                    _ if actions => Feed::Unknown,
                    (Some(start), None) => Feed::Below(portcullis_paths::join(directory, start)),
                    (None, None) => Feed::Below(directory.clone()),
                }
            }
            ("git", words) if listings::git(words) => Feed::Relative,
            ("rg" | "fd", words) => match listings::searched(program, words) {
                Some((operands, patterns)) => {
                    let mut paths = operands.into_iter().skip(patterns);
                    match (paths.next(), paths.next()) {
                        (None, _) => Feed::Relative,
                        (Some(path), None) => Feed::Below(portcullis_paths::join(directory, path)),
                        (Some(_), Some(_)) => Feed::Unknown,
                    }
                }
                None => Feed::Unknown,
            },
            ("ls", words) if listings::ls(words) => Feed::Relative,
            _ => Feed::Unknown,
        }
    }
}

/// Options of `find` that stand before its start points; `-D` takes a value and is not among them.
pub(super) fn leads_find(word: &str) -> bool {
    matches!(word, "-H" | "-L" | "-P" | "--" | "-O0" | "-O1" | "-O2" | "-O3")
}

/// What `echo` and `printf` print, where shells agree on it.
fn printed(program: &str, words: &[&str]) -> Option<String> {
    let words = match (program, words) {
        ("echo", ["-n", rest @ ..]) => rest,
        ("printf", ["%s" | "%s\\n", text]) => return Some((*text).to_owned()),
        ("printf", [text]) if !text.contains('%') => words,
        ("echo", _) => words,
        _ => return None,
    };
    let plain = !words.first().is_some_and(|word| word.starts_with('-'));
    (plain && words.iter().all(|word| !word.contains('\\'))).then(|| words.join(" "))
}

fn moved(from: &Directories, target: &str) -> Directories {
    if target.starts_with('/') {
        return Directories::Known([portcullis_paths::normalize(target)].into());
    }
    match from {
        Directories::Known(all) => Directories::Known(
            all.iter().map(|directory| portcullis_paths::join(directory, target)).collect(),
        ),
        Directories::Unknown => Directories::Unknown,
    }
}
