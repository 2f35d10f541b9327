//! The environment of a confined command.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    os::unix::ffi::OsStrExt,
};

use crate::{CanonicalPolicy, EnvironmentPolicy};

/// What a variable's name contains when its value is probably a credential.
const CREDENTIAL_WORDS: [&[u8]; 5] = [b"KEY", b"PASSWORD", b"SECRET", b"TOKEN", b"CREDENTIAL"];

/// What a command that an agent runs finds set, so that it neither pages nor colours its output.
const AGENT_VARIABLES: [(&str, &str); 4] =
    [("NO_COLOR", "1"), ("TERM", "dumb"), ("PAGER", "cat"), ("GIT_PAGER", "cat")];

/// Whether a variable's name looks like that of a credential.
///
/// ```
/// assert!(portcullis_sandbox::looks_like_credential("github_token".as_ref()));
/// assert!(!portcullis_sandbox::looks_like_credential("PATH".as_ref()));
/// ```
#[must_use]
pub fn looks_like_credential(name: &OsStr) -> bool {
    let name = name.as_bytes().to_ascii_uppercase();
    // The *name* of a setting of git's; without it, git refuses its whole environment.
    if name.starts_with(b"GIT_CONFIG_KEY_") {
        return false;
    }
    CREDENTIAL_WORDS.iter().any(|word| name.windows(word.len()).any(|window| window == *word))
}

/// The environment of a shell call: `parent` without credentials, the variables that keep output plain, and
/// on top of both what the caller sets.
#[must_use]
pub fn agent_environment(
    parent: &BTreeMap<OsString, OsString>,
    caller: &BTreeMap<OsString, OsString>,
) -> BTreeMap<OsString, OsString> {
    let mut environment = scrubbed(parent);
    environment.extend(AGENT_VARIABLES.map(|(name, value)| (name.into(), value.into())));
    environment.extend(caller.iter().map(|(name, value)| (name.clone(), value.clone())));
    environment
}

pub(crate) fn scrubbed(environment: &BTreeMap<OsString, OsString>) -> BTreeMap<OsString, OsString> {
    environment
        .iter()
        .filter(|(name, _)| !looks_like_credential(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// What the child gets. `temporary` is the private directory, in confined modes.
pub(crate) fn of_child(
    environment: &BTreeMap<OsString, OsString>,
    policy: &CanonicalPolicy,
    temporary: Option<&str>,
) -> BTreeMap<OsString, OsString> {
    let mut child = match policy.environment {
        EnvironmentPolicy::Keep => environment.clone(),
        EnvironmentPolicy::Scrub => scrubbed(environment),
    };
    // Messages are searched for the words of a denial, and those are translated elsewhere.
    if !["LC_ALL", "LC_MESSAGES", "LANG"].iter().any(|name| child.contains_key(OsStr::new(name))) {
        child.insert("LANG".into(), "C.UTF-8".into());
    }
    if let Some(temporary) = temporary {
        child.insert("TMPDIR".into(), temporary.into());
        for name in ["TMP", "TEMP"] {
            child.remove(OsStr::new(name));
        }
    }
    if policy.protected_in_writable().any(|(path, _)| path.ends_with("/.git/config")) {
        add_git_setting(&mut child, "branch.autoSetupMerge", "false");
    }
    let in_workspace = |path: &String| {
        policy.workspace.iter().any(|root| portcullis_paths::is_within(path, root))
            && std::path::Path::new(path).is_file()
    };
    if policy.hidden.iter().any(in_workspace) {
        // The mask over a hidden file has its length and time, and can have no more (git-config(1), `core.checkStat`).
        add_git_setting(&mut child, "core.checkStat", "minimal");
    }
    child
}

/// A branch made from a remote one would be written into the protected `.git/config`. Settings in the
/// environment are counted (git-config(1), `GIT_CONFIG_COUNT`); those of the caller stay.
fn add_git_setting(environment: &mut BTreeMap<OsString, OsString>, key: &str, value: &str) {
    let count = environment
        .get(OsStr::new("GIT_CONFIG_COUNT"))
        .and_then(|count| count.to_str()?.parse::<u32>().ok())
        .unwrap_or(0);
    environment.insert("GIT_CONFIG_COUNT".into(), count.saturating_add(1).to_string().into());
    environment.insert(format!("GIT_CONFIG_KEY_{count}").into(), key.into());
    environment.insert(format!("GIT_CONFIG_VALUE_{count}").into(), value.into());
}

#[cfg(test)]
mod tests {
    use portcullis_paths::NoResolver;

    use super::*;
    use crate::Policy;

    fn map(pairs: &[(&str, &str)]) -> BTreeMap<OsString, OsString> {
        pairs.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    #[test]
    fn credentials_are_dropped_by_name_in_any_case() {
        let git = map(&[("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "a.b"), ("GIT_CONFIG_VALUE_0", "c")]);
        assert_eq!(scrubbed(&git), git, "a count without its keys stops git");
        let parent = map(&[
            ("AWS_SECRET_ACCESS_KEY", "x"),
            ("npm_token", "x"),
            ("Db_Password", "x"),
            ("GOOGLE_APPLICATION_CREDENTIALS", "x"),
            ("PATH", "/bin"),
            ("HOME", "/h"),
        ]);
        assert_eq!(scrubbed(&parent), map(&[("HOME", "/h"), ("PATH", "/bin")]));
        let agent = agent_environment(&parent, &map(&[("TERM", "xterm"), ("MY_TOKEN", "given")]));
        assert_eq!(agent.get(OsStr::new("TERM")).unwrap(), "xterm", "the caller's word is last");
        assert_eq!(agent.get(OsStr::new("MY_TOKEN")).unwrap(), "given");
        assert_eq!(agent.get(OsStr::new("PAGER")).unwrap(), "cat");
    }

    #[test]
    fn the_locale_is_set_only_when_the_caller_has_none() {
        let policy = Policy::read_only(["/ws"]).canonical(&NoResolver).unwrap();
        let child = |pairs| of_child(&map(pairs), &policy, Some("/t"));
        assert_eq!(child(&[("TMP", "/x")]), map(&[("LANG", "C.UTF-8"), ("TMPDIR", "/t")]));
        assert_eq!(child(&[("LC_ALL", "de_DE")]), map(&[("LC_ALL", "de_DE"), ("TMPDIR", "/t")]));
    }

    #[test]
    fn settings_of_the_caller_for_git_stay() {
        let mut environment = map(&[("GIT_CONFIG_COUNT", "1"), ("GIT_CONFIG_KEY_0", "a.b")]);
        add_git_setting(&mut environment, "c.d", "e");
        let expected = [
            ("GIT_CONFIG_COUNT", "2"),
            ("GIT_CONFIG_KEY_0", "a.b"),
            ("GIT_CONFIG_KEY_1", "c.d"),
            ("GIT_CONFIG_VALUE_1", "e"),
        ];
        assert_eq!(environment, map(&expected));
    }
}
