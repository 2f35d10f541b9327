//! The texts that were there before: written by hand, and from the conformance data.

use serde_json::Value;

/// Programs that launchers find in the sandbox, as stubs.
pub(crate) const PROGRAMS: &[&str] = &[
    "a", "b", "bash", "c", "cat", "cp", "curl", "d", "e", "echo", "f", "false", "g", "git", "grep", "head",
    "ls", "m", "make", "mkdir", "mv", "n", "node", "npm", "o", "p", "perl", "printf", "python3", "q", "r",
    "rg", "rm", "s", "sed", "sh", "sleep", "sort", "sudo", "t", "tail", "tee", "touch", "true", "u", "v",
    "w", "wc", "x", "y", "z",
];

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
    // Bash loses the `;` when it reads these a second time.
    "x=$(cat <<E | a; rm y\nb\nE\n)",
    "x=$(cat <<E | a; # c\nb\nE\n rm y)",
    "a <({ cat <<E\nb\nE\n} | a; rm y)",
    "a $(cat <<E && b; c; rm y\nb\nE\n)",
    "a $(for x in y; do cat <<E | a; rm y; done\nb\nE\n)",
    "a $(cat <<E\nb\nE\nc; rm y)",
    "find . -exec rm {} +",
    "p \"${a[@]}\" \"${!a@}\" \"${@:2}\"",
    "f() { local x=b y; p $x $y; }; x=a; f; p $x; g() { declare x=c; }; g; p $x",
    "source /dev/stdin <<< 'rm x'",
    "bash /dev/stdin <<< 'rm x'",
    "bash <(echo rm x)",
    "env A\"$x\"=1 B=2 \"C$x=3\" D=4 git status",
    "env A=$x rm y",
    "! cd src || bash -c 'exit 2'; rm x",
    "cd src || sh -c 'exit 2'; bash -c 'cd src; exit'; rm x",
    "p \"$x\"/* src/\"$x\"* [\"$x\"]*",
    "for x in src *; do p \"$x\"/* $x/*; done",
    "p [\"as\"]\"\".txt ['s']rc",
    "a;b;c&d\ne",
    "p -{d}elete,print} {a}b{c,d}e,f} {a},b}c} {a},{b} {}b,c}",
    "p<() q <() r",
    "p $(( rm -rf y $(case x in a) b;; esac) ))",
    "p $(( rm -rf y $(f() { case x in a) b;; esac; }; c) ))",
    // A word that may be nothing before the command.
    "$x rm y",
    "$x $x rm y",
    "`z`env bash -c 'rm x'",
    "$(z) bash -c 'cd src; rm x'; rm y",
    "\"$@\" rm y",
    "\"${a[@]}\" env -u A rm y",
    "$x cd src; rm y",
    "f() { rm \"$1\"; }; $x f y",
    "$x eval 'rm y'",
    "$x bash <<< 'rm y'",
    "echo 'rm y' | $x bash",
    "v=1 $x bash -c 'rm y' z",
    "{$x,} rm y",
    "\"$x\"/rm y; $(z)'r'm z",
    "f() ( cd src; f() { rm x; }; f ); f; f() { rm y; }; f",
    // Before the command of a launcher.
    "env $x rm y",
    "env $x -u A B=1 $x rm y",
    "env -u $x A rm y",
    "env $x -C src rm y",
    "env $x -S 'rm y'",
    "timeout $x 5 rm y",
    "timeout $x $x 5 rm y",
    "timeout -k $x 1 5 rm y",
    "timeout -k 1 $x 5 bash -c 'rm y'",
    "nice $x -n 5 rm y",
    "nice -n $x 5 $x rm y",
    "nohup $x rm y",
    "xargs $x rm",
    "xargs -n $x 1 rm",
    "xargs $x -I {} rm {}",
    "xargs -I $x {} rm {}",
    "find . -exec $x rm {} \\;",
    "find . -maxdepth $x 0 -exec rm {} +",
    "flock $x f rm y",
    "flock $x f -c 'rm y'",
    "taskset $x 1 rm y",
    "taskset -c $x 0 rm y",
    "chrt $x -b 0 rm y",
    "setsid $x rm y",
    "command $x rm y",
    "command $x eval 'rm y'",
    "builtin $x eval 'rm y'",
    "exec $x rm y",
    "exec -a $x b rm y",
    "env nice $x timeout $x 5 $x rm y",
    "bash $x -c 'rm y'",
    "bash -o $x pipefail -c 'rm y'",
    "bash --rcfile $x f -c 'rm y'",
    "bash -c $x 'rm y'",
    // Variables that the shell reads hold words that are flags or launchers.
    "read x <<< '-n 5'; nice $x rm y",
    "read x <<< -n; nice $x 5 rm y",
    "read x <<< -n; nice \"$x\" 5 rm y",
    "read x <<< 'KILL 5'; timeout -s $x rm y z",
    "read x <<< '5 env'; timeout $x rm y",
    "read x <<< env; $x rm y",
    "read x <<< 'a rm'; $x y; ${x#a } z",
    "read x <<< -exec; find . -maxdepth 0 $x rm {} \\;",
    // Options of builtins end.
    "eval -- 'rm y'",
    "eval $x -- 'rm y'",
    "trap -- 'rm y' EXIT",
    "trap 'rm y' EXIT; rm z",
    "read x <<< 'rm y'; trap \"$x\" EXIT",
    "read x <<< 'rm y'; trap -- \"$x\" EXIT",
    "trap $x 'rm y' EXIT",
    "source -- /dev/stdin <<< 'rm y'",
    "source $x /dev/stdin <<< 'rm y'",
    ". /dev/stdin -- <<< 'rm y'",
    "command -- eval -- 'rm y'",
    "builtin -- eval 'rm y'",
    "exec -- rm y",
    "cd -- src && rm y",
    "printf $x -v PATH z; rm y",
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
