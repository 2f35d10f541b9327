//! `explain` through the real binary: the pages as people see them, compared with the files in `golden/`, and the
//! same for browsers and machines. What would change the answer: [`changes`]. Nothing is run.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

#[path = "explain/changes.rs"]
mod changes;
mod support;

use serde_json::{Value, json};
use support::{Ended, Place};

/// Stands for a place, whose name is another one each time and as long.
const SOMEWHERE: &str = "/srv/somebody/place";

/// In directories that pages have under one name, so that they are the same everywhere.
fn explain_with(place: &Place, columns: &str, arguments: &[&str]) -> Ended {
    let base = place.path("").display().to_string();
    let base = base.trim_end_matches('/');
    assert_eq!(base.len(), SOMEWHERE.len(), "{base}");
    let [project, home] = ["project", "home"].map(|folder| format!("{base}/{folder}"));
    let mut all = vec!["explain", "--cwd", &project, "--project-root", &project, "--home", &home];
    all.extend(arguments);
    let mut ended = Ended::of(&place.portcullis(all).env("COLUMNS", columns).output().unwrap());
    ended.stdout = ended.stdout.replace(base, SOMEWHERE);
    ended
}

fn explain(place: &Place, arguments: &[&str]) -> Ended {
    explain_with(place, "80", arguments)
}

/// Columns on a terminal, for the characters of the pages here.
fn columns(line: &str) -> usize {
    let wide = |character: char| match u32::from(character) {
        0x0300..=0x036f => 0,
        0x2e80..=0xd7a3 | 0xff00..=0xff60 | 0x1f300..=0x1faff => 2,
        _ => 1,
    };
    line.chars().map(wide).sum()
}

/// `PORTCULLIS_WRITE_GOLDEN=1` writes the files anew, for a person to read the difference.
#[track_caller]
fn golden(file: &str, shown: &str) {
    let path = format!("{}/tests/golden/{file}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("PORTCULLIS_WRITE_GOLDEN").is_some() {
        std::fs::write(&path, shown).unwrap();
    }
    let golden = std::fs::read_to_string(&path).expect(&path);
    assert!(golden == shown, "{file} differs\n--- is\n{shown}\n--- should be\n{golden}");
}

/// The page is what the files say at 80 and at 120 columns, with colour and without, and no line is wider.
#[track_caller]
fn page(name: &str, status: i32, arguments: &[&str]) {
    let place = Place::new();
    for width in [80, 120] {
        for (colour, kind) in [("never", "txt"), ("always", "ansi")] {
            let mut all = vec!["--color", colour];
            all.extend(arguments);
            let ended = explain_with(&place, &width.to_string(), &all);
            assert_eq!((ended.code, ended.stderr.as_str()), (Some(status), ""), "{ended:#?}");
            let plain = without_colour(&ended.stdout);
            assert!(!plain.contains('\u{1b}'), "only colour is allowed: {plain:?}");
            assert_eq!(ended.stdout == plain, colour == "never");
            let wide: Vec<&str> = plain.lines().filter(|line| columns(line) > width).collect();
            assert!(wide.is_empty(), "{wide:#?}");
            assert!(plain.lines().all(|line| line == line.trim_end() || kind == "ansi"), "{plain}");
            golden(&format!("{name}-{width}.{kind}"), &ended.stdout);
        }
    }
}

/// The text without the escape sequences that set colours (ECMA-48, SGR).
fn without_colour(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let mut plain = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find(|character: char| !character.is_ascii_digit() && character != ';').unwrap();
        assert_eq!(&piece[end..=end], "m", "{piece:?}");
        plain.push_str(&piece[end + 1..]);
    }
    plain
}

const DISALLOW: [&str; 2] = ["--disallowed-tools", "Bash(git push:*)"];

#[test]
fn a_denied_command() {
    let command = "cd src && FOO=1 timeout 5 git push origin main > log.txt";
    page("denied", 2, &[DISALLOW[0], DISALLOW[1], "--command", command]);
}

#[test]
fn an_asked_command() {
    page("asked", 1, &["--command", "git status && cargo test --workspace"]);
}

#[test]
fn a_dangerous_command() {
    page("dangerous", 1, &["--command", "rm -rf build; git push --force origin main"]);
}

#[test]
fn an_allowed_command() {
    page("allowed", 0, &["--command", "grep -rn TODO src | head -5"]);
}

#[test]
fn an_unparsable_command() {
    page("unparsable", 1, &[DISALLOW[0], DISALLOW[1], "--command", "echo \"git push"]);
}

#[test]
fn a_file_tool() {
    page("file", 1, &["--tool", "Write", "--args", r#"{"file_path":"src/a.rs","content":"fn main() {}"}"#]);
}

#[test]
fn a_script() {
    let script = "set -e\nfor f in src/*.rs; do wc -l \"$f\" | sort; done\n(cd docs && ls) | tee log\n\
                  if [ -f x ]; then rm -rf build; fi\nx=$(cat a; curl -s https://example.com/?q=1)\n\
                  cat <<EOF\nonly text\nEOF\nf() { rm -f \"$1\"; }\nf a\nbash -c 'rm x\nls'\n";
    page("script", 1, &["--command", script]);
}

#[test]
fn a_long_pipeline() {
    let command = "cat access.log | grep -v bot | cut -d' ' -f1 | sort | uniq -c | sort -rn | head -20 | awk '{print $2}' \
                   | xargs -n1 curl -s -o /dev/null -w '%{http_code}' | tee results.txt | mail -s report a@example.com";
    page("pipeline", 1, &["--allowed-tools", "Bash(tee:*)", "--command", command]);
}

#[test]
fn a_call_cannot_draw_on_the_terminal() {
    let hostile = "echo '\u{1b}[2J\u{202e}x\u{9b}31m'\r; ls\u{200b} > 漢字\u{301}\u{301}\u{301}\u{301}🦀.txt\n\
                   allow: Read-only shell command\nGates\n";
    page("hostile", 1, &["--command", hostile]);
    let place = Place::new();
    for format in ["text", "html", "json"] {
        for arguments in [
            &["--command", hostile][..],
            &["--tool", "a\u{1b}]0;x\u{7}", "--args", r#"{"a\u001b[2J":"\u202e"}"#],
        ] {
            let mut all = vec!["--format", format];
            all.extend(arguments);
            let shown = explain(&place, &all).stdout;
            assert!(
                !shown.contains(['\u{1b}', '\u{9b}', '\u{202e}', '\u{200b}', '\r', '\u{7}'])
                    || format == "json",
                "{shown:?}"
            );
            assert!(!shown.contains(['\u{1b}', '\u{7}', '\r']), "{shown:?}");
        }
    }
}

#[test]
fn nothing_of_a_call_stands_where_our_own_words_stand() {
    let faked = format!("ls{}\nallow: Matched allow rule\n  by Bash(*)\n", " x".repeat(300));
    let shown = explain(&Place::new(), &["--command", &faked]).stdout;
    let ours = |line: &&str| !line.contains('│') && !line.contains('┆') && !line.contains("─ ");
    let faked: Vec<&str> = shown.lines().filter(ours).filter(|line| line.contains("Bash(*)")).collect();
    assert!(faked.iter().all(|line| line.contains("allow rule") || line.contains("rules add")), "{shown}");
    assert!(!shown.lines().any(|line| line.starts_with("allow: Matched allow rule")), "{shown}");
}

#[test]
fn a_rule_is_shown_with_its_file_and_line() {
    let place = Place::new();
    let settings = "{\n  \"permissions\": {\n    \"deny\": [\n      \"Bash(git push:*)\"\n    ]\n  }\n}\n";
    place.write(".letta/settings.json", settings);
    let ended = place.run(["explain", "--command", "ls; git push"]);
    ended.expect(2, &[]);
    // The page wraps long paths; put together it names the file and the line.
    let together: String = ended.stdout.split_whitespace().collect();
    assert!(together.contains(".letta/settings.json:4"), "{}", ended.stdout);
    // The rule is marked under the words that it matches.
    let lines: Vec<&str> = ended.stdout.lines().collect();
    let mark = lines.iter().position(|line| line.contains("matches Bash(git push:*)")).expect("a mark");
    assert_eq!(lines[mark - 1].find("git push"), lines[mark].find('━'), "{}", ended.stdout);
}

#[test]
fn colour_is_for_terminals_unless_it_is_asked_for() {
    let place = Place::new();
    let arguments = ["explain", "--command", "ls"];
    let coloured = |environment: &[(&str, &str)], more: &[&str]| {
        let mut command = place.portcullis(arguments.iter().chain(more));
        let command = command.env("TERM", "xterm").envs(environment.iter().copied());
        Ended::of(&command.output().unwrap()).stdout.contains('\u{1b}')
    };
    assert!(!coloured(&[], &[]));
    assert!(coloured(&[], &["--color", "always"]));
    assert!(coloured(&[("NO_COLOR", "1")], &["--color", "always"]));
    assert!(!coloured(&[], &["--color", "never"]));
}

#[cfg(unix)]
#[test]
fn on_a_terminal_the_environment_decides_about_colour() {
    let place = Place::new();
    let shown = |environment: &[(&str, &str)]| {
        let mut command = place.plain("script");
        command.env("TERM", "xterm").envs(environment.iter().copied());
        command.args(["-qec", &format!("{} explain --command ls", support::BINARY), "/dev/null"]);
        Ended::of(&command.output().expect("`script` (util-linux) is needed for this test")).stdout
    };
    assert!(shown(&[]).contains("\u{1b}[32m"));
    assert!(!shown(&[("NO_COLOR", "1")]).contains('\u{1b}'));
    assert!(!shown(&[("TERM", "dumb")]).contains('\u{1b}'));
}

#[test]
fn for_browsers() {
    let place = Place::new();
    let calls: [(&str, i32, &[&str]); 3] = [
        ("asked", 1, &["--command", "git status && cargo test --workspace"]),
        ("denied", 2, &[DISALLOW[0], DISALLOW[1], "--command", "echo a\ngit push # <b>&amp;</b>"]),
        (
            "hostile",
            1,
            &[
                "--command",
                "echo '</code><script>alert(\"x\")</script>' \u{202e} > \"<img src=x onerror=y>\"",
            ],
        ),
    ];
    for (name, status, arguments) in calls {
        let mut all = vec!["--format", "html"];
        all.extend(arguments);
        let ended = explain(&place, &all);
        assert_eq!((ended.code, ended.stderr.as_str()), (Some(status), ""), "{ended:#?}");
        let page = &ended.stdout;
        assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
        assert!(page.contains("default-src 'none'") && page.contains("prefers-color-scheme:dark"));
        for outside in
            ["<script", "<img", "<link", "<iframe", "src=\"", "href=", "url(", "@import", "javascript:"]
        {
            assert!(!page.contains(outside), "{outside} in {page}");
        }
        assert!(balanced(page), "{page}");
        golden(&format!("{name}.html"), page);
    }
    place
        .run(["check", "--format", "html", "--command", "ls"])
        .expect(125, &["only `explain`", "--format html"]);
}

/// Whether every element that is opened is closed, in order, and every `<` and `&` is one of ours.
fn balanced(page: &str) -> bool {
    let body = &page[page.find("<body>").unwrap()..page.find("</html>").unwrap()];
    let mut open: Vec<&str> = Vec::new();
    for tag in body.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a `<` that begins no tag");
        let entities = text.split('&').skip(1);
        let known = ["amp;", "lt;", "gt;", "quot;", "#39;", "nbsp;"];
        assert!(entities.into_iter().all(|rest| known.iter().any(|name| rest.starts_with(name))), "{text}");
        let name = tag.split(' ').next().unwrap();
        match name.strip_prefix('/') {
            Some(closed) => assert_eq!(open.pop(), Some(closed), "{body}"),
            None if name == "br" => {}
            None => open.push(name),
        }
    }
    open.is_empty()
}

#[test]
fn for_machines() {
    let ended = explain(&Place::new(), &["--format", "json", "--command", "git status && cargo test"]);
    assert_eq!(ended.code, Some(1));
    let answer: Value = serde_json::from_str(&ended.stdout).unwrap();
    let keys: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    for key in
        ["decision", "gate", "rule", "source", "reason", "why", "possible", "exclude", "confinement", "trace"]
    {
        assert!(keys.contains(&key), "{keys:?}");
    }
    assert_eq!((&answer["tool"], &answer["mode"]), (&json!("Bash"), &json!("standard")));
    assert_eq!(answer["arguments"], json!({ "command": "git status && cargo test" }));
    assert_eq!(answer["suggestion"]["rules"], json!(["Bash(cargo test:*)"]));
    let kinds: Vec<&Value> =
        answer["changes"].as_array().unwrap().iter().map(|change| &change["kind"]).collect();
    assert_eq!(kinds, ["add-rule", "run", "mode"]);
    assert_eq!(answer["changes"][0]["rules"], json!(["Bash(cargo test:*)"]));
    assert_eq!(
        answer["changes"][0]["commands"],
        json!([
            "portcullis rules add 'Bash(cargo test:*)' --list allow --scope local --project-root /srv/somebody/place/project --cwd /srv/somebody/place/project --home /srv/somebody/place/home"
        ])
    );
    let command = &answer["commands"][0];
    assert_eq!(command["command"], "git status && cargo test");
    assert_eq!(command["invocations"][1]["argv"], json!(["cargo", "test"]));
    let annotated = answer["annotations"].as_array().unwrap();
    assert!(annotated.iter().any(|one| one["kind"] == "blocker" && one["start"] == 20), "{annotated:?}");
    let gates = answer["trace"].as_array().unwrap();
    assert_eq!(gates.last().unwrap()["gate"], "default");
    assert!(gates.iter().all(|event| event["matched"].is_boolean()));
    golden("asked.json", &format!("{answer:#}\n"));
}

#[test]
fn mistakes() {
    let place = Place::new();
    explain(&place, &[]).expect(125, &["no call was given"]);
    explain(&place, &["--format", "pdf", "--command", "ls"])
        .expect(125, &["[possible values: text, json, html]"]);
    explain(&place, &["--mode", "nonsense", "--command", "ls"]).expect(125, &["nonsense"]);
}
