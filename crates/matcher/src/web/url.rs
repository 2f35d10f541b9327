//! The addresses of calls, in each way in which a client may read them.

use super::{host::Host, is_address, percent};

/// Schemes that browsers read with any number of slashes, of either kind, and a host behind them (WHATWG URL 2.1).
const SPECIAL: [(&str, u16); 5] = [("http", 80), ("https", 443), ("ws", 80), ("wss", 443), ("ftp", 21)];

/// So often a path is decoded.
const DECODED: usize = 4;

/// So many schemes may stand in front of another (`view-source:https://...`).
const NESTED: usize = 4;

/// One reading of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Url {
    /// In lower case; none where it is left to the client.
    pub(super) scheme: Option<String>,
    /// In normal form, each that it can mean; none where it has no host.
    pub(super) hosts: Vec<String>,
    /// The one that is written, or the scheme's own.
    pub(super) port: Option<u16>,
    /// Path and query in normal form, each that they can be; the fragment is for nobody but the client.
    pub(super) rests: Vec<String>,
}

/// Every reading, and whether clients may differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Readings {
    pub(super) urls: Vec<Url>,
    /// About the scheme, the host or the port.
    pub(super) doubtful: bool,
    /// About the path alone.
    pub(super) doubtful_rest: bool,
}

impl Readings {
    pub(super) fn of(text: &str) -> Self {
        let mut readings = Self::default();
        readings.read(text, 0);
        // Some take every address of a text, and a blank is read alike by no two.
        let mut pieces = text.trim().split([' ', '\t', '\n', ',', ';', '|', '"', '<', '>']);
        let first = pieces.next().unwrap_or_default();
        if first.len() != text.trim().len() {
            readings.doubtful |= text.trim().contains(char::is_whitespace);
            for piece in std::iter::once(first).chain(pieces).filter(|piece| is_address(piece)) {
                readings.read(piece, 0);
            }
        }
        readings
    }

    fn read(&mut self, text: &str, depth: usize) {
        let text = text.trim_matches(|letter: char| letter.is_whitespace() || letter.is_control());
        // Browsers leave these out wherever they stand.
        let clean: String = text.chars().filter(|letter| !matches!(letter, '\t' | '\n' | '\r')).collect();
        self.doubtful |= clean.len() != text.len() || clean.is_empty() || clean.chars().any(char::is_control);
        let Some((scheme, rest)) = split_scheme(&clean) else {
            self.doubtful = true;
            self.authority(None, clean.trim_start_matches(['/', '\\']));
            return;
        };
        if SPECIAL.iter().any(|(special, _)| *special == scheme) {
            let behind = rest.trim_start_matches(['/', '\\']);
            self.doubtful |= rest.strip_prefix("//") != Some(behind);
            self.authority(Some(&scheme), behind);
        } else if let Some(behind) = rest.strip_prefix("//") {
            self.authority(Some(&scheme), behind);
        } else if split_scheme(rest.trim_start()).is_some() && depth < NESTED {
            self.doubtful = true;
            self.read(rest, depth + 1);
        } else if rest.contains('@') {
            // A user, a password and a host, or an address of mail.
            self.doubtful = true;
            self.authority(None, &clean);
        } else {
            let rests = vec![percent::normalize(rest)];
            self.urls.push(Url { scheme: Some(scheme), hosts: Vec::new(), port: None, rests });
        }
    }

    /// Reads what stands behind the slashes.
    fn authority(&mut self, scheme: Option<&str>, text: &str) {
        let end = |ends: &[char]| text.find(ends).unwrap_or(text.len());
        let (with, without) = (end(&['/', '\\', '?', '#']), end(&['/', '?', '#']));
        self.split(scheme, text, with);
        if with != without {
            // A backslash is a slash for browsers, and part of the name or the user for others.
            self.doubtful = true;
            self.split(scheme, text, without);
        }
    }

    fn split(&mut self, scheme: Option<&str>, text: &str, end: usize) {
        let (authority, rest) = text.split_at_checked(end).unwrap_or((text, ""));
        // The user name ends at the last `@` for browsers, at the first one for others.
        let mut places: Vec<&str> = authority.rsplit('@').collect();
        self.doubtful |= places.len() > 2;
        if places.len() > 1 {
            places.pop();
        }
        let (rests, doubtful) = rests(rest);
        self.doubtful_rest |= doubtful;
        for place in places {
            let (host, port) = split_port(place);
            let read = Host::read(host);
            // A file of this machine has none.
            self.doubtful |= read.doubtful && !(host.is_empty() && scheme == Some("file"));
            let own = scheme.and_then(default_port);
            let port = match port {
                None | Some("") => own,
                Some(digits) => {
                    let number =
                        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok());
                    self.doubtful |= number.flatten().is_none();
                    number.flatten()
                }
            };
            let url =
                Url { scheme: scheme.map(str::to_owned), hosts: read.names, port, rests: rests.clone() };
            self.urls.push(url);
        }
    }
}

/// The port that a scheme has where none is written.
pub(super) fn default_port(scheme: &str) -> Option<u16> {
    SPECIAL.iter().find(|(special, _)| *special == scheme).map(|(_, port)| *port)
}

/// Scheme (RFC 3986 3.1) in lower case, and what stands behind its colon. `localhost:80` has none.
pub(super) fn split_scheme(text: &str) -> Option<(String, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let first = scheme.chars().next()?;
    let is_scheme = first.is_ascii_alphabetic()
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
        && !rest.starts_with(|digit: char| digit.is_ascii_digit());
    is_scheme.then(|| (scheme.to_ascii_lowercase(), rest))
}

/// Host and port; the colons of an address in brackets belong to the host.
pub(super) fn split_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    }
}

/// Path and query, in each way in which a client may send them, and whether there is more than one.
fn rests(text: &str) -> (Vec<String>, bool) {
    let text = text.split('#').next().unwrap_or_default();
    let (path, query) = text.split_at_checked(text.find('?').unwrap_or(text.len())).unwrap_or((text, ""));
    let mut found = Vec::new();
    let mut add = |path: &str| {
        let slash = if path.starts_with('/') { "" } else { "/" };
        let rest = percent::normalize(&format!("{slash}{path}{query}"));
        if !found.contains(&rest) {
            found.push(rest);
        }
    };
    add(path);
    let slashes = path.replace('\\', "/");
    add(&without_dots(&slashes));
    add(&slashes);
    // Some servers decode what they get, once or more often, before they resolve it.
    let mut decoded = path.to_owned();
    let mut doubtful = false;
    for _ in 0..DECODED {
        let next = percent::decode(&decoded);
        if next == decoded {
            break;
        }
        decoded = next;
        if climbs(&decoded) {
            doubtful = true;
            add(&without_dots(&decoded.replace('\\', "/")));
        }
    }
    doubtful |= climbs(path) || percent::decode(&decoded) != decoded;
    (found.clone(), doubtful || found.len() > 1)
}

/// Whether a part of a path leads up, for a server that takes parameters off it (`..;x`) or not.
fn climbs(path: &str) -> bool {
    path.split(['/', '\\']).any(|part| part.split(';').next() == Some(".."))
}

/// RFC 3986 5.2.4, with the escapes of dots that browsers take for them.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(usize::from(path.starts_with('/'))).peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        let bare =
            segment.split_once(';').filter(|(dots, _)| *dots == "..").map_or(segment, |(dots, _)| dots);
        let dots = bare.to_ascii_lowercase().replace("%2e", ".");
        if dots == ".." {
            kept.pop();
        }
        match dots.as_str() {
            "." | ".." if last => kept.push(""),
            "." | ".." => {}
            _ => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_segments_are_taken_out() {
        for (path, right) in [
            ("", "/"),
            ("/", "/"),
            ("/a/../b", "/b"),
            ("/a/./b/", "/a/b/"),
            ("/a/..", "/"),
            ("/a/.", "/a/"),
            ("/../../a", "/a"),
            ("/a/%2E%2e/b", "/b"),
            ("/a/.%2e", "/"),
            ("a/b", "/a/b"),
            ("//a", "//a"),
            ("/...", "/..."),
        ] {
            assert_eq!(without_dots(path), right, "{path}");
        }
    }

    #[test]
    fn whoever_reads_otherwise_is_heard() {
        // Address, hosts of all readings, whether clients may differ.
        for (text, hosts, doubtful) in [
            ("https://a.example/x", &["a.example"][..], false),
            ("HTTPS://u:p@A.example:443/x", &["a.example"], false),
            ("https:a.example", &["a.example"], true),
            ("https:/\\a.example", &["a.example"], true),
            ("https:////a.example", &["a.example"], true),
            ("//a.example/x", &["a.example"], true),
            ("a.example/x", &["a.example"], true),
            ("a.example:8080/x", &["a.example"], true),
            ("ht\ntps://a.example", &["a.example"], true),
            ("https://a.example\\@b.example/", &["a.example", "b.example"], true),
            ("https://x@a.example@b.example/", &["b.example", "a.example"], true),
            ("https://a.example:99999/", &["a.example"], true),
            ("view-source:https://a.example/", &["a.example"], true),
            ("git://a.example/x", &["a.example"], false),
            ("data:text/html,x", &[], false),
            ("file:///etc/passwd", &[], false),
            ("https://a.example/x\\..\\y", &["a.example"], true),
            ("https://a.example/ https://b.example/", &["a.example", "b.example"], true),
            ("https://a.example/,https://b.example/", &["a.example", "b.example"], false),
            ("URL: https://a.example", &["a.example"], true),
            ("u:p@a.example", &["a.example"], true),
            ("https://a.example/?a=1,2", &["a.example"], false),
        ] {
            let read = Readings::of(text);
            let mut found: Vec<&str> = Vec::new();
            for host in read.urls.iter().flat_map(|url| &url.hosts) {
                if !found.contains(&host.as_str()) {
                    found.push(host);
                }
            }
            assert_eq!((found.as_slice(), read.doubtful || read.doubtful_rest), (hosts, doubtful), "{text}");
        }
    }
}
