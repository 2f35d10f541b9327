//! Other ways to write the same command. They are texts to be judged; nothing runs them.

use portcullis_shell_analysis::join_words;

/// How the command stands in a template.
const COMMAND: &str = "{command}";
/// Its program alone.
const PROGRAM: &str = "{program}";
/// Its program with something that the shell takes away again.
const BROKEN: &str = "{broken}";
/// Its arguments.
const REST: &str = "{rest}";
/// The command as one word in single quotes.
const QUOTED: &str = "{quoted}";
/// The command as an alias of git, in one word.
const ALIAS: &str = "{alias}";

/// Quoting, expansion, grouping, and other programs that run it.
const TEMPLATES: [&str; 60] = [
    // Quoting.
    "'{program}' {rest}",
    "\"{program}\" {rest}",
    "\\{program} {rest}",
    "{broken} {rest}",
    "$'{program}' {rest}",
    "{program}\t{rest}",
    "{program} \\\n {rest}",
    // Paths.
    "/usr/bin/{program} {rest}",
    "/usr/bin/../bin/{program} {rest}",
    // Expansion.
    "x={program}; $x {rest}",
    "x='{program}'; \"$x\" {rest}",
    "$(echo {program}) {rest}",
    "`echo {program}` {rest}",
    "${x:-{program}} {rest}",
    "x={quoted}; eval \"$x\"",
    "set -- {command}; \"$@\"",
    "a=({command}); \"${a[@]}\"",
    // Groups.
    "({command})",
    "{ {command}; }",
    "true && {command}",
    "false || {command}",
    "if true; then {command}; fi",
    "for i in 1; do {command}; done",
    "while {command}; do break; done",
    "case x in x) {command};; esac",
    "echo \"$({command})\"",
    "cat <({command})",
    "{command} &",
    "! {command}",
    "echo x | {command}",
    "[[ $({command}) ]]",
    "cat << END\n$({command})\nEND",
    // Names.
    "f() { {command}; }; f",
    "f() { \"$@\"; }; f {command}",
    "alias x={quoted}; x",
    "trap {quoted} EXIT",
    // Other commands that run it.
    "X=1 {command}",
    "env {command}",
    "env -S {quoted}",
    "command {command}",
    "exec {command}",
    "nohup {command}",
    "timeout 5 {command}",
    "nice -n 5 {command}",
    "setsid {command}",
    "stdbuf -o0 {command}",
    "sudo {command}",
    "xargs {command} < /dev/null",
    "find . -maxdepth 0 -exec {command} \\;",
    "flock lock {command}",
    "busybox {command}",
    // Code.
    "bash -c {quoted}",
    "sh -c {quoted}",
    "eval {quoted}",
    "bash <<< {quoted}",
    "sh << END\n{command}\nEND",
    "echo {quoted} | sh",
    ". <(echo {quoted})",
    "python3 -c \"import os; os.system('{command}')\"",
    "git -c {alias} x",
];

/// The command in other spellings.
pub(super) fn spellings(words: &[String]) -> Vec<String> {
    let Some((program, rest)) = words.split_first() else { return Vec::new() };
    let command = join_words(words);
    let quoted = join_words(&[&command]);
    let alias = join_words(&[format!("alias.x=!{command}")]);
    let mut letters = program.chars();
    let broken = format!("{}\"\"{}", letters.next().unwrap_or_default(), letters.as_str());
    let rest = join_words(rest);
    TEMPLATES
        .iter()
        .map(|template| {
            let text = template.replace(COMMAND, &command).replace(QUOTED, &quoted).replace(ALIAS, &alias);
            text.replace(PROGRAM, program).replace(BROKEN, &broken).replace(REST, &rest).trim_end().to_owned()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_template_is_filled_and_none_stands_twice() {
        let words = ["git", "push", "a b"].map(str::to_owned);
        let texts = spellings(&words);
        assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), TEMPLATES.len());
        for text in &texts {
            assert!(
                !["{program}", "{rest}", "{command}", "{quoted}", "{broken}", "{alias}"]
                    .iter()
                    .any(|t| text.contains(t))
            );
        }
        assert_eq!(texts[3], "g\"\"it push 'a b'");
        assert_eq!(texts[51], "bash -c \"git push 'a b'\"");
    }
}
