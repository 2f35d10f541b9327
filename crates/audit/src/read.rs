//! Reading back.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read as _},
    path::{Path, PathBuf},
};

use crate::{Filter, Record, rotate};

/// A longer line is skipped with a problem: a reader must not be made to hold anything in memory.
const LONGEST_LINE: u64 = 32 << 20;

/// Why a log cannot be read at all.
#[derive(Debug, thiserror::Error)]
#[error("the log `{}` cannot be read: {source} (check the path and its permissions)", .path.display())]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// A line that could not be used. The others are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{line}: {message}", .file.display())]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// From 1.
    pub line: u64,
    /// What is wrong; lower case, no full stop.
    pub message: String,
    /// It is the last line and ends without a line end: its writer was stopped.
    pub torn: bool,
}

/// What a log holds.
#[derive(Debug, Default)]
pub struct Reading {
    /// In the order in which they were appended.
    pub records: Vec<Record>,
    /// Lines that could not be used.
    pub problems: Vec<Problem>,
}

/// Reads a log, with the parts that were moved aside, oldest first.
///
/// # Errors
/// When a file cannot be opened or read. Lines that cannot be understood are never an error.
pub fn read(path: &Path, filter: &Filter) -> Result<Reading, ReadError> {
    let fail = |source| ReadError { path: path.to_owned(), source };
    let mut reading = Reading::default();
    for part in rotate::files(path).map_err(fail)? {
        for line in Reader::open(&part)? {
            match line? {
                Ok(record) if filter.accepts(&record) => reading.records.push(record),
                Ok(_) => {}
                Err(problem) => reading.problems.push(problem),
            }
        }
    }
    Ok(reading)
}

/// Goes through one file line by line.
pub struct Reader<R> {
    file: PathBuf,
    lines: R,
    line: u64,
    done: bool,
}

impl Reader<BufReader<File>> {
    /// Opens one file (not the parts that were moved aside).
    ///
    /// # Errors
    /// When it cannot be opened, or is no regular file: a pipe may never speak, and a device never end.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        let fail = |source| ReadError { path: path.to_owned(), source };
        let mut options = File::options();
        options.read(true);
        #[cfg(unix)]
        crate::unix::never_wait(&mut options);
        let file = options.open(path).map_err(fail)?;
        if !file.metadata().map_err(fail)?.is_file() {
            return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")));
        }
        Ok(Self::new(path, BufReader::new(file)))
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads from anything; `file` is only for messages.
    pub fn new(file: impl Into<PathBuf>, lines: R) -> Self {
        Self { file: file.into(), lines, line: 0, done: false }
    }

    fn next_line(&mut self) -> io::Result<Option<Result<Record, Problem>>> {
        loop {
            let mut bytes = Vec::new();
            let length = self.lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
            if length == 0 {
                return Ok(None);
            }
            self.line = self.line.saturating_add(1);
            let ended = bytes.last() == Some(&b'\n');
            if !ended && length as u64 == LONGEST_LINE {
                self.skip_line()?;
                return Ok(Some(Err(self.problem("the line is too long".into(), false))));
            }
            // An empty line separates a torn one from the next.
            if bytes.trim_ascii().is_empty() {
                continue;
            }
            let record =
                serde_json::from_slice(&bytes).map_err(|error| error.to_string()).and_then(Record::from_json);
            return Ok(Some(record.map_err(|message| {
                let message = if ended { message } else { "the last line is not complete".into() };
                self.problem(message, !ended)
            })));
        }
    }

    fn problem(&self, message: String, torn: bool) -> Problem {
        Problem { file: self.file.clone(), line: self.line, message, torn }
    }

    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            let buffer = self.lines.fill_buf()?;
            if buffer.is_empty() {
                return Ok(());
            }
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let length = end.map_or(buffer.len(), |end| end + 1);
            self.lines.consume(length);
            if end.is_some() {
                return Ok(());
            }
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    /// Outside: the file failed. Inside: the line did.
    type Item = Result<Result<Record, Problem>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        match self.next_line() {
            Ok(Some(line)) => Some(Ok(line)),
            Ok(None) => {
                self.done = true;
                None
            }
            Err(source) => {
                self.done = true;
                Some(Err(ReadError { path: self.file.clone(), source }))
            }
        }
    }
}
