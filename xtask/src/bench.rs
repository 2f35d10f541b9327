//! `cargo xtask bench`: runs the benchmarks and prints one table with ratios.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use serde_json::Value;

use crate::command::{Arguments, Outcome, cargo, root, run as run_command};

/// One measured benchmark.
#[derive(Debug, PartialEq)]
struct Measured {
    name: String,
    nanoseconds: f64,
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    if arguments.first().is_some_and(|word| word == "attention") {
        return attention();
    }
    let arguments = Arguments::parse(arguments)?;
    let only_table = arguments.words.iter().any(|word| word == "--table");
    let began = SystemTime::now();
    if !only_table {
        let mut command = cargo();
        command.arg("bench");
        arguments.select(&mut command);
        // `--benches` would build every library's unit tests once more, optimised.
        command.args(["--bench", "*", "--"]).args(&arguments.words).args(&arguments.passed_on);
        run_command(&mut command)?;
    }
    // Figures of benchmarks that have another name by now stay on disk.
    let since = if only_table { SystemTime::UNIX_EPOCH } else { began };
    let groups = collect(&target().join("criterion"), since);
    if groups.is_empty() {
        return Err("no figures yet: run `cargo xtask bench`".to_owned());
    }
    print!("{}", table(&groups));
    Ok(())
}

/// How much of a person's attention decisions cost: the test that holds the bars prints the report.
fn attention() -> Outcome {
    let mut command = cargo();
    command.args(["test", "-p", "portcullis-permissions", "--test", "attention", "--", "--nocapture"]);
    command.args(["--test-threads", "1"]);
    run_command(&mut command)
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Groups of benchmarks from criterion's files that were written `since` then: `new/benchmark.json` has the
/// names, `new/estimates.json` the figures.
fn collect(folder: &Path, since: SystemTime) -> BTreeMap<String, Vec<Measured>> {
    let mut groups: BTreeMap<String, Vec<Measured>> = BTreeMap::new();
    let mut pending = vec![folder.to_path_buf()];
    while let Some(next) = pending.pop() {
        for path in fs::read_dir(&next).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())) {
            if !path.is_dir() {
                continue;
            }
            if path.file_name().is_some_and(|name| name == "new") {
                if let Some((group, measured)) = read(&path, since) {
                    groups.entry(group).or_default().push(measured);
                }
            } else {
                pending.push(path);
            }
        }
    }
    for group in groups.values_mut() {
        group.sort_by(|left, right| left.nanoseconds.total_cmp(&right.nanoseconds));
    }
    groups
}

fn read(folder: &Path, since: SystemTime) -> Option<(String, Measured)> {
    if fs::metadata(folder.join("estimates.json")).ok()?.modified().ok()? < since {
        return None;
    }
    let json =
        |name: &str| -> Option<Value> { serde_json::from_slice(&fs::read(folder.join(name)).ok()?).ok() };
    let (names, figures) = (json("benchmark.json")?, json("estimates.json")?);
    let group = names.get("group_id")?.as_str()?.to_owned();
    let part = |key: &str| names.get(key).and_then(Value::as_str).unwrap_or_default();
    let name = [part("function_id"), part("value_str")].join(" ").trim().to_owned();
    let nanoseconds = figures.get("median")?.get("point_estimate")?.as_f64()?;
    Some((group, Measured { name, nanoseconds }))
}

/// The table: median time, and the ratio to the fastest of the group.
fn table(groups: &BTreeMap<String, Vec<Measured>>) -> String {
    let mut text = String::new();
    for (group, measured) in groups {
        text.push_str(&format!("\n{group}\n"));
        let fastest = measured.first().map_or(1.0, |first| first.nanoseconds);
        for one in measured {
            let ratio = one.nanoseconds / fastest;
            text.push_str(&format!("  {:<48} {:>12} {ratio:>9.2}x\n", one.name, human(one.nanoseconds)));
        }
    }
    text
}

fn human(nanoseconds: f64) -> String {
    match nanoseconds {
        small if small < 1e3 => format!("{small:.0} ns"),
        micro if micro < 1e6 => format!("{:.2} us", micro / 1e3),
        milli if milli < 1e9 => format!("{:.2} ms", milli / 1e6),
        long => format!("{:.2} s", long / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_shows_units_and_ratios_to_the_fastest() {
        let measured = |name: &str, nanoseconds| Measured { name: name.to_owned(), nanoseconds };
        let groups =
            BTreeMap::from([("decide".to_owned(), vec![measured("10", 500.0), measured("1000", 1_500.0)])]);
        let text = table(&groups);
        assert!(text.contains("500 ns      1.00x"), "{text}");
        assert!(text.contains("1.50 us      3.00x"), "{text}");
    }
}
