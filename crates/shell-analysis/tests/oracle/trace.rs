//! Reads what `set -x` prints (bash manual 2.5.1 `BASH_XTRACEFD`, 4.3.1 `-x`): the words of each command,
//! quoted where they need it. Programs and calls of functions are in it too, but the former report themselves
//! and the latter are no commands of the plan: their bodies are.

use crate::sandbox::Command;

/// Before each record, once for each level of nesting (the first character of `PS4`).
const RECORD: u8 = 0x1e;
/// Behind the id and behind the directory.
const UNIT: u8 = 0x1f;

/// Builtins that no stub stands for.
const BUILTINS: &[&str] = &[
    ".",
    "alias",
    "break",
    "builtin",
    "cd",
    "command",
    "continue",
    "declare",
    "dirs",
    "eval",
    "exit",
    "export",
    "getopts",
    "hash",
    "let",
    "local",
    "mapfile",
    "popd",
    "pushd",
    "pwd",
    "read",
    "readarray",
    "readonly",
    "return",
    "set",
    "shift",
    "shopt",
    "source",
    "trap",
    "type",
    "typeset",
    "unalias",
    "unset",
    "wait",
];

/// Every builtin that ran, for which there is no stub, with the id of its text. Records that other processes broke are left out.
pub(crate) fn commands(trace: &[u8]) -> Vec<(usize, Command)> {
    trace.split(|byte| *byte == RECORD).filter_map(record).collect()
}

fn record(bytes: &[u8]) -> Option<(usize, Command)> {
    let mut fields = bytes.splitn(3, |byte| *byte == UNIT);
    let id = std::str::from_utf8(fields.next()?).ok()?.parse().ok()?;
    let directory = String::from_utf8_lossy(fields.next()?).into_owned();
    let rest = fields.next()?;
    let words = words(rest)?;
    let builtin = words.first().is_some_and(|name| BUILTINS.contains(&name.as_str()));
    builtin.then_some((id, Command { words, directory }))
}

/// Words up to the newline that ends a record.
fn words(bytes: &[u8]) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Vec<u8> = Vec::new();
    let mut begun = false;
    let mut index = 0;
    let mut finish = |word: &mut Vec<u8>, begun: &mut bool| {
        if std::mem::take(begun) {
            words.push(String::from_utf8_lossy(&std::mem::take(word)).into_owned());
        }
    };
    loop {
        let byte = *bytes.get(index)?;
        index += 1;
        match byte {
            b'\n' => {
                finish(&mut word, &mut begun);
                return Some(words);
            }
            b' ' => finish(&mut word, &mut begun),
            b'\'' => {
                begun = true;
                let length = bytes[index..].iter().position(|byte| *byte == b'\'')?;
                word.extend_from_slice(&bytes[index..index + length]);
                index += length + 1;
            }
            b'\\' => {
                begun = true;
                word.push(*bytes.get(index)?);
                index += 1;
            }
            b'$' if bytes.get(index) == Some(&b'\'') => {
                begun = true;
                index = escaped(bytes, index + 1, &mut word)?;
            }
            other => {
                begun = true;
                word.push(other);
            }
        }
    }
}

/// The inside of `$'...'`, of which bash writes only these escapes; the index behind it.
fn escaped(bytes: &[u8], mut index: usize, word: &mut Vec<u8>) -> Option<usize> {
    loop {
        let byte = *bytes.get(index)?;
        index += 1;
        if byte == b'\'' {
            return Some(index);
        }
        if byte != b'\\' {
            word.push(byte);
            continue;
        }
        let escape = *bytes.get(index)?;
        index += 1;
        word.push(match escape {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            b'E' | b'e' => 27,
            b'0'..=b'7' => {
                let digits = bytes.get(index - 1..index + 2)?;
                index += 2;
                u8::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok()?
            }
            other => other,
        });
    }
}
