//! tar, in its three ways of writing options (GNU tar manual 3.3).

use super::{
    Build, flags,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, PathTarget, Span, Value};

const GNU: &str = "# A b= B C=m c d f=t F=x g=w G h H= i I=x j J k K= l L=o m M!x n N= o O p P r R s S t T=o u U v V= w x X=r z Z \
    0 1 2 3 4 5 6 7 catenate concatenate create delete diff compare append test-label list update extract get check-device \
    listed-incremental=w incremental hole-detection= ignore-failed-read level= no-check-device no-seek seek occurrence? sparse \
    sparse-version= add-file=r directory=m exclude= exclude-backups exclude-caches exclude-caches-all exclude-caches-under \
    exclude-ignore= exclude-ignore-recursive= exclude-tag= exclude-tag-all= exclude-tag-under= exclude-vcs exclude-vcs-ignores \
    no-null null no-recursion recursion no-unquote unquote no-verbatim-files-from verbatim-files-from files-from=o exclude-from=r \
    anchored no-anchored ignore-case no-ignore-case wildcards no-wildcards wildcards-match-slash no-wildcards-match-slash \
    strip-components= transform= xform= keep-old-files keep-newer-files keep-directory-symlink no-overwrite-dir one-top-level? \
    overwrite overwrite-dir recursive-unlink remove-files!o skip-old-files unlink-first verify ignore-command-error \
    no-ignore-command-error to-stdout to-command=x atime-preserve?w clamp-mtime delay-directory-restore group= group-map=r mode= \
    mtime= touch no-delay-directory-restore same-owner no-same-owner no-same-permissions numeric-owner owner= owner-map=r \
    preserve-permissions same-permissions preserve-order same-order sort= acls no-acls selinux no-selinux xattrs no-xattrs \
    xattrs-exclude= xattrs-include= force-local file=t info-script=x new-volume-script=x tape-length=o multi-volume!x rmt-command=x \
    rsh-command=x volno-file=w blocking-factor= read-full-records ignore-zeros record-size= format= old-archive portability \
    pax-option= posix label= auto-compress no-auto-compress use-compress-program=x bzip2 gzip gunzip ungzip compress uncompress lzip \
    lzma lzop xz zstd backup? hard-dereference dereference starting-file= newer-mtime= newer= after-date= one-file-system \
    absolute-names suffix= checkpoint? checkpoint-action=x full-time index-file=w check-links no-quote-chars= quote-chars= \
    quoting-style= block-number show-defaults show-omitted-dirs show-snapshot-field-ranges show-transformed-names \
    show-stored-names totals? utc verbose warning= interactive confirmation restrict help usage version";
const BSD: &str = "# a b= B C=m c f=t H h I=o j J k L l m n o O P p q r s= S t T=o u U v w x X=r y z Z create extract list append update \
    file=t directory=m cd=m exclude= exclude-from=r include= files-from=o keep-old-files keep-newer-files verbose to-stdout \
    absolute-paths strip-components= gzip bzip2 xz zstd lzma lz4 lzop compress auto-compress one-file-system preserve-permissions \
    no-same-owner same-owner no-same-permissions numeric-owner uid= gid= uname= gname= fast-read format= options= newer= \
    newer-mtime= older= older-mtime= null dereference totals interactive confirmation exclude-vcs no-recursion norecurse \
    ignore-zeros help version use-compress-program=x passphrase=";

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["tar", "gtar"], GNU, Operands::Custom(gnu)),
    Spec::new(&["bsdtar"], BSD, Operands::Custom(bsd)),
];

fn gnu(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    tar(build, parsed, GNU);
}

fn bsd(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    tar(build, parsed, BSD);
}

/// What the words say, in whichever way they are written.
#[derive(Default)]
struct Told {
    letters: String,
    archives: Vec<(Value, Span)>,
    /// Changes of directory and members, in the order in which they stand.
    steps: Vec<(usize, Step)>,
}

enum Step {
    Directory(Value),
    Member,
}

/// `tar xzf a.tgz`: the first word may be letters without a dash. Their values are the words that follow, whatever
/// these begin with (GNU tar manual 3.3.3). Gives back where the rest begins.
fn bundled(build: &mut Build<'_>, flags: &'static str, told: &mut Told) -> usize {
    let text = build.word(1).unwrap_or_default();
    told.letters.push_str(text);
    let mut index = 2;
    for letter in text.chars() {
        let words = build.words;
        let Some((kind, role)) = flags::entry(flags, letter) else {
            build.opaque(build.span_of(1), format!("`{text}` are flags that are not known"));
            continue;
        };
        if kind == b'!' {
            build.hazard(1);
            build.push(EffectKind::Execute(Value::Unknown), build.span_of(1));
        }
        if kind != b'=' {
            continue;
        }
        let here = index;
        index += 1;
        let Some(word) = words.get(here) else { continue };
        match (letter, role) {
            ('f', _) => told.archives.push((word.value.clone(), word.span)),
            ('C', _) => told.steps.push((here, Step::Directory(word.value.clone()))),
            ('T', _) => {
                build.hazard(1);
                build.hazard(here);
                build.read(&Value::Unknown, false, word.span);
                build.push(EffectKind::Execute(word.value.clone()), word.span);
            }
            (_, b'x' | b'o') => {
                build.hazard(1);
                build.hazard(here);
                build.push(EffectKind::Execute(word.value.clone()), word.span);
            }
            (_, b'w') => build.write(&word.value, word.span),
            (_, b'r') => build.read(&word.value, false, word.span),
            _ => {}
        }
        if word.splits {
            build.opaque(word.span, "a value that may be several words");
        }
    }
    index
}

fn tar(build: &mut Build<'_>, parsed: &Parsed<'_>, flags: &'static str) {
    let mut told = Told::default();
    let own;
    let parsed = if build.word(1).is_some_and(|text| !text.starts_with('-')) {
        build.restart();
        let start = bundled(build, flags, &mut told);
        own = build.parse(flags, start, false, false);
        &own
    } else {
        parsed
    };
    for flag in &parsed.flags {
        match (flag.name, flag.value) {
            ("f" | "file", Some(slot)) => told.archives.push((slot.value(), slot.span())),
            ("C" | "directory" | "cd", Some(slot)) => {
                told.steps.push((flag.word, Step::Directory(slot.value())));
            }
            // A list of names.
            ("T", Some(slot)) => build.read(&Value::Unknown, false, slot.span()),
            _ => {}
        }
    }
    told.steps.extend(parsed.operands.iter().map(|index| (*index, Step::Member)));
    told.steps.sort_by_key(|(index, _)| *index);
    let does = |letter: char, names: &[&str]| told.letters.contains(letter) || parsed.has(names);
    // Behind a member bsdtar takes them for members too.
    let member = parsed.operands.first().copied().unwrap_or(usize::MAX);
    let asked = |flag: &flags::Flag<'_>| {
        flag.word < member && matches!(flag.name, "help" | "usage" | "version" | "show-defaults")
    };
    if told.letters.is_empty() && parsed.flags.iter().any(asked) {
        return;
    }
    let at = build.span_of(1);
    let archives = told.archives.clone();
    let local = parsed.has(&["force-local"]);
    for (archive, span) in &archives {
        // `host:file` is fetched with a remote shell (GNU tar manual 3.4, Remote Tape Server).
        let away = |text: &str| text.split('/').next().is_some_and(|first| first.contains(':'));
        if !local && archive.known().is_none_or(away) {
            build.push(EffectKind::Execute(Value::Unknown), *span);
            build.push(EffectKind::Network(None), *span);
        }
    }
    let reads_archive = |build: &mut Build<'_>| {
        for (archive, span) in &archives {
            build.read(archive, false, *span);
        }
    };
    if does('x', &["x", "extract", "get"]) {
        reads_archive(build);
        if !does('O', &["O", "to-stdout"]) {
            extracts(build, &told, does('P', &["P", "absolute-names", "absolute-paths"]), at);
        }
    } else if does('t', &["t", "list", "test-label"]) {
        reads_archive(build);
    } else if does('d', &["d", "diff", "compare"]) {
        reads_archive(build);
        members(build, &told, false);
    } else {
        for (archive, span) in &archives {
            if archive.known() != Some("-") {
                build.write(archive, *span);
            }
        }
        if does('h', &["h", "dereference"]) {
            build.follows();
        }
        members(build, &told, parsed.has(&["remove-files"]));
    }
}

/// Members may have any name below the directory, and links may lead out of it.
fn extracts(build: &mut Build<'_>, told: &Told, anywhere: bool, at: Span) {
    for (_, step) in &told.steps {
        if let Step::Directory(value) = step {
            build.change_directory(value);
        }
    }
    if anywhere {
        build.push(EffectKind::Write(PathTarget::Unknown), at);
    }
    for target in build.targets(&Value::Known(".".into())) {
        let below = match target {
            PathTarget::Path(path) => PathTarget::Below(path.trim_end_matches("/.").to_owned()),
            _ => PathTarget::Unknown,
        };
        build.push(EffectKind::Write(below), at);
    }
    build.push(EffectKind::Opaque("members of an archive may have any name".into()), at);
}

/// What is put into an archive or compared with one.
fn members(build: &mut Build<'_>, told: &Told, removes: bool) {
    for (index, step) in &told.steps {
        match step {
            Step::Directory(value) => build.change_directory(value),
            Step::Member => {
                let words = build.words;
                if let Some(word) = words.get(*index) {
                    // `@archive` is one whose members are taken over (bsdtar(1)).
                    match word.value.known().and_then(|text| text.strip_prefix('@')) {
                        Some(archive) => build.read(&Value::Known(archive.into()), false, word.span),
                        None => build.read(&word.value, true, word.span),
                    }
                    if removes {
                        build.delete(&word.value, true, word.span);
                    }
                }
            }
        }
    }
}
