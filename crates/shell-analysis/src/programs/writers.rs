//! Programs that create, change and remove files: their effects are what file rules, critical removal and
//! acceptEdits are decided on.

use super::{
    Build,
    flags::Slot,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, PathTarget, Value};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["rm", "grm"],
        "f i I r R d v force interactive? one-file-system no-preserve-root preserve-root? recursive dir verbose help version",
        Operands::Custom(rm),
    ),
    Spec::new(
        &["rmdir"],
        "p v parents verbose ignore-fail-on-non-empty help version",
        Operands::Custom(rmdir),
    ),
    Spec::new(&["unlink"], "help version", Operands::Custom(rmdir)),
    Spec::new(
        &["shred"],
        "f n= s= u? v x z force iterations= random-source=r size= remove? verbose exact zero",
        Operands::Write,
    ),
    Spec::new(&["mkdir"], "m= p v Z context? mode= parents verbose help version", Operands::Write),
    Spec::new(&["mkfifo", "mknod"], "m= Z mode= context?", Operands::Write),
    Spec::new(
        &["touch"],
        "a c d= f h m r=m t= time= no-create date= no-dereference reference=m help version",
        Operands::Custom(touch),
    ),
    Spec::new(
        &["chmod", "chown", "chgrp"],
        "c f v R h H L P changes silent quiet verbose recursive no-preserve-root preserve-root reference=m dereference no-dereference from= help version",
        Operands::Custom(chmod),
    ),
    Spec::new(
        &["cp", "gcp"],
        "a b d f H i l L n p P r R s S= t=t T u v x Z archive attributes-only backup? copy-contents force interactive link dereference no-dereference no-clobber preserve? no-preserve= parents recursive reflink? remove-destination sparse= strip-trailing-slashes symbolic-link suffix= target-directory= no-target-directory update? verbose one-file-system help version",
        Operands::Custom(cp),
    ),
    Spec::new(
        &["mv", "gmv"],
        "b f i n S= t= T u v Z backup? force interactive no-clobber strip-trailing-slashes suffix= target-directory= no-target-directory update? verbose exchange help version",
        Operands::Custom(mv),
    ),
    Spec::new(
        &["install"],
        "b c C d D g= m= o= p s S= t= T v Z backup? compare directory group= mode= owner= preserve-timestamps strip suffix= target-directory= no-target-directory verbose strip-program=x",
        Operands::Custom(cp),
    ),
    Spec::new(
        &["ln"],
        "b d f F i L n P r s S= t= T v backup? directory force interactive logical no-dereference physical relative symbolic suffix= target-directory= no-target-directory verbose help version",
        Operands::Custom(ln),
    ),
    Spec::new(&["tee"], "a i p append ignore-interrupts output-error? help version", Operands::Write),
    Spec::new(
        &["truncate"],
        "c o r=m s= no-create io-blocks reference=m size= help version",
        Operands::Write,
    ),
    Spec::new(&["dd"], "", Operands::Custom(dd)),
    Spec::new(
        &["split", "csplit"],
        "# a= b= C= d e f= k l= n= s t= u x z suffix-length= additional-suffix= bytes= line-bytes= numeric-suffixes? hex-suffixes? elide-empty-files lines= number= separator= unbuffered verbose prefix= filter=x",
        Operands::Custom(split),
    ),
    Spec::new(&["mktemp"], "d u q p=w t suffix= dry-run tmpdir?w directory quiet", Operands::Custom(mktemp)),
    Spec::new(
        &["patch"],
        "p= i=r N R s b d=m E f t l input=r strip= forward reverse silent backup directory=m dry-run verbose o=w output=w r=w reject-file=w",
        Operands::Custom(patch),
    ),
];

fn rm(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let recursive = parsed.has(&["r", "R", "recursive"]);
    build.each(parsed, |build, value, span| build.delete(value, recursive, span));
}

fn rmdir(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    build.each(parsed, |build, value, span| build.delete(value, false, span));
}

fn touch(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    build.each(parsed, |build, value, span| {
        build.change_metadata(value, span);
        build.write(value, span);
    });
}

fn chmod(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    // `chmod -x f`: a mode that looks like a flag.
    let skip = usize::from(!parsed.has(&["reference"]) && parsed.unknown.is_empty());
    for index in parsed.operands.iter().skip(skip) {
        if let Some(word) = build.words.get(*index) {
            build.change_metadata(&word.value, word.span);
        }
    }
}

/// A word's value and where it stands.
type Place = (Value, crate::Span);

/// The last operand, or the value of `-t`, is where the others go.
fn destination<'b>(build: &Build<'b>, parsed: &Parsed<'b>) -> (Vec<Place>, Option<Place>) {
    let mut operands: Vec<(Value, crate::Span)> = parsed
        .operands
        .iter()
        .filter_map(|index| build.words.get(*index))
        .map(|word| (word.value.clone(), word.span))
        .collect();
    let target = match parsed.value(&["t", "target-directory"]) {
        Some(slot) => Some((slot.value(), slot.span())),
        None => operands.pop(),
    };
    (operands, target)
}

/// Where a source lands: the destination itself, or below it when that is a directory.
fn lands(
    build: &mut Build<'_>,
    sources: &[(Value, crate::Span)],
    target: &Value,
    span: crate::Span,
    link: bool,
) {
    build.write(target, span);
    if link {
        return;
    }
    let Some(directory) = target.known() else { return };
    for (source, at) in sources {
        match source.known() {
            Some(path) => {
                let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                if !name.is_empty() && name != "." && name != ".." {
                    let inside = format!("{}/{name}", directory.trim_end_matches('/'));
                    let looks_like_directory = directory.ends_with(['/', '.']) || sources.len() > 1;
                    let is_directory = looks_like_directory || super::targets(target, build.directories()).iter().any(|target| {
                        matches!((target, build.settings.resolver), (PathTarget::Path(path), Some(resolver))
                            if resolver.kind(path) == Some(portcullis_paths::FileKind::Directory))
                    });
                    if is_directory {
                        build.write(&Value::Known(inside.into()), *at);
                    }
                }
            }
            None => build.push(EffectKind::Write(below(target, build)), *at),
        }
    }
}

fn below(target: &Value, build: &Build<'_>) -> PathTarget {
    match super::targets(target, build.directories()).into_iter().next() {
        Some(PathTarget::Path(path)) => PathTarget::Below(path),
        _ => PathTarget::Unknown,
    }
}

fn cp(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if build.word(0) == Some("install") && parsed.has(&["d", "directory"]) {
        build.each(parsed, Build::write);
        return;
    }
    let recursive = parsed.has(&["r", "R", "recursive", "a", "archive"]);
    let (sources, target) = destination(build, parsed);
    for (source, span) in &sources {
        build.read(source, recursive, *span);
    }
    if let Some((target, span)) = target {
        lands(build, &sources, &target, span, false);
    }
}

fn mv(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let (sources, target) = destination(build, parsed);
    for (source, span) in &sources {
        // Under its new name the content can be read.
        build.read(source, true, *span);
        build.delete(source, true, *span);
    }
    if let Some((target, span)) = target {
        lands(build, &sources, &target, span, false);
    }
}

fn ln(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let (sources, target) = destination(build, parsed);
    // A link gives its target another name, under which the content can be read.
    for (source, span) in &sources {
        build.read(source, true, *span);
    }
    if sources.is_empty() {
        build.effect(EffectKind::Write(PathTarget::Unknown));
    }
    if let Some((target, span)) = target {
        lands(build, &sources, &target, span, true);
    }
}

fn dd(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let words = build.words;
    for word in words.iter().skip(1) {
        match word.value.known().map(|text| text.split_once('=').unwrap_or((text, ""))) {
            Some(("if", path)) => build.read(&Value::Known(path.into()), false, word.span),
            Some(("of", path)) => build.write(&Value::Known(path.into()), word.span),
            Some((
                "bs" | "ibs" | "obs" | "cbs" | "count" | "skip" | "iseek" | "seek" | "oseek" | "conv"
                | "iflag" | "oflag" | "status",
                _,
            )) => {}
            _ => {
                build.opaque(word.span, "an operand of `dd` that is not known".to_owned());
                build.push(EffectKind::Write(PathTarget::Unknown), word.span);
            }
        }
    }
}

fn split(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if let Some(input) = build.operand(parsed, 0) {
        build.read(&input.value, false, input.span);
    }
    let prefix = build
        .operand(parsed, 1)
        .and_then(|word| word.value.known())
        .or_else(|| parsed.value(&["f", "prefix"]).and_then(Slot::known));
    let prefix = prefix.unwrap_or("x").to_owned();
    let pattern = crate::GlobPattern { pattern: format!("{prefix}*"), prefix };
    let span = build.span_of(0);
    build.write(&Value::Glob(pattern), span);
}

fn mktemp(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if parsed.operands.is_empty() {
        build.effect(EffectKind::Write(PathTarget::Below("/tmp".to_owned())));
    }
    build.each(parsed, Build::write);
}

fn patch(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let mut operands = parsed.operands.iter().filter_map(|index| build.words.get(*index));
    let original = operands.next().cloned();
    let file = operands.next().cloned();
    if let Some(file) = file {
        build.read(&file.value, false, file.span);
    }
    match original {
        Some(original) => build.write(&original.value, original.span),
        None => build.effect(EffectKind::Write(PathTarget::Unknown)),
    }
}
