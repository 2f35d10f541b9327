//! Java, Ruby, PHP and .NET: their interpreters' managers and build tools (`java --help`, 17; `mvn --help`; `gem help`;
//! the manuals of gradle, bundler, composer and dotnet). Build files are code.

use super::{
    Build,
    project_overrides::Tool,
    spec::{Operands, Parsed, Spec},
    subcommands::{Does, EXECUTES, PROJECT, Program, REPORTS, verb},
};
use Operands::{None as Nothing, Text};

pub(super) const SPECS: &[Spec] = &[
    Spec::verbs(&["java"], &JAVA),
    Spec::verbs(&["jshell"], &JSHELL),
    Spec::verbs(&["javac", "kotlinc", "scalac"], &JAVAC),
    Spec::verbs(&["jar"], &JAR),
    Spec::verbs(&["javap", "jdeps"], &JAVAP),
    Spec::verbs(&["jps", "jstat", "jstack", "jmap", "jcmd", "jinfo"], &JPS),
    Spec::verbs(&["mvn", "mvnd"], &MVN),
    Spec::verbs(&["gradle"], &GRADLE),
    Spec::verbs(&["sbt", "kotlin", "scala", "groovy", "ant", "lein", "clojure", "clj", "mill"], &SBT),
    Spec::verbs(&["gem"], &GEM),
    Spec::verbs(&["bundle", "bundler"], &BUNDLE),
    Spec::verbs(&["rake", "cucumber", "pod"], &RAKE),
    Spec::verbs(&["rails", "rspec", "rubocop", "jekyll", "fastlane"], &RAILS),
    Spec::verbs(&["composer"], &COMPOSER),
    Spec::verbs(&["artisan", "phpunit", "phpstan", "psalm", "pest", "drush", "wp"], &PHP_TOOLS),
    Spec::verbs(&["dotnet"], &DOTNET),
    Spec::verbs(&["mix", "elixir", "iex"], &MIX),
    Spec::verbs(&["rebar3"], &REBAR),
    Spec::verbs(&["stack", "cabal", "ghc", "ghci", "opam", "dune", "ocaml"], &HASKELL),
    Spec::verbs(&["dart", "flutter"], &DART),
    Spec::verbs(&["asdf", "mise", "rtx", "rbenv", "nodenv", "goenv", "jenv", "sdk", "proto"], &VERSIONS),
];

/// Version flags that have one dash; everything else runs a program.
static JAVA: Program = Program::new(
    "",
    &[
        verb(
            "",
            // `-showversion` goes on, `jshell` with what it is told.
            "version help h",
            Nothing,
            &[Does::Unless(&["version", "help", "h"], EXECUTES), Does::Project],
        ),
        verb("*", "", Text, EXECUTES).stops(),
    ],
)
.one_dash()
.no_help()
.chosen(Tool::Java);
/// Its preferences are written even when it only helps.
static JSHELL: Program =
    Program::new("", &[verb("", "", Nothing, EXECUTES), verb("*", "", Text, EXECUTES).stops()]).no_help();
/// Annotation processors are code.
static JAVAC: Program = Program::new(
    "d=P s=P h=P cp=m classpath=m class-path=m sourcepath=m source-path=m processorpath=x processor-path=x processor=x proc= source= target= release= g nowarn verbose Werror Xlint \
     deprecation parameters encoding= implicit= module-path=m p=m add-modules= J=x Xplugin=x enable-preview help",
    // `kotlinc` alone reads code from standard input.
    &[verb("", "version", Nothing, &[Does::Project, Does::Unless(&["version"], EXECUTES)]), verb("*", "", Operands::Read, &[Does::Execute, Does::Unless(&["d"], &[Does::Write("**/*.class")])])],
)
.one_dash()
.chosen(Tool::Java);
/// Modes in the first word, without a dash, count whatever else stands there (jar(1)).
fn jar(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if build.word(1).is_none_or(|word| !word.starts_with('-')) {
        build.opaque(build.span_of(1), "creates or unpacks files");
    }
    build.operands(Operands::Read, parsed);
}

/// `jar tf x.jar`: the first word is a cluster of letters even without a dash.
static JAR: Program = Program::new(
    "t f=r v list file=r verbose describe-module d",
    &[
        verb("", "version help h", Nothing, &[Does::Project]),
        verb("tf|tvf|ft|vtf|tfv", "", Operands::Read, PROJECT),
        verb(
            "*",
            "",
            Operands::Custom(jar),
            &[Does::Project, Does::Unless(&["t", "list"], &[Does::Opaque("creates or unpacks files")])],
        ),
    ],
)
.no_help()
.chosen(Tool::Java);
static JAVAP: Program = Program::new(
    "c v verbose l public protected package private p s sysinfo constants cp=m classpath=m class-path=m module-path=m m= module= version help summary R recursive e= filter= \
     multi-release= print-module-deps list-deps ignore-missing-deps",
    &[verb("", "", Nothing, &[Does::Project]), verb("*", "", Operands::Read, PROJECT)],
)
.one_dash()
.chosen(Tool::Java);
static JPS: Program = Program::new(
    "l v m q V h help version",
    &[
        verb("", "", Nothing, &[Does::Process, Does::Project]),
        verb("*", "", Text, &[Does::Process, Does::Project]).stops(),
    ],
)
.one_dash()
.no_help()
.chosen(Tool::Java);

static MVN: Program = Program::new(
    "am amd B batch-mode b=x builder=x C c color= D= define= e errors f=g file=g fae ff fn gs=x global-settings=x gt=x N non-recursive nsu ntp no-transfer-progress o offline P= \
     activate-profiles= pl= projects= q quiet rf= resume-from= s=x settings=x t=x toolchains=x T= threads= U update-snapshots V show-version X debug l=w log-file=w emp= ep=",
    &[
        verb("", "v version h help", Nothing, &[Does::Unless(&["v", "version", "h", "help"], EXECUTES), Does::Project]),
        verb("*", "", Text, &[Does::Execute, Does::Below("target")]),
    ],
)
.one_dash()
.no_help()
.chosen(Tool::Maven);
static GRADLE: Program = Program::new(
    "q quiet i info d debug w warn s stacktrace S full-stacktrace console= warning-mode= offline no-daemon daemon parallel no-parallel build-cache no-build-cache configuration-cache? \
     continue m dry-run x= exclude-task= P= D= project-prop= system-prop= p=g project-dir=g b=g build-file=g c=g settings-file=g I=x init-script=x g=x gradle-user-home=x \
     include-build=g max-workers= profile refresh-dependencies rerun-tasks scan no-scan t continuous write-locks project-cache-dir=P tests= a rerun stop!x status!x foreground!x",
    &[
        verb("", "v version h help", Nothing, &[Does::Unless(&["v", "version", "h", "help", "?"], EXECUTES), Does::Project]),
        verb("*", "configuration= dependency= all", Text, &[Does::Execute, Does::Below("build"), Does::Below(".gradle")]),
    ],
)
.no_help()
.chosen(Tool::Gradle);
static SBT: Program =
    Program::new("", &[verb("", "", Nothing, EXECUTES), verb("*", "", Text, EXECUTES).stops()]).no_help();

/// The commands that change packages build extensions.
static GEM: Program = Program::new(
    "h help V verbose q quiet silent config-file=x backtrace debug norc",
    &[
        verb("", "v version", Nothing, REPORTS),
        verb("list|query|info|stale", "i installed I no-installed v= version= d details versions no-versions a all e exact prerelease u l local", Text, &[Does::If(&["r", "remote", "b", "both"], &[Does::Network])]),
        // Where the gems are that one may install is asked of a registry.
        verb("search|outdated", "i installed I no-installed v= version= d details versions no-versions a all e exact prerelease u l local r remote b both", Text, &[Does::Unless(&["l", "local"], &[Does::Network])]),
        verb("environment|env|which|contents|dependency|sources|help|specification|spec|check|cert", "a all g s= show-commands l list v= version= no-prefix", Text, &[Does::Secrets]),
        verb("install|i|update|uninstall|cleanup|pristine|fetch|build|push|yank|owner|signin|signout|unpack|exec|rdoc|server|open|*", "", Text, &[Does::Execute, Does::System, Does::Network]).stops(),
    ],
)
.chosen(Tool::Ruby);
/// The Gemfile is code, and every command evaluates it.
static BUNDLE: Program = Program::new(
    // `--retry` is remembered in `.bundle/config`.
    "h help V verbose no-color r=o retry=o",
    &[
        verb("", "v version", Nothing, &[Does::Unless(&["v", "version"], &[Does::Execute, Does::Network]), Does::Project]),
        verb("version|env|platform|help", "", Text, PROJECT),
        verb("list|show|info|outdated|check|viz|licenses|doctor", "paths name-only only-group= without-group= path version strict parseable porcelain local groups group= dry-run gemfile=g", Text, EXECUTES),
        verb("install|update|add|remove|lock|cache|package|clean|config|init|pristine|inject|plugin|binstubs|gem|open|console|exec|*", "", Text, &[Does::Execute, Does::Network, Does::Write("Gemfile"), Does::Write("Gemfile.lock")]).stops(),
    ],
)
.no_help()
.chosen(Tool::Bundler);
/// `-v` is verbose.
static RAKE: Program = Program::new(
    "",
    &[
        verb("", "version V", Nothing, &[Does::Unless(&["version", "V"], EXECUTES), Does::Trusted]),
        verb("*", "", Text, EXECUTES).stops(),
    ],
)
.no_help()
.chosen(Tool::Bundler);
static RAILS: Program = Program::new(
    "",
    &[
        verb("", "version V v", Nothing, &[Does::Unless(&["version", "V", "v"], EXECUTES), Does::Trusted]),
        verb("*", "", Text, EXECUTES).stops(),
    ],
)
.no_help()
.chosen(Tool::Bundler);

const WITHOUT_PLUGINS: &[Does] = &[Does::Project, Does::Unless(&["no-plugins"], &[Does::Trusted])];
/// Plugins of the project are loaded for every command.
static COMPOSER: Program = Program::new(
    "h help q quiet ansi no-ansi n no-interaction profile no-plugins no-scripts d=g working-dir=g no-cache v verbose vv vvv",
    &[
        verb("", "V version", Nothing, WITHOUT_PLUGINS),
        verb("about|list|help|licenses|diagnose", "raw format= no-dev", Text, WITHOUT_PLUGINS),
        verb("show|info|outdated|depends|why|prohibits|why-not|status|validate|check-platform-reqs|fund|audit|suggests", "all locked i installed p platform a available s self N name-only P path t tree l latest o outdated m minor-only D direct strict f= format= no-dev r recursive no-check-lock", Text, &[Does::Execute, Does::Project]),
        verb("config", "g global l list unset e!x editor!x auth absolute json merge append source", Text, &[Does::Project, Does::Secrets, Does::From(2, &[Does::Write("composer.json")])]),
        verb(
            "install|i|update|u|upgrade|require|r|remove|rm|uninstall|reinstall|dump-autoload|dumpautoload|create-project|init|archive|exec|run|run-script|global|self-update|selfupdate|clear-cache|search|browse|home|bump|*",
            "dev no-dev o optimize-autoloader W w dry-run prefer-dist prefer-source no-progress ignore-platform-reqs ignore-platform-req=",
            Text,
            &[Does::Execute, Does::Network, Does::Write("composer.json"), Does::Write("composer.lock"), Does::Below("vendor")],
        ),
    ],
)
.chosen(Tool::Php);
static PHP_TOOLS: Program =
    Program::new("", &[verb("", "version", Nothing, EXECUTES), verb("*", "", Text, EXECUTES).stops()])
        .no_help();

static DOTNET: Program = Program::new(
    "h help d diagnostics",
    &[
        verb("", "version info list-sdks list-runtimes", Nothing, PROJECT),
        verb("help", "", Text, PROJECT),
        verb("sdk check", "", Nothing, &[Does::Project, Does::Network]),
        verb("tool list", "g global local tool-path=m", Text, PROJECT),
        verb("nuget locals", "l list c!o clear!o", Text, PROJECT),
        verb("nuget list source", "format=", Nothing, &[Does::Project, Does::Secrets]),
        verb("list|package|reference", "outdated deprecated vulnerable include-transitive framework= format= source=n", Text, EXECUTES),
        verb("nuget push|delete", "s=n source=n k= api-key=", Text, &[Does::Project, Does::Remote]),
        verb("build|run|test|publish|restore|clean|pack|format|new|add|remove|sln|ef|watch|msbuild|vstest|workload|tool|nuget|store|exec|dev-certs|user-secrets|*", "", Text, &[Does::Execute, Does::Below("bin"), Does::Below("obj")]).stops(),
    ],
)
.chosen(Tool::Dotnet);

static MIX: Program = Program::new(
    "",
    &[
        verb("", "version v", Nothing, &[Does::Unless(&["version", "v"], EXECUTES), Does::Project]),
        verb("*", "", Text, EXECUTES).stops(),
    ],
)
.no_help()
.chosen(Tool::Other);
/// `rebar.config.script` is code, and comes before anything else.
static REBAR: Program = Program::new(
    "",
    &[
        verb("", "version v", Nothing, &[Does::Unless(&["version", "v"], EXECUTES), Does::Trusted]),
        verb("*", "", Text, EXECUTES).stops(),
    ],
)
.no_help()
.chosen(Tool::Other);
static HASKELL: Program = Program::new(
    "",
    &[
        verb(
            "",
            "version numeric-version V v",
            Nothing,
            &[Does::Unless(&["version", "numeric-version", "V"], EXECUTES), Does::Project],
        ),
        verb("*", "", Text, EXECUTES).stops(),
    ],
)
.no_help()
.chosen(Tool::Other);
static DART: Program = Program::new(
    "v verbose h help suppress-analytics disable-analytics no-version-check d= device-id=",
    &[
        verb("", "version", Nothing, EXECUTES),
        verb("doctor|devices|channel|config", "", Nothing, &[Does::Project, Does::Network, Does::Process]),
        verb("format", "o= output= l= line-length= show= set-exit-if-changed language-version=", Operands::ReadBelow, &[Does::Project, Does::On(Operands::ChangeBelow)]),
        verb("analyze|fix|test|run|build|compile|create|pub|doc|devtools|install|upgrade|downgrade|clean|gen-l10n|drive|attach|logs|screenshot|emulators|packages|*", "", Text, EXECUTES).stops(),
    ],
)
.chosen(Tool::Other);

/// What they report depends on files of the project, and they act on those.
static VERSIONS: Program = Program::new(
    "h help q quiet v verbose y yes C=g cd=g",
    &[
        verb("", "version V", Nothing, PROJECT),
        verb("version|help", "", Text, PROJECT),
        verb("list|ls|current|where|which|versions|root|plugin|bin-paths|doctor|info|shims|whence", "a all urls refs J json installed missing c current g global", Text, &[Does::Project, Does::Execute]),
        verb("list-all|latest|ls-remote|outdated", "all", Text, &[Does::Project, Does::Execute, Does::Network]),
        verb("install|uninstall|global|local|shell|use|set|unset|exec|x|run|reshim|update|upgrade|trust|activate|env|settings|tasks|*", "", Text, &[Does::Execute, Does::System, Does::Network]).stops(),
    ],
)
.chosen(Tool::Other);
