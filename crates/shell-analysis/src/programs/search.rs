//! Programs that search in files.

use super::{
    Build,
    flags::Slot,
    project_overrides::{self, Tool},
    spec::{Operands, Parsed, Spec},
};
use crate::{Text, Value};

const GREP: &str = "# E F G P e= i y v w x c L l m= o q s b H h n T u U z Z a A= B= C= r R I d= D= extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case no-ignore-case invert-match word-regexp line-regexp count color? colour? files-without-match files-with-matches max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename label= line-number initial-tab null null-data after-context= before-context= context= text binary-files= devices= directories= exclude= exclude-dir= include= recursive dereference-recursive line-buffered binary group-separator= no-group-separator help version V f=r file=r exclude-from=r";
const RG: &str = "# e= i s S v w x c l L o n N H I p q u a A= B= C= F P U g= t= T= m= M= d= j= r= E= 0 h V f=r regexp= ignore-case case-sensitive smart-case invert-match word-regexp line-regexp count count-matches files files-with-matches files-without-match only-matching line-number no-line-number with-filename no-filename pretty quiet unrestricted text after-context= before-context= context= fixed-strings pcre2 no-pcre2 multiline multiline-dotall no-multiline glob= iglob= type= type-not= type-add= type-list max-count= max-columns= max-columns-preview max-depth= maxdepth= max-filesize= threads= replace= encoding= null null-data hidden no-hidden no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global no-ignore-parent no-ignore-vcs no-ignore-messages ignore no-messages follow L one-file-system json vimgrep heading no-heading column no-column byte-offset trim passthru sort= sortr= stats no-stats color= colors= context-separator= field-context-separator= field-match-separator= path-separator= crlf mmap no-mmap line-buffered block-buffered binary engine= auto-hybrid-regex dfa-size-limit= regex-size-limit= debug trace no-config no-require-git no-unicode no-pcre2-unicode include-zero stop-on-nonmatch hyperlink-format= help version pcre2-version generate= file=r ignore-file=r pre=x pre-glob= hostname-bin=x z!x search-zip!x . b glob-case-insensitive no-glob-case-insensitive ignore-file-case-insensitive no-ignore-file-case-insensitive no-context-separator type-clear= unicode pcre2-unicode no-auto-hybrid-regex no-block-buffered no-crlf no-encoding no-fixed-strings ignore-dot ignore-exclude ignore-files ignore-global ignore-messages ignore-parent ignore-vcs no-json no-line-buffered no-max-columns-preview messages no-one-file-system no-passthru passthrough no-pre no-search-zip no-sort-files sort-files no-text no-trim no-binary no-follow no-invert-match require-git no-include-zero no-debug no-context no-multiline-dotall";

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["grep", "egrep", "fgrep", "ggrep"], GREP, Operands::Custom(grep)),
    Spec::new(&["zgrep", "zegrep", "zfgrep", "bzgrep", "xzgrep"], GREP, Operands::Custom(grep)),
    Spec::new(&["rg"], RG, Operands::Custom(rg)),
    Spec::new(
        &["ag"],
        "# A? B? C? c D f G= F H h i s S l L m= n o Q r R v w u U t z!x a W= 0 p=r ackmate after? before? break nobreak context? count nocount debug depth= filename nofilename files-with-matches files-without-matches follow nofollow file-search-regex= group nogroup heading noheading hidden ignore= ignore-dir= ignore-case case-sensitive smart-case literal fixed-strings line-numbers list-file-types max-count= match no-numbers nonumbers color nocolor color-line-number= color-match= color-path= norecurse null numbers one-device only-matching parallel passthrough passthru path-to-ignore=r print-all-files print-long-lines print0 recurse search-binary search-files silent skip-vcs-ignores stats stats-only unrestricted all-text all-types vimgrep width= word-regexp invert-match column nopager help version V pager=x search-zip!x g= workers= affinity noaffinity",
        Operands::Custom(ag),
    ),
    Spec::new(
        &["ack"],
        "# A? B? C? P c f g i I S h H l L m= n o p? Q r R s v w x!o 1 k after-context? before-context? context? count color colour nocolor nocolour color-filename= color-match= color-lineno= color-colno= column nocolumn break nobreak heading noheading group nogroup filename no-filename files-with-matches files-without-matches ignore-case no-ignore-case smart-case nosmart-case no-smart-case invert-match literal max-count= match= noenv no-ignore-dir= noignore-dir= ignore-dir= noignore-directory= ignore-directory= ignore-file= recurse no-recurse norecurse sort-files show-types type= t= T= type-add= type-set= type-del= types help-types help-colors help-rgb-colors known-types word-regexp with-filename print0 passthru proximate? range-start= range-end= underline nounderline not= and= or= nofilter nopager output=x help man version pager?x ackrc=o files-from=o dump thpppt bar cathy flush",
        Operands::Custom(ag),
    ),
    Spec::new(
        &["fd", "fdfind"],
        "# H I u s i g F a l L p 0 1 q d= t= e= E= c= j= S= o= h V hidden no-hidden no-ignore ignore no-ignore-vcs ignore-vcs no-ignore-parent no-require-git require-git no-global-ignore-file unrestricted case-sensitive ignore-case glob regex fixed-strings and= absolute-path relative-path list-details follow no-follow full-path print0 max-results= quiet max-depth= min-depth= exact-depth= prune type= extension= exclude= color= hyperlink? threads= size= changed-within= changed-before= changed-after= change-newer-than= change-older-than= newer= older= owner= base-directory=m path-separator= search-path=m strip-cwd-prefix? one-file-system mount xdev show-errors ignore-contain= format= help version ignore-file=r batch-size= x!x exec!x X!x exec-batch!x",
        Operands::Custom(fd),
    ),
];

fn grep(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let recursive = parsed.has(&["r", "R", "recursive", "dereference-recursive"])
        // The words that it takes may be abbreviated.
        || parsed
            .value(&["d", "directories"])
            .is_some_and(|value| value.known().is_none_or(|action| "recurse".starts_with(action)));
    if parsed.has(&["R", "dereference-recursive"]) {
        build.follows();
    }
    pattern(build, parsed, &["e", "regexp", "f", "file"], recursive, recursive);
}

fn rg(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if parsed.has(&["type-list", "version", "V", "help", "h"]) {
        return;
    }
    if parsed.has(&["files"]) {
        // Lists names only.
        build.each(parsed, Build::metadata);
        return;
    }
    if parsed.has(&["L", "follow"]) {
        build.follows();
    }
    pattern(build, parsed, &["e", "regexp", "f", "file"], true, true);
}

/// `-A 3` may be a number or the pattern: everything is read, and what is here too.
fn ag(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if parsed.has(&["version", "V", "help", "list-file-types", "help-types", "man"]) {
        return;
    }
    build.read_here();
    let ack = build.word(0).is_some_and(|name| name.ends_with("ack"));
    if parsed.has(&["follow"]) || !ack && parsed.has(&["f"]) {
        build.follows();
    }
    // Without a resolver nobody can look, here as with links.
    if ack && build.settings.resolver.is_some() && !parsed.has(&["noenv"]) {
        project_overrides::project_code(build, Tool::Ack);
    }
    let given = parsed.has(&["match", "g"]) || ack && parsed.has(&["f"]);
    if !given {
        several(build, parsed, true);
    }
    for index in parsed.operands.iter().skip(usize::from(!given)) {
        if let Some(word) = build.words.get(*index) {
            build.read(&word.value, true, word.span);
        }
    }
}

/// A pattern that may be several words, the first of them the pattern and the rest files.
fn several(build: &mut Build<'_>, parsed: &Parsed<'_>, recursive: bool) {
    let words = build.words;
    let pattern = parsed.operands.first().and_then(|index| words.get(*index));
    if let Some(word) = pattern.filter(|word| word.splits && word.value.known().is_none()) {
        build.read(&word.value, recursive, word.span);
    }
}

/// The first operand is the pattern unless a flag gave one; the rest is read.
fn pattern(build: &mut Build<'_>, parsed: &Parsed<'_>, given: &[&str], recursive: bool, here: bool) {
    if parsed.has(&["help", "version", "V"]) {
        return;
    }
    let skip = usize::from(!parsed.has(given));
    let files = parsed.operands.get(skip..).unwrap_or_default();
    if files.is_empty() && here {
        build.read_here();
    }
    if skip > 0 {
        several(build, parsed, recursive);
    }
    let zipped = matches!(build.base(), "zgrep" | "zegrep" | "zfgrep");
    for index in files {
        match build.words.get(*index) {
            Some(word) if zipped => build.read_gzipped(&word.value, recursive, word.span),
            Some(word) => build.read(&word.value, recursive, word.span),
            None => {}
        }
    }
}

/// What it runs for each path that it finds may do anything to it.
fn fd(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if parsed.has(&["x", "X", "exec", "exec-batch"]) {
        let here = Value::Known(Text::from_static("."));
        let mut starts: Vec<&Value> = parsed
            .operands
            .iter()
            .skip(1)
            .filter_map(|index| build.words.get(*index))
            .map(|word| &word.value)
            .collect();
        starts.extend(parsed.value(&["base-directory", "search-path"]).and_then(|slot| match slot {
            Slot::Word(word) => Some(&word.value),
            Slot::Text(..) => None,
        }));
        starts.push(&here);
        let span = build.span_of(0);
        for start in starts {
            build.read(start, true, span);
            build.write_below(start, span);
        }
    }
    for index in parsed.operands.iter().skip(1) {
        if let Some(word) = build.words.get(*index) {
            build.metadata(&word.value, word.span);
        }
    }
}
