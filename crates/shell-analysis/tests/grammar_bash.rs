//! The real bash is the judge of what is accepted and of what it means: it reads each text, runs nothing, and
//! prints it as it understood it.
//!
//! Accepting what bash refuses is a defect. Refusing what bash accepts is counted by kind, and bounded; of
//! the commands that agents write at most one in a hundred.
//!
//! `PORTCULLIS_SOAK=1` reads all texts instead of a part, and 200,000 generated ones; `PORTCULLIS_SOAK_TEXTS`
//! is another number of these, `PORTCULLIS_SOAK_SEED` generates others, and `PORTCULLIS_BASH_SHOW=1` prints the texts that are refused.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use bash::Answer;
use portcullis_shell_analysis::{
    parse,
    tree::{CommandKind, Script, Word, WordPart},
};

mod bash;
mod corpus;
mod normal;
mod realistic;
mod walk;

fn soaks() -> bool {
    std::env::var_os("PORTCULLIS_SOAK").is_some_and(|value| value == "1")
}

/// How many texts: `PORTCULLIS_SOAK_TEXTS`, or `long` in a long run and `short` otherwise.
fn count(long: usize, short: usize) -> usize {
    let asked = std::env::var("PORTCULLIS_SOAK_TEXTS").ok().and_then(|value| value.parse().ok());
    asked.unwrap_or(if soaks() { long } else { short })
}

fn shows() -> bool {
    std::env::var_os("PORTCULLIS_BASH_SHOW").is_some()
}

fn random(offset: u64) -> corpus::Random {
    let seed = std::env::var("PORTCULLIS_SOAK_SEED").ok().and_then(|value| value.parse().ok());
    corpus::Random(seed.unwrap_or(5_215) + offset)
}

/// What became of many texts.
#[derive(Default)]
struct Tally {
    texts: usize,
    accepted: usize,
    over_accepted: Vec<String>,
    /// By kind and message of the error.
    over_refused: BTreeMap<String, Vec<String>>,
}

impl Tally {
    fn compare(&mut self, texts: &[String]) {
        for (text, answer) in texts.iter().zip(bash::check(texts)) {
            self.texts += 1;
            self.accepted += usize::from(answer != Answer::Refuses);
            match (parse(text), answer) {
                (Ok(_), Answer::Refuses) => self.over_accepted.push(text.clone()),
                (Err(error), Answer::Accepts | Answer::Warns) => {
                    let kind = format!("{:?}: {}", error.kind, error.message);
                    self.over_refused.entry(kind).or_default().push(text.clone());
                }
                _ => {}
            }
        }
    }

    /// The share of the texts that bash accepts and the parser refuses, in ten thousandths.
    fn report(&self, what: &str) -> usize {
        let refused: usize = self.over_refused.values().map(Vec::len).sum();
        let share = refused * 10_000 / self.accepted.max(1);
        println!(
            "{what}: {} texts, bash accepts {}, of which {refused} are refused ({}.{:02} %); {} accepted that bash refuses",
            self.texts,
            self.accepted,
            share / 100,
            share % 100,
            self.over_accepted.len()
        );
        let mut kinds: Vec<_> = self.over_refused.iter().collect();
        kinds.sort_by_key(|(_, texts)| std::cmp::Reverse(texts.len()));
        for (kind, texts) in kinds {
            println!("{:6} {kind}", texts.len());
            let mut texts: Vec<_> = texts.iter().collect();
            texts.sort_by_key(|text| text.len());
            for text in texts.iter().take(if shows() { 5 } else { 0 }) {
                println!("         {text:?}");
            }
        }
        assert!(self.over_accepted.is_empty(), "{what}: bash refuses these: {:#?}", self.over_accepted);
        // Behind a syntax error in backticks nothing runs: these two kinds have to be right.
        let wrong = |kind: &&String| kind.starts_with("Syntax") || kind.starts_with("Unterminated");
        let wrong: Vec<_> = self.over_refused.keys().filter(wrong).collect();
        assert!(wrong.is_empty(), "{what}: no errors of bash: {wrong:?}");
        share
    }
}

/// Every command text in the conformance files.
fn conformance() -> Vec<String> {
    fn collect(value: &serde_json::Value, texts: &mut BTreeSet<String>) {
        match value {
            serde_json::Value::Object(map) => {
                for (key, value) in map {
                    match value {
                        serde_json::Value::String(text)
                            if matches!(key.as_str(), "command" | "cmd" | "chars") =>
                        {
                            texts.insert(text.clone());
                        }
                        value => collect(value, texts),
                    }
                }
            }
            serde_json::Value::Array(values) => values.iter().for_each(|value| collect(value, texts)),
            _ => {}
        }
    }
    let mut texts = BTreeSet::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            for line in std::fs::read_to_string(path).unwrap().lines() {
                collect(&serde_json::from_str(line).unwrap(), &mut texts);
            }
        }
    }
    texts.retain(|text| !text.contains('\0') && text.len() < 100_000);
    assert!(texts.len() > 1000, "the conformance files hold commands");
    texts.into_iter().collect()
}

/// All texts in a long run, else every `step`th.
fn part(texts: Vec<String>, step: usize) -> Vec<String> {
    let step = if soaks() { 1 } else { step };
    texts.into_iter().step_by(step).collect()
}

/// Commands as agents write them.
fn realistic() -> Vec<String> {
    let texts = realistic::commands(6000);
    let written = realistic::written();
    assert!(written.len() > 400 && written.iter().collect::<BTreeSet<_>>().len() == written.len());
    assert!(texts.iter().collect::<BTreeSet<_>>().len() == 6000);
    texts
}

/// Mutations of texts of every origin in turn.
fn generated(count: usize) -> Vec<String> {
    let (mut random, recorded, realistic) = (random(0), conformance(), realistic());
    let short: Vec<&str> = recorded.iter().map(String::as_str).filter(|text| text.len() < 2000).collect();
    (0..count)
        .map(|index| match index % 4 {
            0 => random.text_of(&short),
            1 => random.text_of(&realistic),
            _ => random.text(),
        })
        .collect()
}

#[test]
fn recorded_commands_are_read_as_bash_reads_them() {
    let mut tally = Tally::default();
    tally.compare(&part(conformance(), 8));
    assert!(tally.report("recorded") < 100);
}

#[test]
fn realistic_commands_are_read_as_bash_reads_them() {
    let mut tally = Tally::default();
    tally.compare(&part(realistic(), 13));
    tally.compare(&realistic::written());
    assert!(tally.report("realistic") < 100);
}

#[test]
fn written_texts_are_read_as_bash_reads_them() {
    let mut tally = Tally::default();
    let texts: Vec<String> = corpus::TEXTS.iter().map(|&text| text.to_owned()).collect();
    tally.compare(&texts);
    assert!(tally.report("written") < 100);
}

#[test]
fn generated_texts_are_read_as_bash_reads_them() {
    let mut tally = Tally::default();
    tally.compare(&generated(count(200_000, 800)));
    assert!(tally.report("generated") < 400);
}

/// `>f ! x` runs a program of that name, and is printed as `! x > f`, which is something else.
fn misprinted(script: &Script) -> bool {
    let mut found = false;
    walk::visit(&script.list, &mut |command| {
        if let CommandKind::Simple(simple) = &command.kind
            && let Some(Word { parts, .. }) = simple.words.first()
            && let [WordPart::Literal(name)] = parts.as_slice()
        {
            found |= !command.redirects.is_empty() && RESERVED.contains(&&**name);
        }
    });
    found
}

const RESERVED: &[&str] = &[
    "!", "[[", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if",
    "select", "then", "time", "until", "while", "{", "}",
];

/// Bash prints back what it has read: the tree of that is the tree of the text.
#[test]
fn trees_are_those_of_what_bash_prints() {
    let mut texts = part(realistic(), 20);
    texts.extend(realistic::written());
    texts.extend(part(conformance(), 40));
    texts.extend(corpus::TEXTS.iter().map(|&text| text.to_owned()));
    let chosen = texts.len();
    texts.extend(generated(count(40_000, 300)));
    let (mut compared, mut unread) = (0, 0);
    let mut different = Vec::new();
    // Generated texts find what bash does not print as it read it (`<< -x` as `<<-x`, a doubled escape
    // character more than once, a body without its end): one in a thousand.
    let mut allowed = 0;
    let chosen: BTreeSet<String> = texts[..chosen].iter().cloned().collect();
    // A backslash at the very end is a matter of where the text comes from.
    texts.retain(|text| !text.ends_with('\\') && parse(text).is_ok());
    for (text, printed) in texts.iter().zip(bash::reprint(&texts)) {
        let (Ok(script), Some(printed)) = (parse(text), printed) else { continue };
        // Bash names what has no name, which is no program.
        let printed = printed.replace("coproc COPROC ", "coproc ");
        // How bash prints here-documents in substitutions and quotes of `$'` is not always readable again.
        let Ok(again) = parse(&printed) else {
            unread += 1;
            if shows() {
                println!("  printed unreadably: {text:?}: {printed:?}");
            }
            continue;
        };
        compared += 1;
        let (ours, theirs) = (normal::form(&script), normal::form(&again));
        // Bash forgets separators behind here-documents when it prints.
        let forgetful = |form: &str| form.replace("; ", "").replace("broken ", "");
        let same = ours == theirs
            || (printed.contains("<<") && forgetful(&ours) == forgetful(&theirs))
            || misprinted(&script);
        if !same && !chosen.contains(text) {
            allowed += 1;
            if shows() {
                println!("  printed otherwise: {text:?}: {printed:?}");
            }
        } else if !same {
            different.push(format!("{text:?}\n prints {printed:?}\n ours   {ours}\n theirs {theirs}"));
        }
    }
    println!(
        "printed: {compared} compared, {} of the chosen and {allowed} of the generated differ, {unread} not readable again",
        different.len()
    );
    assert!(allowed * 1000 <= compared, "{allowed} of {compared} generated texts differ");
    assert!(different.is_empty(), "{} differ\n{}", different.len(), different.join("\n"));
    assert!(compared > 500 && unread * 20 < compared, "compared {compared}, not readable again {unread}");
}
