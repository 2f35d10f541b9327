//! Pagers and other programs that show a file at a terminal.

use super::{
    Build,
    flags::Slot,
    spec::{Operands, Parsed, Spec},
};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["less"],
        "# N n S R r i I F X E e q Q M m s w W J a A B c C d g G f u U K V ~ L D= P= p= j= x= y= z= b= h= chop-long-lines LINE-NUMBERS line-numbers RAW-CONTROL-CHARS raw-control-chars ignore-case IGNORE-CASE quit-if-one-screen no-init quit-at-eof QUIT-AT-EOF quiet QUIET silent SILENT squeeze-blank-lines long-prompt LONG-PROMPT status-column underline-special UNDERLINE-SPECIAL hilite-search HILITE-SEARCH hilite-unread HILITE-UNREAD clear-screen CLEAR-SCREEN search-skip-screen SEARCH-SKIP-SCREEN auto-buffers dumb tilde no-keypad follow-name mouse MOUSE use-color no-histdups incsearch file-size quit-on-intr force use-backslash pattern= tabs= jump-target= max-forw-scroll= max-back-scroll= window= buffers= prompt= color= no-lessopen version help o=w O=w log-file=w LOG-FILE=w k=o lesskey-file=o lesskey-src=o lesskey-content=o t=o T=o tag=o tag-file=o",
        Operands::Custom(pager),
    ),
    Spec::new(
        &["more"],
        "# d f l p c s u h n= e exit-on-eof lines= number= logical no-pause print-over clean-print squeeze plain silent help version V",
        Operands::Custom(pager),
    ),
    Spec::new(&["zless", "zmore"], "", Operands::Custom(pager)),
];

/// `+command` runs when the pager starts. In less a glued value ends at the first character that does not fit,
/// a text at `$`, and what follows is options again (less(1), OPTIONS).
fn pager(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    for flag in &parsed.flags {
        let Some(Slot::Text(text, span)) = flag.value else { continue };
        let numbers = matches!(flag.name, "x" | "j" | "y" | "z" | "b" | "h" | "c" | "n");
        let fits = |c: char| c.is_ascii_digit() || matches!(c, ',' | '.' | '-');
        if text.contains('$') || (numbers && !text.chars().all(fits)) {
            build.hazard(flag.word);
            build.opaque(span, "options of the pager that are not understood");
        }
    }
    for index in &parsed.operands {
        let Some(word) = build.words.get(*index) else { continue };
        match word.value.known() {
            Some(text) if text.starts_with('+') => {
                build.hazard(*index);
                build.opaque(word.span, format!("`{text}` is a command of the pager"));
            }
            _ if build.base().starts_with('z') => build.read_gzipped(&word.value, false, word.span),
            _ => build.read(&word.value, false, word.span),
        }
    }
}
