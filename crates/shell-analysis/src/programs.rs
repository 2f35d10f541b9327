//! What known programs do with their words. Specifications are allow-lists: a
//! flag or subcommand that is not listed makes the invocation opaque.

mod build;
mod by_address;
mod flag_table;
pub(crate) mod flags;
mod listing;
pub(crate) mod spec;
mod tables;
mod targets;

mod archives;
mod awk;
mod binutils;
mod builtin;
mod cargo_config;
mod clouds;
mod code;
mod compare;
mod compilers;
mod containers;
mod copies;
mod curl;
mod databases;
mod files;
mod find;
mod gh;
mod git;
mod git_configuration;
mod git_objects;
mod git_pathspec;
mod git_repository;
mod git_tables;
mod git_writer_tables;
mod git_writers;
mod golang;
mod hardware;
mod hosts;
mod infrastructure;
mod json;
mod keys;
mod kubernetes;
mod languages;
mod letta;
mod machine;
mod media;
mod native;
mod network;
mod node;
mod pagers;
mod platforms;
mod process_links;
mod processes;
mod project_overrides;
mod python;
mod python_library;
mod python_tools;
mod rust;
mod search;
mod sed;
mod sockets;
mod spelled_out;
mod subcommands;
mod syntax_checks;
mod tar;
mod text;
mod transfer;
mod verb_index;
mod web;
mod wildcard_flags;
mod writers;

pub(crate) use build::Build;
pub use listing::{FlagRole, FlagValue, Specification, SpecifiedFlag, specifications};
pub(crate) use process_links::{Behind, behind};
pub(crate) use syntax_checks::only_checks;
pub(crate) use targets::{each_target, targets};

use crate::{
    Effect, EffectKind, Invocation, PathTarget, Redirection, RedirectionTarget, Settings, Value, look::Look,
    tree::RedirectOp,
};

/// What the plan already knows of an invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nothing: look the program up.
    Look,
    /// It has no effects beyond those that are pending and its redirections.
    Nothing,
    /// It runs another program, and no rule but its own lets it.
    Launcher,
}

/// Where the system's own programs live: `/usr/bin/git` is `git`, `./git` is not.
pub(crate) fn standard_location(program: &str) -> bool {
    match program.bytes().rposition(|byte| byte == b'/') {
        None => true,
        Some(slash) => matches!(
            program.get(..slash).unwrap_or_default(),
            "/bin"
                | "/usr/bin"
                | "/usr/local/bin"
                | "/sbin"
                | "/usr/sbin"
                | "/usr/local/sbin"
                | "/opt/homebrew/bin"
        ),
    }
}

/// Fills effects, hazards, code and `specified`.
pub(crate) fn fill(invocation: &mut Invocation, settings: &Settings<'_>, look: &Look<'_>, known: Known) {
    let clean = invocation.effects.iter().all(|effect| !matches!(effect.kind, EffectKind::Opaque(_)));
    let mut effects = std::mem::take(&mut invocation.effects);
    let mut hazards = Vec::new();
    match known {
        Known::Nothing => invocation.specified = clean,
        Known::Launcher => {
            invocation.specified = clean;
            effects.push(Effect {
                kind: EffectKind::Execute(Value::Unknown),
                redirection: false,
                span: invocation.span,
            });
        }
        Known::Look if invocation.words.is_empty() => invocation.specified = clean,
        Known::Look => {
            let mut build = Build::new(invocation, settings, look, &mut effects, &mut hazards);
            build.look_up();
            build.read_behind_links();
            let (mut specified, mut code) = (build.specified, std::mem::take(&mut build.code));
            for words in wildcard_flags::readings(invocation, settings, look) {
                let other = Invocation { words, effects: Vec::new(), ..invocation.clone() };
                let (mut found, mut marked) = (Vec::new(), Vec::new());
                let mut build = Build::new(&other, settings, look, &mut found, &mut marked);
                build.look_up();
                build.read_behind_links();
                specified &= build.specified;
                code.append(&mut build.code);
                for effect in found {
                    if !effects.contains(&effect) {
                        effects.push(effect);
                    }
                }
                // A flag among the matches is one that no rule spells out.
                let spans = marked.iter().filter_map(|index| other.words.get(*index)).map(|word| word.span);
                for span in spans {
                    hazards.extend(
                        invocation
                            .words
                            .iter()
                            .position(|word| word.span == span && matches!(word.value, Value::Glob(_))),
                    );
                }
            }
            invocation.specified = clean && specified;
            invocation.code = code;
        }
    }
    if known != Known::Nothing {
        spelled_out::find(invocation, &mut hazards);
    }
    for index in hazards {
        if let Some(word) = invocation.words.get_mut(index) {
            word.hazard = true;
            // Such a flag's value may be a command of its own: rules look at its words.
            if let Some(text) = word.value.known().filter(|text| text.contains([' ', '=', '!', '\t', '\n'])) {
                invocation.code.push(text.to_owned());
            }
        }
    }
    if known == Known::Launcher {
        if containers::is_run(invocation) {
            let mut found = Vec::new();
            let mut build = Build::new(invocation, settings, look, &mut effects, &mut found);
            containers::opens_host(&mut build);
            for index in found {
                if let Some(word) = invocation.words.get_mut(index) {
                    word.hazard = true;
                }
            }
        }
        if invocation.base_name() == Some("git") {
            let mut found = Vec::new();
            git_writers::launches(&mut Build::new(invocation, settings, look, &mut effects, &mut found));
        }
        // `ssh -o ProxyCommand=...` runs something beside the inner command.
        let texts = invocation.words.iter().filter_map(|word| word.value.known());
        let texts = texts.filter(|text| speaks_of_commands(text));
        invocation.code.extend(texts.map(str::to_owned).collect::<Vec<_>>());
    }
    for redirection in &invocation.redirections {
        redirected(redirection, invocation, look, &mut effects);
    }
    invocation.effects = effects;
}

/// Whether `command` stands in it, whatever the case of its letters.
fn speaks_of_commands(text: &str) -> bool {
    text.as_bytes().windows(7).any(|window| window.eq_ignore_ascii_case(b"command"))
}

/// What a redirection does.
fn redirected(
    redirection: &Redirection,
    invocation: &Invocation,
    look: &Look<'_>,
    effects: &mut Vec<Effect>,
) {
    let RedirectionTarget::File(value) = &redirection.target else { return };
    let mut push = |kind| effects.push(Effect { kind, redirection: true, span: redirection.span });
    if let Some(text) = value.known() {
        if let Some(endpoint) = text.strip_prefix("/dev/tcp/").or_else(|| text.strip_prefix("/dev/udp/")) {
            push(EffectKind::Network(Some(endpoint.to_owned())));
            return;
        }
        if text == "/dev/null" {
            return;
        }
    }
    let (reads, writes) = match redirection.op {
        RedirectOp::Read => (true, false),
        RedirectOp::DupInput => {
            push(EffectKind::Opaque("a descriptor that is not known".into()));
            return;
        }
        RedirectOp::ReadWrite => (true, true),
        RedirectOp::HereDoc | RedirectOp::HereString => return,
        RedirectOp::Write
        | RedirectOp::Clobber
        | RedirectOp::Append
        | RedirectOp::DupOutput
        | RedirectOp::WriteBoth
        | RedirectOp::AppendBoth => (false, true),
    };
    each_target(value, &invocation.directories, look, |target| match (reads, writes) {
        (true, false) => push(EffectKind::Read { path: target, recursive: false }),
        (true, true) => {
            push(EffectKind::Read { path: target.clone(), recursive: false });
            push(EffectKind::Write(target));
        }
        (false, _) => push(EffectKind::Write(target)),
    });
}

/// Paths that every program may open and that hold nothing.
pub(crate) fn is_null_device(target: &PathTarget) -> bool {
    match target {
        PathTarget::Path(path) => {
            matches!(path.as_str(), "/dev/null" | "/dev/stdin" | "/dev/zero")
                || path
                    .strip_prefix("/dev/fd/")
                    .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
        }
        _ => false,
    }
}
