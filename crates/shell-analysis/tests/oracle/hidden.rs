//! Runs texts both ways, with stubs that succeed and stubs that fail, and compares what ran with what was planned.

use portcullis_shell_analysis::{Analysis, ErrorKind, Settings, analyze};

use crate::{
    cover,
    sandbox::{self, Command, Job, Ran},
};

pub(crate) fn analysis_of(text: &str) -> Analysis {
    let roots = ["/w".to_owned()];
    let settings = Settings { home: Some("/home/u"), ..Settings::new("/w", &roots) };
    analyze(text, &settings)
}

/// A text with a command that ran and is not in its plan.
#[derive(Debug)]
pub(crate) struct Hidden {
    pub(crate) text: String,
    pub(crate) ran: Command,
}

/// How many texts and commands there were, and how many of which the analysis knows everything.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub(crate) texts: usize,
    /// Accepted by the parser, and not opaque.
    pub(crate) clear_texts: usize,
    /// Reported by stubs.
    pub(crate) commands: usize,
    pub(crate) clear_commands: usize,
    /// Reported by the trace.
    pub(crate) traced: usize,
    pub(crate) clear_traced: usize,
    /// The clock ended them.
    pub(crate) killed: usize,
}

impl Count {
    pub(crate) fn add(&mut self, other: Self) {
        self.texts += other.texts;
        self.clear_texts += other.clear_texts;
        self.commands += other.commands;
        self.clear_commands += other.clear_commands;
        self.traced += other.traced;
        self.clear_traced += other.clear_traced;
        self.killed += other.killed;
    }
}

/// Runs the texts both ways and yields what their plans hide.
pub(crate) fn hidden_in(texts: &[String]) -> (Vec<Hidden>, Count) {
    let analyses: Vec<Analysis> = texts.iter().map(|text| analysis_of(text)).collect();
    let jobs: Vec<Job> = texts
        .iter()
        .zip(&analyses)
        .flat_map(|(text, analysis)| {
            let refused = analysis.error.is_some();
            [0, 1].map(|status| Job { text: text.clone(), status, check: refused && status == 0 })
        })
        .collect();
    let results: Vec<Ran> = sandbox::run_all(&jobs);
    let mut hidden = Vec::new();
    let mut count = Count { texts: texts.len(), ..Count::default() };
    for ((text, analysis), both) in texts.iter().zip(&analyses).zip(results.chunks(2)) {
        count.killed += both.iter().filter(|ran| !ran.over).count();
        // Of what only the parser refuses nothing is said, even where bash refuses something behind it.
        let unsupported = analysis.error.as_ref().is_some_and(|error| error.kind == ErrorKind::Unsupported);
        if unsupported || analysis.error.is_some() && both[0].grammatical != Some(false) {
            continue;
        }
        let clear = usize::from(analysis.opaque.is_none());
        count.clear_texts += if analysis.error.is_none() { clear } else { 0 };
        for ran in both {
            count.commands += ran.commands.len();
            count.clear_commands += clear * ran.commands.len();
            count.traced += ran.traced.len();
            count.clear_traced += clear * ran.traced.len();
        }
        let mut all = both.iter().flat_map(|ran| {
            let builtins = ran.traced.iter().filter(|ran| !defines(text, &ran.words[0]));
            ran.commands.iter().chain(builtins)
        });
        hidden.extend(
            all.find(|ran| !cover::covers(analysis, ran))
                .map(|ran| Hidden { text: text.clone(), ran: ran.clone() }),
        );
    }
    // A process that outlives its text is not the next one's fault: what was found must be found alone too.
    hidden.retain(|case| {
        let alone = [0, 1].map(|status| Job { text: case.text.clone(), status, check: false });
        alone.iter().any(|job| {
            let ran = sandbox::run(std::slice::from_ref(job));
            ran.iter().any(|ran| ran.commands.contains(&case.ran) || ran.traced.contains(&case.ran))
        })
    });
    (hidden, count)
}

/// Whether the text may make a function of this name, so that the trace is of a call of that.
fn defines(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        text[at + name.len()..].trim_start().starts_with('(') || text[..at].trim_end().ends_with("function")
    })
}

pub(crate) fn report(hidden: &[Hidden]) -> String {
    hidden
        .iter()
        .map(|case| format!("{:?} runs {:?} in {}\n", case.text, case.ran.words, case.ran.directory))
        .collect()
}
