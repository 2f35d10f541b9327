//! Interpreters: what they run is code that this analysis does not read, but rules may look at its words.

use super::{
    Build,
    flags::Slot,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, Value};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["python", "python3", "python2", "pypy", "pypy3"], "c= m= b B d E i I O q s S u v V W= X= x version help h", Operands::Custom(run)).stops(),
    Spec::new(&["perl"], "e= E= n p i? l? a F= w W t T c v M= m= I= 0? s S x? d? D? C? u U V? h f g", Operands::Custom(run)).stops(),
    Spec::new(&["ruby"], "e= n p i? l a F= w W? c v r= I= 0? s S x? d h K= T? U y C= version help verbose yjit jit", Operands::Custom(run)).stops(),
    Spec::new(&["node", "nodejs"], "e= p= eval= print= r= require= i c v h m version help check interactive import= loader= input-type= inspect? no-warnings", Operands::Custom(run)).stops(),
    Spec::new(&["php"], "r= R= B= E= f= i l m n s v w z= c= d= a h version", Operands::Custom(run)).stops(),
    Spec::new(&["lua", "luajit", "Rscript", "osascript", "tclsh", "guile", "julia"], "e= l= i v E W version help", Operands::Custom(run)).stops(),
    Spec::new(&["pwsh", "powershell", "cmd"], "c= C= Command= NoProfile", Operands::Custom(run)).stops(),
];

fn run(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let base = build.word(0).map(|text| text.rsplit('/').next().unwrap_or(text)).unwrap_or_default();
    // Shims of version managers obey the project: only the interpreters that have none commonly.
    let shimmed = matches!(base, "node" | "nodejs");
    let version = build.words.len() == 2 && parsed.has(&["version", "V", "v"]) && base != "perl";
    if version && !shimmed {
        build.restart();
        return;
    }
    for flag in &parsed.flags {
        if matches!(
            flag.name,
            "c" | "e" | "E" | "r" | "R" | "B" | "eval" | "print" | "p" | "m" | "M" | "require" | "import"
        ) {
            if let Some(code) = flag.value.and_then(Slot::known)
                && flag.name != "m"
            {
                build.code.push(code.to_owned());
            }
            if flag.value.is_some() {
                // The flag has to stand in an allow rule; the code behind it is there for a person to see.
                build.hazard(flag.word);
            }
        }
    }
    let reads_input = parsed.operands.is_empty()
        || build.operand(parsed, 0).is_some_and(|word| word.value.known() == Some("-"));
    if reads_input && let Some(text) = build.input_text() {
        build.code.push(text.to_owned());
    }
    let script = build.operand(parsed, 0).map_or(Value::Unknown, |word| word.value.clone());
    build.effect(EffectKind::Execute(script));
}
