//! What is worked out once for a constant of the specifications, found by the constant's address: a specification is
//! plain data, and reading it again for every command would cost more than the command.

use std::sync::OnceLock;

/// Room for `N` constants, a power of two and more than there are.
#[derive(Debug)]
pub(super) struct ByAddress<T: 'static, const N: usize> {
    slots: [OnceLock<Box<Slot<T>>>; N],
}

#[derive(Debug)]
struct Slot<T> {
    address: usize,
    length: usize,
    value: T,
}

impl<T, const N: usize> ByAddress<T, N> {
    pub(super) const fn new() -> Self {
        Self { slots: [const { OnceLock::new() }; N] }
    }

    /// The value for the constant that begins at `address` and is `length` long; `None` when there is no room left.
    pub(super) fn get(&self, address: usize, length: usize, make: impl Fn() -> T) -> Option<&T> {
        // Constants stand behind each other: multiplying spreads their addresses (Knuth, TAOCP 6.4).
        let spread = (address.wrapping_add(length) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let first = (spread >> (u64::BITS - N.trailing_zeros())) as usize;
        for step in 0..N {
            let slot = self.slots.get((first + step) % N)?;
            let slot = slot.get_or_init(|| Box::new(Slot { address, length, value: make() }));
            if (slot.address, slot.length) == (address, length) {
                return Some(&slot.value);
            }
        }
        None
    }
}
