//! A list that is mostly one element long and then needs no memory of its own: the parts of a word, the words of a
//! command.

use std::ops::{Deref, DerefMut};

/// No, one or many elements; used as the slice of them.
///
/// ```
/// use portcullis_shell_analysis::tree::Few;
///
/// let mut list = Few::default();
/// list.push(1);
/// assert_eq!(list.as_slice(), [1]);
/// ```
#[derive(Clone)]
pub struct Few<T>(Kind<T>);

#[derive(Clone)]
enum Kind<T> {
    One(T),
    /// None or several.
    Many(Vec<T>),
}

impl<T> Few<T> {
    /// One element.
    #[must_use]
    pub const fn one(element: T) -> Self {
        Self(Kind::One(element))
    }

    /// The elements.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        match &self.0 {
            Kind::One(element) => std::slice::from_ref(element),
            Kind::Many(elements) => elements,
        }
    }

    /// Adds one behind the others.
    pub fn push(&mut self, element: T) {
        self.push_with_room(element, 4);
    }

    /// The same; a second one makes room for `room` of them.
    pub(crate) fn push_with_room(&mut self, element: T, room: usize) {
        match &mut self.0 {
            Kind::Many(elements) if elements.is_empty() => self.0 = Kind::One(element),
            Kind::Many(elements) => elements.push(element),
            Kind::One(_) => {
                let Kind::One(first) = std::mem::replace(&mut self.0, Kind::Many(Vec::with_capacity(room)))
                else {
                    return;
                };
                if let Kind::Many(elements) = &mut self.0 {
                    elements.push(first);
                    elements.push(element);
                }
            }
        }
    }
}

impl<T> Few<T> {
    /// Takes the last one off.
    pub fn pop(&mut self) -> Option<T> {
        match &mut self.0 {
            Kind::Many(elements) => elements.pop(),
            Kind::One(_) => match std::mem::replace(&mut self.0, Kind::Many(Vec::new())) {
                Kind::One(element) => Some(element),
                Kind::Many(_) => None,
            },
        }
    }
}

impl<T> Default for Few<T> {
    fn default() -> Self {
        Self(Kind::Many(Vec::new()))
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.as_slice()
    }
}

impl<T> DerefMut for Few<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Kind::One(element) => std::slice::from_mut(element),
            Kind::Many(elements) => elements,
        }
    }
}

impl<T: PartialEq> PartialEq for Few<T> {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl<T: PartialEq, const N: usize> PartialEq<[T; N]> for Few<T> {
    fn eq(&self, other: &[T; N]) -> bool {
        self.as_slice() == other
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for Few<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.as_slice().fmt(formatter)
    }
}

impl<T> From<Vec<T>> for Few<T> {
    fn from(mut elements: Vec<T>) -> Self {
        match elements.pop() {
            Some(only) if elements.is_empty() => Self::one(only),
            Some(last) => {
                elements.push(last);
                Self(Kind::Many(elements))
            }
            None => Self::default(),
        }
    }
}

impl<T> FromIterator<T> for Few<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut list = Self::default();
        for element in elements {
            list.push(element);
        }
        list
    }
}

impl<T> IntoIterator for Few<T> {
    type Item = T;
    type IntoIter = std::iter::Chain<std::option::IntoIter<T>, std::vec::IntoIter<T>>;

    fn into_iter(self) -> Self::IntoIter {
        let (one, many) = match self.0 {
            Kind::One(element) => (Some(element), Vec::new()),
            Kind::Many(elements) => (None, elements),
        };
        one.into_iter().chain(many)
    }
}

impl<'l, T> IntoIterator for &'l Few<T> {
    type Item = &'l T;
    type IntoIter = std::slice::Iter<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_slice().iter()
    }
}

impl<'l, T> IntoIterator for &'l mut Few<T> {
    type Item = &'l mut T;
    type IntoIter = std::slice::IterMut<'l, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_list_that_was_put_in() {
        for length in 0..5 {
            let all: Vec<usize> = (0..length).collect();
            let list: Few<usize> = all.iter().copied().collect();
            assert_eq!(list.as_slice(), all);
            assert_eq!(list, Few::from(all.clone()));
            let mut shorter = list.clone();
            assert_eq!(shorter.pop(), all.last().copied());
            assert_eq!(shorter.len(), all.len().saturating_sub(1));
            assert_eq!(list.into_iter().collect::<Vec<_>>(), all);
        }
    }
}
