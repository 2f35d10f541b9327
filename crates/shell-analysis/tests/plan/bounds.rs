//! No text panics, and work is bounded.

use portcullis_shell_analysis::Shell;
use proptest::prelude::*;

use crate::{in_shell, plan};

#[test]
fn work_is_bounded() {
    let many = "ls;".repeat(5000);
    let analysis = plan(&many);
    assert!(analysis.opaque.is_some() && analysis.invocations.len() <= 4096);
    let loops = "for a in {1..60}; do for b in {1..60}; do for c in {1..60}; do ls; done; done; done";
    assert!(plan(loops).opaque.is_some());
    let mut functions = String::from("f0() { ls; };");
    for index in 1..40 {
        functions.push_str(&format!("f{index}() {{ f{p}; f{p}; }};", p = index - 1));
    }
    functions.push_str("f39");
    assert!(plan(&functions).opaque.is_some() || !plan(&functions).read_only());
    for text in [
        "env ".repeat(20_000) + "ls",
        "(".repeat(120) + "ls" + &")".repeat(120),
        "$(".repeat(120) + "ls" + &")".repeat(120),
        "eval ".repeat(3000) + "ls",
        "timeout 1 ".repeat(3000) + "rm x",
    ] {
        let _ = plan(&text);
    }
}

#[test]
fn long_argument_lists_cost_no_more_than_their_length() {
    let words = "a ".repeat(100_000);
    let analysis = plan(&format!("rm {words}"));
    assert!(analysis.opaque.is_none() && analysis.invocations[0].words.len() == 100_001);
    // Each launcher, value and flag that is not known would look at all of them again: that has an end.
    for text in [
        format!("{} {words}", "env ".repeat(140)),
        format!("{} {words}", "sudo --unknown a ".repeat(60)),
        format!("f() {{ rm {words}; }}; {}", "f;".repeat(200)),
    ] {
        assert!(plan(&text).opaque.is_some());
    }
}

const PIECES: &[&str] = &[
    "ls",
    "rm",
    " ",
    " ",
    "\n",
    ";",
    "&&",
    "||",
    "|",
    "&",
    "$(",
    ")",
    "(",
    "{ ",
    "; }",
    "if ",
    "; then ",
    "; fi",
    "for i in ",
    "; do ",
    "; done",
    "\"",
    "'",
    "$x",
    "${x:-",
    "}",
    "`",
    "<",
    ">",
    "<<E\n",
    "\nE\n",
    "$((",
    "))",
    "[[ ",
    " ]]",
    "eval ",
    "bash -c ",
    "find . -exec ",
    " \\;",
    "xargs ",
    "sed -n ",
    "git ",
    "{a,b}",
    "{1..9}",
    "*",
    "~",
    "\\",
    "é",
    "f() ",
    "cd ",
    "case x in ",
    ";;",
    "esac",
    "read ",
    "export A=",
    "jq --arg a ",
    "tar xf ",
    "printf -v ",
    "-",
    "--",
    "=",
    "[",
    "]",
    "awk ",
    "env -S ",
];

proptest! {
    #[test]
    fn no_text_panics(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24)) {
        for shell in [Shell::Bash, Shell::Zsh] {
            let analysis = in_shell(&pieces.concat(), shell);
            prop_assert!(analysis.invocations.len() <= 4096);
        }
    }

    #[test]
    fn no_characters_panic(text in "\\PC{0,60}") {
        let _ = plan(&text);
    }
}
