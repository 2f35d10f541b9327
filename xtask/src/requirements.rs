//! What the tests need besides the Rust toolchain, and how it gets there.

use std::process::Command;

use crate::command::{Outcome, on_path, run};

/// A program that tests compare with or run under.
struct Requirement {
    program: &'static str,
    debian_package: &'static str,
    why: &'static str,
}

const REQUIREMENTS: &[Requirement] = &[
    Requirement { program: "bwrap", debian_package: "bubblewrap", why: "the sandbox's preferred back end" },
    Requirement {
        program: "git",
        debian_package: "git",
        why: "the oracle for git configuration, and honest work",
    },
    Requirement { program: "bash", debian_package: "bash", why: "the oracle for the shell grammar" },
    Requirement {
        program: "setpriv",
        debian_package: "util-linux",
        why: "sandbox tests as an unprivileged user",
    },
    Requirement { program: "script", debian_package: "bsdutils", why: "terminals inside the sandbox" },
    Requirement {
        program: "python3",
        debian_package: "python3-minimal",
        why: "attacks on the sandbox that need system calls",
    },
    Requirement { program: "cc", debian_package: "gcc", why: "the linker that cargo calls" },
    driven("rg", "ripgrep"),
    driven("fdfind", "fd-find"),
    driven("tree", "tree"),
    driven("jq", "jq"),
    driven("file", "file"),
    driven("xxd", "xxd"),
    driven("zip", "zip"),
    driven("unzip", "unzip"),
    driven("xz", "xz-utils"),
    driven("zstd", "zstd"),
    driven("less", "less"),
    driven("lsof", "lsof"),
    driven("ps", "procps"),
    driven("ip", "iproute2"),
    driven("column", "bsdextrautils"),
    driven("strings", "binutils"),
    driven("ack", "ack"),
    driven("ag", "silversearcher-ag"),
];

/// A program that the soundness test of the shell analysis drives through all its flags.
const fn driven(program: &'static str, debian_package: &'static str) -> Requirement {
    Requirement { program, debian_package, why: "the soundness of what is judged read-only" }
}

/// Installs what is missing when that is possible, else says what to install.
pub(crate) fn provide() -> Outcome {
    let missing: Vec<&Requirement> = REQUIREMENTS.iter().filter(|needed| !on_path(needed.program)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    for needed in &missing {
        eprintln!("missing: {} ({}): {}", needed.program, needed.debian_package, needed.why);
    }
    let packages: Vec<&str> = missing.iter().map(|needed| needed.debian_package).collect();
    let by_hand = format!("install what is missing: apt-get install {}", packages.join(" "));
    if !is_root() || !on_path("apt-get") {
        return Err(by_hand);
    }
    let apt = || {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    run(apt().args(["update", "-qq"]))
        .and_then(|()| run(apt().args(["install", "-y", "-qq", "--no-install-recommends"]).args(&packages)))
        .map_err(|error| format!("{error}\n{by_hand}"))?;
    match missing.iter().find(|needed| !on_path(needed.program)) {
        Some(still) => {
            Err(format!("`{}` is not there after installing {}", still.program, still.debian_package))
        }
        None => Ok(()),
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
