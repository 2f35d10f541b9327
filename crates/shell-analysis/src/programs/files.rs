//! Programs that look at names and attributes, or at one file's kind.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["ls", "dir", "vdir"], "# a A b B c C d D f F g G h H i k l L m n N o p q Q r R s S t u U v x X Z 1 I= w= T= all almost-all author escape block-size= ignore-backups color? colour? directory dired classify? file-type format= full-time group-directories-first no-group human-readable si dereference-command-line dereference-command-line-symlink-to-dir hide= hyperlink? indicator-style= inode ignore= kibibytes dereference numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style= reverse recursive size sort= time= time-style= tabsize= width= context zero help version", Operands::Metadata).safe(),
    Spec::new(&["exa", "eza"], "1 l G x R T L= a d r s= D f F h H i m S t= u U x @ b B g n long oneline grid across recurse tree level= all list-dirs reverse sort= group-directories-first only-dirs only-files binary bytes group header inode links modified accessed created changed blocks time= time-style= no-permissions no-filesize no-user no-time icons? git git-ignore color? colour? color-scale? extended classify? I= ignore-glob= help version", Operands::Metadata),
    Spec::new(&["stat"], "L f c= t x s n F Z dereference file-system cached= format= printf= terse help version", Operands::Metadata).safe(),
    Spec::new(&["file"], "b i k L h N n p!w r s 0 d E v F= e= P= brief mime mime-type mime-encoding keep-going dereference no-dereference no-pad no-buffer preserve-date!w raw special-files print0 separator= exclude= extension apple version help parameter= f=o files-from=o m=o magic-file=o C!w compile!w z!x uncompress!x Z!x S!o no-sandbox!o", Operands::Read),
    Spec::new(&["du"], "# 0 a A b B= c d= D h H k l L m P s S t= x X=r all apparent-size block-size= bytes total max-depth= dereference dereference-args human-readable inodes count-links no-dereference separate-dirs si summarize threshold= time? time-style= exclude-from=r exclude= one-file-system null files0-from=r help version", Operands::Metadata),
    Spec::new(&["df"], "a B= h H i k l P t= T x= v all block-size= human-readable si inodes local no-sync output? portability sync total type= print-type exclude-type= help version", Operands::Metadata).safe(),
    Spec::new(&["basename"], "a s= z multiple suffix= zero help version", Operands::Text).safe(),
    Spec::new(&["dirname"], "z zero help version", Operands::Text).safe(),
    Spec::new(&["realpath", "grealpath"], "e m L P q s z canonicalize-existing canonicalize-missing logical physical quiet relative-to=m relative-base=m strip no-symlinks zero help version", Operands::Metadata).safe(),
    Spec::new(&["readlink", "greadlink"], "f e m n q s v z canonicalize canonicalize-existing canonicalize-missing no-newline quiet silent verbose zero help version", Operands::Metadata).safe(),
    Spec::new(&["tree"], "# a d f i l x p u g s h D F q N Q r t c U v n C A S J X L= I= P= H= T= ignore-case matchdirs metafirst prune info noreport charset= filelimit= si timefmt= device inodes gitignore gitfile=r dirsfirst filesfirst sort? du hintro=r houtro=r nolinks help version fromfile!o fromtabfile!o o=w output=w", Operands::Metadata),
    Spec::new(&["pathchk"], "p P portability help version", Operands::Metadata).safe(),
    Spec::new(&["getfacl"], "a d l R v V c e E n N p s t", Operands::Metadata),
    Spec::new(&["bat", "batcat"], "n A p r= H= l= P S tabs= wrap= w color= paging= style= plain number show-all line-range= highlight-line= language= file-name= theme= list-themes list-languages decorations= terminal-width= no-paging map-syntax= tabs= strip-ansi= nonprintable-notation= squeeze-blank s squeeze-limit= help version V h pager=x", Operands::Custom(bat)),
    Spec::new(&["tokei", "cloc", "scc"], "f t= s= e= files exclude= types= sort= languages by-file json yaml csv md no-cocomo w by-file-by-lang exclude-dir= include-ext= quiet hide-rate vcs=o help version V", Operands::ReadBelow),
];

/// `bat cache --build` writes.
fn bat(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if build.word(1) == Some("cache") {
        let span = build.span_of(1);
        build.hazard(1);
        build.opaque(span, "`bat cache` changes its cache".to_owned());
    }
    build.each(parsed, |build, value, span| build.read(value, false, span));
}
