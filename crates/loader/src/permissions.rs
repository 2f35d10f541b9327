//! The `permissions` object.

use jsonc_parser::{ast::Value, common::Ranged as _};
use portcullis_matcher::{ListKind, Mode, Scope, SourcedRule};

use crate::{
    Adjustment, Dialect, Severity, Sourced,
    fields::Reader,
    parsed::Parsed,
    rule_list::{self, list_mut},
};

const KNOWN: &[&str] = &[
    "mode",
    "allow",
    "deny",
    "ask",
    "alwaysAsk",
    "restrict",
    "additionalDirectories",
    "allowManagedRulesOnly",
    "askTimeoutMs",
    "secrets",
    "protected",
    "confinedAuto",
];

/// The name of `allowManagedRulesOnly` in Claude Code's own files, where it stands beside `permissions`.
pub(crate) const MANAGED_ONLY: &str = "allowManagedPermissionRulesOnly";

const LONGEST_TIMEOUT: u64 = 2_147_483_647;

/// Reads the section into `parsed`.
pub(crate) fn read<'a>(reader: &mut Reader<'a>, value: &Value<'a>, dialect: Dialect, parsed: &mut Parsed) {
    let Some(section) = reader.object("permissions", value) else {
        // What was meant is not known: a managed lock may have been among it.
        if reader.scope == Scope::Managed {
            let source = reader.source(value.start());
            parsed.settings.allow_managed_rules_only = Some(Sourced { value: true, source });
        }
        return;
    };
    for property in &section.properties {
        let (name, value, offset) = (property.name.as_str(), &property.value, property.range.start);
        match name {
            "mode" => mode(reader, "permissions.mode", value, parsed),
            "defaultMode" if dialect == Dialect::Claude => {
                mode(reader, "permissions.defaultMode", value, parsed);
            }
            "allow" => rules(reader, ListKind::Allow, value, parsed),
            "deny" => rules(reader, ListKind::Deny, value, parsed),
            "ask" => rules(reader, ListKind::Ask, value, parsed),
            "alwaysAsk" => rules(reader, ListKind::AlwaysAsk, value, parsed),
            "restrict" => rules(reader, ListKind::Restrict, value, parsed),
            "additionalDirectories" => {
                parsed.directories = reader.strings("permissions.additionalDirectories", value);
            }
            "allowManagedRulesOnly" => managed_rules_only(reader, value, offset, parsed),
            MANAGED_ONLY if dialect == Dialect::Claude => managed_rules_only(reader, value, offset, parsed),
            "askTimeoutMs" => {
                let number = reader.number("permissions.askTimeoutMs", value, 1..=LONGEST_TIMEOUT);
                parsed.settings.ask_timeout_ms = number.and_then(|Sourced { value, source }| {
                    u32::try_from(value).ok().map(|value| Sourced { value, source })
                });
            }
            "secrets" => parsed.settings.secrets = adjustment(reader, "permissions.secrets", value),
            "protected" => parsed.settings.protected = adjustment(reader, "permissions.protected", value),
            "confinedAuto" => {
                parsed.settings.confined_auto = reader.boolean("permissions.confinedAuto", value);
            }
            "defaultMode" => reader.say(
                Severity::Warning,
                offset,
                "the key `defaultMode` in `permissions` has no effect in this profile",
                "write `mode`, or choose the profile `claude`",
            ),
            "disableBypassPermissionsMode" if dialect == Dialect::Claude => {
                let lock = !matches!(value, Value::NullKeyword(_));
                parsed.settings.unrestricted_disabled = Some(reader.sourced(lock, value.start()));
            }
            _ => reader.unknown("permissions", name, offset, KNOWN),
        }
    }
}

fn mode(reader: &mut Reader<'_>, key: &str, value: &Value<'_>, parsed: &mut Parsed) {
    let Some(name) = reader.string(key, value) else { return };
    match Mode::parse(&name.value) {
        Some(mode) => parsed.rules.mode = Some((mode, name.source)),
        None => reader.say(
            Severity::Warning,
            value.start(),
            format!("the mode `{}` is not known and has no effect", name.value),
            "known are `strict`, `plan`, `dontAsk`, `standard`, `acceptEdits`, `unrestricted`",
        ),
    }
}

fn rules<'a>(reader: &mut Reader<'a>, list: ListKind, value: &Value<'a>, parsed: &mut Parsed) {
    let key = format!("permissions.{}", list.as_str());
    // No list at all allows as little as an empty one; in the others something may have been meant.
    if list == ListKind::Allow && matches!(value, Value::NullKeyword(_)) {
        let message = format!("`{key}` is null and allows nothing");
        return reader.say(Severity::Warning, value.start(), message, "write `[]`, or remove it");
    }
    let found: Vec<SourcedRule> =
        reader.elements(&key, value).iter().filter_map(|one| rule_list::rule(reader, list, one)).collect();
    list_mut(&mut parsed.rules, list).extend(found);
}

/// Only an administrator may lock; a lock that cannot be read counts as closed.
pub(crate) fn managed_rules_only(
    reader: &mut Reader<'_>,
    value: &Value<'_>,
    offset: usize,
    parsed: &mut Parsed,
) {
    if reader.scope != Scope::Managed {
        return reader.say(
            Severity::Warning,
            offset,
            "`permissions.allowManagedRulesOnly` has an effect in managed settings only",
            "remove it, or ask the administrator to set it",
        );
    }
    let lock = reader
        .boolean("permissions.allowManagedRulesOnly", value)
        .unwrap_or_else(|| reader.sourced(true, value.start()));
    parsed.settings.allow_managed_rules_only = Some(lock);
}

fn adjustment<'a>(reader: &mut Reader<'a>, key: &str, value: &Value<'a>) -> Adjustment {
    let mut found = Adjustment::default();
    let Some(object) = reader.object(key, value) else { return found };
    for property in &object.properties {
        match property.name.as_str() {
            "add" => found.add = reader.globs(&format!("{key}.add"), &property.value),
            "remove" => found.remove = reader.globs(&format!("{key}.remove"), &property.value),
            other => reader.unknown(key, other, property.range.start, &["add", "remove"]),
        }
    }
    found
}
