//! Licences of everything that is linked in or built with: compatible with MIT and Apache-2.0.

use crate::metadata::Package;

/// Licences that may be combined with ours without conditions on the whole.
const ACCEPTED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Packages whose licence is accepted for them alone, with the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("notify", "CC0-1.0", "public domain; named by the design"),
    // NCSA asks for its notice to be kept, as MIT does; the fuzz targets are given to nobody.
    (
        "libfuzzer-sys",
        "(MIT OR Apache-2.0) AND NCSA",
        "LLVM's fuzzing engine; linked into fuzz targets alone",
    ),
];

/// One line for every package whose licence is missing or not accepted.
pub(crate) fn violations(packages: &[Package]) -> Vec<String> {
    packages
        .iter()
        .filter_map(|package| match &package.licence {
            None => Some(format!("`{}` declares no licence", package.name)),
            Some(licence) if accepted(&package.name, licence) => None,
            Some(licence) => Some(format!("`{}` is under `{licence}`, which is not accepted", package.name)),
        })
        .collect()
}

/// Whether one alternative of an SPDX expression consists of accepted licences. Nested parentheses are
/// beyond this reader, and so refused.
fn accepted(name: &str, expression: &str) -> bool {
    let excepted = EXCEPTIONS.iter().any(|(package, licence, _)| *package == name && *licence == expression);
    // `A/B` is an older way to write `A OR B`.
    let expression = expression.replace('/', " OR ");
    excepted
        || alternatives(&expression)
            .iter()
            .any(|alternative| alternative.iter().all(|licence| known(licence)))
}

fn known(licence: &str) -> bool {
    ACCEPTED.contains(&licence)
}

/// `(A OR B) AND C` as alternatives of conjunctions: here `[A, C]` and `[B, C]`.
fn alternatives(expression: &str) -> Vec<Vec<String>> {
    let mut result = vec![Vec::new()];
    for part in split_top(expression, " AND ") {
        let part = part.trim();
        let inner = part.strip_prefix('(').and_then(|part| part.strip_suffix(')')).unwrap_or(part);
        let options: Vec<String> =
            split_top(inner, " OR ").iter().map(|option| option.trim().to_owned()).collect();
        if options.len() > 1 && inner == part && expression.contains(" AND ") {
            // `A AND B OR C` without parentheses: AND binds tighter.
            return split_top(expression, " OR ").iter().flat_map(|option| alternatives(option)).collect();
        }
        result = result
            .iter()
            .flat_map(|chosen| {
                options
                    .iter()
                    .map(move |option| chosen.iter().cloned().chain([option.clone()]).collect::<Vec<_>>())
            })
            .collect();
    }
    result
}

/// Splits where `separator` stands outside parentheses.
fn split_top<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let mut parts = Vec::new();
    let (mut depth, mut from) = (0_i32, 0);
    for (at, character) in text.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 && at >= from && text.get(at..).is_some_and(|rest| rest.starts_with(separator)) {
            parts.extend(text.get(from..at));
            from = at + separator.len();
        }
    }
    parts.extend(text.get(from..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_as_spdx_means_them() {
        for good in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "GPL-3.0 OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
            "Zlib OR Apache-2.0 OR MIT",
        ] {
            assert!(accepted("x", good), "{good}");
        }
        for bad in
            ["GPL-3.0", "LGPL-2.1 AND MIT", "(MIT OR Apache-2.0) AND GPL-2.0", "CC0-1.0", "", "MPL-2.0"]
        {
            assert!(!accepted("x", bad), "{bad}");
        }
        assert!(accepted("notify", "CC0-1.0"));
    }
}
