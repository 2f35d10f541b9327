//! Checkers, formatters, bundlers and test runners for JavaScript (`--help` of each). Their configuration is code
//! that the project brings, and so are their plugins.

use super::{
    project_overrides::Tool,
    spec::{Operands, Spec},
    subcommands::{Does, EXECUTES, Program, verb},
};
use Operands::{None as Nothing, ReadBelow, Text};

pub(super) const SPECS: &[Spec] = &[
    Spec::verbs(&["tsc"], &TSC),
    Spec::verbs(&["eslint"], &ESLINT),
    Spec::verbs(&["prettier"], &PRETTIER),
    Spec::verbs(&["biome", "oxlint", "dprint"], &BIOME),
    Spec::verbs(&["jest"], &JEST),
    Spec::verbs(&["vitest"], &VITEST),
    Spec::verbs(
        &[
            "mocha",
            "stylelint",
            "xo",
            "standard",
            "ava",
            "tap",
            "karma",
            "cypress",
            "playwright",
            "nyc",
            "c8",
        ],
        &RUNNERS,
    ),
    Spec::verbs(&["vite"], &VITE),
    Spec::verbs(&["webpack", "rollup", "parcel", "rspack", "swc", "babel"], &WEBPACK),
    Spec::verbs(&["esbuild"], &ESBUILD),
    Spec::verbs(&["turbo"], &TURBO),
    Spec::verbs(&["nx", "lerna"], &NX),
    Spec::verbs(
        &[
            "next",
            "nuxt",
            "nuxi",
            "astro",
            "remix",
            "gatsby",
            "ng",
            "vue-cli-service",
            "svelte-kit",
            "expo",
            "react-native",
            "storybook",
        ],
        &FRAMEWORKS,
    ),
    Spec::verbs(
        &[
            "ts-node",
            "tsx",
            "nodemon",
            "pm2",
            "concurrently",
            "cross-env",
            "rimraf",
            "husky",
            "lint-staged",
            "serve",
            "http-server",
        ],
        &RUNS,
    ),
];

/// The compiler follows what the configuration includes and writes beside the sources unless told otherwise.
static TSC: Program = Program::new(
    "p=g project=g b build w watch noEmit emitDeclarationOnly d declaration declarationMap sourceMap outDir=P outFile=p rootDir=R declarationDir=P t= target= m= module= \
     moduleResolution= lib= jsx= strict strictNullChecks noImplicitAny noImplicitReturns esModuleInterop skipLibCheck allowJs checkJs incremental i tsBuildInfoFile=w \
     generateTrace=P generateCpuProfile=w pretty? listFiles listFilesOnly listEmittedFiles showConfig noErrorTruncation extendedDiagnostics diagnostics traceResolution verbose force \
     f dry clean removeComments isolatedModules resolveJsonModule types= typeRoots= baseUrl= noUnusedLocals noUnusedParameters h help all locale= preserveWatchOutput init!w",
    &[
        verb("", "v version", ReadBelow, &[Does::Project, Does::Unless(&["v", "version", "showConfig", "listFilesOnly"], EMITS)]),
        // Values of boolean options may follow as words of their own.
        verb("*", "", ReadBelow, &[Does::Project, Does::Unless(&["showConfig", "listFilesOnly"], EMITS)]),
    ],
)
.one_dash()
.chosen(Tool::Node);
const EMITS: &[Does] = &[
    // `-b` and an `incremental` in the configuration keep a file of what was built even without output.
    Does::Opaque("it writes what the configuration says"),
    Does::Unless(
        &["noEmit", "outDir", "outFile"],
        &[Does::Write("**/*.js"), Does::Write("**/*.d.ts"), Does::Write("**/*.tsbuildinfo")],
    ),
];

const LINTED: &[Does] = &[
    Does::Execute,
    Does::If(&["fix"], &[Does::On(Operands::ChangeBelow)]),
    Does::If(&["cache"], &[Does::Write(".eslintcache")]),
];
const SNAPSHOTS: &[Does] =
    &[Does::Execute, Does::If(&["u", "update", "updateSnapshot"], &[Does::Write("**/*.snap")])];

static ESLINT: Program = Program::new(
    "no-config-lookup no-eslintrc c=x config=x inspect-config!x ext= global= parser=x parser-options= plugin=x rule= rulesdir=x resolve-plugins-relative-to=x fix fix-dry-run \
     fix-type= no-ignore ignore-path=r ignore-pattern= stdin stdin-filename= stdin-filepath= quiet max-warnings= o=p output-file=p f=x format=x color no-color no-inline-config \
     report-unused-disable-directives cache cache-file=w cache-location=w cache-strategy= no-error-on-unmatched-pattern exit-on-fatal-error no-warn-ignored pass-on-no-patterns \
     debug h help env-info print-config= stats flag= concurrency= init!x custom-formatter=x custom-syntax=x allow-empty-input formatter=x",
    &[
        verb("", "v version", Nothing, &[Does::Unless(&["v", "version", "h", "help"], LINTED), Does::Project]),
        verb("*", "", ReadBelow, &[Does::Execute, Does::If(&["fix"], &[Does::On(Operands::ChangeBelow)]), Does::If(&["cache"], &[Does::Write(".eslintcache")])]),
    ],
)
.chosen(Tool::Node);

static PRETTIER: Program = Program::new(
    "c check l list-different w write arrow-parens= bracket-same-line no-bracket-spacing embedded-language-formatting= end-of-line= html-whitespace-sensitivity= jsx-single-quote \
     object-wrap= parser= print-width= prose-wrap= quote-props= no-semi single-attribute-per-line single-quote tab-width= trailing-comma= use-tabs vue-indent-script-and-style \
     config=x no-config config-precedence= no-editorconfig find-config-path= ignore-path=r plugin=x with-node-modules cursor-offset= range-end= range-start= cache cache-location=w \
     cache-strategy= no-color color no-error-on-unmatched-pattern file-info= h help? u ignore-unknown insert-pragma log-level= require-pragma stdin-filepath= support-info",
    &[
        verb("", "v version", Nothing, &[Does::Unless(&["v", "version", "h", "help"], EXECUTES), Does::Project]),
        verb("*", "", ReadBelow, &[Does::Execute, Does::If(&["w", "write"], &[Does::On(Operands::ChangeBelow)])]),
    ],
)
.chosen(Tool::Node);

/// Plugins come with the configuration.
static BIOME: Program = Program::new(
    "colors= config-path=x c=x config=x verbose log-level= log-kind= max-diagnostics= diagnostic-level= skip-errors error-on-warnings no-errors-on-unmatched json json-pretty \
     reporter= staged changed since= files-ignore-unknown= h help",
    &[
        verb("", "V version rules", Nothing, &[Does::Unless(&["V", "version", "rules", "h", "help"], EXECUTES), Does::Project]),
        verb("version|rage|explain|help|output-file-paths", "", Text, &[Does::Project]),
        verb("check|lint|format|ci|fmt|search|*", "write fix apply unsafe apply-unsafe suppress reason= only= skip= stdin-file-path= linter-enabled= formatter-enabled= assist-enabled= indent-style= line-width= allow-no-files diff list-different f= format= quiet deny-warnings D= W= A= deny= warn= allow= fix-suggestions fix-dangerously", ReadBelow, &[Does::Execute, Does::If(&["write", "fix", "apply", "unsafe", "apply-unsafe", "fix-suggestions", "fix-dangerously"], &[Does::On(Operands::ChangeBelow)])]),
        verb("init|migrate|start|stop|upgrade|add|lsp-proxy|clean", "", Text, EXECUTES),
    ],
)
.chosen(Tool::Node);

static JEST: Program = Program::new(
    "all b bail? cache no-cache cacheDirectory=w changedFilesWithAncestor changedSince= ci clearCache clearMocks collectCoverage coverage collectCoverageFrom= color colors no-color c=x \
     config=x coverageDirectory=P coverageProvider= coverageReporters= debug detectLeaks detectOpenHandles e expand filter=x findRelatedTests forceExit globalSetup=x globalTeardown=x \
     json lastCommit listTests logHeapUsage maxConcurrency= w= maxWorkers= noStackTrace notify o onlyChanged f onlyFailures outputFile=p passWithNoTests preset=x projects=g randomize \
     reporters=x resolver=x rootDir=g roots=R i runInBand runTestsByPath runner=x seed= selectProjects= setupFiles=x setupFilesAfterEnv=x shard= showConfig showSeed silent \
     testEnvironment=x testMatch= t= testNamePattern= testPathIgnorePatterns= testPathPattern= testPathPatterns= testRegex= testResultsProcessor=x testRunner=x testSequencer=x \
     testTimeout= transform=x u updateSnapshot useStderr verbose watch watchAll watchman h help",
    &[verb("", "version", Nothing, &[Does::Unless(&["version"], SNAPSHOTS), Does::Trusted]), verb("*", "", Text, &[Does::Execute, Does::If(&["u", "updateSnapshot"], &[Does::Write("**/*.snap")])])],
)
.chosen(Tool::Node);

static VITEST: Program = Program::new(
    "r=g root=g c=x config=x u? update? w watch t= testNamePattern= dir=R ui open api? silent? hideSkippedTests reporter=x outputFile=p coverage? mode= isolate globals dom browser? pool= \
     maxWorkers= minWorkers= environment=x passWithNoTests logHeapUsage allowOnly shard= changed? sequence? inspect? inspectBrk? testTimeout= hookTimeout= bail? retry= diff=x exclude= \
     typecheck? project= run no-color clearScreen no-file-parallelism json? related h help coverage.enabled? coverage.provider= coverage.reporter= coverage.reportsDirectory=P",
    &[
        verb("", "v version", Nothing, &[Does::Unless(&["v", "version"], SNAPSHOTS), Does::Project]),
        verb("*", "", Text, &[Does::Execute, Does::If(&["u", "update"], &[Does::Write("**/*.snap")])]),
    ],
)
.chosen(Tool::Node);

static RUNNERS: Program = Program::new(
    "",
    &[
        verb("", "version V v", Nothing, &[Does::Unless(&["version", "V", "v"], EXECUTES), Does::Trusted]),
        verb("*", "", Text, EXECUTES).stops(),
    ],
)
.no_help()
.chosen(Tool::Node);

static VITE: Program = Program::new(
    "host? port= open? cors strictPort force c=x config=x base= l= logLevel= clearScreen configLoader= profile d? debug? f= filter= m= mode= h help",
    &[
        verb("", "v version", Nothing, &[Does::Unless(&["v", "version"], EXECUTES), Does::Project]),
        verb("build", "target= outDir=P assetsDir= assetsInlineLimit= ssr? sourcemap? minify? manifest? ssrManifest? emptyOutDir w watch app", Text, &[Does::Execute, Does::Unless(&["outDir"], &[Does::Below("dist")])]),
        verb("serve|dev|preview|optimize|*", "outDir=R", Text, EXECUTES),
    ],
)
.chosen(Tool::Node);

static WEBPACK: Program = Program::new(
    "c=x config=x config-name= m merge env= node-env= config-node-env= analyze progress? j? json? fail-on-warnings d= devtool= no-devtool entry=r mode= name= o=P output-path=P t= target= \
     w watch watch-options-stdin stats? no-stats bail h help? presets=x plugins=x out-dir=P out-file=p d=P source-maps? i= input= f= format= p=x plugin=x dir=P file=p",
    &[verb("", "v version V", Nothing, &[Does::Unless(&["v", "version", "V"], EXECUTES), Does::Trusted]), verb("*", "", Text, EXECUTES)],
)
.chosen(Tool::Node);

static ESBUILD: Program = Program::new(
    "bundle minify sourcemap? outfile=p outdir=P platform= target= format= external:? loader:? define:? watch? serve? servedir=R splitting tree-shaking? metafile=p analyze? log-level= \
     color? jsx= tsconfig=r allow-overwrite keep-names main-fields= packages= charset= banner:? footer:? global-name= outbase= help",
    &[verb("", "version", Nothing, &[Does::Unless(&["version"], &[Does::Opaque("it bundles the standard input")]), Does::Project]), verb("*", "", ReadBelow, &[Does::Project, Does::If(&["serve"], &[Does::Network])])],
)
.chosen(Tool::Node);

static TURBO: Program = Program::new(
    "cwd=g api=n login=n token= team= no-color color no-update-notifier skip-infer verbosity= preflight remote-cache-timeout= trace=w heap=w ui= root-turbo-json=g h help",
    &[
        verb("", "version", Nothing, &[Does::Unless(&["version", "h", "help"], EXECUTES), Does::Trusted]),
        verb("ls|info|query|config|telemetry|bin", "F= filter= affected output= p= packages=", Text, EXECUTES),
        verb(
            "run|build|test|lint|dev|watch|*",
            "cache= force? remote-only? no-cache cache-workers= dry-run? graph? daemon no-daemon profile=w summarize? parallel cache-dir=w concurrency= continue? single-package \
             framework-inference? global-deps= env-mode= F= filter= affected output-logs= log-order= only log-prefix= tasks=",
            Text,
            &[Does::Execute, Does::Below(".turbo")],
        ),
        verb("login|logout|link|unlink|prune|gen|daemon|scan", "", Text, &[Does::Execute, Does::Network]).stops(),
    ],
)
.chosen(Tool::Node);

static NX: Program = Program::new(
    "h help verbose",
    &[
        verb("", "version", Nothing, &[Does::Unless(&["version"], EXECUTES), Does::Trusted]),
        verb("report|list|show", "json projects? affected type=", Text, EXECUTES),
        verb("publish|release", "", Text, &[Does::Execute, Does::Remote]).stops(),
        verb("*", "", Text, EXECUTES).stops(),
    ],
)
.no_help()
.chosen(Tool::Node);
static FRAMEWORKS: Program = Program::new(
    "",
    &[
        verb("", "version v", Nothing, &[Does::Unless(&["version", "v"], EXECUTES), Does::Trusted]),
        verb("info|--version", "", Nothing, EXECUTES),
        verb("*", "", Text, EXECUTES).stops(),
    ],
)
.no_help()
.chosen(Tool::Node);
static RUNS: Program =
    Program::new("", &[verb("", "", Nothing, EXECUTES), verb("*", "", Text, &[Does::ExecuteFirst]).stops()])
        .no_help()
        .chosen(Tool::Node);
