//! A list that is mostly short and then needs no memory of its own: the flags and operands of a command.

use std::ops::Deref;

/// A list whose first `N` elements are kept in place; used as the slice of all.
#[derive(Clone, Debug)]
pub(crate) struct ShortList<T, const N: usize> {
    inline: [T; N],
    length: usize,
    /// All of them, once they are too many.
    many: Vec<T>,
}

impl<T: Copy, const N: usize> ShortList<T, N> {
    pub(crate) fn as_slice(&self) -> &[T] {
        if self.many.is_empty() { self.inline.get(..self.length).unwrap_or_default() } else { &self.many }
    }

    pub(crate) fn push(&mut self, element: T) {
        if self.many.is_empty() {
            if let Some(place) = self.inline.get_mut(self.length) {
                *place = element;
                self.length += 1;
                return;
            }
            self.many.reserve(4 * N);
            self.many.extend_from_slice(&self.inline);
        }
        self.many.push(element);
    }
}

impl<T: Copy + Default, const N: usize> Default for ShortList<T, N> {
    fn default() -> Self {
        Self { inline: [T::default(); N], length: 0, many: Vec::new() }
    }
}

impl<T: Copy, const N: usize> Deref for ShortList<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T: Copy, const N: usize> Extend<T> for ShortList<T, N> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        for element in elements {
            self.push(element);
        }
    }
}

impl<'l, T: Copy, const N: usize> IntoIterator for &'l ShortList<T, N> {
    type Item = &'l T;
    type IntoIter = std::slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

#[cfg(test)]
mod tests {
    use super::ShortList;

    #[test]
    fn it_is_the_list_that_was_put_in() {
        for length in 0..9 {
            let all: Vec<usize> = (0..length).collect();
            let mut list = ShortList::<usize, 3>::default();
            list.extend(all.iter().copied());
            assert_eq!(list.as_slice(), all);
            assert_eq!(list.into_iter().copied().collect::<Vec<_>>(), all);
            assert_eq!((list.len(), list.last()), (all.len(), all.last()));
        }
    }
}
