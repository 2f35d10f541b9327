//! Asks on the terminal about one command and prints what came of it: `cargo run --example ask -- rm -rf build`
#![allow(clippy::print_stdout, reason = "an example")]

use std::sync::Arc;

use portcullis_approval::{
    AskError, Cancel, Desk, Policy, Preview, PreviewParts, RecordError, Recorder, Request, Why,
};

struct Print;

impl Recorder for Print {
    fn record(&self, event: portcullis_audit::Event) -> Result<(), RecordError> {
        println!("{}", serde_json::json!(event));
        Ok(())
    }
}

fn main() -> Result<(), AskError> {
    let command: Vec<String> = std::env::args().skip(1).collect();
    let preview = Preview::new(PreviewParts {
        tool: "Bash".into(),
        arguments: serde_json::json!({ "command": command }),
        cwd: "/".into(),
        mode: "standard".into(),
        confinement: None,
        widening: None,
        diff: None,
    });
    let mut desk = Desk::new(Policy::Ask, Arc::new(Print));
    #[cfg(unix)]
    {
        use portcullis_approval::terminal::{Style, Terminal};
        match Terminal::open(std::path::Path::new("/dev/tty"), Style { colour: false }) {
            Ok(terminal) => desk = desk.answerer(Arc::new(terminal)),
            Err(error) => println!("no terminal: {error}"),
        }
    }
    let why = Why { reason: "this is an example".into(), ..Why::default() };
    let decided = desk.ask(Request::new("example", preview.clone(), why), &Cancel::new())?;
    let outcome = decided.outcome;
    match decided.into_grant().map(|grant| grant.redeem(&preview)) {
        Some(Ok(_permit)) => println!("{}: it may run, once", outcome.as_str()),
        _ => println!("{}: it may not run", outcome.as_str()),
    }
    Ok(())
}
