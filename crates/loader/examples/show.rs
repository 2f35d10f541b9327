//! Prints the rules that hold in a project, each with its place: `show ROOT [HOME]`.

use std::{path::Path, process::ExitCode};

use portcullis_loader::{Judges, Layout, NothingSaved, Places, load};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(root) = arguments.first() else {
        eprintln!("usage: show ROOT [HOME]");
        return ExitCode::from(2);
    };
    let home = arguments.get(1).map(Path::new);
    let layout = Layout::letta(&Places::new(home, None, Path::new(root)));
    let judges =
        Judges { trust: &|_: &Path, _: &[u8]| false, saved: &NothingSaved, tracked: &|_: &Path| true };
    let loaded = load(&layout, Path::new(root), &judges);
    for (list, rules) in [
        ("deny", &loaded.rules.deny),
        ("alwaysAsk", &loaded.rules.always_ask),
        ("ask", &loaded.rules.ask),
        ("allow", &loaded.rules.allow),
    ] {
        for rule in rules {
            let file = rule.source.file.as_deref().unwrap_or("-");
            println!("{list:9} {:30} {file}:{}", rule.label(), rule.source.line.unwrap_or(0));
        }
    }
    for diagnostic in &loaded.diagnostics {
        println!("{diagnostic}");
    }
    ExitCode::SUCCESS
}
