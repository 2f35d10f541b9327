//! Names that one program prints and another one reads (loops, `read`, xargs): what stays below a
//! known directory may be read, and nothing else may.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use portcullis_shell_analysis::{Settings, analyze};

fn wrong(texts: &[&str], read_only: bool) -> Vec<String> {
    let roots = ["/repo".to_owned()];
    let settings = Settings { home: Some("/home/u"), ..Settings::new("/repo", &roots) };
    let judged = texts.iter().map(|text| (text, analyze(text, &settings)));
    judged
        .filter(|(_, analysis)| analysis.read_only() != read_only)
        .map(|(text, analysis)| format!("{text} {:?}", analysis.blockers.first().map(|one| &one.reason)))
        .collect()
}

#[test]
fn names_below_a_known_directory_may_be_read() {
    let texts = [
        "find src -type f | while read -r f; do cat \"$f\"; done",
        "find src -print0 | while IFS= read -r -d '' f; do cat \"$f\"; done",
        "find . -type d | while read -r d; do ls \"$d\"; cat \"$d/a\"; done",
        "git ls-files | while IFS= read -r f; do cat \"$f\"; done",
        "git ls-files '*.rs' | while read -r f; do cat \"$f\"; done",
        "git ls-files -co --exclude-standard -- src | while read -r f; do cat \"$f\"; done",
        "git diff --name-only HEAD~1 | while read -r f; do cat \"$f\"; done",
        "git diff --cached --name-only --diff-filter=AM | while read -r f; do cat \"./$f\"; done",
        "git grep -l TODO | while read -r f; do head -3 \"$f\"; done",
        "git ls-tree -r --name-only HEAD | while read -r f; do cat \"$f\"; done",
        "rg -l TODO src | while read -r f; do head -1 \"$f\"; done",
        "rg --files -g '*.rs' | while read -r f; do cat \"$f\"; done",
        "fd -e rs | while read -r f; do cat \"$f\"; done",
        "ls src | while read -r f; do cat \"src/$f\"; done",
        "find . -type f | sort -u | head -5 | while read -r f; do cat \"$f\"; done",
        "find . -type f | grep -v test | tail -n 3 | while read -r f; do cat \"$f\"; done",
        "while read -r f; do cat \"$f\"; done < <(find src -name '*.rs')",
        "while IFS= read -r f; do cat \"$f\"; done < <(git ls-files | sort)",
        "git ls-files -z | xargs -0 cat",
        "git grep -lz x | xargs -0 cat",
        "find . -name '*.rs' -print0 | xargs -0 wc -l",
        "find . -name '*.rs' -print0 | sort -z | xargs -0 grep -n x",
        "find src -print0 | xargs -0 -n1 cat",
        "find . -name x | xargs -d '\\n' cat",
        "rg -l0 x | xargs -0 cat",
        "fd -0 x | xargs -0 cat",
        "find . -name '*.rs' -exec cat {} \\;",
        "find src -exec grep -n x {} +",
        "for f in src/*; do cat \"$f\" \"./$f\" \"$f/Cargo.toml\"; done",
        "grep -rn --include=*.rs --exclude-dir=tar* x src",
        "rg --glob=*.rs x",
        "for f in src/*.rs; do wc -l \"$f\" \"$f.bak\"; done",
    ];
    let wrong = wrong(&texts, true);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn nothing_else_may() {
    let texts = [
        "cat \"$f\"",
        "find /etc -type f | while read -r f; do cat \"$f\"; done",
        "find src ../x | while read -r f; do cat \"$f\"; done",
        "find src -printf '/etc/%f\\n' | while read -r f; do cat \"$f\"; done",
        "find src -L | while read -r f; do rm \"$f\"; done",
        "find . | while read f; do cat \"$f\"; done",
        "find . | while read -r a b; do cat \"$b\"; done",
        "find . -type d | while read -r d; do cat \"$d/../x\"; done",
        "find . | while read -r f; do cat \"/etc/$f\"; done",
        "find . | while read -r f; do cat \"..$f\"; done",
        "find src | while read -r f; do cat \"$f-x\"; done",
        "find . | while read -r f; do cat $f; done",
        "find . | while read -r f; do sed -i d \"$f\"; done",
        "find . | while read -r f < list; do cat \"$f\"; done",
        "find . | sed 's/^/x/' | while read -r f; do cat \"$f\"; done",
        "find . | cut -c2- | while read -r f; do cat \"$f\"; done",
        "find . | grep -o '/.*' | while read -r f; do cat \"$f\"; done",
        "find . | grep x list | while read -r f; do cat \"$f\"; done",
        "find . | tail -c 20 | while read -r f; do cat \"$f\"; done",
        "find . | head 5 | while read -r f; do cat \"$f\"; done",
        "find . | sort list | while read -r f; do cat \"$f\"; done",
        "find . | cat - list | while read -r f; do cat \"$f\"; done",
        "find . | sort < list | while read -r f; do cat \"$f\"; done",
        "find . | (cat list) | while read -r f; do cat \"$f\"; done",
        "ls -a | while read -r f; do grep -r x \"$f\"; done",
        "ls ../x | while read -r f; do cat \"../x/$f\"; done",
        "ls -d ../* | while read -r f; do cat \"$f\"; done",
        "ls /etc/passwd | while read -r f; do cat \"$f\"; done",
        "fd -a x | while read -r f; do cat \"$f\"; done",
        "fd x .. | while read -r f; do cat \"$f\"; done",
        "rg x src | while read -r f; do cat \"$f\"; done",
        "rg -l x /etc | while read -r f; do cat \"$f\"; done",
        "git ls-files ../x | while read -r f; do cat \"$f\"; done",
        "git ls-files -s | while read -r f; do cat \"$f\"; done",
        "git diff | while read -r f; do cat \"$f\"; done",
        "git diff --name-only --no-index /etc . | while read -r f; do cat \"$f\"; done",
        "git diff --name-only a /etc/passwd | while read -r f; do cat \"$f\"; done",
        "git grep x | while read -r f; do cat \"$f\"; done",
        "git log --name-only --format=%s | while read -r f; do cat \"$f\"; done",
        "git ls-files | while read -r f; do sort \"$f\"; done",
        "git ls-files -z | xargs -0 sort",
        "git ls-files | xargs cat",
        "find . | xargs cat",
        "find . -print0 | xargs -0 rm",
        "find . -print0 | xargs -0 sh -c 'cat \"$@\"'",
        "find . -print0 | xargs -0 -I{} cat /etc/{}",
        "find . -print0 | xargs -0 -a list cat",
        "while read -r f; do cat \"$f\"; done < <(cat list)",
        "while read -r f; do cat \"$f\"; done < list",
        "while read -r f; do cat \"$f\"; done < <(find src) < list",
        "while read -r f; do cat \"$f\"; done 0< <(find src) 3< <(cat list) <&3",
        "while read -r f; do cat \"$f\"; done < <(find /etc)",
        "for f in $(cat list); do cat \"$f\"; done",
        "for f in .*; do cat \"$f/x\"; done",
        "for f in src/*; do cat \"$f/../../../x\"; done",
        "for f in src/*; do cat \"/etc/$f\"; done",
        "for f in src/*; do cat \"../$f\"; done",
        "for f in *; do sort \"$f\"; done",
        "grep --file=/etc/* x src",
        "grep --directories=rec* x src",
        "rg --pre=* x",
        "find src | { cd /etc; while read -r f; do cat \"$f\"; done; }",
    ];
    let wrong = wrong(&texts, false);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
