//! Situations of every kind, for properties: calls and rules of the corpora, mixed with each other and with generated ones,
//! in surroundings that each gate is for.

use portcullis_matcher::ListKind;
use proptest::{
    prelude::*,
    strategy::ValueTree as _,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use serde_json::json;

use super::{CORPUS, Extra, MODES, RULES, Situation, list_of, rule};

/// Words that matter to somebody, and some that matter to nobody.
const WORDS: &[&str] = &[
    "git",
    "push",
    "status",
    "rm",
    "-rf",
    "ls",
    "cat",
    "src/a.rs",
    ".env",
    "npm",
    "run",
    "test",
    "sudo",
    "env",
    "X=1",
    "bash",
    "-c",
    "'git push'",
    "\"$X\"",
    "*",
    "&&",
    ";",
    "|",
    "$(git push)",
    ">",
    "out.txt",
    "/etc/passwd",
    "~",
    "--",
    "timeout",
    "5",
    "xargs",
    "find",
    ".",
    "-exec",
    "{}",
    "\\;",
    "echo",
    "#",
    "python3",
    "x.py",
    "\n",
    "if",
    "then",
    "fi",
];

/// Payload shapes of rules, around a word.
const SHAPES: &[&str] =
    &["Bash(W:*)", "Bash(W)", "Bash(W *)", "Read(W)", "Edit(W/**)", "Write(//W)", "W", "W(*)"];

fn command() -> impl Strategy<Value = Situation> {
    (prop::collection::vec(prop::sample::select(WORDS), 1..8), prop::sample::select(&MODES[..]))
        .prop_map(|(words, mode)| Situation::new("Bash", json!({ "command": words.join(" ") }), mode))
}

fn file_call() -> impl Strategy<Value = Situation> {
    let tool =
        prop::sample::select(vec!["Read", "Edit", "Write", "Glob", "Grep", "LS", "write_file", "view_image"]);
    let path = "(/|~/|\\.\\./|src/|/etc/|/repo/)?[a-c.*{},]{0,4}(/[a-c.]{1,3})?(\\.env|\\.pem|\\.rs)?";
    (tool, path, prop::sample::select(&MODES[..])).prop_map(|(tool, path, mode)| {
        let arguments = match tool {
            "Glob" | "Grep" => json!({ "pattern": path, "path": "." }),
            "LS" => json!({ "path": path }),
            _ => json!({ "file_path": path, "content": "x" }),
        };
        Situation::new(tool, arguments, mode)
    })
}

/// Calls that single gates are for, with what makes them speak.
fn special() -> impl Strategy<Value = Situation> {
    let memory = "/home/u/.letta/agents/a1/memory";
    let calls = vec![
        ("Bash", json!({ "command": format!("cd {memory} && git add -A && git commit -m x") })),
        ("Bash", json!({ "command": format!("cd {memory} && rm old.md") })),
        ("Bash", json!({ "command": format!("mkdir {memory}/notes") })),
        ("Bash", json!({ "command": "make" })),
        ("Bash", json!({ "command": "cargo test" })),
        ("Bash", json!({ "command": "rm -rf /usr" })),
        ("Bash", json!({ "command": "find . -exec rm -rf {} +" })),
        ("Bash", json!({ "command": "rm -rf .letta" })),
        ("Bash", json!({ "command": "tar xf a.tar" })),
        ("Bash", json!({ "command": "touch .git/hooks/x" })),
        ("Bash", json!({ "command": "npm run lint" })),
        ("Bash", json!({ "command": "eval \"$x\"" })),
        ("Monitor", json!({ "command": "git status" })),
        ("Read", json!({ "file_path": "/home/u/.letta/agents/a2/memory/x" })),
        ("Read", json!({ "file_path": ".env" })),
        ("Grep", json!({ "pattern": "x", "path": "." })),
        ("Write", json!({ "file_path": "/etc/x", "content": "" })),
        ("Write", json!({ "file_path": ".letta/settings.json", "content": "" })),
        ("Edit", json!({ "file_path": "src/a.rs" })),
        ("Skill", json!({ "skill": "pdf" })),
        ("Task", json!({ "subagent_type": "recall" })),
        ("TodoWrite", json!({ "todos": [] })),
        ("asking_tool", json!({})),
        ("free_tool", json!({})),
        ("unheard_of", json!({})),
        ("WebFetch", json!({ "url": "https://docs.example.com/a" })),
    ];
    (prop::sample::select(calls), prop::sample::select(&MODES[..]))
        .prop_map(|((tool, arguments), mode)| Situation::new(tool, arguments, mode))
}

fn extra() -> impl Strategy<Value = Extra> {
    let rarely = || prop::bool::weighted(0.15);
    let often = prop::bool::weighted(0.4);
    (rarely(), prop::bool::weighted(0.4), often, rarely(), prop::bool::weighted(0.3), rarely()).prop_map(
        |(workspace, agent, judged, degraded, confined_auto, blind)| Extra {
            workspace,
            agent,
            judged,
            degraded: degraded && blind,
            confined_auto,
            blind,
        },
    )
}

/// Situations of the corpora, in any mode, and generated ones with rules of the corpora, each in surroundings of any kind.
pub(crate) fn situation() -> impl Strategy<Value = Situation> {
    (bare_situation(), extra()).prop_map(|(it, extra)| Situation { extra, ..it })
}

fn bare_situation() -> impl Strategy<Value = Situation> {
    let recorded = (any::<prop::sample::Index>(), prop::option::of(prop::sample::select(&MODES[..])))
        .prop_map(|(index, mode)| {
            let mut situation = index.get(&CORPUS).clone();
            situation.mode = mode.unwrap_or(situation.mode);
            situation
        });
    let lists = prop::collection::vec((placed_list(), rule_text()), 0..4);
    let own = prop::collection::vec(placed_list(), 0..2);
    let call = prop_oneof![1 => command(), 1 => file_call(), 2 => special()];
    let generated = (call, lists, own, any::<bool>()).prop_map(|(mut it, lists, own, claude)| {
        let about = own_rule(&it);
        for (place, text) in lists {
            add(&mut it, place, &text);
        }
        for place in own {
            add(&mut it, place, &about);
        }
        it.claude = claude;
        it
    });
    prop_oneof![recorded, generated]
}

/// A list of the session, the command line or the settings.
fn placed_list() -> impl Strategy<Value = (ListKind, u8)> {
    (rule_list(), 0..4_u8)
}

fn add(it: &mut Situation, (list, set): (ListKind, u8), text: &str) {
    let rules = match set {
        0 => &mut it.session,
        1 => &mut it.cli,
        _ => &mut it.rules,
    };
    list_of(rules, list).push(rule(text));
}

/// A rule for this very call.
fn own_rule(it: &Situation) -> String {
    let program = it.call.arguments["command"].as_str().and_then(|text| text.split_whitespace().next());
    program.map_or_else(|| it.call.name.clone(), |program| format!("Bash({program}:*)"))
}

pub(crate) fn rule_list() -> impl Strategy<Value = ListKind> {
    prop::sample::select(vec![
        ListKind::Allow,
        ListKind::Allow,
        ListKind::Ask,
        ListKind::Deny,
        ListKind::AlwaysAsk,
    ])
}

pub(crate) fn rule_text() -> impl Strategy<Value = String> {
    let made = (prop::sample::select(SHAPES), prop::sample::select(WORDS))
        .prop_map(|(shape, word)| shape.replace('W', word));
    prop_oneof![prop::sample::select(&RULES[..]), made]
}

/// So many situations, the same in every run.
pub(crate) fn some(count: usize) -> Vec<Situation> {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = situation();
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}
