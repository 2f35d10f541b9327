//! A limit on processes that binds root too. `RLIMIT_NPROC` does not (setrlimit(2)), a pids control group
//! does; only root can usually make one.

use std::{
    ffi::OsStr,
    fs, io,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// A pids control group of our own, removed when this value goes.
#[derive(Debug)]
pub(crate) struct ControlGroup(PathBuf);

impl ControlGroup {
    /// A group below our own one, with at most `limit` processes and threads; none when there is no pids
    /// controller or we may not make a group.
    pub(crate) fn new(name: &OsStr, limit: u32) -> Option<Self> {
        let parent = own_group(&fs::read_to_string("/proc/self/cgroup").ok()?, Path::new("/sys/fs/cgroup"))?;
        let path = parent.join(name);
        fs::create_dir(&path).ok()?;
        let group = Self(path);
        fs::write(group.0.join("pids.max"), limit.to_string()).ok()?;
        Some(group)
    }

    /// Removes the group that a session of this name left, if there is one and it is empty.
    pub(crate) fn remove_left(name: &OsStr) {
        let listing = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        if let Some(parent) = own_group(&listing, Path::new("/sys/fs/cgroup")) {
            let _ = fs::remove_dir(parent.join(name));
        }
    }

    /// `cgroup.procs`, open for writing.
    pub(crate) fn entrance(&self) -> io::Result<OwnedFd> {
        Ok(fs::OpenOptions::new().write(true).open(self.0.join("cgroup.procs"))?.into())
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        // A process that was just killed may still be counted for a moment.
        for _ in 0..20 {
            if !self.0.exists() || fs::remove_dir(&self.0).is_ok() {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        // Commands that nothing confines may leave processes behind; those live on where we live, and no empty group
        // outlives them.
        if let Some(parent) = self.0.parent() {
            let left = fs::read_to_string(self.0.join("cgroup.procs")).unwrap_or_default();
            for pid in left.lines() {
                let _ = fs::write(parent.join("cgroup.procs"), pid);
            }
        }
        if fs::remove_dir(&self.0).is_ok() {
            return;
        }
        tracing::warn!(group = %self.0.display(), "a control group is left: processes are still in it");
    }
}

/// The directory of the pids controller that we are in, from `/proc/self/cgroup` (cgroups(7)).
fn own_group(listing: &str, mount: &Path) -> Option<PathBuf> {
    let mut unified = None;
    for line in listing.lines() {
        let mut fields = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        let path = path.trim_start_matches('/');
        if controllers.split(',').any(|name| name == "pids") {
            return Some(mount.join("pids").join(path));
        }
        if controllers.is_empty() {
            unified = Some(mount.join(path));
        }
    }
    unified
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_pids_controller_in_both_hierarchies() {
        let mount = Path::new("/cg");
        let find = |listing| own_group(listing, mount);
        assert_eq!(find("4:memory:/a\n8:cpu,pids:/b/c\n0::/\n"), Some(PathBuf::from("/cg/pids/b/c")));
        assert_eq!(find("0::/user.slice\n"), Some(PathBuf::from("/cg/user.slice")));
        assert_eq!(find("4:memory:/a\n"), None);
    }
}
