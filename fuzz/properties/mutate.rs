//! Kept texts, and a seeded slice of mutations of them, for tests that run without a fuzzer.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use std::path::Path;

/// The kept texts of a target, and those that once broke a property of any.
pub(crate) fn kept(target: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut texts = Vec::new();
    for name in [target, "regressions"] {
        let path = folder.join(format!("{name}.jsonl"));
        let lines = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
        texts.extend(lines.lines().map(|line| serde_json::from_str::<String>(line).unwrap()));
    }
    assert!(texts.len() > 20, "only {} texts of {target} are kept", texts.len());
    texts
}

/// Numbers from a seed (xorshift: the same ones everywhere, and nothing more is asked of them).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % limit.max(1)
    }
}

/// What is put into a text: what means something to a shell or to a rule.
const PIECES: &[&str] = &[
    " ",
    "\n",
    ";",
    "&",
    "&&",
    "||",
    "|",
    "|&",
    "(",
    ")",
    "{ ",
    "; }",
    "$(",
    "`",
    "\"",
    "'",
    "\\",
    "\\\n",
    "$x",
    "${x:-",
    "}",
    "$((",
    "))",
    "((",
    "[[ ",
    " ]]",
    "<<E\n",
    "\nE\n",
    "<",
    ">",
    ">>",
    "2>&1",
    "<(",
    "~",
    "*",
    "?",
    "[a]",
    "{a,b}",
    "{1..9}",
    "#",
    " #",
    "=",
    "x=1 ",
    "a[",
    "]",
    "!",
    "if ",
    "; then ",
    "; fi",
    "for i in a b; do ",
    "; done",
    "while ",
    "case x in a) ",
    ";; esac",
    "f() { ",
    "eval ",
    "bash -c '",
    "env -S ",
    "xargs ",
    "find . -exec ",
    " \\; ",
    "cd / ",
    "rm -rf x",
    "ls",
    "cat /etc/passwd",
    "git ",
    "\t",
    "\r",
    "\0",
    "é",
    "\u{202e}",
    "Bash(",
    ":*",
    "**",
    ",",
    "\n\n",
];

/// `count` mutations of the texts.
pub(crate) fn mutations(texts: &[String], seed: u64, count: usize) -> Vec<String> {
    let mut numbers = Numbers(seed | 1);
    (0..count)
        .map(|_| {
            let mut text = texts[numbers.below(texts.len())].clone();
            for _ in 0..=numbers.below(4) {
                let other = &texts[numbers.below(texts.len())];
                change(&mut text, other, &mut numbers);
            }
            text
        })
        .collect()
}

fn change(text: &mut String, other: &str, numbers: &mut Numbers) {
    let (from, to) = (border(text, numbers), border(text, numbers));
    let (from, to) = (from.min(to), from.max(to));
    match numbers.below(6) {
        0 | 1 => text.insert_str(from, PIECES[numbers.below(PIECES.len())]),
        2 => text.replace_range(from..to, ""),
        3 => {
            let copied = text[from..to].to_owned();
            text.insert_str(to, &copied);
        }
        4 => {
            let (start, end) = (border(other, numbers), border(other, numbers));
            text.insert_str(from, &other[start.min(end)..start.max(end)]);
        }
        _ => text.truncate(to),
    }
}

/// A place between two characters.
fn border(text: &str, numbers: &mut Numbers) -> usize {
    let mut at = numbers.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
