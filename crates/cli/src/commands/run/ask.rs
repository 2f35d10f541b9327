//! The person: whether one can be asked, and the questions that `run` has.

use std::{path::Path, sync::Arc, time::Duration};

use portcullis_approval::{
    Access, AskError, Cancel, Decided, Desk, Offer, Outcome, Permit, Policy, Preview, PreviewParts, Request,
    RuleStore, StoreError, Why, terminal,
};
use portcullis_loader::{Layout, ListKind, Scope, save};
use portcullis_matcher::RuleSet;
use portcullis_paths::{is_within, normalize};
use portcullis_permissions::{Context, Decision, OfferedScope, ToolCall, Verdict, suggest};
use portcullis_sandbox::{Mode, Network, tripwire};
use portcullis_shell_analysis::{EffectKind, PathTarget};

use super::{policy::RunPolicy, proposal::Proposal};
use crate::{
    args::Options,
    commands::{describe, journal::Journal},
    exit::Exit,
    report::Report,
    session::{self, Keeper, Session, Surroundings},
};

/// What became of a call whose question got no yes: before the first run of it, and before the wider one.
const NOTHING: &str = "nothing was run";
const NOT_AGAIN: &str = "it was not run again, and what the confined run did stays done";

/// Asks the person at the terminal, if there is one.
pub(super) struct Asker {
    desk: Desk,
    session: String,
    cwd: String,
    deadline: Option<Duration>,
    layout: Layout,
    /// Why nobody can be asked.
    absent: Option<String>,
}

impl Asker {
    /// Looks for somebody to ask.
    pub(super) fn new(
        session: &Session,
        options: &Options,
        surroundings: &Surroundings,
        journal: &Journal,
        id: &str,
    ) -> Self {
        let mut desk = Desk::new(Policy::Ask, journal.log());
        let state = session::state_directory(surroundings, session.home.as_deref());
        desk = desk.store(Arc::new(Settings {
            layout: session.layout.clone(),
            state,
            keeper: session.keeper.clone(),
        }));
        let (desk, absent) = with_terminal(desk, options, surroundings);
        let deadline = session.loaded.settings.ask_timeout_ms.as_ref();
        Self {
            desk,
            session: id.to_owned(),
            cwd: session.cwd.clone(),
            deadline: deadline.map(|limit| Duration::from_millis(u64::from(limit.value))),
            layout: session.layout.clone(),
            absent,
        }
    }

    /// Somebody can be asked.
    pub(super) fn can_ask(&self) -> bool {
        self.absent.is_none()
    }

    /// Puts the question of a verdict; the permit is for one run of exactly this call.
    ///
    /// # Errors
    /// Everything but an explicit yes: 126.
    pub(super) fn ask(
        &self,
        proposal: &Proposal,
        verdict: &Verdict,
        context: &Context,
        session: &Session,
        policy: &RunPolicy,
        shortfall: Option<&str>,
    ) -> Result<Permit, Report> {
        let call = &proposal.call;
        let preview = self.preview(call, context, policy, None);
        let mut why = describe::why(verdict);
        why.effects.extend(shortfall.map(ToOwned::to_owned));
        why.effects.extend(private_writes(verdict, policy));
        let mut request = self.request(preview, why);
        if verdict.decision == Decision::Ask {
            request.offer = self.offer(call, context, &session.rules);
        }
        let place = verdict.rule.iter().chain(&verdict.possible).find_map(|rule| describe::labelled(rule).1);
        let reason = [Some(&*describe::reason(verdict)), shortfall];
        let reason = reason.into_iter().flatten().collect::<Vec<_>>().join("; ");
        self.put(request, &reason, NOTHING).map_err(|refused| match place {
            Some(place) => refused.at(place),
            None => refused,
        })
    }

    /// Offers one wider run of a call that the kernel stopped.
    ///
    /// # Errors
    /// Everything but an explicit yes.
    pub(super) fn widen(
        &self,
        call: &ToolCall,
        context: &Context,
        policy: &RunPolicy,
        to: Access,
        detail: Option<&str>,
    ) -> Result<Permit, Report> {
        let preview = self.preview(call, context, policy, Some(to));
        let mut why = Why {
            reason: format!("the sandbox denied access under {}", policy.policy.mode.as_str()),
            gate: "sandbox".to_owned(),
            ..Why::default()
        };
        if let Some(detail) = detail {
            why.explanation.push(detail.to_owned());
            why.effects.push(detail.to_owned());
        }
        self.put(self.request(preview, why), "a wider run of it", NOT_AGAIN)
    }

    fn preview(
        &self,
        call: &ToolCall,
        context: &Context,
        policy: &RunPolicy,
        widening: Option<Access>,
    ) -> Preview {
        let blocked = policy.policy.network == Network::Blocked;
        let access = widening.unwrap_or_else(|| access(policy.policy.mode));
        Preview::new(PreviewParts {
            tool: call.name.clone(),
            arguments: call.arguments.clone(),
            cwd: self.cwd.clone(),
            mode: context.mode.as_str().to_owned(),
            confinement: Some((access, blocked)),
            widening,
            diff: None,
        })
    }

    fn request(&self, preview: Preview, why: Why) -> Request {
        let mut request = Request::new(self.session.clone(), preview, why);
        request.deadline = self.deadline;
        request
    }

    fn put(&self, request: Request, reason: &str, happened: &str) -> Result<Permit, Report> {
        let preview = request.preview.clone();
        let offered = request.offer.is_some();
        let decided = self.desk.ask(request, &Cancel::new()).map_err(|error| match error {
            AskError::Unrecorded { .. } => Report::failure("log", error.to_string()),
            _ => Report::failure("approval", error.to_string()),
        })?;
        if decided.outcome != Outcome::AllowedOnce {
            return Err(self.refusal(&decided, reason, happened, offered));
        }
        let redeemed = decided.into_grant().map(|grant| grant.redeem(&preview));
        match redeemed {
            Some(Ok(permit)) => Ok(permit),
            Some(Err(mismatch)) => Err(Report::failure("approval", mismatch.to_string()).exit(Exit::Refused)),
            None => Err(Report::failure("approval", "the answer grants nothing").exit(Exit::Refused)),
        }
    }

    fn refusal(&self, decided: &Decided, reason: &str, happened: &str, offered: bool) -> Report {
        let report = match (decided.outcome, decided.detail.as_deref()) {
            (Outcome::Rejected, _) => {
                let comment = decided.comment.as_deref().map(|comment| format!(": {comment}"));
                Report::failure("rejected", format!("rejected{}; {happened}", comment.unwrap_or_default()))
            }
            (Outcome::Cancelled, _) => {
                Report::failure("cancelled", format!("no answer ({reason}); {happened}"))
            }
            (_, Some("expired")) => {
                Report::failure("expired", format!("nobody answered in time ({reason}); {happened}"))
                    .remedy("run it again, or raise permissions.askTimeoutMs")
            }
            (_, detail) => {
                let why = self.absent.as_deref().or(detail).unwrap_or("nobody can be asked");
                Report::failure("unanswered", format!("needs a person: {why} ({reason}); {happened}")).remedy(
                    if offered {
                        "run it in a terminal, or allow it by a rule (`portcullis rules suggest`)"
                    } else {
                        "run it in a terminal"
                    },
                )
            }
        };
        report.exit(Exit::Refused)
    }

    /// The rule that "always" would save.
    fn offer(&self, call: &ToolCall, context: &Context, rules: &RuleSet) -> Option<Offer> {
        let suggestion = suggest(call, context, rules)?;
        if !suggestion.allow_persistence || suggestion.rules.is_empty() {
            return None;
        }
        let scope = match suggestion.scope {
            OfferedScope::Project => Scope::Project,
            OfferedScope::User => Scope::User,
            // A one-shot run has no session that could remember.
            _ => Scope::Local,
        };
        let file = self.layout.file(scope)?.display().to_string();
        Some(Offer { rules: suggestion.rules, scope, file })
    }
}

/// What a person would look for in vain afterwards: a confined run has a `/tmp` of its own.
fn private_writes(verdict: &Verdict, policy: &RunPolicy) -> Option<String> {
    let private = |path: &str| {
        let path = normalize(path);
        is_within(&path, "/tmp") && !policy.policy.workspace.iter().any(|root| is_within(&path, root))
    };
    let effects = verdict
        .shell
        .iter()
        .flat_map(|(_, analysis)| &analysis.invocations)
        .flat_map(|invocation| &invocation.effects);
    let lost = policy.policy.mode != Mode::DangerFullAccess
        && effects
            .into_iter()
            .any(|effect| matches!(&effect.kind, EffectKind::Write(PathTarget::Path(path)) if private(path)));
    lost.then(|| "what it writes below /tmp is gone with the run: that folder is its own".to_owned())
}

/// The terminal answers, if there is one.
fn with_terminal(desk: Desk, options: &Options, surroundings: &Surroundings) -> (Desk, Option<String>) {
    match person(options, surroundings) {
        #[cfg(unix)]
        Ok(terminal) => (desk.answerer(Arc::new(terminal)), None),
        #[cfg(not(unix))]
        Ok(never) => match never {},
        Err(absent) => (desk, Some(absent)),
    }
}

/// The controlling terminal, unless the environment says that an agent drives it; else why nobody can be asked.
#[cfg(unix)]
pub(super) fn person(options: &Options, surroundings: &Surroundings) -> Result<terminal::Terminal, String> {
    if let Some(name) = terminal::agent_drives(&surroundings.environment) {
        return Err(format!("an agent drives this terminal ({name} is set)"));
    }
    let style = terminal::Style { colour: options.colours(surroundings, true) };
    let named = surroundings.terminal().and_then(|path| terminal::Terminal::open(&path, style).ok());
    // Its own name may lie outside our view of the file system, or belong to the user that we were.
    named
        .map_or_else(|| terminal::Terminal::open(Path::new("/dev/tty"), style), Ok)
        .map_err(|_| "no terminal".to_owned())
}

#[cfg(not(unix))]
pub(super) fn person(_: &Options, surroundings: &Surroundings) -> Result<std::convert::Infallible, String> {
    Err(match terminal::agent_drives(&surroundings.environment) {
        Some(name) => format!("an agent drives this terminal ({name} is set)"),
        None => "no terminal".to_owned(),
    })
}

/// "Always" goes to the settings files.
struct Settings {
    layout: Layout,
    /// Where tripwires of runs that go on learn of it.
    state: Option<String>,
    /// Who learns that the person wrote it.
    keeper: Keeper,
}

impl RuleStore for Settings {
    fn save(&self, offer: &Offer) -> Result<(), StoreError> {
        for rule in &offer.rules {
            let saved = save(&self.layout, rule, ListKind::Allow, offer.scope, &self.keeper)
                .map_err(|error| StoreError(error.to_string()))?;
            if let Some(state) = &self.state {
                tripwire::acknowledge(Path::new(state), &saved.file);
            }
        }
        Ok(())
    }
}

/// The sandbox's mode in approval's words.
pub(crate) const fn access(mode: Mode) -> Access {
    match mode {
        Mode::ReadOnly => Access::ReadOnly,
        Mode::WorkspaceWrite => Access::WorkspaceWrite,
        _ => Access::DangerFullAccess,
    }
}

/// And back.
pub(super) const fn mode(access: Access) -> Mode {
    match access {
        Access::ReadOnly => Mode::ReadOnly,
        Access::WorkspaceWrite => Mode::WorkspaceWrite,
        Access::DangerFullAccess => Mode::DangerFullAccess,
    }
}
