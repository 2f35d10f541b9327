//! Wrapped commands are found, whatever is around them.

use crate::{argvs, plan};

#[test]
fn finds_the_inner_command() {
    let wrapped = [
        "rm x",
        "/bin/rm x",
        "\\rm x",
        "'rm' x",
        "r\"\"m x",
        "$'rm' x",
        "ls && rm x",
        "ls || rm x",
        "ls & rm x",
        "ls;rm x",
        "ls | rm x",
        "ls\nrm x",
        "(rm x)",
        "{ rm x; }",
        "! rm x",
        "time rm x",
        "if rm x; then :; fi",
        "if :; then rm x; fi",
        "if :; then :; else rm x; fi",
        "while rm x; do :; done",
        "until :; do rm x; done",
        "for i in 1; do rm x; done",
        "for i in; do rm x; done",
        "for ((;;)); do rm x; done",
        "case a in b) rm x;; esac",
        "case $(rm x) in a) ;; esac",
        "select a in b; do rm x; done",
        "f() { rm x; }; f",
        "f() { rm x; }",
        "function f { rm x; }",
        "coproc rm x",
        "echo $(rm x)",
        "echo `rm x`",
        "echo \"$(rm x)\"",
        "echo <(rm x)",
        "a=$(rm x)",
        "a=$(rm x) ls",
        "a[$(rm x)]=1",
        "a=($(rm x))",
        "export a=$(rm x)",
        "echo $((1+$(rm x)))",
        "(( $(rm x) ))",
        "[[ $(rm x) ]]",
        "[[ -f $(rm x) ]]",
        "[[ a == $(rm x) ]]",
        "echo ${a:-$(rm x)}",
        "echo ${a[$(rm x)]}",
        "echo ${a/$(rm x)/b}",
        "echo ${a:$(rm x)}",
        "echo {$(rm x),b}",
        "ls > $(rm x)",
        "cat <<E\n$(rm x)\nE",
        "cat <<< $(rm x)",
        "{ :; } > $(rm x)",
        "bash -c 'rm x'",
        "bash -lc 'rm x'",
        "bash -ce 'rm x' -c ls",
        "sh -c 'rm x'",
        "bash --norc -c 'rm x'",
        "bash -o pipefail -c 'rm x'",
        "bash <<E\nrm x\nE",
        "bash <<< 'rm x'",
        "sh -s <<< 'rm x'",
        "eval 'rm x'",
        "eval rm x",
        "eval \"rm\" x",
        "bash -c \"bash -c 'rm x'\"",
        "env rm x",
        "env A=1 rm x",
        "env -i rm x",
        "env -u X FOO=1 rm x",
        "env -S 'rm x'",
        "env -C d rm x",
        "timeout 5 rm x",
        "timeout -k 1 -s KILL 5 rm x",
        "nice rm x",
        "nice -n 5 rm x",
        "nice -5 rm x",
        "nohup rm x",
        "stdbuf -oL rm x",
        "ionice -c3 rm x",
        "command rm x",
        "builtin command rm x",
        "exec rm x",
        "exec -a n rm x",
        "setsid -w rm x",
        "sudo rm x",
        "sudo -u root A=1 rm x",
        "doas rm x",
        "watch -n1 rm x",
        "flock l rm x",
        "flock l -c 'rm x'",
        "script -c 'rm x' /dev/null",
        "su -c 'rm x'",
        "su root -c 'rm x'",
        "ssh host rm x",
        "docker exec -it web rm x",
        "docker run --rm img rm x",
        "kubectl exec web -- rm x",
        "docker --debug -H host exec web rm x",
        "docker compose -f dev.yml --profile a exec -T web rm x",
        "docker -D compose --ansi=never run --rm web rm x",
        "kubectl -n space exec -it web -c app -- rm x",
        "chroot / rm x",
        "busybox rm x",
        "strace -f rm x",
        "taskset 1 rm x",
        "unbuffer rm x",
        "npx rm x",
        "poetry run rm x",
        "uv run rm x",
        "bundle exec rm x",
        "direnv exec . rm x",
        "mise exec -- rm x",
        "git bisect run rm x",
        "git submodule foreach rm x",
        "git rebase -x 'rm x' main",
        "trap 'rm x' EXIT",
        "timeout --unknown 5 rm x",
        "x=rm; $x x",
        "x='rm x'; $x",
        "for c in rm; do $c x; done",
        "r\\\nm x",
        "f() { \"$@\"; }; rm x",
        "$(rm x)",
        "env timeout 5 nice sudo rm x",
        "env A=$b rm x",
        "env A=$b B=1 C=$c rm x",
        "sudo A=$b B=1 rm x",
        "x=$'ls\nrm x'; y=$x; eval \"$y\"",
        "find . -exec rm x \\;",
        "source /dev/stdin <<< 'rm x'",
        "bash /dev/stdin <<E\nrm x\nE",
        "find . -execdir rm x \\;",
        "find . -ok rm x \\;",
        "echo a | xargs -I{} rm x",
        "time -p rm x",
        "! ! rm x",
    ];
    let mut missing = Vec::new();
    for text in wrapped {
        let analysis = plan(text);
        let found =
            argvs(&analysis).iter().any(|argv| matches!(argv.as_str(), "rm x" | "/bin/rm x" | "rm x *"));
        if !found || analysis.read_only() {
            missing.push(format!("{text:?}: {:?} {:?}", argvs(&analysis), analysis.error));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn what_a_launcher_runs_stands_in_the_plan_once() {
    for text in [
        "docker exec -it web rm x",
        "docker compose -f dev.yml exec web rm x",
        "kubectl -n space exec web -- rm x",
        "uv run rm x",
        "bundle exec rm x",
        "strace -f rm x",
    ] {
        let analysis = plan(text);
        let found = argvs(&analysis).iter().filter(|argv| *argv == "rm x").count();
        assert_eq!(found, 1, "{text:?}: {:?}", argvs(&analysis));
    }
}

#[test]
fn functions_shadow_programs() {
    for text in [
        "ls() { rm x; }; ls",
        "if :; then ls() { rm x; }; fi; ls",
        "f() { ls() { rm x; }; }; f; ls",
        "f() { f; }; f",
        "cat () (rm x); cat",
    ] {
        assert!(!plan(text).read_only(), "{text}");
    }
    assert!(
        plan("f() { cat \"$1\"; }; f a.txt").read_only(),
        "{:?}",
        plan("f() { cat \"$1\"; }; f a.txt").blockers
    );
}
