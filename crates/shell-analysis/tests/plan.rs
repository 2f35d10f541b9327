//! The plan: every program that a text can run is in it, whatever it is wrapped in, and working directories
//! and values are what bash would make them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use portcullis_shell_analysis::{
    Analysis, Directories, EffectKind, PathTarget, Settings, Shell, Value, analyze,
};
use proptest::prelude::*;

fn in_shell(text: &str, shell: Shell) -> Analysis {
    let roots = ["/repo".to_owned()];
    let settings = Settings {
        shell,
        cwd: "/repo",
        home: Some("/home/u"),
        roots: &roots,
        allow_external_paths: false,
        trusted: false,
        scrubbed: false,
        environment: &[],
        resolver: None,
    };
    analyze(text, &settings)
}

fn plan(text: &str) -> Analysis {
    in_shell(text, Shell::Bash)
}

/// Known words joined by blanks, `*` for a word that is not known.
fn argvs(analysis: &Analysis) -> Vec<String> {
    analysis
        .invocations
        .iter()
        .filter(|invocation| !invocation.words.is_empty())
        .map(|invocation| {
            let words: Vec<&str> =
                invocation.words.iter().map(|word| word.value.known().unwrap_or("*")).collect();
            words.join(" ")
        })
        .collect()
}

#[test]
fn finds_the_inner_command() {
    let wrapped = [
        "rm x",
        "/bin/rm x",
        "\\rm x",
        "'rm' x",
        "r\"\"m x",
        "$'rm' x",
        "ls && rm x",
        "ls || rm x",
        "ls & rm x",
        "ls;rm x",
        "ls | rm x",
        "ls\nrm x",
        "(rm x)",
        "{ rm x; }",
        "! rm x",
        "time rm x",
        "if rm x; then :; fi",
        "if :; then rm x; fi",
        "if :; then :; else rm x; fi",
        "while rm x; do :; done",
        "until :; do rm x; done",
        "for i in 1; do rm x; done",
        "for i in; do rm x; done",
        "for ((;;)); do rm x; done",
        "case a in b) rm x;; esac",
        "case $(rm x) in a) ;; esac",
        "select a in b; do rm x; done",
        "f() { rm x; }; f",
        "f() { rm x; }",
        "function f { rm x; }",
        "coproc rm x",
        "echo $(rm x)",
        "echo `rm x`",
        "echo \"$(rm x)\"",
        "echo <(rm x)",
        "a=$(rm x)",
        "a=$(rm x) ls",
        "a[$(rm x)]=1",
        "a=($(rm x))",
        "export a=$(rm x)",
        "echo $((1+$(rm x)))",
        "(( $(rm x) ))",
        "[[ $(rm x) ]]",
        "[[ -f $(rm x) ]]",
        "[[ a == $(rm x) ]]",
        "echo ${a:-$(rm x)}",
        "echo ${a[$(rm x)]}",
        "echo ${a/$(rm x)/b}",
        "echo ${a:$(rm x)}",
        "echo {$(rm x),b}",
        "ls > $(rm x)",
        "cat <<E\n$(rm x)\nE",
        "cat <<< $(rm x)",
        "{ :; } > $(rm x)",
        "bash -c 'rm x'",
        "bash -lc 'rm x'",
        "bash -ce 'rm x' -c ls",
        "sh -c 'rm x'",
        "bash --norc -c 'rm x'",
        "bash -o pipefail -c 'rm x'",
        "bash <<E\nrm x\nE",
        "bash <<< 'rm x'",
        "sh -s <<< 'rm x'",
        "eval 'rm x'",
        "eval rm x",
        "eval \"rm\" x",
        "bash -c \"bash -c 'rm x'\"",
        "env rm x",
        "env A=1 rm x",
        "env -i rm x",
        "env -u X FOO=1 rm x",
        "env -S 'rm x'",
        "env -C d rm x",
        "timeout 5 rm x",
        "timeout -k 1 -s KILL 5 rm x",
        "nice rm x",
        "nice -n 5 rm x",
        "nice -5 rm x",
        "nohup rm x",
        "stdbuf -oL rm x",
        "ionice -c3 rm x",
        "command rm x",
        "builtin command rm x",
        "exec rm x",
        "exec -a n rm x",
        "setsid -w rm x",
        "sudo rm x",
        "sudo -u root A=1 rm x",
        "doas rm x",
        "watch -n1 rm x",
        "flock l rm x",
        "flock l -c 'rm x'",
        "script -c 'rm x' /dev/null",
        "su -c 'rm x'",
        "su root -c 'rm x'",
        "ssh host rm x",
        "docker exec -it web rm x",
        "docker run --rm img rm x",
        "kubectl exec web -- rm x",
        "chroot / rm x",
        "busybox rm x",
        "strace -f rm x",
        "taskset 1 rm x",
        "unbuffer rm x",
        "npx rm x",
        "poetry run rm x",
        "uv run rm x",
        "bundle exec rm x",
        "direnv exec . rm x",
        "mise exec -- rm x",
        "git bisect run rm x",
        "git submodule foreach rm x",
        "git rebase -x 'rm x' main",
        "trap 'rm x' EXIT",
        "timeout --unknown 5 rm x",
        "x=rm; $x x",
        "x='rm x'; $x",
        "for c in rm; do $c x; done",
        "r\\\nm x",
        "f() { \"$@\"; }; rm x",
        "$(rm x)",
        "env timeout 5 nice sudo rm x",
        "env A=$b rm x",
        "x=$'ls\nrm x'; y=$x; eval \"$y\"",
        "find . -exec rm x \\;",
        "find . -execdir rm x \\;",
        "find . -ok rm x \\;",
        "echo a | xargs -I{} rm x",
        "time -p rm x",
        "! ! rm x",
    ];
    let mut missing = Vec::new();
    for text in wrapped {
        let analysis = plan(text);
        let found =
            argvs(&analysis).iter().any(|argv| matches!(argv.as_str(), "rm x" | "/bin/rm x" | "rm x *"));
        if !found || analysis.read_only() {
            missing.push(format!("{text:?}: {:?} {:?}", argvs(&analysis), analysis.error));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn expands_words() {
    let cases = [
        ("echo {a,b}{1,2}", "echo a1 a2 b1 b2"),
        ("echo a{1..3}", "echo a1 a2 a3"),
        ("echo {a,{b,c}}", "echo a b c"),
        ("echo {} {a} {a,b", "echo {} {a} *"),
        ("echo ~ ~/x", "echo /home/u /home/u/x"),
        ("echo ~root", "echo *"),
        ("echo '~' \"~\"", "echo ~ ~"),
        ("echo $HOME \"$HOME\"/x ${HOME}", "echo /home/u /home/u/x /home/u"),
        ("echo $PWD", "echo /repo"),
        ("x='a b'; echo $x \"$x\"", "echo a b a b"),
        ("x=; echo $x y", "echo y"),
        ("x=$'a\\nb'; y=$x; echo \"$y\"", "echo a\nb"),
        ("echo 'a'\\''b'", "echo a'b"),
        ("echo a\"b\"'c'$'d'", "echo abcd"),
        ("echo $UNSET", "echo *"),
        ("echo of=~/x", "echo of=/home/u/x"),
        ("git commit -m \"$(cat <<'EOF'\nit's\nEOF\n)\"", "git commit -m it's"),
    ];
    for (text, expected) in cases {
        let analysis = plan(text);
        assert_eq!(argvs(&analysis).last().map(String::as_str), Some(expected), "{text}");
    }
}

fn last_directories(text: &str) -> Directories {
    plan(text).invocations.last().unwrap().directories.clone()
}

#[test]
fn follows_directories() {
    let known = |all: &[&str]| Directories::Known(all.iter().map(|text| (*text).to_owned()).collect());
    let cases: &[(&str, Directories)] = &[
        ("cd a && ls", known(&["/repo/a"])),
        ("cd a || exit; ls", known(&["/repo/a"])),
        ("cd a || exit 1\nls", known(&["/repo/a"])),
        ("cd a; ls", known(&["/repo/a", "/repo"])),
        ("(cd a); ls", known(&["/repo"])),
        ("cd a & ls", known(&["/repo"])),
        ("cd a | cat; ls", known(&["/repo"])),
        ("cd ..; cd a && ls", known(&["/a", "/repo/a"])),
        ("cd /x/../y && ls", known(&["/y"])),
        ("cd $x && ls", Directories::Unknown),
        ("cd - && ls", Directories::Unknown),
        ("cd && ls", known(&["/home/u"])),
        ("cd a || { echo no; exit 1; }; ls", known(&["/repo/a"])),
        ("cd a || break; ls", known(&["/repo/a", "/repo"])),
        ("for d in a b; do cd $d; done; ls", Directories::Unknown),
        ("! cd a || ls", known(&["/repo/a"])),
        ("env -C d ls", known(&["/repo/d"])),
    ];
    for (text, expected) in cases {
        assert_eq!(&last_directories(text), expected, "{text}");
    }
}

#[test]
fn what_changes_meaning_is_opaque() {
    for text in [
        "alias ls=rm; ls",
        "shopt -s extglob; ls",
        "PATH=x; ls",
        "IFS=x; ls",
        "trap ls EXIT; ls",
        "hash -p x ls; ls",
        "enable -n test; ls",
        "set -k; ls",
        "declare -n a=b; ls",
        "exec 3>x; ls",
        "eval $x",
        "source x; ls",
        ". x; ls",
        "export PATH=x; ls",
        "read PATH; ls",
        "for PATH in x; do ls; done",
        "printf -v PATH x; ls",
        "bash -c \"$x\"",
        "cat x | sh",
        "$x; ls",
        "BASH_ENV=x; ls",
        "local -i a=b; ls",
    ] {
        assert!(plan(text).opaque.is_some(), "{text}");
    }
    for text in [
        "set -euo pipefail; ls",
        "x=1; ls",
        "cd a; ls",
        "read -r x; ls",
        "f() { ls; }; f",
        "while IFS= read -r l; do echo \"$l\"; done < a",
    ] {
        assert!(plan(text).opaque.is_none(), "{text}: {:?}", plan(text).opaque);
    }
}

#[test]
fn arithmetic_on_unknown_values_is_not_read_only() {
    for text in [
        "echo $((x+1))",
        "((x))",
        "[[ $x -eq 1 ]]",
        "echo ${a[$x]}",
        "echo ${v:x:1}",
        "for ((i=x;i<3;i++)); do ls; done",
        "let y=x",
        "declare -i a=b",
        "[[ -v 'a[$(rm x)]' ]]",
        "test -v \"$x\"",
        "unset 'a[$(rm x)]'",
        "read 'a[$(rm x)]'",
        "printf -v 'a[$(rm x)]' y",
        "x=$y; echo $((x))",
        "echo $((a[0]))",
        "read x; echo $((x))",
        "echo ${!x}",
        "echo ${x@P}",
    ] {
        assert!(!plan(text).read_only(), "{text}");
    }
    for text in [
        "echo $((1+2))",
        "x=1; echo $((x+1))",
        "echo $(($#+1))",
        "for ((i=0;i<3;i++)); do echo $i; done",
        "x=$((1+1)); echo $((x*2))",
        "i=0; while [ $i -lt 3 ]; do i=$((i+1)); done",
        "n=$(wc -l < a); echo $((${#n}))",
        "[[ $? -eq 0 ]]",
    ] {
        assert!(plan(text).read_only(), "{text}: {:?}", plan(text).blockers);
    }
}

#[test]
fn functions_shadow_programs() {
    for text in [
        "ls() { rm x; }; ls",
        "if :; then ls() { rm x; }; fi; ls",
        "f() { ls() { rm x; }; }; f; ls",
        "f() { f; }; f",
        "cat () (rm x); cat",
    ] {
        assert!(!plan(text).read_only(), "{text}");
    }
    assert!(
        plan("f() { cat \"$1\"; }; f a.txt").read_only(),
        "{:?}",
        plan("f() { cat \"$1\"; }; f a.txt").blockers
    );
}

#[test]
fn redirections_are_effects() {
    let effects = |text: &str| -> Vec<EffectKind> {
        plan(text)
            .invocations
            .into_iter()
            .flat_map(|invocation| invocation.effects)
            .filter(|effect| effect.redirection)
            .map(|effect| effect.kind)
            .collect()
    };
    let path = |text: &str| PathTarget::Path(text.to_owned());
    for text in [
        "echo a > f",
        "echo a >> f",
        "echo a >| f",
        "echo a &> f",
        "echo a >& f",
        "{ echo a; } > f",
        "> f",
        "(ls) 2> f",
        "echo >f a",
    ] {
        assert_eq!(effects(text), vec![EffectKind::Write(path("/repo/f"))], "{text}");
    }
    assert_eq!(effects("ls 2>&1 >/dev/null 2>&- <&0"), vec![]);
    assert_eq!(effects("cat < .env"), vec![EffectKind::Read { path: path("/repo/.env"), recursive: false }]);
    assert_eq!(effects("cat </dev/tcp/h/80"), vec![EffectKind::Network(Some("h/80".to_owned()))]);
}

#[test]
fn other_shells_are_opaque_where_they_differ() {
    for text in ["ls &> x", "[[ -f x ]]", "echo {a,b}", "cat <(ls)", "echo $'a'", "x+=1"] {
        assert!(in_shell(text, Shell::Sh).opaque.is_some(), "{text}");
        assert!(in_shell(text, Shell::Unknown).opaque.is_some(), "{text}");
    }
    for text in ["ls *(x)", "echo =ls", "ls ~name", "noglob ls"] {
        assert!(in_shell(text, Shell::Zsh).opaque.is_some(), "{text}");
    }
    for text in ["ls -la | head", "grep -rn 'a' src 2>&1", "cd src && ls"] {
        assert!(in_shell(text, Shell::Unknown).read_only(), "{text}");
    }
}

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
fn values_of_globs() {
    let analysis = plan("cat src/*.rs");
    let word = &analysis.invocations[0].words[1];
    assert!(matches!(&word.value, Value::Glob(glob) if glob.pattern == "src/*.rs" && glob.prefix == "src/"));
    assert!(analysis.read_only());
    assert!(!plan("cat */../../x").read_only());
    assert!(!plan("cat .?/x").read_only());
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
