use std::{
    collections::VecDeque,
    sync::{Arc, atomic::AtomicBool},
};

use serde_json::json;

use super::{Console, Key, converse};
use crate::{Answer, Offer, Outcome, Preview, PreviewParts, Question, Request, Why, terminal::Style};

struct Script {
    keys: VecDeque<Key>,
    lines: VecDeque<Option<String>>,
    written: String,
}

impl Console for Script {
    fn write(&mut self, text: &str) -> std::io::Result<()> {
        self.written.push_str(text);
        Ok(())
    }

    fn key(&mut self, closed: &dyn Fn() -> bool) -> std::io::Result<Key> {
        Ok(if closed() { Key::Closed } else { self.keys.pop_front().unwrap_or(Key::End) })
    }

    fn line(&mut self, _closed: &dyn Fn() -> bool) -> std::io::Result<Option<String>> {
        Ok(self.lines.pop_front().flatten())
    }
}

fn request(command: &str, offer: bool) -> Request {
    let preview = Preview::new(PreviewParts {
        tool: "Bash".into(),
        arguments: json!({ "command": command }),
        cwd: "/work".into(),
        mode: "standard".into(),
        confinement: None,
        widening: None,
        diff: None,
    });
    let why = Why { reason: "Default behavior for tool".into(), gate: "default".into(), ..Why::default() };
    let mut request = Request::new("s", preview, why);
    request.offer = offer.then(|| Offer {
        rules: vec!["Bash(make test:*)".into()],
        scope: portcullis_permissions::Scope::Local,
        file: ".letta/settings.local.json".into(),
    });
    request
}

fn talk(request: Request, keys: &[Key], lines: &[Option<&str>]) -> (Answer, String) {
    let question = Question::new(Arc::new(request), Box::new(|| ()), Arc::new(AtomicBool::new(false)));
    let mut script = Script {
        keys: keys.iter().copied().collect(),
        lines: lines.iter().map(|line| line.map(ToOwned::to_owned)).collect(),
        written: String::new(),
    };
    let answer = converse(&mut script, Style { colour: false }, &question).unwrap();
    (answer, script.written)
}

#[test]
fn y_allows_once_and_n_rejects() {
    assert_eq!(talk(request("make", true), &[Key::Char('y')], &[]).0, Answer::of(Outcome::AllowedOnce));
    assert_eq!(talk(request("make", true), &[Key::Char('n')], &[]).0, Answer::of(Outcome::Rejected));
}

#[test]
fn walking_away_is_no_answer() {
    for key in [Key::Interrupt, Key::End, Key::Closed] {
        assert_eq!(talk(request("make", true), &[key], &[]).0, Answer::of(Outcome::Cancelled));
        let keys = [Key::Char('a'), key];
        assert_eq!(talk(request("make", true), &keys, &[]).0, Answer::of(Outcome::Cancelled));
    }
    assert_eq!(talk(request("make", true), &[Key::Char('c')], &[None]).0, Answer::of(Outcome::Cancelled));
}

#[test]
fn always_shows_the_rule_and_its_file_and_needs_a_second_yes() {
    let (answer, written) = talk(request("make test", true), &[Key::Char('a'), Key::Char('y')], &[]);
    assert!(answer.always && answer.outcome == Outcome::AllowedOnce);
    assert!(
        written.contains("Bash(make test:*)") && written.contains(".letta/settings.local.json"),
        "{written}"
    );
    let keys = [Key::Char('a'), Key::Char('x'), Key::Char('n')];
    assert_eq!(talk(request("make test", true), &keys, &[]).0, Answer::of(Outcome::Rejected));
}

#[test]
fn without_an_offer_there_is_no_always() {
    let (answer, written) = talk(request("rm x", false), &[Key::Char('a'), Key::Char('n')], &[]);
    assert_eq!(answer, Answer::of(Outcome::Rejected));
    assert!(!written.contains("a always"), "{written}");
}

#[test]
fn a_comment_goes_back_with_the_no() {
    let (answer, _) = talk(request("make", true), &[Key::Char('c')], &[Some(" use ninja ")]);
    assert_eq!(answer.comment.as_deref(), Some("use ninja"));
    assert_eq!(answer.outcome, Outcome::Rejected);
}

#[test]
fn a_long_command_shows_its_tail_and_all_of_it_on_demand() {
    let command = (0..200).map(|n| format!("echo line{n}")).collect::<Vec<_>>().join("\n") + "\nrm -rf tail";
    let (_, written) = talk(request(&command, false), &[Key::Char('n')], &[]);
    assert!(written.contains("rm -rf tail") && written.contains("press v"), "{written}");
    assert!(!written.contains("line100"), "{written}");
    let (_, written) = talk(request(&command, false), &[Key::Char('v'), Key::Char('n')], &[]);
    assert!(written.contains("line100"), "{written}");
}

#[test]
fn no_line_is_wider_than_80_columns_and_no_escape_is_written_without_colour() {
    let command = format!("printf '{}' \u{1b}[31m | tee {}", "x".repeat(300), "y ".repeat(100));
    let (_, written) = talk(request(&command, true), &[Key::Char('e'), Key::Noise, Key::Char('n')], &[]);
    assert!(written.lines().all(|line| line.chars().count() <= 80), "{written}");
    assert!(!written.contains('\u{1b}'), "{written}");
}

#[test]
fn a_choice_takes_its_own_keys_and_nothing_else() {
    use super::super::choice::{Choice, choose};

    let lines = ["trust this?".to_owned(), format!("  \u{1b}[2J {}", "long ".repeat(30))];
    let choice =
        Choice { title: "a\u{1b}question", lines: &lines, keys: &[('y', "yes"), ('s', "this session")] };
    let ask = |keys: &[Key], closed: bool| {
        let mut script =
            Script { keys: keys.iter().copied().collect(), lines: VecDeque::new(), written: String::new() };
        let answer = choose(&mut script, Style { colour: false }, &choice, &|| closed).unwrap();
        (answer, script.written)
    };
    let (answer, written) = ask(&[Key::Noise, Key::Char('x'), Key::Char('S')], false);
    assert_eq!(answer, Some('s'));
    assert!(written.ends_with("y yes, s this session: this session\n"), "{written}");
    assert!(!written.contains('\u{1b}'), "nothing moves the cursor: {written:?}");
    assert!(written.lines().all(|line| line.chars().count() <= 80), "{written}");
    for keys in [&[Key::Interrupt][..], &[Key::Noise, Key::End], &[]] {
        assert_eq!(ask(keys, false).0, None);
    }
    assert_eq!(ask(&[Key::Char('y')], true).0, None, "nobody waits for it any more");
}
