//! System call filters: what neither mounts nor Landlock govern (specification 5.3, "Network").
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

/// Highest family number that is asked about one by one (`AF_MAX` of Linux 6.x is 46).
const FAMILIES: i32 = 64;

/// The filter of every bubblewrap run, as bytes for `--seccomp`. The network namespace holds everything but
/// vsock, which has no namespaces.
pub(crate) fn bubblewrap(network: Network) -> Result<Vec<u8>, FilterError> {
    let mut rules = terminal_rules()?;
    if network == Network::Blocked {
        rules.insert(
            libc::SYS_socket,
            vec![SeccompRule::new(vec![family(SeccompCmpOp::Eq, libc::AF_VSOCK)?])?],
        );
    }
    Ok(to_bytes(&compile(rules, libc::EPERM)?))
}

/// The filter of a Landlock run. `unix_sockets`: new Unix sockets are allowed.
pub(crate) fn landlock(network: Network, unix_sockets: bool) -> Result<BpfProgram, FilterError> {
    let mut rules = terminal_rules()?;
    let blocked = network == Network::Blocked;
    let mut sockets = Vec::new();
    if !unix_sockets {
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
    compile(rules, libc::EACCES)
}

fn family(operator: SeccompCmpOp, number: i32) -> Result<SeccompCondition, FilterError> {
    let number = u64::from(number.unsigned_abs());
    Ok(SeccompCondition::new(0, SeccompCmpArgLen::Dword, operator, number)?)
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

fn compile(rules: BTreeMap<i64, Vec<SeccompRule>>, errno: i32) -> Result<BpfProgram, FilterError> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let refuse = SeccompAction::Errno(errno.unsigned_abs());
    // Calls of a foreign architecture are killed by the filter's own check of the architecture.
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?;
    let program: BpfProgram = filter.try_into()?;
    Ok(without_x32(program))
}

/// x32 calls have the native architecture's number and a bit in their own (`__X32_SYSCALL_BIT`), so that no
/// rule above would see them.
fn without_x32(program: BpfProgram) -> BpfProgram {
    const X32_BIT: u32 = 0x4000_0000;
    const LOAD_WORD: u16 = 0x20;
    const JUMP_GREATER_EQUAL: u16 = 0x35;
    const RETURN: u16 = 0x06;
    const RET_ERRNO: u32 = 0x0005_0000;
    let mut whole = vec![
        // The call's number is the first word of `struct seccomp_data`.
        sock_filter { code: LOAD_WORD, jt: 0, jf: 0, k: 0 },
        sock_filter { code: JUMP_GREATER_EQUAL, jt: 0, jf: 1, k: X32_BIT },
        sock_filter { code: RETURN, jt: 0, jf: 0, k: RET_ERRNO | libc::ENOSYS.unsigned_abs() },
    ];
    whole.extend(program);
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
            let bytes = bubblewrap(network).unwrap();
            assert!(bytes.len().is_multiple_of(8) && bytes.len() < 4096, "{}", bytes.len());
            for unix_sockets in [true, false] {
                assert!(landlock(network, unix_sockets).unwrap().len() < 4096);
            }
        }
    }
}
