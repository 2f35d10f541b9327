//! Rules for source text that no compiler lint covers.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::command::root;

/// Crates in which `unsafe` may stand; all others forbid it in their `lib.rs` or `main.rs`.
const UNSAFE_CRATES: &[&str] = &["process", "sandbox"];

/// Crates that are built on one platform's interfaces throughout.
const PLATFORM_CRATES: &[&str] = &["process", "sandbox", "cli"];

/// Modules that may use a platform's interface in a portable crate.
const PLATFORM_MODULES: &[&str] = &["linux", "macos", "unix", "windows"];

/// Text that has no place in a finished file, with the reason. Written in halves so that this file passes.
const FORBIDDEN: &[(&str, &str, &str)] = &[
    ("#[ig", "nore", "a test that does not run proves nothing"),
    ("to", "do!(", "unfinished"),
    ("unimple", "mented!(", "unfinished"),
    ("FIX", "ME", "unfinished"),
];

/// One line for every source file that breaks a rule.
pub(crate) fn violations() -> Vec<String> {
    let mut found = Vec::new();
    let crates = root().join("crates");
    for folder in folders(&crates) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        check_unsafe(&name, &folder, &mut found);
        if !folder.join("README.md").is_file() {
            found.push(format!("crates/{name}: no README.md"));
        }
        for file in rust_files(&folder) {
            check_file(&name, &folder, &file, &mut found);
        }
        check_modules(&folder, &mut found);
    }
    found
}

fn check_unsafe(name: &str, folder: &Path, found: &mut Vec<String>) {
    if UNSAFE_CRATES.contains(&name) {
        return;
    }
    for entry in ["src/lib.rs", "src/main.rs"] {
        let Ok(text) = fs::read_to_string(folder.join(entry)) else { continue };
        if !text.contains("#![forbid(unsafe_code)]") {
            found.push(format!("crates/{name}/{entry}: `#![forbid(unsafe_code)]` is missing"));
        }
    }
}

fn check_file(name: &str, folder: &Path, file: &Path, found: &mut Vec<String>) {
    let shown = file.strip_prefix(root()).unwrap_or(file).display();
    let Ok(text) = fs::read_to_string(file) else {
        found.push(format!("{shown}: cannot be read as UTF-8"));
        return;
    };
    for (start, end, why) in FORBIDDEN {
        let pattern = format!("{start}{end}");
        if let Some(line) = text.lines().position(|line| line.contains(&pattern)) {
            found.push(format!("{shown}:{}: `{pattern}`: {why}", line + 1));
        }
    }
    let portable = !PLATFORM_CRATES.contains(&name) && file.starts_with(folder.join("src"));
    if portable
        && !in_platform_module(folder, file)
        && let Some(line) = text.lines().position(uses_platform)
    {
        found.push(format!(
            "{shown}:{}: a platform's interface outside a module named for the platform ({})",
            line + 1,
            PLATFORM_MODULES.join(", ")
        ));
    }
}

/// A file that no `mod` names is never compiled, and looks as if it were.
fn check_modules(folder: &Path, found: &mut Vec<String>) {
    let files = rust_files(&folder.join("src"));
    let texts: Vec<String> = files.iter().filter_map(|file| fs::read_to_string(file).ok()).collect();
    for file in &files {
        let text = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (name, stem) = (text(file), text(&file.with_extension("")));
        let module = if stem == "mod" { text(file.parent().unwrap_or(file)) } else { stem };
        let is_root = ["lib", "main"].contains(&module.as_str()) || file.starts_with(folder.join("src/bin"));
        let named = |source: &String| {
            source.contains(&format!("mod {module};")) || source.contains(&format!("\"{name}\""))
        };
        if !is_root && !texts.iter().any(named) {
            let shown = file.strip_prefix(root()).unwrap_or(file).display();
            found.push(format!("{shown}: no `mod {module};` names this file"));
        }
    }
}

fn uses_platform(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    let starts_a_path = |at: usize| {
        !code
            .get(..at)
            .is_some_and(|before| before.ends_with(|last: char| last.is_alphanumeric() || last == '_'))
    };
    ["std::os::", "nix::", "libc::", "landlock::"]
        .iter()
        .any(|interface| code.match_indices(interface).any(|(at, _)| starts_a_path(at)))
}

fn in_platform_module(folder: &Path, file: &Path) -> bool {
    let inside = file.strip_prefix(folder).unwrap_or(file).with_extension("");
    inside.components().any(|part| PLATFORM_MODULES.iter().any(|module| part.as_os_str() == *module))
}

fn folders(parent: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = entries(parent).into_iter().filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(next) = pending.pop() {
        for path in entries(&next) {
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn platform_interfaces_are_seen_outside_their_modules_only() {
        assert!(uses_platform("use std::os::unix::fs::MetadataExt;"));
        assert!(!uses_platform("// std::os::unix has it"));
        assert!(!uses_platform("pub use unix::Terminal;"));
        let folder = Path::new("/c");
        assert!(in_platform_module(folder, Path::new("/c/src/unix.rs")));
        assert!(in_platform_module(folder, Path::new("/c/src/linux/mounts.rs")));
        assert!(!in_platform_module(folder, Path::new("/c/src/store.rs")));
    }
}
