//! Payloads of `WebFetch` rules: `domain:HOST`, or a glob over URLs whose host is compared as a host.

use crate::Match;
use crate::glob::TextGlob;

/// What a `WebFetch` rule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WebPattern {
    /// `domain:HOST`
    Domain(HostPattern),
    /// `scheme://host/path*`
    Url(UrlPattern),
}

/// A host name, or `*.d`: any depth below `d`, but not `d`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HostPattern {
    name: String,
    below: bool,
}

/// A URL pattern, taken apart so that no wildcard reaches from one part into another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UrlPattern {
    scheme: Option<String>,
    host: Option<HostPattern>,
    port: Option<String>,
    rest: TextGlob,
}

/// A URL whose parts every client reads alike.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Url {
    scheme: String,
    host: String,
    port: Option<String>,
    rest: String,
}

impl WebPattern {
    /// Reads a payload, with a note when its meaning differs from its letter.
    pub(crate) fn parse(payload: &str) -> Result<(Self, Option<String>), String> {
        if let Some(host) = payload.strip_prefix("domain:") {
            return Ok((Self::Domain(HostPattern::parse(host.trim())?), None));
        }
        let (scheme, rest) = match payload.split_once("://") {
            Some((scheme, rest)) => (Some(scheme.to_ascii_lowercase()), rest),
            None => (None, payload),
        };
        let note = scheme.is_none().then(|| {
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
        let pattern = UrlPattern {
            scheme: scheme.filter(|scheme| scheme != "*"),
            host,
            port: port.map(str::to_owned),
            rest: TextGlob::new(if path.is_empty() { "/" } else { path }),
        };
        Ok((Self::Url(pattern), note))
    }

    /// The host that a URL has to name, or to lie below.
    pub(crate) fn host(&self) -> Option<&str> {
        match self {
            Self::Domain(host) => Some(host.name()),
            Self::Url(pattern) => pattern.host.as_ref().map(HostPattern::name),
        }
    }

    /// Compares with the URL of a call. A URL that clients may read differently is a possible match.
    pub(crate) fn compare(&self, url: Option<&str>) -> Match {
        let Some(url) = url.and_then(Url::parse) else { return Match::Possible };
        let matches = match self {
            Self::Domain(host) => host.matches(&url.host),
            Self::Url(pattern) => pattern.matches(&url),
        };
        if matches { Match::Yes } else { Match::No }
    }
}

/// The host of a URL that every client reads alike.
pub(crate) fn host(url: &str) -> Option<String> {
    Url::parse(url).map(|url| url.host)
}

impl HostPattern {
    /// The host, or the domain that hosts have to lie below.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    fn parse(host: &str) -> Result<Self, String> {
        let (name, below) = host.strip_prefix("*.").map_or((host, false), |name| (name, true));
        let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
        if name.is_empty() || name.contains(['/', '*', '@', ' ']) || name.split('.').any(str::is_empty) {
            return Err(format!(
                "`{host}` is no host name: write `domain:example.com` or `domain:*.example.com`"
            ));
        }
        Ok(Self { name, below })
    }

    fn matches(&self, host: &str) -> bool {
        if !self.below {
            return self.name == host;
        }
        host.strip_suffix(self.name.as_str())
            .and_then(|front| front.strip_suffix('.'))
            .is_some_and(|front| !front.is_empty())
    }
}

impl UrlPattern {
    fn matches(&self, url: &Url) -> bool {
        self.scheme.as_ref().is_none_or(|scheme| *scheme == url.scheme)
            && self.host.as_ref().is_none_or(|host| host.matches(&url.host))
            && (self.port.as_deref() == Some("*") || self.port == url.port)
            && self.rest.matches(&url.rest)
    }
}

impl Url {
    /// Takes a URL apart (RFC 3986 3). Anything that browsers and libraries read differently is refused:
    /// backslashes, blanks, control characters, hosts with `%` or beyond ASCII, dot segments.
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if text.chars().any(|c| c == '\\' || c.is_whitespace() || c.is_control()) {
            return None;
        }
        let (scheme, rest) = text.split_once("://")?;
        let scheme = scheme.to_ascii_lowercase();
        let cut = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at_checked(cut)?;
        let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        let (host, port) = split_port(authority);
        let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
        if host.is_empty() || !host.is_ascii() || host.contains('%') {
            return None;
        }
        let plain = path.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
        if plain.replace("%2e", ".").split('/').any(|part| matches!(part, "." | "..")) {
            return None;
        }
        let default = match scheme.as_str() {
            "https" => "443",
            "http" => "80",
            _ => "",
        };
        let port = port.filter(|port| !port.is_empty() && *port != default).map(str::to_owned);
        let rest = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
        Some(Self { scheme, host, port, rest })
    }
}

/// Host and port; the colons of an address in brackets belong to the host.
fn split_port(authority: &str) -> (&str, Option<&str>) {
    match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(rule: &str, url: &str) -> Match {
        WebPattern::parse(rule).unwrap().0.compare(Some(url))
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
        }
        for url in
            ["https://docs.rs.evil.example/", "https://docs.rs@evil.example/", "https://evil.example/docs.rs"]
        {
            assert_eq!(compare("domain:docs.rs", url), Match::No, "{url}");
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
        assert_eq!(compare("https://docs.rs/serde/*", "https://docs.rs/serde/../x"), Match::Possible);
        assert_eq!(compare("docs.rs/*", "https://docs.rs/a"), Match::Yes);
    }

    #[test]
    fn doubtful_urls_are_possible() {
        for url in ["https://good.example\\@evil.example/", "https://ev%69l.example/", "evil.example", ""] {
            assert_eq!(compare("domain:evil.example", url), Match::Possible, "{url}");
        }
    }

    #[test]
    fn malformed_hosts_are_errors() {
        for rule in ["domain:", "domain:a..b", "domain:*", "https://a*b/x", "domain:a/b"] {
            assert!(WebPattern::parse(rule).is_err(), "{rule}");
        }
    }
}
