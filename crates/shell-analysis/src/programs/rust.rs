//! cargo, rustup and what belongs to them (The Cargo Book; `cargo COMMAND -h`, 1.95). Which cargo runs, and with
//! which wrapper around the compiler, the project may say; whatever compiles runs build scripts and macros.

use super::{
    project_overrides::Tool,
    spec::{Operands, Spec},
    subcommands::{Does, EXECUTES, PROJECT, Program, verb},
};
use Operands::{None as Nothing, ReadBelow, Text};

pub(super) const SPECS: &[Spec] = &[
    Spec::verbs(&["cargo", "cross"], &CARGO),
    Spec::verbs(&["rustup"], &RUSTUP),
    Spec::verbs(&["rustc", "clippy-driver"], &RUSTC),
    Spec::verbs(&["rustdoc"], &RUSTDOC),
    Spec::verbs(&["rustfmt"], &RUSTFMT),
    Spec::verbs(&["trunk"], &TRUNK),
    Spec::verbs(&["wasm-pack"], &WASM_PACK),
    Spec::verbs(&["wasm-bindgen"], &WASM_BINDGEN),
];

// `--help` opens a manual page; `-h` prints.
macro_rules! common {
    () => {
        "v verbose q quiet color= config=x Z=x C=g h locked offline frozen "
    };
}
macro_rules! features {
    () => {
        "F= features= all-features no-default-features manifest-path=g "
    };
}
macro_rules! compile {
    () => {
        "p= package= workspace all exclude= lib bins bin= examples example= tests test= benches bench= all-targets F= features= all-features \
         no-default-features j= jobs= keep-going r release profile= target= target-dir=P unit-graph timings? manifest-path=g ignore-rust-version \
         message-format= future-incompat-report artifact-dir=P lockfile-path=p "
    };
}

const BUILT: &[Does] = &[Does::Execute, Does::Unless(&["target-dir"], &[Does::Below("target")])];
const MANIFEST: &[Does] = &[
    Does::Project,
    Does::Unless(&["n", "dry-run"], &[Does::Write("Cargo.toml"), Does::Write("Cargo.lock")]),
    Does::Network,
];
/// Resolving dependencies brings the lock file up to date, unless that is forbidden.
const RESOLVES: &[Does] = &[
    Does::Project,
    Does::Reads("Cargo.toml"),
    Does::Unless(&["no-deps", "locked", "frozen"], &[Does::Write("Cargo.lock")]),
    Does::Unless(&["no-deps", "offline", "frozen"], &[Does::Host("crates.io")]),
];
const ELSEWHERE: &[Does] = &[Does::Project, Does::Remote];
const INDEX: &[Does] = &[Does::Project, Does::Host("crates.io")];
const REGISTRY: &str = "limit= index=n registry=n";

static CARGO: Program = Program {
    prefix: Some('+'),
    loose: true,
    ..Program::new(
        common!(),
        &[
            verb("", "V version list explain=", Nothing, PROJECT),
            verb("version", "", Nothing, PROJECT),
            verb("help", "", Text, &[Does::Project, Does::From(1, &[Does::Terminal])]),
            verb("build|b", compile!(), Nothing, BUILT),
            verb("check|c", compile!(), Nothing, BUILT),
            verb("test|t", concat!(compile!(), "no-run no-fail-fast doc"), Text, BUILT),
            verb("bench", concat!(compile!(), "no-run no-fail-fast"), Text, BUILT),
            verb("run|r", compile!(), Text, BUILT).stops(),
            verb("nextest run", concat!(compile!(), "E= filter-expr= no-run no-fail-fast retries= test-threads= no-capture nocapture status-level= \
                final-status-level= success-output= failure-output= P= partition= run-ignored= cargo-profile= max-fail= no-tests= show-progress= hide-progress-bar"), Text, BUILT),
            verb("nextest list", concat!(compile!(), "E= filter-expr= T= list-type= run-ignored= cargo-profile="), Text, BUILT),
            verb("clippy|fmt --version|-V", "", Nothing, PROJECT),
            verb("clippy", concat!(compile!(), "fix!w no-deps V version explain= allow-dirty allow-staged allow-no-vcs W= A= D="), Text, BUILT),
            verb(
                "fix",
                concat!(compile!(), "edition edition-idioms broken-code allow-no-vcs allow-dirty allow-staged"),
                Nothing,
                &[Does::Execute, Does::Write("**/*.rs"), Does::Below("target")],
            ),
            verb(
                "fmt",
                "version p= package= manifest-path=g message-format= all check",
                Text,
                &[Does::Execute, Does::Unless(&["check", "version"], &[Does::Write("**/*.rs")])],
            ),
            verb("fmt -- --check", "", Nothing, EXECUTES),
            verb("doc|d", concat!(compile!(), "open!x no-deps document-private-items"), Nothing, BUILT),
            verb("rustc", concat!(compile!(), "print= crate-type="), Text, BUILT),
            verb("rustdoc", concat!(compile!(), "open!x output-format="), Text, BUILT),
            verb(
                "tree",
                concat!(features!(), "e= edges= i= invert= prune= depth= prefix= no-dedupe d duplicates charset= f= format= p= package= workspace all exclude= target="),
                Nothing,
                RESOLVES,
            ),
            verb("metadata", concat!(features!(), "filter-platform= no-deps format-version="), Nothing, RESOLVES),
            verb("pkgid", "p= package= manifest-path=g", Text, RESOLVES),
            verb("locate-project", "workspace message-format= manifest-path=g", Nothing, PROJECT),
            verb("read-manifest|verify-project", "manifest-path=g", Nothing, PROJECT),
            verb("search", REGISTRY, Text, INDEX),
            verb("info", REGISTRY, Text, INDEX),
            verb("audit|deny|outdated|machete|udeps|semver-checks|geiger", "", Text, EXECUTES),
            verb(
                "add",
                "no-default-features default-features F= features= optional no-optional public no-public rename= n dry-run manifest-path=g \
                 ignore-rust-version p= package= path=m base= git=n branch= tag= rev= registry=n dev build target=",
                Text,
                MANIFEST,
            ),
            verb("remove|rm", "n dry-run dev build target= p= package= manifest-path=g", Text, MANIFEST),
            verb(
                "update",
                "n dry-run recursive precise= b breaking w workspace p= package= aggressive manifest-path=g ignore-rust-version",
                Text,
                &[Does::Project, Does::Unless(&["n", "dry-run"], &[Does::Write("Cargo.lock")]), Does::Network],
            ),
            verb("generate-lockfile", "manifest-path=g ignore-rust-version publish-time=", Nothing, &[Does::Project, Does::Write("Cargo.lock"), Does::Network]),
            verb("fetch", "target= manifest-path=g", Nothing, &[Does::Project, Does::Write("Cargo.lock"), Does::Network]),
            verb("vendor", "no-delete s=g sync=g respect-source-config versioned-dirs manifest-path=g", Operands::WriteBelow, &[Does::Project, Does::Network, Does::Under(1, &[Does::Below("vendor")])]),
            verb(
                "clean",
                "doc n dry-run p= package= workspace r release profile= target= target-dir=w manifest-path=g",
                Nothing,
                &[Does::Project, Does::Unless(&["n", "dry-run"], &[Does::Delete("target")])],
            ),
            verb(
                "install",
                "version= index=n registry=n git=n branch= tag= rev= path=g root=P f force n dry-run no-track list message-format= debug \
                 ignore-rust-version bin= bins example= examples F= features= all-features no-default-features j= jobs= keep-going profile= target= target-dir=P timings",
                Text,
                &[Does::Execute, Does::System, Does::Network],
            ),
            verb("install --list", "", Nothing, PROJECT),
            verb("uninstall", "root=w p= package= bin=", Text, &[Does::Project, Does::System]),
            verb("new|init", "vcs= bin lib edition= name= registry=", Operands::WriteBelow, &[Does::Project, Does::Under(1, &[Does::Write("Cargo.toml"), Does::Below("src")])]),
            verb("package", concat!(compile!(), "index=n registry=n l list no-verify no-metadata allow-dirty exclude-lockfile"), Nothing, BUILT),
            verb("publish", concat!(compile!(), "n dry-run index=n registry=n no-verify allow-dirty token="), Nothing, &[Does::Execute, Does::Remote]),
            verb("yank", "version= undo index=n registry=n token=", Text, ELSEWHERE),
            verb("owner", "a= add= r= remove= l list index=n registry=n token=", Text, ELSEWHERE),
            verb("login|logout", "registry=n", Text, &[Does::Project, Does::Opaque("changes the credentials of cargo")]),
        ],
    )
    .chosen(Tool::Cargo)
};

static RUSTUP: Program = Program {
    prefix: Some('+'),
    ..Program::new(
        "v verbose q quiet h help",
        &[
            verb("", "V version", Nothing, PROJECT),
            verb("show", "", Nothing, PROJECT),
            verb("show active-toolchain", "v verbose", Nothing, PROJECT),
            verb("show home|profile", "", Nothing, PROJECT),
            verb("toolchain list", "v verbose q quiet", Nothing, PROJECT),
            verb("target|component list", "toolchain= installed q quiet", Nothing, PROJECT),
            verb("override list", "", Nothing, PROJECT),
            verb("which", "toolchain=", Text, PROJECT),
            verb("check", "no-self-update", Nothing, &[Does::Project, Does::Host("static.rust-lang.org")]),
            verb("run", "install", Text, &[Does::Execute]).stops(),
            verb("doc|man", "", Text, EXECUTES),
            verb(
                "update|upgrade|install|uninstall|default",
                "no-self-update force force-non-host profile= c= component= t= target=",
                Text,
                &[Does::System, Does::Network],
            ),
            verb(
                "toolchain|target|component install|add|update|uninstall|remove|link",
                "no-self-update force profile= c= component= t= target= toolchain=",
                Text,
                &[Does::System, Does::Network],
            ),
            verb("override set|unset|add|remove", "path= nonexistent", Text, &[Does::System]),
            verb("self update|uninstall|upgrade-data", "y", Text, &[Does::System, Does::Network]),
            verb("set profile|default-host|auto-self-update", "", Text, &[Does::System]),
        ],
    )
    .chosen(Tool::Cargo)
};

const CODEGEN: &str = "C=x codegen=x Z=x L=m l= O g o=p out-dir=P emit= crate-type= crate-name= edition= print=o cfg= check-cfg= target= W= A= D= F= \
    warn= allow= deny= forbid= cap-lints= test explain= v verbose V version error-format= color= diagnostic-width= extern=m sysroot=x h help remap-path-prefix= json=";

/// The compiler loads what the sources name: macros are code.
static RUSTC: Program = Program {
    prefix: Some('+'),
    ..Program::new(
        CODEGEN,
        &[
            verb("", "", Nothing, &[Does::Project]),
            verb("*", "", Text, &[Does::Execute, Does::Unless(&["o", "out-dir"], &[Does::Write("*")])]),
        ],
    )
    .chosen(Tool::Cargo)
};
static RUSTDOC: Program = Program {
    prefix: Some('+'),
    ..Program::new(
        "C=x Z=x L=m o=P out-dir=P output=P target= edition= test document-private-items V version h help v crate-name= cfg= extern=m",
        &[
            verb("", "", Nothing, &[Does::Project]),
            verb("*", "", Text, &[Does::Execute, Does::Below("doc")]),
        ],
    )
    .chosen(Tool::Cargo)
};
static RUSTFMT: Program = Program {
    prefix: Some('+'),
    ..Program::new(
        "check emit= backup config=x config-path=r edition= style-edition= color= print-config= l files-with-diff v verbose q quiet h help V version unstable-features",
        &[
            verb("", "", Nothing, &[Does::Project]),
            // Modules that a file declares are formatted too.
            verb("*", "", ReadBelow, &[Does::Project, Does::Unless(&["check"], &[Does::On(Operands::Write), Does::Write("**/*.rs")]), Does::If(&["print-config"], &[Does::On(Operands::Write)])]),
        ],
    )
    .chosen(Tool::Cargo)
};

static TRUNK: Program = Program::new(
    "config=g v verbose q quiet h help color= skip-version-check offline",
    &[
        verb("", "V version", Nothing, PROJECT),
        verb("build|b", "release dist=P d=P public-url= filehash= features= all-features no-default-features locked frozen minify M", Text, &[Does::Execute, Does::Below("dist")]),
        verb("serve|watch", "release port= p= address= a= open o dist=P w= watch= i= ignore= proxy-backend=n no-autoreload", Text, &[Does::Execute, Does::Network]),
        verb("clean", "dist=w", Nothing, &[Does::Project, Does::Delete("dist")]),
        verb("config show", "", Nothing, PROJECT),
        verb("tools show", "", Nothing, PROJECT),
    ],
)
.chosen(Tool::Cargo);
static WASM_PACK: Program = Program::new(
    "v verbose q quiet h help log-level=",
    &[
        verb("", "V version", Nothing, PROJECT),
        verb("build", "t= target= d=P out-dir=P out-name= dev release profiling s= scope= m= mode= no-typescript no-pack debug", Text, &[Does::Execute, Does::Below("pkg"), Does::Below("target")]),
        verb("test", "node firefox chrome safari headless release r chromedriver=x geckodriver=x", Text, EXECUTES),
        verb("new", "template= mode=", Operands::WriteBelow, &[Does::Network]),
        verb("pack", "d=P pkg-dir=P", Text, &[Does::Execute, Does::Below("pkg")]),
        verb("publish|login", "t= target= a= access= tag= registry=n scope=", Text, &[Does::Execute, Does::Remote]),
    ],
)
.chosen(Tool::Cargo);
static WASM_BINDGEN: Program = Program::new(
    "out-dir=P out-name= target= no-modules-global= browser typescript no-typescript debug no-demangle keep-debug weak-refs reference-types web nodejs bundler h help",
    &[
        verb("", "V version", Nothing, &[]),
        verb("*", "", Operands::Read, &[Does::Unless(&["out-dir"], &[Does::Write("*")])]),
    ],
);
