//! Programs that talk to other machines.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, PathTarget};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["curl"],
        "# 0 1 2 3 4 6 a A= b= B c= C= d=d D=w e= E= f F=d g G h? H= i I j J!w k K=o l L m= M n N o=w O!w p P= q Q= r= R s S t= T=d u= U= v V w= x= X= y= Y= z= Z request= header= user= user-agent= output=w remote-name!w remote-name-all!w remote-header-name!w output-dir=w create-dirs data=d data-raw= data-binary=d data-urlencode=d data-ascii=d json=d form=d form-string= upload-file=d silent show-error fail fail-with-body location include head get insecure compressed max-time= connect-timeout= retry= retry-delay= retry-max-time= retry-connrefused retry-all-errors url= verbose write-out= proxy= cookie= cookie-jar=w dump-header=w config=o cacert=r cert=r key=r referer= http1.1 http2 http3 ipv4 ipv6 tlsv1.2 tlsv1.3 no-progress-meter progress-bar no-buffer max-redirs= range= resolve= trace=w trace-ascii=w stderr=w unix-socket= netrc-file=r version help path-as-is globoff location-trusted parallel continue-at= limit-rate= interface= noproxy= oauth2-bearer=",
        Operands::Custom(curl),
    ),
    Spec::new(
        &["wget"],
        "# q v nv c O=w o=w a=w P=w N S T= t= U= e=x i=r b!o r!w m!w k!w p!w np nc nd x H l= A= R= D= I= quiet verbose no-verbose continue output-document=w output-file=w append-output=w directory-prefix=w timestamping server-response timeout= tries= user-agent= execute=x input-file=r post-data= post-file=r header= user= password= method= body-data= body-file=r no-check-certificate spider show-progress progress= wait= max-redirect= content-disposition https-only ca-certificate=r use-askpass=x version help",
        Operands::Custom(wget),
    ),
    Spec::new(
        &[
            "ping",
            "ping6",
            "dig",
            "host",
            "nslookup",
            "traceroute",
            "whois",
            "nc",
            "ncat",
            "netcat",
            "telnet",
            "ftp",
            "sftp",
            "ssh-keyscan",
            "aria2c",
            "http",
            "https",
            "lftp",
            "socat",
        ],
        "",
        Operands::Custom(other),
    ),
    Spec::new(&["scp", "rsync"], "", Operands::Custom(copies)),
    Spec::new(
        &["vim", "vi", "nvim", "view", "nano", "pico", "emacs", "ed", "ex", "micro", "sponge"],
        "",
        Operands::Custom(edits),
    ),
];

/// `scp`, `rsync` SOURCE... DESTINATION: what has no colon is here.
fn copies(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    build.specified = false;
    build.effect(EffectKind::Network(None));
    let words = build.words;
    let operands: Vec<&crate::Argument> = words
        .iter()
        .skip(1)
        .filter(|word| !word.value.known().is_some_and(|text| text.starts_with('-') || text.contains(':')))
        .collect();
    let last = words.last().map(|word| word.span);
    for word in operands {
        if Some(word.span) == last {
            build.write(&word.value, word.span);
        } else {
            build.read(&word.value, true, word.span);
        }
    }
}

/// What an editor opens it may read and write; its commands and settings run anything.
fn edits(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    build.specified = false;
    build.effect(EffectKind::Opaque("an editor runs what it is told".to_owned()));
    let words = build.words;
    for word in words.iter().skip(1) {
        if !word.value.known().is_some_and(|text| text.starts_with(['-', '+', '!'])) {
            build.read(&word.value, false, word.span);
            build.write(&word.value, word.span);
        }
    }
}

fn other(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    build.specified = false;
    build.effect(EffectKind::Network(None));
}

fn endpoints(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let mut any = false;
    build.each(parsed, |build, value, span| {
        any = true;
        build.push(EffectKind::Network(value.known().map(str::to_owned)), span);
    });
    if let Some(url) = parsed.value(&["url"]) {
        build.push(EffectKind::Network(url.known().map(str::to_owned)), url.span());
    } else if !any {
        build.effect(EffectKind::Network(None));
    }
    // An operand of a network program carries data out by its name: never automatic.
    build.specified = false;
}

/// `@file` in data is read and sent.
fn curl(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    for flag in parsed.flags.iter().filter(|flag| flag.role == b'd') {
        build.hazard(flag.word);
        let Some(slot) = flag.value else { continue };
        let whole = matches!(flag.name, "T" | "upload-file");
        match slot.known() {
            Some(text) if whole => build.read(&crate::Value::Known(text.into()), false, slot.span()),
            Some(text) => {
                if let Some((_, file)) = text.split_once('@') {
                    let file = file.split(';').next().unwrap_or_default();
                    build.read(&crate::Value::Known(file.into()), false, slot.span());
                }
            }
            None => build.push(EffectKind::Read { path: PathTarget::Unknown, recursive: false }, slot.span()),
        }
    }
    if parsed.has(&["O", "remote-name", "remote-name-all"]) {
        download(build, parsed);
    }
    endpoints(build, parsed);
}

/// Downloads are written under the name at the end of the URL.
fn download(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    build.each(parsed, |build, value, span| {
        let name = value.known().and_then(|url| {
            let path = url.split(['?', '#']).next().unwrap_or_default();
            path.rsplit('/').next().filter(|name| !name.is_empty()).map(str::to_owned)
        });
        match name {
            Some(name) => build.write(&crate::Value::Known(name.into()), span),
            None => build.push(EffectKind::Write(PathTarget::Unknown), span),
        }
    });
}

fn wget(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if !parsed.has(&["O", "output-document", "spider"]) {
        download(build, parsed);
    }
    endpoints(build, parsed);
}
