//! A pseudo-terminal with the binary in it, for tests that type.

use std::{
    fs::File,
    io::{Read as _, Write as _},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use super::{BINARY, Place};

/// The binary at a terminal.
pub(crate) struct Session {
    child: Child,
    master: File,
    seen: Arc<Mutex<Vec<u8>>>,
}

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
        command.args(["--ctty", "--wait", program]).args(arguments);
        command.stdin(slave()).stdout(slave()).stderr(slave());
        change(&mut command);
        let child = command.spawn().unwrap();
        drop(command);
        drop(pty.slave);
        let master = File::from(pty.master);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (mut reader, sink) = (master.try_clone().unwrap(), Arc::clone(&seen));
        thread::spawn(move || {
            let mut bytes = [0u8; 4096];
            // A terminal without anybody at the other side reads as an error.
            while let Ok(length) = reader.read(&mut bytes) {
                if length == 0 {
                    break;
                }
                sink.lock().unwrap().extend_from_slice(&bytes[..length]);
            }
        });
        Self { child, master, seen }
    }

    /// Everything written so far.
    pub(crate) fn seen(&self) -> String {
        String::from_utf8_lossy(&self.seen.lock().unwrap()).replace('\r', "")
    }

    /// Waits until a text stands there.
    #[track_caller]
    pub(crate) fn wait_for(&self, text: &str) {
        let end = Instant::now() + Duration::from_secs(30);
        while !self.seen().contains(text) {
            assert!(Instant::now() < end, "`{text}` did not appear in:\n{}", self.seen());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Types, later than the time in which keys do not count.
    pub(crate) fn type_keys(&mut self, keys: &str) {
        thread::sleep(Duration::from_millis(400));
        self.type_at_once(keys);
    }

    /// Types without waiting.
    pub(crate) fn type_at_once(&mut self, keys: &str) {
        self.master.write_all(keys.as_bytes()).unwrap();
    }

    /// Waits for the end; the exit status and everything that was written.
    #[track_caller]
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        let end = Instant::now() + Duration::from_secs(30);
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                thread::sleep(Duration::from_millis(50));
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
