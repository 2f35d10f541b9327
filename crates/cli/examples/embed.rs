//! From settings files to a decision, as an agent embeds it: crate loader reads the files, crate matcher compiles
//! their rules, crate permissions decides. `tests/embed.rs` holds it to what it answers.
//!
//! `cargo run -p portcullis-cli --example embed -- ROOT 'git push'`

use std::{path::Path, process::ExitCode, sync::Arc, time::SystemTime};

use portcullis_loader::{Judges, Layout, Loader, NothingSaved, Places};
use portcullis_matcher::{Anchors, Conventions, Mode, RuleSet};
use portcullis_paths::{OsResolver, SensitivePaths, Table, ignores_case};
use portcullis_permissions::{Context, GateConventions, ToolCall, Verdict, decide};

/// One project. A host that runs for long keeps it: a call costs a look at the files, and no more while none changed.
pub(crate) struct Project {
    loader: Loader,
    root: String,
    home: Option<String>,
}

impl Project {
    /// `root` and `home` are absolute, and come from the host: no crate asks the process for them.
    pub(crate) fn new(root: &str, home: Option<&str>) -> Self {
        let places = Places::new(home.map(Path::new), None, Path::new(root));
        Self {
            loader: Loader::new(Layout::portcullis(&places)),
            root: root.to_owned(),
            home: home.map(str::to_owned),
        }
    }

    /// Decides a call, proposed by an agent that works in `cwd`. What is wrong with the settings is for a person to see.
    pub(crate) fn decide(&self, call: &ToolCall, cwd: &str) -> (Verdict, Vec<String>) {
        // Whether a project may loosen anything is the host's question to a person; this one says no, so that what a
        // repository brings can only tighten.
        let judges =
            Judges { trust: &|_: &Path, _: &[u8]| false, saved: &NothingSaved, tracked: &|_: &Path| true };
        let loaded = self.loader.load(Path::new(cwd), &judges, SystemTime::now());
        let mut told: Vec<String> = loaded.diagnostics.iter().map(ToString::to_string).collect();

        let anchors = Anchors {
            project_root: self.root.clone(),
            start_directory: cwd.to_owned(),
            home: self.home.clone(),
            user_settings: self.home.as_ref().map(|home| format!("{home}/.config/portcullis")),
        };
        let conventions =
            Conventions { fold_case: ignores_case(Path::new(&self.root)), ..Conventions::portcullis() };
        // A host keeps this too, for as long as `loaded` is the same (`Arc::ptr_eq`).
        let rules = RuleSet::compile(Arc::new(loaded.rules.clone()), &anchors, &conventions);
        told.extend(rules.errors().iter().map(ToString::to_string));

        let mode = loaded.rules.mode.as_ref().map_or(Mode::Standard, |(mode, _)| *mode);
        let (sensitive, unreadable) = self.sensitive(&loaded.settings);
        let context = Context {
            cwd: cwd.to_owned(),
            home: self.home.clone(),
            degraded: loaded.degraded.clone().or(unreadable),
            sensitive: Arc::new(sensitive),
            resolver: Some(Arc::new(OsResolver)),
            judge_paths: loaded.files.iter().map(|file| file.path.to_string_lossy().into_owned()).collect(),
            ..Context::bare(self.root.clone(), mode, GateConventions::portcullis())
        };
        (decide(call, &context, &rules), told)
    }

    /// The tables of secrets and protected paths, as settings adjust them; or why they could not be.
    fn sensitive(&self, settings: &portcullis_loader::Settings) -> (SensitivePaths, Option<String>) {
        let mut tables = SensitivePaths::standard(self.home.as_deref());
        for (table, by) in [(Table::Secret, &settings.secrets), (Table::Protected, &settings.protected)] {
            let texts = |list: &[portcullis_loader::Sourced<String>]| -> Vec<String> {
                list.iter().map(|glob| glob.value.clone()).collect()
            };
            match tables.clone().adjust(table, &texts(&by.add), &texts(&by.remove)) {
                Ok(adjusted) => tables = adjusted,
                Err(error) => return (tables, Some(error.to_string())),
            }
        }
        (tables, None)
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [root, command] = arguments.as_slice() else {
        eprintln!("usage: embed ROOT COMMAND");
        return ExitCode::from(2);
    };
    let project = Project::new(root, std::env::var("HOME").ok().as_deref());
    let (verdict, told) = project.decide(&ToolCall::shell(command), root);
    told.iter().for_each(|one| eprintln!("{one}"));
    let rule = verdict.rule.map(|rule| format!(" ({})", rule.label)).unwrap_or_default();
    println!("{}: {}{rule}", verdict.decision.as_str(), verdict.reason);
    ExitCode::SUCCESS
}
