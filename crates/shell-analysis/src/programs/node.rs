//! npm and its kin (`npm COMMAND --help`, 11; the manuals of pnpm 9, yarn and bun). A project's configuration may
//! choose the program, the registry and scripts that run at every step.

use super::{
    project_overrides::Tool,
    spec::{Operands, Spec},
    subcommands::{Does, EXECUTES, PROJECT, Program, REMOTE, REPORTS, verb},
};
use Operands::{None as Nothing, Text};

pub(super) const SPECS: &[Spec] = &[
    Spec::verbs(&["npm"], &NPM),
    Spec::verbs(&["pnpm"], &PNPM),
    Spec::verbs(&["yarn", "yarnpkg"], &YARN),
    Spec::verbs(&["bun"], &BUN),
    Spec::verbs(&["deno"], &DENO),
    Spec::verbs(&["corepack"], &COREPACK),
    Spec::verbs(&["nvm", "fnm", "volta", "n"], &MANAGER),
];

/// Where configuration, packages and scripts come from.
macro_rules! general {
    () => {
        "prefix=g C=g userconfig=x globalconfig=x cache=w logs-dir=P tmp=P local-prefix=g global-prefix=g init-module=x node-gyp=x timing registry=n script-shell=x shell=x node-options=x editor=x viewer=x browser? git=x https-proxy=n proxy=n \
         loglevel= d s silent q quiet verbose h help no-color color? json l long p parseable no-unicode yes y no-fund no-audit offline prefer-offline \
         ignore-scripts foreground-scripts no-progress no-update-notifier "
    };
}
macro_rules! workspaces {
    () => {
        "w= workspace= workspaces ws include-workspace-root install-links omit= include= "
    };
}
macro_rules! installs {
    () => {
        "S save no-save save-prod P save-dev D save-optional O save-peer save-bundle B E save-exact g global install-strategy= legacy-bundling global-style \
         legacy-peer-deps strict-peer-deps prefer-dedupe no-package-lock package-lock-only no-bin-links dry-run f force cpu= os= libc= before= tag= production engine-strict \
         w= workspace= workspaces ws include-workspace-root install-links omit= include= "
    };
}

const INSTALLED: &[Does] = &[
    Does::Execute,
    Does::Network,
    Does::Below("node_modules"),
    Does::Write("package.json"),
    Does::Write("package-lock.json"),
    Does::If(&["g", "global"], &[Does::System]),
];
/// Reports on what the project has installed.
const LOCAL: &[Does] = &[Does::Project, Does::Reads("package.json")];
const SCRIPTS: &[Does] = EXECUTES;
/// The registry is what the project's configuration says.
const REGISTRY: &[Does] = &[Does::Project, Does::Reads("package.json"), Does::Host("registry.npmjs.org")];
const ASKS: &[Does] = &[Does::Project, Does::Network];

static NPM: Program = Program::new(
    general!(),
    &[
        verb("", "v version versions", Nothing, PROJECT),
        // Where its log is written, `.npmrc` says.
        verb("ls|list|ll|la", concat!(workspaces!(), "a all g global depth= link package-lock-only dev prod production only="), Text, LOCAL),
        verb("outdated", "a all g global w= workspace= depth= before=", Text, REGISTRY),
        // What is looked for leaves by its name.
        verb("view|info|show|v|search|s|se|find|repo|docs|home|bugs|fund|ping", concat!(workspaces!(), "which= searchlimit= no-description"), Text, ASKS),
        verb("explain|why", workspaces!(), Text, LOCAL),
        verb("query", concat!(workspaces!(), "g global package-lock-only expect-results expect-result-count="), Text, LOCAL),
        verb("root|prefix|bin", "g global", Nothing, LOCAL),
        verb("whoami", "", Nothing, REGISTRY),
        verb("help|help-search|completion", "", Text, &[Does::Project, Does::Terminal]),
        verb("doctor", "", Text, ASKS),
        verb("config|c|get", "g global L= location=", Text, &[Does::Project, Does::Secrets]),
        verb("config|c set|delete|rm|fix", "g global L= location=", Text, &[Does::Project, Does::Write(".npmrc"), Does::System]),
        verb("config|c edit", "g global L= location=", Text, EXECUTES),
        verb("set", "g global L= location=", Text, &[Does::Project, Does::System]),
        verb("pkg get", workspaces!(), Text, LOCAL),
        verb("pkg set|delete|fix", concat!(workspaces!(), "f force"), Text, &[Does::Project, Does::Write("package.json")]),
        verb("sbom", concat!(workspaces!(), "package-lock-only sbom-format= sbom-type="), Nothing, LOCAL),
        verb("install|i|add|in|ins|inst|install-test|it|isntall", installs!(), Text, INSTALLED),
        verb("ci|clean-install|ic|install-clean|install-ci-test|cit|sit", installs!(), Nothing, &[Does::Execute, Does::Network, Does::Below("node_modules"), Does::Delete("node_modules")]),
        verb("uninstall|un|remove|rm|r|unlink|update|up|upgrade|dedupe|ddp|link|ln|rebuild|rb|prune|audit", concat!(installs!(), "audit-level= include-attestations"), Text, INSTALLED),
        verb("run|run-script|rum|urn", concat!(workspaces!(), "if-present"), Text, SCRIPTS),
        verb("test|tst|t|start|stop|restart", workspaces!(), Text, SCRIPTS),
        verb("exec|x", "package= c=x call=x w= workspace= workspaces", Text, SCRIPTS),
        verb("init|create|innit", "w= workspace= scope= f force private", Text, &[Does::Execute, Does::Network, Does::Write("package.json")]),
        verb("version", "allow-same-version no-commit-hooks no-git-tag-version preid= sign-git-tag w= workspace= workspaces no-workspaces-update", Text, &[Does::Execute, Does::Write("package.json"), Does::Write("package-lock.json")]),
        verb("pack", concat!(workspaces!(), "dry-run pack-destination=P"), Text, &[Does::Execute, Does::Unless(&["dry-run"], &[Does::Write("*.tgz")])]),
        verb("publish", concat!(workspaces!(), "tag= access= dry-run otp= provenance provenance-file=r"), Text, &[Does::Execute, Does::Remote]),
        verb("unpublish|deprecate|undeprecate|owner|access|dist-tag|team|org|star|unstar|profile|hook|adduser|login|logout|token", "tag= otp= dry-run f force scope= auth-type= read-only cidr=", Text, &[Does::Project, Does::Remote, Does::Secrets]),
        verb("cache ls", "", Text, LOCAL),
        verb("cache add|clean|npx|verify", "f force", Text, &[Does::Project, Does::System]),
        verb("edit|explore|shrinkwrap|diff", "", Text, &[Does::Execute, Does::Network]),
    ],
)
.chosen(Tool::Npm);

static PNPM: Program = Program::new(
    concat!(general!(), "dir=g F= filter= filter-prod= r recursive w workspace-root reporter= stream aggregate-output config.= stdin-dir= fail-if-no-match"),
    &[
        verb("", "v version", Nothing, PROJECT),
        verb("list|ls|la|ll", "depth= D dev P prod no-optional g global only-projects lockfile-only long", Text, LOCAL),
        verb("why", "depth= D dev P prod g global no-optional", Text, LOCAL),
        verb("outdated", "D dev P prod no-optional g global compatible format= no-table", Text, REGISTRY),
        verb("root|bin", "g global", Nothing, LOCAL),
        verb("licenses list|ls", "D dev P prod no-optional", Nothing, LOCAL),
        verb("view|info|show|search", "", Text, ASKS),
        verb("config|c list|get", "g global location=", Text, &[Does::Project, Does::Secrets]),
        verb("config|c set|delete", "g global location=", Text, &[Does::Project, Does::System]),
        verb("store status|path", "", Nothing, LOCAL),
        verb("store prune|add", "force", Text, &[Does::Project, Does::System]),
        verb("audit", "audit-level= D dev P prod no-optional ignore-registry-errors fix!w", Nothing, REGISTRY),
        verb(
            "install|i|add|update|up|upgrade|remove|rm|uninstall|un|link|ln|unlink|import|rebuild|rb|prune|dedupe|fetch|patch|patch-commit",
            "D save-dev P save-prod O save-optional E save-exact save-peer g global force no-lockfile frozen-lockfile no-frozen-lockfile lockfile-only fix-lockfile prod dev \
             no-optional shamefully-hoist strict-peer-dependencies allow-build= latest L i interactive depth= hoist-pattern= virtual-store-dir=P store-dir=P modules-dir=P",
            Text,
            &[Does::Execute, Does::Network, Does::Below("node_modules"), Does::Write("package.json"), Does::Write("pnpm-lock.yaml")],
        ),
        verb("run|test|t|start|exec|dlx|create|init|deploy|pack|env|self-update|setup|server|approve-builds|*", "if-present parallel no-bail resume-from= report-summary shell-mode c package= allow-build=", Text, SCRIPTS).stops(),
        verb("publish", "tag= access= dry-run otp= no-git-checks publish-branch= report-summary", Text, &[Does::Execute, Does::Remote]),
    ],
)
.chosen(Tool::Pnpm);

/// Every generation of yarn is chosen by the project, and `yarn` alone installs.
static YARN: Program = Program::new(
    concat!(general!(), "cwd=g use-yarnrc=x modules-folder=P no-default-rc mutex= non-interactive network-timeout= "),
    &[
        verb("", "v version frozen-lockfile immutable production force", Nothing, &[Does::Unless(&["v", "version", "h", "help"], &[Does::Execute, Does::Network, Does::Below("node_modules"), Does::Write("yarn.lock")]), Does::Project]),
        verb("versions", "", Nothing, LOCAL),
        verb("list", "depth= pattern= prod production", Text, LOCAL),
        verb("why", "R recursive peers", Text, LOCAL),
        verb("outdated", "", Text, REGISTRY),
        verb("info", "A all R recursive X= extra= cache dependents manifest virtuals name-only", Text, ASKS),
        verb("licenses list|ls", "production", Nothing, ASKS),
        verb("workspaces list|info", "R recursive no-private since? v verbose", Nothing, LOCAL),
        verb("bin", "v verbose", Text, LOCAL),
        verb("cache dir", "", Nothing, LOCAL),
        verb("cache list|clean", "pattern= mirror all", Text, &[Does::Project, Does::System]),
        verb("config", "", Text, &[Does::Project, Does::Secrets]),
        verb("config list|get", "why", Text, &[Does::Project, Does::Secrets]),
        verb("config set|delete|unset", "g global H home json", Text, &[Does::Project, Does::Write(".yarnrc.yml"), Does::Write(".yarnrc"), Does::System]),
        verb(
            "install|add|remove|up|upgrade|upgrade-interactive|dedupe|link|unlink|import|rebuild|autoclean|set|plugin|patch|patch-commit|unplug",
            "D dev P peer O optional E exact T tilde C caret W ignore-workspace-root-check A audit frozen-lockfile immutable immutable-cache check-cache inline-builds mode= \
             production pure-lockfile no-lockfile force flat har ignore-engines ignore-optional ignore-platform i interactive latest R recursive",
            Text,
            &[Does::Execute, Does::Network, Does::Below("node_modules"), Does::Write("package.json"), Does::Write("yarn.lock")],
        ),
        verb("publish|npm|login|logout|owner|tag|team|access", "tag= access= new-version=", Text, &[Does::Execute, Does::Remote]),
        verb("run|exec|node|dlx|create|init|test|start|build|pack|version|workspace|workspaces|global|*", "T top-level B binaries-only inspect? inspect-brk?", Text, SCRIPTS).stops(),
    ],
)
.chosen(Tool::Yarn);

static BUN: Program = Program::new(
    "cwd=g c=x config=x h help silent",
    &[
        verb("", "v version revision e=x eval=x p=x print=x", Nothing, &[Does::Unless(&["v", "version", "revision", "h", "help"], &[Does::Execute]), Does::Project]),
        verb("pm ls", "all", Nothing, LOCAL),
        verb("pm bin|hash|cache|whoami|version", "g global", Nothing, &[Does::Project, Does::Network]),
        verb("pm trust|untrusted|migrate|pack|default-trusted", "all", Text, EXECUTES),
        verb("outdated", "filter= F=", Text, REGISTRY),
        verb("info|why", "json", Text, ASKS),
        verb(
            "install|i|add|a|remove|rm|update|link|unlink|patch|patch-commit|upgrade",
            "d dev D development optional peer E exact g global production p frozen-lockfile f force dry-run no-save save no-cache verbose trust ignore-scripts backend= \
             registry=n no-progress no-summary no-verify filter= F= only-missing lockfile-only latest",
            Text,
            &[Does::Execute, Does::Network, Does::Below("node_modules"), Does::Write("package.json"), Does::Write("bun.lock"), Does::Write("bun.lockb")],
        ),
        verb("build", "outfile=p outdir=P target= format= minify sourcemap? splitting compile production watch e= external= entry-naming= define= bytecode", Operands::Read, EXECUTES),
        verb("test", "timeout= t= test-name-pattern= bail? coverage coverage-reporter= coverage-dir=P update-snapshots u watch rerun-each= only todo preload=x r=x reporter= reporter-outfile=p", Text, EXECUTES),
        verb("publish", "access= tag= dry-run otp=", Text, &[Does::Execute, Does::Remote]),
        verb("run|x|exec|repl|create|c|init|*", "b bun watch hot smol e=x eval=x p=x print=x r=x preload=x require=x import=x env-file=r inspect? inspect-brk? if-present filter= F= i install= define= d=", Text, &[Does::ExecuteFirst]).stops(),
    ],
)
.chosen(Tool::Bun);

/// deno asks before a program may leave its sandbox, but compiles and fetches by itself.
static DENO: Program = Program::new(
    "q quiet L= log-level= h help unstable c=x config=x no-config no-lock lock? import-map=x node-modules-dir? no-remote no-npm cached-only reload? r? cert=r frozen? vendor?",
    &[
        // Without anything it reads code from standard input.
        verb("", "V version v", Nothing, &[Does::Project, Does::Unless(&["V", "version", "v"], EXECUTES)]),
        verb("help", "", Text, LOCAL),
        verb("info", "json", Text, ASKS),
        verb("lint", "json fix!w rules rules-tags= rules-include= rules-exclude= ignore= compact watch ext=", Operands::ReadBelow, EXECUTES),
        verb(
            "fmt",
            "check ext= ignore= indent-width= line-width= no-semicolons prose-wrap= single-quote use-tabs watch permit-no-files unstable-component unstable-sql",
            Operands::ReadBelow,
            &[Does::Project, Does::Unless(&["check"], &[Does::On(Operands::ChangeBelow)])],
        ),
        verb("check|types|doc", "all doc doc-only filter= html json name= output=P private", Text, &[Does::Project, Does::Network]),
        verb("coverage", "detailed exclude= html include= lcov output=p ignore=", Operands::ReadBelow, &[Does::Project, Does::If(&["html"], &[Does::Below("coverage"), Does::On(Operands::ChangeBelow)])]),
        verb(
            "run|serve|test|bench|eval|task|repl|install|i|uninstall|add|remove|cache|compile|init|jupyter|publish|upgrade|outdated|update|x|clean|deploy|*",
            "A allow-all R? allow-read? W? allow-write? N? allow-net? E? allow-env? S? allow-sys? allow-run? allow-ffi? allow-import? deny-read? deny-write? deny-net? deny-env? \
             deny-run? no-prompt watch? check? no-check? inspect? inspect-brk? env-file? seed= v8-flags? location= p print ext= filter= coverage? fail-fast? parallel shuffle? g global f force n= name= \
             root=P o=p output=p target= dry-run allow-dirty token= e entrypoint D dev",
            Text,
            &[Does::ExecuteFirst, Does::Network],
        )
        .stops(),
    ],
)
.chosen(Tool::Deno);

static COREPACK: Program = Program::new(
    "h help",
    &[
        verb("", "v version", Nothing, PROJECT),
        verb(
            "enable|disable|install|prepare|pack|hydrate|up|use|cache|*",
            "install-directory=P activate all g global o? output? json",
            Text,
            &[Does::Execute, Does::Network, Does::System],
        )
        .stops(),
    ],
)
.chosen(Tool::Node);

static MANAGER: Program = Program::new(
    "h help no-colors",
    &[
        // `n` alone chooses a version, and asks which.
        verb("", "v version V", Nothing, &[Does::Unless(&["v", "version", "V"], &[Does::System])]),
        verb("ls|list|current|which|version|help", "", Text, REPORTS),
        verb("ls-remote|list-remote|list-all", "lts? latest", Text, REMOTE),
        verb(
            "install|i|use|uninstall|alias|unalias|default|pin|fetch|exec|run|env|setup|*",
            "lts? latest use-on-cd shell= save default",
            Text,
            &[Does::Execute, Does::System, Does::Network],
        )
        .stops(),
    ],
)
.chosen(Tool::Node);
