//! Moving things out of a workspace, and back into it, without following a link: every directory on the way is opened
//! by its own name, and what is done is done relative to the last one.

use std::{
    ffi::OsStr,
    fs::{self, File, OpenOptions},
    io,
    os::{
        fd::AsRawFd,
        unix::fs::{OpenOptionsExt, PermissionsExt, symlink},
    },
    path::{Path, PathBuf},
};

use super::{
    Change, Finding,
    journal::private_directory,
    scan::{Kind, State},
};

/// `STATE/quarantine/SESSION`, made when it is needed.
pub(crate) struct Quarantine {
    directory: PathBuf,
    number: u32,
}

/// A directory that was reached through no link.
struct Reached(File);

impl Reached {
    /// `path` has to lie below `root`; the directory that it lies in.
    fn parent(root: &Path, path: &Path, make: bool) -> io::Result<Self> {
        let inner = path.strip_prefix(root).map_err(io::Error::other)?;
        let mut reached = Self(open(root)?);
        for name in inner.parent().into_iter().flatten() {
            let next = reached.entry(name);
            if make && fs::symlink_metadata(&next).is_err() {
                fs::create_dir(&next)?;
            }
            reached = Self(open(&next)?);
        }
        Ok(reached)
    }

    /// An entry of it, by a path that leads through the open directory (proc(5), `/proc/self/fd`).
    fn entry(&self, name: &OsStr) -> PathBuf {
        Path::new("/proc/self/fd").join(self.0.as_raw_fd().to_string()).join(name)
    }
}

fn open(directory: &Path) -> io::Result<File> {
    let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW;
    OpenOptions::new().read(true).custom_flags(flags).open(directory)
}

fn own_name(path: &Path) -> io::Result<&OsStr> {
    path.file_name().ok_or_else(|| io::Error::other("it has no name"))
}

impl Quarantine {
    pub(crate) fn new(state: &Path, session: &str) -> Self {
        Self { directory: state.join("quarantine").join(session), number: 0 }
    }

    /// Moves `path` here, and puts `copy` in its place if there is one.
    pub(crate) fn take(&mut self, root: &Path, path: &Path, change: Change, copy: Option<&Path>) -> Finding {
        let mut finding =
            Finding { path: path.to_path_buf(), change, quarantined: None, restored: false, error: None };
        match self.bring(root, path) {
            Ok(place) => finding.quarantined = place,
            Err(error) => {
                finding.error = Some(format!("it cannot be moved and is still there: {error}"));
                return finding;
            }
        }
        restore(root, copy, &mut finding);
        finding
    }

    /// Puts what was removed back.
    pub(crate) fn put_back(&self, root: &Path, path: &Path, copy: Option<&Path>) -> Finding {
        let mut finding = Finding {
            path: path.to_path_buf(),
            change: Change::Removed,
            quarantined: None,
            restored: false,
            error: None,
        };
        restore(root, copy, &mut finding);
        finding
    }

    fn bring(&mut self, root: &Path, path: &Path) -> io::Result<Option<PathBuf>> {
        let name = own_name(path)?;
        let parent = Reached::parent(root, path, false)?;
        let from = parent.entry(name);
        let kind = State::of(&from).map(|state| state.kind);
        if kind == Some(Kind::Other) {
            // Of a pipe or a socket nothing is worth keeping.
            fs::remove_file(&from)?;
            return Ok(None);
        }
        private_directory(&self.directory)?;
        let to = self.vacant(name);
        match fs::rename(&from, &to) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                copy_over(&from, &to, kind)?;
                fs::remove_file(&from)?;
            }
            renamed => renamed?,
        }
        Ok(Some(to))
    }

    /// A name that nothing has here.
    fn vacant(&mut self, name: &OsStr) -> PathBuf {
        loop {
            self.number += 1;
            let to = self.directory.join(format!("{}.quarantined-{}", name.to_string_lossy(), self.number));
            if fs::symlink_metadata(&to).is_err() {
                return to;
            }
        }
    }
}

/// To another file system.
fn copy_over(from: &Path, to: &Path, kind: Option<Kind>) -> io::Result<()> {
    if kind == Some(Kind::Link) {
        return symlink(fs::read_link(from)?, to);
    }
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let mut source = OpenOptions::new().read(true).custom_flags(flags).open(from)?;
    let found = source.metadata()?;
    if !found.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut target = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
    io::copy(&mut source, &mut target)?;
    target.set_permissions(fs::Permissions::from_mode(found.permissions().mode() & 0o777))
}

fn restore(root: &Path, copy: Option<&Path>, finding: &mut Finding) {
    if finding.change == Change::New {
        return;
    }
    let put = |copy: &Path| -> io::Result<()> {
        let parent = Reached::parent(root, &finding.path, true)?;
        let to = parent.entry(own_name(&finding.path)?);
        let text = fs::read(copy)?;
        // Never over something, nor through a link: what is there now is not ours.
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o644).open(to)?;
        io::Write::write_all(&mut file, &text)
    };
    match copy.map(put) {
        Some(Ok(())) => finding.restored = true,
        Some(Err(error)) => finding.error = Some(format!("what was there cannot be put back: {error}")),
        None => finding.error = Some("what was there cannot be put back: there is no copy of it".to_owned()),
    }
}

/// An empty directory; one that is not empty stays.
pub(crate) fn remove_directory(root: &Path, path: &Path) {
    if let (Ok(parent), Ok(name)) = (Reached::parent(root, path, false), own_name(path)) {
        let _ = fs::remove_dir(parent.entry(name));
    }
}
