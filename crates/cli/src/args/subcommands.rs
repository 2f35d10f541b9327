//! The commands and the arguments of those that only judge, list or edit.

use std::path::PathBuf;

use super::{
    RunArgs, SandboxRunArgs,
    names::{MODES, Names},
};

/// A command.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum Command {
    /// Decide, ask if needed, run confined, offer one wider retry, record
    Run(RunArgs),
    /// Decide one call, or many with --batch, without running anything
    Check(CheckArgs),
    /// Show how a decision came about: every gate, the rule, the command's parts
    Explain(ExplainArgs),
    /// List, change and try rules
    #[command(subcommand)]
    Rules(RulesCommand),
    /// The kernel sandbox alone
    #[command(subcommand)]
    Sandbox(SandboxCommand),
    /// What shell text would do, as JSON
    #[command(subcommand)]
    Shell(ShellCommand),
    /// Which projects may bring settings, hooks and servers of their own
    #[command(subcommand)]
    Trust(TrustCommand),
    /// Read the log of decisions, answers and runs
    #[command(subcommand)]
    Log(LogCommand),
    /// Whether settings, rules, sandbox, trust, hooks and log are in order here: exit 0 all is well, 1 something is not
    Doctor,
    /// Print completions for a shell
    Completions(CompletionsArgs),
}

/// One tool call to judge.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct CallArgs {
    /// The tool's name (with --args)
    #[arg(long, value_name = "T", conflicts_with = "command")]
    pub(crate) tool: Option<String>,

    /// The call's arguments as a JSON object; `-` reads standard input
    #[arg(long, value_name = "JSON", requires = "tool")]
    pub(crate) args: Option<String>,

    /// A shell command, judged as a call of Bash; `-` reads standard input
    #[arg(value_name = "TEXT", conflicts_with_all = ["tool", "command"])]
    pub(crate) text: Option<String>,

    /// A shell command like TEXT alone; given this way it may begin with a dash
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) command: Option<String>,

    /// Behind `--`: a command as the words it is, judged as `run -- CMD` judges it; one word alone is a TEXT
    #[arg(last = true, value_name = "CMD", conflicts_with_all = ["tool", "text", "command"])]
    pub(crate) words: Vec<String>,
}

/// `check`
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
A request of --batch is an object {\"id\", \"tool\", \"arguments\"}, with other fields as needed. What it leaves out has \
the defaults of the batch format, which are not those of a single check: no settings are read where `rules` are given \
(\"settings\":\"load\" reads them as well), and settings that are read count as those of an untrusted project unless \
\"trusted\" is true. Other fields: settings, rules, session, cli, trusted, mode, root, cwd, home, profile, engine, env, \
shell, agent, workspace, tools, interactive, confinedAuto, hides, allowExternalPaths; the README of this program has \
the table. An object with a key twice is refused.

A rule in `rules` is {\"rule\", \"scope\"}, or a text, which is of scope user; those of `session` are of scope session, those \
of `cli` of scope cli. In profile claude a path /x in a file rule is anchored by that scope: user at ~/.claude below `home`, \
project at `root`, local, session and cli at `cwd`, managed at the root of the file system. //x is absolute in every one.")]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) call: CallArgs,

    /// Read JSON Lines from standard input (or FILE) and write one result a line, in order; 125 when one of
    /// them cannot be judged. Fields that mean nothing here are named in `ignored`
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-", conflicts_with_all = ["tool", "command", "text", "words"])]
    pub(crate) batch: Option<String>,

    /// Add the rule that would be offered
    #[arg(long)]
    pub(crate) suggest: bool,

    #[command(flatten)]
    pub(crate) host: HostArgs,
}

/// What whoever runs the call can do.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct HostArgs {
    /// For a host that neither hides files from what it runs nor shuts it in: ask about what is allowed only there. A
    /// line of --batch may say otherwise (`hides`, `confinedAuto`)
    #[arg(long)]
    pub(crate) unconfined: bool,
}

/// `explain`
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    #[command(flatten)]
    pub(crate) call: CallArgs,

    #[command(flatten)]
    pub(crate) host: HostArgs,
}

/// `rules`
#[derive(Debug, clap::Subcommand)]
pub(crate) enum RulesCommand {
    /// Every rule in force, with its list, scope, file and line
    List,
    /// Save a rule: exit 0 it stands in the list
    Add(EditArgs),
    /// Remove a rule, named as `rules list` shows it: exit 0 removed, 1 there was none
    Remove(EditArgs),
    /// Try a call: exit 0 allow, 1 ask, 2 deny
    Test(CallArgs),
    /// The rule that would be offered for a call
    Suggest(CallArgs),
    /// Find rules that do nothing, allow too much or can be got around: exit 0 clean, 1 findings, 2 could not run
    Lint(LintArgs),
    /// What other settings would change for calls: exit 0 nothing, 1 some decision
    Diff(DiffArgs),
}

/// `rules diff`
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct DiffArgs {
    /// The settings file to compare with those in force
    #[arg(long, value_name = "FILE")]
    pub(crate) candidate: PathBuf,

    /// The scope whose file it would replace (default: every settings file but the administrator's)
    #[arg(long = "as", value_enum, value_name = "SCOPE")]
    pub(crate) scope: Option<ScopeName>,

    /// The mode to compare with (default: the candidate's, else the one in force)
    #[arg(long, value_name = "M", value_parser = Names(MODES), hide_possible_values = true)]
    pub(crate) candidate_mode: Option<String>,

    /// The engine to compare with: v2 folds tool names, v1 does not (default: the one in force)
    #[arg(long, value_enum, value_name = "V")]
    pub(crate) candidate_engine: Option<EngineName>,

    /// Calls in JSON Lines: a log, or requests with `tool` and `arguments`, or with `command`; `-` reads standard
    /// input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["text", "command", "tool"])]
    pub(crate) calls: Option<String>,

    #[command(flatten)]
    pub(crate) call: CallArgs,
}

/// Engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum EngineName {
    /// Tool names as they are spelled
    V1,
    /// Tool names folded
    V2,
}

/// `rules lint`
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LintArgs {
    /// Settings files to look at (default: all that are in force here)
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// A finding that is known and accepted: `KIND`, or `KIND:RULE` such as `evaded:Bash(git push:*)`; may be repeated
    #[arg(long, value_name = "FINDING")]
    pub(crate) accept: Vec<String>,
}

/// A rule to save or remove.
#[derive(Clone, Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["rule", "pattern", "regex"]))]
pub(crate) struct EditArgs {
    /// The rule, such as `Bash(git diff:*)`, or a rule object in JSON
    pub(crate) rule: Option<String>,

    /// A rule object for texts that are this, with `*` for anything (deny, ask, alwaysAsk)
    #[arg(long, value_name = "TEXT")]
    pub(crate) pattern: Option<String>,

    /// A rule object for texts in which this regular expression matches (deny, ask, alwaysAsk)
    #[arg(long, value_name = "RE")]
    pub(crate) regex: Option<String>,

    /// The tool that the rule object is about; may be given again (default: Bash)
    #[arg(long, value_name = "T", conflicts_with = "rule")]
    pub(crate) tool: Vec<String>,

    /// What the person and the agent are told when the rule decides; not compared when a rule is removed
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,

    /// The list it belongs to
    #[arg(long, value_enum, value_name = "LIST")]
    pub(crate) list: ListName,

    /// The settings file it belongs to
    #[arg(long, value_enum, value_name = "SCOPE")]
    pub(crate) scope: ScopeName,
}

/// Lists of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ListName {
    /// Lets calls through
    Allow,
    /// Stops calls
    Deny,
    /// Asks
    Ask,
    /// Asks every time
    #[value(name = "alwaysAsk")]
    AlwaysAsk,
    /// Withdraws allow rules of broader scopes
    Restrict,
}

/// Settings files that can be edited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ScopeName {
    /// The user's own
    User,
    /// The project's
    Project,
    /// The project's, of this user alone
    Local,
}

/// `sandbox`
#[derive(Debug, clap::Subcommand)]
pub(crate) enum SandboxCommand {
    /// Which back ends work here, and what they leave open
    Probe,
    /// Run a command confined, without any decision
    Run(SandboxRunArgs),
}

/// `shell`
#[derive(Debug, clap::Subcommand)]
pub(crate) enum ShellCommand {
    /// Every program it runs, and what prevents it from being read-only
    Analyze(ShellTextArgs),
    /// What it would read, write, delete, execute
    Effects(ShellTextArgs),
    /// The words of one simple command after quote removal
    Split(ShellTextArgs),
    /// The innermost text behind `bash -c` and `env`, and the command that gives it its name
    Unwrap(ShellTextArgs),
    /// A rule's payload in its normal form
    Normalize(ShellTextArgs),
    /// Whether everything it does stays inside directories; exit 0 if so, else 1 with every reason
    Confined(ConfinedArgs),
}

/// A text to analyse.
#[derive(Clone, Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(crate) struct ShellTextArgs {
    /// The text to look at; `-` reads standard input
    #[arg(allow_hyphen_values = true)]
    pub(crate) text: Option<String>,

    /// A text like TEXT alone
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) command: Option<String>,

    /// Read JSON Lines `{id, command, cwd?, home?, shell?, roots?}` from standard input; one result a line.
    /// 125 when one of them has no answer
    #[arg(long)]
    pub(crate) batch: bool,
}

/// `shell confined`
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "\
A text stays inside when its programs are among cat, cd, cp, echo, find, git, head, ls, mkdir, mv, printf, rm, sleep, \
sort, split, tail and wc, and every path that it reads, writes or removes, redirections included, lies in a root. Any \
other program may leave.

Of git: what works on the repository there, with its index, branches and worktrees. A remote has to be given by its \
name, never by an address, and nothing is written below `.git` by hand; where a remote of that name leads, and which hooks and programs the repository's \
configuration names, is not looked at: the roots are directories whose repositories the caller has set up. Options \
that name a program, another repository or another configuration leave.")]
pub(crate) struct ConfinedArgs {
    /// A directory to stay in; may be given several times, and left out with --batch where every request has `roots`
    #[arg(long = "root", value_name = "DIR", required_unless_present = "batch")]
    pub(crate) roots: Vec<PathBuf>,

    /// A variable that the shell starts with for certain
    #[arg(long = "env", value_name = "NAME=VALUE")]
    pub(crate) environment: Vec<String>,

    #[command(flatten)]
    pub(crate) text: ShellTextArgs,
}

/// `trust`
#[derive(Debug, clap::Subcommand)]
pub(crate) enum TrustCommand {
    /// What the project brings along, and whether it is loaded
    Status(TrustArgs),
    /// Load what the project brings, as it is now; a change has to be confirmed
    Allow(TrustArgs),
    /// Do not load what the project brings
    Deny(TrustArgs),
    /// Take back what was decided: exit 0 taken back, 1 nothing was decided
    Forget(TrustArgs),
    /// Every decision, or those at and below DIR
    List(TrustArgs),
}

/// A project.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct TrustArgs {
    /// The project's directory (default: the project root here; with `list` every directory)
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
}

/// `log`
#[derive(Debug, clap::Subcommand)]
pub(crate) enum LogCommand {
    /// Print events
    Show(LogShowArgs),
}

/// `log show`
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct LogShowArgs {
    /// The log file (default: SESSION.jsonl, or every session's, below the state directory)
    #[arg(long, value_name = "PATH")]
    pub(crate) log: Option<PathBuf>,

    /// Only this session
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,

    /// Only calls of this tool
    #[arg(long, value_name = "T")]
    pub(crate) tool: Option<String>,

    /// Only decisions of this kind: allow, deny, ask or alwaysAsk
    #[arg(long, value_name = "D", value_parser = ["allow", "deny", "ask", "alwaysAsk"])]
    pub(crate) decision: Option<String>,

    /// Only what this rule decided
    #[arg(long, value_name = "RULE")]
    pub(crate) rule: Option<String>,

    /// Only events of this kind, such as `sandbox/run`
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,

    /// Only the last N events
    #[arg(long, value_name = "N")]
    pub(crate) last: Option<usize>,
}

/// `completions`
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}
