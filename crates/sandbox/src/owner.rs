//! Whose commands they are. Root without capabilities cannot write a workspace that belongs to somebody else;
//! such a run becomes that owner first.

use std::os::unix::fs::MetadataExt;

use nix::unistd::geteuid;

use crate::{CanonicalPolicy, Mode};

/// The user to become, none for the own one.
pub(crate) fn of(policy: &CanonicalPolicy) -> Result<Option<(u32, u32)>, String> {
    if !geteuid().is_root() || policy.mode != Mode::WorkspaceWrite {
        return Ok(None);
    }
    let mut owner = None;
    for root in &policy.workspace {
        let Ok(metadata) = std::fs::metadata(root) else { continue };
        let this = (metadata.uid(), metadata.gid());
        match owner {
            None => owner = Some(this),
            Some((uid, _)) if uid == this.0 => {}
            Some((uid, _)) => {
                return Err(format!(
                    "the workspace roots belong to several users ({uid}, and {} owns `{root}`), and confined \
                     root can write only what its owner can; give them one owner",
                    this.0
                ));
            }
        }
    }
    Ok(owner.filter(|(uid, _)| *uid != 0))
}
