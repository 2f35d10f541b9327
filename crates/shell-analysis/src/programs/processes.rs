//! Programs that look at processes, and those that signal them (procps, psmisc, util-linux manual pages).

use super::{
    Build,
    flags::Slot,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, Value};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["ps"],
        "A a d e f F l j M y u= U= p= C= g= G= o= O= t= s= H L T w c n N r x q= Z V h S k= m no-headers no-headings headers headings sort= pid= ppid= user= User= Group= forest format= cols= columns= width= rows= lines= deselect group= tty= sid= quick-pid= cumulative context info version help",
        Operands::Custom(ps),
    ),
    Spec::new(
        &["pgrep"],
        "a l L f c d= F=r g= G= i n o O= P= q r= s= t= u= U= v w x A V h list-full list-name logpidfile full count delimiter= pidfile=r pgroup= group= ignore-ancestors ignore-case newest oldest older= parent= runstates= session= signal= terminal= euid= uid= cgroup= ns= nslist= env= inverse lightweight quiet exact help version",
        Operands::Text,
    ),
    Spec::new(
        &["pidof"],
        "s q w x c n h V o= S= single-shot quiet with-workers check-root separator= omit-pid= help version",
        Operands::Text,
    ),
    Spec::new(
        &["pmap"],
        "x X d q p A= V h extended device quiet show-path range= help version",
        Operands::Text,
    ),
    Spec::new(&["pwdx"], "V h help version", Operands::Text),
    Spec::new(&["slabtop"], "d= o s= V h delay= once sort= help version", Operands::None),
    Spec::new(
        &["pstree"],
        "a A c C= g G h H= k l n N= p s S t T u U V Z arguments ascii compact-not color= show-pgids vt100 highlight-all highlight-pid= long numeric-sort ns-sort= ns-changes show-pids show-parents thread-names hide-threads uid-changes unicode security-context version",
        Operands::Text,
    ),
    Spec::new(
        &["top"],
        "b c H i S s 1 E= e= d= n= o= p= u= U= w? O h v V batch-mode help version",
        Operands::Custom(top),
    ),
    Spec::new(
        &["procs"],
        "a or d t w W= i= only= sorta= sortd= c= color= theme= p= pager= interval= use-config= tree thread watch watch-interval= insert= no-header and nand nor load-config=o gen-config completion= list help version h V",
        Operands::Text,
    ),
    Spec::new(
        &["kill"],
        "l? L s= n= p q= # list? table signal= timeout= queue= help version h V",
        Operands::Custom(kill),
    ),
    Spec::new(
        &["pkill"],
        "# f e g= G= i n o s= u= U= v w x q= t= P= c O= F=r L r= A H V h signal= queue= echo count pgroup= group= exact ignore-ancestors ignore-case newest oldest older= parent= session= terminal= euid= uid= pidfile=r logpidfile runstates= cgroup= ns= nslist= full help version",
        Operands::Custom(signals),
    ),
    Spec::new(
        &["killall"],
        "# e I g i l n= o= q r s= u= v w y= V Z= exact ignore-case process-group interactive list ns= older-than= quiet regexp signal= user= verbose wait younger-than= context= version help",
        Operands::Custom(signals),
    ),
    Spec::new(
        &["skill", "snice", "renice", "xkill", "killall5", "choom", "prlimit", "taskset", "ionice", "chrt"],
        "",
        Operands::Custom(signals),
    ),
    Spec::new(
        &["htop", "btop", "atop", "iotop", "iftop", "nmon", "nload", "powertop", "glances", "ncdu"],
        "",
        Operands::Custom(terminal),
    ),
];

/// In the BSD way of writing options (no dash) `e` shows the environment of processes, which holds secrets; so does
/// `-E` elsewhere, and the column `environ`. Where words with dashes are no options of UNIX, all are read in the BSD
/// way (ps(1)): `-auxe` when there is no user `xe`, `-ex` always.
fn ps(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let column = |text: &str| text.to_ascii_lowercase().contains("environ");
    let mut environment = (1..build.words.len()).any(|index| build.word(index).is_some_and(column));
    // The word that is the value of the one before it.
    let mut value = None;
    for index in &parsed.operands {
        let Some(text) = build.word(*index) else {
            environment = true;
            continue;
        };
        if value.take() != Some(*index) {
            match bsd(text) {
                Bsd::Environment => environment = true,
                Bsd::Format => value = Some(*index + 1),
                Bsd::Else => {}
            }
        }
    }
    let every = parsed.has(&["e"]);
    for flag in &parsed.flags {
        environment |= match (flag.name, flag.value) {
            ("o" | "O" | "format", value) => value.and_then(Slot::known).is_none(),
            ("x" | "r" | "S" | "h" | "k" | "X" | "v", _) => every,
            ("t", None) => every,
            (name, Some(Slot::Text(text, _))) if name.len() == 1 => {
                matches!(bsd(text), Bsd::Environment)
                    || every && text.chars().all(|letter| BSD.contains(letter))
            }
            _ => false,
        };
    }
    if environment {
        build.effect(EffectKind::Environment);
    }
}

/// Options in the BSD way that take no value.
const BSD: &str = "aAcCfgHhjlLmMnrsSTuvVwWxXZ-";

/// What a word is when `ps` reads it in the BSD way.
enum Bsd {
    Environment,
    /// Columns stand behind it.
    Format,
    Else,
}

fn bsd(text: &str) -> Bsd {
    let mut letters = text.chars();
    match letters.find(|letter| !BSD.contains(*letter)) {
        Some('e') => Bsd::Environment,
        Some('o' | 'O' | 'k') if letters.as_str().is_empty() => Bsd::Format,
        _ => Bsd::Else,
    }
}

/// Interactive unless `-b`.
fn top(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if !parsed.has(&["b", "batch-mode", "help", "version", "h", "v", "V"]) {
        build.effect(EffectKind::Terminal);
    }
}

fn kill(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let lists = parsed.has(&["l", "L", "list", "table", "help", "version", "h", "V"]);
    // `kill -l 9` names a signal; `-s` or a process beside it would be sent one.
    if lists && !parsed.has(&["s", "n", "signal", "q", "queue", "p", "timeout"]) {
        return;
    }
    signals(build, parsed);
}

fn signals(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let pidfile = parsed.flags.iter().filter(|flag| flag.role == b'r').filter_map(|flag| flag.value);
    let files: Vec<(Value, crate::Span)> = pidfile.map(|slot| (slot.value(), slot.span())).collect();
    build.restart();
    for (file, span) in files {
        build.read(&file, false, span);
    }
    build.effect(EffectKind::Process);
}

fn terminal(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    build.effect(EffectKind::Terminal);
    build.opaque(build.span_of(0), "an interactive program does what its keys say");
}
