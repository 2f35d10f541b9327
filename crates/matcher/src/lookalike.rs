//! Characters that cannot be seen or that look like others: a rule with one in it reads as it is meant, and no call is
//! written so. They come from documents and chats that set what is typed in print.

/// What is wrong with the characters of a payload; `paths`: it is about files, whose names may have such signs in them.
pub(crate) fn of(payload: &str, paths: bool) -> Option<String> {
    let mut before: Option<char> = None;
    for (at, char) in payload.char_indices() {
        if let Some(what) = unseen(char, before) {
            return Some(format!("there is {what} in it (U+{:04X}): write it anew without", u32::from(char)));
        }
        // Between quotes stands any text, and a name may have any sign.
        let outer = at == 0 || payload.len() == at + char.len_utf8();
        let told = if paths { outer || char == '∗' } else { !payload.contains(['\'', '"']) };
        if let Some(meant) = meant(char).filter(|_| told) {
            return Some(format!("`{char}` only looks like `{meant}`: write that"));
        }
        before = Some(char);
    }
    let words = payload.strip_suffix(" ...").filter(|words| !paths && !words.is_empty())?;
    Some(format!("`...` stands for itself: write `{words}:*`"))
}

/// What cannot be told from a blank, or from nothing.
fn unseen(char: char, before: Option<char>) -> Option<&'static str> {
    // Several scripts and signs are joined or chosen by these.
    let joined = before.is_some_and(|before| !before.is_ascii());
    match char {
        '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' if joined => None,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            Some("a blank of another kind")
        }
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}'
        | '\u{e0000}'..='\u{e0fff}' => Some("a character that cannot be seen"),
        _ => None,
    }
}

/// What is typed for a sign of print.
fn meant(char: char) -> Option<&'static str> {
    Some(match char {
        '“' | '”' | '„' | '‟' | '«' | '»' | '＂' => "\"",
        '‘' | '’' | '‚' | '‛' | '＇' => "'",
        '∗' | '＊' | '⁎' | '✱' => "*",
        '…' => "...",
        '：' | '∶' | '꞉' => ":",
        '‐' | '‑' | '‒' | '–' | '—' | '−' | '－' => "-",
        '／' | '⁄' | '∕' => "/",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn what_only_looks_as_meant_is_told() {
        for (payload, paths) in [
            ("git\u{a0}push:*", false),
            ("git\u{200b} push:*", false),
            ("r\u{200b}m:*", false),
            ("rm\u{a0}*", false),
            ("rm：*", false),
            ("“git push”:*", false),
            ("git push:∗", false),
            ("git push …", false),
            ("git push ...", false),
            ("git push –force:*", false),
            ("echo 'a\u{200b}'", false),
            ("“secrets/k”", true),
            ("se\u{200b}crets/k", true),
            ("secrets/∗∗", true),
            ("secrets/…", true),
        ] {
            assert!(of(payload, paths).is_some(), "{payload}");
        }
        for (payload, paths) in [
            ("git push:*", false),
            ("go test ./...", false),
            ("echo '…'", false),
            ("echo é", false),
            ("...", false),
            ("説明：x.md", true),
            ("It’s.md", true),
            ("👨\u{200d}👩.md", true),
            ("ا\u{200c}ب", true),
        ] {
            assert_eq!(of(payload, paths), None, "{payload}");
        }
    }
}
