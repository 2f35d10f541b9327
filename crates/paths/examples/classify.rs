//! Says what is special about paths: `cargo run --example classify -- .env .git/config src/../a.rs`.

use portcullis_paths::{OsResolver, SensitivePaths, Table, critical, three_paths};

fn main() {
    // An example may ask the process; the library is given these.
    let home = std::env::var("HOME").ok();
    let cwd = std::env::current_dir().ok().and_then(|path| path.to_str().map(str::to_owned));
    let Some(cwd) = cwd else {
        eprintln!("the current directory has no name");
        std::process::exit(125);
    };
    let sensitive = SensitivePaths::standard(home.as_deref());
    for word in std::env::args().skip(1) {
        let paths = three_paths(&word, &cwd, Some(&OsResolver));
        println!("{word}");
        for path in paths.iter() {
            println!("  is {path}");
            for table in [Table::Secret, Table::Protected, Table::ReadOnly] {
                if sensitive.contains(table, path) {
                    println!("    {table:?}");
                }
            }
            if let Some(why) = critical(path, home.as_deref(), &cwd) {
                println!("    removing it would remove {}", why.as_str());
            }
        }
    }
}
