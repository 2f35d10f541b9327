//! What is glued from pieces, or evaluated a second time: braces in redirections, unknown values that the shell itself
//! evaluates, strings that `env` splits, variables that become parts of paths.

use portcullis_shell_analysis::{EffectKind, PathTarget};

use crate::{argvs, plan};

fn targets(text: &str) -> Vec<String> {
    let analysis = plan(text);
    let effects = analysis.invocations.iter().flat_map(|invocation| &invocation.effects);
    effects
        .filter_map(|effect| match &effect.kind {
            EffectKind::Read { path, .. } | EffectKind::Write(path) => Some(match path {
                PathTarget::Path(path) => path.clone(),
                _ => "*".to_owned(),
            }),
            _ => None,
        })
        .collect()
}

#[test]
fn braces_are_expanded_in_the_targets_of_redirections() {
    for (text, expected) in [
        ("cat < .en{v..v}", "/repo/.env"),
        ("read l < .en{v..v}", "/repo/.env"),
        ("x=$(< .en{v..v})", "/repo/.env"),
        ("echo > .gi{t..t}/hooks/x", "/repo/.git/hooks/x"),
        ("echo >> .gi{t..t}/hooks/x", "/repo/.git/hooks/x"),
        ("echo >| .gi{t..t}/hooks/x", "/repo/.git/hooks/x"),
        ("echo &> .gi{t..t}/hooks/x", "/repo/.git/hooks/x"),
        ("echo >& .gi{t..t}/hooks/x", "/repo/.git/hooks/x"),
        ("echo 1<> .gi{t..t}/hooks/x", "/repo/.git/hooks/x"),
        ("{ ls; } > .gi{t..t}/x", "/repo/.git/x"),
        ("echo > \"a\"{1..1}", "/repo/a1"),
        ("echo > {a,b}", "*"),
        ("echo > a=~/x", "/repo/a=/home/u/x"),
    ] {
        assert!(targets(text).iter().any(|path| path == expected), "{text}: {:?}", targets(text));
    }
    assert_eq!(argvs(&plan("x={v..v}; echo $x; case {v..v} in v) ls;; esac"))[0], "echo {v..v}");
}

#[test]
fn what_the_shell_evaluates_without_knowing_it_may_be_anything() {
    for text in [
        "x=$(date); echo $((x))",
        "x=$(date); echo $(($x + 1))",
        "x=$(date); [[ x -eq 1 ]]",
        "x=$(date); [[ -v $x ]]",
        "x=$(date); test -v \"$x\"",
        "x=$(date); echo ${x@P}",
        "x=$(date); echo ${!x}",
        "x=$(date); let \"$x\"",
        "x=$(date); read \"$x\"",
        "x=$(date); declare \"$x=1\"",
        "x=$(date); compgen -W \"$x\"",
        "x=$(date); printf -v \"$x\" 1",
        "x='a[$(rm y)]'; echo $((x))",
        "f() { echo $(($1)); }; f \"$(date)\"",
        "declare -a 'x=(rm)'; $x y",
        "PS4='$(r\"\"m y)' bash -xc :",
    ] {
        assert!(plan(text).opaque.is_some(), "{text}");
    }
    for text in [
        "echo $((x + 1))",
        "x=; echo $((x + 1))",
        "for x in A B; do echo ${!x}; done",
        "f() { ((n++)); }",
        "declare -a x=(a b)",
    ] {
        assert!(plan(text).opaque.is_none(), "{text}: {:?}", plan(text).opaque);
    }
}

#[test]
fn numbers_are_calculated_with() {
    for text in [
        "echo $(($# - 1)) $((x = 1)) $(( $(wc -l < f) / 2 )) $((10 - $#)) $((1 + $((2 * 3))))",
        "i=1; echo $((i + 1)); i=$((i + 1)); echo $((i - 1)) $((10 - $i))",
        "for ((i = 0, j = 1; i < 3; i++)); do echo $i; done",
        "for i in 1 2 3; do echo $((i * 2)); ((i++)); done",
        "i=0; while ((i < 3)); do ((i += 1)); done",
        "i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done",
        "[ $# -gt 0 ] && [ $? -eq 0 ]",
        "x=$(date); [ -n \"$x\" ] && [ \"$x\" != y ] && [ ! -z \"$x\" -a \"$x\" = \"$y\" ]",
    ] {
        let analysis = plan(text);
        assert!(analysis.read_only(), "{text}: {:?}", analysis.blockers);
    }
}

#[test]
fn env_splits_strings_by_its_own_rules() {
    for (text, expected) in [
        ("env -S 'rm\\_y'", "rm y"),
        ("env -S 'nice\\_rm y' z", "rm y z"),
        ("env -S 'rm \"a\\_b\" c;d # e'", "rm a b c;d"),
        ("env -S 'X=1 rm ${Y}'", "rm *"),
        ("env -S '-i rm y'", "rm y"),
    ] {
        let found = argvs(&plan(text));
        assert!(found.iter().any(|argv| argv == expected), "{text}: {found:?}");
        assert!(!plan(text).read_only(), "{text}");
    }
    assert!(plan("env -S 'rm \\q'").opaque.is_some() && plan("env -S \"$x\"").opaque.is_some());
}

#[test]
fn variables_that_become_parts_of_paths_are_harmless_without_slashes() {
    for text in [
        "LANG=C ls",
        "LC_ALL=en_US.UTF-8 sort f",
        "LANGUAGE=de:en ls",
        "TZ=Europe/Rome date",
        "TZ=:UTC date",
        "TERM=xterm-256color ls",
        "export LANG; ls",
        "unset LANG; ls",
        "env -u LC_ALL ls",
    ] {
        assert!(plan(text).read_only(), "{text}: {:?}", plan(text).blockers);
    }
    for text in [
        "LANGUAGE=../../tmp ls",
        "LANGUAGE=de:/tmp/x ls",
        "LANG=./x ls",
        "LC_MESSAGES=../x ls",
        "LANGUAGE=$x ls",
        "LANGUAGE=../x; ls",
        "export LANGUAGE=../x; ls",
        "env LANGUAGE=../x ls",
        "read LANGUAGE; ls",
        "TZ=/etc/shadow date",
        "TZ=:/etc/shadow date",
        "TZ=../x date",
        "TERM=../x ls",
        "TEXTDOMAINDIR=x; echo $\"a\"",
    ] {
        assert!(!plan(text).read_only(), "{text}");
    }
}

/// Whether some program is not known, or all of it is opaque: every rule that denies may match.
fn may_be_anything(text: &str) -> bool {
    let analysis = plan(text);
    analysis.opaque.is_some()
        || analysis
            .invocations
            .iter()
            .any(|invocation| invocation.words.first().is_some_and(|word| word.value.candidates().is_none()))
}

#[test]
fn code_that_is_not_known_may_be_anything() {
    for text in [
        "awk 'BEGIN{system(\"r\" \"m y\")}'",
        "awk 'BEGIN{system(\"r\\155 y\")}'",
        "awk -v c=\"$x\" 'BEGIN{system(c)}'",
        "awk 'BEGIN{c = \"r\"; print | c \"m\"}'",
        "awk 'BEGIN{\"r\" \"m y\" | getline}'",
        "awk \"$x\" f",
        "python3 -c \"$x\"",
        "perl -ne \"$x\" f",
        "node --eval \"$(cat f)\"",
        "printf 'r%sm y' '' > s0; mv s0 s.sh; sh < s.sh",
        "printf 'r%sm y' '' > s0; cp s0 s.sh; sh s.sh",
    ] {
        assert!(may_be_anything(text), "{text}");
    }
    for text in [
        "awk '{print $1}' f",
        "awk '{print $1 | \"sort -u\"}' f",
        "awk 'BEGIN{while ((\"ls\" | getline l) > 0) print l}'",
        "awk '$1 == \"a\" || $2 {print > \"f\"}' $x",
        "awk 'BEGIN{system(\"ls\")}'",
        "python3 -c 'print(1)' \"$x\"",
    ] {
        assert!(!may_be_anything(text), "{text}: {:?}", plan(text).opaque);
    }
}

#[test]
fn links_of_processes_lead_where_they_lead() {
    for (text, expected) in [
        ("cat /proc/self/cwd/q/n", "/repo/q/n"),
        ("echo x > /proc/self/cwd/.git/hooks/x", "/repo/.git/hooks/x"),
        ("cat /proc/self/root/repo/n", "/repo/n"),
        ("cat /proc/$$/cwd/q/n", "*"),
        ("cat /proc/12/cwd/q/n", "*"),
        ("cat /dev/fd/3/n 3< q", "*"),
        ("cat /dev/stdin/n < q", "*"),
        ("cat /proc/[s]elf/cwd/q/n", "*"),
        ("cd /proc/self/cwd && cat q/n", "/repo/q/n"),
        ("cd /proc/self && cat cwd/q/n", "*"),
        ("cd /proc && cat self/cwd/q/n", "/proc/q/n"),
        ("echo x 3< .git/hooks/x > /dev/fd/3", "*"),
        ("echo x < .git/hooks/x > /dev/stdin", "*"),
    ] {
        assert!(targets(text).iter().any(|path| path == expected), "{text}: {:?}", targets(text));
    }
    for text in ["cat /dev/null", "diff <(ls) <(ls src)", "cat /dev/stdin", "ls 2> /dev/stderr"] {
        assert!(!targets(text).contains(&"*".to_owned()), "{text}: {:?}", targets(text));
    }
    assert!(plan("cat ./src/*.rs").read_only());
}
