//! Programs that read files or standard input and print (coreutils manual 3 to 9, util-linux).

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};

const HELP: &str = "help version";
const SUMS: &str = "b binary t text tag z zero l= length= c!o check!o ignore-missing quiet status strict w warn help version";

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["cat"], "A b e E n s t T u v show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting help version", Operands::Read).safe(),
    Spec::new(&["tac"], "b r s= before regex separator= help version", Operands::Read).safe(),
    Spec::new(&["rev"], "0 zero h V help version", Operands::Read).safe(),
    Spec::new(&["head"], "# c= bytes= n= lines= q quiet silent v verbose z zero-terminated help version", Operands::Read).safe(),
    Spec::new(&["tail"], "# c= bytes= n= lines= f F follow? pid= retry s= sleep-interval= max-unchanged-stats= q quiet silent v verbose z zero-terminated help version", Operands::Read).safe(),
    Spec::new(&["nl"], "b= d= f= h= i= l= n= p s= v= w= body-numbering= join-blank-lines= section-delimiter= footer-numbering= header-numbering= line-increment= number-format= no-renumber number-separator= starting-line-number= number-width= help version", Operands::Read).safe(),
    Spec::new(&["cut"], "b= c= d= f= n s z bytes= characters= delimiter= fields= complement only-delimited output-delimiter= zero-terminated help version", Operands::Read).safe(),
    Spec::new(&["tr"], "c C d s t complement delete squeeze-repeats truncate-set1 help version", Operands::Text).safe(),
    Spec::new(&["column"], "J t s= o= c= C= x N= R= T= H= O= E= e L n= l= W= d m p= r= i= h V table separator= output-separator= output-width= fillrows table-columns= table-column= table-columns-limit= table-right= table-truncate= table-hide= table-order= table-noextreme= table-header-repeat table-wrap= table-maxout json table-name= table-noheadings keep-empty-lines tree= tree-id= tree-parent= help version", Operands::Read).safe(),
    Spec::new(&["col"], "b f h p x l= no-backspaces fine tabs pass spaces lines= help version H V", Operands::None),
    Spec::new(&["colrm"], "help version h V", Operands::Text).safe(),
    Spec::new(&["look"], "a d f t= alternative alphanum ignore-case terminate= help version h V", Operands::Custom(look)),
    Spec::new(&["pr"], "# a c d D= e? f F h= i? J l= m n? N= o= r s? S? t T v w= W= pages= columns= across show-control-chars double-space date-format= expand-tabs? form-feed header= output-tabs? join-lines length= merge number-lines? first-line-number= indent= no-file-warnings separator? sep-string? omit-header omit-pagination show-nonprinting width= page-width= help version", Operands::Read).safe(),
    Spec::new(&["iconv"], "f= t= l c s from-code= to-code= list silent verbose byte-subst= unicode-subst= widechar-subst= help usage version V o=w output=w", Operands::Read),
    Spec::new(&["hexyl"], "n= l= c= length= bytes= s= skip= block-size= v no-squeezing color= border= p plain no-characters C characters P no-position o= display-offset= panels= g= group-size= endianness= b= base= terminal-width= print-color-table character-table= color-scheme= help h version V", Operands::Read),
    Spec::new(&["pv"], "p t e I r a b T A= f n q c W D= s= l 0 i= m= w= H= N= F= x= L= B= C O E Z= S Y K R=o d=o P=w X U=w progress timer eta fineta rate average-rate bytes buffer-percent last-written= format= numeric quiet cursor wait delay-start= size= line-mode null interval= average-rate-window= width= height= name= force rate-limit= buffer-size= no-splice skip-errors error-skip-block= stop-at-size sync direct-io discard remote=o watchfd=o pidfile=w store-and-forward=w help h version V", Operands::Read),
    Spec::new(&["bc"], "h i l q s w c v help interactive mathlib quiet standard warn version", Operands::Read),
    Spec::new(&["fold"], "b s w= # bytes spaces width= help version", Operands::Read).safe(),
    Spec::new(&["fmt"], "c p= s t u w= g= # crown-margin prefix= split-only tagged-paragraph uniform-spacing width= goal= help version", Operands::Read).safe(),
    Spec::new(&["paste"], "d= s z delimiters= serial zero-terminated help version", Operands::Read).safe(),
    Spec::new(&["expand", "unexpand"], "i t= a initial tabs= all first-only # help version", Operands::Read).safe(),
    Spec::new(&["wc"], "c m l L w bytes chars lines max-line-length words total= files0-from=r help version", Operands::Custom(wc)),
    Spec::new(&["comm"], "1 2 3 z i check-order nocheck-order output-delimiter= total zero-terminated help version", Operands::Read).safe(),
    Spec::new(&["join"], "1= 2= a= e= i j= o= t= v= z ignore-case check-order nocheck-order header zero-terminated help version", Operands::Read).safe(),
    Spec::new(&["tsort"], HELP, Operands::Read).safe(),
    Spec::new(&["uniq"], "c d D f= i s= u w= z count repeated all-repeated? skip-fields= group? ignore-case skip-chars= unique check-chars= zero-terminated help version", Operands::Custom(uniq)),
    Spec::new(&["sort"], "b d f g i M h n R r c C m s u V z k= t= S= ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse sort= version-sort check? merge stable unique zero-terminated key= field-separator= buffer-size= parallel= debug batch-size= random-source=r files0-from=o o=w output=w T=w temporary-directory=w compress-program=x help version", Operands::Read),
    Spec::new(&["shuf"], "e echo i= input-range= n= head-count= r repeat z zero-terminated random-source=r o=w output=w help version", Operands::Custom(shuf)),
    Spec::new(&["strings"], "# a d f h n= o t= e= s= T= U= v V w all data print-file-name bytes= radix= encoding= target= unicode= include-all-whitespace output-separator= help version", Operands::Custom(strings)),
    Spec::new(&["xxd"], "", Operands::Custom(xxd)).stops(),
    Spec::new(&["hexdump", "hd"], "b c C d o x n= s= v V h X e= L? color? canonical one-byte-octal one-byte-char two-bytes-decimal two-bytes-octal two-bytes-hex length= skip= no-squeezing format= f=r format-file=r help version", Operands::Read),
    Spec::new(&["od"], "A= j= N= S= t= v w? a b B c d D e f F h H i I l L o O s x X address-radix= endian= skip-bytes= read-bytes= strings? format= output-duplicates width? traditional help version", Operands::Read).safe(),
    Spec::new(&["base64", "base32", "basenc"], "d decode D i ignore-garbage w= wrap= base64 base64url base32 base32hex base16 base2msbf base2lsbf z85 help version", Operands::Read).safe(),
    Spec::new(&["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum"], SUMS, Operands::Read),
    Spec::new(&["shasum"], "a= algorithm= b binary t text U UNIVERSAL 0 01 tag h help v version q quiet s status strict w warn ignore-missing c!o check!o", Operands::Read),
    Spec::new(&["cksum"], "a= algorithm= l= length= raw base64 tag untagged z zero debug c!o check!o ignore-missing quiet status strict w warn help version", Operands::Read),
    Spec::new(&["sum"], "r s sysv help version", Operands::Read).safe(),
];

/// The first operand is a word, the second the list that is searched.
fn look(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if let Some(list) = build.operand(parsed, 1) {
        build.read(&list.value, false, list.span);
    }
}

/// `@FILE` stands for options and names in a file (binutils manual, Common Options); a name that is not known may begin
/// so.
fn strings(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    for index in 1..build.words.len() {
        if build.word(index).is_some_and(|text| text.starts_with('@')) {
            build.hazard(index);
            build.opaque(build.span_of(index), "options from a file");
        }
    }
    super::compilers::no_response_files(build, parsed);
    build.each(parsed, |build, value, span| build.read(value, false, span));
}

/// `--files0-from` reads whatever its list names.
fn wc(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if let Some(list) = parsed.value(&["files0-from"]) {
        build.read(&crate::Value::Unknown, false, list.span());
    }
    build.each(parsed, |build, value, span| build.read(value, false, span));
}

/// The second operand is written.
fn uniq(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if let Some(input) = build.operand(parsed, 0) {
        build.read(&input.value, false, input.span);
    }
    if let (Some(output), Some(index)) = (build.operand(parsed, 1), parsed.operands.get(1)) {
        build.hazard(*index);
        build.write(&output.value, output.span);
    }
    splitting(build, parsed);
}

/// xxd's options that stand alone; it reads no bundles, and looks at the first letters only (xxd(1)).
const XXD_PLAIN: &[&str] = &[
    "-a",
    "-autoskip",
    "-b",
    "-bits",
    "-C",
    "-capitalize",
    "-d",
    "-e",
    "-E",
    "-EBCDIC",
    "-i",
    "-include",
    "-p",
    "-ps",
    "-plain",
    "-postscript",
    "-u",
    "-uppercase",
    "-v",
    "-version",
    "-h",
    "-help",
];

/// xxd's options with a value, glued on or in the next word.
const XXD_VALUE: &[&str] = &["-c", "-g", "-l", "-o", "-s", "-n", "-R"];

/// `xxd IN OUT` writes, `-r` rebuilds a file.
fn xxd(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let words = build.words;
    let mut index = 1;
    let mut operands = 0;
    let mut options = true;
    while let Some(word) = words.get(index) {
        let here = index;
        index += 1;
        match word.value.known() {
            Some("--") if options => options = false,
            Some(text) if options && text.starts_with('-') && text.len() > 1 => {
                let short = if text.starts_with("--") { text.get(1..).unwrap_or_default() } else { text };
                let value = short.get(..2).filter(|flag| XXD_VALUE.contains(flag));
                let number = |rest: &str| {
                    rest.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'x' | b'+' | b'-'))
                };
                if XXD_PLAIN.contains(&short) {
                    continue;
                }
                match value {
                    Some(flag)
                        if short == flag
                            || matches!(
                                short,
                                "-cols" | "-groupsize" | "-len" | "-seek" | "-name" | "-offset"
                            ) =>
                    {
                        if let Some(value) = words.get(index).filter(|value| value.splits) {
                            build.opaque(value.span, "a value that may be several words");
                        }
                        index += 1;
                    }
                    Some(_) if short.get(2..).is_some_and(number) => {}
                    _ => {
                        build.hazard(here);
                        build.opaque(word.span, format!("`{text}` is an option that is not known"));
                    }
                }
            }
            _ => {
                options = false;
                operands += 1;
                if word.splits && word.value.known().is_none() {
                    build.opaque(word.span, "an operand may be an output file");
                }
                if operands == 1 {
                    build.read(&word.value, false, word.span);
                } else {
                    build.hazard(here);
                    build.write(&word.value, word.span);
                }
            }
        }
    }
}

/// One word that may be several may be an output file.
fn splitting(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let splits = parsed.operands.iter().any(|index| build.words.get(*index).is_some_and(|word| word.splits));
    if splits {
        build.effect(crate::EffectKind::Opaque("an operand may be an output file".into()));
    }
}

fn shuf(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if !parsed.has(&["e", "echo"]) {
        build.each(parsed, |build, value, span| build.read(value, false, span));
    }
}
