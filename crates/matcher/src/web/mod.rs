//! Payloads of `WebFetch` rules: `domain:HOST`, or a glob over URLs whose host is compared as a host.

mod arguments;
mod bare;
mod host;
mod percent;
mod punycode;
mod url;

use crate::Match;
use crate::glob::TextGlob;
use host::Host;
use url::{Readings, Url, default_port, split_port, split_scheme};

pub(crate) use arguments::addresses;
pub(crate) use bare::{bare, hosts_of_bare};

/// What a `WebFetch` rule is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WebPattern {
    /// `domain:HOST` or `domain:HOST:PORT`
    Domain(HostPattern, Option<u16>),
    /// `scheme://host/path*`
    Url(UrlPattern),
}

/// A host, or `*.d`: any depth below `d`, but not `d`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct HostPattern {
    /// In normal form, the first one as browsers read it; the others count where rules restrict.
    names: Vec<String>,
    below: bool,
}

/// A URL pattern, taken apart so that no wildcard reaches from one part into another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct UrlPattern {
    scheme: Option<TextGlob>,
    host: Option<HostPattern>,
    port: Port,
    rest: TextGlob,
}

/// Which ports a URL pattern means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Port {
    /// `*`
    Any,
    /// None is written: the one of the address' scheme.
    Own,
    Written(u16),
}

impl WebPattern {
    /// Reads a payload, with a note when its meaning differs from its letter.
    pub(crate) fn parse(payload: &str) -> Result<(Self, Option<String>), String> {
        if let Some(place) = payload.strip_prefix("domain:") {
            let place = place.trim();
            // An IPv6 address without brackets has more colons than a port.
            let (host, port) = if place.matches(':').count() > 1 && !place.contains('[') {
                (place, None)
            } else {
                split_port(place)
            };
            let port = match port {
                None => None,
                Some(port) => Some(number(port).ok_or_else(|| {
                    format!("`{port}` is no port: write `domain:example.com` or `domain:example.com:8080`")
                })?),
            };
            return Ok((Self::Domain(HostPattern::parse(host)?, port), None));
        }
        let (scheme, rest) = match payload.split_once("://") {
            Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
            None => (None, payload),
        };
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.*".contains(&byte);
        if let Some(scheme) = scheme.as_ref().filter(|scheme| !scheme.bytes().all(letter)) {
            return Err(format!("`{scheme}` is no scheme: write `https://HOST/*` or `domain:HOST`"));
        }
        let mut note = scheme.is_none().then(|| {
            "the URL names no scheme and is read as any; write `domain:HOST` or `https://HOST/*`".to_owned()
        });
        let cut = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(cut).unwrap_or((rest, ""));
        if authority.contains('@') {
            return Err("a URL rule cannot hold a user name: remove what stands before `@`".to_owned());
        }
        let (host, port) = split_port(authority);
        let host = match host {
            "*" => None,
            host => Some(HostPattern::parse(host)?),
        };
        let own = scheme.as_deref().and_then(default_port);
        let port = match port {
            None | Some("") => Port::Own,
            Some("*") => Port::Any,
            Some(port) => match number(port) {
                Some(port) if Some(port) == own => Port::Own,
                Some(port) => Port::Written(port),
                None => return Err(format!("`{port}` is no port: write a number, or `*` for any")),
            },
        };
        let (path, fragment) = path.split_once('#').map_or((path, false), |(path, _)| (path, true));
        if fragment {
            note = Some("what stands behind `#` is not sent and is not compared".to_owned());
        }
        let slash = if path.starts_with('/') { "" } else { "/" };
        let pattern = UrlPattern {
            scheme: scheme.filter(|scheme| scheme != "*").map(|scheme| TextGlob::new(&scheme)),
            host,
            port,
            rest: TextGlob::new(&percent::normalize(&format!("{slash}{path}"))),
        };
        Ok((Self::Url(pattern), note))
    }

    /// The hosts of which an address has to name one, or to lie below it; none where any will do.
    pub(crate) fn hosts(&self) -> Option<&[String]> {
        match self {
            Self::Domain(host, _) => Some(&host.names),
            Self::Url(pattern) => pattern.host.as_ref().map(|host| host.names.as_slice()),
        }
    }

    /// Whether it restricts an address of a call: in any way in which a client may read it. Where clients may read it
    /// in yet another way, it may.
    pub(crate) fn restricts(&self, address: Option<&str>) -> Match {
        let Some(address) = address else { return Match::Possible };
        let read = Readings::of(address);
        if read.urls.iter().any(|url| self.matches(url, Side::Restrict)) {
            return Match::Yes;
        }
        let near = || read.urls.iter().any(|url| self.matches(url, Side::AnyPath));
        if read.doubtful || (read.doubtful_rest && near()) { Match::Possible } else { Match::No }
    }

    /// Whether it allows an address of a call: one that every client reads alike. A domain is allowed for the web alone.
    pub(crate) fn allows(&self, address: Option<&str>) -> bool {
        let Some(address) = address else { return false };
        let read = Readings::of(address);
        let certain = !read.doubtful && !read.doubtful_rest && !read.urls.is_empty();
        certain && read.urls.iter().all(|url| self.matches(url, Side::Allow))
    }

    fn matches(&self, url: &Url, side: Side) -> bool {
        let web = || matches!(url.scheme.as_deref(), Some("http" | "https"));
        match self {
            Self::Domain(host, port) => {
                (side != Side::Allow || web())
                    && host.matches(&url.hosts, side)
                    && port.is_none_or(|port| {
                        url.port == Some(port) || (side != Side::Allow && url.port.is_none())
                    })
            }
            Self::Url(pattern) => {
                let scheme = match (&pattern.scheme, &url.scheme) {
                    (None, _) => side != Side::Allow || web(),
                    (Some(own), Some(scheme)) => own.matches(scheme),
                    (Some(_), None) => side != Side::Allow,
                };
                let own = url.scheme.as_deref().and_then(default_port);
                let port = match pattern.port {
                    Port::Any => true,
                    Port::Own => url.port == own,
                    Port::Written(port) => url.port == Some(port),
                };
                let rest = || match side {
                    Side::AnyPath => true,
                    Side::Restrict => url.rests.iter().any(|rest| pattern.rest.matches(rest)),
                    Side::Allow => url.rests.iter().all(|rest| pattern.rest.matches(rest)),
                };
                scheme
                    && port
                    && pattern.host.as_ref().is_none_or(|host| host.matches(&url.hosts, side))
                    && rest()
            }
        }
    }
}

/// For what a pattern is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Allow,
    Restrict,
    /// To restrict, whatever the path may be.
    AnyPath,
}

/// The hosts of an address, each that it can mean; none where clients may take it for another one.
pub(crate) fn hosts(address: &str) -> Option<Vec<String>> {
    let read = Readings::of(address);
    (!read.doubtful).then(|| read.urls.into_iter().flat_map(|url| url.hosts).collect())
}

fn number(text: &str) -> Option<u16> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

impl HostPattern {
    fn parse(host: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{host}` is no host name: write `domain:example.com` or `domain:*.example.com`");
        let (name, below) = host.strip_prefix("*.").map_or((host, false), |name| (name, true));
        if name.is_empty() || name.contains(['/', '*', '@', ' ']) || name.starts_with('.') {
            return Err(wrong());
        }
        let bare = name.contains(':') && !name.starts_with('[');
        let read = if bare { Host::read(&format!("[{name}]")) } else { Host::read(name) };
        let letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let plain = |name: &String| {
            name.starts_with('[') || (name.bytes().all(letter) && !name.split('.').any(str::is_empty))
        };
        if read.names.is_empty() || !read.names.iter().all(plain) || (read.address && below) {
            return Err(wrong());
        }
        Ok(Self { names: read.names, below })
    }

    /// Whether any of the hosts is meant; for allow, all of them.
    fn matches(&self, hosts: &[String], side: Side) -> bool {
        let is = |name: &String, host: &String| {
            if !self.below {
                return name == host;
            }
            let front = host.strip_suffix(name.as_str()).and_then(|front| front.strip_suffix('.'));
            front.is_some_and(|front| !front.is_empty())
        };
        match side {
            Side::Allow => {
                let own = self.names.first();
                !hosts.is_empty() && own.is_some_and(|own| hosts.iter().all(|host| is(own, host)))
            }
            _ => self.names.iter().any(|name| hosts.iter().any(|host| is(name, host))),
        }
    }
}

/// Whether a text is an address by itself, whatever argument it stands in.
fn is_address(text: &str) -> bool {
    let text = text.trim();
    let Some((scheme, rest)) = split_scheme(text) else { return text.starts_with("//") };
    rest.starts_with("//") || rest.starts_with("\\\\") || default_port(&scheme).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(rule: &str) -> WebPattern {
        WebPattern::parse(rule).unwrap().0
    }

    fn compare(rule: &str, url: &str) -> Match {
        pattern(rule).restricts(Some(url))
    }

    fn allows(rule: &str, url: &str) -> bool {
        pattern(rule).allows(Some(url))
    }

    #[test]
    fn hosts_are_compared_as_hosts() {
        for url in [
            "https://docs.rs/a",
            "http://DOCS.RS./",
            "https://docs.rs:443/x",
            "https://user:secret@docs.rs/x",
            "https://docs.rs",
        ] {
            assert_eq!(compare("domain:docs.rs", url), Match::Yes, "{url}");
            assert!(allows("domain:docs.rs", url), "{url}");
        }
        for url in
            ["https://docs.rs.evil.example/", "https://docs.rs@evil.example/", "https://evil.example/docs.rs"]
        {
            assert_eq!(compare("domain:docs.rs", url), Match::No, "{url}");
            assert!(!allows("domain:docs.rs", url), "{url}");
        }
    }

    #[test]
    fn subdomains_at_any_depth_but_not_the_domain() {
        assert_eq!(compare("domain:*.a.example", "https://x.y.a.example/"), Match::Yes);
        assert_eq!(compare("domain:*.a.example", "https://a.example/"), Match::No);
        assert_eq!(compare("domain:*.a.example", "https://xa.example/"), Match::No);
    }

    #[test]
    fn url_globs_stay_in_their_part() {
        assert_eq!(compare("https://docs.rs/*", "https://docs.rs/a/b?c"), Match::Yes);
        assert_eq!(compare("https://docs.rs/*", "http://docs.rs/a"), Match::No);
        assert_eq!(compare("https://docs.rs/*", "https://docs.rs:8443/a"), Match::No);
        assert_eq!(compare("https://docs.rs/serde/*", "https://docs.rs/a/%2e%2e/serde/x"), Match::Yes);
        assert_eq!(
            compare("https://docs.rs/serde/*", "https://docs.rs/serde/../x"),
            Match::Yes,
            "as some send it"
        );
        assert_eq!(compare("https://docs.rs/serde/*", "https://docs.rs/a/../x"), Match::Possible);
        assert_eq!(compare("https://docs.rs/serde/*", "https://other.example/a/../x"), Match::No);
        assert!(!allows("https://docs.rs/serde/*", "https://docs.rs/serde/../x"));
        assert!(!allows("https://docs.rs/serde/*", "https://docs.rs/serde/a/../x"), "not read alike");
        // Some servers decode before they climb.
        for path in
            ["..%2fx", "%252e%252e/x", "..%5cx", "a%2f..%2f..%2fx", "..;/x", "%2e%2e%252fx", "..%25252fx"]
        {
            let url = format!("https://docs.rs/serde/{path}");
            assert!(!allows("https://docs.rs/serde/*", &url), "{url}");
            assert_ne!(compare("https://docs.rs/x*", &url), Match::No, "{url}");
        }
        for path in ["a%2fb", "a%252fb", "a..b", "100%25", "a;b", "x?y=..%2f"] {
            assert!(allows("https://docs.rs/serde/*", &format!("https://docs.rs/serde/{path}")), "{path}");
        }
        assert_eq!(compare("docs.rs/*", "https://docs.rs/a"), Match::Yes);
        assert_eq!(compare("http*://docs.rs/*", "https://docs.rs/a"), Match::Yes);
    }

    #[test]
    fn paths_are_compared_in_their_normal_form() {
        for (rule, url) in [
            ("https://a.example/secret/*", "https://a.example/%73ecret/x"),
            ("https://a.example/%73ecret/*", "https://a.example/secret/x"),
            ("https://a.example/a%2fb", "https://a.example/a%2Fb"),
            ("https://a.example/ü", "https://a.example/%C3%BC"),
            ("https://a.example/x", "https://a.example/x#part"),
            ("https://a.example/?q=*", "https://a.example?q=%61"),
        ] {
            assert_eq!(compare(rule, url), Match::Yes, "{rule} {url}");
            assert!(allows(rule, url), "{rule} {url}");
        }
        assert_eq!(compare("https://a.example/a/b", "https://a.example/a%2Fb"), Match::No);
    }

    #[test]
    fn every_spelling_of_an_address_is_the_address() {
        for rule in [
            "domain:127.0.0.1",
            "domain:127.1",
            "domain:0x7f.1",
            "domain:[::ffff:127.0.0.1]",
            "domain:2130706433",
        ] {
            for url in [
                "http://127.0.0.1/",
                "http://127.1/",
                "http://127.0.1/",
                "http://2130706433/",
                "http://0x7f000001/",
                "http://0x7f.0.0.1/",
                "http://0177.0.0.1/",
                "http://017700000001/",
                "http://127.0.0.1.:80/",
                "http://[::ffff:127.0.0.1]/",
                "http://[::ffff:7f00:1]:8080/",
                "http://①②⑦.0.0.1/",
                "http://127%2e0%2e0%2e1/",
                "http:\\\\127.0.0.1/",
                "127.0.0.1/",
            ] {
                assert_eq!(compare(rule, url), Match::Yes, "{rule} {url}");
            }
        }
        assert!(allows("domain:127.0.0.1", "http://[::ffff:127.0.0.1]/"));
        assert!(!allows("domain:127.0.0.1", "http://127.1/"), "some look that name up");
        for rule in ["domain:::1", "domain:[::1]", "domain:[0:0::0:1]", "http://[0::1]/*"] {
            assert_eq!(compare(rule, "http://[0:0:0:0:0:0:0:1]/"), Match::Yes, "{rule}");
        }
        for (rule, url) in [
            ("domain:bücher.example", "https://xn--bcher-kva.example/"),
            ("domain:xn--bcher-kva.example", "https://BÜCHER.example/"),
            ("domain:*.bücher.example", "https://a.xn--bcher-kva.example/"),
            ("domain:faß.example", "https://fass.example/"),
            ("domain:fass.example", "https://faß.example/"),
            ("domain:βόλος.example", "https://βόλοσ.example/"),
            ("domain:βόλοσ.example", "https://βόλος.example/"),
            ("domain:ab.example", "https://a\u{200d}b.example/"),
            ("domain:a\u{200c}b.example", "https://ab.example/"),
            ("domain:a\u{200d}b.example", "https://xn--ab-m1t.example/"),
            ("domain:127.0.0.1", "http://[64:ff9b::7f00:1]/"),
            ("domain:127.0.0.1", "http://[::127.0.0.1]:8080/"),
            ("domain:[64:ff9b::7f00:1]", "http://[64:ff9b::127.0.0.1]/"),
            ("http://10.0.0.1/*", "http://[64:ff9b:1::a00:1]/x"),
            ("domain:evil.example", "https://ｅｖｉｌ。example/"),
            ("domain:evil.example", "https://ev%69l.example/"),
            ("domain:evil.example", "https://good.example\\@evil.example/"),
            ("domain:good.example", "https://good.example\\@evil.example/"),
            ("domain:evil.example", "evil.example"),
            ("domain:evil.example", "//evil.example/x"),
        ] {
            assert_eq!(compare(rule, url), Match::Yes, "{rule} {url}");
        }
        assert!(allows("domain:bücher.example", "https://xn--bcher-kva.example/"));
        assert!(!allows("domain:fass.example", "https://faß.example/"));
        assert!(!allows("domain:faß.example", "https://fass.example/"));
        for (rule, url) in [
            ("domain:127.0.0.1", "http://[64:ff9b::7f00:1]/"),
            ("domain:[64:ff9b::7f00:1]", "http://[64:ff9b::7f00:1]/"),
            ("domain:127.0.0.1", "http://[::127.0.0.1]/"),
            ("domain:βόλοσ.example", "https://βόλος.example/"),
            ("domain:βόλος.example", "https://βόλος.example/"),
            ("domain:ab.example", "https://a\u{200d}b.example/"),
            ("domain:a\u{200d}b.example", "https://ab.example/"),
        ] {
            assert!(!allows(rule, url), "{rule} {url}");
        }
    }

    #[test]
    fn a_domain_is_allowed_for_the_web_alone() {
        for (url, right) in [
            ("https://a.example/", true),
            ("http://a.example:8080/", true),
            ("ftp://a.example/", false),
            ("file://a.example/etc", false),
            ("ws://a.example/", false),
            ("//a.example/", false),
            ("a.example", false),
        ] {
            assert_eq!(allows("domain:a.example", url), right, "{url}");
            assert_eq!(allows("*://a.example:*/*", url), right, "{url}");
            assert_eq!(compare("domain:a.example", url), Match::Yes, "{url}");
        }
        assert!(allows("ftp://a.example/*", "ftp://a.example/x"));
    }

    #[test]
    fn a_domain_with_a_port_means_that_port() {
        let rule = "domain:a.example:8080";
        assert_eq!(compare(rule, "http://a.example:8080/"), Match::Yes);
        assert_eq!(compare(rule, "http://a.example:08080/"), Match::Yes);
        assert_eq!(compare(rule, "http://a.example/"), Match::No);
        assert_eq!(compare("domain:a.example:443", "https://a.example/"), Match::Yes);
        assert_eq!(compare("domain:a.example:443", "http://a.example/"), Match::No);
        assert_eq!(compare("https://a.example:443/*", "https://a.example/"), Match::Yes);
        assert!(allows(rule, "https://a.example:8080/") && !allows(rule, "https://a.example/"));
    }

    #[test]
    fn doubtful_urls_are_possible() {
        for url in ["https://good.example\\@other.example/", "https://go%6fd.example/", "good.example", ""] {
            assert_eq!(compare("domain:evil.example", url), Match::Possible, "{url}");
            assert!(!allows("https://*/*", url) && !allows("domain:good.example", url), "{url}");
        }
    }

    proptest::proptest! {
        /// Whatever the address: what a rule allows it also denies, and the key under which the index finds it is there.
        #[test]
        fn what_is_allowed_would_be_denied(
            rule in proptest::sample::select(vec![
                "domain:a.example", "domain:*.example", "domain:127.0.0.1", "domain:[::1]", "domain:bücher.example",
                "domain:a.example:8080", "https://a.example/*", "*://*/*", "http://127.1:*/x*", "domain:fass.example",
            ]),
            address in proptest::prop_oneof![
                "(https?|ftp|HTTP)?:?[/\\\\]{0,3}([ab@:]{0,3})?(a\\.example|x\\.example|127\\.1|0x7f\\.1|2130706433|\\[::1\\]|bücher\\.example|xn--bcher-kva\\.example|faß\\.example)[.]?(:[0-9a]{0,5})?[/?#\\\\.%x2eE]{0,6}",
                "\\PC{0,24}",
                "[ -~]{0,24}",
            ],
        ) {
            let pattern = pattern(rule);
            let restricts = pattern.restricts(Some(&address));
            if pattern.allows(Some(&address)) {
                proptest::prop_assert_eq!(restricts, Match::Yes);
            }
            if let Some(hosts) = hosts(&address)
                && let Some(names) = pattern.hosts()
                && restricts != Match::No
            {
                let found = |host: &String| {
                    names.iter().any(|name| host == name || host.ends_with(&format!(".{name}")))
                };
                proptest::prop_assert!(hosts.iter().any(found), "{hosts:?}");
            }
        }
    }

    #[test]
    fn malformed_hosts_are_errors() {
        for rule in [
            "domain:",
            "domain:a..b",
            "domain:*",
            "https://a*b/x",
            "domain:a/b",
            "domain:a.example:x",
            "domain:a.example:99999",
            "domain:a.example,b.example",
            "domain:a.example;b.example",
            "domain:a.example|b.example",
            "domain:{a,b}.example",
            "domain:(a).example",
            "a.example,b.example",
            "url:https://a.example/",
            "domain:*.127.0.0.1",
            "domain:[::g]",
            "https://a.example:x/",
        ] {
            assert!(WebPattern::parse(rule).is_err(), "{rule}");
        }
    }
}
