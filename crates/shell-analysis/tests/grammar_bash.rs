//! The real bash is the judge of what is accepted: `bash -n` reads each text and runs nothing.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use portcullis_shell_analysis::parse;
mod bash;
mod corpus;
mod walk;

#[test]
fn tmp_measure() {
    let n: usize = std::env::var("N").unwrap().parse().unwrap();
    let mut random = corpus::Random(5215);
    let texts: Vec<String> = if let Ok(f) = std::env::var("F") {
        std::fs::read_to_string(f).unwrap().split("\0").map(|s| s.to_owned()).collect()
    } else { (0..n).map(|_| random.text()).collect() };
    let answers = bash::check(&texts);
    let mut kinds = std::collections::BTreeMap::<String, Vec<String>>::new();
    let (mut acc, mut rej) = (0, 0);
    for (t, a) in texts.iter().zip(&answers) {
        let ok = *a != bash::Answer::Refuses;
        acc += usize::from(ok);
        match parse(t) {
            Ok(_) if !ok => println!("OVER-ACCEPT {t:?}"),
            Err(e) if ok => { rej += 1; kinds.entry(format!("{:?} {:?} {}", a, e.kind, e.message)).or_default().push(t.clone()); }
            _ => {}
        }
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|k| std::cmp::Reverse(k.1.len()));
    println!("texts {} accepted {acc} over-rejected {rej}", texts.len());
    for (k, t) in &kinds { 
        println!("{:5} {k}", t.len());
        let mut t = t.clone(); t.sort_by_key(String::len);
        for t in t.iter().take(std::env::var("SHOW").ok().and_then(|v| v.parse().ok()).unwrap_or(3)) { println!("          {t:?}"); }
    }
}
