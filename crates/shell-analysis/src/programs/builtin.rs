//! Builtins and small programs that print or test (bash manual 4, coreutils manual 13 to 22).

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, Value, plan::tells_nothing};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["echo"], "", Operands::Custom(nothing)).safe(),
    Spec::new(&["printf"], "v=o", Operands::Custom(printf)).stops(),
    Spec::new(&["true", "false", ":", "yes"], "", Operands::Custom(nothing)).safe(),
    Spec::new(&["pwd"], "L P logical physical help version", Operands::Text).safe(),
    Spec::new(&["type"], "a f t p P", Operands::Text).safe(),
    Spec::new(&["which"], "a s all help version", Operands::Text),
    Spec::new(&["whereis"], "b m s u l g B= M= S= f help version", Operands::Text),
    Spec::new(&["command"], "p v V", Operands::Text).stops(),
    Spec::new(&["help"], "d m s", Operands::Text).safe(),
    Spec::new(&["test", "["], "", Operands::Custom(test)).safe(),
    Spec::new(&["cd", "pushd", "popd"], "L P e @ n", Operands::Metadata),
    Spec::new(&["dirs"], "c!o l p v", Operands::None),
    Spec::new(&["sleep"], "help version", Operands::Text),
    Spec::new(&["seq"], "# f= s= w format= separator= equal-width help version", Operands::Text).safe(),
    Spec::new(&["expr", "factor", "numfmt"], "", Operands::Custom(nothing)).safe(),
    Spec::new(
        &["date", "gdate"],
        "d= f=r I? R u r=m date= file=r iso-8601? rfc-email rfc-2822 rfc-822 rfc-3339= utc universal uct reference=m resolution debug help version s=o set=o v= j n",
        Operands::Custom(date),
    ),
    Spec::new(
        &["hostname"],
        "a A d f i I s y alias all-fqdns all-ip-addresses domain fqdn long ip-address short yp nis help version V h F=o file=o b!o boot!o",
        Operands::None,
    ),
    Spec::new(
        &["uname", "arch"],
        "a s n r v m p i o all kernel-name nodename kernel-release kernel-version machine processor hardware-platform operating-system help version",
        Operands::None,
    ),
    Spec::new(
        &["id"],
        "a Z g G n r u z context group groups name real user zero help version",
        Operands::Text,
    ),
    Spec::new(&["tty"], "s silent quiet help version", Operands::None),
    Spec::new(&["nproc"], "all ignore= help version", Operands::None),
    Spec::new(&["groups", "whoami", "logname"], "help version", Operands::Text),
    Spec::new(&["printenv"], "0 null help version", Operands::Custom(printenv)),
    Spec::new(&["getconf"], "a v=", Operands::Text),
    Spec::new(
        &["locale"],
        "a m c k v V all-locales charmaps category-name keyword-name verbose help usage version",
        Operands::Text,
    ),
    Spec::new(
        &["getent"],
        "s=o i A service=o no-idn no-addrconfig help usage version V",
        Operands::Custom(getent),
    ),
    Spec::new(&["cal", "ncal"], "# 1 3 s m j y Y w n= h J M A= B= C b d= e o p", Operands::Text),
    Spec::new(
        &["getopt"],
        "a l= n= o= q Q s= T u V h alternative longoptions= name= options= quiet quiet-output shell= test unquoted help version",
        Operands::Text,
    ),
    Spec::new(&["tput", "clear"], "x V T=", Operands::Text),
    Spec::new(
        &["dircolors"],
        "b c p sh csh bourne-shell c-shell print-database print-ls-colors help version",
        Operands::Read,
    ),
    Spec::new(&["envsubst"], "v variables help version h V", Operands::Custom(environment)),
    Spec::new(&["ts"], "r i s m", Operands::Custom(stamps)),
    Spec::new(&["isutf8"], "q l i v quiet list invert verbose help", Operands::Read),
    Spec::new(&["stty"], "a g all save F=o file=o help version", Operands::Custom(terminal)),
    Spec::new(&["umask"], "p S", Operands::None),
    Spec::new(
        &["hyperfine"],
        "N i w= m= M= r= s=x p=x c=x P= D= L= S=x u= n= h V warmup= min-runs= max-runs= runs= setup=x prepare=x conclude=x cleanup=x parameter-scan= parameter-step-size= parameter-list= shell=x ignore-failure? style= sort= time-unit= export-asciidoc=w export-csv=w export-json=w export-markdown=w export-orgmode=w show-output output=w input=r command-name= reference=x help version",
        Operands::Custom(shell_texts),
    ),
    Spec::new(
        &["pee"],
        "ignore-sigpipe no-ignore-sigpipe ignore-write-errors no-ignore-write-errors",
        Operands::Custom(shell_texts),
    ),
    Spec::new(
        &["fzf"],
        "x e i m f= q= d= n= 1 0 2 exact extended no-extended ignore-case no-ignore-case filter= query= nth= with-nth= delimiter= multi no-multi no-sort tac tiebreak= print0 read0 print-query select-1 exit-0 literal algo= scheme= sync version help preview=x bind=x execute=x history=w listen?o",
        Operands::Custom(fuzzy),
    ),
    Spec::new(
        &[
            "logger",
            "wall",
            "mail",
            "mailx",
            "sendmail",
            "mutt",
            "xdg-open",
            "open",
            "notify-send",
            "pbcopy",
            "xclip",
            "xsel",
            "wl-copy",
        ],
        "",
        Operands::Custom(tells),
    ),
    Spec::new(&["jobs"], "l n p r s", Operands::Text),
    Spec::new(&["ulimit"], "a S H c d e f i l m n p q r s t u v x P R T b k", Operands::None),
    Spec::new(&["times"], "", Operands::None),
    Spec::new(
        &["man"],
        "k f w where-path apropos whatis P=x pager=x C=x config-file=x H?x html?x X?x",
        Operands::Custom(man),
    ),
];

/// Every word is text, also one that begins with a dash.
fn nothing(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
}

/// Settings of the terminal are shown, or changed.
/// A format; words behind it are opened as Perl's `<>` opens them, and `word|` is a command there (perlop).
fn stamps(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if let Some(index) = parsed.operands.get(1) {
        let span = build.span_of(*index);
        build.opaque(span, "`ts` opens what stands behind the format, or runs it");
    }
    if parsed.operands.first().and_then(|index| build.words.get(*index)).is_some_and(|word| word.splits) {
        let span = build.span_of(0);
        build.opaque(span, "the format of `ts` may be several words");
    }
}

fn terminal(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let shows = matches!(
        build.operand(parsed, 0).map(|word| word.value.known()),
        None | Some(Some("size" | "speed"))
    );
    if !shows || build.count(parsed) > 1 {
        build.effect(EffectKind::Terminal);
    }
}

/// Operands are texts for a shell.
fn shell_texts(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    for index in &parsed.operands {
        let Some(word) = build.words.get(*index) else { continue };
        if let Some(text) = word.value.known() {
            build.code.push(text.to_owned());
        }
        build.push(EffectKind::Execute(word.value.clone()), word.span);
    }
}

/// Interactive unless it only filters.
fn fuzzy(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if !parsed.has(&["f", "filter", "version", "help"]) {
        build.effect(EffectKind::Terminal);
    }
}

/// Other people or programs get to know something.
fn tells(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    build.specified = false;
    build.effect(EffectKind::System);
}

/// Words are text; the generic reading of flags does not apply.
fn printf(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if !parsed.has(&["v"]) && build.words.get(1).is_some_and(|word| word.value.known().is_some()) {
        build.restart();
    }
}

/// A key is looked up by name, also at name servers: what is known stays here, a host name does not.
fn getent(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    match build.operand(parsed, 0).and_then(|word| word.value.known()) {
        Some("passwd" | "group" | "services" | "protocols" | "rpc" | "ethers" | "aliases" | "initgroups") => {
        }
        Some(database @ ("shadow" | "gshadow")) => {
            let span = build.span_of(1);
            build.read(&Value::Known(format!("/etc/{database}").into()), false, span);
        }
        _ => build.effect(EffectKind::Network(None)),
    }
}

fn environment(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.effect(EffectKind::Environment);
}

/// Variables by name, or all of them.
fn printenv(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let mut names = Vec::new();
    // The environment may have names that no shell can expand.
    let plain =
        |name: &str| !name.contains(|c: char| !c.is_ascii_alphanumeric() && c != '_') && tells_nothing(name);
    build.each(parsed, |_, value, _| names.push(value.known().is_some_and(plain)));
    if names.is_empty() || names.contains(&false) {
        build.effect(EffectKind::Environment);
    }
}

/// An operand that is no format sets the clock.
fn date(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    for index in &parsed.operands {
        let span = build.span_of(*index);
        match build.word(*index) {
            Some(text) if text.starts_with('+') => {}
            _ => {
                build.hazard(*index);
                build.push(EffectKind::System, span);
            }
        }
    }
}

/// The operand of a file test is looked at.
fn test(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let words = build.words;
    for pair in words.windows(2) {
        if let [operator, path] = pair {
            let file = operator.value.known().is_some_and(|text| {
                matches!(
                    text,
                    "-a" | "-b"
                        | "-c"
                        | "-d"
                        | "-e"
                        | "-f"
                        | "-g"
                        | "-h"
                        | "-k"
                        | "-p"
                        | "-r"
                        | "-s"
                        | "-u"
                        | "-w"
                        | "-x"
                        | "-G"
                        | "-L"
                        | "-N"
                        | "-O"
                        | "-S"
                        | "-ef"
                        | "-nt"
                        | "-ot"
                )
            });
            if file && path.value.known() != Some("]") {
                build.metadata(&path.value, path.span);
            }
        }
    }
}

/// The pager comes from the environment; searching alone needs none.
fn man(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if !parsed.has(&["k", "f", "w", "apropos", "whatis", "where-path"]) {
        build.effect(EffectKind::Opaque("`man` runs a pager".into()));
    }
}
