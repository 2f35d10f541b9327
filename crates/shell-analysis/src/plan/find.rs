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
            match word.value.known() {
                Some(text) if starts.is_empty() && leads_find(text) => {}
                Some(text) if text.starts_with(['-', '(', ')', '!', ',']) => break,
                _ => starts.push(word.value.clone()),
            }
            index += 1;
        }
        while let Some(word) = call.words.get(index) {
            index += 1;
            let Some(action @ ("-exec" | "-execdir" | "-ok" | "-okdir")) = word.value.known() else {
                continue;
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
                self.launched(&mut inner_state, &inner, words, Vec::new(), span, false);
            }
        }
        Flow { feed, ..Flow::default() }
    }
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
