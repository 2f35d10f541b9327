//! Texts of any length and depth: an error from the bounds on, never more stack than there is, and time in proportion.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

mod walk;

use portcullis_shell_analysis::{ErrorKind, MAX_DEPTH, MAX_LENGTH, parse};

#[test]
fn lengths_and_depths_are_bounded() {
    let long = "a".repeat(MAX_LENGTH);
    assert!(parse(&long).is_ok());
    assert_eq!(parse(&format!("{long}a")).unwrap_err().kind, ErrorKind::TooLong);
    for (open, middle, close) in [
        ("{ ", "a", ";}"),
        ("( ", "a", ")"),
        ("$(", "a", ")"),
        ("\"$(", "a", ")\""),
        ("<(", "a", ")"),
        ("${x:-", "a", "}"),
        ("\"${x:-", "a", "}\""),
        ("$(( ", "1", " ))"),
        ("if ", "a", "; then b; fi"),
        ("while ", "a", "; do b; done"),
        ("case x in x) ", "a", ";; esac"),
        ("f() { ", "a", "; }"),
        ("[[ a && ! ( $(", "a", ") ) ]]"),
        ("a[$(", "a", ")]=1"),
    ] {
        let nest = |count: usize| format!("{}{middle}{}", open.repeat(count), close.repeat(count));
        assert!(parse(&nest(20)).is_ok(), "{open:?}: {:?}", parse(&nest(20)));
        let deep = parse(&nest(MAX_DEPTH + 1));
        assert_eq!(deep.unwrap_err().kind, ErrorKind::TooDeep, "{open:?}");
        // Unclosed, as long as it gets.
        let error = parse(&open.repeat(MAX_LENGTH / open.len())).unwrap_err();
        assert!(!matches!(error.kind, ErrorKind::TooLong), "{open:?}");
    }
    for chain in ["[[ a && ", "[[ ! ", "[[ ( ", "[[ a || "] {
        let (first, rest) = chain.split_at(3);
        let text = format!("{first}{}a ]]", rest.repeat(100_000));
        assert_eq!(parse(&text).unwrap_err().kind, ErrorKind::TooDeep, "{chain:?}");
    }
}

#[test]
fn the_deepest_tree_fits_a_small_stack() {
    let text = format!("{}a{}", "\"${x:-$(".repeat(42), ")}\"".repeat(42));
    let work = move || {
        let script = parse(&text).unwrap();
        let copy = script.clone();
        assert!(copy == script);
        drop(copy);
        assert_eq!(walk::programs(&script).last().unwrap(), "a");
    };
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap();
}

/// What this thread has had of a processor, whatever else the machine does (`/proc/PID/schedstat`).
#[cfg(target_os = "linux")]
fn processor_time() -> std::time::Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("/proc is mounted");
    let nanoseconds = text.split(' ').next().and_then(|field| field.parse().ok());
    std::time::Duration::from_nanos(nanoseconds.expect("the first field is a number"))
}

#[cfg(not(target_os = "linux"))]
fn processor_time() -> std::time::Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// Texts on which a reader without bounds takes quadratic or exponential time: eight times the text takes
/// about eight times as long.
#[test]
fn time_stays_linear() {
    let repeated = |unit: &str, size: usize| unit.repeat(size / unit.len());
    let nested = |open: &str, close: &str, filler: &str, size: usize| {
        format!("{}{}{}", open.repeat(60), repeated(filler, size - 4096), close.repeat(60))
    };
    let units = [
        "(",
        "((",
        "$((",
        "$(( $( ",
        "((a) ",
        "<<E ",
        "cat <<E\nE\n",
        "a \\\n",
        "\\\n",
        "`a`",
        "\\`",
        "{a",
        "a[1]",
        "1",
        "!\n",
        "a=",
        "$'a'",
        "a;",
        "[[ a ",
        "${",
        "'",
        "a=(",
        "a<(b) ",
        "case x in ",
        "\"$",
        "# a\n",
    ];
    let nests = [
        ("$(", ")", "a "),
        ("((", "))", "1+"),
        ("( (", ") )", "a "),
        ("((", ") )", "a "),
        ("$((", ") )", "a "),
        ("$(cat <<E\n", "\nE\n)", "a "),
        ("cat <<E\n$(", "\n)\nE\n", "a "),
        ("${x:-", "}", "a "),
        ("(( $(", ") ))", "a "),
        ("$[ $(", ") ]", "1+"),
        ("a[$(", ")] ", "a "),
        ("coproc a $(", ")", "a "),
        ("[[ a =~ ($(", ")) ]]", "a "),
    ];
    let full = if cfg!(debug_assertions) { MAX_LENGTH / 8 } else { MAX_LENGTH };
    let time = |text: &str| {
        let before = processor_time();
        drop(parse(text));
        processor_time().saturating_sub(before)
    };
    let mut slowest = (std::time::Duration::ZERO, String::new());
    let mut check = |make: &dyn Fn(usize) -> String| {
        let whole = make(full);
        let took = time(&whole);
        let start: String = whole.chars().take(12).collect();
        let eighth = time(&make(full / 8)).max(std::time::Duration::from_millis(2));
        // Other work on the machine makes single measurements unreliable.
        assert!(
            took < eighth * 40 || time(&whole) < time(&make(full / 8)) * 24,
            "{start:?}: {eighth:?}, then {took:?}"
        );
        if took > slowest.0 {
            slowest = (took, start);
        }
    };
    for unit in units {
        check(&|size| repeated(unit, size));
    }
    for (open, close, filler) in nests {
        check(&|size| nested(open, close, filler, size));
    }
    println!("slowest: {slowest:?} for {full} bytes");
}
