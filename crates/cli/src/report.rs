//! What a person reads when something is wrong: what, where, what to do. One line each, no backtraces.

use std::{fmt, io::Write as _};

use crate::exit::Exit;

/// A failure of a command, with the exit status that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Report {
    /// What is wrong: lower case, no full stop.
    what: String,
    /// A file with its line, a flag, a path.
    place: Option<String>,
    /// What the person can do.
    remedy: Option<String>,
    /// A stable word for machines.
    code: &'static str,
    exit: Exit,
}

/// What [`Report::code`] says of an answer that reached nobody.
const OUTPUT: &str = "output";

/// What a command hands back.
pub(crate) type CommandResult = Result<Exit, Report>;

impl Report {
    /// A failure of Portcullis itself (125).
    pub(crate) fn failure(code: &'static str, what: impl Into<String>) -> Self {
        Self { what: what.into(), place: None, remedy: None, code, exit: Exit::Failure }
    }

    /// Where it is.
    #[must_use]
    pub(crate) fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// What to do.
    #[must_use]
    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// Another exit status than 125.
    #[must_use]
    pub(crate) fn exit(mut self, exit: Exit) -> Self {
        self.exit = exit;
        self
    }

    /// The exit status.
    pub(crate) const fn status(&self) -> Exit {
        self.exit
    }

    /// Whether anybody needs words for it.
    pub(crate) fn is_quiet(&self) -> bool {
        self.exit == Exit::ReaderGone
    }

    /// The stable word for machines.
    pub(crate) const fn code(&self) -> &'static str {
        self.code
    }

    /// What is wrong, in one line.
    pub(crate) fn message(&self) -> &str {
        &self.what
    }

    /// The error object of `--format json` and of batch lines.
    pub(crate) fn json(&self) -> serde_json::Value {
        let mut error = serde_json::json!({ "code": self.code, "message": self.what });
        if let Some(object) = error.as_object_mut() {
            if let Some(place) = &self.place {
                object.insert("at".to_owned(), place.clone().into());
            }
            if let Some(remedy) = &self.remedy {
                object.insert("remedy".to_owned(), remedy.clone().into());
            }
        }
        serde_json::json!({ "error": error })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "portcullis: {}", portcullis_approval::escape_line(&self.what))?;
        if let Some(place) = &self.place {
            write!(f, "\n  at: {}", portcullis_approval::escape_line(place))?;
        }
        if let Some(remedy) = &self.remedy {
            write!(f, "\n  do: {}", portcullis_approval::escape_line(remedy))?;
        }
        Ok(())
    }
}

/// Writes one line to standard error. A closed standard error is nobody's failure.
pub(crate) fn note(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Writes text to standard output.
///
/// # Errors
/// A full disk, a closed descriptor, a reader that went away: what was asked for could not be delivered.
pub(crate) fn print(text: &str) -> Result<(), Report> {
    has_output()?;
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| unwritable(&error))
}

/// Writes the answer of a command that has changed something: what it did stands whether or not anybody reads of it, and
/// that is what its exit status says.
pub(crate) fn print_done(text: &str) {
    if let Err(failure) = print(text)
        && !failure.is_quiet()
    {
        note(&format!("portcullis: warning: {}; what was asked for is done", failure.message()));
    }
}

/// Standard output was open when this process began.
///
/// # Errors
/// It was not: writes to it succeed all the same, and reach nobody.
pub(crate) fn has_output() -> Result<(), Report> {
    if portcullis_process::has_output() {
        return Ok(());
    }
    Err(Report::failure(OUTPUT, "standard output is closed, so that nobody can read the answer")
        .remedy("open it, such as >/dev/null where the exit status is enough"))
}

/// Standard input was open when this process began.
///
/// # Errors
/// It was not: it reads as empty all the same, and nobody meant that.
pub(crate) fn has_input() -> Result<(), Report> {
    if portcullis_process::has_input() {
        return Ok(());
    }
    Err(Report::failure("input", "standard input is closed").remedy("open it, such as <FILE or </dev/null"))
}

/// An answer that could not be written. A reader that has seen enough (`| head`) needs no words, but what it
/// has not seen is no success.
pub(crate) fn unwritable(error: &std::io::Error) -> Report {
    let report = Report::failure(OUTPUT, format!("cannot write to standard output: {error}"));
    if error.kind() == std::io::ErrorKind::BrokenPipe { report.exit(Exit::ReaderGone) } else { report }
}

/// Tells a person that a lock is waited for.
pub(crate) fn waiting(lock: &std::path::Path) {
    let lock = portcullis_approval::escape_line(&lock.display().to_string());
    note(&format!("portcullis: note: waiting for the lock of `{lock}`, which another process holds"));
}
