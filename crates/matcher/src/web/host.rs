//! Hosts in one normal form: names in lower-case ASCII (RFC 5891 A-labels), IPv4 addresses in four decimal parts, IPv6
//! addresses in their shortest form. As the WHATWG URL standard reads them (3.5), and where other clients read
//! otherwise, that too.

use std::net::{Ipv4Addr, Ipv6Addr};

use unicode_normalization::UnicodeNormalization as _;

use super::punycode;

/// What a host can mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Host {
    /// In normal form; the one that browsers take first.
    pub(super) names: Vec<String>,
    /// Clients may read it differently.
    pub(super) doubtful: bool,
    /// It is an address, no name.
    pub(super) address: bool,
}

impl Host {
    /// Reads a host without its port.
    pub(super) fn read(text: &str) -> Self {
        let mut host = Self::default();
        if let Some(inner) = text.strip_prefix('[') {
            host.read_v6(inner.strip_suffix(']').unwrap_or(inner));
            return host;
        }
        let decoded = super::percent::decode(text);
        host.doubtful = decoded != text;
        host.read_name(&decoded);
        host
    }

    fn read_v6(&mut self, text: &str) {
        self.address = true;
        // Of a zone (RFC 6874) browsers know nothing.
        let (text, zone) = text.split_once('%').map_or((text, false), |(text, _)| (text, true));
        self.doubtful |= zone;
        match text.parse::<Ipv6Addr>() {
            Ok(address) => {
                self.add(of_v6(address));
                // A translator or a tunnel may lead there; where there is none the address is what it says.
                if let Some(four) = leads_to(address) {
                    self.doubtful = true;
                    self.add(four.to_string());
                }
            }
            Err(_) => self.doubtful = true,
        }
    }

    fn read_name(&mut self, text: &str) {
        let mapped = mapped(text);
        // What is written in the letters of its normal form is read alike everywhere.
        self.doubtful |= !text.is_ascii() && lower_case(text) != mapped;
        let whole = mapped.strip_suffix('.').unwrap_or(&mapped);
        self.doubtful |= whole.is_empty()
            || whole.split('.').any(str::is_empty)
            || whole.chars().any(|letter| letter.is_control() || FORBIDDEN.contains(&letter));
        let addresses = addresses(whole);
        if !addresses.is_empty() {
            self.address = true;
            self.doubtful |= addresses.iter().any(|address| address != whole);
            addresses.into_iter().for_each(|address| self.add(address));
            return;
        }
        // The joiners are letters of IDNA 2008 (RFC 5892 A.1 and A.2), and nothing in IDNA 2003.
        if text.contains(JOINERS) {
            self.doubtful = true;
            let joined = mapped_with(text, true);
            let joined = self.ascii(joined.strip_suffix('.').unwrap_or(&joined));
            joined.into_iter().for_each(|name| self.add(name));
        }
        let Some(name) = self.ascii(whole) else {
            self.doubtful = true;
            return;
        };
        self.add(name);
        // IDNA 2003 has no such letters, and writes others for them (RFC 5894 7.2).
        let older: String = whole
            .chars()
            .flat_map(|letter| if letter == 'ß' { vec!['s', 's'] } else { vec![older(letter)] })
            .collect();
        if older != whole {
            self.doubtful = true;
            let older = self.ascii(&older);
            older.into_iter().for_each(|name| self.add(name));
        }
    }

    /// Every label in ASCII.
    fn ascii(&mut self, name: &str) -> Option<String> {
        let mut out = String::with_capacity(name.len());
        for (at, label) in name.split('.').enumerate() {
            if at > 0 {
                out.push('.');
            }
            match label.strip_prefix("xn--") {
                _ if !label.is_ascii() => {
                    out.push_str("xn--");
                    out.push_str(&punycode::encode(label)?);
                }
                Some(code) => {
                    // One that says nothing in its normal form is read by some and refused by others.
                    let plain = |said: &String| {
                        !said.is_ascii() && mapped(said) == *said && !said.chars().any(char::is_control)
                    };
                    let said = punycode::decode(code).filter(plain);
                    self.doubtful |= said.is_none_or(|said| punycode::encode(&said).as_deref() != Some(code));
                    out.push_str(label);
                }
                None => out.push_str(label),
            }
        }
        Some(out)
    }

    fn add(&mut self, name: String) {
        if !name.is_empty() && !self.names.contains(&name) {
            self.names.push(name);
        }
    }
}

/// Letters that stand in no host (WHATWG URL 3.1).
const FORBIDDEN: [char; 16] =
    [' ', '#', '/', ':', '<', '>', '?', '@', '[', '\\', ']', '^', '|', '%', '"', '`'];

/// Zero width non-joiner and joiner.
const JOINERS: [char; 2] = ['\u{200c}', '\u{200d}'];

/// Characters that say nothing, and that the mapping of UTS 46 or that of RFC 3454 (B.1) leaves out.
fn is_ignored(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{1806}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2064}' | '\u{206a}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0100}'..='\u{e01ef}'
    )
}

/// The mapping of UTS 46 in short: lower case, compatibility forms composed, full stops of other scripts.
fn mapped(text: &str) -> String {
    mapped_with(text, false)
}

fn mapped_with(text: &str, joiners: bool) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let kept = text.chars().filter(|letter| !is_ignored(*letter) || (joiners && JOINERS.contains(letter)));
    // The iota below a vowel is a letter for whoever folds case.
    let apart = kept.nfkd().map(|letter| if letter == '\u{345}' { 'ι' } else { letter });
    let lower: String = apart.flat_map(char::to_lowercase).map(folded).collect();
    lower.nfkc().map(|letter| if letter == '\u{3002}' { '.' } else { letter }).collect()
}

/// Small letters that case folding takes for others (CaseFolding.txt): old forms of Cyrillic ones, and those of Cherokee,
/// whose capitals came first.
fn folded(letter: char) -> char {
    const CYRILLIC: [char; 9] = ['в', 'д', 'о', 'с', 'т', 'т', 'ъ', 'ѣ', 'ꙋ'];
    let moved = |first: u32, to: u32| char::from_u32(u32::from(letter) - first + to).unwrap_or(letter);
    match letter {
        '\u{1c80}'..='\u{1c88}' => usize::try_from(u32::from(letter) - 0x1c80)
            .ok()
            .and_then(|at| CYRILLIC.get(at))
            .copied()
            .unwrap_or(letter),
        '\u{13f8}'..='\u{13fd}' => moved(0x13f8, 0x13f0),
        '\u{ab70}'..='\u{abbf}' => moved(0xab70, 0x13a0),
        _ => letter,
    }
}

/// In composed form and lower case, and nothing else changed.
fn lower_case(text: &str) -> String {
    text.nfc().flat_map(char::to_lowercase).collect()
}

const fn older(letter: char) -> char {
    if letter == 'ς' { 'σ' } else { letter }
}

/// The IPv6 address; one that stands for an IPv4 address (RFC 4291 2.5.5.2) is that.
fn of_v6(address: Ipv6Addr) -> String {
    match address.to_ipv4_mapped() {
        Some(four) => four.to_string(),
        None => format!("[{address}]"),
    }
}

/// The IPv4 address that another IPv6 address leads to: IPv4-compatible (RFC 4291 2.5.5.1), NAT64 (RFC 6052 2.1, RFC
/// 8215), 6to4 (RFC 3056 2), IPv4-translated (RFC 2765 2.1), Teredo (RFC 4380 4) and ISATAP (RFC 5214 6.1).
fn leads_to(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, high, low] = address.segments();
    let four = |high: u16, low: u16| Ipv4Addr::from(u32::from(high) << 16 | u32::from(low));
    match [a, b, c, d, e, f] {
        // `::` and `::1` are addresses of their own.
        [0, 0, 0, 0, 0, 0] => (high, low) > (0, 1),
        [0x64, 0xff9b, 0, 0, 0, 0] | [0x64, 0xff9b, 1, ..] | [0, 0, 0, 0, 0xffff, 0] => true,
        [.., 0 | 0x200, 0x5efe] => true,
        // Every bit is turned round there.
        [0x2001, 0, ..] => return Some(four(!high, !low)),
        [0x2002, high, low, ..] => return Some(four(high, low)),
        _ => false,
    }
    .then(|| four(high, low))
}

/// The IPv4 addresses that a name which ends in a number stands for: as inet_aton(3) and browsers read it (parts may be
/// missing, hexadecimal or octal), and with leading zeros also in decimal digits. None for a name, or nonsense.
fn addresses(text: &str) -> Vec<String> {
    let octal = address(text, true);
    let decimal = address(text, false);
    let mut found: Vec<String> =
        [octal, decimal].into_iter().flatten().map(|found| found.to_string()).collect();
    found.dedup();
    found
}

fn address(text: &str, octal: bool) -> Option<Ipv4Addr> {
    let parts: Vec<&str> = text.split('.').collect();
    let numbers: Vec<u64> = parts.iter().map(|part| number(part, octal)).collect::<Option<_>>()?;
    let (last, front) = numbers.split_last()?;
    if front.len() > 3 || front.iter().any(|part| *part > 255) {
        return None;
    }
    let left = 4 - front.len();
    if *last >= 1 << (8 * left) {
        return None;
    }
    let high = front.iter().zip([24, 16, 8]).map(|(part, shift)| part << shift).sum::<u64>();
    Some(Ipv4Addr::from(u32::try_from(high + last).ok()?))
}

fn number(part: &str, octal: bool) -> Option<u64> {
    let (digits, radix) = match part.strip_prefix("0x") {
        Some("") => return Some(0),
        Some(digits) => (digits, 16),
        None if octal && part.len() > 1 && part.starts_with('0') => (part, 8),
        None => (part, 10),
    };
    // `from_str_radix` takes a sign as well.
    if digits.is_empty() || digits.len() > 32 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    u64::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_form_for_every_spelling() {
        // Text, normal form, whether every client reads it so.
        for (text, name, certain) in [
            ("Docs.RS", "docs.rs", true),
            ("docs.rs.", "docs.rs", true),
            ("bücher.example", "xn--bcher-kva.example", true),
            ("BÜCHER.example", "xn--bcher-kva.example", true),
            ("bu\u{308}cher.example", "xn--bcher-kva.example", true),
            ("xn--bcher-kva.example", "xn--bcher-kva.example", true),
            ("XN--BCHER-KVA.example", "xn--bcher-kva.example", true),
            ("ｅｖｉｌ.example", "evil.example", false),
            ("evil。example", "evil.example", false),
            ("ev\u{ad}il.example", "evil.example", false),
            ("ev%69l.example", "evil.example", false),
            ("faß.example", "xn--fa-hia.example", false),
            ("127.0.0.1", "127.0.0.1", true),
            ("127.1", "127.0.0.1", false),
            ("127.0.0.1.", "127.0.0.1", true),
            ("2130706433", "127.0.0.1", false),
            ("0x7f000001", "127.0.0.1", false),
            ("0X7F.1", "127.0.0.1", false),
            ("0177.0.0.1", "127.0.0.1", false),
            ("0", "0.0.0.0", false),
            ("127.0.0.256", "127.0.0.256", true),
            ("[::1]", "[::1]", true),
            ("[0:0:0:0:0:0:0:1]", "[::1]", true),
            ("[2001:DB8::0:1]", "[2001:db8::1]", true),
            ("[::ffff:127.0.0.1]", "127.0.0.1", true),
            ("[::ffff:7f00:1]", "127.0.0.1", true),
            ("[fe80::1%25eth0]", "[fe80::1]", false),
            ("[64:ff9b::7f00:1]", "[64:ff9b::7f00:1]", false),
            ("[::127.0.0.1]", "[::7f00:1]", false),
            ("[::]", "[::]", true),
            ("a\u{200d}b.example", "xn--ab-m1t.example", false),
        ] {
            let host = Host::read(text);
            assert_eq!(
                (host.names.first().map(String::as_str), !host.doubtful),
                (Some(name), certain),
                "{text}"
            );
        }
        assert_eq!(Host::read("faß.example").names, ["xn--fa-hia.example", "fass.example"]);
        assert_eq!(Host::read("βόλος.example").names, ["xn--nxasmm1c.example", "xn--nxasmq6b.example"]);
        for joined in ["a\u{200d}b.example", "a\u{200c}b.example"] {
            assert!(Host::read(joined).names.contains(&"ab.example".to_owned()), "{joined}");
            assert_eq!(Host::read(joined).names.len(), 2, "{joined}");
        }
        for (six, four) in [
            ("[64:ff9b::7f00:1]", "127.0.0.1"),
            ("[64:ff9b::127.0.0.1]", "127.0.0.1"),
            ("[64:ff9b:1::a00:1]", "10.0.0.1"),
            ("[::127.0.0.1]", "127.0.0.1"),
            ("[2002:7f00:1::1]", "127.0.0.1"),
            ("[::ffff:0:127.0.0.1]", "127.0.0.1"),
            ("[2001::80ff:fffe]", "127.0.0.1"),
            ("[2001:0:4136:e378:8000:63bf:80ff:fffe]", "127.0.0.1"),
            ("[fe80::5efe:7f00:1]", "127.0.0.1"),
            ("[2001:db8::200:5efe:7f00:1]", "127.0.0.1"),
        ] {
            assert_eq!(Host::read(six).names.get(1).map(String::as_str), Some(four), "{six}");
        }
        assert_eq!(Host::read("010.0.0.1").names, ["8.0.0.1", "10.0.0.1"]);
        for doubtful in ["", ".", "a..b", "a b", "xn--", "xn--a", "[::g]", "a\u{0}b"] {
            assert!(Host::read(doubtful).doubtful, "{doubtful:?}");
        }
    }
}
