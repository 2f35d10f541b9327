//! Punycode (RFC 3492): labels beyond ASCII in the letters of host names.

const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 128;

/// No label is longer than 63 characters (RFC 1035 2.3.4); what is far longer is not worth the quadratic work.
const LONGEST: usize = 256;

/// RFC 3492 6.1.
fn adapt(delta: u32, count: u32, first: bool) -> u32 {
    let mut delta = if first { delta / DAMP } else { delta / 2 };
    delta += delta / count.max(1);
    let mut k = 0;
    while delta > ((BASE - T_MIN) * T_MAX) / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

const fn threshold(k: u32, bias: u32) -> u32 {
    if k <= bias {
        T_MIN
    } else if k - bias >= T_MAX {
        T_MAX
    } else {
        k - bias
    }
}

/// RFC 3492 6.3; none where the label is too long.
pub(super) fn encode(label: &str) -> Option<String> {
    let points: Vec<u32> = label.chars().map(u32::from).collect();
    if points.len() > LONGEST {
        return None;
    }
    let mut out: String = label.chars().filter(char::is_ascii).collect();
    let basic = u32::try_from(out.len()).ok()?;
    if basic > 0 {
        out.push('-');
    }
    let (mut n, mut delta, mut bias, mut done) = (INITIAL_N, 0_u32, INITIAL_BIAS, basic);
    while usize::try_from(done).ok()? < points.len() {
        let next = points.iter().copied().filter(|point| *point >= n).min()?;
        delta = delta.checked_add((next - n).checked_mul(done.checked_add(1)?)?)?;
        n = next;
        for point in &points {
            if *point < n {
                delta = delta.checked_add(1)?;
            }
            if *point != n {
                continue;
            }
            let mut q = delta;
            let mut k = BASE;
            loop {
                let t = threshold(k, bias);
                if q < t {
                    break;
                }
                out.push(digit(t + (q - t) % (BASE - t))?);
                q = (q - t) / (BASE - t);
                k += BASE;
            }
            out.push(digit(q)?);
            bias = adapt(delta, done + 1, done == basic);
            delta = 0;
            done += 1;
        }
        delta = delta.checked_add(1)?;
        n = n.checked_add(1)?;
    }
    Some(out)
}

/// RFC 3492 6.2; none where it is no Punycode.
pub(super) fn decode(text: &str) -> Option<String> {
    let (basic, rest) = text.rsplit_once('-').unwrap_or(("", text));
    if !text.is_ascii() || text.len() > LONGEST {
        return None;
    }
    let mut out: Vec<char> = basic.chars().collect();
    let (mut n, mut i, mut bias) = (INITIAL_N, 0_u32, INITIAL_BIAS);
    let mut input = rest.chars().peekable();
    while input.peek().is_some() {
        let before = i;
        let mut weight = 1_u32;
        let mut k = BASE;
        loop {
            let value = input.next()?.to_digit(36).map(|digit| (digit + 26) % 36)?;
            i = i.checked_add(value.checked_mul(weight)?)?;
            let t = threshold(k, bias);
            if value < t {
                break;
            }
            weight = weight.checked_mul(BASE - t)?;
            k += BASE;
        }
        let count = u32::try_from(out.len()).ok()?.checked_add(1)?;
        bias = adapt(i - before, count, before == 0);
        n = n.checked_add(i / count)?;
        i %= count;
        out.insert(usize::try_from(i).ok()?, char::from_u32(n)?);
        i += 1;
    }
    Some(out.into_iter().collect())
}

/// `a` to `z` are 0 to 25, `0` to `9` are 26 to 35.
fn digit(value: u32) -> Option<char> {
    char::from_digit((value + 10) % 36, 36)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        // What Python's `"...".encode("punycode")` and `idna` answer.
        for (text, code) in [
            ("bücher", "bcher-kva"),
            ("ü", "tda"),
            ("münchen", "mnchen-3ya"),
            ("почта", "80a1acny"),
            ("例え", "r8jz45g"),
            ("☃", "n3h"),
            ("faß", "fa-hia"),
        ] {
            assert_eq!(encode(text).as_deref(), Some(code), "{text}");
            assert_eq!(decode(code).as_deref(), Some(text), "{code}");
        }
        for bad in ["é", "99999999", "a-\u{7f}", "-"] {
            let read = decode(bad);
            assert!(
                read.as_deref().is_none_or(|read| encode(read).as_deref() != Some(bad)),
                "{bad}: {read:?}"
            );
        }
    }
}
