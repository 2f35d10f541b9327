//! `cargo run -p portcullis-process --example timeout -- SECONDS PROGRAM ARGS...`: what `timeout(1)` does,
//! with a kill that reaches the whole tree, and exit status 124 when it had to.

use std::{env, process::ExitCode, time::Duration};

use portcullis_process::{Command, Control, Stdin, Stdio};

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let Some(seconds) = arguments.next().and_then(|text| text.to_str()?.parse::<f64>().ok()) else {
        eprintln!("usage: timeout SECONDS PROGRAM ARGS...");
        return ExitCode::from(125);
    };
    let mut command = Command::new(arguments, env::current_dir().unwrap_or_else(|_| "/".into()));
    command.environment = env::vars_os().collect();
    command.timeout = Duration::try_from_secs_f64(seconds).ok();
    (command.stdin, command.output) = (Stdin::Inherit, Stdio::Inherit);
    match command.run_with(Control { forward_signals: true, ..Control::default() }) {
        Ok(output) if output.timed_out => ExitCode::from(124),
        Ok(output) => ExitCode::from(u8::try_from(output.state.shell_status()).unwrap_or(125)),
        Err(error) => {
            eprintln!("timeout: {error}");
            ExitCode::from(u8::try_from(error.exit_code().unwrap_or(125)).unwrap_or(125))
        }
    }
}
