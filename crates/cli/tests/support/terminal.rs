//! A pseudo-terminal with the binary in it, for tests that type.

use std::{
    fs::File,
    io::{Read as _, Write as _},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::{BINARY, Place};

/// The binary at a terminal.
pub(crate) struct Session {
    child: Child,
    master: File,
    seen: Arc<Mutex<Vec<u8>>>,
    /// Ends when nobody has the other side of the terminal any more.
    reader: JoinHandle<()>,
}

/// Longer than anything takes on a machine that is busy with other things.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

impl Session {
    /// Starts the binary in the place's project. `setsid --ctty` makes the slave side its controlling terminal.
    pub(crate) fn start(place: &Place, arguments: &[&str]) -> Self {
        Self::start_with(place, arguments, |_| {})
    }

    /// The same, with something changed about the command.
    pub(crate) fn start_with(place: &Place, arguments: &[&str], change: impl FnOnce(&mut Command)) -> Self {
        Self::start_program(place, BINARY, arguments, change)
    }

    /// Any program at a terminal of its own.
    pub(crate) fn start_program(
        place: &Place,
        program: &str,
        arguments: &[&str],
        change: impl FnOnce(&mut Command),
    ) -> Self {
        let pty = nix::pty::openpty(None, None).unwrap();
        let slave = || Stdio::from(pty.slave.try_clone().unwrap());
        let mut command = place.plain("setsid");
        // Who runs the tests may ignore signals (nohup does), and what is ignored stays so.
        command.args(["--ctty", "--wait", "env", "--default-signal", program]).args(arguments);
        command.stdin(slave()).stdout(slave()).stderr(slave());
        change(&mut command);
        let child = command.spawn().unwrap();
        drop(command);
        drop(pty.slave);
        let master = File::from(pty.master);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (mut output, sink) = (master.try_clone().unwrap(), Arc::clone(&seen));
        let reader = thread::spawn(move || {
            let mut bytes = [0u8; 4096];
            // A terminal without anybody at the other side reads as an error.
            while let Ok(length) = output.read(&mut bytes) {
                if length == 0 {
                    break;
                }
                sink.lock().unwrap().extend_from_slice(&bytes[..length]);
            }
        });
        Self { child, master, seen, reader }
    }

    /// The process of the program, once it has shown itself: setsid(1) and env(1) are it by then, because
    /// the first leads no process group that it would have to leave.
    pub(crate) fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).unwrap()
    }

    /// Everything written so far.
    pub(crate) fn seen(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap()).replace('\r', "")
    }

    /// Waits until a text stands there.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        let end = Instant::now() + PATIENCE;
        while !self.seen().contains(text) {
            assert!(Instant::now() < end, "`{text}` did not appear in:\n{}", self.seen());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Types one key that answers: not in the time in which keys do not count, and once more when nothing comes of
    /// it, because on a busy machine that time begins some time after the question is seen.
    #[track_caller]
    pub(crate) fn type_keys(&mut self, key: &str) {
        let end = Instant::now() + PATIENCE;
        let before = self.seen.lock().unwrap().len();
        let mut pause = Duration::from_millis(400);
        while Instant::now() < end {
            thread::sleep(pause);
            self.type_at_once(key);
            pause = Duration::from_secs(1);
            let next = Instant::now() + 2 * pause;
            while Instant::now() < next {
                if self.seen.lock().unwrap().len() > before || self.child.try_wait().unwrap().is_some() {
                    return;
                }
                thread::sleep(Duration::from_millis(10));
            }
        }
        panic!("`{}` did nothing in:\n{}", key.escape_debug(), self.seen());
    }

    /// Types without waiting.
    pub(crate) fn type_at_once(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the end; the exit status and everything that was written.
    #[track_caller]
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                // What was written last may still be on its way to us.
                while !self.reader.is_finished() && Instant::now() < end {
                    thread::sleep(Duration::from_millis(5));
                }
                return (status.code(), self.seen());
            }
            assert!(Instant::now() < end, "it does not end:\n{}", self.seen());
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
