//! The texts: written by hand, from the conformance data, and mutations of both.

use serde_json::Value;

/// Texts that were misread by some parser or other, each a regression case.
pub(crate) const MISREAD: &[&str] = &[
    "echo a\\\r\nrm y",
    "a b\\\n# not comment",
    "ec\\\nho hi",
    "id\r",
    "id\u{b}x",
    "cat\u{a0}dir/run.sh",
    "cat <<E\n`id`\nE",
    "cat <<E\n${x:-$(id)}\nE",
    "python3 - <<'PY'\nx\nPY",
    "coproc { id; } >f",
    "time { id; }",
    "! { a; }",
    "! ! id",
    "! time id",
    "cat <<EO\\\nF\nx\nEOF\nid",
    "cat 3<<EOF <&3\nx\nEOF",
    "((echo a); (echo b))",
    "echo $((a) ; (b))",
    "a \"$\\\n(b)\"",
    "x=`a \\`b\\``",
    "{i;",
    "][]",
    "a <\\\n<EOF\nx\nEOF",
    "[[ $(id) ]]",
    "$(( $(id) ))",
    "echo ${a[$(id)]}",
    "echo {$(id),b}",
    "echo $\"loc $(id)\"",
    "exec {fd}>file",
    "{fd}>frm -rf x",
    "git commit -m \"$(cat <<'EOF'\nfix (wip\nEOF\n)\"",
    "1x=2",
    "*b=c",
    "x-y=2",
    ">&1ls touch X",
    "ls # it's fine\nrm x",
    "ls & rm -rf build",
    "git status &git push",
    "cat <(cmd)",
    "cat () (evil); cat",
    "find . -del\"\"ete",
    "find . -{delete,print}",
    "bash -c \"ls \\\" \\\"; evil\"",
    "cat $'\\'' ; evil #'",
    "cat <<'E'\n'\nE\nevil",
    "a && b || c; d | e",
    "if a; then b; elif c; then d; else e; fi",
    "for f in x y; do rm \"$f\"; done",
    "while a; do b; break; done",
    "until a; do b; break; done",
    "case x in x) a;& y) b;; *) c;; esac",
    "f () { rm \"$1\"; }; f x",
    "eval 'rm x'",
    "x=rm; $x y",
    "x='rm -rf'; $x y",
    "trap 'rm x' EXIT",
    "command rm x; exec rm y",
    "echo a\n)",
    "a; b; (",
    "echo `rm x`",
    "echo \"${x:-`rm x`}\"",
    "a > >(b) < <(c)",
    "a |& b",
    "{ a; } | ( b )",
    "a=$(b) c",
    "a=(\"$(b)\")",
    "declare a=$(b)",
    "export A=$(b); c",
    "select x in a; do b; done",
    "for ((;$(a);)); do b; break; done",
    "echo {a,b}{c,d} {1..3}",
    "echo ~ ~/x $HOME",
    "/bin/rm x; ./rm y; ~/bin/rm z; \\rm w; \"rm\" v; r''m u",
    "echo $'a\\x62\\u0063\\0d'",
    "a 2>&1 >f <<<\"$(b)\"",
    "a \\\n  b\\\n c",
    "set -- a; rm \"$@\"",
    "printf -v x y; $x",
    "IFS=,; x=a,b; $x",
    "a & b & wait",
    "(a & b); { c & }",
    "cat <<A <<B\n$(a)\nA\n$(b)\nB\nc",
    "cat <<-A\n\t$(a)\n\tA\nb",
    "x() { a; }; x() { b; }; x",
    "echo ${x/$(a)/$(b)} ${x#$(c)} ${x:$(d)} ${x^^$(e)}",
    "[[ a == $(b) && -f $(c) ]]",
    "echo $(a $(b $(c)))",
    "echo \"$(a \"$(b)\")\"",
    "let x=$(a)",
    "a;b;c&d\ne",
];

/// Every shell text in the conformance data, each once.
pub(crate) fn conformance() -> Vec<String> {
    let directory = format!("{}/../../conformance", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut texts = Vec::new();
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "jsonl")) {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let case: Value = serde_json::from_str(line).unwrap();
            collect(&case["args"], &mut texts);
            collect(&case["input"]["args"], &mut texts);
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    texts.retain(|text| !text.contains('\0') && text.len() < 4000 && seen.insert(text.clone()));
    texts
}

/// `command`, `payload` and the inside of `Bash(...)`, at any depth of the arguments.
fn collect(value: &Value, texts: &mut Vec<String>) {
    let Value::Object(object) = value else { return };
    for (key, value) in object {
        match (key.as_str(), value) {
            ("command" | "cmd" | "payload", Value::String(text)) => texts.push(text.clone()),
            ("query", Value::String(text)) => {
                let inside = text.strip_prefix("Bash(").and_then(|text| text.strip_suffix(')'));
                texts.extend(inside.map(str::to_owned));
            }
            ("args", value) => collect(value, texts),
            _ => {}
        }
    }
}

/// Pieces that change how bash reads what stands around them.
const PIECES: &[&str] = &[
    "'",
    "\"",
    "\\",
    "`",
    "$(",
    ")",
    "(",
    "{",
    "}",
    " { ",
    "; }",
    "$",
    "${",
    "$((",
    "))",
    "((",
    "<(",
    ">(",
    "<<E\n",
    "\nE\n",
    "<<-'E'\n",
    "<<<",
    ">",
    ">>",
    ">&",
    "<&",
    "&>",
    "2>&1",
    "|",
    "|&",
    "||",
    "&&",
    "&",
    ";",
    ";;",
    "\n",
    "\\\n",
    " ",
    "\t",
    "\r",
    "#",
    " #",
    "!",
    " ! ",
    "=",
    "a=",
    "a+=",
    "a[",
    "]",
    "[[ ",
    " ]]",
    "[ ",
    "*",
    "?",
    "~",
    "{a,b}",
    ",",
    "$'",
    "$\"",
    "if ",
    " then ",
    " fi",
    "for x in ",
    " do ",
    " done",
    "while ",
    "case ",
    " in ",
    " esac",
    "function f ",
    "f()",
    "time ",
    "coproc ",
    "eval ",
    "x",
    "-",
    "--",
    "1",
    "rm y",
    "$x",
    "\"$x\"",
    "${x:-y}",
    "$(z)",
    "`z`",
    "{fd}",
    "exec ",
    "\u{a0}",
    "é",
];

/// Constructs to put commands into; `@` is one. In quotes only commands without quotes can stand.
const FRAMES: &[&str] = &[
    "@; @",
    "@ && @",
    "@ || @",
    "@ | @",
    "@ |& @",
    "@ & @",
    "@\n@",
    "! @",
    "time @",
    "( @ )",
    "{ @; }",
    "(@)&",
    "if @; then @; else @; fi",
    "if @; then @; elif @; then @; fi",
    "for x in a b; do @; done",
    "while @; do @; break; done",
    "until @; do @; break; done",
    "case x in x) @;& y|z) @;; esac",
    "for ((i=0;i<2;i++)); do @; done",
    "f() { @; }; f",
    "function f { @; } >g; f x",
    "coproc { @; }",
    "a $(@) b",
    "a \"$(@)\"",
    "a `@`",
    "a <(@) >(@)",
    "x=$(@) b",
    "x=$(@); $x y",
    "a=(1 $(@))",
    "declare x=$(@); @",
    "cat <<E\n$(@)\nE\n@",
    "cat <<'E' | @\n'`\nE\n@",
    "a <<<\"$(@)\" 2>&1",
    "eval '@'",
    "trap '@' EXIT",
    "command @",
    "[[ -n $(@) || x ]] && @",
    "echo ${x:-$(@)} ${x:+\"$(@)\"}",
    "echo $(( 1 + $(@) ))",
    "@ # it's\n@",
    "a\\\nb c; @",
    "a {b,$(@)}{c,d}",
    "set -e; @",
    "x='a b'; y=\"$x\" ; @ $x \"$y\"",
    "cd src && @",
    "@ > f 2>&1 < /dev/null",
    "echo \"a\\\"$(@)\\\\\"; @",
    "echo $'\\''; @",
    "if ! @; then @; fi | @",
];

/// Commands to put into them.
const COMMANDS: &[&str] = &[
    "a",
    "rm -rf x",
    "b 'c d' \"e f\"",
    "/bin/ls z",
    "true",
    "false",
    "$x w",
    "v=1 g",
    "printf %s k",
    "echo l",
    "m\\ n o",
    "q*",
    "p ~/r {s,t}",
    "read u",
    "export h=i",
    ">j k",
    "test -n \"$x\"",
    "n \"${x-y}\" $#",
    "\\cat",
    "c'o'\"m\"m",
];

/// The next place, from `at` on, where the text can be cut.
fn boundary_from(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}

/// A small generator with a seed (xorshift), so that every run sees the same texts.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }

    fn boundary(&mut self, text: &str) -> usize {
        let mut at = self.next(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    /// Commands nested in constructs.
    pub(crate) fn composition(&mut self, depth: usize) -> String {
        if depth == 0 || self.next(6) == 0 {
            return COMMANDS[self.next(COMMANDS.len())].to_owned();
        }
        let frame = FRAMES[self.next(FRAMES.len())];
        let mut text = String::new();
        for (index, piece) in frame.split('@').enumerate() {
            if index > 0 {
                let quoted = text.matches('\'').count() % 2 == 1 && piece.starts_with('\'');
                let inner = self.composition(depth - 1);
                let breaks = inner.contains('\n')
                    || (quoted && inner.contains('\''))
                    || (frame.contains('`') && inner.contains('`'));
                text.push_str(if breaks { "z" } else { &inner });
            }
            text.push_str(piece);
        }
        text
    }

    /// One of the texts with one to four changes.
    pub(crate) fn mutation(&mut self, texts: &[String]) -> String {
        let mut text = texts[self.next(texts.len())].clone();
        for _ in 0..=self.next(4) {
            let (left, right) = (self.boundary(&text), self.boundary(&text));
            let (left, right) = (left.min(right), left.max(right));
            match self.next(6) {
                0 | 1 => text.insert_str(left, PIECES[self.next(PIECES.len())]),
                2 => text.replace_range(left..right.min(boundary_from(&text, left + 3)), ""),
                3 => {
                    text.replace_range(left..boundary_from(&text, left + 1), PIECES[self.next(PIECES.len())]);
                }
                4 => {
                    let other = &texts[self.next(texts.len())];
                    let from = self.boundary(other);
                    text.truncate(left);
                    text.push_str(&other[from..]);
                }
                _ => {
                    let piece = text[left..right.min(boundary_from(&text, left + 12))].to_owned();
                    let at = self.boundary(&text);
                    text.insert_str(at, &piece);
                }
            }
        }
        let end = boundary_from(&text, 2000);
        text.truncate(end);
        text
    }
}
