//! `find` and what it runs on the files that it comes to (find(1)).

use super::{
    Call, Context, Feed, Flow, Planner, State,
    feeds::{chosen, leads_find},
    xargs::replace,
};
use crate::{Argument, Below, Directories, Effect, EffectKind, Launcher, Value, judge::inside_roots};

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
        let expression: Option<Vec<&str>> =
            call.words.iter().skip(1).map(|word| word.value.known()).collect();
        let tests =
            expression.map_or_else(|| Below::new(""), |expression| chosen(&expression, Below::new("")));
        let mut index = 1;
        let ends = Ends::of(&call.words);
        while let Some(word) = call.words.get(index) {
            match word.value.known() {
                None if ends.may_act(word, index) => break,
                Some(text) if starts.is_empty() && leads_find(text) => {}
                Some(text) if text.starts_with(['-', '(', ')', '!', ',']) => break,
                _ => starts.push(word.value.clone()),
            }
            index += 1;
        }
        while let Some(word) = call.words.get(index) {
            index += 1;
            let known = word.value.known();
            let action = match known {
                Some(action @ ("-exec" | "-execdir" | "-ok" | "-okdir")) => action,
                // It may be one of these when something behind it ends as their commands do.
                None if ends.may_act(word, index - 1) => "-execdir",
                _ => continue,
            };
            if commands.len() >= MAX_ACTIONS {
                self.make_opaque(span, "`find` with more commands than are followed");
                break;
            }
            let read = command_at(&call.words, index);
            // What may be no action at all takes no words away from those behind it.
            if known.is_some() {
                index = read.behind;
            }
            for mut words in read.commands {
                if known.is_none() && word.splits {
                    // It may bring the program too.
                    words.insert(0, any_words(word));
                }
                commands.push(FindAction {
                    in_directory: action.ends_with("dir"),
                    asks: action.starts_with("-ok"),
                    words,
                });
            }
        }
        if starts.is_empty() {
            starts.push(Value::Known(".".into()));
        }
        if starts.len() > MAX_STARTS {
            starts = vec![Value::Unknown];
        }
        // A followed link leads out of the start points.
        let follows = call.words.iter().any(|word| matches!(word.value.known(), Some("-L" | "-follow")));
        let feed =
            if follows { Feed::Unknown } else { self.feed_of(state, cx, &Feed::Unknown, "find", &call) };
        let named = call.named(name);
        let stays = !commands.iter().any(|command| command.in_directory)
            || !follows && starts.iter().all(|start| self.stays_inside(state, start));
        let own = self.invocations.len();
        self.emit(state, cx, call);
        if let Some(own) = self.invocations.get_mut(own).filter(|_| !stays) {
            // As after a `cd` out of the project.
            let kind = EffectKind::Opaque("it runs programs in other directories".into());
            own.effects.push(Effect { kind, redirection: false, span });
        }
        for FindAction { in_directory, asks, words } in commands {
            for start in &starts {
                let below = match (start.known(), &state.directories) {
                    (Some(path), Directories::Known(all)) if all.len() == 1 && !in_directory && !follows => {
                        let place = all.first().and_then(|directory| self.look.place(directory, path));
                        place.map_or(Value::Unknown, |directory| {
                            Value::PathBelow(Below { directory, ..tests.clone() }.into())
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
                let stays = stays || !in_directory;
                let mut inner = cx.clone();
                inner
                    .launchers
                    .push(Launcher { name: named.clone(), transparent: trusted && !asks && stays });
                inner.external = true;
                inner.no_functions = true;
                inner.feed = Feed::Unknown;
                self.aside(&inner_state, &inner, Call { words, span, ..Call::default() });
            }
        }
        Flow { feed, ..Flow::default() }
    }

    /// Whether everything that is found from `start` lies in a directory inside the roots; `start` itself lies in the
    /// one above it.
    fn stays_inside(&self, state: &State, start: &Value) -> bool {
        let Directories::Known(all) = &state.directories else { return false };
        let (path, here) = match start {
            Value::Known(path) => (path.as_str(), path.trim_end_matches('/') == "."),
            Value::Glob(glob) => (glob.prefix.rsplit_once('/').map_or(".", |(directory, _)| directory), true),
            _ => return false,
        };
        let places = all.iter().flat_map(|directory| {
            let place = portcullis_paths::join(directory, path);
            let above = portcullis_paths::parent(&place).filter(|_| !here).map(str::to_owned);
            std::iter::once(place).chain(above)
        });
        inside_roots(&Directories::Known(places.collect()), self.settings)
    }
}

/// The words of a command from one of them on, as it may end, and where to look for the next one.
struct ReadCommand {
    commands: Vec<Vec<Argument>>,
    behind: usize,
}

fn command_at(words: &[Argument], index: usize) -> ReadCommand {
    let mut read = ReadCommand { commands: Vec::new(), behind: words.len() };
    let mut inner: Vec<Argument> = Vec::new();
    // The first word that is not known: it may be the end, or that and another action (`; -exec`).
    let mut doubt = None;
    for (at, word) in words.iter().enumerate().skip(index) {
        match word.value.known() {
            Some(";") => {
                read.behind = at + 1;
                break;
            }
            // As many paths as fit, if `{}` stands before it (find(1)): words that are not known may be nothing,
            // or be that.
            Some("+") if inner.last().is_some_and(is_braces) => {
                if let Some(last) = inner.last_mut() {
                    last.splits = true;
                }
                read.behind = at + 1;
                break;
            }
            Some("+") if read.commands.len() < MAX_ACTIONS => {
                let known = inner.iter().rposition(|word| word.value.known().is_some());
                let braces = known.filter(|at| inner.get(*at).is_some_and(is_braces));
                let unknown = inner.last().is_some_and(|word| word.value.known().is_none());
                for last in braces.into_iter().chain(unknown.then(|| inner.len() - 1)) {
                    let mut ended = inner.clone();
                    if let Some(last) = ended.get_mut(last) {
                        last.splits = true;
                    }
                    read.commands.push(ended);
                }
                inner.push(word.clone());
            }
            known => {
                if known.is_none() && doubt.is_none() {
                    doubt = Some(at);
                    let mut ended = inner.clone();
                    if word.splits {
                        ended.push(any_words(word));
                    }
                    if !ended.is_empty() {
                        read.commands.push(ended);
                    }
                }
                inner.push(word.clone());
            }
        }
    }
    read.behind = doubt.unwrap_or(read.behind);
    read.commands.push(inner);
    read
}

fn is_braces(word: &Argument) -> bool {
    word.value.known() == Some("{}")
}

/// Any words, or none, in the place of one.
fn any_words(word: &Argument) -> Argument {
    Argument { value: Value::Unknown, splits: true, vanishes: true, ..word.clone() }
}

/// Where the last word stands that may end the command of an action.
struct Ends(Option<usize>);

impl Ends {
    fn of(words: &[Argument]) -> Self {
        Self(words.iter().rposition(|word| matches!(word.value.known(), None | Some(";" | "+"))))
    }

    /// Whether the word at `index` may be an action that runs a command.
    fn may_act(&self, word: &Argument, index: usize) -> bool {
        let dash = match &word.value {
            Value::Known(_) => false,
            Value::OneOf(texts) => word.splits || texts.iter().any(|text| text.starts_with('-')),
            Value::Glob(glob) => glob.prefix.is_empty() || glob.prefix.starts_with('-'),
            Value::PathBelow(names) => names.dashes,
            Value::Unknown => true,
        };
        // As several words it may be an action with all that belongs to it; as one it needs a program and an end.
        dash && (word.splits || self.0.is_some_and(|last| index + 1 < last))
    }
}

/// More commands than this are not followed.
const MAX_ACTIONS: usize = 64;

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
