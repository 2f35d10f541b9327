//! The fuzz targets of `cargo xtask soak`: built with coverage, started from the kept corpus, and packed again.
//!
//! The corpus of a target is `fuzz/corpus/TARGET.jsonl`, one text a line as a JSON string, so that tests and people can
//! read it. A search works on files of its own below the target directory, and keeps what it found there for the
//! next one; `--keep` writes the smallest texts that together reach everything back into the repository.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::{
    command::{Outcome, cargo, on_path, root},
    soak::{Step, watch_errors},
};

/// The most bytes of one kept corpus: all of them stay below 300 KiB together.
const KEPT: usize = 48 * 1024;
/// Texts that broke a property once; every search begins with them too.
const REGRESSIONS: &str = "regressions";
/// Arguments of libFuzzer: the properties look at no longer texts; one that takes ten seconds hangs.
const LIMITS: [&str; 4] = ["-max_len=4096", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1"];

/// What one search is to do.
pub(crate) struct Search<'a> {
    /// The targets; all when empty.
    pub(crate) targets: &'a [String],
    /// Seconds for each.
    pub(crate) seconds: u64,
    /// Write what was found back into the repository.
    pub(crate) keep: bool,
}

/// Runs every target for its time, one after the other.
pub(crate) fn run(search: &Search<'_>) -> Result<Vec<Step>, String> {
    if !on_path("cargo-fuzz") {
        return Err("fuzzing needs cargo-fuzz: `cargo install cargo-fuzz --locked`".to_owned());
    }
    let known = targets()?;
    let chosen = if search.targets.is_empty() { &known } else { search.targets };
    if let Some(unknown) = chosen.iter().find(|name| !known.contains(name)) {
        return Err(format!("no fuzz target `{unknown}`: there are {}", known.join(", ")));
    }
    let mut steps = Vec::new();
    for target in chosen {
        let place = Place::new(target)?;
        place.unpack()?;
        let mut command = fuzzer(target, &[&place.corpus]);
        command.arg(format!("-max_total_time={}", search.seconds)).args(LIMITS);
        command.arg(format!("-artifact_prefix={}/", place.artifacts.display()));
        command.arg(format!("-dict={}", root().join("fuzz/words.dict").display()));
        steps.push(watch_errors(&format!("fuzz {target}"), &mut command, figure)?);
        if search.keep {
            place.keep()?;
        }
    }
    Ok(steps)
}

/// `cargo fuzz run` with coverage alone: there is no unsafe code that a sanitizer could watch. The flags that it
/// compiles with are unstable, and the stable toolchain takes them when it is told to.
fn fuzzer(target: &str, folders: &[&Path]) -> Command {
    let mut command = cargo();
    command.env("RUSTC_BOOTSTRAP", "1");
    command.args(["fuzz", "run", "--sanitizer", "none", "--target-dir"]).arg(build()).arg(target);
    command.args(folders).arg("--");
    command
}

fn build() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join("fuzz")
}

/// The names of the targets, by their files.
fn targets() -> Result<Vec<String>, String> {
    let folder = root().join("fuzz/fuzz_targets");
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("cannot read {}: {error}", folder.display()))?;
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    Ok(names)
}

/// Where one target's texts are while it runs.
struct Place<'a> {
    target: &'a str,
    corpus: PathBuf,
    artifacts: PathBuf,
}

impl<'a> Place<'a> {
    fn new(target: &'a str) -> Result<Self, String> {
        let of = |kind: &str| build().join(kind).join(target);
        let place = Self { target, corpus: of("corpus"), artifacts: of("artifacts") };
        for folder in [&place.corpus, &place.artifacts] {
            make(folder)?;
        }
        Ok(place)
    }

    /// Writes the kept texts as files, as libFuzzer takes them.
    fn unpack(&self) -> Outcome {
        for name in [self.target, REGRESSIONS] {
            for (number, text) in read(&kept(name))?.iter().enumerate() {
                let file = self.corpus.join(format!("kept-{name}-{number}"));
                fs::write(&file, text)
                    .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
            }
        }
        Ok(())
    }

    /// Has libFuzzer choose the texts that reach everything, smallest first, and writes those that are small enough.
    fn keep(&self) -> Outcome {
        let chosen = build().join("chosen").join(self.target);
        let _ = fs::remove_dir_all(&chosen);
        make(&chosen)?;
        let mut command = fuzzer(self.target, &[&chosen, &self.corpus]);
        command.arg("-merge=1").args(LIMITS);
        crate::command::run(&mut command)?;
        let entries =
            fs::read_dir(&chosen).map_err(|error| format!("cannot read {}: {error}", chosen.display()))?;
        let texts = entries.flatten().filter_map(|entry| fs::read_to_string(entry.path()).ok());
        let lines = pack(texts.collect());
        let file = kept(self.target);
        fs::write(&file, lines).map_err(|error| format!("cannot write {}: {error}", file.display()))
    }
}

fn make(folder: &Path) -> Outcome {
    fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))
}

fn kept(name: &str) -> PathBuf {
    root().join("fuzz/corpus").join(format!("{name}.jsonl"))
}

fn read(file: &Path) -> Result<Vec<String>, String> {
    let text =
        fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    text.lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{}: {error}", file.display()))
}

/// The lines of a corpus: the shortest texts, as many as there is room for, in an order that does not change.
fn pack(mut texts: Vec<String>) -> String {
    texts.sort_by(|left, right| left.len().cmp(&right.len()).then_with(|| left.cmp(right)));
    texts.dedup();
    let mut lines = String::new();
    for text in texts {
        let line = serde_json::Value::String(text).to_string();
        if lines.len() + line.len() >= KEPT {
            break;
        }
        lines.push_str(&line);
        lines.push('\n');
    }
    lines
}

/// A line of libFuzzer's that belongs into the summary: `#2097152 DONE cov: 4031 ft: 19222 corp: ...` and the
/// statistics at its end.
fn figure(line: &str) -> Option<String> {
    let is_last = line.contains("\tDONE ") || line.starts_with("stat::number_of_executed_units");
    let is_found = line.contains("SUMMARY: libFuzzer") || line.contains("Test unit written to");
    (is_last || is_found).then(|| line.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corpus_is_sorted_distinct_and_bounded() {
        let texts = ["bb", "a\n\"", "bb", "c"].map(str::to_owned).to_vec();
        assert_eq!(pack(texts), "\"c\"\n\"bb\"\n\"a\\n\\\"\"\n");
        let many = (0..2000).map(|number| format!("{number:064}")).collect();
        assert!(pack(many).len() <= KEPT);
    }

    #[test]
    fn the_last_line_and_the_findings_are_figures() {
        let last = "#4864\tDONE   cov: 2906 ft: 11022 corp: 1204/61Kb lim: 4096 exec/s: 442 rss: 96Mb";
        assert!(figure(last).is_some_and(|figure| figure.starts_with("#4864 DONE cov: 2906")));
        assert!(figure("#4096\tpulse  cov: 2906 ft: 11022").is_none());
        assert!(figure("SUMMARY: libFuzzer: deadly signal").is_some());
    }

    #[test]
    fn every_target_has_a_kept_corpus() {
        let names = targets().unwrap();
        assert_eq!(names, ["judge", "matcher", "parse", "plan", "text"]);
        for name in names.iter().map(String::as_str).chain([REGRESSIONS]) {
            assert!(read(&kept(name)).is_ok_and(|texts| !texts.is_empty()), "{name}");
        }
    }
}
