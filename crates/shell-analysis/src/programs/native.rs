//! Build systems for native code, which run what the project says (GNU make manual; `--help` of cmake, ctest, ninja,
//! meson; the manuals of bazel, just and task).

use super::{
    Build,
    project_overrides::Tool,
    spec::{Operands, Parsed, Spec},
    subcommands::{Does, EXECUTES, Program, REPORTS, verb},
};
use crate::{EffectKind, Value, runner_variables};
use Operands::{None as Nothing, Text};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["make", "gmake", "bmake"], "", Operands::Custom(make)),
    Spec::verbs(&["cmake"], &CMAKE),
    Spec::verbs(&["ctest", "cpack"], &CTEST),
    Spec::verbs(&["ninja", "samu"], &NINJA),
    Spec::verbs(&["meson"], &MESON),
    Spec::verbs(&["bazel", "bazelisk"], &BAZEL),
    Spec::verbs(&["just", "task"], &JUST),
    Spec::verbs(
        &[
            "autoconf",
            "automake",
            "autoreconf",
            "libtool",
            "scons",
            "waf",
            "xmake",
            "premake5",
            "buck2",
            "pants",
            "please",
        ],
        &OTHER,
    ),
    Spec::verbs(&["protoc", "buf"], &PROTOC),
    Spec::verbs(&["pkg-config", "pkgconf"], &PKG_CONFIG),
    Spec::verbs(&["zig"], &ZIG),
    Spec::verbs(&["swift"], &SWIFT),
];

/// make runs what the project says; these words make it run something else (GNU make manual 9.5, 9.7).
fn make(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    if build.words.len() == 2 && matches!(build.word(1), Some("--version" | "-v" | "--help" | "-h")) {
        return;
    }
    build.opaque(build.span_of(0), "`make` runs what the project says");
    let outside = |path: &str| path.starts_with(['/', '~']) || path.split('/').any(|part| part == "..");
    for index in 1..build.words.len() {
        let text = build.word(index).unwrap_or_default();
        let choosing = !text.starts_with('-') && chooses(text);
        let long = text.strip_prefix("--").map(|long| long.split('=').next().unwrap_or_default());
        // Any beginning of a name stands for it.
        let is_long = |names: &[&str]| {
            long.is_some_and(|long| !long.is_empty() && names.iter().any(|name| name.starts_with(long)))
        };
        let file = is_long(&["eval", "file", "makefile", "include-dir", "environment-overrides"])
            || (text.starts_with("-f") || text.starts_with("-I") || text.starts_with("-E"));
        // `-C docs` stays in the project, unless it is a link; letters before it may take no value.
        let leads = |path: &str| outside(path) || !build.stays(&Value::Known(path.into()));
        let cluster = text.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or_default();
        let away = is_long(&["directory"])
            || cluster.split_once('C').is_some_and(|(_, glued)| match glued {
                "" => build.word(index + 1).is_none_or(leads),
                glued => leads(glued),
            });
        if choosing || file || away {
            build.hazard(index);
        }
    }
}

/// A variable that makes make, or what it runs, take other programs; `NAME!=TEXT` runs the text (GNU make manual 6.5, 9.5).
fn chooses(word: &str) -> bool {
    const CHOOSING: &[&str] = &[
        "SHELL",
        ".SHELLFLAGS",
        "MAKEFLAGS",
        "GNUMAKEFLAGS",
        "MAKE",
        "MAKEFILES",
        "CC",
        "CXX",
        "LD",
        "AR",
        "AS",
    ];
    let Some((name, _)) = word.split_once('=') else { return false };
    let bare = name.trim_end_matches([':', '?', '+', '!']).trim();
    name.trim_end().ends_with('!') || CHOOSING.contains(&bare) || runner_variables::variable(bare).is_some()
}

static CMAKE: Program = Program::new(
    "S=g B=P C=x D= U= G= T= A= toolchain=x install-prefix=P preset= list-presets? E!x fresh build=P install=g open=x N P=x find-package!x graphviz=w log-level= log-context \
     debug-output trace trace-expand trace-format= trace-source= trace-redirect=w warn-uninitialized no-warn-unused-cli compile-no-warning-as-error profiling-format= \
     profiling-output=w j? parallel? t= target= config= clean-first use-stderr v verbose prefix=P component= strip workflow resolve-package-references= LAH L LA LH h help",
    &[
        verb("", "version system-information", Nothing, &[Does::Unless(&["version"], EXECUTES)]),
        verb(
            "*",
            "",
            Text,
            &[
                Does::Execute,
                // `-E tar xf`, `-E copy` and others.
                Does::If(&["E"], &[Does::Write("**/*")]),
                Does::Unless(
                    &["B", "build", "install"],
                    &[Does::Write("CMakeCache.txt"), Does::Below("CMakeFiles")],
                ),
            ],
        ),
    ],
);

static CTEST: Program = Program::new(
    "preset= list-presets C= build-config= progress V verbose VV extra-verbose debug output-on-failure stop-on-failure F j? parallel? Q quiet O=p output-log=p output-junit=p N \
     show-only? L= label-regex= R= tests-regex= E= exclude-regex= LE= FA= FS= FC= D=x M= T= S=x SP=x I= U union rerun-failed repeat= test-dir=g timeout= stop-time= no-tests= \
     schedule-random print-labels no-compress-output max-width= no-label-summary h help G= P= config= B=P",
    &[verb("", "version", Nothing, &[Does::Unless(&["version"], EXECUTES)]), verb("*", "", Text, EXECUTES)],
);

static NINJA: Program = Program::new(
    "v verbose quiet C=g f=x j= k= l= n d= t= w= h help",
    &[verb("", "version", Nothing, &[Does::Unless(&["version"], EXECUTES)]), verb("*", "", Text, EXECUTES)],
);

static MESON: Program = Program::new(
    "h help C=g",
    &[
        verb("", "v version", Nothing, REPORTS),
        verb("help", "", Text, REPORTS),
        verb(
            "introspect",
            "ast benchmarks buildoptions buildsystem-files dependencies scan-dependencies installed install-plan projectinfo targets tests backend= a all i indent f force-object-output",
            Operands::ReadBelow,
            REPORTS,
        ),
        verb(
            "configure",
            "D= clearcache no-pager U=",
            Operands::ReadBelow,
            // What it reads of a build directory are pickles, which are code.
            &[Does::Trusted, Does::If(&["D", "clearcache", "U"], &[Does::Execute])],
        ),
        verb(
            "setup",
            "prefix= bindir= libdir= datadir= includedir= buildtype= default-library= backend= optimization= warnlevel= werror wrap-mode= D= native-file=x cross-file=x reconfigure wipe \
             v fatal-meson-warnings unity= strip debug prefer-static sysconfdir= localstatedir= mandir=",
            Operands::WriteBelow,
            EXECUTES,
        ),
        verb(
            "compile|test|install|dist|init|subprojects|wrap|devenv|env2mfile|rewrite|format|fmt|*",
            "clean j= jobs= v verbose q quiet list suite= no-suite= no-rebuild repeat= t= timeout-multiplier= print-errorlogs wrapper=x gdb destdir=P num-processes=",
            Text,
            EXECUTES,
        ),
    ],
);

/// The workspace's own configuration may wrap every command.
static BAZEL: Program = Program::new(
    "bazelrc=x output_base=P output_user_root=P host_jvm_args=x nohome_rc nosystem_rc noworkspace_rc",
    &[
        verb("version", "gnu_format", Nothing, EXECUTES),
        verb("build|test|run|query|cquery|aquery|info|mod|fetch|sync|vendor|clean|shutdown|coverage|dump|help|analyze-profile|mobile-install|*", "", Text, EXECUTES).stops(),
    ],
)
.no_help();

/// Listing evaluates the file, which may run commands in backticks.
static JUST: Program = Program::new(
    "f=g justfile=g t=g taskfile=g d=g working-directory=g dir=g g global q quiet v verbose n dry-run dry y yes unstable color= no-color set= shell=x shell-arg=x no-deps \
     clear-shell-args dotenv-path=r dotenv-filename= no-dotenv chooser=x command-color= highlight tempdir=P list-heading= list-prefix= s silent p parallel status force",
    &[
        verb("", "V version h help l list summary dump evaluate choose e!x edit!x variables show= fmt!w init!w a list-all json J sort= groups check", Nothing, &[Does::Unless(&["V", "version", "h", "help"], EXECUTES)]),
        verb("*", "l list summary show= evaluate usage= c=x command=x", Text, EXECUTES).stops(),
    ],
)
.no_help();

static OTHER: Program = Program::new(
    "h help",
    &[
        // Some read the project's own build file, or a file that chooses their version, before anything else.
        verb("", "V version", Nothing, &[Does::Unless(&["V", "version"], EXECUTES), Does::Trusted]),
        verb("*", "", Text, EXECUTES).stops(),
    ],
);

/// Plugins are programs; `@FILE` holds more arguments.
static PROTOC: Program = Program::new(
    "I=R proto_path=R cpp_out=P java_out=P python_out=P pyi_out=P go_out=P go-grpc_out=P csharp_out=P js_out=P kotlin_out=P objc_out=P php_out=P ruby_out=P rust_out=P ts_out=P \
     grpc_out=P plugin=x o=p descriptor_set_out=p descriptor_set_in=r dependency_out=p include_imports include_source_info encode= decode= decode_raw print_free_field_numbers \
     error_format= fatal_warnings experimental_allow_proto3_optional go_opt= go-grpc_opt= python_opt= ts_opt= enable_codegen_trace deterministic_output config=x path= \
     exclude-path= error-format= against=n against-config=x template=x w write d diff debug v verbose h help",
    &[
        verb("", "version", Nothing, REPORTS),
        verb(
            "lint|breaking|ls-files|export|build|dep|mod|registry|push|curl|generate|beta|config|plugin",
            "output=P",
            Text,
            &[Does::Execute, Does::Network],
        ),
        verb(
            "format",
            "exit-code output=P",
            Operands::Custom(inputs),
            &[Does::If(&["w", "write"], &[Does::On(Operands::ChangeBelow)])],
        ),
        verb("*", "", Operands::Custom(sources), EXECUTES),
    ],
);

/// buf's inputs may be modules of a registry, archives and repositories, fetched and opened (buf.build, "Inputs"); what
/// has neither a dot in its first part nor marks of those is here.
fn inputs(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if parsed.operands.is_empty() {
        build.read_here();
    }
    build.each(parsed, |build, value, span| {
        let local = value.known().is_some_and(|text| {
            let first = text.trim_start_matches("./").split('/').next().unwrap_or_default();
            let file = text.ends_with(".proto");
            !text.contains(['#', ':', '@'])
                && !text.ends_with(".git")
                && (matches!(first, "" | "." | "..") || !first.contains('.') || file && !text.contains('/'))
        });
        build.read(value, true, span);
        if !local {
            build.push(EffectKind::Network(None), span);
            build.opaque(span, "an input that may be fetched");
        }
    });
}

fn sources(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    super::compilers::no_response_files(build, parsed);
    build.operands(Operands::Read, parsed);
}

static PKG_CONFIG: Program = Program::new(
    "modversion cflags libs static exists print-errors short-errors silence-errors list-all list-package-names variable= print-variables print-provides print-requires \
     print-requires-private atleast-version= exact-version= max-version= atleast-pkgconfig-version= libs-only-l libs-only-L libs-only-other cflags-only-I cflags-only-other \
     uninstalled errors-to-stdout debug define-variable= keep-system-cflags keep-system-libs maximum-traverse-depth= path validate version help",
    &[verb("", "", Nothing, REPORTS), verb("*", "", Text, REPORTS)],
)
.one_dash();

static ZIG: Program = Program::new(
    "h help color=",
    &[
        verb("version|env|targets|help|zen", "", Nothing, REPORTS),
        verb(
            "fmt",
            "stdin check ast-check exclude=",
            Operands::ReadBelow,
            &[Does::Unless(&["check", "stdin"], &[Does::On(Operands::ChangeBelow)])],
        ),
        verb("ast-check", "t", Operands::Read, REPORTS),
        verb(
            "init",
            "m minimal",
            Nothing,
            &[Does::Write("build.zig"), Does::Write("build.zig.zon"), Does::Below("src")],
        ),
        verb(
            "fetch",
            "save? save-exact? debug-hash global-cache-dir=P",
            Text,
            &[Does::Network, Does::Write("build.zig.zon")],
        ),
        verb(
            "build|run|test|build-exe|build-lib|build-obj|cc|c++|ar|objcopy|translate-c|rc|reduce|*",
            "",
            Text,
            EXECUTES,
        )
        .stops(),
    ],
);

static SWIFT: Program = Program::new(
    "h help v verbose q quiet package-path=g C=g scratch-path=P build-path=P",
    &[
        // Without anything it reads code from standard input.
        verb("", "version", Nothing, &[Does::Project, Does::Unless(&["version"], EXECUTES)]),
        verb("build|run|test|package|repl|sdk|format|*", "", Text, EXECUTES).stops(),
    ],
)
.no_help()
.chosen(Tool::Other);
