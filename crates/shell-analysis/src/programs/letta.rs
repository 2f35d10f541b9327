//! The `letta` command line: the subcommands that only report.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};

pub(super) const SPECS: &[Spec] =
    &[Spec::new(&["letta"], "agent= agent-id= limit= json query= q= h help", Operands::Custom(letta))];

fn letta(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let category = build.operand(parsed, 0).and_then(|word| word.value.known());
    let action = build.operand(parsed, 1).and_then(|word| word.value.known());
    let reports = matches!(
        (category, action),
        (Some("memory" | "memfs"), Some("status" | "help" | "backups" | "tokens"))
            | (Some("agents"), Some("list" | "help"))
            | (Some("messages"), Some("search" | "list" | "help"))
    );
    if !reports {
        let span = build.span_of(1);
        build.opaque(span, "a subcommand of `letta` that does more than report");
    }
}
