//! Whether a `.cargo/config.toml` names programs (The Cargo Book, 3.4): a line reader that knows what is
//! harmless; everything else counts.

/// Tables whose every key is harmless.
const TABLES: &[&str] = &["cargo-new", "future-incompat-report", "cache", "http", "net", "term"];

/// Keys that are harmless, by their full name; `*` stands for one part.
const KEYS: &[&str] = &[
    "build.jobs",
    "build.target",
    "build.target-dir",
    "build.incremental",
    "build.dep-info-basedir",
    "profile.*.opt-level",
    "profile.*.debug",
    "profile.*.lto",
    "profile.*.strip",
    "profile.*.panic",
    "profile.*.incremental",
    "profile.*.codegen-units",
    "profile.*.overflow-checks",
    "profile.*.debug-assertions",
    "profile.*.inherits",
    "resolver.incompatible-rust-versions",
    "registries.crates-io.protocol",
    "registry.default",
    "unstable.sparse-registry",
];

/// The first setting that may name a program or lead to one; also the first line that is not plainly a bare
/// table, a bare key with a value on one line, or a comment.
pub(super) fn names_program(text: &str) -> Option<String> {
    let mut table = String::new();
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(inner) = line.strip_prefix('[') {
            let name = inner.split_once(']').map(|(name, behind)| (name.trim(), behind.trim()));
            match name {
                Some((name, behind)) if bare(name) && (behind.is_empty() || behind.starts_with('#')) => {
                    name.clone_into(&mut table);
                }
                _ => return Some(shown(line)),
            }
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { return Some(shown(line)) };
        let full = if table.is_empty() { key.trim().to_owned() } else { format!("{table}.{}", key.trim()) };
        if !bare(&full) || !plain(value.trim()) || !harmless(&full) {
            return Some(shown(&full));
        }
    }
    None
}

/// A dotted name of bare keys.
fn bare(name: &str) -> bool {
    name.split('.').all(|part| {
        let part = part.trim();
        !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    })
}

/// A value that ends on its line and is no table: a string, number, boolean or list of them.
fn plain(value: &str) -> bool {
    let opens = value.matches('[').count() == value.matches(']').count();
    !value.is_empty() && opens && !value.contains('{') && !value.contains("\"\"\"") && !value.contains("'''")
}

fn harmless(name: &str) -> bool {
    let parts: Vec<&str> = name.split('.').map(str::trim).collect();
    // `net.git-fetch-with-cli` runs git, which then reads configuration of its own.
    let runs = name.contains("git-fetch-with-cli") || name.contains("ssh") || name.contains("proxy");
    let table = parts.first().is_some_and(|table| TABLES.contains(table)) && parts.len() > 1 && !runs;
    table
        || KEYS.iter().any(|key| {
            let key: Vec<&str> = key.split('.').collect();
            key.len() == parts.len() && key.iter().zip(&parts).all(|(key, part)| *key == "*" || key == part)
        })
}

fn shown(line: &str) -> String {
    line.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::names_program;

    #[test]
    fn what_names_programs_is_found() {
        let harmless = "# ours\n[build]\njobs = 4\ntarget-dir = \"../t\"\n\n[term] # looks\ncolor = 'always'\n[net]\nretry = 3\noffline = true\n[profile.dev]\nopt-level = 1\n";
        assert_eq!(names_program(harmless), None);
        for text in [
            "[build]\nrustc-wrapper = \"sccache\"",
            "build.rustc = 'x'",
            "[build]\n\"rustc\" = 'x'",
            "[build]\n\"\\u0072ustc\" = 'x'",
            "build = { rustc = 'x' }",
            "[ build ]\nrustc = 'x'",
            "[\"build\"]\nrustc = 'x'",
            "[target.'cfg(all())']\nrunner = 'x'",
            "[target.x86_64-unknown-linux-gnu]\nlinker = 'x'",
            "[alias]\nlist = 'run --bin x'",
            "[env]\nPATH = '/x'",
            "include = 'other.toml'",
            "[net]\ngit-fetch-with-cli = true",
            "[registry]\nglobal-credential-providers = ['./x']",
            "[registries.mine]\ncredential-provider = './x'",
            "[build]\njobs = '''\n'''\nrustc = 'x'",
            "[build]\nrustflags = ['-Clinker=x']",
            "[doc]\nbrowser = 'x'",
            "[source.crates-io]\nreplace-with = 'vendored'",
            "[build]\njobs =",
            "[build",
        ] {
            assert!(names_program(text).is_some(), "{text}");
        }
    }
}
