//! System call filters: what neither mounts nor Landlock govern.
//!
//! Everything is allowed but a short list; that list is refused with an error, never with a kill, so that
//! programs which merely try go on.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, sock_filter,
};

use crate::Network;

/// A filter that cannot be made for this machine.
#[derive(Debug, thiserror::Error)]
#[error("cannot make a system call filter for this CPU: {0}")]
pub(crate) struct FilterError(String);

impl From<seccompiler::BackendError> for FilterError {
    fn from(error: seccompiler::BackendError) -> Self {
        Self(error.to_string())
    }
}

/// ioctls that put text into a terminal's input (`ioctl_tty(2)`, `ioctl_console(2)`).
const TERMINAL_INJECTION: [u64; 2] = [libc::TIOCSTI, TIOCLINUX];
const TIOCLINUX: u64 = 0x541C;

/// System calls that can do what the filtered ones do, without being seen by a filter (io_uring(7)).
const UNSEEN: [i64; 3] = [libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// Kernel keyrings: they belong to the user or the session, not to a file system or a namespace that could be
/// taken away (keyrings(7)), and hold credentials.
const KEYRINGS: [i64; 3] = [libc::SYS_add_key, libc::SYS_request_key, libc::SYS_keyctl];

/// Highest family number that is asked about one by one (`AF_MAX` of Linux 6.x is 46).
const FAMILIES: i32 = 64;

/// The filter of every bubblewrap run, as bytes for `--seccomp`. The network namespace holds everything but
/// vsock, which has no namespaces. `unix_sockets`: new Unix sockets are allowed; where they are not, what is
/// refused is so with the error that a socket without permission gives.
pub(crate) fn bubblewrap(network: Network, unix_sockets: bool) -> Result<Vec<u8>, FilterError> {
    let mut rules = common_rules()?;
    let mut sockets = Vec::new();
    if !unix_sockets {
        rules.insert(libc::SYS_socketpair, datagram_pairs()?);
        sockets.push(SeccompRule::new(vec![family(SeccompCmpOp::Eq, libc::AF_UNIX)?])?);
    }
    if network == Network::Blocked {
        sockets.push(SeccompRule::new(vec![family(SeccompCmpOp::Eq, libc::AF_VSOCK)?])?);
    }
    if !sockets.is_empty() {
        // A ring makes sockets too (`IORING_OP_SOCKET`), whatever their family.
        rules.insert(libc::SYS_socket, sockets);
        rules.extend(UNSEEN.map(|number| (number, Vec::new())));
    }
    Ok(to_bytes(&compile(rules, if unix_sockets { libc::EPERM } else { libc::EACCES }, false)?))
}

/// The filter of a Landlock run. `unix_sockets`: new Unix sockets are allowed.
pub(crate) fn landlock(network: Network, unix_sockets: bool) -> Result<BpfProgram, FilterError> {
    let mut rules = common_rules()?;
    rules.extend(nested_namespaces()?);
    rules.insert(libc::SYS_prlimit64, vec![limits_of_others()?]);
    let blocked = network == Network::Blocked;
    let mut sockets = Vec::new();
    if !unix_sockets {
        rules.insert(libc::SYS_socketpair, datagram_pairs()?);
        sockets.push(SeccompRule::new(vec![family(SeccompCmpOp::Eq, libc::AF_UNIX)?])?);
    }
    if blocked {
        // Everything but Unix sockets (judged above) and routing queries, known or not.
        for number in (0..FAMILIES).filter(|number| ![libc::AF_UNIX, libc::AF_NETLINK].contains(number)) {
            sockets.push(SeccompRule::new(vec![family(SeccompCmpOp::Eq, number)?])?);
        }
        sockets.push(SeccompRule::new(vec![family(SeccompCmpOp::Ge, FAMILIES)?])?);
        let not_routing =
            SeccompCondition::new(2, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, libc::NETLINK_ROUTE as u64)?;
        sockets.push(SeccompRule::new(vec![family(SeccompCmpOp::Eq, libc::AF_NETLINK)?, not_routing])?);
    }
    if blocked || !unix_sockets {
        rules.insert(libc::SYS_socket, sockets);
        rules.extend(UNSEEN.map(|number| (number, Vec::new())));
    }
    compile(rules, libc::EACCES, true)
}

/// Pairs whose ends can send, or be connected again, to any socket with a path: unlike those of streams
/// (unix(7), `SOCK_RAW` is `SOCK_DGRAM` there).
fn datagram_pairs() -> Result<Vec<SeccompRule>, FilterError> {
    /// The kind, without `SOCK_CLOEXEC` and `SOCK_NONBLOCK` (`SOCK_TYPE_MASK`).
    const KIND: u64 = 0xf;
    [libc::SOCK_DGRAM, libc::SOCK_RAW]
        .iter()
        .map(|kind| {
            let operator = SeccompCmpOp::MaskedEq(KIND);
            let kind = u64::from(kind.unsigned_abs());
            let kind = SeccompCondition::new(1, SeccompCmpArgLen::Dword, operator, kind)?;
            Ok(SeccompRule::new(vec![family(SeccompCmpOp::Eq, libc::AF_UNIX)?, kind])?)
        })
        .collect()
}

/// User namespaces give every capability inside them, and a large part of the kernel to try them on.
/// `clone3`, whose flags lie in memory, is refused by [`prologue`].
fn nested_namespaces() -> Result<[(i64, Vec<SeccompRule>); 2], FilterError> {
    let flag = u64::from(libc::CLONE_NEWUSER.unsigned_abs());
    let rule = || -> Result<Vec<SeccompRule>, FilterError> {
        let operator = SeccompCmpOp::MaskedEq(flag);
        Ok(vec![SeccompRule::new(vec![SeccompCondition::new(0, SeccompCmpArgLen::Qword, operator, flag)?])?])
    };
    Ok([(libc::SYS_clone, rule()?), (libc::SYS_unshare, rule()?)])
}

/// A limit of CPU seconds ends an outside process as surely as a signal does, and no scope governs it.
fn limits_of_others() -> Result<SeccompRule, FilterError> {
    let other = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, 0)?;
    let setting = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    Ok(SeccompRule::new(vec![other, setting])?)
}

fn family(operator: SeccompCmpOp, number: i32) -> Result<SeccompCondition, FilterError> {
    let number = u64::from(number.unsigned_abs());
    Ok(SeccompCondition::new(0, SeccompCmpArgLen::Dword, operator, number)?)
}

fn common_rules() -> Result<BTreeMap<i64, Vec<SeccompRule>>, FilterError> {
    let mut rules = terminal_rules()?;
    rules.extend(KEYRINGS.map(|number| (number, Vec::new())));
    Ok(rules)
}

fn terminal_rules() -> Result<BTreeMap<i64, Vec<SeccompRule>>, FilterError> {
    let rules = TERMINAL_INJECTION
        .iter()
        .map(|request| {
            // The kernel looks at the low 32 bits only; so does the filter.
            let condition = SeccompCondition::new(1, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, *request)?;
            Ok(SeccompRule::new(vec![condition])?)
        })
        .collect::<Result<Vec<_>, FilterError>>()?;
    Ok(BTreeMap::from([(libc::SYS_ioctl, rules)]))
}

fn compile(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    errno: i32,
    without_clone3: bool,
) -> Result<BpfProgram, FilterError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let refuse = SeccompAction::Errno(errno.unsigned_abs());
    // Calls of a foreign architecture are killed by the filter's own check of the architecture.
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?;
    let program: BpfProgram = filter.try_into()?;
    let mut whole = prologue(without_clone3);
    whole.extend(program);
    Ok(whole)
}

/// Calls that are answered with "no such call" before any rule: x32 calls, which have the native architecture's
/// number and a bit in their own (`__X32_SYSCALL_BIT`), so that no rule would see them; and `clone3`, after
/// which C libraries fall back to `clone`.
fn prologue(without_clone3: bool) -> BpfProgram {
    const X32_BIT: u32 = 0x4000_0000;
    const LOAD_WORD: u16 = 0x20;
    const JUMP_GREATER_EQUAL: u16 = 0x35;
    const JUMP_EQUAL: u16 = 0x15;
    const RETURN: u16 = 0x06;
    const RET_ERRNO: u32 = 0x0005_0000;
    let unknown = sock_filter { code: RETURN, jt: 0, jf: 0, k: RET_ERRNO | libc::ENOSYS.unsigned_abs() };
    let mut whole = vec![
        // The call's number is the first word of `struct seccomp_data`.
        sock_filter { code: LOAD_WORD, jt: 0, jf: 0, k: 0 },
        sock_filter { code: JUMP_GREATER_EQUAL, jt: 0, jf: 1, k: X32_BIT },
        unknown.clone(),
    ];
    if without_clone3 {
        let number = u32::try_from(libc::SYS_clone3).unwrap_or(u32::MAX);
        whole.extend([sock_filter { code: JUMP_EQUAL, jt: 0, jf: 1, k: number }, unknown]);
    }
    whole
}

/// `struct sock_filter` as bubblewrap reads it: 16, 8, 8 and 32 bits in the machine's order.
fn to_bytes(program: &[sock_filter]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(program.len() * 8);
    for one in program {
        bytes.extend(one.code.to_ne_bytes());
        bytes.extend([one.jt, one.jf]);
        bytes.extend(one.k.to_ne_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_fit_into_a_pipe_and_compile() {
        for network in [Network::Open, Network::Blocked] {
            for unix_sockets in [true, false] {
                let bytes = bubblewrap(network, unix_sockets).unwrap();
                assert!(bytes.len().is_multiple_of(8) && bytes.len() < 4096, "{}", bytes.len());
                assert!(landlock(network, unix_sockets).unwrap().len() < 4096);
            }
        }
    }
}
