//! One settings file, read: what it says, whatever may become of it.

use std::{path::Path, sync::Arc};

use portcullis_matcher::{RuleSource, Rules, Scope};

use crate::{
    Diagnostic, Dialect, Settings, SettingsFile, Severity, Sourced, document::Text, fields::Reader,
    permissions, sections,
};

/// What a file says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parsed {
    /// Its lists and its mode. `additional_directories` stays empty: [`Parsed::directories`] holds them.
    pub(crate) rules: Rules,
    /// As written.
    pub(crate) directories: Vec<Sourced<String>>,
    pub(crate) settings: Settings,
    /// Nothing of it could be read.
    pub(crate) is_broken: bool,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// The first thing that could not be read.
    pub(crate) fn first_error(&self) -> Option<&Diagnostic> {
        self.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// A file of which nothing could be read. A managed one may have held a lock: it counts as closed.
    pub(crate) fn unreadable(file: &SettingsFile, diagnostic: Diagnostic) -> Self {
        let mut parsed = Self { diagnostics: vec![diagnostic], is_broken: true, ..Self::default() };
        if file.scope == Scope::Managed {
            let name: Arc<str> = file.path.to_string_lossy().into();
            let source = RuleSource { scope: Scope::Managed, file: Some(name), line: None, column: None };
            parsed.settings.allow_managed_rules_only = Some(Sourced { value: true, source });
        }
        parsed
    }

    /// Reads bytes.
    pub(crate) fn of(file: &SettingsFile, bytes: &[u8], dialect: Dialect, home: Option<&Path>) -> Self {
        let fail = |error: crate::SyntaxError| {
            let diagnostic = Diagnostic {
                severity: Severity::Error,
                file: file.path.clone(),
                line: Some(error.at.line),
                column: Some(error.at.column),
                message: error.message,
                remedy:
                    "mend the file; until then its rules do not count and nothing is allowed automatically"
                        .into(),
            };
            Self::unreadable(file, diagnostic)
        };
        let text = match Text::new(bytes) {
            Ok(text) => text,
            Err(error) => return fail(error),
        };
        let root = match text.parse() {
            Ok(root) => root,
            Err(error) => return fail(error),
        };
        let mut parsed = Self::default();
        let mut reader = Reader {
            text: &text,
            path: &file.path,
            file: file.path.to_string_lossy().into(),
            scope: file.scope,
            diagnostics: Vec::new(),
        };
        let home = home.and_then(Path::to_str);
        for property in &root.properties {
            let value = &property.value;
            match property.name.as_str() {
                "permissions" => permissions::read(&mut reader, value, dialect, &mut parsed),
                "sandbox" => sections::sandbox(&mut reader, value, dialect, &mut parsed),
                "trust" => sections::trust(&mut reader, value, &mut parsed),
                "log" => sections::log(&mut reader, value, home, &mut parsed),
                "spill" => sections::spill(&mut reader, value, &mut parsed),
                "hooks" => parsed.settings.hooks.extend(reader.json("hooks", value)),
                permissions::MANAGED_ONLY if dialect == Dialect::Claude => {
                    permissions::managed_rules_only(&mut reader, value, property.range.start, &mut parsed);
                }
                // Others may keep their own keys beside ours.
                name => reader.misspelt(name, value, property.range.start),
            }
        }
        parsed.diagnostics = reader.diagnostics;
        parsed
    }
}
