//! rsync, scp and sftp: `[USER@]HOST:PATH` is elsewhere, the rest is here (rsync(1), scp(1)).

use super::{
    Build,
    copies::{below, links},
    flags::Slot,
    spec::{Operands, Parsed, Spec},
};
use crate::{Argument, EffectKind, PathTarget, Value};

const RSYNC: &str = "0 4 6 8 A B= C D E F H I J K L M=x N O P R S T=w U V W X a b c d e=x f= g h i k l m n o p q r s t u v w x y z \
    verbose info= debug= stderr= quiet no-motd checksum archive recursive inc-recursive no-inc-recursive relative no-relative no-implied-dirs \
    backup backup-dir=w suffix= update inplace append append-verify dirs no-dirs old-dirs mkpath links no-links copy-links \
    copy-unsafe-links safe-links munge-links copy-dirlinks keep-dirlinks hard-links perms no-perms no-p executability chmod= acls xattrs owner \
    no-owner no-o group no-group no-g devices copy-devices write-devices specials times no-times no-t atimes open-noatime crtimes omit-dir-times \
    omit-link-times super fake-super sparse preallocate dry-run whole-file no-whole-file no-W checksum-choice= cc= one-file-system \
    block-size= rsh=x rsync-path=x existing ignore-non-existing ignore-existing remove-source-files del delete delete-before delete-during \
    delete-delay delete-after delete-excluded ignore-missing-args delete-missing-args ignore-errors force max-delete= max-size= min-size= \
    max-alloc= partial partial-dir=w delay-updates prune-empty-dirs numeric-ids usermap= groupmap= chown= timeout= contimeout= ignore-times \
    size-only modify-window= temp-dir=w fuzzy compare-dest=m copy-dest=r link-dest=m compress no-compress compress-choice= zc= compress-level= \
    zl= skip-compress= cvs-exclude filter= exclude= exclude-from=r include= include-from=r files-from=o from0 old-args protect-args \
    secluded-args trust-sender copy-as= address= port= sockopts= blocking-io outbuf= stats 8-bit-output human-readable no-human-readable no-h \
    progress itemize-changes remote-option=x out-format= log-file=w log-file-format= password-file=r early-input=r list-only bwlimit= \
    stop-after= stop-at= fsync write-batch=w only-write-batch=w read-batch=r protocol= iconv= checksum-seed= ipv4 ipv6 version help";

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["rsync"], RSYNC, Operands::Custom(rsync)),
    Spec::new(
        &["scp"],
        "3 4 6 A B C O R T p q r v c= D=x F=r i=r J= l= o=x P= S=x X=",
        Operands::Custom(scp),
    ),
    Spec::new(
        &["sftp"],
        "4 6 A a C f N p q r v b=r B= c= D=x F=r i=r J= l= o=x P= R= s=x S=x X=",
        Operands::Custom(sftp),
    ),
];

/// Whether a word may name a file of this machine; one that is not known may name either.
fn may_be_here(word: &Argument) -> bool {
    !remote(word) || word.value.known().is_none()
}

/// A colon before any slash leads to another machine.
fn remote(word: &Argument) -> bool {
    word.value.known().is_none_or(|text| text.split('/').next().is_some_and(|first| first.contains(':')))
}

fn endpoint(build: &mut Build<'_>, word: &Argument) {
    build.push(EffectKind::Network(word.value.known().map(str::to_owned)), word.span);
}

/// A filter rule that takes more rules from a file: `. FILE`, `: FILE`, `merge FILE`, `dir-merge FILE`, with modifiers
/// and `_` or a blank in between (rsync(1), FILTER RULES IN DEPTH).
fn merged(build: &mut Build<'_>, rule: &str, word: usize) {
    let rule = rule.trim_start();
    if rule.starts_with(['.', ':']) || rule.starts_with("merge") || rule.starts_with("dir-merge") {
        let file =
            rule.split_once([' ', '_']).map_or_else(|| rule.get(1..).unwrap_or_default(), |(_, file)| file);
        let span = build.span_of(word);
        build.read(&Value::Known(file.into()), false, span);
    }
}

fn rsync(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if parsed.has(&["version", "V", "help"]) {
        return;
    }
    for flag in parsed.flags.iter().filter(|flag| matches!(flag.name, "f" | "filter")) {
        match flag.value.and_then(Slot::known) {
            Some(rule) => merged(build, rule, flag.word),
            None => build.opaque(build.span_of(flag.word), "a filter rule that is not known"),
        }
    }
    let words = build.words;
    let operands: Vec<&Argument> = parsed.operands.iter().filter_map(|index| words.get(*index)).collect();
    // One operand alone, or `--list-only`, lists.
    let lists = operands.len() == 1 || parsed.has(&["list-only"]);
    let dry = parsed.has(&["n", "dry-run"]);
    let sources = if operands.len() == 1 { operands.len() } else { operands.len().saturating_sub(1) };
    let mut away = false;
    if build.count(parsed) == usize::MAX && !dry && operands.len() == 1 {
        // The last of the names that it is.
        build.push(EffectKind::Write(PathTarget::Unknown), build.span_of(0));
    }
    for word in operands.iter().take(sources) {
        if remote(word) {
            away = true;
            endpoint(build, word);
        }
        if may_be_here(word) {
            build.read(&word.value, true, word.span);
            if parsed.has(&["remove-source-files"]) && !dry {
                build.delete(&word.value, true, word.span);
            }
        }
    }
    if let Some(target) = operands.get(sources) {
        if remote(target) {
            away = true;
            endpoint(build, target);
        }
        if may_be_here(target) && (lists || dry) {
            build.metadata(&target.value, target.span);
        } else if may_be_here(target) {
            let from = build.checkpoint().0;
            link_from(build, parsed, target);
            fills(build, parsed, target, operands.get(..sources).unwrap_or_default());
            if parsed.has(&["b", "backup"]) {
                match parsed.value(&["suffix"]).map(Slot::known) {
                    Some(Some(suffix)) => build.write_backups(from, suffix),
                    Some(None) => build.push(EffectKind::Write(PathTarget::Unknown), target.span),
                    None => build.write_backups(from, "~"),
                }
            }
        }
    }
    if away {
        build.specified = false;
    }
}

/// `--link-dest=DIR`: what is the same there is linked from there, and so becomes writable through the copy; from the
/// target on where it is relative (rsync(1)).
fn link_from(build: &mut Build<'_>, parsed: &Parsed<'_>, target: &Argument) {
    for slot in parsed.flags.iter().filter(|flag| flag.name == "link-dest").filter_map(|flag| flag.value) {
        let place = match (slot.known(), target.value.known()) {
            (Some(path), _) if path.starts_with('/') => Value::Known(path.into()),
            (Some(path), Some(target)) => {
                Value::Known(format!("{}/{path}", target.trim_end_matches('/')).into())
            }
            _ => Value::Unknown,
        };
        links(build, &place, true, slot.span());
    }
}

/// `a` lands in the target under its name, the content of `a/` directly.
fn fills(build: &mut Build<'_>, parsed: &Parsed<'_>, target: &Argument, sources: &[&Argument]) {
    build.write(&target.value, target.span);
    for source in sources {
        let name = source.value.known().filter(|_| !remote(source) && !parsed.has(&["R", "relative"]));
        let name = name.filter(|text| !text.ends_with(['/', '.']) && !text.is_empty());
        match (target.value.known(), name) {
            (Some(directory), Some(path)) => {
                let name = path.rsplit('/').next().unwrap_or(path);
                let inside = format!("{}/{name}", directory.trim_end_matches('/'));
                build.write(&Value::Known(inside.into()), source.span);
            }
            _ => {
                let all = below(&target.value, build);
                build.push(EffectKind::Write(all), target.span);
            }
        }
    }
    let deletes = parsed.flags.iter().any(|flag| flag.name == "del" || flag.name.starts_with("delete"));
    if deletes {
        build.delete(&target.value, true, target.span);
    }
}

fn scp(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let words = build.words;
    let operands: Vec<&Argument> = parsed.operands.iter().filter_map(|index| words.get(*index)).collect();
    build.specified = false;
    build.effect(EffectKind::Network(None));
    if let Some((target, sources)) = operands.split_last() {
        for source in sources {
            if remote(source) {
                endpoint(build, source);
            }
            if may_be_here(source) {
                build.read(&source.value, parsed.has(&["r"]), source.span);
            }
        }
        if remote(target) {
            endpoint(build, target);
        }
        if may_be_here(target) {
            build.write(&target.value, target.span);
            let all = below(&target.value, build);
            build.push(EffectKind::Write(all), target.span);
        }
    }
}

fn sftp(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    build.specified = false;
    let words = build.words;
    for word in parsed.operands.iter().filter_map(|index| words.get(*index)) {
        endpoint(build, word);
    }
    build.effect(EffectKind::Network(None));
    build.effect(EffectKind::Opaque("transfers that are told on standard input".into()));
}
