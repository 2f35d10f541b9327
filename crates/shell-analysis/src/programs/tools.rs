//! Development tools: the few subcommands that only report. Wrappers and version managers run what a project
//! names (specification 4.5), so they count only where it names nothing: see [`super::project_overrides`].

use super::{
    Build,
    project_overrides::{self, Tool},
    spec::{Operands, Parsed, Spec},
};
use crate::EffectKind;

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["cargo"],
        "version V v verbose list q quiet help locked offline frozen format-version= no-deps features= all-features no-default-features manifest-path=r color= e= edges= i= invert= p= package= depth= prefix= d duplicates target= limit= L",
        Operands::Custom(cargo),
    ),
    Spec::new(
        &[
            "rustc",
            "go",
            "rustup",
            "java",
            "javac",
            "gcc",
            "g++",
            "clang",
            "cmake",
            "terraform",
            "mvn",
            "gradle",
            "yarn",
            "pnpm",
            "corepack",
            "asdf",
            "mise",
        ],
        "version V v verbose help",
        Operands::Custom(version),
    ),
    Spec::new(&["make", "gmake"], "", Operands::Custom(make)),
    Spec::new(
        &["npm"],
        "depth= a all json l long parseable p g global version v help omit= include= link package-lock-only",
        Operands::Custom(npm),
    ),
    Spec::new(
        &["pip", "pip3"],
        "f files v verbose q quiet format= l local user o outdated not-required exclude= include-editable exclude-editable e editable path=m version V help all disable-pip-version-check",
        Operands::Custom(pip),
    ),
    Spec::new(
        &["docker", "podman"],
        "a all q quiet f= filter= format= no-trunc n= last= l latest s size digests tree orphans services version v help D debug tail= since= until= timestamps t details follow",
        Operands::Custom(docker),
    ),
    Spec::new(
        &["kubectl", "oc"],
        "# n= namespace= o= output= A all-namespaces l= selector= w watch show-labels sort-by= field-selector= no-headers L= label-columns= ignore-not-found recursive api-version= client short c= container= tail= since= timestamps p previous context= chunk-size= show-kind help",
        Operands::Custom(kubectl),
    ),
];

/// The verbs in front of the first flag.
fn verbs<'b>(build: &Build<'b>, parsed: &Parsed<'_>) -> Vec<&'b str> {
    let words = build.words;
    parsed
        .operands
        .iter()
        .map(|index| words.get(*index).and_then(|word| word.value.known()).unwrap_or("\u{0}"))
        .collect()
}

/// Flags with which these programs run another one, or code from elsewhere. Their subcommands are not listed in
/// full, so an allow rule for a prefix has to be kept from covering them.
const EXECUTING: &[(&str, &[&str])] = &[
    ("go", &["exec", "toolexec", "vettool", "overlay", "modfile"]),
    ("cargo", &["config", "Z"]),
    ("npm", &["script-shell", "node-options", "prefix", "userconfig"]),
    ("pnpm", &["script-shell", "node-options", "dir", "C"]),
    ("yarn", &["script-shell", "cwd", "use-yarnrc"]),
    ("gradle", &["init-script", "I", "project-dir", "p"]),
    ("mvn", &["f", "file", "s", "settings", "gs"]),
    ("cmake", &["P", "E", "C"]),
    ("gcc", &["wrapper", "B", "specs", "fplugin"]),
    ("g++", &["wrapper", "B", "specs", "fplugin"]),
    ("rustc", &["C", "codegen"]),
];

/// Marks those flags.
fn executing_flags(build: &mut Build<'_>) {
    let base = build.word(0).map(|text| text.rsplit('/').next().unwrap_or(text)).unwrap_or_default();
    let Some((_, names)) = EXECUTING.iter().find(|(program, _)| *program == base) else { return };
    for index in 1..build.words.len() {
        let word = build.words.get(index).and_then(|word| word.value.known()).unwrap_or_default();
        let Some(flag) = word.strip_prefix('-').map(|rest| rest.trim_start_matches('-')) else { continue };
        if names.contains(&flag.split('=').next().unwrap_or(flag)) {
            build.hazard(index);
        }
    }
}

/// make runs what the project says; these words make it run something else (GNU make manual 9.5, 9.7).
fn make(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    const CHOOSING: &[&str] =
        &["SHELL=", ".SHELLFLAGS=", "MAKEFLAGS=", "MAKE=", "MAKEFILES=", "CC=", "CXX=", "LD="];
    build.restart();
    build.opaque(build.span_of(0), "`make` runs what the project says".to_owned());
    let outside = |path: &str| path.starts_with(['/', '~']) || path.split('/').any(|part| part == "..");
    for index in 1..build.words.len() {
        let text = build.word(index).unwrap_or_default();
        let choosing = CHOOSING.iter().any(|name| text.starts_with(name));
        let file = text.starts_with("--eval")
            || text.starts_with("--file")
            || text.starts_with("--makefile")
            || (text.starts_with("-f") || text.starts_with("-I") || text.starts_with("-E"));
        // `-C docs` stays in the project.
        let away = text.starts_with("--directory")
            || text == "-C" && build.word(index + 1).is_none_or(outside)
            || text.strip_prefix("-C").is_some_and(outside);
        if choosing || file || away {
            build.hazard(index);
        }
    }
}

/// Reports, with a program that the project may choose.
fn project_code(build: &mut Build<'_>) {
    let base = build.word(0).map(|text| text.rsplit('/').next().unwrap_or(text)).unwrap_or_default();
    project_overrides::project_code(build, Tool::of(base));
}

fn runs(build: &mut Build<'_>) {
    let span = build.span_of(1);
    build.opaque(span, "a subcommand that does more than report".to_owned());
}

fn version(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    executing_flags(build);
    match verbs(build, parsed).as_slice() {
        [] if parsed.has(&["version", "V", "v"]) => project_code(build),
        ["version"] => project_code(build),
        _ => runs(build),
    }
}

fn cargo(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    executing_flags(build);
    match verbs(build, parsed).as_slice() {
        [] if parsed.has(&["version", "V", "list"]) => project_code(build),
        ["version"] => project_code(build),
        ["search", ..] => {
            project_code(build);
            build.effect(EffectKind::Network(Some("crates.io".to_owned())));
        }
        ["metadata" | "tree" | "pkgid" | "locate-project" | "verify-project"] => project_code(build),
        _ => runs(build),
    }
}

fn npm(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    executing_flags(build);
    match verbs(build, parsed).as_slice() {
        // It writes a log, and `.npmrc` says where (`logs-dir`).
        ["ls" | "list" | "ll" | "la", ..] => project_code(build),
        [] if parsed.has(&["version", "v"]) => project_code(build),
        ["outdated", ..] => {
            project_code(build);
            build.effect(EffectKind::Network(Some("registry.npmjs.org".to_owned())));
        }
        _ => runs(build),
    }
}

fn pip(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    match verbs(build, parsed).as_slice() {
        ["list"] if parsed.has(&["o", "outdated"]) => {
            build.effect(EffectKind::Network(None));
        }
        ["list" | "freeze" | "check"] | ["show", ..] => {}
        [] if parsed.has(&["version", "V"]) => {}
        _ => runs(build),
    }
}

fn docker(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    match verbs(build, parsed).as_slice() {
        ["ps" | "images" | "version"] | ["image" | "container" | "volume" | "network", "ls"] => {}
        // There `-f` names a file, which may name more.
        ["compose", "ps"] if !parsed.has(&["f"]) => {}
        [] if parsed.has(&["version", "v"]) => {}
        _ => runs(build),
    }
}

/// Kinds of objects that hold no secrets.
const KINDS: &[&str] = &[
    "po",
    "pod",
    "pods",
    "svc",
    "service",
    "services",
    "deploy",
    "deployment",
    "deployments",
    "rs",
    "replicaset",
    "replicasets",
    "ds",
    "daemonset",
    "daemonsets",
    "sts",
    "statefulset",
    "statefulsets",
    "job",
    "jobs",
    "cj",
    "cronjob",
    "cronjobs",
    "no",
    "node",
    "nodes",
    "ns",
    "namespace",
    "namespaces",
    "ing",
    "ingress",
    "ingresses",
    "ev",
    "event",
    "events",
    "pv",
    "pvc",
    "ep",
    "endpoints",
    "hpa",
    "sa",
    "sc",
    "crd",
    "crds",
    "quota",
    "all",
    "networkpolicy",
    "networkpolicies",
];

fn kubectl(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let plain = |text: &str| {
        let format = text.split('=').next().unwrap_or(text);
        matches!(
            format,
            "json"
                | "yaml"
                | "wide"
                | "name"
                | "jsonpath"
                | "jsonpath-as-json"
                | "go-template"
                | "template"
                | "custom-columns"
        )
    };
    if parsed.value(&["o", "output"]).is_some_and(|slot| !slot.known().is_some_and(plain)) {
        build.effect(EffectKind::Opaque("an output format that may read a file".to_owned()));
    }
    let words = verbs(build, parsed);
    let kind_ok =
        |kind: &str| kind.split(',').all(|kind| KINDS.contains(&kind.split('/').next().unwrap_or_default()));
    match words.as_slice() {
        ["get" | "describe", kind, rest @ ..]
            if kind_ok(kind) && rest.iter().all(|name| !name.contains('/') || kind_ok(name)) =>
        {
            build.effect(EffectKind::Network(Some("the cluster".to_owned())));
        }
        ["explain", _] | ["version" | "api-resources" | "api-versions" | "cluster-info"] => {
            build.effect(EffectKind::Network(Some("the cluster".to_owned())));
        }
        _ => runs(build),
    }
}
