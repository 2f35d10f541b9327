//! Variables of the environment: to print one is to print a piece of the environment, which asks unless the runner
//! passes no secrets.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use portcullis_shell_analysis::{EffectKind, Settings, analyze};

fn wrong(texts: &[&str], read_only: bool, scrubbed: bool) -> Vec<String> {
    let roots = ["/repo".to_owned()];
    let settings = Settings { home: Some("/home/u"), scrubbed, ..Settings::new("/repo", &roots) };
    let judged = texts.iter().map(|text| (text, analyze(text, &settings)));
    judged
        .filter(|(_, analysis)| analysis.read_only() != read_only)
        .map(|(text, analysis)| format!("{text} {:?}", analysis.blockers.first().map(|one| &one.reason)))
        .collect()
}

/// Read-only once the environment holds no secrets.
const PRINTED: &[&str] = &[
    "[ \"${WORD:0:1}\" = z ] && echo z",
    "for i in {0..30}; do for c in {a..z}; do [ \"${WORD:$i:1}\" = $c ] && echo -n $c; done; done",
    "[ -z \"${WORD##z*}\" ] && echo y",
    "[ \"${WORD%%e*}\" = zz ] && echo y",
    "[[ -z ${WORD//[a-y]} ]] && echo y",
    "test -n \"${WORD#a}\"",
    "[ \"${WORD^}\" = A ]",
    "echo \"$AWS_SECRET_ACCESS_KEY\"",
    "echo $WORD",
    "printf %s \"$WORD\"",
    "printf '%s\\n' \"${WORD}\" | head -c 5",
    "cat <<< \"$GITHUB_TOKEN\"",
    "cat <<EOF\n$GITHUB_TOKEN\nEOF",
    "echo ${!AWS*}",
    "echo \"${!AWS@}\"",
    "[[ $WORD == a* ]]",
    "[[ $WORD < m ]]",
    "[[ $WORD =~ ^a ]]",
    "[[ a == $WORD ]]",
    "[ \"$WORD\" \\< m ]",
    "[ \"$WORD\" = \"$OTHER\" ]",
    "test a = a -a \"$WORD\" = b",
    "case $WORD in a*) echo yes;; esac",
    "echo ${WORD:0:4}",
    "echo ${WORD#a}",
    "echo ${WORD/x/y}",
    "echo ${WORD@Q}",
    "echo ${WORD^^}",
    "echo ${WORD:-none}",
    "echo \"${WORD[0]}\"",
    "x=$WORD; echo \"$x\"",
    "x=\"a$WORD\"; ls",
    "ls \"$WORD\"",
    "declare -p",
    "declare -p WORD",
    "typeset -p WORD",
    "declare -x",
    "export -p",
    "export",
    "readonly -p",
    "set",
    "env",
    "printenv",
    "printenv WORD",
    "printenv HOME WORD",
    "printenv A.B",
    "echo $(env)",
    "echo \"$(printenv WORD)\"",
    "bash -c 'echo $WORD'",
    "f() { echo \"$WORD\"; }; f",
    "f() { local WORD=x; ls; }; f; echo \"$WORD\"",
    "(WORD=x); echo \"$WORD\"",
    "WORD=x | true; echo \"$WORD\"",
    "echo x | read -r WORD; echo \"$WORD\"",
    "if false; then WORD=x; fi; echo \"$WORD\"",
    "false && WORD=x; echo \"$WORD\"",
    "for i in a b; do [ \"$i\" = c ] && WORD=x; done; echo \"$WORD\"",
    "for WORD in *.nothing $(true); do :; done; echo \"$WORD\"",
    "while false; do WORD=x; done; echo \"$WORD\"",
    "for i in a; do command -v \"$i\"; echo \"$WORD\"; done",
    "case a in b) WORD=x;; esac; echo \"$WORD\"",
    "for i in a b; do echo \"$WORD\"; WORD=x; done",
    // What does not set it.
    "read -u 9999 WORD; echo $WORD",
    "read -u 9 WORD; echo $WORD",
    "{ read -u 4 WORD; echo $WORD; } 3< list",
    "read WORD <&-; echo $WORD",
    "read WORD <&2; echo $WORD",
    "read WORD <&4 3< list; echo $WORD",
    "read -t 0 WORD; echo $WORD",
    "read -t 0.0 WORD; echo $WORD",
    "read -t x WORD; echo $WORD",
    "read -n x WORD; echo $WORD",
    "read WORD < list; echo $WORD",
    "read UID WORD <<< a; echo $WORD",
    "readonly x; read x WORD <<< 'a b'; echo $WORD",
    "sh -c 'read -n 1 WORD; echo $WORD'",
    "sh -c 'read -d , WORD; echo $WORD'",
    "sh -c 'f() { local WORD; echo $WORD; }; f'",
    "sh -c 'declare WORD=x; echo $WORD'",
    "sh -c 'typeset WORD=x; echo $WORD'",
    "local WORD=x; echo $WORD",
    "declare -p WORD=x; echo $WORD",
    "true && declare() { :; }; declare WORD=x; echo $WORD",
    "true && read() { :; }; read WORD; echo $WORD",
    "true && unset() { :; }; unset WORD; echo $WORD",
    "f() { unset WORD; }; g() { local WORD=a; f; echo $WORD; }; g",
    "f() { local WORD=a; unset WORD; echo $WORD; }; f",
    "f() { local WORD=a; g; echo $WORD; }; g() { h; }; h() { unset -v WORD; }; f",
    ": {WORD}>&-; echo $WORD",
    "x=\"${WORD[0]}\"; declare -a WORD; echo $WORD",
    // Printed by the shell itself.
    "set -x; [ -n \"$WORD\" ]",
    "set -o xtrace; [[ -n $WORD ]]",
    "for i in a b; do [ -n \"$WORD\" ]; set -x; done",
    "bash -xc '[ -n \"$WORD\" ]'",
    "bash -o xtrace -c '[[ -n $WORD ]]'",
    "set -x; case $WORD in a) ls;; esac",
];

/// Read-only in any case.
const HARMLESS: &[&str] = &[
    "echo $HOME \"$PWD\" $USER ${SHELL} $PATH $LANG $TERM \"$LC_ALL\"",
    "echo \"${x:-default}\"; [[ $x =~ ^v[0-9]+$ ]] && echo v",
    "echo $? $# $1 \"$@\" $$ $! $0 $-",
    "echo $RANDOM $LINENO $SECONDS $BASH_VERSION ${PIPESTATUS[0]} $UID",
    "echo \"$XDG_CONFIG_HOME $GOPATH $JAVA_HOME $BUILD_DIR $OSTYPE\"",
    "ls \"$TMPDIR\"",
    "x=1; echo $x \"${x}y\" ${x:-2}",
    "x=$(date); echo \"$x\"",
    "x=a; x+=b; echo \"$x\"",
    "a=(1 2 3); echo \"${a[@]}\" ${#a[@]}",
    "for f in a b; do echo \"$f\"; done; echo \"$f\"",
    "for f in *.rs; do echo \"$f\"; done",
    "while read -r line; do echo \"$line\"; done < list",
    "while read -r a b; do echo \"$a\"; x=$b; echo \"$x\"; done < list",
    "ls | while IFS= read -r f; do n=${f%.rs}; echo \"$n\"; done",
    "for ((i = 0; i < 3; i++)); do echo $i; done",
    "i=0; while [ $i -lt 3 ]; do echo $i; i=$((i + 1)); done",
    "f() { local x=$1; echo \"$x\"; }; f a",
    "if ls; then x=1; else x=2; fi; echo $x",
    "x=1; if ls; then x=2; fi; echo $x",
    "x=1; for i in a; do command -v ls; echo \"$x\"; done",
    "[ -n \"$WORD\" ] && echo set",
    "[[ -n $WORD ]] && echo set",
    "[[ -z \"$WORD\" ]] || echo set",
    "[[ $WORD ]] && echo set",
    "test -z \"$WORD\"; [ ! -n \"$WORD\" ]",
    "[ \"$MODE\" = debug ] && ls",
    "[[ $MODE == debug ]] && ls",
    "[[ $MODE != \"a*\" ]] && ls",
    "case $MODE in debug) ls;; *) ls src;; esac",
    "echo ${WORD:+set}",
    "echo \"${WORD+set}\" ${#WORD}",
    "printenv HOME PATH",
    "set -x; x=1; [ -n \"$x\" ]",
    "echo '$WORD' \\$WORD",
    "unset x; echo \"$x\"",
    "while read -r -u 3 line; do echo \"$line\"; done 3< list",
    "read -t 5 -n 1 -p ready answer; echo \"$answer\"",
    "read -r -d '' text <<< a; echo \"$text\"",
    "f() { local word; word=$1; echo \"$word\"; unset word; }; f a",
    "sh -c 'read -r word; echo \"$word\"; f() { local word=a; echo $word; }; f'",
    "f() { declare -r word=a; echo $word; }; f",
    "f() { local word=a; g; echo $word; }; g() { local word=b; unset other; }; f",
];

#[test]
fn what_prints_the_environment_asks() {
    let found = wrong(PRINTED, false, false);
    assert!(found.is_empty(), "{}", found.join("\n"));
    let found = wrong(PRINTED, true, true);
    assert!(found.is_empty(), "without secrets:\n{}", found.join("\n"));
}

#[test]
fn what_tells_nothing_is_read_only() {
    let found = wrong(HARMLESS, true, false);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_may_become_an_operator_that_evaluates_asks() {
    // Unquoted, `x -o -v a[$(rm)]` is five words.
    let found = wrong(&["[ -n $WORD ]", "[ $WORD = x ]", "test $WORD x"], false, true);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn it_is_an_effect() {
    let roots = ["/repo".to_owned()];
    let analysis = analyze("rm \"$WORD\"; echo $HOME", &Settings::new("/repo", &roots));
    // What the caller gives a value is no secret.
    let environment = [("WORD".to_owned(), "x".to_owned())];
    let roots_too = ["/repo".to_owned()];
    let given = Settings { environment: &environment, ..Settings::new("/repo", &roots_too) };
    assert!(analyze("echo \"$WORD\"", &given).read_only() && !analyze("echo \"$WORDS\"", &given).read_only());
    let prints = |at: usize| {
        let effects = &analysis.invocations[at].effects;
        effects.iter().any(|effect| effect.kind == EffectKind::Environment)
    };
    assert!(prints(0) && !prints(1));
}

/// A shell that the text starts knows what the environment holds only where nothing has changed it.
#[test]
fn a_variable_of_the_environment_that_was_changed_is_not_known_in_another_shell() {
    let roots = ["/repo".to_owned()];
    let environment = [("FOO".to_owned(), "made".to_owned())];
    let settings =
        Settings { home: Some("/home/u"), environment: &environment, ..Settings::new("/repo", &roots) };
    let runs = |text: &str| {
        let analysis = analyze(text, &settings);
        analysis.invocations.iter().any(|invocation| invocation.program() == Some("made"))
    };
    for text in [
        "$FOO y",
        "bash -c '$FOO y'",
        "BAR=n bash -c '$FOO y'",
        "env BAR=n bash -c '$FOO y'",
        "FOO=n a; bash -c '$FOO y'",
        "FOO=n a; $FOO y",
        "(FOO=n); bash -c '$FOO y'",
    ] {
        assert!(runs(text), "{text}");
    }
    for text in [
        "FOO=n bash -c '$FOO y'",
        "FOO=n; bash -c '$FOO y'",
        "export FOO=n; bash -c '$FOO y'",
        "unset FOO; bash -c '$FOO y'",
        "read FOO <<< n; bash -c '$FOO y'",
        "env FOO=n bash -c '$FOO y'",
        "env -u FOO bash -c '$FOO y'",
        "env -i bash -c '$FOO y'",
        "env - bash -c '$FOO y'",
        "FOO=n timeout 5 bash -c '$FOO y'",
        "FOO=n nice bash <<< '$FOO y'",
        "FOO=n find . -exec bash -c '$FOO y' \\;",
        "timeout 5 env FOO=n nice bash -c '$FOO y'",
        "sudo bash -c '$FOO y'",
        "sudo FOO=n bash -c '$FOO y'",
        "f() { FOO=n bash -c '$FOO y'; }; f",
        "f() { bash -c '$FOO y'; }; FOO=n f",
        "f() { $FOO y; }; FOO=n f",
        "FOO=n eval '$FOO y'",
        "FOO=n; $FOO y",
        "FOO=n bash -c 'bash -c \"\\$FOO y\"'",
        "FOO=n; bash -c 'bash -c \"\\$FOO y\"'",
        "ssh host bash -c '\\$FOO' y",
        "docker exec c bash -c '$FOO y'",
        "FOO=n git -c 'alias.x=!$FOO y' x",
        "FOO=n make -C . SHELL='bash -c \"$FOO y\"'",
    ] {
        assert!(!runs(text), "{text}");
    }
}
