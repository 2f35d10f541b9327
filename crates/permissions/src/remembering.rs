//! A resolver that is asked each thing once in a decision: gates, rules and the analysis of a command look at the same
//! paths.

use std::{
    io,
    sync::{Arc, Mutex, PoisonError},
};

use portcullis_paths::{Entry, FileKind, Resolver};

/// More paths than the commands of every day touch; what comes after them is asked for anew.
const MOST: usize = 64;

/// What `inner` answers, for as long as one decision takes.
pub(crate) struct Remembering {
    inner: Arc<dyn Resolver>,
    /// Answers that are no errors: an error says more than can be copied.
    real: Mutex<Vec<(String, String)>>,
    kinds: Mutex<Vec<(String, Option<FileKind>)>>,
}

impl Remembering {
    pub(crate) fn new(inner: Arc<dyn Resolver>) -> Self {
        Self { inner, real: Mutex::default(), kinds: Mutex::default() }
    }
}

fn recall<T: Clone>(known: &Mutex<Vec<(String, T)>>, path: &str) -> Option<T> {
    let known = known.lock().unwrap_or_else(PoisonError::into_inner);
    known.iter().find(|(of, _)| of == path).map(|(_, answer)| answer.clone())
}

fn keep<T>(known: &Mutex<Vec<(String, T)>>, path: &str, answer: T) {
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    if known.len() < MOST {
        known.push((path.to_owned(), answer));
    }
}

impl Resolver for Remembering {
    fn realpath(&self, path: &str) -> io::Result<String> {
        if let Some(real) = recall(&self.real, path) {
            return Ok(real);
        }
        let real = self.inner.realpath(path)?;
        keep(&self.real, path, real.clone());
        Ok(real)
    }

    fn kind(&self, path: &str) -> Option<FileKind> {
        recall(&self.kinds, path).unwrap_or_else(|| {
            let kind = self.inner.kind(path);
            keep(&self.kinds, path, kind);
            kind
        })
    }

    fn read(&self, path: &str, limit: usize) -> io::Result<Vec<u8>> {
        self.inner.read(path, limit)
    }

    fn entries(&self, directory: &str, limit: usize) -> io::Result<Vec<Entry>> {
        self.inner.entries(directory, limit)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    /// Counts what it is asked; `/gone` cannot be read.
    #[derive(Default)]
    struct Counting(AtomicUsize);

    impl Resolver for Counting {
        fn realpath(&self, path: &str) -> io::Result<String> {
            self.0.fetch_add(1, Ordering::Relaxed);
            if path == "/gone" {
                Err(io::ErrorKind::PermissionDenied.into())
            } else {
                Ok(format!("/real{path}"))
            }
        }

        fn kind(&self, _path: &str) -> Option<FileKind> {
            self.0.fetch_add(1, Ordering::Relaxed);
            None
        }

        fn read(&self, _path: &str, _limit: usize) -> io::Result<Vec<u8>> {
            Ok(Vec::new())
        }
    }

    #[test]
    fn each_thing_is_asked_once_and_errors_again() {
        let inner = Arc::new(Counting::default());
        let resolver = Remembering::new(Arc::clone(&inner) as Arc<dyn Resolver>);
        for _ in 0..3 {
            assert_eq!(resolver.realpath("/a").unwrap(), "/real/a");
            assert_eq!(resolver.kind("/a"), None);
        }
        assert_eq!(inner.0.load(Ordering::Relaxed), 2);
        for _ in 0..2 {
            assert_eq!(resolver.realpath("/gone").unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        }
        assert_eq!(inner.0.load(Ordering::Relaxed), 4);
        for index in 0..MOST * 2 {
            assert_eq!(resolver.realpath(&format!("/{index}")).unwrap(), format!("/real/{index}"));
        }
        assert_eq!(resolver.real.lock().unwrap().len(), MOST);
    }
}
