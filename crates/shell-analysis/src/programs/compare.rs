//! Programs that compare files.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["diff", "gdiff"],
        "# a b B c C= d D= e E F= H i I= l L= n N p P q r s S= S t T u U= v w W= x= X=r y Z text ignore-space-change ignore-blank-lines brief context? unified? color? palette= ed expand-tabs exclude= exclude-from=r from-file=r to-file=r horizon-lines= ifdef= ignore-all-space ignore-case ignore-file-name-case ignore-matching-lines= ignore-tab-expansion ignore-trailing-space initial-tab label= left-column line-format= minimal new-file new-group-format= no-dereference no-ignore-file-name-case normal old-group-format= old-line-format= new-line-format= unchanged-line-format= changed-group-format= paginate!x l!x rcs recursive report-identical-files show-c-function show-function-line= side-by-side speed-large-files starting-file= strip-trailing-cr suppress-common-lines suppress-blank-empty tabsize= unchanged-group-format= unidirectional-new-file width= help version",
        Operands::Custom(diff),
    ),
    Spec::new(
        &["cmp"],
        "b c i= l n= s v print-bytes ignore-initial= verbose bytes= quiet silent help version",
        Operands::Read,
    )
    .safe(),
    Spec::new(
        &["diff3"],
        "A e E x X 3 i m a T L= v show-all ed show-overlap overlap-only easy-only merge text initial-tab label= strip-trailing-cr help version diff-program=x",
        Operands::Read,
    ),
    Spec::new(
        &["sdiff"],
        "i E Z b W B I= w= l s a t d H v ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= strip-trailing-cr text width= left-column suppress-common-lines expand-tabs tabsize= minimal speed-large-files help version diff-program=x o=w output=w",
        Operands::Read,
    ),
    Spec::new(
        &["delta"],
        "n s line-numbers side-by-side paging=o width= w= light dark navigate color-only diff-so-fancy diff-highlight help version V pager=x",
        // Two operands are compared by git, under the configuration of the repository.
        Operands::None,
    ),
];

/// Of two directories it compares what they hold, links followed (diffutils manual 11).
fn diff(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    build.operands(Operands::ReadBelow, parsed);
    if !parsed.has(&["no-dereference"]) {
        build.follows_in_directories();
    }
}
