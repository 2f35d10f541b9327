//! The sections beside `permissions`.

use jsonc_parser::ast::{Object, Value};
use portcullis_matcher::Scope;

use crate::{Dialect, LimitSettings, Severity, Sourced, Threshold, fields::Reader, parsed::Parsed};

const SANDBOX: &[&str] = &[
    "mode",
    "network",
    "hidden",
    "writable",
    "protected",
    "env",
    "limits",
    "backend",
    "allowUnixSockets",
    "failIfUnavailable",
];
const LIMITS: &[&str] = &["memoryBytes", "processes", "fileBytes", "cpuSeconds"];
const LOG: &[&str] = &["path", "required", "sqlite", "redact"];
const SPILL: &[&str] = &["maxInlineTokens", "maxInlineBytes", "retainDays"];

/// `sandbox`. In the claude dialect other keys, and an object as `network`, are that tool's own.
pub(crate) fn sandbox<'a>(reader: &mut Reader<'a>, value: &Value<'a>, dialect: Dialect, parsed: &mut Parsed) {
    let Some(section) = reader.object("sandbox", value) else { return };
    let claude = dialect == Dialect::Claude;
    let mut found = crate::SandboxSettings::default();
    for property in &section.properties {
        let (name, value) = (property.name.as_str(), &property.value);
        match name {
            "mode" => {
                let words = ["read-only", "workspace-write", "danger-full-access"];
                found.mode = reader.word("sandbox.mode", value, &words);
            }
            "network" if claude && matches!(value, Value::Object(_)) => {}
            "network" => found.network = reader.word("sandbox.network", value, &["open", "blocked"]),
            "hidden" => found.hidden.extend(reader.globs("sandbox.hidden", value)),
            "writable" => found.writable.extend(reader.strings("sandbox.writable", value)),
            "protected" => found.protected.extend(reader.globs("sandbox.protected", value)),
            "filesystem" if claude => claude_filesystem(reader, value, &mut found),
            "env" => found.env = reader.word("sandbox.env", value, &["keep", "scrub"]),
            "limits" => found.limits = limits(reader, value),
            "backend" => {
                found.backend = reader.word("sandbox.backend", value, &["bwrap", "landlock", "seatbelt"]);
            }
            "allowUnixSockets" => {
                found.allow_unix_sockets = reader.boolean("sandbox.allowUnixSockets", value);
            }
            "failIfUnavailable" => {
                found.fail_if_unavailable = reader.boolean("sandbox.failIfUnavailable", value);
            }
            _ if claude => {}
            _ => reader.unknown("sandbox", name, property.range.start, SANDBOX),
        }
    }
    parsed.settings.sandbox = found;
}

fn limits<'a>(reader: &mut Reader<'a>, value: &Value<'a>) -> LimitSettings {
    let mut found = LimitSettings::default();
    let Some(object) = reader.object("sandbox.limits", value) else { return found };
    for property in &object.properties {
        let name = property.name.as_str();
        let slot = match name {
            "memoryBytes" => &mut found.memory_bytes,
            "processes" => &mut found.processes,
            "fileBytes" => &mut found.file_bytes,
            "cpuSeconds" => &mut found.cpu_seconds,
            _ => {
                reader.unknown("sandbox.limits", name, property.range.start, LIMITS);
                continue;
            }
        };
        *slot = reader.number(&format!("sandbox.limits.{name}"), &property.value, 1..=u64::MAX);
    }
    found
}

fn claude_filesystem<'a>(reader: &mut Reader<'a>, value: &Value<'a>, found: &mut crate::SandboxSettings) {
    let Some(object) = reader.object("sandbox.filesystem", value) else { return };
    for property in &object.properties {
        match property.name.as_str() {
            "denyRead" => {
                found.hidden.extend(reader.globs("sandbox.filesystem.denyRead", &property.value));
            }
            "denyWrite" => {
                found.protected.extend(reader.globs("sandbox.filesystem.denyWrite", &property.value));
            }
            _ => {}
        }
    }
}

/// Whether this file may say anything about `section`; a warning if not.
fn own_section(reader: &mut Reader<'_>, section: &str, object: &Object<'_>) -> bool {
    let own = matches!(reader.scope, Scope::Managed | Scope::User);
    if !own {
        reader.say(
            Severity::Warning,
            object.range.start,
            format!("`{section}` has an effect in user and managed settings only"),
            "move it to the user's settings",
        );
    }
    own
}

/// `trust`.
pub(crate) fn trust<'a>(reader: &mut Reader<'a>, value: &Value<'a>, parsed: &mut Parsed) {
    let Some(section) = reader.object("trust", value) else { return };
    if !own_section(reader, "trust", section) {
        return;
    }
    for property in &section.properties {
        match property.name.as_str() {
            "inheritIntoRepositories" => {
                parsed.settings.inherit_into_repositories =
                    reader.boolean("trust.inheritIntoRepositories", &property.value);
            }
            other => reader.unknown("trust", other, property.range.start, &["inheritIntoRepositories"]),
        }
    }
}

/// `log`.
pub(crate) fn log<'a>(reader: &mut Reader<'a>, value: &Value<'a>, home: Option<&str>, parsed: &mut Parsed) {
    let Some(section) = reader.object("log", value) else { return };
    if !own_section(reader, "log", section) {
        return;
    }
    let mut found = crate::LogSettings::default();
    for property in &section.properties {
        let value = &property.value;
        match property.name.as_str() {
            "path" => {
                found.path = reader.string("log.path", value).and_then(|text| {
                    let path = portcullis_paths::expand_home(&text.value, home);
                    // Wherever a session starts, it has to be the same file.
                    if !portcullis_paths::is_absolute(&path) {
                        let message = format!(
                            "`log.path` should be an absolute path, or one below `~/`, found `{}`",
                            text.value
                        );
                        reader.say(
                            Severity::Error,
                            crate::document::start(value),
                            message,
                            "write the whole path",
                        );
                        return None;
                    }
                    Some(Sourced { value: path.into(), source: text.source })
                });
            }
            "required" => found.required = reader.boolean("log.required", value),
            "sqlite" => found.sqlite = reader.boolean("log.sqlite", value),
            "redact" => found.redact = reader.boolean("log.redact", value),
            other => reader.unknown("log", other, property.range.start, LOG),
        }
    }
    parsed.settings.log = found;
}

/// `spill`.
pub(crate) fn spill<'a>(reader: &mut Reader<'a>, value: &Value<'a>, parsed: &mut Parsed) {
    let Some(section) = reader.object("spill", value) else { return };
    let mut found = crate::SpillSettings::default();
    for property in &section.properties {
        let value = &property.value;
        match property.name.as_str() {
            "maxInlineTokens" => {
                found.max_inline_tokens = threshold(reader, "spill.maxInlineTokens", value);
            }
            "maxInlineBytes" => found.max_inline_bytes = threshold(reader, "spill.maxInlineBytes", value),
            "retainDays" => {
                let days = reader.number("spill.retainDays", value, 0..=u64::from(u32::MAX));
                found.retain_days = days.and_then(|Sourced { value, source }| {
                    u32::try_from(value).ok().map(|value| Sourced { value, source })
                });
            }
            other => reader.unknown("spill", other, property.range.start, SPILL),
        }
    }
    parsed.settings.spill = found;
}

fn threshold(reader: &mut Reader<'_>, key: &str, value: &Value<'_>) -> Option<Sourced<Threshold>> {
    if let Value::NullKeyword(null) = value {
        return Some(reader.sourced(Threshold::Off, null.range.start));
    }
    let number = reader.number(key, value, 1..=u64::MAX)?;
    Some(Sourced { value: Threshold::At(number.value), source: number.source })
}
