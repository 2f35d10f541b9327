//! go and its tools (`go help COMMAND`). A go.mod may name the toolchain that really runs, and building runs the
//! C compiler with flags of the sources.

use super::{
    project_overrides::Tool,
    spec::{Operands, Spec},
    subcommands::{Does, EXECUTES, PROJECT, Program, REPORTS, TRUSTED, verb},
};
use Operands::{None as Nothing, Text};

pub(super) const SPECS: &[Spec] = &[
    Spec::verbs(&["go"], &GO),
    Spec::verbs(&["gofmt", "goimports", "gofumpt"], &GOFMT),
    Spec::verbs(&["golangci-lint"], &GOLANGCI),
    Spec::verbs(&["staticcheck"], &STATICCHECK),
    Spec::verbs(&["dlv"], &DELVE),
];

macro_rules! build {
    () => {
        "C=g a n p= race msan asan cover covermode= coverpkg= v work x asmflags=x buildmode= buildvcs? compiler=x gccgoflags=x gcflags=x installsuffix= \
         ldflags=x linkshared mod= modcacherw modfile=g overlay=g pgo= pkgdir=P tags= trimpath toolexec=x json "
    };
}

const BUILT: &[Does] = &[Does::Execute];
const MODULES: &[Does] = &[Does::Project, Does::Network, Does::Write("go.mod"), Does::Write("go.sum")];
/// Downloads modules that are not in the cache, from where the configuration says, and needs the compiler for packages
/// that use C.
const LISTED: &[Does] = &[
    Does::Project,
    Does::Reads("go.mod"),
    Does::Host("proxy.golang.org"),
    Does::If(&["u", "m", "versions", "retracted"], &[Does::Network]),
    Does::If(&["mod"], &[Does::Write("go.mod"), Does::Write("go.sum")]),
    Does::If(&["export", "compiled"], &[Does::Execute]),
];

static GO: Program = Program::new(
    "",
    &[
        verb("version", "m v json", Text, &[Does::Project, Does::From(1, &[Does::On(Operands::ReadBelow)])]),
        verb("help", "", Text, PROJECT),
        verb("env", "json changed u!o w!o", Text, &[Does::Project, Does::Secrets]),
        verb("doc", "all c cmd short src u http!n", Text, &[Does::Project, Does::Reads("go.mod")]),
        verb("list", concat!(build!(), "f= m u versions retracted deps test e find reuse= export compiled"), Text, LISTED),
        verb("build", concat!(build!(), "o=p"), Text, &[Does::Execute, Does::Unless(&["o"], &[Does::Write("*")])]),
        verb("install", build!(), Text, &[Does::Execute, Does::System]),
        verb("run", concat!(build!(), "exec=x"), Text, BUILT).stops(),
        verb(
            "test",
            concat!(
                build!(),
                "args c i o=p bench= benchtime= count= cpu= failfast fullpath fuzz= fuzztime= fuzzminimizetime= list= parallel= run= short shuffle? skip= \
                 timeout= vet= benchmem blockprofile=p blockprofilerate= coverprofile=p cpuprofile=p memprofile=p memprofilerate= mutexprofile=p \
                 mutexprofilefraction= outputdir=P trace=p exec=x artifacts \
                 test.blockprofile=p test.coverprofile=p test.cpuprofile=p test.memprofile=p test.mutexprofile=p test.trace=p test.outputdir=P \
                 test.testlogfile=p test.gocoverdir=P test.fuzzcachedir=P"
            ),
            Text,
            BUILT,
        ),
        verb("vet", concat!(build!(), "vettool=x c= fix!w diff"), Text, BUILT),
        verb("fmt", "n x mod=", Text, &[Does::Execute, Does::Write("**/*.go")]),
        verb("fix", concat!(build!(), "diff r= force="), Text, &[Does::Execute, Does::Write("**/*.go")]),
        verb("generate", concat!(build!(), "run= skip="), Text, BUILT),
        verb("get", concat!(build!(), "t u? tool"), Text, &[Does::Execute, Does::Network, Does::Write("go.mod"), Does::Write("go.sum")]),
        verb("clean", concat!(build!(), "i r cache testcache modcache fuzzcache"), Text, &[Does::Project, Does::System, Does::Delete(".")]),
        verb("mod download", "json reuse=r x modfile=g", Text, MODULES),
        verb("mod tidy", "e v x go= compat= diff modfile=g", Nothing, MODULES),
        verb("mod graph", "go= x modfile=g", Nothing, &[Does::Project, Does::Network]),
        verb("mod why", "m vendor modfile=g", Text, &[Does::Project, Does::Network]),
        verb("mod verify", "", Nothing, &[Does::Project, Does::Network]),
        verb("mod vendor", "e v o=P", Nothing, &[Does::Project, Does::Network, Does::Below("vendor")]),
        verb(
            "mod edit",
            "fmt module= go= toolchain= godebug= require= droprequire= exclude= dropexclude= replace= dropreplace= retract= dropretract= tool= droptool= \
             ignore= dropignore= print json",
            Operands::Write,
            &[Does::Project, Does::Under(1, &[Does::Unless(&["print", "json"], &[Does::Write("go.mod")])])],
        ),
        verb("mod init", "", Text, &[Does::Project, Does::Write("go.mod")]),
        verb("work init|use|sync|edit|vendor", "r v x go= use= dropuse= replace= print json fmt", Text, &[Does::Execute, Does::Write("go.work"), Does::Write("go.work.sum")]),
        verb("tool", "n C=g modfile=g", Text, EXECUTES).stops(),
        verb("bug", "", Nothing, &[Does::Execute, Does::Network]),
        verb("telemetry", "", Text, &[Does::Project, Does::From(1, &[Does::System])]),
    ],
)
.one_dash()
.no_help()
.chosen(Tool::Go);

/// Prints what would change, or changes it in place with `-w`.
static GOFMT: Program = Program::new(
    "cpuprofile=w memprofile=w trace=w memrate= d e l r= s w v extra lang= modpath= local= format-only srcdir=m",
    &[
        verb("", "", Nothing, REPORTS),
        verb("*", "", Operands::ReadBelow, &[Does::Project, Does::If(&["w"], &[Does::On(Operands::ChangeBelow)])]),
    ],
)
.one_dash()
.no_help();

/// Type checking builds what uses C; plugins are code.
static GOLANGCI: Program = Program::new(
    "c=g config=g color= v verbose h help cpu-profile-path=w mem-profile-path=w trace-path=w no-config",
    &[
        verb("", "version", Nothing, PROJECT),
        verb("version", "short debug json", Nothing, PROJECT),
        verb("linters|help|config", "json", Text, TRUSTED),
        verb("config path|verify", "json", Nothing, TRUSTED),
        verb(
            "run",
            "E= enable= D= disable= enable-only= default= p= presets= fast fast-only fix!w timeout= n new new-from-rev= new-from-patch=r new-from-merge-base= \
             build-tags= j= concurrency= out-format= issues-exit-code= tests max-issues-per-linter= max-same-issues= path-prefix= path-mode= \
             modules-download-mode= allow-parallel-runners allow-serial-runners go= show-stats output.text.path=p output.json.path=p",
            Text,
            EXECUTES,
        ),
        verb("fmt", "E= enable= d diff diff-colored stdin", Operands::ChangeBelow, &[Does::Execute]),
        verb("cache status", "", Nothing, PROJECT),
        verb("cache clean", "", Nothing, &[Does::Project, Does::System]),
        verb("custom", "", Text, EXECUTES),
        verb("migrate", "format= skip-validation", Nothing, &[Does::Project, Does::Write(".golangci.*")]),
    ],
)
.chosen(Tool::Go);

static STATICCHECK: Program = Program::new(
    "checks= f= go= tags= tests fail= explain= list-checks matrix merge show-ignored version debug.version",
    &[verb("", "", Nothing, &[Does::Execute]), verb("*", "", Text, EXECUTES)],
)
.one_dash()
.no_help()
.chosen(Tool::Go);

static DELVE: Program = Program::new(
    "headless l= listen= api-version= accept-multiclient backend= build-flags=x check-go-version init=x log log-dest= log-output= wd=m r= h help",
    &[
        verb("version", "v verbose", Nothing, PROJECT),
        verb("help", "", Text, PROJECT),
        verb("debug|test|exec|run|attach|core|connect|trace|dap|replay", "continue output=p tty= p=", Text, &[Does::ExecuteFirst, Does::Process]).stops(),
    ],
)
.chosen(Tool::Go);
