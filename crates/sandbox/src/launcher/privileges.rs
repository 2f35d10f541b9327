//! Privileges that a confined child gives up.
#![allow(unsafe_code, reason = "capabilities and identities are changed by raw system calls")]

use std::io;

/// Gives up the privilege to gain any, becomes `user` if asked to, and drops every capability for ever.
pub(crate) fn drop_all(user: Option<(u32, u32)>) -> io::Result<()> {
    // SAFETY: plain system calls with integers.
    unsafe {
        check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0).into())?;
        // Without the bounding set, not even the execution of a program by uid 0 brings any back
        // (capabilities(7)). Numbers end where the kernel says that they are invalid.
        for capability in 0..64 {
            if libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 {
                break;
            }
        }
        if let Some((uid, gid)) = user {
            check(libc::setgroups(0, std::ptr::null()).into())?;
            check(libc::setresgid(gid, gid, gid).into())?;
            check(libc::setresuid(uid, uid, uid).into())?;
        }
        check(libc::prctl(libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0).into())?;
    }
    clear_capabilities()
}

fn clear_capabilities() -> io::Result<()> {
    /// `_LINUX_CAPABILITY_VERSION_3` (capget(2)).
    const VERSION_3: u32 = 0x2008_0522;
    let header: [u32; 2] = [VERSION_3, 0];
    let none: [u32; 6] = [0; 6];
    // SAFETY: the header names this thread and version 3, which reads two sets of three words.
    check(unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()) })
}

fn check(result: libc::c_long) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// Sets the soft and hard limit of a resource.
pub(crate) fn limit(resource: i32, value: u64) -> io::Result<()> {
    let limit = libc::rlimit { rlim_cur: value, rlim_max: value };
    // SAFETY: `limit` outlives the call; the old value is not asked for.
    check(unsafe { libc::syscall(libc::SYS_prlimit64, 0, resource, &raw const limit, 0) })
}
