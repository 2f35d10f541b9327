//! `find` and what it runs on the files that it comes to (find(1)).

use super::{Call, Context, Feed, Flow, Planner, State, directories::leads_find, xargs::replace};
use crate::{Argument, Directories, Launcher, Value};

impl Planner<'_> {
    pub(super) fn find(
        &mut self,
        state: &mut State,
        cx: &Context,
        name: &str,
        trusted: bool,
        call: Call,
    ) -> Flow {
        let span = call.span;
        let mut starts = Vec::new();
        let mut commands: Vec<FindAction> = Vec::new();
        let mut index = 1;
        while let Some(word) = call.words.get(index) {
            let later = call.words.get(index + 1..).unwrap_or_default();
            match word.value.known() {
                None if ends_command(later) => break,
                Some(text) if starts.is_empty() && leads_find(text) => {}
                Some(text) if text.starts_with(['-', '(', ')', '!', ',']) => break,
                _ => starts.push(word.value.clone()),
            }
            index += 1;
        }
        while let Some(word) = call.words.get(index) {
            index += 1;
            let action = match word.value.known() {
                Some(action @ ("-exec" | "-execdir" | "-ok" | "-okdir")) => action,
                // It may be one of these when a command behind it ends as theirs do.
                None if ends_command(call.words.get(index..).unwrap_or_default()) => "-execdir",
                _ => continue,
            };
            let mut inner: Vec<Argument> = Vec::new();
            while let Some(word) = call.words.get(index) {
                index += 1;
                let last = inner.last_mut().filter(|word| word.value.known() == Some("{}"));
                match (word.value.known(), last) {
                    (Some(";"), _) => break,
                    // As many paths as fit (find(1)).
                    (Some("+"), Some(last)) => {
                        last.splits = true;
                        break;
                    }
                    _ => inner.push(word.clone()),
                }
            }
            commands.push(FindAction {
                in_directory: action.ends_with("dir"),
                asks: action.starts_with("-ok"),
                words: inner,
            });
        }
        if starts.is_empty() {
            starts.push(Value::Known(".".into()));
        }
        if starts.len() > MAX_STARTS {
            starts = vec![Value::Unknown];
        }
        // A followed link leads out of the start points.
        let follows = call.words.iter().any(|word| matches!(word.value.known(), Some("-L" | "-follow")));
        let feed = if follows { Feed::Unknown } else { self.feed_of(state, &Feed::Unknown, "find", &call) };
        self.emit(state, cx, call);
        for FindAction { in_directory, asks, words } in commands {
            for start in &starts {
                let below = match (start.known(), &state.directories) {
                    (Some(path), Directories::Known(all)) if all.len() == 1 && !in_directory && !follows => {
                        all.first().map_or(Value::Unknown, |directory| {
                            Value::PathBelow(portcullis_paths::join(directory, path))
                        })
                    }
                    _ => Value::Unknown,
                };
                let mut words = words.clone();
                replace(&mut words, "{}", &below);
                let mut inner_state = state.clone();
                if in_directory {
                    inner_state.directories = Directories::Unknown;
                }
                let mut inner = cx.clone();
                inner.launchers.push(Launcher { name: name.to_owned(), transparent: trusted && !asks });
                inner.external = true;
                inner.no_functions = true;
                inner.feed = Feed::Unknown;
                self.aside(&inner_state, &inner, Call { words, span, ..Call::default() });
            }
        }
        Flow { feed, ..Flow::default() }
    }
}

/// Whether words end a command of `-exec` that does not begin among them.
fn ends_command(words: &[Argument]) -> bool {
    let texts = || words.iter().map(|word| word.value.known());
    let ends = |text: &Option<&str>| matches!(text, Some(";" | "+"));
    let before = texts().take_while(|text| !ends(text));
    words.first().is_some_and(|word| word.value.known().is_some_and(|text| !text.starts_with('-')))
        && texts().any(|text| ends(&text))
        && before
            .into_iter()
            .all(|text| !text.is_some_and(|text| text.starts_with("-exec") || text.starts_with("-ok")))
}

/// More start points than this are not followed one by one.
const MAX_STARTS: usize = 8;

/// One `-exec` of `find`.
struct FindAction {
    /// `-execdir` and `-okdir` start in the directory of the file.
    in_directory: bool,
    /// `-ok` and `-okdir` ask first.
    asks: bool,
    words: Vec<Argument>,
}
