//! Specifications: what each program may do unasked, and every spelling of what it may not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use portcullis_shell_analysis::{Analysis, EffectKind, PathTarget, Settings, analyze};

fn plan(text: &str) -> Analysis {
    let roots = ["/repo".to_owned()];
    let settings = Settings { home: Some("/home/u"), ..Settings::new("/repo", &roots) };
    analyze(text, &settings)
}

#[test]
fn read_only() {
    let mut wrong = Vec::new();
    for text in [
        "command -v rm",
        "echo -n foo",
        "echo '--- a ---'",
        "type rm",
        "find . -name a -exec grep -l x {} +",
        "git --no-pager log -3",
        "git stash list",
        "git worktree list",
        "git config --get user.name",
        "git merge-base a b",
        "test -f /etc/passwd",
        "[ -d src ] && ls",
        "awk -F: '{print $1}' a",
        "sort -k2,2n -t, a",
        "sed -n '/a/,/b/p;$!d' a",
        "sed -e 's/[a-z]*/x/g;t' a",
        "jq --arg a b '.x == $a' f.json",
        // Values that are not known, but the text's own and not the environment's.
        "x=$(date); printf '%s\\n' \"$x\"",
        "x=$(date) y=$(pwd); echo \"$x\" $y *",
        "n=$(wc -l < b); head -n \"$n\" a",
        "time ls",
        "nice -n 5 ls",
        "timeout 5 ls",
        "nohup ls > /dev/null",
        "/usr/bin/git status",
        "docker ps",
        "pip list",
        "kubectl get pods -n x",
        "seq 1 3 | paste -sd, -",
        "md5sum a",
        "date -d yesterday +%F",
        "LC_ALL=C sort a",
        "export LANG=C",
        "NODE_ENV=test ls",
        "python3 --version",
        "cat < a.txt",
        "tee /dev/null < a",
        "let x=1+1",
        "xxd a | head",
        "uniq -c a",
        "diff -u a b",
        "read -r x < a; echo \"$x\"",
        "case $x in a) ls;; esac",
        "set -e; ls",
        "git diff --stat HEAD~1 -- src",
        "git show HEAD:src/a.rs",
        "git log -S foo --oneline -- a",
        "git branch -a --sort=-committerdate",
        "gh pr view 1 --json title",
    ] {
        let analysis = plan(text);
        if !analysis.read_only() {
            wrong.push(format!("{text}: {:?} {:?} {:?}", analysis.error, analysis.opaque, analysis.blockers));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn not_read_only() {
    let mut wrong = Vec::new();
    for text in [
        "./ls",
        "bin/cat a",
        "/tmp/git status",
        "find . -fprintf x %p",
        "find . $x",
        "find . -exec sh -c 'rm {}' \\;",
        "find . -exec sh -c '{}' \\;",
        "find . -execdir cat {} \\;",
        "grep x -f /etc/passwd",
        "rg --pre-glob a --pre b c",
        "rg --search-z a",
        "sort --out=x a",
        "sort --compress-p x a",
        "sort -ox a",
        "sort a -o x",
        "sort -- a; sort a -ob",
        "sed -n 's/a/b/w x' a",
        "sed -n 'e' a",
        "sed s/a/b/ew a",
        "sed -i.bak s/a/b/ a",
        "sed -ni p a",
        "sed -f x a",
        "sed '/a/r /etc/passwd' a",
        "sed \"$x\" a",
        "sed 's/a/b/;w x' a",
        "sed '1!{p;w x\n}' a",
        "xxd a b",
        "xxd -r a",
        "uniq a b",
        "date 010100002020",
        "date --se x",
        "hostname x",
        "tree -ao x",
        "less +x a",
        "less -ox a",
        "yq -i .a f",
        "git branch x",
        "git branch -l -d x",
        "git tag x",
        "git remote add a b",
        "git remote show https://evil.example/x",
        "git -c a.b=c status",
        "git --git-dir=/x status",
        "git -C /x log",
        "git -p log",
        "git diff --outp=x",
        "git diff --ext-d",
        "git grep -Ox y",
        "git cat-file --batch-command=x",
        "git stash",
        "git reflog expire",
        "git symbolic-ref HEAD x",
        "git foo",
        "git diff /etc/passwd /etc/hosts",
        "git config a.b c",
        "git rev-parse --parseopt",
        "git rebase -x ls",
        "git submodule foreach ls",
        "gh api -XPOST x",
        "gh api x -Fa=b",
        "gh api --method=post x",
        "gh api https://evil.example/",
        "gh pr view -w",
        "gh run download 1",
        "gh auth token",
        "awk '{print > \"x\"}' a",
        "awk -f x a",
        "awk 'BEGIN { while ((\"ls\" | getline) > 0) print }'",
        "jq -n env",
        "jq -n --rawfile a /etc/passwd .",
        "env",
        "printenv",
        "export -p",
        "set",
        "declare -p",
        "xargs ls",
        "find . | xargs cat",
        "find . -print0 | xargs -0 rm",
        "find / -print0 | xargs -0 cat",
        "env -S ls",
        "env PATH=x ls",
        "env -u PATH ls",
        "nohup ls",
        "time -o x ls",
        "bash -i -c ls",
        "zsh -c ls",
        "bash x.sh",
        "bash",
        "sh < x",
        "echo ls | bash",
        "eval ls",
        "source x",
        "trap ls EXIT",
        "python3 -c 1",
        "node -v",
        "cargo --version",
        "curl x",
        "ping -c1 x",
        "tar tf a -I sh",
        "tar cf a b",
        "cat ~root/x",
        "cat $OLDPWD/x",
        "cat \"$x\"",
        "cat -- $x",
        "cat /repo/../etc/passwd",
        "cat src/../../x",
        "cd /etc",
        "cd .. && cat x",
        "cat -n ../x",
        "head -c5 /etc/passwd",
        "tail -f /var/log/x",
        "md5sum -c a",
        "kubectl get secrets",
        "kubectl get pods,secrets",
        "docker inspect x",
        "systemctl restart x",
        "dmesg -c",
        "ss -K",
        "journalctl --vacuum-size=1",
        "ip link set x up",
        "printf -v x y",
        "kill 1",
        "git push",
        "make",
        "npm test",
        "unknown-program",
        "ls > x",
        "watch ls",
        "setsid ls",
        "sudo ls",
        "ssh h ls",
        "man ls",
    ] {
        if plan(text).read_only() {
            wrong.push(text);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn effects() {
    let path = |text: &str| PathTarget::Path(text.to_owned());
    let write = |text: &str| EffectKind::Write(path(text));
    let delete = |text: &str, recursive| EffectKind::Delete { path: path(text), recursive };
    let read = |text: &str| EffectKind::Read { path: path(text), recursive: false };
    let cases: Vec<(&str, Vec<EffectKind>)> = vec![
        ("rm -rf a", vec![delete("/repo/a", true)]),
        ("rm a -f b", vec![delete("/repo/a", false), delete("/repo/b", false)]),
        ("mkdir -p a/b", vec![write("/repo/a/b")]),
        // Without a resolver `b` may be a directory.
        ("cp a b", vec![read("/repo/a"), write("/repo/b"), write("/repo/b/a")]),
        ("cp -T a b", vec![read("/repo/a"), write("/repo/b")]),
        ("cp -t d a", vec![read("/repo/a"), write("/repo/d"), write("/repo/d/a")]),
        ("cp a d/", vec![read("/repo/a"), write("/repo/d/"), write("/repo/d/a")]),
        (
            "mv a /etc/b",
            vec![
                EffectKind::Read { path: path("/repo/a"), recursive: true },
                delete("/repo/a", true),
                write("/etc/b"),
                write("/etc/b/a"),
            ],
        ),
        ("tee a b", vec![write("/repo/a"), write("/repo/b")]),
        ("dd if=a of=/dev/sda", vec![read("/repo/a"), write("/dev/sda")]),
        ("chmod +x a", vec![EffectKind::ChangeMetadata(path("/repo/a"))]),
        ("sed -i s/a/b/ src/x.rs", vec![read("/repo/src/x.rs"), write("/repo/src/x.rs")]),
        (
            "find src -name x -delete",
            vec![EffectKind::Metadata(path("/repo/src")), delete("/repo/src", true)],
        ),
        ("sort -o out in", vec![write("/repo/out"), read("/repo/in")]),
        ("cat .env", vec![read("/repo/.env")]),
        ("truncate -s 0 a", vec![write("/repo/a")]),
    ];
    for (text, expected) in cases {
        let kinds: Vec<EffectKind> =
            plan(text).invocations[0].effects.iter().map(|effect| effect.kind.clone()).collect();
        assert_eq!(kinds, expected, "{text}");
    }
}

#[test]
fn hazards_are_marked() {
    for (text, index) in [
        ("find . -delete", 2),
        ("sort -o x a", 1),
        ("sort -o x a", 2),
        ("sort --compress-prog=x a", 1),
        ("git -c a=b status", 2),
        ("python3 -c x", 1),
        ("sed -i p a", 1),
        ("git push --receive-pack=x", 2),
    ] {
        assert!(plan(text).invocations[0].words[index].hazard, "{text}");
    }
    // What throws work away has to be spelled out in an allow rule: one for `git push` is offered for ordinary calls.
    assert!(plan("git push --force").invocations[0].words[2].hazard);
    assert!(!plan("git push --tags -u origin main").invocations[0].words.iter().any(|word| word.hazard));
}

#[test]
fn code_is_kept() {
    for (text, code) in [
        ("python3 -c 'import x'", "import x"),
        ("perl -e 'y'", "y"),
        ("python3 - <<'E'\nz\nE", "z\n"),
        ("awk 'BEGIN{system(\"x\")}'", "BEGIN{system(\"x\")}"),
        ("node -e 1", "1"),
    ] {
        assert_eq!(plan(text).invocations[0].code, vec![code.to_owned()], "{text}");
    }
}
