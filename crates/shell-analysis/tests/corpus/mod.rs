//! Texts that use the grammar, and mutations of them.

/// One of each construct, the everyday forms and the odd ones.
pub(crate) const TEXTS: &[&str] = &[
    "echo a b | wc -l && ls; pwd &",
    "a && b || c; d & e",
    "ls # it's fine\nrm x",
    "a b\\\n# not comment",
    "ec\\\nho hi",
    "echo a\\\r\nrm y",
    "id\r",
    "cat <<EOF\nbody $x `id` $(id) ${x:-$(id)}\nEOF\nid",
    "cat <<'EOF'\n$(not) ` \" '\nEOF",
    "cat <<-E\n\ta\n\tE\nls",
    "cat <<EO\\\nF\nx\nEOF\nid",
    "cat <<A <<B; ls\na\nA\nb\nB\npwd",
    "a <\\\n<EOF\nx\nEOF",
    "python3 - <<'PY'\nprint('it')\nPY",
    "git commit -m \"$(cat <<'EOF'\nfix (wip\n\nit's\nEOF\n)\"",
    "x=$(cat <<E\n$(id)\nE\n); echo $x",
    "x=$(cat <<E\na\nE)",
    "cat <<< \"a b\" >f 2>&1",
    "cat 3<<EOF <&3\nx\nEOF",
    "exec {fd}>file",
    "{fd}>frm -rf x",
    ">&1ls touch X",
    ">&-ls x",
    "a >&- 2>&1 3<&0- <>f >|g &>h &>>i",
    "1>f 22<g a",
    "99999999999>f",
    "a 2>(b) <(c)",
    "cat<(id)",
    "diff <(sort a) <(sort b) > >(tee c)",
    "echo $((1 + 2 * (3 - x))) $[1+1]",
    "((i++)); ((i = i ? 1 : 2))",
    "((echo a); (echo b))",
    "echo $((a) ; (b))",
    "echo $((echo a) | (cat))",
    "echo $(( $(id) ))",
    "a \"$\\\n(b)\"",
    "x=`a \\`b\\``",
    "echo \"`echo \\\"a b\\\"`\"",
    "{i;",
    "][]",
    "[[ $(id) ]]",
    "[[ -f a && ( ! -d b || $x == *.rs ) ]]",
    "[[ $x =~ ^(a|b c)+$ ]] && echo y",
    "[[ $x == @(a|b) ]]; [[ a < b ]]",
    "[[ -z $x\n&& -n $y ]]",
    "${a[$(id)]}",
    "{$(id),b}",
    "$\"loc $(id)\"",
    "1x=2",
    "*b=c",
    "x-y=2",
    "a=1 b+=2 c[i+1]=3 d=(x y [5]=z) cmd",
    "declare -A m=([a]=1 [b]=2); local x=(1)",
    "a=(\n  x # one\n  y\n)",
    "export A=1 B=2; readonly C",
    "echo ${x:-a b} ${x:=d} ${x:?e} ${x:+f} ${x-a} ${x=d} ${x?} ${x+}",
    "echo ${x#a} ${x##*/} ${x%.*} ${x%%a*} ${#x} ${#a[@]} ${#} ${!x} ${!p*} ${!a[@]}",
    "echo ${x/a/b} ${x//a} ${x/#a/b} ${x/%a/} ${x:1} ${x:1:2} ${x: -1} ${x^} ${x^^} ${x,} ${x,,} ${x@Q}",
    "echo \"${x:-\"a b\"}\" \"${x#'a'}\" ${x:-'a b'} ${x:-\"}\"} ${x:-\\}}",
    "echo $'a\\n\\x41\\101\\u0041\\cA\\'' $'' \"\"",
    "echo \"a $x ${y} `z` \\$ \\\" \\\\ \\a\"",
    "echo $* $@ $# $? $- $$ $! $0 $1 ${10} $12 $ a$",
    "if a; then b; elif c; then d; else e; fi >f",
    "if a\nthen\nb\nfi",
    "while read -r l; do echo \"$l\"; done < f",
    "until a; do b; done &",
    "for f in *.rs a{b,c} $x; do cat \"$f\"; done",
    "for f\ndo a; done",
    "for f; do a; done",
    "for f in a b; { echo $f; }",
    "for ((i = 0; i < 10; i++)); do echo $i; done",
    "for ((;;)) { a; }",
    "case $x in a|b) c;; (d) e;& f) ;;& *) g; esac",
    "case $x in\n  a)\n    b\n    ;;\n  *) c\nesac",
    "case x in esac",
    "echo $(case x in a) b;; esac)",
    "select x in a b; do c; done",
    "f() { a; }; f",
    "f () (a)",
    "function f { a; }",
    "function f () { a; } >x",
    "function f\n(a)",
    "cat () (evil); cat",
    "f() if a; then b; fi",
    "coproc { id; } >f",
    "coproc N { id; }",
    "coproc a b c",
    "time { id; }",
    "time -p a | b",
    "! { a; }",
    "! ! id",
    "! time id",
    "a | time b",
    "a |& b |\nc",
    "(a; b) | (c)",
    "{ a; b; } 2>&1 | c",
    "{ (a) }",
    "if (a) then b; fi",
    "echo if then fi { } ! [[ in do",
    "a=1 if",
    "! ; time",
    "a &\nb &",
    "set -e; cd \"$(dirname \"$0\")\" && make",
    "find . -name '*.rs' -exec grep -l \"foo\" {} \\;",
    "awk -F: '{print $1}' f | sort | uniq -c",
    "trap 'rm -f \"$t\"' EXIT INT",
    "echo \"a\nb\" 'c\nd'",
    "a;\n\n# c\n  b # d\n",
    "",
    "# only",
    "echo a#b {#c",
    "echo $#foo ${#foo}",
    "echo \"${arr[@]}\" \"${arr[$i]}\" \"${arr[i+1]}\" ${arr[*]:1:2}",
    "echo \\\n  a \\\n  b",
    "a=$b c=\"$d\" e=$(f) g=`h`",
    "test -f a -a ! -f b || exit 1",
    "[ \"$a\" = \"b\" ] && c",
    "echo ~/a ~user/b a=~/c",
    "printf '%s\\n' \"$@\" | xargs -0 -I{} sh -c 'echo {}'",
    "cat <<\"E O\"\nx\nE O\n",
    "cat <<E | grep x\nx\nE\n",
    "while cat <<E; do break; done\nx\nE\n",
    "(cat <<E)\nx\nE\n",
    "a <<< $x <<< 'y'",
    "x=${y:-$(z \"${w}\")}",
    "echo \"$(echo \"$(echo \"a\")\")\"",
    "echo ${x:-${y:-${z}}}",
    "echo a >f>g<h",
    "echo {a,b}{c,d} {1..3}",
    "ls -la >/dev/null 2>&1 || true",
    "if ! grep -q x f; then :; fi",
    "echo $(< f) $(a; b) $()",
    "let x=1 y=2",
    "echo ${x//\\//_} ${x//[^a-z]/} ${x%%[0-9]*}",
    "a=b=c; a==b",
    "[[ a == b* && c != \"d\"* ]]",
    "[[ ! -e $f ]] || (( x > 3 )) && echo \"$((x*2))\"",
    "echo ')' \"(\" \\)",
];

const PIECES: &[&str] = &[
    " ",
    " ",
    "\n",
    "\t",
    ";",
    "&",
    "|",
    "&&",
    "||",
    "|&",
    ";;",
    "(",
    ")",
    "((",
    "))",
    "{ ",
    " }",
    "}",
    "'",
    "\"",
    "`",
    "\\",
    "\\\n",
    "$",
    "$(",
    "$((",
    "${",
    "}",
    "${x",
    ":-",
    "#",
    " #",
    "##",
    "%",
    "/",
    "<",
    ">",
    ">>",
    "<<",
    "<<-",
    "<<<",
    "<&",
    ">&",
    "&>",
    "&>>",
    "<>",
    ">|",
    "<(",
    ">(",
    "2>",
    "2>&1",
    "{fd}>",
    "EOF",
    "<<EOF\n",
    "\nEOF\n",
    "if ",
    " then ",
    " else ",
    " elif ",
    " fi",
    "while ",
    "until ",
    " do ",
    " done",
    "for ",
    " in ",
    "case ",
    " esac",
    "select ",
    "function ",
    "coproc ",
    "time ",
    "! ",
    "!",
    "[[ ",
    " ]]",
    "=",
    "+=",
    "a=(",
    "[",
    "]",
    "a",
    "x",
    "1",
    "echo ",
    "-p",
    "-",
    "--",
    "$'",
    "$\"",
    "$x",
    "$[",
    "@",
    "*",
    "?",
    "~",
    "=~",
    " == ",
    " -eq ",
    " < ",
    "()",
    "f() ",
    "\r",
    "\u{a0}",
    "é",
];

/// A small generator of the xorshift family: the same texts on every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % (end as u64)) as usize
    }

    /// A place between two characters.
    fn place(&mut self, text: &str) -> usize {
        let mut at = self.below(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// A text of the list, spliced and mutated.
    pub(crate) fn text(&mut self) -> String {
        self.text_of(TEXTS)
    }

    /// One of `texts`, spliced and mutated.
    pub(crate) fn text_of<T: AsRef<str>>(&mut self, texts: &[T]) -> String {
        let mut text = texts[self.below(texts.len())].as_ref().to_owned();
        for _ in 0..1 + self.below(3) {
            let at = self.place(&text);
            match self.below(6) {
                0 | 1 => text.insert_str(at, PIECES[self.below(PIECES.len())]),
                2 => {
                    let until = self.place(&text);
                    if at.abs_diff(until) < 6 {
                        text.replace_range(at.min(until)..at.max(until), "");
                    } else {
                        text.insert_str(at, PIECES[self.below(PIECES.len())]);
                    }
                }
                3 => {
                    let other = texts[self.below(texts.len())].as_ref();
                    text.insert_str(at, other);
                }
                4 => {
                    let other = texts[self.below(texts.len())].as_ref();
                    let cut = self.place(other);
                    text.truncate(at);
                    text.push_str(&other[cut..]);
                }
                _ => {
                    let until = self.place(&text);
                    let piece = text[at.min(until)..at.max(until)].to_owned();
                    text.insert_str(at, &piece);
                }
            }
        }
        text
    }
}
