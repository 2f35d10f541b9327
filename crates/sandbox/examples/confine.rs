//! `cargo run -p portcullis-sandbox --example confine -- MODE -- PROGRAM ARGS...` runs a program in the
//! current directory under `read-only` or `workspace-write`, without a network. The program is its own
//! Landlock launcher: with `--launcher` first it does what `portcullis-landlock` does.

use std::{env, ffi::OsString, process::ExitCode};

use portcullis_process::{Stdin, Stdio};
use portcullis_sandbox::{Mode, Network, Options, Policy, Sandbox, Steering, launcher};

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let mode = match arguments.next().as_ref().and_then(|mode| mode.to_str()) {
        Some("--launcher") => return launcher::main(arguments),
        Some("read-only") => Mode::ReadOnly,
        Some("workspace-write") => Mode::WorkspaceWrite,
        _ => {
            eprintln!("usage: confine read-only|workspace-write -- PROGRAM ARGS...");
            return ExitCode::from(125);
        }
    };
    let argv: Vec<OsString> = arguments.skip_while(|word| word == "--").collect();
    let (Ok(own), Ok(directory)) = (env::current_exe(), env::current_dir()) else {
        eprintln!("confine: cannot find itself or its directory");
        return ExitCode::from(125);
    };
    let sandbox = Sandbox::new(vec![own.into(), "--launcher".into()]);
    let workspace = directory.to_string_lossy().into_owned();
    let policy = Policy { network: Network::Blocked, ..Policy::new(mode, [workspace]) };
    let mut options = Options::new(directory, env::vars_os().collect());
    (options.stdin, options.output) = (Stdin::Inherit, Stdio::Inherit);
    let steering = Steering { forward_signals: true, ..Steering::default() };
    match sandbox.run_with(&argv, &policy, &options, steering) {
        Ok(outcome) => {
            eprintln!("{:?}: {:?}", outcome.state, outcome.facts);
            ExitCode::from(u8::try_from(outcome.state.shell_status()).unwrap_or(125))
        }
        Err(error) => {
            eprintln!("confine: {error}");
            ExitCode::from(125)
        }
    }
}
