//! Prints what a call is about: `cargo run --example fold -- exec_command '{"cmd":"ls -l"}'`.

use portcullis_tool_names::{Aliases, Family, commands, targets};

fn main() {
    let mut words = std::env::args().skip(1);
    let name = words.next().unwrap_or_else(|| "Grep".to_owned());
    let text = words.next().unwrap_or_else(|| r#"{"pattern":"todo","include":"*.rs"}"#.to_owned());
    let arguments = match serde_json::from_str(&text) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("the arguments are not JSON: {error}");
            std::process::exit(125);
        }
    };
    let tool = Aliases::standard().of_call(&name, &arguments);
    println!("{name} is judged as {}", tool.map_or(name.as_str(), |tool| tool.as_str()));
    if tool.is_some_and(|tool| tool.family() == Family::Shell) {
        println!("{:#?}", commands(&name, &arguments));
    } else {
        println!("{:#?}", targets(&name, tool, &arguments));
    }
}
