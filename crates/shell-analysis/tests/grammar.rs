//! What the tree holds: each text with every program that it contains, and the shapes that matter.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use portcullis_shell_analysis::{ErrorKind, parse, tree::*};

mod walk;
use walk::{programs, words};

/// Programs in the order of the text, separated by blanks.
fn runs(text: &str) -> String {
    programs(&parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"))).join(" ")
}

fn only(text: &str) -> Command {
    let script = parse(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!(script.list.items.len(), 1, "{text:?}");
    script.list.items[0].first.commands[0].clone()
}

fn simple(text: &str) -> (Simple, Vec<Redirect>) {
    let command = only(text);
    match command.kind {
        CommandKind::Simple(simple) => (simple, command.redirects),
        other => panic!("{text:?}: {other:?}"),
    }
}

#[test]
fn texts_that_hide_commands_from_careless_readers() {
    for (text, expected) in [
        ("echo a\\\r\nrm y", "echo rm"),
        ("a b\\\n# not comment", "a"),
        ("ec\\\nho hi", "echo"),
        ("id\r", "id\r"),
        ("id\u{b}x", "id\u{b}x"),
        ("id\u{a0}x", "id\u{a0}x"),
        ("cat <<E\n`id` ${x:-$(whoami)}\nE\n", "cat id whoami"),
        ("cat <<'E'\n`id` ${x:-$(whoami)}\nE\n", "cat"),
        ("python3 - <<'PY'\nprint('$(id)')\nPY", "python3"),
        ("coproc { id; } >f", "id"),
        ("time { id; }", "id"),
        ("! { a; }", "a"),
        ("! ! id", "id"),
        ("! time id", "id"),
        ("cat <<EO\\\nF\nx\nEOF\nid", "cat id"),
        ("((echo a); (echo b))", "echo echo"),
        ("echo $((a) ; (b))", "echo a b"),
        ("a \"$\\\n(b)\"", "a b"),
        ("x=`a \\`b\\``", "- a b"),
        ("{i;", "{i"),
        ("][]", "][]"),
        ("a <\\\n<EOF\n$(b)\nEOF", "a b"),
        ("[[ $(id) ]]", "id"),
        ("echo $(( $(id) ))", "echo id"),
        ("${a[$(id)]}", "? id"),
        ("{$(id),b}", "? id"),
        ("$\"loc $(id)\"", "? id"),
        ("exec {fd}>file", "exec"),
        ("{fd}>frm -rf x", "-rf"),
        ("git commit -m \"$(cat <<'EOF'\nfix (wip\nEOF\n)\"", "git cat"),
        ("1x=2", "1x=2"),
        ("*b=c", "*b=c"),
        ("x-y=2", "x-y=2"),
        (">&1ls touch X", "touch"),
        (">&-ls x", "ls"),
        ("ls # it's fine\nrm x", "ls rm"),
        ("ls # a \\\nrm x", "ls rm"),
        ("ls & rm -rf build", "ls rm"),
        ("git status &git push", "git git"),
        ("a 2>&1 & b", "a b"),
        ("cat <(id) >(rm)", "cat id rm"),
        ("cat<(id)", "? id"),
        ("if [ -f <(id) ]; then a; fi", "[ id a"),
        ("cat () (evil); cat", "evil cat"),
        ("cat $'\\'' ; evil #'", "cat evil"),
        ("echo \"`echo \\\"$(id)\\\"`\"", "echo echo id"),
        ("cat <<A <<-B; ls\n'\nA\n\tx\"\n\tB\nrm", "cat ls rm"),
        ("x=$(cat <<E\n$(id)\nE) rm", "rm cat id"),
        ("cat <<A $(cat <<B\nb\nB\n); a\nA\nrm", "cat cat a rm"),
        ("a | time b", "a time"),
        ("a |\ntime b", "a time"),
        ("{ a; } | ( b ) |& c", "a b c"),
        ("for i in $(a); do b; done", "a b"),
        ("for ((i = $(a); 1; 1)) do b; done", "a b"),
        ("select x in $(a); do b; done", "a b"),
        ("case $(a) in $(b)) c;; (d | e) f;& *) g; esac", "a b c f g"),
        ("while a; do b; done <$(c)", "c a b"),
        ("if a; then b; elif c; then d; else e; fi", "a b c d e"),
        ("f() { a; }; function g { b; }; function h () ( c )", "a b c"),
        ("a[$(id)]=$(b)", "- id b"),
        ("declare x=($(id) [$(a)]=b)", "declare id a"),
        ("echo ${x:=$(a)} ${x#$(b)} ${x/$(c)/`d`} ${x:$(e):$(f)} \"${x:-\"$(g)\"}\"", "echo a b c d e f g"),
        ("[[ a == $(b) && ! ( c -eq $(d) || $e =~ $(f) ) ]]", "b d f"),
        ("a <<<\"$(b)\" >`c`", "b c a"),
        ("echo \"$(a \"$(b \"$(c)\")\")\"", "echo a b c"),
        ("a;b\n\nc&d&&e||f|g", "a b c d e f g"),
        ("a=1 if", "if"),
        ("echo if; if", ""),
    ] {
        if expected.is_empty() {
            assert!(parse(text).is_err(), "{text:?}");
            continue;
        }
        let found = runs(text);
        let mut found: Vec<_> = found.split(' ').collect();
        let mut wanted: Vec<_> = expected.split(' ').collect();
        found.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{text:?}");
    }
}

/// Where bash accepts a text and reads a part of it only later, or refuses the part only then.
#[test]
fn what_bash_accepts_and_stumbles_over_later() {
    for (text, expected) in [
        // The end of the text ends a here-document.
        ("cat <<E\n$(id)", "cat id"),
        ("cat <<E", "cat"),
        ("cat <<A <<B; ls\n`id`", "cat id ls"),
        ("x=$(cat <<E)", "- cat"),
        ("a `cat <<E\n$(id)`", "a cat id"),
        // Bad substitutions end at their first brace.
        ("false && ${a[} ; rm ]}", "false ? rm"),
        ("echo ${a)$(id)} ${} ${1x} ${x@Z} ${##x} ${!-y} ${#x-$(b)}; c", "echo id b c"),
        ("echo ${x:a?b:$(c)} ${x:(1} ${x:1:2:$(d)} ${x//}", "echo c d"),
        ("echo ${$(id)}", "echo id"),
        // Blanks in the subscript of what is no assignment.
        ("a[b; $(c)]d e; f", "? c f"),
        ("a[b c]=d e", "e"),
        ("a=($(x)\n y)$(z); b", "- x z b"),
        ("a=(x)<(b); c", "- b c"),
        // Errors where bash looks late.
        ("a `b\n)` c; d", "a b d"),
        ("a `)` b; c", "a c"),
        ("a $((b) ; c\n(d >) ) ; e", "a b c e"),
        ("a $((b) # it is\n c); d", "a b c d"),
        ("cat <<E; c\n$(a)${x $(b)\nE\nd", "cat a c d"),
        ("cat <<E; c\n$(a) $(if) $(b)\nE\nd", "cat a c d"),
        ("cat <<E; c\n`a\n)` $(b)\nE\nd", "cat a b c d"),
        ("x=$(cat <<E\n$(a)\nE b)", "- cat a b"),
        // Delimiters are not expanded.
        ("cat <<$x; a\n$(b)\n$x\nc", "cat a b c"),
        ("cat <<\"${x}\"; a\n$(b)\n${x}\nc", "cat a c"),
        ("cat <<`x`; a\n$(b)\n`x`\nc", "cat a b c"),
        // Names that bash refuses when it comes to them.
        ("'f' () { a; }; f", "a f"),
        ("f$x () { a; }; b", "a b"),
        ("for $x in $(a); do b; done", "a b"),
        // Quotes that pair and yet do not quote.
        ("a \"${x:-'$(b)'}\" \"${x:-'}'}\"; c", "a b c"),
        ("cat <<E\n${x:-'$(a)'} ${x:-\"$(b)\"}\nE", "cat a b"),
        ("((a['$(b)']))", "b"),
        ("a \"${x//:/$'\\n'}\"", "a"),
        ("[[ a =~ ($(b)|c) && d == @(x|$(e)) ]]", "b e"),
        ("(( 1 # 2 )); a[#$(b)]=1; c $[ #1 ]", "b - c"),
        ("(( `echo \")\"` )); (( $(case x in a) b;; esac) ))", "echo b"),
        ("a $(\ntime { b; }) `time { c; }` $(time d) $(! { e; })", "a b c d e"),
        ("((a\n) ; (b) )", "a b"),
        ("loc\\\nal x=($(b))", "local b"),
        ("coproc a[b c] d; coproc e { f; }; coproc g time h", "a[b c] f g"),
    ] {
        let found = runs(text);
        let mut found: Vec<_> = found.split(' ').filter(|name| !name.is_empty()).collect();
        let mut wanted: Vec<_> = expected.split(' ').collect();
        found.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{text:?}");
    }
}

/// Texts that bash refuses, and a reader of half the rules takes.
#[test]
fn what_bash_refuses() {
    for text in [
        "coproc a b[ c",
        "coproc {cat<(id) { id;x } >f",
        "coproc a if x",
        "${a[$coproc { id; } >f} case >f(id)]}",
        "for f { a; }",
        "select f { a; }",
        "for 2>((;;)) { a; }",
        "a=(x)(y)",
        "[[ 2>$(id) ]]",
        "[[ a -eq {b}>c ]]",
        "a=(x)b=(y)",
        "a[x y](b)",
        "(( $(if) ))",
        "$[ $(if) ]",
        "a[$(if)]=1",
        "${x:-$(if)}",
        "\"${x:-$(if)}\"",
        "$((a) ; $(if))",
        "$((a) ; case x in b) c;; esac)",
        "x=$(cat <<E\na\n)",
        "if cat <<E\na",
    ] {
        let error = parse(text).unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Syntax | ErrorKind::Unterminated), "{text:?}: {error}");
    }
}

/// Refused on purpose: bash reads them in a way that is not followed, or other versions read them otherwise.
#[test]
fn what_is_not_followed() {
    for text in [
        "echo ${ rm x; }",
        "echo ${| rm x; }",
        "(( a[\\$(rm x)] ))",
        "(( $'\\x24(rm x)' ))",
        "echo $(( 1 # 2 ))",
        "echo $((a) # (\n) ; (rm x))",
        "x=$(cat <<E)\n$(rm x)\nE\n",
        "echo \"${x:-<(rm x)}\"",
        "let a=(1)",
        "echo $(time { id; })",
        "echo $(time )",
        ">&-declare a=(1)",
        "a <(time -p (id))",
        "a < <(b=(x y\\&c))",
        "((a)\nb)",
        "for ((a; b; c(d; e))) do f; done",
        "coproc $x { rm y; }",
        "coproc local x=(1)",
        "coproc echo a x=($(rm y))",
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unsupported, "{text:?}: {error}");
    }
}

#[test]
fn words_keep_their_arguments() {
    for (text, expected) in [
        ("a b\\\n# not comment", vec!["a", "b#", "not", "comment"]),
        ("python3 - <<'PY'\nx\nPY", vec!["python3", "-"]),
        ("cat 3<<EOF <&3\nx\nEOF", vec!["cat"]),
        ("find . -del\"\"ete -dele\\te $'-delete'", vec!["find", ".", "-delete", "-delete", "-delete"]),
        ("echo a\\", vec!["echo", "a\\"]),
        ("echo \"a\\b\\$\\\"\\`\\\\\"", vec!["echo", "a\\b$\"`\\"]),
        ("echo $'a\\0b'c $'\\x41\\102\\n\\q\\cA'", vec!["echo", "ac", "AB\n\\q\u{1}"]),
        ("99999999999>f a", vec!["99999999999", "a"]),
        ("echo '' \"\"", vec!["echo", "", ""]),
        (
            "echo $'\\x' $'\\u' $'\\x{41}b' $'\\c?' $'\\c\\\\'",
            vec!["echo", "\\x", "\\u", "Ab", "\u{7f}", "\u{1c}"],
        ),
        ("a[b c]d e", vec!["a[b c]d", "e"]),
        ("echo \"a'b\" 'a\"b'", vec!["echo", "a'b", "a\"b"]),
        ("echo if then { } ! a#b", vec!["echo", "if", "then", "{", "}", "!", "a#b"]),
    ] {
        let (simple, _) = simple(text);
        assert_eq!(words(&simple), expected, "{text:?}");
    }
}

#[test]
fn redirections() {
    let (_, redirects) = simple("a <i 2>>e {fd}<>rw &>b >&c 3>&- >&2 >|d <&4- &>>g");
    let shapes: Vec<_> = redirects.iter().map(|redirect| (redirect.fd.clone(), redirect.op)).collect();
    assert_eq!(
        shapes,
        [
            (RedirectFd::Default, RedirectOp::Read),
            (RedirectFd::Number(2), RedirectOp::Append),
            (RedirectFd::Variable("fd".into()), RedirectOp::ReadWrite),
            (RedirectFd::Default, RedirectOp::WriteBoth),
            (RedirectFd::Default, RedirectOp::DupOutput),
            (RedirectFd::Number(3), RedirectOp::DupOutput),
            (RedirectFd::Default, RedirectOp::DupOutput),
            (RedirectFd::Default, RedirectOp::Clobber),
            (RedirectFd::Default, RedirectOp::DupInput),
            (RedirectFd::Default, RedirectOp::AppendBoth),
        ]
    );
    let (_, redirects) = simple(">&1ls touch X");
    assert!(
        matches!(&redirects[0].target, RedirectTarget::Word(word) if word.parts == [WordPart::Literal("1ls".into())])
    );
}

#[test]
fn here_document_bodies() {
    for (text, expected, quoted) in [
        ("a <<E\nx\\\ny \\$z \"q\" \\\\\nE", "xy $z \"q\" \\\n", false),
        ("a <<\\E\nx\\\ny $z\nE\n", "x\\\ny $z\n", true),
        ("a <<-'E'\n\t\tx\n\t y\n\tE\n", "x\n y\n", true),
        ("a <<E\nE\n", "", false),
        ("a <<\"E F\"\nE\nE F\n", "E\n", true),
    ] {
        let (_, redirects) = simple(text);
        let RedirectTarget::HereDoc { body, quoted: found } = &redirects[0].target else {
            panic!("{text:?}")
        };
        assert_eq!(*found, quoted, "{text:?}");
        let body: String = body
            .parts
            .iter()
            .map(|part| match part {
                WordPart::Quoted(text) => &**text,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(body, expected, "{text:?}");
    }
}

#[test]
fn spans_point_into_the_text() {
    let text = "a 'b c' $(d e) `f g` <<E\n$(h i)\nE\n";
    let script = parse(text).unwrap();
    let mut seen = Vec::new();
    walk::visit(&script.list, &mut |command| seen.push(command.span.slice(text).to_owned()));
    assert_eq!(seen, ["a 'b c' $(d e) `f g` <<E", "d e", "f g", "h i"]);
    let text = "x=`a \\`b\\``";
    let mut seen = Vec::new();
    walk::visit(&parse(text).unwrap().list, &mut |command| {
        seen.push(command.span.slice(text).to_owned());
    });
    assert_eq!(seen, [text, "a \\`b\\`", "a \\`b\\`"], "escapes inside: all of the outer backticks");
}

#[test]
fn errors_carry_what_bash_has_run_before() {
    for (text, complete, kind) in [
        ("echo a\n)", 1, ErrorKind::Syntax),
        ("a; b\nc &\nd; )", 3, ErrorKind::Syntax),
        ("a; )", 0, ErrorKind::Syntax),
        ("a\nif b\n", 1, ErrorKind::Unterminated),
        ("a\n'b", 1, ErrorKind::Unterminated),
        ("a\nb \"$(c <<E\nx\n", 1, ErrorKind::Unterminated),
        ("a <<E\n$(x)\nE\n;", 1, ErrorKind::Syntax),
        ("a\necho ${ x; }", 1, ErrorKind::Unsupported),
        ("a\0b", 0, ErrorKind::NulByte),
    ] {
        let error = parse(text).unwrap_err();
        assert_eq!((error.complete.list.items.len(), error.kind), (complete, kind), "{text:?}: {error}");
        assert!(error.span.end as usize <= text.len() && error.span.start <= error.span.end, "{text:?}");
    }
}
