//! Checkers, formatters and test runners for Python (`--help` of each). Test runners, mypy's and pylint's plugins,
//! flake8's and pre-commit's hooks are code that the project names; black, isort and ruff run none of it.

use super::{
    project_overrides::Tool,
    spec::{Operands, Spec},
    subcommands::{Does, EXECUTES, PROJECT, Program, REPORTS, verb},
};
use Operands::{None as Nothing, ReadBelow, Text};

pub(super) const SPECS: &[Spec] = &[
    Spec::verbs(&["pytest", "py.test"], &PYTEST),
    Spec::verbs(&["ruff"], &RUFF),
    Spec::verbs(&["black"], &BLACK),
    Spec::verbs(&["isort"], &ISORT),
    Spec::verbs(&["mypy", "dmypy"], &MYPY),
    Spec::verbs(&["pyright", "basedpyright"], &PYRIGHT),
    Spec::verbs(&["flake8", "pycodestyle", "pyflakes"], &FLAKE8),
    Spec::verbs(&["pylint"], &PYLINT),
    Spec::verbs(&["pre-commit"], &PRE_COMMIT),
    Spec::verbs(&["tox", "nox"], &TOX),
    Spec::verbs(&["coverage"], &COVERAGE),
    Spec::verbs(&["jupyter", "jupyter-lab", "jupyter-notebook", "ipython"], &JUPYTER),
    Spec::verbs(&["bandit"], &BANDIT),
    Spec::verbs(&["autopep8", "yapf"], &AUTOPEP8),
];

static PYTEST: Program = Program::new(
    "k= m= markers x exitfirst maxfail= strict-config strict-markers strict fixtures funcargs fixtures-per-test pdb pdbcls=x trace capture= s runxfail lf last-failed ff \
     failed-first nf new-first cache-show? cache-clear lfnf= sw stepwise sw-skip stepwise-skip durations= durations-min= v verbose no-header no-summary q quiet verbosity= r= \
     disable-warnings disable-pytest-warnings l showlocals no-showlocals tb= show-capture= full-trace color= code-highlight= pastebin=n junit-xml=p junitxml=p junit-prefix= W= \
     pythonwarnings= collect-only co pyargs ignore= ignore-glob= deselect= confcutdir=m noconftest keep-duplicates collect-in-virtualenv continue-on-collection-errors import-mode= \
     doctest-modules doctest-report= doctest-glob= c=x config-file=x rootdir=g basetemp=w p=x disable-plugin-autoload trace-config debug?w o=x override-ini=x assert= setup-only \
     setup-show setup-plan log-level= log-format= log-date-format= log-cli-level= log-file=p log-file-level= n= numprocesses= dist= cov?  cov-report=k cov-config=r cov-branch no-cov \
     cov-fail-under= cov-append timeout= asyncio-mode= benchmark-only reruns= h help",
    &[verb("", "V version", Nothing, &[Does::Unless(&["V", "version"], &[Does::Execute]), Does::Trusted]), verb("*", "", ReadBelow, EXECUTES)],
)
.no_help()
.chosen(Tool::Python);

macro_rules! ruff_files {
    () => {
        "select= ignore= extend-select= per-file-ignores= extend-per-file-ignores= fixable= unfixable= extend-fixable= exclude= extend-exclude= respect-gitignore \
         no-respect-gitignore force-exclude n no-cache cache-dir=w stdin-filename= target-version= preview no-preview extension= output-format= diff "
    };
}
/// ruff has no plugins; its cache stays in a directory that it makes in the project.
static RUFF: Program = Program::new(
    "h help v verbose q quiet s silent config=c isolated color=",
    &[
        verb("", "V version", Nothing, REPORTS),
        verb("version|help", "output-format=", Text, REPORTS),
        verb("rule|linter|config", "all output-format=", Text, REPORTS),
        verb("analyze graph", "direction= detect-string-imports min-dots= preview target-version=", ReadBelow, REPORTS),
        verb(
            "check",
            concat!(
                ruff_files!(),
                "fix unsafe-fixes show-fixes w watch fix-only ignore-noqa o=p output-file=p statistics add-noqa? add-ignore? show-files show-settings e exit-zero \
                 exit-non-zero-on-fix no-fix no-unsafe-fixes no-show-fixes"
            ),
            ReadBelow,
            &[
                Does::Unless(&["n", "no-cache"], &[Does::Below(".ruff_cache")]),
                // The configuration may say `fix = true`, or `fix-only = true`, which `--no-fix` leaves.
                Does::Project,
                Does::Unless(&["diff", "isolated", "show-files", "show-settings"], &[Does::Obeys(Tool::Ruff)]),
                Does::If(&["fix", "fix-only", "unsafe-fixes", "add-noqa", "add-ignore"], &[Does::Unless(&["diff"], &[Does::On(Operands::ChangeBelow)])]),
            ],
        ),
        verb(
            "format",
            concat!(ruff_files!(), "check line-length= range= exit-non-zero-on-format"),
            ReadBelow,
            &[
                Does::Unless(&["n", "no-cache"], &[Does::Below(".ruff_cache")]),
                Does::Unless(&["check", "diff"], &[Does::On(Operands::ChangeBelow)]),
            ],
        ),
        verb("clean", "", Text, &[Does::Delete(".ruff_cache"), Does::On(Operands::WriteBelow)]),
        verb("server", "", Text, &[Does::Terminal]),
    ],
)
.chosen(Tool::Python);

/// black keeps its cache in the user's directory.
static BLACK: Program = Program::new(
    "l= line-length= t= target-version= pyi ipynb python-cell-magics= x skip-source-first-line S skip-string-normalization C skip-magic-trailing-comma preview unstable \
     enable-unstable-feature= check diff color no-color line-ranges= fast safe required-version= exclude= extend-exclude= force-exclude= stdin-filename= include= W= workers= q \
     quiet v verbose config=r cache-dir=P no-cache h help",
    &[
        verb("", "version c= code=", Nothing, REPORTS),
        verb(
            "*",
            "",
            ReadBelow,
            &[
                Does::Unless(&["diff", "no-cache"], &[Does::Opaque("it keeps a cache in the home directory")]),
                Does::Unless(&["check", "diff"], &[Does::On(Operands::ChangeBelow)]),
            ],
        ),
    ],
)
.chosen(Tool::Python);

/// `--formatter` and profiles load plugins.
static ISORT: Program = Program::new(
    "v verbose q quiet d stdout df diff c check-only check overwrite-in-place show-config show-files sp=r settings-path=r settings-file=r profile=x j= jobs= s= skip= extend-skip= \
     sg= skip-glob= filter-files gitignore skip-gitignore filename= ac atomic interactive l= line-length= w= line-width= m= multi-line= tc trailing-comma formatter=x color py= \
     python-version= src= src-path= p= project= o= thirdparty= float-to-top a= add-import= rm= remove-import= ls length-sort sl force-single-line-imports h help",
    &[
        verb("", "V version vn version-number", Nothing, REPORTS),
        verb("*", "", ReadBelow, &[Does::Project, Does::Unless(&["c", "check", "check-only", "d", "stdout", "show-files", "show-config"], &[Does::On(Operands::ChangeBelow)])]),
    ],
)
.chosen(Tool::Python);

static MYPY: Program = Program::new(
    "h help v verbose O= output= config-file=x no-config ignore-missing-imports follow-imports= python-executable=x no-site-packages python-version= platform= always-true= \
     always-false= disallow-any-expr disallow-any-generics disallow-untyped-calls disallow-untyped-defs disallow-incomplete-defs check-untyped-defs no-implicit-optional \
     warn-redundant-casts warn-unused-ignores warn-return-any warn-unreachable strict-equality strict disable-error-code= enable-error-code= show-error-context \
     show-column-numbers show-error-end hide-error-codes pretty no-color-output no-error-summary show-absolute-path no-incremental cache-dir=w sqlite-cache show-traceback tb \
     explicit-package-bases namespace-packages exclude= m= module= p= package= c= command= install-types!x non-interactive html-report=P xml-report=P txt-report=P junit-xml=p \
     any-exprs-report=P cobertura-xml-report=P linecount-report=P lineprecision-report=P custom-typeshed-dir=R shadow-file=r scripts-are-modules pdb",
    &[
        verb("", "V version", Nothing, &[Does::Unless(&["V", "version"], &[Does::Execute, Does::Below(".mypy_cache")]), Does::Project]),
        verb("*", "", ReadBelow, &[Does::Execute, Does::Below(".mypy_cache")]),
    ],
)
.chosen(Tool::Python);

/// It runs the project's interpreter to find packages.
static PYRIGHT: Program = Program::new(
    "createstub=w dependencies h help ignoreexternal level= outputjson p=g project=g pythonplatform= pythonpath=x pythonversion= skipunannotated stats t=m typeshedpath=m threads? \
     v=m venvpath=m verbose verifytypes= warnings w watch",
    &[verb("", "version", Nothing, &[Does::Unless(&["version"], &[Does::Execute]), Does::Project]), verb("*", "", ReadBelow, EXECUTES)],
)
.chosen(Tool::Python);

/// Plugins are loaded before any option is looked at.
static FLAKE8: Program = Program::new(
    "h help v verbose output-file=p append-config=x config=x isolated enable-extensions=x require-plugins= q quiet color= count exclude= extend-exclude= filename= \
     stdin-display-name= format= hang-closing ignore= extend-ignore= per-file-ignores= max-line-length= max-doc-length= indent-size= select= extend-select= disable-noqa \
     show-source no-show-source statistics exit-zero j= jobs= tee benchmark bug-report max-complexity= builtins= doctests first diff show-pep8",
    &[verb("", "version", Nothing, &[Does::Unless(&["version"], &[Does::Execute]), Does::Trusted]), verb("*", "", ReadBelow, EXECUTES)],
)
.no_help()
.chosen(Tool::Python);

static PYLINT: Program = Program::new(
    "h help rcfile=x output=p help-msg= list-msgs list-msgs-enabled list-groups list-conf-levels list-extensions generate-rcfile generate-toml-config long-help init-hook=x E \
     errors-only v verbose ignore= ignore-patterns= ignore-paths= persistent= load-plugins=x fail-under= fail-on= j= jobs= extension-pkg-allow-list=x extension-pkg-whitelist=x \
     exit-zero from-stdin source-roots= recursive= py-version= ignored-modules= f=x output-format=x r= reports= s= score= msg-template= confidence= e= enable= d= disable= \
     max-line-length= max-args= max-locals= max-branches= good-names= bad-names= import-graph=w ext-import-graph=w int-import-graph=w",
    &[verb("", "version", Nothing, &[Does::Unless(&["version"], &[Does::Execute]), Does::Trusted]), verb("*", "", ReadBelow, EXECUTES)],
)
.no_help()
.chosen(Tool::Python);

static PRE_COMMIT: Program = Program::new(
    "h help c=x config=x color= v verbose",
    &[
        // Alone it is `pre-commit run`.
        verb(
            "",
            "V version",
            Nothing,
            &[Does::Unless(&["V", "version"], &[Does::Execute, Does::Write("**/*")])],
        ),
        verb("sample-config|help", "", Text, REPORTS),
        verb("validate-config|validate-manifest", "", Operands::Read, REPORTS),
        verb(
            "run",
            "a all-files files show-diff-on-failure fail-fast hook-stage= from-ref= to-ref= s= o= source= origin= remote-branch= local-branch=",
            Text,
            &[Does::Execute, Does::Write("**/*")],
        ),
        verb(
            "install|uninstall|install-hooks|init-templatedir",
            "f overwrite install-hooks t= hook-type= allow-missing-config",
            Text,
            &[Does::Execute, Does::Network, Does::Below(".git/hooks")],
        ),
        verb(
            "autoupdate|migrate-config",
            "bleeding-edge freeze repo= j= jobs=",
            Text,
            &[Does::Execute, Does::Network, Does::Write(".pre-commit-config.yaml")],
        ),
        verb("clean|gc|try-repo|hook-impl", "", Text, EXECUTES).stops(),
    ],
);

static TOX: Program = Program::new(
    "h help colored= stderr-color= exit-and-dump-after= c=x conf=x workdir=P root=g runner= no-provision no-recreate-provision r recreate x=x override=x v verbose vv q quiet e= f= \
     m= p? parallel= notest skip-pkg-install develop result-json=p s= session= sessions= k= keywords= t= tags= l list list-sessions noxfile=x envdir=P R N \
     reuse-existing-virtualenvs no-install install-only non-interactive force-python= P= default-venv-backend= db= stop-on-first-error json usage=",
    &[verb("", "version", Nothing, &[Does::Unless(&["version"], &[Does::Execute, Does::Below(".tox"), Does::Below(".nox")]), Does::Trusted]), verb("*", "", Text, &[Does::Execute, Does::Below(".tox"), Does::Below(".nox")]).stops()],
)
.no_help()
.chosen(Tool::Python);

static COVERAGE: Program = Program::new(
    "h help rcfile=x debug= data-file=r d= i ignore-errors include= omit= precision= contexts= fail-under= skip-covered skip-empty sort= q quiet",
    &[
        verb("", "version", Nothing, &[Does::Trusted]),
        verb("help", "", Text, PROJECT),
        // Plugins that the configuration names are loaded.
        verb("report", "m show-missing no-skip-covered format=", Text, EXECUTES),
        verb("html|xml|json|lcov|annotate", "d=P directory=P o=p title= show-contexts pretty-print", Text, &[Does::Execute, Does::Below("htmlcov"), Does::Write("coverage.*")]),
        verb("combine|erase", "a append keep", Text, &[Does::Execute, Does::Write(".coverage*")]),
        verb("run", "a append branch concurrency= context= p parallel-mode m source= timid L pylib", Text, &[Does::ExecuteFirst, Does::Write(".coverage*")]).stops(),
        verb("debug", "", Text, &[Does::Execute, Does::Secrets]),
    ],
)
.chosen(Tool::Python);

static JUPYTER: Program = Program::new(
    "h help",
    &[
        verb("", "version paths config-dir data-dir runtime-dir json", Nothing, &[Does::Unless(&["version", "paths", "config-dir", "data-dir", "runtime-dir"], &[Does::Execute]), Does::Project]),
        verb("kernelspec list", "json", Nothing, PROJECT),
        verb("kernelspec install|uninstall|remove", "user name= prefix=P sys-prefix replace f y", Text, &[Does::System]),
        verb("nbconvert", "to= output=p output-dir=P execute inplace stdout template= no-input no-prompt allow-errors config=x log-level=", Operands::Read, &[Does::Execute, Does::Write("*")]),
        verb("notebook|lab|server|console|execute|run|qtconsole|trust|migrate|troubleshoot|*", "", Text, &[Does::Execute]).stops(),
    ],
)
.no_help()
.chosen(Tool::Python);

static BANDIT: Program = Program::new(
    "h help r recursive a= aggregate= n= number= c=r configfile=r p= profile= t= tests= s= skip= l ll lll severity-level= i ii iii confidence-level= f= format= msg-template= o=p \
     output=p v verbose d debug q quiet silent ignore-nosec x= exclude= b=r baseline=r ini=r exit-zero",
    &[verb("", "version", Nothing, REPORTS), verb("*", "", ReadBelow, &[Does::Project, Does::Obeys(Tool::Bandit)])],
)
.chosen(Tool::Python);

/// The configuration may say `in_place = true`.
static AUTOPEP8: Program = Program::new(
    "h help v verbose d diff i in-place p= parallel r recursive e= exclude= style=r no-local-style a aggressive max-line-length= select= ignore= j= jobs= l= lines= hang-closing \
     exit-code list-fixes global-config=r ignore-local-config q quiet m print-modified experimental",
    &[
        verb("", "version", Nothing, REPORTS),
        verb("*", "", ReadBelow, &[Does::Project, Does::Unless(&["d", "diff", "ignore-local-config"], &[Does::Obeys(Tool::Autopep8)]), Does::If(&["i", "in-place"], &[Does::On(Operands::ChangeBelow)])]),
    ],
)
.chosen(Tool::Python);
