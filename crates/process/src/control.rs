//! How a run is steered from outside: watched output, cancellation, signals, what happens to what is left,
//! and what the child does to itself before it starts the program.

use std::{
    fmt,
    io::{self, PipeReader, PipeWriter, Write},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    sync::{Arc, Mutex},
};

/// One of a child's output streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stream {
    /// Descriptor 1.
    Stdout,
    /// Descriptor 2.
    Stderr,
}

/// A function that is shown the bytes of a run's streams as they arrive.
pub type Watch<'a> = &'a mut dyn FnMut(Stream, &[u8]);

/// What happens to the rest of the process group when the program itself has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leftovers {
    /// SIGKILL.
    #[default]
    Kill,
    /// They go on, as `server &` in a terminal does.
    Leave,
}

/// Who gets SIGTERM (at the time-out, at a cancellation) and forwarded signals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Terminate {
    /// The program, its process group and all its descendants.
    #[default]
    Tree,
    /// Only the program: it passes the signal on itself.
    Leader,
    /// Only the descendants of the program: it is a wrapper whose own death would kill them at once.
    Descendants,
}

/// Something that the child does to itself between `clone` and `execve`, in the order given. Data, not
/// closures: the child shares the caller's memory until it executes, and only these few system calls are
/// known to be sound there.
#[derive(Debug)]
#[non_exhaustive]
pub enum Preparation {
    /// `prctl(PR_SET_NO_NEW_PRIVS)`; needed before [`Preparation::Landlock`] without privileges.
    NoNewPrivileges,
    /// `landlock_restrict_self(2)` with this rule set.
    Landlock(OwnedFd),
    /// `setrlimit(2)`: resource number, soft and hard limit.
    Limit(i32, u64, u64),
    /// Enters the control group whose `cgroup.procs` this is, open for writing.
    ControlGroup(OwnedFd),
    /// Becomes this user and group, with no supplementary groups, for ever.
    Identity {
        /// The user.
        uid: u32,
        /// The group.
        gid: u32,
    },
}

/// How a run is steered.
#[derive(Default)]
pub struct Control<'a> {
    /// Sees every byte of the streams that pass through this process, before any bound drops it.
    pub on_output: Option<Watch<'a>>,
    /// Ends the run as a time-out would.
    pub cancel: Option<&'a Cancel>,
    /// SIGINT, SIGTERM, SIGHUP and SIGQUIT that this process receives during the run go to the child instead.
    pub forward_signals: bool,
    /// What happens to the rest of its group.
    pub leftovers: Leftovers,
    /// Who gets SIGTERM.
    pub terminate: Terminate,
    /// What the child does before it starts the program.
    pub preparations: Vec<Preparation>,
}

impl fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Control")
            .field("on_output", &self.on_output.is_some())
            .field("cancel", &self.cancel)
            .field("forward_signals", &self.forward_signals)
            .field("leftovers", &self.leftovers)
            .field("terminate", &self.terminate)
            .field("preparations", &self.preparations)
            .finish()
    }
}

/// Ends runs from another thread. Clones are the same switch, and it stays on: a run that starts later
/// under it is ended at once.
#[derive(Clone, Debug)]
pub struct Cancel(Arc<Switch>);

#[derive(Debug)]
struct Switch {
    reader: PipeReader,
    writer: Mutex<Option<PipeWriter>>,
}

impl Cancel {
    /// A switch that is off.
    ///
    /// # Errors
    /// When no pipe can be made.
    pub fn new() -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        Ok(Self(Arc::new(Switch { reader, writer: Mutex::new(Some(writer)) })))
    }

    /// Ends every run under this switch.
    pub fn cancel(&self) {
        let mut writer = self.0.writer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(mut writer) = writer.take() {
            // The closed writer alone makes the reader readable; the byte is for readers that poll for data.
            let _ = writer.write_all(&[1]);
        }
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.0.reader.as_fd()
    }
}
