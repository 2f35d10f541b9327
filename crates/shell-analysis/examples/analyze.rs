//! Prints the plan of a command: `cargo run --example analyze -- 'cd src && rm -rf build | tee log'`.
//! It reads the text and runs nothing.

use portcullis_shell_analysis::{Settings, analyze};

fn main() {
    let text = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "cd src && grep -rn TODO . | head -3 > /tmp/found".to_owned());
    let roots = ["/repo".to_owned()];
    let settings = Settings { home: Some("/home/u"), ..Settings::new("/repo", &roots) };
    let analysis = analyze(&text, &settings);
    for invocation in &analysis.invocations {
        let launchers: Vec<&str> =
            invocation.launchers.iter().map(|launcher| launcher.name.as_str()).collect();
        println!(
            "{:?}  {}",
            invocation.span.slice(&text),
            if invocation.read_only { "reads only" } else { "" }
        );
        println!("  words {:?}", invocation.words.iter().map(|word| &word.value).collect::<Vec<_>>());
        println!("  in {:?} through {launchers:?}", invocation.directories);
        for effect in &invocation.effects {
            println!("  {:?}", effect.kind);
        }
    }
    if let Some(error) = &analysis.error {
        println!("refused: {error}");
    }
    if let Some(opaque) = &analysis.opaque {
        println!("opaque: {}", opaque.reason);
    }
    for blocker in &analysis.blockers {
        println!("{:?}: {}", blocker.span.slice(&text), blocker.reason);
    }
    println!("read-only: {}", analysis.read_only());
}
