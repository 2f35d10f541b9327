//! The system's allocator, counting for each thread, so that tests beside each other do not disturb it.
#![allow(unsafe_code, reason = "`GlobalAlloc` is an unsafe trait")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

struct Counting;

thread_local! {
    /// Allocations and their bytes; without a destructor, so that it can be used at any time.
    static COUNT: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

fn count(bytes: usize) {
    let (count, all) = COUNT.get();
    COUNT.set((count + 1, all + bytes));
}

// SAFETY: every method hands its arguments unchanged to the system's allocator, which upholds the contract;
// counting neither allocates nor panics (a `const` thread-local without a destructor).
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.saturating_sub(layout.size()));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many allocations `work` makes, and how many bytes they have.
pub(crate) fn of(work: impl FnOnce()) -> (usize, usize) {
    let before = COUNT.get();
    work();
    let after = COUNT.get();
    (after.0 - before.0, after.1 - before.1)
}
