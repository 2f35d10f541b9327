//! Permission rules for coding agents: their syntax, their normal forms, and rule sets compiled for matching.
//!
//! A rule names a tool and what of its calls: `Bash(git push:*)`, `Read(src/**)`, `WebFetch(domain:docs.rs)`,
//! `mcp__github`. [`RuleSet::compile`] reads the lists of rules once; then [`RuleSet::first_match`] says which
//! rule of a restricting list certainly matches a call, [`RuleSet::possible_matches`] which ones cannot be
//! ruled out, and [`RuleSet::covering_allow`] whether allow rules cover *all* of it.
//!
//! When not to use it: to decide a call. Guards, modes, automatic gates and the order of the lists are
//! `portcullis-permissions`. Nor to read settings files, which is `portcullis-loader`.
//!
//! # How rules are read
//!
//! - Shell rules: exact (`Bash(npm test)`), a prefix that ends at a word border (`Bash(npm run:*)` and
//!   `Bash(npm run *)`), or a wildcard within one invocation (`Bash(npm run * --watch)`). They are compared with
//!   the invocations of `portcullis-shell-analysis`, never with text.
//! - File rules: globs over components. The lists that restrict match at any depth where the pattern has no
//!   slash, cover what lies below a matching directory, match dot files, and hold for shell effects too; allow
//!   rules match only what they say, below the project root unless they are absolute.
//! - A rule whose evident meaning differs from its letter is read by its meaning, with a [`RuleNote`]. One that
//!   cannot be read is a [`RuleError`]; in a deny list it has to stop automatic allows.
//! - [`RuleSet::near_allow`] says of a call that no allow rule covers which one comes near, and why it does not.
//! - Scopes: an allow rule does not count for a part of a call that a narrower `ask`, `alwaysAsk` or `restrict`
//!   rule matches; managed rules always count.
//!
//! # Limits
//!
//! - Long and short spellings of one flag (`-r`, `--recursive`) are not known to be the same.
//! - Payloads of tools without paths, commands, URLs or types are compared with the argument that
//!   [`Conventions::payloads`] names. Without one such a rule holds for every call in the lists that restrict, and
//!   for none in allow.
//! - Whether a file system ignores case is the caller's to find out ([`Conventions::fold_case`]), for all paths at
//!   once; allow rules compare bytes there all the same. Windows shapes are always compared as Windows does.
//! - What a program without a specification does with its words is not known; a deny rule whose words stand
//!   behind it is a possible match.
//!
//! # How it is tested
//!
//! Recorded answers in `conformance/` (rules, files, tools, commands), every difference counted by kind in
//! `conformance/differences.md`; tables of cases for commands; and a property test that holds the index
//! against a list scan that compares every rule. `src/scale.rs` counts how many rules are compared with a call;
//! `benches/matching.rs` measures one call against 10 to 10,000 rules of each family.
#![doc = "\n# A first rule set\n"]
#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod allow;
mod command;
mod compiled;
mod conventions;
mod doubts;
mod facts;
mod glob;
mod index;
mod lookalike;
mod mode;
mod normal;
mod object_test;
mod overview;
mod parsed;
mod paths;
#[cfg(test)]
mod reference;
mod restrict;
mod rule;
mod rule_text;
mod sample;
#[cfg(test)]
mod scale;
mod source;
mod subject;
mod subsume;
mod told;
mod verdict;
mod web;
mod word_paths;

pub use allow::Shortfall;
pub use compiled::{ListId, RuleId, RuleSet};
pub use conventions::{Anchors, Conventions, SlashAnchor};
pub use facts::{Looked, Prepared};
pub use mode::Mode;
pub use normal::{canonical_path_like, equivalence_key, equivalent, normalize_rule, parse_tool_list};
pub use overview::Overview;
pub use rule::{ListKind, RuleError, RuleNote, RuleObject, RuleSpec, Rules, SourcedRule};
pub use rule_text::RuleListError;
pub use sample::Sample;
pub use source::{RuleSource, Scope};
pub use subject::{Guarded, NamedPlace, ReachedPaths, ShellPart, Subject};
pub use subsume::RuleSubject;

use verdict::Match;
