//! Text functions for labels and rule normalisation; never for decisions.

use crate::{
    Span, parse,
    plan::harmless_exported,
    tree::{
        Command, CommandKind, List, Redirect, RedirectOp, RedirectTarget, Script, Simple, Word, WordPart,
    },
};

/// How many launchers [`unwrap`] looks through.
const LAYERS: usize = 5;

const SHELLS: &[&str] = &["bash", "sh", "dash", "zsh", "ksh"];

/// Long options of shells that change nothing about what `-c` text means.
const SHELL_LONG_OPTIONS: &[&str] =
    &["--login", "--norc", "--noprofile", "--posix", "--restricted", "--verbose"];

/// Strips shells (`bash -c`) and harmless `env` layer by layer, at most five, and yields the innermost text.
///
/// ```
/// use portcullis_shell_analysis::unwrap;
///
/// assert_eq!(unwrap("bash -lc 'env CI=1 npm test'"), "npm test");
/// assert_eq!(unwrap("bash script.sh -c ls"), "bash script.sh -c ls");
/// ```
#[must_use]
pub fn unwrap(text: &str) -> String {
    let mut text = trimmed(text).to_owned();
    for _ in 0..LAYERS {
        match unwrap_once(&text) {
            Some(inner) => text = trimmed(&inner).to_owned(),
            None => break,
        }
    }
    text
}

/// The first command that is not a `cd`, an `export` or an assignment; the trimmed text when there is none.
///
/// ```
/// use portcullis_shell_analysis::primary;
///
/// assert_eq!(primary("cd /repo && CI=1 npm test | tee log"), "npm test");
/// ```
#[must_use]
pub fn primary(text: &str) -> String {
    let text = unwrap(text);
    let label = parse(&text).ok().and_then(|script| first_in(&script.list, &text));
    match label {
        // `env NAME=value program` is that program here, whatever it sets.
        Some(label) => match parse(&label).ok().and_then(|script| behind_env(&script, &label, |_, _| true)) {
            Some(inner) => unwrap(&inner),
            None => label,
        },
        None => text,
    }
}

/// A rule's payload in its normal form: unwrapped, quoting put back minimally word by word; a `:*` suffix
/// is kept.
///
/// ```
/// use portcullis_shell_analysis::normalize;
///
/// assert_eq!(normalize(" bash -c \"git  'diff'\":*"), "git diff:*");
/// assert_eq!(normalize("npm run * --watch"), "npm run * --watch");
/// ```
#[must_use]
pub fn normalize(payload: &str) -> String {
    let payload = trimmed(payload);
    let (text, suffix) = match payload.strip_suffix(":*") {
        Some(text) => (text, ":*"),
        None => (payload, ""),
    };
    let text = unwrap_pattern(text);
    let normal = parse(&text).map_or_else(|_| text.clone(), |script| respelled(&script, &text));
    normal + suffix
}

/// [`unwrap`] for text in which `*` stands for anything, as in a rule: only where what is left still begins with a
/// program. `env *` is every command that `env` runs, and must not become `*`, which is every command.
///
/// ```
/// use portcullis_shell_analysis::unwrap_pattern;
///
/// assert_eq!(unwrap_pattern("bash -c 'git diff *'"), "git diff *");
/// assert_eq!(unwrap_pattern("bash -c *"), "bash -c *");
/// ```
#[must_use]
pub fn unwrap_pattern(text: &str) -> String {
    let inner = unwrap(text);
    let narrow = match split_words(&inner) {
        Some(words) => words.first().is_some_and(|program| !program.contains('*')),
        None => !inner.contains('*') && parse(&inner).map_or(true, |script| !script.list.items.is_empty()),
    };
    if narrow { inner } else { trimmed(text).to_owned() }
}

/// The words of one simple command after quote removal, or `None` when the text is anything else (it has
/// assignments or redirections, say) or a word is not known. Globs, braces and tildes stay as written.
///
/// ```
/// use portcullis_shell_analysis::split_words;
///
/// assert_eq!(split_words("g'i't  log").unwrap(), ["git", "log"]);
/// assert_eq!(split_words("a; b"), None);
/// assert_eq!(split_words("a $b"), None);
/// ```
#[must_use]
pub fn split_words(text: &str) -> Option<Vec<String>> {
    let script = parse(text).ok()?;
    only_words(&script)?.words.iter().map(known).collect()
}

/// The text without blanks around it: those of the shell, which other white space is not, and a blank behind a
/// backslash belongs to its word.
fn trimmed(text: &str) -> &str {
    const BLANKS: [char; 3] = [' ', '\t', '\n'];
    let text = text.trim_start_matches(BLANKS);
    let short = text.trim_end_matches(BLANKS);
    let backslashes = short.len() - short.trim_end_matches('\\').len();
    let escaped = backslashes % 2 == 1 && text.get(short.len()..).is_some_and(|rest| !rest.starts_with('\n'));
    if escaped { text.get(..=short.len()).unwrap_or(short) } else { short }
}

/// Words joined to text, quoted minimally: [`split_words`] gives them back, but for a word with a NUL byte, which no
/// shell text can hold.
#[must_use]
pub fn join_words<S: AsRef<str>>(words: &[S]) -> String {
    quoted(words).collect::<Vec<_>>().join(" ")
}

/// Each of the words as [`join_words`] writes it.
pub(crate) fn quoted<S: AsRef<str>>(words: &[S]) -> impl Iterator<Item = String> {
    let mut words = words.iter().map(AsRef::as_ref);
    let program = words.next().map(quote_program);
    program.into_iter().chain(words.map(quote))
}

/// Words that are no program where a program stands (bash manual 3.2.1); those that need quotes anyway are left out.
const RESERVED: &[&str] = &[
    "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select",
    "then", "time", "until", "while",
];

/// [`quote`] for the first word of a command.
fn quote_program(word: &str) -> String {
    if RESERVED.contains(&word) { format!("'{word}'") } else { quote(word) }
}

fn quote(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| "''".to_owned(), std::borrow::Cow::into_owned)
}

/// The command, when the script is that one simple command.
fn only_simple(script: &Script) -> Option<(&Simple, &Command)> {
    let [item] = script.list.items.as_slice() else { return None };
    let [command] = item.first.commands.as_slice() else { return None };
    let alone = item.rest.is_empty() && !item.background && !item.first.negated && !item.first.timed;
    match &command.kind {
        CommandKind::Simple(simple) if alone => Some((simple, command)),
        _ => None,
    }
}

/// As [`only_simple`], without assignments and redirections.
fn only_words(script: &Script) -> Option<&Simple> {
    let (simple, command) = only_simple(script)?;
    (simple.assignments.is_empty() && command.redirects.is_empty()).then_some(simple)
}

/// The word after quote removal.
fn known(word: &Word) -> Option<String> {
    let mut text = String::new();
    for part in &word.parts {
        match part {
            WordPart::Literal(piece) | WordPart::Quoted(piece) => text.push_str(piece),
            WordPart::DoubleQuoted(parts) => {
                for part in parts {
                    let WordPart::Quoted(piece) = part else { return None };
                    text.push_str(piece);
                }
            }
            _ => return None,
        }
    }
    Some(text)
}

fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// One layer less.
fn unwrap_once(text: &str) -> Option<String> {
    let script = parse(text).ok()?;
    let simple = only_words(&script)?;
    shell_text(simple)
        .or_else(|| behind_env(&script, text, |name, value| harmless_exported(name, Some(value))))
}

/// The text that a shell is given with `-c`.
fn shell_text(simple: &Simple) -> Option<String> {
    let mut words = simple.words.iter().map(known);
    if !SHELLS.contains(&base_name(&words.next()??)) {
        return None;
    }
    let mut takes_text = false;
    loop {
        let word = words.next()??;
        if SHELL_LONG_OPTIONS.contains(&word.as_str()) {
            continue;
        }
        let flags = match word.strip_prefix(['-', '+']) {
            Some(flags) if !flags.is_empty() && flags.bytes().all(|byte| byte.is_ascii_alphabetic()) => flags,
            // The first operand is the text, or a script's name.
            _ => return takes_text.then_some(word),
        };
        takes_text |= word.starts_with('-') && flags.contains('c');
        for _ in flags.matches(['o', 'O']) {
            words.next()??;
        }
    }
}

/// What `env` runs, when it sets only what `accepts`.
fn behind_env(script: &Script, text: &str, accepts: impl Fn(&str, &str) -> bool) -> Option<String> {
    let simple = only_words(script)?;
    let mut words = simple.words.iter();
    if base_name(&known(words.next()?)?) != "env" {
        return None;
    }
    while let Some(word) = words.next() {
        let value = known(word)?;
        match value.as_str() {
            "-i" | "-" | "-0" | "--ignore-environment" | "--null" | "--" => {}
            "-u" | "--unset" => {
                words.next()?;
            }
            flag if flag.starts_with('-') => return None,
            assignment => match assignment.split_once('=') {
                Some((name, value)) if accepts(name, value) => {}
                Some(_) => return None,
                None => {
                    let end = simple.words.last()?.span;
                    return Some(word.span.to(end).slice(text).to_owned());
                }
            },
        }
    }
    None
}

/// The first simple command that does something, as it is written.
fn first_in(list: &List, text: &str) -> Option<String> {
    list.items
        .iter()
        .flat_map(|item| std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline)))
        .find_map(|pipeline| pipeline.commands.iter().find_map(|command| first_of(command, text)))
}

fn first_of(command: &Command, text: &str) -> Option<String> {
    match &command.kind {
        CommandKind::Simple(simple) => {
            let program = simple.words.first().map(known)?;
            if matches!(program.as_deref(), Some("cd" | "export")) {
                return None;
            }
            let from = simple.words.first()?.span.start;
            Some(Span::new(from, label_end(simple, command)).slice(text).to_owned())
        }
        CommandKind::Subshell(list) | CommandKind::Group(list) => first_in(list, text),
        CommandKind::If { branches, .. } => branches
            .iter()
            .find_map(|(condition, body)| first_in(condition, text).or_else(|| first_in(body, text))),
        CommandKind::Loop { condition, body, .. } => {
            first_in(condition, text).or_else(|| first_in(body, text))
        }
        CommandKind::For { body, .. } | CommandKind::ArithmeticFor { body, .. } => first_in(body, text),
        CommandKind::Case { clauses, .. } => clauses.iter().find_map(|(_, body)| first_in(body, text)),
        CommandKind::Coproc { body, .. } => first_of(body, text),
        CommandKind::Function { .. } | CommandKind::Arithmetic(_) | CommandKind::Conditional(_) => None,
    }
}

/// Where a label ends: redirections behind the words are left out when they only silence or join output.
fn label_end(simple: &Simple, command: &Command) -> u32 {
    let words = simple.words.last().map_or(command.span.start, |word| word.span.end);
    let mut behind = command.redirects.iter().filter(|redirect| redirect.span.start >= words);
    if behind.all(silences) { words } else { command.span.end }
}

/// `2>&1`, `>/dev/null`
fn silences(redirect: &Redirect) -> bool {
    let RedirectTarget::Word(word) = &redirect.target else { return false };
    let Some(target) = known(word) else { return false };
    match redirect.op {
        RedirectOp::DupOutput => target.bytes().all(|byte| byte.is_ascii_digit()),
        RedirectOp::Write | RedirectOp::Append | RedirectOp::WriteBoth | RedirectOp::AppendBoth => {
            target == "/dev/null"
        }
        _ => false,
    }
}

/// The text with every word of its simple commands quoted minimally.
fn respelled(script: &Script, text: &str) -> String {
    if let Some(simple) = only_words(script) {
        let words = simple.words.iter().enumerate();
        return words.map(|(index, word)| spelling(word, text, index == 0)).collect::<Vec<_>>().join(" ");
    }
    let mut words: Vec<(&Word, bool)> = Vec::new();
    for item in &script.list.items {
        for pipeline in std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline)) {
            for command in &pipeline.commands {
                if let CommandKind::Simple(simple) = &command.kind {
                    words.extend(simple.words.iter().enumerate().map(|(index, word)| (word, index == 0)));
                }
            }
        }
    }
    let mut normal = String::with_capacity(text.len());
    let mut copied = 0;
    for (word, first) in words {
        normal.push_str(text.get(copied..word.span.start as usize).unwrap_or_default());
        normal.push_str(&spelling(word, text, first));
        copied = word.span.end as usize;
    }
    normal.push_str(text.get(copied..).unwrap_or_default());
    normal
}

/// A word with as little quoting as it needs (the `first` of a command, or another one): unquoted text stays as it is,
/// what is not known too.
fn spelling(word: &Word, text: &str, first: bool) -> String {
    let written = || word.span.slice(text).to_owned();
    if let [WordPart::Literal(_)] = word.parts.as_slice() {
        return written();
    }
    let alive = word.parts.iter().any(|part| match part {
        WordPart::Literal(piece) => piece.contains(['*', '?', '[', '{', '~']),
        _ => false,
    });
    match known(word) {
        Some(value) if !alive && first => quote_program(&value),
        Some(value) if !alive => quote(&value),
        _ => written(),
    }
}
