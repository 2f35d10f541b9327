//! Programs that create, change and remove files: their effects are what file rules, critical removal and
//! acceptEdits are decided on. Those that copy are in [`super::copies`].

use super::{
    Build,
    copies::{below, cp, ln, mv},
    flags::Slot,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, GlobPattern, PathTarget, Value};

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
        "f n= s= u v x z force iterations= random-source=r size= remove? verbose exact zero help version",
        Operands::Custom(shred),
    ),
    Spec::new(&["mkdir"], "m= p v Z context? mode= parents verbose help version", Operands::Write),
    Spec::new(&["mkfifo", "mknod"], "m= Z mode= context? help version", Operands::Write),
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
        "a b d f H i l L n p P r R s S= t=t T u v x Z archive attributes-only backup? copy-contents force interactive link dereference no-dereference no-clobber preserve? no-preserve= parents recursive reflink? remove-destination sparse= strip-trailing-slashes symbolic-link suffix= target-directory=t no-target-directory update? verbose one-file-system context? keep-directory-symlink debug help version",
        Operands::Custom(cp),
    ),
    Spec::new(
        &["mv", "gmv"],
        "b f i n S= t= T u v Z backup? force interactive no-clobber strip-trailing-slashes suffix= target-directory= no-target-directory update? verbose exchange context no-copy debug help version",
        Operands::Custom(mv),
    ),
    Spec::new(
        &["install", "ginstall"],
        "b c C d D g= m= o= p s S= t= T v Z backup? compare directory group= mode= owner= preserve-timestamps strip suffix= target-directory= no-target-directory verbose strip-program=x preserve-context context? help version",
        Operands::Custom(cp),
    ),
    Spec::new(
        &["ln", "gln"],
        "b d f F i L n P r s S= t= T v backup? directory force interactive logical no-dereference physical relative symbolic suffix= target-directory= no-target-directory verbose help version",
        Operands::Custom(ln),
    ),
    Spec::new(&["link"], "help version", Operands::Custom(ln)),
    Spec::new(&["tee"], "a i p append ignore-interrupts output-error? help version", Operands::Write),
    Spec::new(
        &["truncate"],
        "c o r=m s= no-create io-blocks reference=m size= help version",
        Operands::Write,
    ),
    Spec::new(&["dd"], "", Operands::Custom(dd)),
    Spec::new(
        &["split"],
        "# a= b= C= d e l= n= t= u x suffix-length= additional-suffix= bytes= line-bytes= numeric-suffixes? hex-suffixes? elide-empty-files lines= number= separator= unbuffered verbose filter=x help version",
        Operands::Custom(split),
    ),
    Spec::new(
        &["csplit"],
        "b= f= k n= q s z suffix-format= prefix= keep-files digits= quiet silent suppress-matched elide-empty-files help version",
        Operands::Custom(split),
    ),
    Spec::new(&["chattr"], "", Operands::Custom(attributes)),
    Spec::new(
        &["setfacl"],
        "b d k L n P R v h m= M=r x= X=r modify= modify-file=r remove= remove-file=r set= set-file=r remove-all remove-default recalculate-mask no-mask mask default recursive logical physical test restore=o version help",
        Operands::Custom(each_mode),
    ),
    Spec::new(&["sponge"], "a h", Operands::Write),
    Spec::new(
        &["dos2unix", "unix2dos", "mac2unix", "unix2mac"],
        "a b c= f i? k l m n o q r s u v e F S O h L V ascii keepdate force info? newline quiet safe keep-bom remove-bom add-bom add-eol newfile oldfile to-stdout verbose follow-symlink skip-symlink convmode= help version",
        Operands::Custom(line_ends),
    ),
    Spec::new(&["rename", "prename", "file-rename", "rename.ul"], "", Operands::Custom(renames)),
    Spec::new(&["hardlink"], "n dry-run v verbose h help V version", Operands::Custom(links_equal)),
    Spec::new(
        &["fallocate"],
        "c d i n p x z v l= o= length= offset= keep-size punch-hole zero-range dig-holes collapse-range insert-range posix verbose help version",
        Operands::Write,
    ),
    Spec::new(
        &["mktemp"],
        "d u q p=w t suffix= dry-run tmpdir?w directory quiet V help version",
        Operands::Custom(mktemp),
    ),
    Spec::new(
        &["patch"],
        "b B= c d= D= e E f F= g= i=r l m n N o=w p= r=w R s t T u v V= x= Y= z= Z backup prefix= context directory= ifdef= ed remove-empty-files force fuzz= get= input=r ignore-whitespace merge? normal forward output=w strip= reject-file=w reject-format= reverse quiet silent batch set-time set-utc unified version version-control= verbose dry-run basename-prefix= suffix= binary backup-if-mismatch no-backup-if-mismatch quoting-style= read-only= posix follow-symlinks help",
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
    let recursive = parsed.has(&["R", "recursive"]);
    for index in parsed.operands.iter().skip(skip) {
        if let Some(word) = build.words.get(*index) {
            build.change_metadata(&word.value, word.span);
            if recursive {
                build.push(EffectKind::ChangeMetadata(below(&word.value, build)), word.span);
            }
        }
    }
}

fn shred(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    build.each(parsed, Build::write);
    if parsed.has(&["u", "remove"]) {
        build.each(parsed, |build, value, span| build.delete(value, false, span));
    }
}

/// `chattr +i -R FILE`: modes look like flags.
fn attributes(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let words = build.words;
    for word in words.iter().skip(1) {
        if !word.value.known().is_some_and(|text| text.starts_with(['-', '+', '='])) {
            build.change_metadata(&word.value, word.span);
            build.push(EffectKind::ChangeMetadata(below(&word.value, build)), word.span);
        }
    }
}

fn each_mode(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    build.each(parsed, Build::change_metadata);
    if parsed.has(&["R", "recursive"]) {
        build.each(parsed, |build, value, span| {
            build.push(EffectKind::ChangeMetadata(below(value, build)), span);
        });
    }
}

/// Writes in place; with `-n` the second of two; with `-i` it only tells, with `-O` it prints.
fn line_ends(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    // Words count in the order they have: what stands before `-i` or `--help` is converted.
    let first = parsed.operands.first().copied().unwrap_or(usize::MAX);
    let before =
        |names: &[&str]| parsed.flags.iter().any(|flag| names.contains(&flag.name) && flag.word < first);
    let pairs = before(&["n", "newfile"]) && !parsed.has(&["o", "oldfile"]);
    let tells = !parsed.has(&["o", "oldfile", "n", "newfile"]) && before(&["i", "info", "O", "to-stdout"]);
    let mut second = false;
    build.each(parsed, |build, value, span| {
        if !(pairs && second) {
            build.read(value, false, span);
        }
        // A pattern may be several names, every second of them a result.
        if !tells && (!pairs || second || value.known().is_none()) {
            build.write(value, span);
        }
        second = !second;
    });
}

/// Two programs have this name: one takes an expression of perl, the other two texts.
fn renames(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let words = build.words;
    build.specified = false;
    build.effect(EffectKind::Execute(Value::Unknown));
    for (index, word) in words.iter().enumerate().skip(1) {
        match word.value.known() {
            Some(text) if text.starts_with('-') => {}
            Some(text) if index == 1 => build.code.push(text.to_owned()),
            _ => {
                build.delete(&word.value, false, word.span);
                build.write(&word.value, word.span);
            }
        }
    }
    build.effect(EffectKind::Write(PathTarget::Unknown));
}

fn links_equal(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    build.each(parsed, |build, value, span| {
        build.read(value, true, span);
        if !parsed.has(&["n", "dry-run", "h", "help", "V", "version"]) {
            build.push(EffectKind::Write(below(value, build)), span);
        }
    });
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
                build.opaque(word.span, "an operand of `dd` that is not known");
                build.read(&Value::Unknown, false, word.span);
                build.push(EffectKind::Write(PathTarget::Unknown), word.span);
            }
        }
    }
}

fn split(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if parsed.has(&["help", "version"]) {
        return;
    }
    if let Some(input) = build.operand(parsed, 0) {
        build.read(&input.value, false, input.span);
    }
    let contexts = build.word(0).is_some_and(|name| name.ends_with("csplit"));
    let prefix = if contexts {
        parsed.value(&["f", "prefix"]).map_or(Value::Known("xx".into()), Slot::value)
    } else {
        build.operand(parsed, 1).map_or(Value::Known("x".into()), |word| word.value.clone())
    };
    let span = build.span_of(0);
    // Only csplit takes a suffix that leads elsewhere.
    let leads = parsed.value(&["b", "suffix-format"]).filter(|_| contexts);
    if leads.is_some_and(|slot| slot.known().is_none_or(|format| format.contains('/'))) {
        build.push(EffectKind::Write(PathTarget::Unknown), span);
    }
    match prefix {
        Value::Known(prefix) => {
            build.write(
                &Value::Glob(GlobPattern { pattern: format!("{prefix}*").into(), prefix }.into()),
                span,
            );
        }
        _ => build.push(EffectKind::Write(PathTarget::Unknown), span),
    }
}

fn mktemp(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if parsed.has(&["u", "dry-run", "help", "version", "V"]) {
        return;
    }
    if parsed.operands.is_empty() {
        build.effect(EffectKind::Write(PathTarget::Below("/tmp".to_owned())));
    }
    build.each(parsed, Build::write);
}

/// Names of files are in the patch; they lead below the directory (patch(1), SECURITY).
fn patch(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if let Some(slot) = parsed.value(&["d", "directory"]) {
        build.change_directory(&slot.value());
    }
    if let Some(file) = build.operand(parsed, 1) {
        build.read(&file.value, false, file.span);
    }
    let here = Value::Known(".".into());
    if parsed.has(&["dry-run", "version", "v", "help"]) {
        let original = build.operand(parsed, 0).map_or(here, |word| word.value.clone());
        build.read(&original, false, build.span_of(0));
        return;
    }
    match build.operand(parsed, 0) {
        Some(original) => {
            build.read(&original.value, false, original.span);
            let from = build.checkpoint().0;
            build.write(&original.value, original.span);
            match parsed.value(&["z", "suffix"]).map(Slot::known) {
                _ if parsed.has(&["B", "prefix", "Y", "basename-prefix"]) => {
                    build.push(EffectKind::Write(PathTarget::Unknown), original.span);
                }
                Some(Some(suffix)) => build.write_backups(from, suffix),
                Some(None) => build.push(EffectKind::Write(PathTarget::Unknown), original.span),
                None => {}
            }
        }
        None => {
            let target = below(&here, build);
            build.effect(EffectKind::Write(target));
        }
    }
}
