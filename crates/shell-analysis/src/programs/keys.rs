//! Keys, certificates and agents (openssl, GnuPG and OpenSSH manual pages).

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::{Argument, EffectKind, PathTarget, Value};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["openssl"], "", Operands::Custom(openssl)),
    Spec::new(&["gpg", "gpg2", "gpgv"], "version help o=w output=w", Operands::Custom(gpg)),
    Spec::new(&["ssh-add"], "l L v E= h", Operands::Custom(agent)),
    Spec::new(
        &["ssh-keygen"],
        "l v B F= f= E= y L e p c A D= R= H q N= C= t= b= m= i a= P= I= n= V= z= s= O= U k Q Y= r= w= x X Z= M= h T= W= S= G=",
        Operands::Custom(keygen),
    ),
];

/// Subcommands that show something, with the options that change nothing.
const SHOWING: &[&str] =
    &["x509", "crl", "asn1parse", "verify", "dgst", "rand", "prime", "req", "pkcs7", "storeutl"];
const PLAIN: &[&str] = &[
    "-noout",
    "-text",
    "-subject",
    "-issuer",
    "-dates",
    "-enddate",
    "-startdate",
    "-fingerprint",
    "-serial",
    "-pubkey",
    "-modulus",
    "-email",
    "-purpose",
    "-hash",
    "-subject_hash",
    "-issuer_hash",
    "-ocsp_uri",
    "-alias",
    "-sha1",
    "-sha224",
    "-sha256",
    "-sha384",
    "-sha512",
    "-md5",
    "-hex",
    "-base64",
    "-binary",
    "-r",
    "-c",
    "-verify",
    "-crl_check",
    "-verbose",
    "-print_certs",
    "-nextupdate",
    "-lastupdate",
    "-i",
    "-dump",
    "-certs",
    "-help",
];
const VALUE: &[&str] =
    &["-checkend", "-inform", "-nameopt", "-certopt", "-ext", "-offset", "-length", "-checkhost"];
const READS: &[&str] = &["-in", "-CAfile", "-untrusted", "-trusted", "-CRLfile", "-cert"];

/// Options that name code to load.
const LOADS: &[&str] = &["engine", "provider", "provider-path", "provparam", "config", "propquery"];

/// An option's name: one dash or two, and a value behind `=` (openssl(1)).
fn option(text: &str) -> &str {
    let name = text.strip_prefix('-').map(|rest| rest.strip_prefix('-').unwrap_or(rest)).unwrap_or_default();
    name.split_once('=').map_or(name, |(name, _)| name)
}

fn openssl(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let words = build.words;
    let verb = build.word(1);
    let known = match verb {
        // Before version 3 it reads commands from standard input then.
        None => false,
        Some("version" | "list" | "help" | "ciphers" | "errstr") => {
            let plain =
                |word: &Argument| word.value.known().is_some_and(|text| !LOADS.contains(&option(text)));
            if words.iter().skip(2).all(plain) {
                return;
            }
            false
        }
        Some(verb) => SHOWING.contains(&verb),
    };
    if !known {
        if matches!(verb, Some("s_client" | "s_server" | "s_time" | "ocsp" | "ts" | "cmp")) {
            build.effect(EffectKind::Network(None));
        }
        build.opaque(build.span_of(1), "a subcommand of openssl that does more than show");
    }
    let mut index = 2;
    while let Some(word) = words.get(index) {
        let here = index;
        index += 1;
        let next = words.get(index);
        match word.value.known() {
            Some(text) if READS.contains(&text) => {
                if let Some(file) = next {
                    build.read(&file.value, false, file.span);
                    if file.value.known().is_none() {
                        build.opaque(file.span, "may be several words, and an option among them");
                    }
                }
                index += 1;
            }
            Some("-out" | "-keyout" | "-writerand") => {
                build.hazard(here);
                build.hazard(index);
                match next {
                    Some(file) => build.write(&file.value, file.span),
                    None => build.push(EffectKind::Write(PathTarget::Unknown), word.span),
                }
                index += 1;
            }
            Some(text) if LOADS.contains(&option(text)) => {
                build.hazard(here);
                let glued = text.split_once('=').map(|(_, value)| Value::Known(value.into()));
                let given = glued.clone().or_else(|| next.map(|word| word.value.clone()));
                build.push(EffectKind::Execute(given.unwrap_or(Value::Unknown)), word.span);
                index += usize::from(glued.is_none());
            }
            Some(text) if known && VALUE.contains(&text) && !PLAIN.contains(&text) => index += 1,
            Some(text) if PLAIN.contains(&text) => {}
            Some(text) if text.starts_with('-') => {
                build.hazard(here);
                build.opaque(word.span, format!("`{text}` is an option that is not known"));
            }
            // `rand 16` counts.
            Some(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => {}
            // A store is a directory too (openssl-storeutl(1)).
            Some(_) => build.read(&word.value, verb == Some("storeutl"), word.span),
            None => {
                build.opaque(word.span, "a word that may be an option");
                build.read(&word.value, false, word.span);
            }
        }
    }
}

/// It keeps a database of its own beside what it is asked for.
fn gpg(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let asks = parsed.has(&["version", "help"]) && build.words.len() == 2;
    if !asks {
        build.each(parsed, |build, value, span| build.read(value, false, span));
        build.opaque(build.span_of(0), "it changes its keyring");
    }
}

/// `-l` and `-L` list; without them keys are added or removed.
fn agent(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if !parsed.has(&["l", "L"]) || !parsed.operands.is_empty() {
        build.each(parsed, |build, value, span| build.read(value, false, span));
        build.effect(EffectKind::Process);
        build.opaque(build.span_of(0), "it changes what the agent holds");
    }
}

/// `-l` shows a fingerprint, `-F` finds a host, `-y` derives a public key; the rest makes or changes keys.
fn keygen(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let file = parsed.value(&["f"]);
    let only = |names: &[&str]| parsed.flags.iter().all(|flag| names.contains(&flag.name));
    let shows = parsed.has(&["l", "F", "B", "L"]) && only(&["l", "v", "f", "E", "F", "B", "L", "q"]);
    match file {
        Some(slot) => {
            build.read(&slot.value(), false, slot.span());
            if !shows {
                build.write(&slot.value(), slot.span());
                if let Some(name) = slot.known() {
                    build.write(&Value::Known(format!("{name}.pub").into()), slot.span());
                }
            }
        }
        None => {
            build.effect(EffectKind::Read { path: PathTarget::Unknown, recursive: false });
            if !shows {
                build.effect(EffectKind::Write(PathTarget::Unknown));
            }
        }
    }
    if !shows {
        build.opaque(build.span_of(0), "it makes or changes keys");
    }
}
