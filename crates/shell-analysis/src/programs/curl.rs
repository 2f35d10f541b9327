//! curl and wget: what they send, what they fetch, and where it is stored (curl(1), wget(1)).

use super::{
    Build,
    flags::Slot,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, PathTarget, Span, Value};

/// `d`: data, in which `@FILE` is read and sent; `q`: a file that is written, or `-` for standard output.
const CURL: &str = "abstract-unix-socket= alt-svc=o anyauth a append aws-sigv4= basic cacert=r capath=m E=r cert=r cert-status \
    cert-type= ciphers= compressed compressed-ssh K=o config=o connect-timeout= connect-to= C= continue-at= b=d \
    cookie=d c=q cookie-jar=q create-dirs create-file-mode= crlf crlfile=r curves= d=d data=d data-ascii=d \
    data-binary=d data-raw= data-urlencode=d delegation= digest q disable disable-eprt disable-epsv \
    disallow-username-in-url dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-cert-status doh-insecure \
    doh-url= D=q dump-header=q egd-file=m engine=x etag-compare=r etag-save=w expect100-timeout= f fail fail-early \
    fail-with-body false-start F=d form=d form-escape form-string= ftp-account= ftp-alternative-to-user= \
    ftp-create-dirs ftp-method= ftp-pasv P= ftp-port= ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-ccc-mode= \
    ftp-ssl-control G get g globoff happy-eyeballs-timeout-ms= haproxy-protocol I head H=d header=d h? help? \
    hostpubmd5= hostpubsha256= hsts=o http0.9 0 http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only \
    ignore-content-length i include k insecure interface= 4 ipv4 6 ipv6 json=d j junk-session-cookies keepalive-time= \
    key=r key-type= krb= libcurl=q limit-rate= l list-only local-port= L location location-trusted login-options= \
    mail-auth= mail-from= mail-rcpt= mail-rcpt-allowfails M manual max-filesize= max-redirs= m= max-time= metalink \
    negotiate n!o netrc!o netrc-file=r netrc-optional!o : next no-alpn N no-buffer no-clobber no-keepalive no-npn \
    no-progress-meter no-sessionid noproxy= ntlm ntlm-wb oauth2-bearer= o=q output=q output-dir=m Z parallel \
    parallel-immediate parallel-max= pass= path-as-is pinnedpubkey= post301 post302 post303 preproxy= # progress-bar \
    proto= proto-default= proto-redir= x= proxy= proxy-anyauth proxy-basic proxy-cacert=r proxy-capath= proxy-cert=r \
    proxy-cert-type= proxy-ciphers= proxy-crlfile=r proxy-digest proxy-header=d proxy-insecure proxy-key=r \
    proxy-key-type= proxy-negotiate proxy-ntlm proxy-pass= proxy-pinnedpubkey= proxy-service-name= \
    proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tls13-ciphers= proxy-tlsauthtype= proxy-tlspassword= \
    proxy-tlsuser= proxy-tlsv1 U= proxy-user= proxy1.0= p proxytunnel pubkey=r Q=o quote=o random-file=m r= range= \
    rate= raw e= referer= J!d remote-header-name!d O!d remote-name!d remote-name-all!d R remote-time remove-on-error X= \
    request= request-target= resolve= retry= retry-all-errors retry-connrefused retry-delay= retry-max-time= \
    sasl-authzid= sasl-ir service-name= S show-error s silent socks4= socks4a= socks5= socks5-basic socks5-gssapi \
    socks5-gssapi-nec socks5-gssapi-service= socks5-hostname= Y= speed-limit= y= speed-time= ssl ssl-allow-beast \
    ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort 2 sslv2 3 sslv3 stderr=q styled-output \
    suppress-connect-headers tcp-fastopen tcp-nodelay t= telnet-option= tftp-blksize= tftp-no-options z= time-cond= \
    tls-max= tls13-ciphers= tlsauthtype= tlspassword= tlsuser= 1 tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding \
    trace=q trace-ascii=q trace-time unix-socket=m T=d upload-file=d url= url-query=d B use-ascii u= user= A= \
    user-agent= v verbose V version w=d write-out=d xattr ca-native proxy-ca-native haproxy-clientip= ipfs-gateway= \
    mptcp keepalive-cnt= vlan-priority= ech= skip-existing variable=o expand-data=o expand-url=o expand-output=o \
    dump-ca-embed sigalgs= tls-earlydata upload-flags= parallel-max-host= out-null follow";
const WGET: &str = "V version h help b background e=x execute=x o=w output-file=w a=w append-output=w d debug q quiet v verbose nv \
    no-verbose report-speed= i=r input-file=r F force-html B= base= config=o no-config rejected-log=w t= tries= \
    retry-connrefused retry-on-http-error= O=q output-document=q nc no-clobber no-netrc c continue start-pos= progress= \
    show-progress N timestamping no-if-modified-since no-use-server-timestamps S server-response spider T= timeout= \
    dns-timeout= connect-timeout= read-timeout= w= wait= waitretry= random-wait no-proxy Q= quota= bind-address= \
    limit-rate= no-dns-cache restrict-file-names= ignore-case 4 inet4-only 6 inet6-only prefer-family= user= password= \
    ask-password use-askpass=x no-iri local-encoding= remote-encoding= unlink xattr nd no-directories x \
    force-directories nH no-host-directories protocol-directories P=m directory-prefix=m cut-dirs= http-user= \
    http-password= no-cache default-page= E adjust-extension ignore-length header= compression= max-redirect \
    proxy-user= proxy-password= referer= save-headers U= user-agent= no-http-keep-alive no-cookies load-cookies=r \
    save-cookies=w keep-session-cookies post-data= post-file=r method= body-data= body-file=r content-disposition \
    content-on-error auth-no-challenge secure-protocol= https-only no-check-certificate certificate=r certificate-type= \
    private-key=r private-key-type= ca-certificate=r ca-directory=m crl-file=r pinnedpubkey= ciphers= no-hsts hsts-file \
    ftp-user= ftp-password= no-remove-listing no-glob no-passive-ftp preserve-permissions retr-symlinks ftps-implicit \
    ftps-resume-ssl ftps-clear-data-connection ftps-fallback-to-ftp warc-file=w warc-header= warc-max-size= warc-cdx \
    warc-dedup=r no-warc-compression no-warc-digests no-warc-keep-log warc-tempdir=w r recursive l= level= delete-after \
    k convert-links convert-file-only backups= K backup-converted m mirror p page-requisites strict-comments A= accept= \
    R= reject= accept-regex= reject-regex= regex-type= D= domains= exclude-domains= follow-ftp follow-tags= \
    ignore-tags= H span-hosts L relative I= include-directories= trust-server-names X= exclude-directories= np \
    no-parent";

pub(super) const SPECS: &[Spec] =
    &[Spec::new(&["curl"], CURL, Operands::Custom(curl)), Spec::new(&["wget"], WGET, Operands::Custom(wget))];

/// Endpoints are operands, and what `--url` names. An operand of a network program carries data out by its name:
/// never automatic.
fn endpoints(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    // Only prints.
    if build.words.len() == 2 && parsed.has(&["V", "version"]) && parsed.flags.len() == 1 {
        return;
    }
    let mut any = false;
    build.each(parsed, |build, value, span| {
        any = true;
        build.push(EffectKind::Network(value.known().map(str::to_owned)), span);
        local(build, value, span);
    });
    for flag in parsed.flags.iter().filter(|flag| flag.name == "url") {
        let Some(slot) = flag.value else { continue };
        any = true;
        match slot.known().and_then(|text| text.strip_prefix('@')) {
            Some(file) => build.read(&Value::Known(file.into()), false, slot.span()),
            None => build.push(EffectKind::Network(slot.known().map(str::to_owned)), slot.span()),
        }
        local(build, &slot.value(), slot.span());
    }
    if !any {
        build.effect(EffectKind::Network(None));
    }
    build.specified = false;
}

/// `file://` is read here.
fn local(build: &mut Build<'_>, value: &Value, span: Span) {
    let scheme = |text: &str| text.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("file://"));
    if let Some(text) = value.known().filter(|text| scheme(text)) {
        let path = text.get(7..).unwrap_or_default();
        let path = path.find('/').and_then(|slash| path.get(slash..)).unwrap_or(path);
        if path.contains(['%', '[', '{']) {
            build.push(EffectKind::Read { path: PathTarget::Unknown, recursive: false }, span);
        } else {
            build.read(&Value::Known(path.into()), false, span);
        }
    }
}

/// The files in a flag's data (curl(1): `-d`, `-F`, `-T`, `-b`, `-H`, `-w`).
fn data(build: &mut Build<'_>, name: &str, slot: Slot<'_>) {
    let span = slot.span();
    let Some(text) = slot.known() else {
        build.push(EffectKind::Read { path: PathTarget::Unknown, recursive: false }, span);
        return;
    };
    let mut file = |path: &str| {
        if !path.is_empty() && path != "-" {
            build.read(&Value::Known(path.trim_matches('"').into()), false, span);
        }
    };
    match name {
        // Braces and brackets are curl's own patterns (curl(1), `-T`): more than a list is any file.
        "T" | "upload-file" if text.contains('[') || text.trim_matches(['{', '}']).contains(['{', '}']) => {
            build.push(EffectKind::Read { path: PathTarget::Unknown, recursive: false }, span);
        }
        "T" | "upload-file" => {
            for path in text.trim_matches(['{', '}']).split(',') {
                file(path);
            }
        }
        // Without `=` it is a file of cookies.
        "b" | "cookie" if !text.contains('=') => file(text),
        "b" | "cookie" => {}
        "F" | "form" => {
            if let Some((_, content)) = text.split_once('=')
                && let Some(paths) = content.strip_prefix(['@', '<'])
            {
                for path in paths.split(';').next().unwrap_or_default().split(',') {
                    file(path);
                }
            }
            if let Some((_, headers)) = text.split_once("headers=@") {
                file(headers.split(';').next().unwrap_or_default());
            }
        }
        "data-urlencode" | "url-query" => {
            if let Some((before, path)) = text.split_once('@').filter(|(before, _)| !before.contains('=')) {
                let _ = before;
                file(path);
            }
        }
        _ => {
            if let Some(path) = text.strip_prefix('@') {
                file(path);
            }
        }
    }
}

/// Where output is stored.
fn outputs(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    for flag in parsed.flags.iter().filter(|flag| flag.role == b'q') {
        build.hazard(flag.word);
        let Some(slot) = flag.value else { continue };
        if let Slot::Word(_) = slot {
            build.hazard(flag.word + 1);
        }
        if slot.known() != Some("-") {
            build.write(&slot.value(), slot.span());
        }
    }
}

fn curl(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    outputs(build, parsed);
    for flag in parsed.flags.iter().filter(|flag| flag.role == b'd') {
        build.hazard(flag.word);
        if let Some(slot) = flag.value {
            data(build, flag.name, slot);
        }
    }
    let directory = parsed.value(&["output-dir"]).map(Slot::value);
    if let Some(directory) = &directory {
        for flag in parsed.flags.iter().filter(|flag| matches!(flag.name, "o" | "output")) {
            if let (Some(directory), Some(name)) = (directory.known(), flag.value.and_then(Slot::known)) {
                let span = build.span_of(flag.word);
                build
                    .write(&Value::Known(format!("{}/{name}", directory.trim_end_matches('/')).into()), span);
            }
        }
    }
    if parsed.has(&["O", "remote-name", "remote-name-all"]) {
        if parsed.has(&["J", "remote-header-name"]) {
            here(build, directory.as_ref());
        }
        download(build, parsed, directory.as_ref());
    }
    endpoints(build, parsed);
}

/// A name that the server chooses.
fn here(build: &mut Build<'_>, directory: Option<&Value>) {
    let here = Value::Known(".".into());
    let target = super::copies::below(directory.unwrap_or(&here), build);
    build.effect(EffectKind::Write(target));
}

/// Downloads are written under the name at the end of the URL.
fn download(build: &mut Build<'_>, parsed: &Parsed<'_>, directory: Option<&Value>) {
    let place = directory.map_or(Some(""), Value::known).map(str::to_owned);
    let urls = parsed.flags.iter().filter(|flag| flag.name == "url").filter_map(|flag| flag.value);
    let mut sources: Vec<(Value, Span)> = urls.map(|slot| (slot.value(), slot.span())).collect();
    build.each(parsed, |_, value, span| sources.push((value.clone(), span)));
    for (value, span) in sources {
        let name = value.known().and_then(|url| {
            let url = url.split_once("://").map_or(url, |(_, rest)| rest);
            let path = url.split(['?', '#']).next().unwrap_or_default();
            let name = path.rsplit_once('/').map(|(_, name)| name)?;
            (!name.is_empty() && !name.contains(['[', '{', '%'])).then(|| name.to_owned())
        });
        match (name, &place) {
            (Some(name), Some(place)) if place.is_empty() => build.write(&Value::Known(name.into()), span),
            (Some(name), Some(place)) => {
                build.write(&Value::Known(format!("{}/{name}", place.trim_end_matches('/')).into()), span);
            }
            _ => here(build, directory),
        }
    }
}

fn wget(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    outputs(build, parsed);
    let directory = parsed.value(&["P", "directory-prefix"]).map(Slot::value);
    let tree =
        parsed.has(&["r", "recursive", "m", "mirror", "p", "page-requisites", "x", "force-directories"])
            || parsed.has(&[
                "i",
                "input-file",
                "content-disposition",
                "trust-server-names",
                "input-metalink",
            ])
            || !parsed.unknown.is_empty();
    if !parsed.has(&["O", "output-document", "spider"]) {
        if tree {
            here(build, directory.as_ref());
        }
        download(build, parsed, directory.as_ref());
    }
    if parsed.has(&["b", "background"]) && !parsed.has(&["o", "output-file", "a", "append-output"]) {
        build.write(&Value::Known("wget-log".into()), build.span_of(0));
    }
    endpoints(build, parsed);
}
