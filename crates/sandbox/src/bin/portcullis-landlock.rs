//! The Landlock launcher as a program of its own: see [`portcullis_sandbox::launcher`].

use std::process::ExitCode;

fn main() -> ExitCode {
    portcullis_sandbox::launcher::main(std::env::args_os().skip(1))
}
