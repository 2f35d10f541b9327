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
