//! Turns one argv into effects.

mod paths;

use std::borrow::Cow;

use super::{
    flags::{self, Reading, Slot},
    spec::{Operands, Parsed, Spec},
    standard_location, subcommands, tables,
    targets::{attach, targets as targets_of},
};
use crate::{
    Argument, Directories, Effect, EffectKind, Invocation, PathTarget, Redirection, RedirectionTarget,
    Settings, Span, Text, Value, invocation::base_name, look::Look,
};

/// Collects what one program does.
pub(crate) struct Build<'a> {
    pub(crate) words: &'a [Argument],
    invocation: &'a Invocation,
    directories: &'a Directories,
    /// Where a flag (`git -C`, `tar -C`) sends it before it looks at paths.
    moved: Option<Directories>,
    /// How often it did.
    moves: u32,
    pub(crate) redirections: &'a [Redirection],
    pub(crate) settings: &'a Settings<'a>,
    pub(crate) look: &'a Look<'a>,
    effects: &'a mut Vec<Effect>,
    hazards: &'a mut Vec<usize>,
    pub(crate) specified: bool,
    following: bool,
    pub(crate) code: Vec<String>,
    span: Span,
    /// Effects that were there before.
    start: usize,
}

/// An address instead of a path (`https://...`, `git@host:path`).
pub(super) fn remote(text: &str) -> bool {
    text.contains("://")
        || text.split_once(':').is_some_and(|(host, _)| host.contains('@') && !host.contains('/'))
}

impl<'a> Build<'a> {
    pub(crate) fn new(
        invocation: &'a Invocation,
        settings: &'a Settings<'a>,
        look: &'a Look<'a>,
        effects: &'a mut Vec<Effect>,
        hazards: &'a mut Vec<usize>,
    ) -> Self {
        let start = effects.len();
        Self {
            start,
            words: &invocation.words,
            invocation,
            directories: &invocation.directories,
            moved: None,
            moves: 0,
            redirections: &invocation.redirections,
            settings,
            look,
            effects,
            hazards,
            specified: true,
            following: false,
            code: Vec::new(),
            span: invocation.span,
        }
    }

    /// Looks the program up and applies its specification.
    pub(crate) fn look_up(&mut self) {
        let words = self.words;
        let Some(program) = words.first() else { return };
        let Some(text) = program.value.known() else {
            self.specified = false;
            return;
        };
        let base = base_name(text);
        let spec = tables::find(base).filter(|_| standard_location(text));
        let Some(spec) = spec else {
            self.opaque(program.span, ["`", base, "` has no specification"].concat());
            return;
        };
        self.apply(spec, 1);
    }

    /// Applies `spec` to the words from `start` on.
    pub(crate) fn apply(&mut self, spec: &'static Spec, start: usize) {
        if let Operands::Verbs(program) = spec.operands {
            subcommands::run(self, program, start);
            return;
        }
        let parsed = self.parse(spec.flags, start, spec.safe, spec.stops);
        self.operands(spec.operands, &parsed);
    }

    /// Reads flags and gives them their effects.
    pub(crate) fn parse(&mut self, flags: &'static str, start: usize, safe: bool, stops: bool) -> Parsed<'a> {
        self.parse_as(start, &Reading { flags, general: "", safe, stops, one_dash: false, equals: false })
    }

    /// Reads flags and gives them their effects.
    pub(crate) fn parse_as(&mut self, start: usize, reading: &Reading) -> Parsed<'a> {
        let mut parsed = Parsed::default();
        self.parse_into(&mut parsed, start, reading);
        parsed
    }

    fn parse_into(&mut self, parsed: &mut Parsed<'a>, start: usize, reading: &Reading) {
        flags::parse_into(parsed, self.words, start, reading);
        for (index, reason) in &parsed.unknown {
            let word = self.words.get(*index);
            let span = word.map_or(self.span, |word| word.span);
            let text = word.and_then(|word| word.value.known());
            let text = text.map_or_else(|| "a word that is not known".to_owned(), |text| format!("`{text}`"));
            self.opaque(span, format!("{text} {reason}"));
        }
        for flag in &parsed.flags {
            if flag.harms() {
                self.hazard(flag.word);
                if let Some(Slot::Word(_)) = flag.value {
                    self.hazard(flag.word + 1);
                }
            }
            let span = flag
                .value
                .map_or_else(|| self.words.get(flag.word).map_or(self.span, |word| word.span), Slot::span);
            // Lists of names, here or in a file.
            if matches!(flag.name, "files-from" | "files0-from" | "set-file") {
                self.read(&Value::Unknown, false, span);
            }
            match (flag.role, flag.value) {
                (b'r', Some(slot)) => {
                    self.read(&slot.value(), false, span);
                    self.listed(slot, span);
                }
                (b'c', Some(slot)) => {
                    self.read(&slot.value(), false, span);
                    if slot.known().is_none_or(|text| text.contains('=')) {
                        self.opaque(span, "a setting may make it do more than read");
                    }
                }
                (b'm', Some(slot)) => self.metadata(&slot.value(), span),
                (b'w' | b'p', Some(slot)) => {
                    self.leads_out(flag, slot, &slot.value());
                    self.write(&slot.value(), span);
                }
                (b'P', Some(slot)) => {
                    self.leads_out(flag, slot, &slot.value());
                    self.write_below(&slot.value(), span);
                }
                (b'k', Some(slot)) => {
                    let file = slot.known().map(|text| text.split_once(':').map(|(_, file)| file));
                    if file != Some(None) {
                        let file = file.flatten().map_or(Value::Unknown, |file| Value::Known(file.into()));
                        self.leads_out(flag, slot, &file);
                        self.write_below(&file, span);
                    }
                }
                (b'R', Some(slot)) => self.read(&slot.value(), true, span),
                (b'g', Some(slot)) => self.works_in(flag, slot),
                (b'n', slot) => {
                    self.push(EffectKind::Network(slot.and_then(Slot::known).map(str::to_owned)), span);
                    self.push(
                        EffectKind::Opaque(
                            format!("`{}` chooses with whom it talks", typed(flag.name)).into(),
                        ),
                        span,
                    );
                }
                (b'w', None) => self.push(EffectKind::Write(PathTarget::Unknown), span),
                (b'x', slot) => {
                    self.push(EffectKind::Execute(slot.map_or(Value::Unknown, Slot::value)), span);
                }
                (b'o', _) => {
                    self.push(
                        EffectKind::Opaque(format!("`{}` does more than read", typed(flag.name)).into()),
                        span,
                    );
                }
                _ => {}
            }
        }
    }

    /// What operands do.
    pub(crate) fn operands(&mut self, operands: Operands, parsed: &Parsed<'_>) {
        match operands {
            Operands::None => {
                if let Some(index) = parsed.operands.first() {
                    let span = self.words.get(*index).map_or(self.span, |word| word.span);
                    self.opaque(span, "an operand that is not known");
                }
            }
            Operands::Text => self.each(parsed, Self::response_file),
            Operands::Read => self.each(parsed, |build, value, span| {
                build.read(value, false, span);
                build.response_file(value, span);
            }),
            Operands::ReadBelow => {
                if parsed.operands.is_empty() {
                    self.read_here();
                }
                self.each(parsed, |build, value, span| build.read(value, true, span));
            }
            Operands::Metadata => self.each(parsed, Self::metadata),
            Operands::Write => self.each(parsed, Self::write),
            Operands::WriteBelow => self.each(parsed, Self::write_below),
            Operands::ChangeBelow => {
                let here = Value::Known(Text::from_static("."));
                if parsed.operands.is_empty() {
                    let span = self.span;
                    self.read(&here, true, span);
                    self.write_below(&here, span);
                }
                self.each(parsed, |build, value, span| {
                    build.read(value, true, span);
                    build.write_below(value, span);
                });
            }
            Operands::Verbs(program) => subcommands::run(self, program, 1),
            Operands::Custom(custom) => custom(self, parsed),
        }
    }

    pub(crate) fn each(&mut self, parsed: &Parsed<'_>, mut apply: impl FnMut(&mut Self, &Value, Span)) {
        for index in &parsed.operands {
            if let Some(word) = self.words.get(*index) {
                apply(self, &word.value, word.span);
            }
        }
    }

    /// `@FILE`: many programs take more words from that file, and say so in an error when they cannot use them.
    fn response_file(&mut self, value: &Value, span: Span) {
        let names = value.candidates().unwrap_or_default().iter();
        for name in names.filter_map(|text| text.strip_prefix('@')) {
            // `@{u}` and `@~1` are commits of git's.
            if !name.is_empty() && !name.starts_with(['{', '~', '^', '@']) {
                self.read(&Value::Known(name.into()), false, span);
            }
        }
    }

    /// Some programs take several files at once (`-f a,b`), give them names (`k=FILE`), or fetch them.
    fn listed(&mut self, slot: Slot<'a>, span: Span) {
        let Some(text) = slot.known() else { return };
        if remote(text) {
            self.push(EffectKind::Network(None), span);
            self.opaque(span, "a file that may be fetched");
        }
        if text.contains([',', '=']) {
            for part in text.split([',', '=']) {
                self.read(&Value::Known(part.into()), false, span);
            }
        }
    }

    /// Forgets what the generic reading of flags found: the program reads its words itself.
    pub(crate) fn restart(&mut self) {
        self.specified = true;
        let start = self.start;
        self.effects.truncate(start);
        self.hazards.clear();
    }

    /// Where effects and hazards stand now.
    pub(crate) fn checkpoint(&self) -> (usize, usize, bool) {
        (self.effects.len(), self.hazards.len(), self.specified)
    }

    /// The effects behind a checkpoint.
    pub(super) fn effects_from(&self, start: usize) -> &[Effect] {
        self.effects.get(start..).unwrap_or_default()
    }

    /// Back to a checkpoint.
    pub(crate) fn rewind(&mut self, (effects, hazards, specified): (usize, usize, bool)) {
        self.effects.truncate(effects);
        self.hazards.truncate(hazards);
        self.specified = specified;
    }

    /// The absolute paths that a word may name.
    pub(super) fn targets(&self, value: &Value) -> Vec<PathTarget> {
        targets_of(value, self.directories(), self.look)
    }

    /// The directories that relative paths start from.
    pub(crate) fn directories(&self) -> &Directories {
        self.moved.as_ref().unwrap_or(self.directories)
    }

    /// Whether a flag has changed them.
    pub(crate) fn has_moved(&self) -> bool {
        self.moves > 0
    }

    /// Relative paths start from `value` from now on, as after a change of directory.
    pub(crate) fn change_directory(&mut self, value: &Value) {
        /// More than anybody writes; every one of them makes the path longer.
        const MOST_MOVES: u32 = 64;
        self.moves = self.moves.saturating_add(1);
        if self.moves > MOST_MOVES {
            self.moved = Some(Directories::Unknown);
            return;
        }
        let moved = match (self.directories(), value.known()) {
            (all @ Directories::Known(_), Some("")) => all.clone(),
            (_, Some(path)) if path.starts_with('/') => Directories::Known([path.to_owned()].into()),
            (Directories::Known(all), Some(path)) => {
                Directories::Known(all.iter().map(|directory| attach(directory, path)).collect())
            }
            _ => Directories::Unknown,
        };
        self.moved = Some(moved.bounded());
    }

    /// An operand by position.
    pub(crate) fn operand(&self, parsed: &Parsed<'_>, position: usize) -> Option<&'a Argument> {
        let words = self.words;
        parsed.operands.get(position).and_then(|index| words.get(*index))
    }

    /// How many operands there are at most: a word may be several (`ifconfig *`).
    pub(super) fn count(&self, parsed: &Parsed<'_>) -> usize {
        let several = |index: &usize| self.words.get(*index).is_some_and(|word| word.splits);
        if parsed.operands.iter().any(several) { usize::MAX } else { parsed.operands.len() }
    }

    /// The program's name without its directory.
    pub(crate) fn base(&self) -> &'a str {
        self.word(0).map(base_name).unwrap_or_default()
    }

    pub(crate) fn word(&self, index: usize) -> Option<&'a str> {
        let words = self.words;
        words.get(index).and_then(|word| word.value.known())
    }

    /// See [`Invocation::is_appended`].
    pub(crate) fn is_appended(&self, index: usize) -> bool {
        self.invocation.is_appended(index)
    }

    pub(crate) fn span_of(&self, index: usize) -> Span {
        self.words.get(index).map_or(self.span, |word| word.span)
    }

    pub(crate) fn push(&mut self, kind: EffectKind, span: Span) {
        self.effects.push(Effect { kind, redirection: false, span });
    }

    /// An effect of the whole invocation.
    pub(crate) fn effect(&mut self, kind: EffectKind) {
        let span = self.span;
        self.push(kind, span);
    }

    /// Something the specification does not account for.
    pub(crate) fn opaque(&mut self, span: Span, reason: impl Into<Cow<'static, str>>) {
        self.specified = false;
        self.push(EffectKind::Opaque(reason.into()), span);
    }

    pub(crate) fn hazard(&mut self, index: usize) {
        self.hazards.push(index);
    }

    /// The text on standard input, when it is in the command itself.
    pub(crate) fn input_text(&self) -> Option<&'a str> {
        let redirections = self.redirections;
        redirections.iter().rev().find(|redirection| redirection.fd == 0).and_then(|redirection| {
            match &redirection.target {
                RedirectionTarget::Text(text) => text.0.as_deref(),
                _ => None,
            }
        })
    }
}

/// A flag as it is typed: tables have the name alone.
fn typed(name: &str) -> Cow<'_, str> {
    match name.chars().count() {
        _ if name.starts_with(['-', '+']) => name.into(),
        1 => ["-", name].concat().into(),
        _ => ["--", name].concat().into(),
    }
}
