//! The commands and texts that are measured, here by time and in `tests/work.rs` by allocations.

/// What agents type all day.
pub(crate) const TYPICAL: &[(&str, &str)] = &[
    ("ls", "ls -la src"),
    ("git", "git diff --stat HEAD~3 -- src"),
    ("pipe", "git log --oneline | grep -i fix | head -20"),
    ("cd", "cd src && rg -n 'struct Config' . 2>/dev/null"),
    ("find", "find . -name '*.rs' -not -path './target/*' -exec wc -l {} +"),
    ("commit", "git add -A && git commit -m \"$(cat <<'EOF'\nfix: say why\nEOF\n)\""),
    ("loop", "for f in a b c; do grep -c TODO \"$f\"; done"),
    ("build", "cd /repo && RUST_LOG=debug timeout 60 cargo test -p core --quiet 2>&1 | tail -n 40"),
    ("log", "git log --oneline --graph --decorate --since=2.weeks -n 50 -- crates/core/src"),
    ("cargo", "cargo test -p core --lib -- --nocapture parser::tests"),
    ("xargs", "find src tests -type f -name '*.rs' -size +10k | xargs -0 wc -l | sort -rn | head -20"),
    ("globs", "rg -n --hidden -g '!target' -g '*.{rs,toml}' 'fn analyze' crates docs"),
    ("five", "cat Cargo.lock | grep '^name = ' | sort | uniq -c | sort -rn"),
    ("bash -c", "bash -c 'cd crates && grep -rn TODO . | wc -l'"),
    ("wrapped", "env RUST_BACKTRACE=1 NO_COLOR=1 timeout -k 5 120 cargo clippy --all-targets -- -D warnings"),
    ("while", "while read -r line; do echo \"$line\" | cut -d: -f1; done < files.txt"),
    ("if", "if [ -f package.json ]; then npm test --silent; else echo 'no tests here'; fi"),
    ("sed", "sed -n '120,180p' src/commands.rs && sed -i 's/foo/bar/g' src/lib.rs"),
    ("python", "python3 -c 'import json,sys; print(json.load(sys.stdin)[\"version\"])' < package.json"),
    ("variable", "V=$(git describe --tags --abbrev=0); echo \"building ${V#v}\" && make release V=\"$V\""),
    ("here", "cat > src/new.rs <<'EOF'\npub fn answer() -> u32 {\n    42\n}\nEOF"),
    (
        "curl",
        "curl -fsSL https://example.org/api/items?page=2 -o /tmp/items.json && jq '.items' /tmp/items.json",
    ),
    ("docker", "docker compose -f dev/compose.yml exec -T db psql -U app -c 'select count(*) from users'"),
    ("process", "diff <(git show HEAD:Cargo.toml) Cargo.toml; echo \"exit: $?\""),
    ("test", "[[ -d target && -n \"$CI\" ]] && rm -rf target/debug/incremental || true"),
    ("braces", "mkdir -p src/{bin,tests} && touch src/bin/{one,two}.rs"),
    ("tail", "tail -n 200 -f logs/server.log 2>&1 | grep --line-buffered -E 'ERROR|WARN'"),
    ("gh", "gh pr view 123 --json title,body,state --jq '.title' && gh pr checks 123"),
];

/// What long texts are made of: everyday lines, and what has cost more than it should at some time.
pub(crate) const TEXTS: &[(&str, &str)] = &[
    ("lines", "grep -n 'some pattern' src/main.rs | sort -u # a comment\n"),
    ("words", "word "),
    ("backticks", "`a`"),
    ("substitutions", "$(a)"),
    ("conditionals", "[[ -n $a ]]\n"),
    ("assignments", "a=b;"),
    ("loops", "for i in a b; do c; done\n"),
    ("quotes", "'a'\"b\""),
    ("here", "cat <<E\ntext $x\nE\n"),
    ("arithmetic", "((a+1));"),
    ("functions", "f%() { a; };"),
    ("same functions", "f() { a; };"),
    ("calls", "f() { a; }; f;"),
    ("variables", "a%=b;"),
    ("arrays", "a=(b c)\n"),
    ("cases", "case x in a) b;; esac\n"),
    ("subshells", "(a)\n"),
    ("and", "a&&"),
    ("pipes", "a|"),
    ("background", "a&"),
    ("redirections", ">a "),
    ("parameters", "${a:-b}"),
    ("expressions", "$((1))"),
    ("processes", "<(a) "),
    ("globs", "*.rs "),
    ("braces", "{a,b} "),
    ("directories", "cd a;"),
    ("shells", "bash -c 'a'\n"),
];

/// `unit` again and again, behind a program so that words are words; `%` is a number of its own each time.
pub(crate) fn text_of(unit: &str, size: usize) -> String {
    let list = unit.ends_with([';', '\n', '&', '|']);
    let mut text = if list { "" } else { "echo " }.to_owned();
    for number in 0.. {
        let next = unit.replace('%', &number.to_string());
        if text.len() + next.len() + 1 > size {
            break;
        }
        text.push_str(&next);
    }
    if unit.ends_with("&&") || unit.ends_with('|') {
        text.push('a');
    }
    text
}
