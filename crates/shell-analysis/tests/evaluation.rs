//! Code that hides in a value and that the shell itself runs: in arithmetic, subscripts and `-v`.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "test code")]

use portcullis_shell_analysis::{Settings, analyze};

fn code_of(text: &str) -> Vec<String> {
    let roots = ["/w".to_owned()];
    let settings = Settings { home: Some("/home/u"), ..Settings::new("/w", &roots) };
    let analysis = analyze(text, &settings);
    assert!(!analysis.read_only(), "{text}");
    analysis.invocations.into_iter().flat_map(|invocation| invocation.code).collect()
}

#[test]
fn the_text_is_the_code_where_a_value_may_run() {
    for text in [
        "x='a[$(rm y)]'; ((x))",
        "x='a[$(rm y)]'; echo $((x))",
        "[[ -v 'a[$(rm y)]' ]]",
        "test -v 'a[$(rm y)]'",
        "x='a[$(rm y)]'; [[ $x -eq 1 ]]",
        "x='a[$(rm y)]'; let x",
        "x='$(rm y)'; echo ${x@P}",
    ] {
        assert_eq!(code_of(text), [text], "{text}");
    }
}

#[test]
fn it_is_kept_once_however_often() {
    let text = "for i in 1 2 3; do ((z)); ((z)); done; rm y";
    assert_eq!(code_of(text), [text]);
}

#[test]
fn launchers_that_take_text_alone_have_no_operands() {
    for text in ["script -z -q x", "command su -Z", "su -Z x -c 'rm y'", "at -Z now", "batch -Z"] {
        code_of(text);
    }
}
