//! The layers laid over one another.

use std::collections::HashSet;

use portcullis_matcher::{ListKind, Mode, RuleSpec, Rules, Scope, SourcedRule, equivalence_key};

use crate::{
    Diagnostic, Settings, SettingsFile, Severity, files::Standing, parsed::Parsed, settings::prefer,
};

/// The result so far. Files are added broadest first.
#[derive(Default)]
pub(crate) struct Merge {
    pub(crate) rules: Rules,
    pub(crate) settings: Settings,
    pub(crate) diagnostics: Vec<Diagnostic>,
    deny: Seen,
    always_ask: Seen,
    ask: Seen,
    allow: Seen,
    restrict: Seen,
}

impl Merge {
    /// Adds what a file says, as far as it may say it.
    pub(crate) fn add(
        &mut self,
        file: &SettingsFile,
        parsed: &Parsed,
        standing: Standing,
        home: Option<&str>,
    ) {
        let loosens = matches!(standing, Standing::Own | Standing::Trusted);
        let Rules { deny, always_ask, ask, allow, restrict, mode, .. } = parsed.rules.clone();
        self.deny.extend(&mut self.rules.deny, deny, ListKind::Deny);
        self.always_ask.extend(&mut self.rules.always_ask, always_ask, ListKind::AlwaysAsk);
        self.ask.extend(&mut self.rules.ask, ask, ListKind::Ask);
        self.restrict.extend(&mut self.rules.restrict, restrict, ListKind::Restrict);
        if loosens {
            self.allow.extend(&mut self.rules.allow, allow, ListKind::Allow);
            let managed = self.rules.mode.as_ref().is_some_and(|(_, source)| source.scope == Scope::Managed);
            if mode.is_some() && !managed {
                self.rules.mode = mode;
            }
            self.directories(file, parsed, home);
            self.settings.absorb(parsed.settings.clone());
        } else {
            self.settings.absorb(parsed.settings.clone().tightening());
            if standing == Standing::Held {
                self.note_what_is_held(file, parsed);
            }
        }
    }

    fn directories(&mut self, file: &SettingsFile, parsed: &Parsed, home: Option<&str>) {
        for directory in &parsed.directories {
            let expanded = portcullis_paths::expand_home(&directory.value, home);
            let path = portcullis_paths::join(&file.base().to_string_lossy(), &expanded);
            if !std::path::Path::new(&path).is_dir() {
                self.diagnostics.push(Diagnostic {
                    severity: Severity::Warning,
                    file: file.path.clone(),
                    line: directory.source.line,
                    column: directory.source.column,
                    message: format!("the additional directory `{}` is missing", directory.value),
                    remedy: format!("create `{path}`, or remove the entry"),
                });
            }
            if !self.rules.additional_directories.contains(&path) {
                self.rules.additional_directories.push(path);
            }
        }
    }

    fn note_what_is_held(&mut self, file: &SettingsFile, parsed: &Parsed) {
        let mut held = Vec::new();
        if !parsed.rules.allow.is_empty() {
            held.push("allow");
        }
        if parsed.rules.mode.is_some() {
            held.push("mode");
        }
        if !parsed.directories.is_empty() {
            held.push("additionalDirectories");
        }
        if !parsed.settings.hooks.is_empty() {
            held.push("hooks");
        }
        let hooks_aside = Settings { hooks: Vec::new(), ..parsed.settings.clone() };
        if hooks_aside.clone().tightening() != hooks_aside {
            held.push("other settings");
        }
        if !held.is_empty() {
            self.diagnostics.push(Diagnostic {
                severity: Severity::Note,
                file: file.path.clone(),
                line: None,
                column: None,
                message: format!("not in effect, because the project is not trusted: {}", held.join(", ")),
                remedy: "look at the file, then trust the project".into(),
            });
        }
    }

    /// What only the whole shows: locks, and what an administrator said.
    pub(crate) fn finish(&mut self) {
        if self.settings.allow_managed_rules_only.as_ref().is_some_and(|lock| lock.value) {
            self.rules.allow.retain(|rule| rule.source.scope == Scope::Managed);
        }
        for adjustment in [&mut self.settings.secrets, &mut self.settings.protected] {
            let managed: Vec<String> = adjustment
                .add
                .iter()
                .filter(|glob| glob.source.scope == Scope::Managed)
                .map(|glob| glob.value.clone())
                .collect();
            adjustment
                .remove
                .retain(|glob| glob.source.scope == Scope::Managed || !managed.contains(&glob.value));
        }
        let forbidden = self.settings.unrestricted_disabled.as_ref().is_some_and(|lock| lock.value);
        if let Some((mode, _)) = &mut self.rules.mode
            && *mode == Mode::Unrestricted
            && forbidden
        {
            *mode = Mode::Standard;
        }
    }

    /// A managed file of which nothing could be read still locks.
    pub(crate) fn lock(&mut self, parsed: &Parsed) {
        prefer(&mut self.settings.allow_managed_rules_only, parsed.settings.allow_managed_rules_only.clone());
    }
}

/// Which rules a list has already.
///
/// Equivalent rules are merged, the first spelling stays. In deny and alwaysAsk that is so across scopes:
/// they hold wherever they stand. In the other lists only within one scope: an ask rule of a narrower scope
/// beats an allow rule of a broader one, so the same rule says something else in another scope.
#[derive(Default)]
struct Seen(HashSet<(Option<Scope>, String)>);

impl Seen {
    fn extend(&mut self, list: &mut Vec<SourcedRule>, rules: Vec<SourcedRule>, kind: ListKind) {
        list.extend(rules.into_iter().filter(|rule| self.is_new(rule, kind)));
    }

    fn is_new(&mut self, rule: &SourcedRule, kind: ListKind) -> bool {
        let everywhere = matches!(kind, ListKind::Deny | ListKind::AlwaysAsk);
        let scope = (!everywhere).then_some(rule.source.scope);
        let key = match &rule.spec {
            RuleSpec::Text(text) => equivalence_key(text, kind),
            other => format!("{other:?}"),
        };
        self.0.insert((scope, key))
    }
}
