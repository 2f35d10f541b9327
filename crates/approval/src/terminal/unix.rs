//! The controlling terminal: `/dev/tty`, never standard input, which belongs to the command.

use std::{
    fs::{File, TryLockError},
    io::{self, Read as _, Write as _},
    os::{fd::AsFd as _, unix::fs::OpenOptionsExt as _},
    path::Path,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use nix::{
    fcntl::OFlag,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::termios::{
        FlushArg, InputFlags, LocalFlags, SetArg, SpecialCharacterIndices, Termios, tcflush, tcgetattr,
        tcsetattr,
    },
    unistd::{getpgrp, tcgetpgrp},
};

use super::{Choice, Console, Key, Style, choose, converse};
use crate::{Answerer, AnswererError, Question, Reply};

/// Keys that come sooner than this after the question are not answers: they were meant for something else.
const DEAF: Duration = Duration::from_millis(300);
/// How often a waiting terminal looks whether the question still stands.
const LOOK: u16 = 50;
/// The longest comment, in bytes.
const COMMENT: usize = 4096;

/// Answers at the controlling terminal.
#[derive(Debug)]
pub struct Terminal {
    tty: Mutex<File>,
    /// Its name is every terminal's.
    shared: bool,
    style: Style,
}

impl Terminal {
    /// Opens the controlling terminal at `path`: by its own name, such as `/dev/pts/3`, so that the questions of
    /// several processes come one after the other; by the name that every terminal answers to (`/dev/tty`) they
    /// cannot be told apart from those at other terminals, and are not held back.
    ///
    /// # Errors
    /// There is none, it is not the controlling one, or this process is in its background.
    pub fn open(path: &Path, style: Style) -> io::Result<Self> {
        let no_control = OFlag::O_NOCTTY.bits();
        let tty = File::options().read(true).write(true).custom_flags(no_control).open(path)?;
        // A background job that reads its terminal is stopped (SIGTTIN): nobody would ever see why.
        let foreground = tcgetpgrp(&tty)?;
        if foreground != getpgrp() {
            return Err(io::Error::other("this process is in the background of its terminal"));
        }
        let shared = path == Path::new("/dev/tty");
        Ok(Self { tty: Mutex::new(tty), shared, style })
    }

    /// Puts a question that is about no call; see [`choose`].
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn choose(&self, choice: &Choice<'_>, closed: &dyn Fn() -> bool) -> io::Result<Option<char>> {
        let tty = self.tty.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = if self.shared { None } else { Some(Turn::take(&tty, closed)?) };
        let mut raw = Raw::enter(&tty)?;
        let answer = choose(&mut raw, self.style, choice, closed);
        drop(raw);
        drop(turn);
        answer
    }
}

impl Answerer for Terminal {
    fn name(&self) -> &'static str {
        "terminal"
    }

    fn answer(&self, question: &Question) -> Result<Reply, AnswererError> {
        let tty = self.tty.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = |error: io::Error| AnswererError(error.to_string());
        // One question at a time: a key must not answer a question that another process asks below it.
        let turn =
            if self.shared { None } else { Some(Turn::take(&tty, &|| question.closed()).map_err(failed)?) };
        let mut raw = Raw::enter(&tty).map_err(failed)?;
        let answer = converse(&mut raw, self.style, question).map_err(failed)?;
        drop(raw);
        drop(turn);
        Ok(Reply::Answer(answer))
    }
}

/// The right to ask at this terminal, until dropped.
struct Turn<'a>(&'a File);

impl<'a> Turn<'a> {
    /// Waits for the other questions, and no longer than anybody waits for the answer to this one.
    fn take(tty: &'a File, closed: &dyn Fn() -> bool) -> io::Result<Self> {
        loop {
            match tty.try_lock() {
                Ok(()) => return Ok(Self(tty)),
                Err(TryLockError::WouldBlock) if closed() => {
                    return Err(io::Error::other("the question was closed before it could be asked"));
                }
                Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(LOOK.into())),
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// The terminal with line editing, echo and signals off, until dropped.
struct Raw<'a> {
    tty: &'a File,
    before: Termios,
    deaf_until: Option<Instant>,
}

impl<'a> Raw<'a> {
    fn enter(tty: &'a File) -> io::Result<Self> {
        let before = tcgetattr(tty)?;
        let mut raw = before.clone();
        raw.local_flags.remove(LocalFlags::ICANON | LocalFlags::ECHO | LocalFlags::ISIG | LocalFlags::IEXTEN);
        raw.input_flags.remove(InputFlags::IXON);
        if let Some(least) = raw.control_chars.get_mut(SpecialCharacterIndices::VMIN as usize) {
            *least = 1;
        }
        if let Some(time) = raw.control_chars.get_mut(SpecialCharacterIndices::VTIME as usize) {
            *time = 0;
        }
        // TCSAFLUSH discards what was typed ahead.
        tcsetattr(tty, SetArg::TCSAFLUSH, &raw)?;
        Ok(Self { tty, before, deaf_until: None })
    }

    /// Whatever is there, once there is something; none when the question was closed.
    fn chunk(&mut self, closed: &dyn Fn() -> bool) -> io::Result<Option<Vec<u8>>> {
        loop {
            if closed() {
                return Ok(None);
            }
            let mut descriptors = [PollFd::new(self.tty.as_fd(), PollFlags::POLLIN)];
            match poll(&mut descriptors, PollTimeout::from(LOOK)) {
                Ok(0) | Err(nix::errno::Errno::EINTR) => continue,
                Ok(_) => {}
                Err(error) => return Err(error.into()),
            }
            let mut bytes = [0u8; 256];
            let mut tty = self.tty;
            let length = match tty.read(&mut bytes) {
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                // A hung-up terminal reads as EIO.
                Err(error) if error.raw_os_error() == Some(nix::errno::Errno::EIO as i32) => 0,
                Err(error) => return Err(error),
            };
            return Ok(Some(bytes.get(..length).unwrap_or_default().to_vec()));
        }
    }
}

impl Drop for Raw<'_> {
    fn drop(&mut self) {
        let _ = tcsetattr(self.tty, SetArg::TCSAFLUSH, &self.before);
    }
}

impl Console for Raw<'_> {
    fn write(&mut self, text: &str) -> io::Result<()> {
        let mut tty = self.tty;
        tty.write_all(text.as_bytes())?;
        tty.flush()
    }

    fn key(&mut self, closed: &dyn Fn() -> bool) -> io::Result<Key> {
        let deaf_until = *self.deaf_until.get_or_insert_with(|| Instant::now() + DEAF);
        loop {
            let Some(chunk) = self.chunk(closed)? else { return Ok(Key::Closed) };
            if chunk.is_empty() {
                return Ok(Key::End);
            }
            if Instant::now() < deaf_until {
                // Ctrl-C counts at any time: it only ever says no.
                if chunk.contains(&0x03) {
                    return Ok(Key::Interrupt);
                }
                tcflush(self.tty, FlushArg::TCIFLUSH)?;
                continue;
            }
            return Ok(read_key(&chunk));
        }
    }

    fn line(&mut self, closed: &dyn Fn() -> bool) -> io::Result<Option<String>> {
        let mut line: Vec<u8> = Vec::new();
        loop {
            let Some(chunk) = self.chunk(closed)? else { return Ok(None) };
            if chunk.is_empty() || chunk.first() == Some(&0x1b) {
                return Ok(None);
            }
            for byte in chunk {
                match byte {
                    b'\r' | b'\n' => return Ok(Some(String::from_utf8_lossy(&line).into_owned())),
                    0x03 | 0x04 => return Ok(None),
                    0x08 | 0x7f => {
                        if erase(&mut line) {
                            self.write("\u{8} \u{8}")?;
                        }
                    }
                    byte if byte < 0x20 || line.len() >= COMMENT => {}
                    byte => {
                        line.push(byte);
                        let mut tty = self.tty;
                        tty.write_all(&[byte])?;
                    }
                }
            }
        }
    }
}

/// Takes the last character off, all of its bytes.
fn erase(line: &mut Vec<u8>) -> bool {
    let some = !line.is_empty();
    while line.pop().is_some_and(|byte| byte & 0xc0 == 0x80) {}
    some
}

/// One key, perhaps with the Enter behind it that people add by habit; more is noise.
fn read_key(chunk: &[u8]) -> Key {
    if chunk.contains(&0x03) {
        return Key::Interrupt;
    }
    if chunk == [0x04] {
        return Key::End;
    }
    let Ok(text) = std::str::from_utf8(chunk) else { return Key::Noise };
    let text = text.strip_suffix("\r\n").or_else(|| text.strip_suffix(['\r', '\n'])).unwrap_or(text);
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some(character), None) if !character.is_control() => Key::Char(character),
        _ => Key::Noise,
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, erase, read_key};

    #[test]
    fn one_key_is_a_key_and_a_paste_is_none() {
        assert_eq!(read_key(b"y"), Key::Char('y'));
        assert_eq!(read_key(b"y\r"), Key::Char('y'));
        assert_eq!(read_key(b"yes\r"), Key::Noise);
        assert_eq!(read_key(b"\x1b[A"), Key::Noise);
        assert_eq!(read_key(b"y\ny\n"), Key::Noise);
        assert_eq!(read_key(b"y\x03"), Key::Interrupt);
        assert_eq!(read_key(b"\x04"), Key::End);
        assert_eq!(read_key(b"\r"), Key::Noise);
    }

    #[test]
    fn erasing_takes_whole_characters() {
        let mut line = "aé".as_bytes().to_vec();
        assert!(erase(&mut line));
        assert_eq!(line, b"a");
        assert!(erase(&mut line) && !erase(&mut line));
    }
}
