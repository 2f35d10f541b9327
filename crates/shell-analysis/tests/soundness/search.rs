//! Looks for texts that are judged read-only and are not.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Instant,
};

use super::{
    generate::{Driven, Random, all},
    listed::Listed,
    pools::{CODE, code_for},
    sandbox::{LIST, Mode, Outcome, Sandbox, Tree},
    verdict::{Judged, judged, mode, only_logged, violations},
};

/// What a search came to.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) composed: usize,
    pub(crate) read_only: usize,
    pub(crate) strictly: usize,
    pub(crate) runs: usize,
    pub(crate) clock: usize,
    /// Runs that wrote a log of their own, and nothing else.
    pub(crate) logged: usize,
    pub(crate) seconds: f64,
    /// Programs in the specifications, and those of them that were run.
    pub(crate) specified: usize,
    pub(crate) installed: usize,
    pub(crate) driven: BTreeSet<String>,
    pub(crate) absent: Vec<String>,
    pub(crate) never: Vec<String>,
    pub(crate) counter_examples: Vec<String>,
}

/// A text to run.
#[derive(Clone, Debug)]
struct Candidate {
    text: String,
    judged: Judged,
    /// The program whose specification it was made from.
    program: Option<String>,
    /// The file that is its standard input.
    stdin: &'static str,
}

pub(crate) struct Search {
    random: Random,
    driven: Vec<Driven>,
    /// Every program in the specifications.
    named: BTreeSet<String>,
    /// What the commands of this batch run over, and the trees as the analysis may look at them.
    tree: Tree,
    usual: Listed,
    acting: Listed,
    installed: HashSet<String>,
    corpus: Vec<String>,
    seen: HashSet<String>,
    figures: Figures,
    /// Flags with which a program ran until the clock ended it.
    slow: BTreeMap<String, usize>,
}

/// Programs whose words are read in ways of their own: they come more often.
const FAVOURED: &[&str] = &[
    "sed", "awk", "gawk", "jq", "yq", "find", "fd", "fdfind", "xargs", "env", "tar", "git", "test", "[",
    "xxd", "less", "sort", "uniq", "date", "rg", "bat", "batcat", "file", "printf", "read", "ip", "ps",
    "timeout", "grep", "tree", "unzip", "less", "gzip", "zstd", "ack", "diff",
];

/// Programs that take half a second and more to start: only the long search runs them.
const SLOW: &[&str] = &[
    "npm",
    "npx",
    "pnpm",
    "yarn",
    "corepack",
    "pip",
    "pip3",
    "pipx",
    "poetry",
    "meson",
    "gem",
    "bundle",
    "bundler",
    "terraform",
    "jshell",
    "java",
    "javac",
    "javap",
    "jdeps",
    "jar",
    "mvn",
    "gradle",
    "docker",
    "kubectl",
    "gcloud",
    "gsutil",
    "bq",
    "aws",
    "az",
    "rake",
    "yq",
    "cloc",
    "lsof",
    "node",
    "deno",
    "bun",
    "go",
    "cargo",
    "helm",
    "ansible",
    "conda",
    "dotnet",
    "gh",
];

/// Lists the names of builtins and keywords.
const BUILTINS: &str = "compgen -b; compgen -k";

impl Search {
    pub(crate) fn new(seed: u64, long: bool) -> Self {
        let mut sandbox = Sandbox::start();
        let listed = Listed::of(&mut sandbox);
        let mut driven = all();
        let named: BTreeSet<String> = driven.iter().map(|driven| driven.name.clone()).collect();
        if !long {
            driven.retain(|driven| !SLOW.contains(&driven.name.as_str()));
        }
        let names: &BTreeSet<String> = &named;
        let question: String =
            names.iter().map(|name| format!("type -P -- '{name}' >/dev/null && echo '{name}'\n")).collect();
        let mut answer = sandbox.run(Mode::Show, &question).expect("bash answers").output;
        answer.push_str(&sandbox.run(Mode::Show, BUILTINS).expect("bash answers").output);
        let installed: HashSet<String> = answer.lines().map(str::to_owned).collect();
        if long {
            options_of_help(&mut sandbox, &mut driven, &installed);
        }
        Self {
            random: Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
            driven,
            named,
            tree: Tree::Usual,
            usual: listed,
            acting: Listed::of(&mut Sandbox::over(Tree::Acting)),
            installed,
            corpus: corpus(),
            seen: HashSet::new(),
            figures: Figures::default(),
            slow: BTreeMap::new(),
        }
    }

    pub(crate) fn installed(&self, name: &str) -> bool {
        self.installed.contains(name)
    }

    /// Runs about `texts` of them.
    pub(crate) fn run(&mut self, texts: usize) -> Figures {
        let start = Instant::now();
        let narrowed = std::env::var("PORTCULLIS_SOAK_PROGRAMS").unwrap_or_default();
        let chosen = |name: &str| narrowed.is_empty() || narrowed.split(',').any(|one| one == name);
        let mut names = std::mem::take(&mut self.named);
        names.retain(|name| chosen(name));
        self.figures.specified = names.len();
        self.figures.installed = names.iter().filter(|name| self.installed(name)).count();
        self.figures.absent = names.iter().filter(|name| !self.installed(name)).cloned().collect();
        self.driven.retain(|driven| self.installed.contains(&driven.name) && chosen(&driven.name));
        assert!(!self.driven.is_empty(), "none of `{narrowed}` is both specified and installed: install one");
        // Every flag alone comes first, as many as there is room for, in an order of chance.
        let mut singles: Vec<(usize, usize)> = Vec::new();
        for (program, driven) in self.driven.iter().enumerate() {
            singles.extend((0..driven.flags.len()).map(|flag| (program, flag)));
        }
        for at in (1..singles.len()).rev() {
            singles.swap(at, self.random.next(at + 1));
        }
        let mut attempts = 0;
        while self.figures.runs < texts && attempts < texts * 60 {
            // Half of a short search, too, runs over each of the trees.
            let wanted = (texts - self.figures.runs).min(2000).min(texts.div_ceil(2));
            let mut batch = Vec::new();
            while batch.len() < wanted && attempts < texts * 60 {
                attempts += 1;
                let (text, program) = self.compose(&mut singles);
                self.figures.composed += 1;
                batch.extend(self.consider(text, program));
            }
            self.execute(&batch);
            self.tree = if self.tree == Tree::Usual { Tree::Acting } else { Tree::Usual };
        }
        self.figures.seconds = start.elapsed().as_secs_f64();
        self.figures.never = names
            .iter()
            .filter(|name| self.installed.contains(*name) && !self.figures.driven.contains(*name))
            .cloned()
            .collect();
        std::mem::take(&mut self.figures)
    }

    fn consider(&mut self, text: String, program: Option<String>) -> Option<Candidate> {
        let hangs = self.slow.iter().any(|(key, count)| *count > 1 && text.starts_with(key.as_str()));
        if hangs || text.contains('\0') || !self.seen.insert(text.clone()) {
            return None;
        }
        let judged = judged(&text, self.listed())?;
        self.figures.read_only += 1;
        self.figures.strictly += usize::from(judged == Judged::Strictly);
        let stdin = self.stdin(&text);
        Some(Candidate { text, judged, program, stdin })
    }

    fn listed(&self) -> &Listed {
        match self.tree {
            Tree::Usual => &self.usual,
            Tree::Acting => &self.acting,
        }
    }

    /// Standard input for a text: often code in the language that the program runs.
    fn stdin(&mut self, text: &str) -> &'static str {
        let first = text.split(' ').next().unwrap_or_default();
        let own: Vec<&'static str> = code_for(first);
        if !own.is_empty() && !self.random.chance(3) {
            return self.random.pick(&own);
        }
        if self.random.chance(16) {
            let (_, file) = CODE[self.random.next(CODE.len())];
            return file;
        }
        LIST
    }

    fn compose(&mut self, singles: &mut Vec<(usize, usize)>) -> (String, Option<String>) {
        let narrowed = std::env::var_os("PORTCULLIS_SOAK_PROGRAMS").is_some();
        let kind = self.random.next(if narrowed { 18 } else { 20 });
        if kind < 9 {
            // A flag that takes a value comes several times, with other values.
            if let Some((program, flag)) = singles.pop() {
                let driven = &self.driven[program];
                return (self.random.single(driven, &driven.flags[flag]), Some(driven.name.clone()));
            }
        }
        match kind {
            0..16 => {
                let favoured = !narrowed && self.random.chance(3);
                let mut at = self.random.next(self.driven.len());
                while favoured && !FAVOURED.contains(&self.driven[at].name.as_str()) {
                    at = self.random.next(self.driven.len());
                }
                let driven = &self.driven[at];
                (self.random.several(driven, kind.is_multiple_of(4)), Some(driven.name.clone()))
            }
            16..18 => {
                let listed = match self.tree {
                    Tree::Usual => &self.usual,
                    Tree::Acting => &self.acting,
                };
                let driven = &self.driven;
                // Only what is read-only by itself can be so in a construct.
                let mut command = |random: &mut Random| {
                    for _ in 0..40 {
                        let one = random.next(driven.len());
                        let text = random.several(&driven[one], false);
                        if judged(&text, listed).is_some() && !text.contains('\n') {
                            return text;
                        }
                    }
                    "cat".to_owned()
                };
                (self.random.composed(&mut command), None)
            }
            18 => (self.corpus[self.random.next(self.corpus.len())].clone(), None),
            _ => (self.random.mutated(&self.corpus), None),
        }
    }

    /// Runs a batch in as many sandboxes as there are processors, and takes up what they tell.
    fn execute(&mut self, batch: &[Candidate]) {
        let (next, tree) = (AtomicUsize::new(0), self.tree);
        let results: Mutex<Vec<(usize, Outcome, Vec<String>)>> = Mutex::new(Vec::new());
        let workers =
            thread::available_parallelism().map_or(2, usize::from).min(4).min(1 + batch.len() / 100);
        thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    let mut sandbox = Sandbox::over(tree);
                    while let Some(candidate) = batch.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let index = batch.iter().position(|other| std::ptr::eq(other, candidate)).unwrap();
                        let (outcome, found) = run_one(&mut sandbox, tree, candidate);
                        results.lock().unwrap().push((index, outcome, found));
                    }
                });
            }
        });
        let mut results = results.into_inner().unwrap();
        results.sort_by_key(|(index, _, _)| *index);
        for (index, outcome, found) in results {
            let candidate = &batch[index];
            self.figures.runs += 1;
            self.figures.logged += usize::from(only_logged(&candidate.text, candidate.judged, &outcome));
            if let Some(program) = &candidate.program {
                self.figures.driven.insert(program.clone());
            }
            if outcome.clock {
                self.figures.clock += 1;
                println!("ended by the clock: {:?}", candidate.text);
                // The first two words: the program and a flag or subcommand.
                let words: Vec<&str> = candidate.text.split(' ').take(2).collect();
                *self.slow.entry(words.join(" ")).or_default() += 1;
            }
            if !found.is_empty() {
                let (text, judged, stdin) = (&candidate.text, candidate.judged, candidate.stdin);
                let found = found.join("; ");
                let example = format!("{text:?} < {stdin} over {tree:?} is judged {judged:?}: {found}");
                println!("counter-example: {example}");
                self.figures.counter_examples.push(example);
            }
        }
    }
}

/// Runs a text, and again when it seems to do harm: what a run before it left behind is not its doing.
fn run_one(sandbox: &mut Sandbox, tree: Tree, candidate: &Candidate) -> (Outcome, Vec<String>) {
    let text = &candidate.text;
    for attempt in 0..4 {
        let Some(outcome) = sandbox.fed(mode(text), candidate.stdin, text) else {
            *sandbox = Sandbox::over(tree);
            if attempt > 0 {
                return (Outcome::default(), vec!["ended the sandbox".to_owned()]);
            }
            continue;
        };
        let found = violations(text, candidate.judged, &outcome);
        if found.is_empty() && attempt == 0 || !found.is_empty() && attempt > 0 {
            return (outcome, found);
        }
    }
    (Outcome::default(), Vec::new())
}

/// Adds the options that the programs' own help names and their specifications do not list.
fn options_of_help(sandbox: &mut Sandbox, driven: &mut [Driven], installed: &HashSet<String>) {
    let quick = |driven: &&mut Driven| {
        let whole = driven.subcommand.is_empty() || driven.name == "git";
        whole && installed.contains(&driven.name) && !SLOW.contains(&driven.name.as_str())
    };
    for driven in driven.iter_mut().filter(quick) {
        let words = driven.subcommand.join(" ");
        let flag = if driven.name == "git" { "-h" } else { "--help" };
        let Some(outcome) =
            sandbox.run(Mode::Show, &format!("command {} {words} {flag} </dev/null", driven.name))
        else {
            *sandbox = Sandbox::start();
            continue;
        };
        let letters = |c: char| !(c.is_ascii_alphanumeric() || c == '-');
        for word in outcome.output.split(letters) {
            let Some(name) = word.strip_prefix("--").filter(|name| name.len() > 1 && !name.starts_with('-'))
            else {
                continue;
            };
            if driven.flags.iter().all(|flag| flag.name != name)
                && !driven.unlisted.iter().any(|known| known == word)
            {
                driven.unlisted.push(word.to_owned());
            }
        }
    }
}

/// Commands of the conformance files.
fn corpus() -> Vec<String> {
    let mut texts = Vec::new();
    for name in ["everyday", "upstream-shell-readonly", "hostile", "evasion"] {
        let path = format!("{}/../../conformance/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let places =
                ["/command", "/args/command", "/text", "/args/text", "/call/args/command", "/input/command"];
            if let Some(text) =
                places.iter().find_map(|place| case.pointer(place)).and_then(serde_json::Value::as_str)
                && !text.contains('\0')
                && text.len() < 2000
            {
                texts.push(text.to_owned());
            }
        }
    }
    assert!(texts.len() > 500, "the conformance files hold commands");
    texts
}
