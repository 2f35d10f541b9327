//! Rule objects: what they test are whole texts, so that no key finds them, but one pass over each text does.

use std::borrow::Cow;

use super::found::Found;
use super::set::Expressions;
use crate::facts::{Access, InvocationFacts, Place};
use crate::object_test::{ObjectTest, spelled_otherwise};
use crate::parsed::Parsed;
use crate::paths::PathParts;
use crate::restrict::texts_of_words;

/// The rule objects of one list.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects {
    tests: Expressions,
    /// Paths are compared without regard to case.
    folds: bool,
    /// Those that speak of what commands read.
    reading: Vec<u32>,
    /// Those that speak of what commands change.
    changing: Vec<u32>,
}

impl Objects {
    pub(super) fn add(&mut self, id: u32, rule: &Parsed, test: &ObjectTest) {
        test.expressions().for_each(|expression| self.tests.add(id, expression));
        self.folds |= test.folds();
        if rule.speaks_of(Access::Read) {
            self.reading.push(id);
        }
        if rule.speaks_of(Access::Change) {
            self.changing.push(id);
        }
    }

    /// To be called when all of them are there.
    pub(super) fn build(&mut self) {
        self.tests.build();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tests.is_empty()
    }

    /// Those that can match this text.
    pub(super) fn text<'a>(&'a self, text: &str, found: &mut Found<'a>) {
        if !self.is_empty() {
            self.tests.text(text, found);
        }
    }

    /// Those that can match a path, in one of its readings.
    pub(super) fn paths<'a>(&'a self, readings: &[PathParts<'_>], found: &mut Found<'a>) {
        if self.is_empty() {
            return;
        }
        for path in readings {
            self.text(path.text, found);
            if let Cow::Owned(other) = spelled_otherwise(path.text, self.folds) {
                self.text(&other, found);
            }
        }
    }

    /// Those that can match what an invocation says or touches.
    pub(super) fn invocation<'a>(
        &'a self,
        invocation: &InvocationFacts<'_>,
        possible: bool,
        found: &mut Found<'a>,
    ) {
        if self.is_empty() {
            return;
        }
        let known: Option<Vec<&str>> =
            invocation.view.words().iter().map(|word| word.value.known()).collect();
        match known {
            Some(words) if words.is_empty() => {}
            Some(words) => texts_of_words(words).iter().for_each(|text| self.text(text, found)),
            None if possible => self.tests.all(found),
            None => {}
        }
        for effect in &invocation.effects {
            match (&effect.place, effect.access) {
                (_, Access::Read) if possible && effect.within.is_some() => found.add(&self.reading),
                (Place::Path { below: None, lost: false, readings, .. }, _) => self.paths(readings, found),
                (Place::Path { readings, .. }, _) if !possible => self.paths(readings, found),
                (Place::None, _) => {}
                (_, Access::Read) if possible => found.add(&self.reading),
                (_, Access::Change) if possible => found.add(&self.changing),
                _ => {}
            }
        }
    }
}
