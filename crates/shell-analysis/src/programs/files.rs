//! Programs that look at names and attributes, or at one file's kind.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["ls", "dir", "vdir"], "# a A b B c C d D f F g G h H i k l L m n N o p q Q r R s S t u U v x X Z 1 I= w= T= all almost-all author escape block-size= ignore-backups color? colour? directory dired classify? file-type format= full-time group-directories-first no-group human-readable si dereference-command-line dereference-command-line-symlink-to-dir hide= hyperlink? indicator-style= inode ignore= kibibytes dereference numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= context zero help version", Operands::Metadata).safe(),
    Spec::new(&["exa", "eza"], "1 l G x R T L= a d r s= D f F h H i m S t= u U x @ b B g n long oneline grid across recurse tree level= all list-dirs reverse sort= group-directories-first only-dirs only-files binary bytes group header inode links modified accessed created changed blocks time= time-style= no-permissions no-filesize no-user no-time icons? git git-ignore color? colour? color-scale? extended classify? I= ignore-glob= help version", Operands::Metadata),
    Spec::new(&["stat"], "L f c= t x s n F Z dereference file-system cached= format= printf= terse help version", Operands::Metadata).safe(),
    Spec::new(&["file"], "b i k l L h N n p!w r s 0 c d E v F= e= P= brief mime mime-type mime-encoding keep-going dereference no-dereference no-pad no-buffer preserve-date!w raw special-files print0 separator= exclude= exclude-quiet= checking-printout debug list extension apple version help parameter= f=o files-from=o m=o magic-file=o C!w compile!w z!x uncompress!x Z!x uncompress-noreport!x S!o no-sandbox!o", Operands::Read),
    Spec::new(&["du"], "# 0 a A b B= c d= D h H k l L m P s S t= x X=r all apparent-size block-size= bytes total max-depth= dereference dereference-args human-readable inodes count-links no-dereference separate-dirs si summarize threshold= time? time-style= exclude-from=r exclude= one-file-system null files0-from=r help version", Operands::Metadata),
    Spec::new(&["df"], "a B= F= h H i k l m P t= T x= v all block-size= human-readable si inodes local no-sync output? portability sync total type= print-type exclude-type= help version", Operands::Metadata).safe(),
    Spec::new(&["basename"], "a s= z multiple suffix= zero help version", Operands::Text).safe(),
    Spec::new(&["dirname"], "z zero help version", Operands::Text).safe(),
    Spec::new(&["realpath", "grealpath"], "e m L P q s z canonicalize-existing canonicalize-missing logical physical quiet relative-to=m relative-base=m strip no-symlinks zero help version", Operands::Metadata).safe(),
    Spec::new(&["readlink", "greadlink"], "f e m n q s v z canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero help version", Operands::Metadata).safe(),
    Spec::new(&["tree"], "# a d f i l x p u g s h D F q N Q r t c U v n C A S J X L:d I: P: H: T: R!w ignore-case matchdirs metafirst prune info noreport charset= filelimit= si timefmt= device inodes gitignore gitfile=r infofile=r fflinks opt-toggle dirsfirst filesfirst sort= du hintro=r houtro=r nolinks help version fromfile!o fromtabfile!o o:w output=w", Operands::Metadata),
    Spec::new(&["pathchk"], "p P portability help version", Operands::Metadata).safe(),
    Spec::new(&["getfacl"], "a d c e E s R L P t n x p v h access default omit-header all-effective no-effective skip-base recursive logical physical tabular numeric one-file-system absolute-names version help", Operands::Metadata),
    Spec::new(&["namei"], "x m o l n v h V Z mountpoints modes owners long nosymlinks vertical context help version", Operands::Metadata).safe(),
    Spec::new(&["mountpoint"], "q d x h V quiet nofollow fs-devno devno help version", Operands::Metadata).safe(),
    Spec::new(&["fincore"], "J json b bytes n noheadings o= output= r raw h help V version", Operands::Metadata).safe(),
    Spec::new(&["lsd"], "a A F l L R d h s t S X G v U r i g 1 I= all almost-all classify long oneline recursive human-readable tree depth= directory-only permission= size= total-size date= timesort sizesort extensionsort gitsort versionsort sort= no-sort reverse group-dirs= group-directories-first blocks= classic no-symlink ignore-glob= inode git dereference context hyperlink= header truncate-owner-after= truncate-owner-marker= color= icon= icon-theme= literal help version V", Operands::Metadata),
    Spec::new(&["dust"], "# d= n= p L x s r b B F f c X= D i e= v= t w= H j P h V depth= number-of-lines= full-paths dereference-links limit-filesystem apparent-size reverse no-percent-bars bars-on-right only-file filecount no-colors force-colors ignore-directory= only-dir ignore_hidden filter= invert-filter= file_types terminal_width= output-format= output-json skip-total no-progress min-size= help version", Operands::Metadata),
    Spec::new(&["duf"], "all hide= hide-fs= hide-mp= inodes json only= only-fs= only-mp= output= sort= style= theme= avail-threshold= usage-threshold= warnings width= version help h", Operands::Metadata),
    Spec::new(&["bat", "batcat"], "A p n r= H= l= m= L P u d f S s h V show-all plain line-range= highlight-line= language= file-name= diff diff-context= tabs= wrap= chop-long-lines terminal-width= number color= italic-text= decorations= force-colorization paging= no-paging map-syntax= ignored-suffix= theme= theme-light= theme-dark= list-themes squeeze-blank squeeze-limit= strip-ansi= style= list-languages unbuffered binary= nonprintable-notation= completion= diagnostic acknowledgements help version pager=x", Operands::Custom(bat)),
    Spec::new(&["tokei"], "f C e= l n= s= r= t= c= V v h i=r input=r files compact columns= exclude= hidden languages no-ignore no-ignore-parent no-ignore-dot no-ignore-vcs num-format= streaming= sort= rsort= types= verbose version help", Operands::ReadBelow),
    Spec::new(&["cloc"], "by-file by-file-by-lang by-percent= csv csv-delimiter= json yaml md xml quiet hide-rate exclude-dir= exclude-ext= exclude-lang= exclude-content= include-ext= include-lang= include-content= fullpath match-d= match-f= not-match-d= not-match-f= skip-uniqueness sum-one timeout= diff-timeout= processes= progress-rate= v? verbose? version help unicode show-ext? show-lang? show-os max-file-size= docstring-as-code no-recurse no-autogen? force-lang= script-lang= lang-no-ext= read-binary-files stat summary-cutoff= follow-links!o vcs=o git!x config=o list-file=o exclude-list-file=r out=w report-file=w ignored=w counted=w found=w categorized=w strip-comments=w extract-with=x", Operands::ReadBelow),
    Spec::new(&["scc"], "a c d f= i= l n= o=w p s= v w x= z h by-file uloc ci cocomo-project-type= count-as= currency-symbol= debug eaf= exclude-dir= exclude-ext= exclude-file= format= include-ext= languages output=w format-multi=o large-byte-count= large-line-count= avg-wage= binary character gen min no-cocomo no-complexity no-duplicates no-gen no-ignore no-gitignore no-hborder no-large no-min no-scc-ignore no-size not-match= overhead= percent remap-all= remap-unknown= size-unit= sloccount-format sort= trace verbose version wide help", Operands::ReadBelow),
];

/// `bat cache --build` writes.
fn bat(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if build.word(1) == Some("cache") {
        let span = build.span_of(1);
        build.hazard(1);
        build.opaque(span, "`bat cache` changes its cache");
    }
    build.each(parsed, |build, value, span| build.read(value, false, span));
}
