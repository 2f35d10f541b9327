//! Programs that search in files.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};

const GREP: &str = "# E F G P e= i y v w x c L l m= o q s b H h n T u U z Z a A= B= C= r R I d= D= extended-regexp fixed-strings basic-regexp perl-regexp regexp= ignore-case no-ignore-case invert-match word-regexp line-regexp count color? colour? files-without-match files-with-matches max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename label= line-number initial-tab null null-data after-context= before-context= context= text binary-files= devices= directories= exclude= exclude-dir= include= recursive dereference-recursive line-buffered binary group-separator= no-group-separator help version V f=r file=r exclude-from=r";
const RG: &str = "# e= i s S v w x c l L o n N H I p q u a A= B= C= F P U g= t= T= m= M= d= j= r= E= 0 h V f=r regexp= ignore-case case-sensitive smart-case invert-match word-regexp line-regexp count count-matches files files-with-matches files-without-match only-matching line-number no-line-number with-filename no-filename pretty quiet unrestricted text after-context= before-context= context= fixed-strings pcre2 no-pcre2 multiline multiline-dotall no-multiline glob= iglob= type= type-not= type-add= type-list max-count= max-columns= max-columns-preview max-depth= maxdepth= max-filesize= threads= replace= encoding= null null-data hidden no-hidden no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global no-ignore-parent no-ignore-vcs no-ignore-messages ignore no-messages follow L one-file-system json vimgrep heading no-heading column no-column byte-offset trim passthru sort= sortr= stats no-stats color= colors= context-separator= field-context-separator= field-match-separator= path-separator= crlf mmap no-mmap line-buffered block-buffered binary engine= auto-hybrid-regex dfa-size-limit= regex-size-limit= debug trace no-config no-require-git no-unicode no-pcre2-unicode include-zero stop-on-nonmatch hyperlink-format= help version pcre2-version generate= file=r ignore-file=r pre=x pre-glob= hostname-bin=x z!x search-zip!x";

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["grep", "egrep", "fgrep", "ggrep"], GREP, Operands::Custom(grep)),
    Spec::new(&["rg"], RG, Operands::Custom(rg)),
    Spec::new(
        &["ag"],
        "# A= B= C= c D f G= H h i s S l L m= n o Q r R v w u U t z!x a W= 0 p=r ackmate after? before? break context? count debug depth= filename files-with-matches files-without-matches follow files-search-regex= group heading hidden ignore= ignore-dir= ignore-case case-sensitive smart-case literal fixed-strings line-numbers max-count= match no-numbers nobreak nocolor color noheading nogroup nofilename norecurse null numbers one-device only-matching parallel passthrough passthru path-to-ignore=r print-long-lines recurse search-binary search-files silent skip-vcs-ignores stats stats-only unrestricted all-text all-types vimgrep width= word-regexp invert-match column help version V pager=x search-zip!x g=",
        Operands::Custom(ag),
    ),
    Spec::new(
        &["ack"],
        "# A= B= C= c f g i I S h H l L m= n o Q r R s v w x!o 1 k after-context= before-context= context? count color colour nocolor nocolour column nocolumn break nobreak heading noheading group nogroup filename no-filename files-with-matches files-without-matches ignore-case no-ignore-case smart-case nosmart-case invert-match literal max-count= match= noenv no-ignore-dir= ignore-dir= ignore-directory= ignore-file= recurse no-recurse norecurse sort-files show-types type= t= T= type-add= type-set= type-del= types help-types word-regexp with-filename print0 passthru proximate? range-start= range-end= underline output=x help version pager?x ackrc=o files-from=o dump thpppt bar cathy",
        Operands::Pattern { given: &["f", "match", "g"], recursive: true },
    ),
    Spec::new(
        &["jq"],
        "n r R s c C M S e a j 0 b . null-input raw-input slurp raw-output raw-output0 join-output compact-output color-output monochrome-output sort-keys exit-status ascii-output unbuffered stream stream-errors seq tab indent= binary arg= argjson= args jsonargs help version h V f=o from-file=o slurpfile=o rawfile=o argfile=o L=o",
        Operands::Custom(jq),
    ),
    Spec::new(
        &["yq"],
        "n r j P C M N e s!w i!w I= o= p= 0 null-input unwrapScalar? no-colors colors no-doc indent= output-format= input-format= prettyPrint exit-status front-matter= inplace!w split-exp!w split-exp-file!w tojson version V help h v verbose raw-output y yaml-output slurp c compact-output f!o from-file!o in-place!w",
        Operands::Custom(yq),
    ),
    Spec::new(
        &["fd", "fdfind"],
        "# H I u s i g F a l L p 0 1 q d= t= e= E= c= j= S= o= hidden no-ignore no-ignore-vcs no-ignore-parent unrestricted case-sensitive ignore-case glob regex fixed-strings absolute-path list-details follow full-path print0 max-results= quiet max-depth= min-depth= exact-depth= prune type= extension= exclude= color= threads= size= changed-within= changed-before= newer= older= owner= base-directory=m path-separator= search-path=m strip-cwd-prefix? one-file-system and= format= hyperlink? show-errors help version h V x!x exec!x X!x exec-batch!x ignore-file=r",
        Operands::Custom(fd),
    ),
];

fn grep(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let recursive = parsed.has(&["r", "R", "recursive", "dereference-recursive"])
        || parsed.value(&["d", "directories"]).is_some_and(|value| value.known() == Some("recurse"));
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

fn ag(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if parsed.has(&["f", "follow"]) {
        build.follows();
    }
    pattern(build, parsed, &["g"], true, true);
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
    for index in files {
        if let Some(word) = build.words.get(*index) {
            build.read(&word.value, recursive, word.span);
        }
    }
}

fn fd(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    for index in parsed.operands.iter().skip(1) {
        if let Some(word) = build.words.get(*index) {
            build.metadata(&word.value, word.span);
        }
    }
}

/// jq's options take one or two words that getopt does not know of, and programs can read the environment.
fn jq(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    // `--arg NAME VALUE` takes two words: the second stands among the operands.
    let mut skip: Vec<usize> = parsed
        .flags
        .iter()
        .filter(|flag| matches!(flag.name, "arg" | "argjson"))
        .map(|flag| flag.word + 2)
        .collect();
    let texts =
        parsed.flags.iter().find(|flag| matches!(flag.name, "args" | "jsonargs")).map(|flag| flag.word);
    let mut program = !parsed.has(&["f", "from-file"]);
    for index in &parsed.operands {
        if let Some(position) = skip.iter().position(|skipped| skipped == index) {
            skip.swap_remove(position);
            continue;
        }
        let Some(word) = build.words.get(*index) else { continue };
        if program {
            program = false;
            match word.value.known() {
                Some(text) if names_environment(text) => {
                    build.effect(crate::EffectKind::Environment);
                }
                Some(text) if text.contains("import") || text.contains("include") => {
                    build.opaque(word.span, "a jq program that loads modules".to_owned());
                }
                Some(_) => {}
                None => build.opaque(word.span, "a jq program that is not known".to_owned()),
            }
            continue;
        }
        if texts.is_some_and(|at| at < *index) {
            continue;
        }
        build.read(&word.value, false, word.span);
    }
}

/// Whether a jq program names `env` or `$ENV`; `.env` is a key.
pub(super) fn names_environment(program: &str) -> bool {
    program.match_indices("env").chain(program.match_indices("ENV")).any(|(at, name)| {
        let before = program.get(..at).unwrap_or_default();
        let after = program.get(at + name.len()..).unwrap_or_default();
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        let key = before.ends_with('.') && !before.ends_with("..");
        !(key || before.ends_with(inside) || after.starts_with(inside))
    })
}

/// yq expressions can load files and read the environment.
fn yq(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let mut operands = parsed.operands.as_slice();
    if let Some((first, rest)) = operands.split_first() {
        match build.word(*first) {
            Some("e" | "eval" | "ea" | "eval-all") => operands = rest,
            Some("shell-completion" | "completion") => return,
            _ => {}
        }
    }
    for (position, index) in operands.iter().enumerate() {
        let Some(word) = build.words.get(*index) else { continue };
        if position == 0 {
            match word.value.known() {
                // `eval` takes text for an expression; jq's own language loads modules.
                Some(text)
                    if ["load", "system", "eval", "import", "include"]
                        .iter()
                        .any(|name| text.contains(name)) =>
                {
                    build.hazard(*index);
                    build.opaque(word.span, "a yq expression that loads files or runs programs".to_owned());
                }
                Some(text) if text.contains("env") || text.contains("ENV") => {
                    build.effect(crate::EffectKind::Environment)
                }
                Some(_) => {}
                None => build.opaque(word.span, "a yq expression that is not known".to_owned()),
            }
        }
        // A single operand is the file when there is one of that name.
        if position > 0 || operands.len() == 1 {
            build.read(&word.value, false, word.span);
        }
    }
}
