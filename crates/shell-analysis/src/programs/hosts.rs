//! Operands that programs look up as names of hosts: to ask for a name is to tell it to whoever serves its domain.

use std::net::IpAddr;

use super::{
    Build,
    flags::Slot,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, Span};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["ss"],
        "a l t u w x n r p e m i s o 4 6 0 S Z z b B f= A= H O N= V h d M T Q listening bound-inactive all numeric resolve processes extended memory info summary options tcp udp raw unix dccp sctp mptcp tipc vsock xdp ipv4 ipv6 packet family= query= socket= no-header no-queues oneline tos cgroup threads context contexts tipcinfo inet-sockopt net= bpf events help version E K!o kill!o D=w diag=w F=o filter=o",
        Operands::Custom(ss),
    ),
    Spec::new(
        &["arp"],
        "a e n v D i= H= t= A= p= V h verbose numeric all use-device device= hw-type= protocol= version help",
        Operands::Custom(arp),
    ),
    Spec::new(
        &["lsof"],
        "a b C d= g? h i? l n N o? O p= P Q R r? s? t T? u= U v V w X K? c= F? f? x? E Z? +c",
        Operands::Custom(lsof),
    ),
    Spec::new(
        &["fuser"],
        "a l s u v c f m n: N: M I 4 6 V all list-signals mount silent user verbose namespace= inode ismountpoint ipv4 ipv6 version k!o kill!o i!o interactive!o w!o writeonly!o",
        Operands::Custom(fuser),
    ),
];

/// `arp HOST`: nothing else than an address says it without a look-up (arp(8)).
fn arp(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    for index in &parsed.operands {
        if !build.word(*index).is_some_and(is_address) {
            asks(build, build.span_of(*index));
        }
    }
}

/// Filters of ss, in one word or in several (ss(8), "EXPRESSION").
fn ss(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    for index in &parsed.operands {
        let plain = build.word(*index).is_some_and(|text| {
            let mut words = text.split(|char: char| char.is_ascii_whitespace() || "()!=<>&|".contains(char));
            words.all(is_plain_filter)
        });
        if !plain {
            asks(build, build.span_of(*index));
        }
    }
}

/// A word of a filter that is no name of a host: of the language itself, a state, an address, a port or a service.
fn is_plain_filter(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "",
        "state",
        "exclude",
        "all",
        "connected",
        "synchronized",
        "bucket",
        "big",
        "established",
        "estab",
        "syn-sent",
        "syn-recv",
        "fin-wait-1",
        "fin-wait-2",
        "time-wait",
        "closed",
        "close-wait",
        "last-ack",
        "listening",
        "listen",
        "closing",
        "bound-inactive",
        "new-syn-recv",
        "src",
        "dst",
        "sport",
        "dport",
        "and",
        "or",
        "not",
        "eq",
        "neq",
        "ne",
        "ge",
        "gt",
        "le",
        "lt",
        "autobound",
        "*",
    ];
    let service =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_*".contains(&byte));
    if WORDS.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit()) {
        return true;
    }
    if let Some(port) = word.strip_prefix(':') {
        return service(port);
    }
    let word = word.split_once('/').map_or(word, |(address, _)| address);
    match word.rsplit_once(':') {
        _ if is_address(word) => true,
        Some((address, port)) => service(port) && (address == "*" || is_address(address)),
        None => false,
    }
}

/// `lsof -i@HOST`, the value in the same word or in the next (lsof(8)).
fn lsof(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    build.each(parsed, Build::metadata);
    for flag in parsed.flags.iter().filter(|flag| flag.name == "i") {
        if flag.value.and_then(Slot::known).is_some_and(names_host_behind_at) {
            asks(build, build.span_of(flag.word));
        }
    }
    if parsed.has(&["i"]) {
        for index in &parsed.operands {
            if build.word(*index).is_none_or(names_host_behind_at) {
                asks(build, build.span_of(*index));
            }
        }
    }
}

fn names_host_behind_at(text: &str) -> bool {
    text.split_once('@').is_some_and(|(_, behind)| {
        !behind.split(',').all(|one| {
            let service = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
            is_address(one)
                || one.rsplit_once(':').is_some_and(|(address, port)| is_address(address) && service(port))
        })
    })
}

/// `fuser -n tcp LOCAL,HOST,REMOTE` and `fuser LOCAL,HOST,REMOTE/tcp` (fuser(1)).
fn fuser(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    build.each(parsed, Build::metadata);
    for index in &parsed.operands {
        let host =
            |text: &str| text.split(',').nth(1).is_some_and(|host| !host.is_empty() && !is_address(host));
        if build.word(*index).is_none_or(host) {
            asks(build, build.span_of(*index));
        }
    }
}

fn asks(build: &mut Build<'_>, span: Span) {
    build.push(EffectKind::Network(None), span);
    build.opaque(span, "a name of a host is looked up");
}

/// An address in numbers, with or without brackets or an interface.
fn is_address(text: &str) -> bool {
    let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let text = text.split_once('%').map_or(text, |(address, _)| address);
    text.parse::<IpAddr>().is_ok()
}
