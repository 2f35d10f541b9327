//! Whether this process was given its standard input and output.
#![allow(unsafe_code, reason = "looks before the standard library opens anything in their place")]

use std::{
    hint::black_box,
    sync::atomic::{AtomicBool, Ordering},
};

static INPUT: AtomicBool = AtomicBool::new(false);
static OUTPUT: AtomicBool = AtomicBool::new(false);

/// Runs before `main`: the standard library opens `/dev/null` for each of descriptors 0, 1 and 2 that is closed then, and
/// treats one that is open the wrong way as an empty input or a success. After that nobody can tell any more.
#[used]
// SAFETY: the loader calls the functions of this section one after the other before `main` (System V ABI, chapter
// "Dynamic Linking", "Initialization and Termination Functions"); `look` needs nothing that is not there by then.
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

extern "C" fn look() {
    // SAFETY: plain system calls on numbers; one that is no open descriptor is EBADF.
    let (input, output) = unsafe { (libc::fcntl(0, libc::F_GETFL), libc::fcntl(1, libc::F_GETFL)) };
    INPUT.store(input >= 0 && input & libc::O_ACCMODE != libc::O_WRONLY, Ordering::Relaxed);
    OUTPUT.store(output >= 0 && output & libc::O_ACCMODE != libc::O_RDONLY, Ordering::Relaxed);
}

/// Whether standard input was open for reading when this process began. What is read from one that was not is no
/// empty input.
#[must_use]
pub fn has_input() -> bool {
    black_box(&LOOK);
    INPUT.load(Ordering::Relaxed)
}

/// Whether standard output was open for writing when this process began. What is written to one that was not reaches
/// nobody, although every write succeeds.
#[must_use]
pub fn has_output() -> bool {
    black_box(&LOOK);
    OUTPUT.load(Ordering::Relaxed)
}

/// How many columns the terminal has that standard output is; none where it is no terminal, or one that does not know.
#[must_use]
pub fn output_columns() -> Option<u16> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: TIOCGWINSZ writes one `winsize` where it is pointed to (ioctl_tty(2)), and this one lives longer than the
    // call; what is no terminal is ENOTTY.
    let done = unsafe { libc::ioctl(1, libc::TIOCGWINSZ, &raw mut size) };
    (done == 0 && size.ws_col > 0).then_some(size.ws_col)
}
