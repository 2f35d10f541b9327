//! What is found is what comparing all rules finds.

use std::sync::Arc;

use crate::{
    Anchors, Conventions, Overview, RuleObject, RuleSet, RuleSource, RuleSpec, Rules, Scope, SourcedRule,
};

use super::*;

const LISTS: [ListKind; 3] = [ListKind::Deny, ListKind::Ask, ListKind::Allow];

fn compile(texts: &[String], conventions: &Conventions) -> RuleSet {
    let source = || RuleSource::of(Scope::Project);
    let list: Vec<SourcedRule> = texts.iter().map(|text| SourcedRule::text(text, source())).collect();
    let object = |text: &String| {
        let (pattern, regex) = match text.strip_prefix('^') {
            Some(_) => (None, Some(text.clone())),
            None => (Some(text.clone()), None),
        };
        let object = RuleObject { tools: vec!["Bash".to_owned()], pattern, regex };
        SourcedRule { spec: RuleSpec::Object(object), reason: None, source: source() }
    };
    let objects =
        ["*prod*", "*production*", "git *", "git push *", "*", "ab", "^x", "^y", "^x"].map(str::to_owned);
    let deny = list.iter().cloned().chain(objects.iter().map(object)).collect();
    let rules = Rules { deny, ask: list.clone(), allow: list, ..Rules::default() };
    let anchors = Anchors {
        project_root: "/repo".to_owned(),
        start_directory: "/repo".to_owned(),
        home: Some("/home/u".to_owned()),
        user_settings: None,
    };
    RuleSet::compile(Arc::new(rules), &anchors, conventions)
}

fn is_the_same_as_comparing_all(texts: &[String], conventions: &Conventions) {
    let set = compile(texts, conventions);
    let overview = Overview::new(&set);
    let all: Vec<RuleId> = LISTS.iter().flat_map(|list| set.ids(*list)).collect();
    for id in &all {
        let mut found: Vec<RuleId> = overview.wider(*id).collect();
        found.sort_unstable();
        let mut right: Vec<RuleId> =
            all.iter().copied().filter(|wide| wide != id && set.subsumes(*wide, *id)).collect();
        right.sort_unstable();
        let label = |id: &RuleId| set.rule(*id).map(SourcedRule::label);
        let names = |ids: &[RuleId]| ids.iter().map(|id| (id.list, label(id))).collect::<Vec<_>>();
        assert_eq!(names(&found), names(&right), "{:?}", label(id));
    }
}

#[test]
fn every_wider_rule_is_found() {
    let texts = [
        "*",
        "Bash",
        "Bash(git:*)",
        "Bash(git push:*)",
        "Bash(git push)",
        "Bash(git -C /x push)",
        "Bash(/bin/git:*)",
        "Bash(X=1 git push)",
        "Bash(git * --force)",
        "Bash(git push * --force)",
        "Bash(a && b)",
        "Bash(a && b:*)",
        "Read",
        "Read(**)",
        "Read(src/**)",
        "Read(src)",
        "Read(src/*/a.rs)",
        "Read(src/*.rs)",
        "Read(src/main.rs)",
        "Read(.env)",
        "Read(**/.env)",
        "Read(config/.env)",
        "Read(*.pem)",
        "Read(keys/*.pem)",
        "Read(**/*.pem)",
        "Read(**/dir/**)",
        "Read(a/dir/b)",
        "Read({a,b}/**)",
        "Read(b/c)",
        "Read(//etc/**)",
        "Read(//etc/x)",
        "Read(~/x)",
        "Edit(src/**)",
        "Write(src/x)",
        "Grep(src/a/**)",
        "Glob(src)",
        "Edit(/**)",
        "Read(*)",
        "Read(a*)",
        "Read(abc?)",
        "mcp__github",
        "mcp__github__*",
        "mcp__github__get_*",
        "mcp__github__get_issue",
        "mcp__x__y",
        "TodoWrite",
        "TodoWrite(x)",
        "Task",
        "Task(recall)",
        "Task(rec*)",
        "Task(re*)",
        "Skill(run *)",
        "Skill(run x)",
        "WebFetch",
        "WebFetch(domain:docs.rs)",
        "WebFetch(https://docs.rs/*)",
        "WebFetch(domain:*.docs.rs)",
    ]
    .map(str::to_owned);
    for conventions in [Conventions::letta(), Conventions::claude(), Conventions::portcullis()] {
        is_the_same_as_comparing_all(&texts, &conventions);
        let folding = Conventions { fold_case: true, ..conventions };
        is_the_same_as_comparing_all(&texts, &folding);
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
    #[test]
    fn nothing_is_missed(
        commands in proptest::collection::vec("Bash\\((git|/bin/git|rm)( (push|-C x|a|\\*)){0,2}(:\\*| \\*)?\\)", 0..6),
        paths in proptest::collection::vec(
            "(Read|Edit)\\((//|/|)(src|\\*\\*|\\*\\.rs|a\\*)(/(src|\\*\\*|\\*|abc\\*|x\\.rs|\\*\\.rs)){0,3}\\)",
            0..6,
        ),
    ) {
        let texts: Vec<String> = commands.into_iter().chain(paths).collect();
        is_the_same_as_comparing_all(&texts, &Conventions::letta());
    }
}
