//! What makes later text mean something else, or run what a value hides.

use portcullis_shell_analysis::Shell;

use crate::{argvs, in_shell, plan};

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
        "bash <(ls)",
        "source <(ls)",
        "source /dev/stdin",
        "x=$(cat <<E | ls; pwd\nE\n)",
        "local -i a=b; ls",
        "readonly -g a=b; ls",
        "export -r a=b; ls",
        "declare +r a=b; ls",
        "sh -c 'a[1]=b; ls'",
        "sh -c 'ls {a\"b c\",d}'",
        "sh -c 'ls {\"b c\",d}'",
        "sh -c 'ls {${q},d}'",
        "sh -c 'ls {a{b,c}}'",
        "sh -c 'ls {a}>b'",
        "sh -c 'time ls'",
        "sh -c 'eval -- ls'",
        "sh -c 'ls ~+/a'",
        "sh -c 'x=a; x=b > $x'",
        "sh -c 'y=\"1 z=n\"; export v=$y; ls'",
        "sh < <(ls)",
        "sh < /dev/stdin",
        "sh < /dev/fd/3",
    ] {
        assert!(plan(text).opaque.is_some(), "{text}");
    }
    for text in [
        "set -euo pipefail; ls",
        "x=1; ls",
        "cd a; ls",
        "read -r x; ls",
        "f() { ls; }; f",
        "x=$(cat <<E\nE\nls\nls; pwd)",
        "x=`cat <<E | ls; pwd\nE\n`",
        "declare -rx a=b; ls",
        "f() { local -r a=b; declare -g c=d; declare +x a; ls; }; f",
        "command -p ls; command -- ls",
        "cd -- a && ls",
        "sh -c 'f() { ls; }; f > a; { ls; } > b; ls ${x}>c \"{a b}\" {} \\{a,b\\}'",
        "sh -c 'x=a > b; export y=$x z=\"$w\"; ls'",
        "sh -c 'jq \".a[0]\" b; ls'",
        "x=$(ls; git commit -m \"$(cat <<E\nE\n)\"; ls)",
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
fn what_a_builtin_sets_may_stay_as_it_was() {
    for text in [
        "x=a; sh -c 'x=a; declare x=b; $x c'",
        "sh -c 'x=a; typeset x=b; $x c'",
        "sh -c 'x=a; builtin eval x=b; $x c'",
        "sh -c 'x=a; x=b > none/d; $x c'",
        "sh -c 'x=a; eval \"declare x=b\"; $x c'",
        "x=a; true && declare() { :; }; declare x=b; $x c",
        "x=a; true && eval() { :; }; eval x=b; $x c",
        "x=a; local x=b; $x c",
        "x=a; declare -p x=b; $x c",
        "x=a; declare -a x=b; $x c",
        "f() { local x=a; declare -g x=b; $x c; }; f",
    ] {
        let planned = argvs(&plan(text));
        assert!(
            planned.contains(&"a c".to_owned()) && planned.contains(&"b c".to_owned()),
            "{text}: {planned:?}"
        );
    }
    for text in ["x=a; declare -x x=b; $x c", "bash -c 'x=a; declare x=b; $x c'", "x=a; x=b > none/d; $x c"] {
        let planned = argvs(&plan(text));
        assert!(
            !planned.contains(&"a c".to_owned()) && planned.contains(&"b c".to_owned()),
            "{text}: {planned:?}"
        );
    }
}
