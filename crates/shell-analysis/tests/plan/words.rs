//! Words are what bash would make of them.

use portcullis_shell_analysis::Value;

use crate::{argvs, plan};

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
        ("$(echo rm) \"$(echo 'a  b')\" $(echo a b)", "rm a  b a b"),
        ("echo x$(echo -n y) $(echo 'a\\b') $(echo *)", "echo * * *"),
        ("echo of=~/x", "echo of=/home/u/x"),
        ("echo a+=~/x a+=~", "echo a+=/home/u/x a+=/home/u"),
        ("echo a[0]=~/x a[i]+=~", "echo * *"),
        ("echo a[$i]=~/x", "echo *"),
        ("echo 1a=~/x a-=~ a==~ a=b=~ 'a'=~", "echo 1a=~/x a-=~ a==~ a=b=~ a=~"),
        ("echo a+=b:~/x a+=~:~", "echo * *"),
        ("echo {a,b}=~/x {~,x}/a", "echo * * /home/u/a x/a"),
        ("git commit -m \"$(cat <<'EOF'\nit's\nEOF\n)\"", "git commit -m it's"),
    ];
    for (text, expected) in cases {
        let analysis = plan(text);
        assert_eq!(argvs(&analysis).last().map(String::as_str), Some(expected), "{text}");
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

#[test]
fn words_that_may_be_none_or_many_split() {
    for (text, index) in [
        ("p \"${a[@]}\"", 1),
        ("p \"${!a[@]}\"", 1),
        ("p \"${!a@}\"", 1),
        ("p \"${@:2}\"", 1),
        ("p $a", 1),
        ("p \"$a\"/*", 1),
        ("p [\"ab\"]", 1),
        ("for x in *; do p \"$x\"/*; done", 1),
        ("find . -exec p {} +", 1),
    ] {
        let analysis = plan(text);
        let invocation = analysis.invocations.iter().find(|one| one.program() == Some("p")).unwrap();
        assert!(invocation.words[index].splits, "{text}");
    }
    for text in ["p \"${a[1]}\"", "p \"$a\"", "p ${#a[@]}", "find . -exec p {} \\;"] {
        let analysis = plan(text);
        let invocation = analysis.invocations.iter().find(|one| one.program() == Some("p")).unwrap();
        assert!(!invocation.words[1].splits, "{text}");
    }
}

#[test]
fn a_function_keeps_its_own_variables() {
    for declared in ["local x=b", "declare x=b", "typeset -r x=b"] {
        let analysis = plan(&format!("f() {{ {declared}; }}; f; p $x"));
        assert_eq!(argvs(&analysis).last().map(String::as_str), Some("p *"), "{declared}");
    }
    let analysis = plan("f() { x=b; declare -g y=c; export z=d; }; f; p $x $y $z");
    assert_eq!(argvs(&analysis).last().map(String::as_str), Some("p b c d"));
}
