//! Programs that talk to other machines.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::EffectKind;

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["ping", "ping6", "fping", "traceroute", "traceroute6", "tracepath", "mtr", "arping"],
        "",
        Operands::Custom(unlisted),
    ),
    Spec::new(
        &["dig", "delv", "kdig", "drill"],
        "4 6 b= c= f=r h i k=r m p= q= r t= u v x= y=",
        Operands::Custom(other),
    ),
    Spec::new(&["host"], "4 6 a A C d i l r s v V w c= m= N= p= R= t= T U W=", Operands::Custom(other)),
    Spec::new(&["nslookup", "whois"], "", Operands::Custom(unlisted)),
    Spec::new(
        &["nmap"],
        "4 6 A F O h n r R v V p= iL=r excludefile=r resume=r script=x script-args-file=r datadir=m oN=w oX=w oS=w oG=w oA=w",
        Operands::Custom(other),
    ),
    Spec::new(
        &["tcpdump", "tshark"],
        "A b B= c= C= d D e E= f F=r G= h H i= I j= J K l L m= M= n N O p P q Q= r=r R s= S t T= u U v V=r w=w W= x X y= z=x Z= version help",
        Operands::Custom(other),
    ),
    Spec::new(
        &["nc", "ncat", "netcat", "nc.openbsd"],
        "4 6 b C c=x D d e=x F h I= i= k l M= m= N n O= P= p= q= r S s= T= t U u V= v W= w= X= x= Z z exec=x sh-exec=x lua-exec=x output=w ssl-cert=r ssl-key=r",
        Operands::Custom(other),
    ),
    Spec::new(
        &[
            "telnet",
            "ftp",
            "lftp",
            "tftp",
            "ssh-keyscan",
            "ssh-copy-id",
            "aria2c",
            "axel",
            "yt-dlp",
            "youtube-dl",
            "wget2",
        ],
        "",
        Operands::Custom(unlisted),
    ),
    Spec::new(&["http", "https", "xh", "xhs"], "", Operands::Custom(httpie)),
    Spec::new(&["socat"], "", Operands::Custom(socat)),
    Spec::new(
        &[
            "vim", "vi", "nvim", "view", "nano", "pico", "emacs", "ed", "ex", "micro", "hx", "helix", "kak",
            "jed", "joe", "code", "subl", "gedit", "vimdiff", "vipe", "vidir",
        ],
        "",
        Operands::Custom(edits),
    ),
];

/// What an editor opens it may read and write; its commands and settings run anything.
fn edits(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    build.specified = false;
    build.effect(EffectKind::Opaque("an editor runs what it is told".into()));
    let words = build.words;
    for word in words.iter().skip(1) {
        if !word.value.known().is_some_and(|text| text.starts_with(['-', '+', '!'])) {
            build.read(&word.value, false, word.span);
            build.write(&word.value, word.span);
        }
    }
}

/// An operand of a network program carries data out by its name: never automatic.
fn other(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    build.specified = false;
    let mut any = false;
    // `nc HOST PORT`.
    let ports = matches!(build.base(), "nc" | "ncat" | "netcat" | "nc.openbsd");
    build.each(parsed, |build, value, span| {
        let port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        if any && ports && value.known().is_some_and(port) {
            return;
        }
        any = true;
        build.push(EffectKind::Network(value.known().map(str::to_owned)), span);
    });
    if !any {
        build.effect(EffectKind::Network(None));
    }
}

/// Programs whose options are not listed: what they fetch or store is not known.
fn unlisted(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    build.specified = false;
    build.effect(EffectKind::Network(None));
}

/// `EXEC:` and `SYSTEM:` run programs, `OPEN:` and its like open files (socat(1)).
fn socat(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    unlisted(build, parsed);
    let words = build.words;
    for word in words.iter().skip(1) {
        let Some((kind, rest)) = word.value.known().and_then(|text| text.split_once(':')) else { continue };
        let name = rest.split(',').next().unwrap_or_default().to_owned();
        match kind.to_ascii_lowercase().as_str() {
            "exec" | "system" | "shell" => {
                build.code.push(name.clone());
                build.push(EffectKind::Execute(crate::Value::Known(name.into())), word.span);
            }
            "open" | "file" | "create" | "gopen" | "pipe" => {
                build.read(&crate::Value::Known(name.clone().into()), false, word.span);
                build.write(&crate::Value::Known(name.into()), word.span);
            }
            _ => {}
        }
    }
}

/// HTTPie: `name@file` and `name=@file` are sent.
fn httpie(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    unlisted(build, parsed);
    let words = build.words;
    for (index, word) in words.iter().enumerate().skip(1) {
        let Some(text) = word.value.known() else { continue };
        if matches!(text, "-o" | "--output") {
            if let Some(file) = words.get(index + 1) {
                build.write(&file.value, file.span);
            }
        } else if let Some((_, file)) = text.split_once('@').filter(|(name, _)| !name.contains("//")) {
            build.read(&crate::Value::Known(file.into()), false, word.span);
        }
    }
}
