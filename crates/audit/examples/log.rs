//! Prints a log, one line for each record, and what could not be read: `log FILE [SESSION]`.

use std::{path::Path, process::ExitCode};

use portcullis_audit::{Filter, read};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: log FILE [SESSION]");
        return ExitCode::from(2);
    };
    let filter = Filter { session: arguments.next(), ..Filter::default() };
    match read(Path::new(&file), &filter) {
        Ok(reading) => {
            for record in &reading.records {
                println!("{} {} #{} {:?}", record.time, record.session, record.seq, record.event);
            }
            for problem in &reading.problems {
                eprintln!("{problem}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
