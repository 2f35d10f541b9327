//! pip and the managers of Python packages and environments (`pip COMMAND --help`, `uv COMMAND --help`, `poetry
//! COMMAND --help`; the manuals of conda and pipenv). Installing runs build scripts of what is installed.

use super::{
    project_overrides::Tool,
    spec::{Operands, Spec},
    subcommands::{Does, EXECUTES, PROJECT, Program, REPORTS, SYSTEM, TRUSTED, verb},
};
use Operands::{None as Nothing, Text};

pub(super) const SPECS: &[Spec] = &[
    Spec::verbs(&["pip", "pip3"], &PIP),
    Spec::verbs(&["uv"], &UV),
    Spec::verbs(&["poetry"], &POETRY),
    Spec::verbs(&["pipenv"], &PIPENV),
    Spec::verbs(&["pipx"], &PIPX),
    Spec::verbs(&["conda", "mamba", "micromamba"], &CONDA),
    Spec::verbs(&["hatch"], &HATCH),
    Spec::verbs(&["pdm"], &PDM),
    Spec::verbs(&["pyenv"], &PYENV),
    Spec::verbs(&["twine"], &TWINE),
    Spec::verbs(&["virtualenv"], &VIRTUALENV),
];

/// Another interpreter, another index, another place for what is written.
const PIP_GENERAL: &str = "h help debug isolated require-virtualenv python=x v verbose q quiet log=w no-input keyring-provider=x proxy=n retries= \
    timeout= exists-action= trusted-host= cert=r client-cert=r cache-dir=w no-cache-dir disable-pip-version-check no-color no-python-version-warning \
    use-feature= use-deprecated= i=n index-url=n extra-index-url=n no-index f=n find-links=n ";
const PIP_FILTER: &str = "l local user path=m all exclude= ";

macro_rules! pip_install {
    () => {
        "r=r requirement=r c=r constraint=r no-deps pre e=g editable=g dry-run t=P target=P platform= python-version= implementation= abi= user root=P prefix=P src=P \
         U upgrade upgrade-strategy= force-reinstall I ignore-installed ignore-requires-python no-build-isolation use-pep517 break-system-packages C= config-settings= \
         global-option= compile no-compile no-warn-script-location no-warn-conflicts no-binary= only-binary= prefer-binary require-hashes progress-bar= root-user-action= \
         report=p no-clean group= d=P dest=P w=P wheel-dir=P y yes "
    };
}

const INSTALLED: &[Does] = &[Does::Execute, Does::Network, Does::System];

pub(super) static PIP: Program = Program::new(
    PIP_GENERAL,
    &[
        verb("", "V version", Nothing, REPORTS),
        verb("help", "", Text, REPORTS),
        verb(
            "list",
            "o outdated u uptodate e editable l local user path=m pre format= not-required exclude-editable include-editable exclude=",
            Nothing,
            &[Does::If(&["o", "outdated", "u", "uptodate"], &[Does::Network])],
        ),
        verb("show", "f files", Text, REPORTS),
        verb(
            "freeze",
            concat!("r=r requirement=r exclude-editable ", "l local user path=m all exclude="),
            Nothing,
            REPORTS,
        ),
        verb("inspect", PIP_FILTER, Nothing, REPORTS),
        verb("check", "", Nothing, REPORTS),
        verb("debug", "platform= python-version= implementation= abi=", Nothing, REPORTS),
        verb("hash", "a= algorithm=", Operands::Read, REPORTS),
        verb("completion", "b bash z zsh f fish p powershell", Nothing, REPORTS),
        verb("config list|get|debug", "global user site", Text, &[Does::Secrets]),
        verb("config set|unset", "global user site", Text, SYSTEM),
        verb("config edit", "editor=x global user site", Text, EXECUTES),
        verb("cache dir|info|list", "format=", Text, REPORTS),
        verb("cache remove|purge", "", Text, SYSTEM),
        verb(
            "index versions",
            "platform= python-version= implementation= abi= pre no-binary= only-binary= ignore-requires-python json",
            Text,
            &[Does::Network],
        ),
        verb("search", "", Text, &[Does::Network]),
        verb("install", pip_install!(), Text, INSTALLED),
        verb("uninstall", pip_install!(), Text, SYSTEM),
        verb(
            "download",
            pip_install!(),
            Text,
            &[
                Does::Execute,
                Does::Network,
                Does::Unless(&["d", "dest"], &[Does::Write("*.whl"), Does::Write("*.tar.gz")]),
            ],
        ),
        verb(
            "wheel",
            pip_install!(),
            Text,
            &[Does::Execute, Does::Network, Does::Unless(&["w", "wheel-dir"], &[Does::Write("*.whl")])],
        ),
        verb(
            "lock",
            "r=r requirement=r c=r constraint=r e=g editable=g o=p output=p",
            Text,
            &[Does::Execute, Does::Network, Does::Unless(&["o", "output"], &[Does::Write("pylock.toml")])],
        ),
    ],
);

macro_rules! resolver {
    () => {
        "index=n default-index=n i=n index-url=n extra-index-url=n f=n find-links=n no-index index-strategy= keyring-provider=x U upgrade P= upgrade-package= \
         upgrade-group= resolution= prerelease= prerelease-package= fork-strategy= exclude-newer= exclude-newer-package= no-sources no-sources-package= reinstall \
         reinstall-package= link-mode= compile-bytecode C= config-setting= no-build-isolation no-build-isolation-package= no-build no-build-package= no-binary= \
         no-binary-package= only-binary= refresh refresh-package= extra= all-extras no-extra= dev no-dev only-dev group= no-group= no-default-groups only-group= all-groups \
         locked frozen active package= all-packages python-platform= python-version= universal "
    };
}
const UV_LOCKED: &[Does] = &[
    Does::Trusted,
    Does::Unless(&["frozen", "locked"], &[Does::Write("uv.lock"), Does::Network, Does::Execute]),
];
const UV_CHANGED: &[Does] = &[
    Does::Execute,
    Does::Network,
    Does::Write("pyproject.toml"),
    Does::Write("uv.lock"),
    Does::Below(".venv"),
];
const UV_INSTALLED: &[Does] = &[Does::Execute, Does::Network, Does::Below(".venv")];
const UV_LOCAL: &str =
    "e editable exclude-editable exclude= format= strict system t=m target=m prefix=m path=m f files cert=r";

static UV: Program = Program {
    loose: true,
    ..Program::new(
        "n no-cache cache-dir=w q quiet v verbose color= system-certs native-tls offline allow-insecure-host= no-progress directory=g project=g config-file=x \
         no-config h help p=x python=x managed-python no-managed-python no-python-downloads ",
        &[
            verb("", "V version", Nothing, PROJECT),
            verb("help|generate-shell-completion", "no-pager", Text, PROJECT),
            verb("version", "short dry-run bump= output-format= frozen", Text, &[Does::Project, Does::If(&["bump"], UV_CHANGED), Does::From(1, UV_CHANGED)]),
            verb("self version", "short output-format=", Nothing, TRUSTED),
            verb("self update", "token=", Text, INSTALLED),
            verb("tree", concat!(resolver!(), "d= depth= prune= no-dedupe invert outdated show-sizes format= script=g"), Nothing, UV_LOCKED),
            verb("export", concat!(resolver!(), "format= prune= no-annotate no-header no-hashes no-editable no-emit-project no-emit-workspace no-emit-local no-emit-package= o=p output-file=p script=g"), Nothing, UV_LOCKED),
            verb("lock", concat!(resolver!(), "check check-exists dry-run script=g"), Nothing, &[Does::Execute, Does::Network, Does::Write("uv.lock")]),
            verb("sync", concat!(resolver!(), "output-format= inexact exact no-editable no-install-project no-install-workspace no-install-package= dry-run check script=g"), Nothing, &[Does::Execute, Does::Network, Does::Below(".venv"), Does::Write("uv.lock")]),
            verb("add|remove", concat!(resolver!(), "r=r requirements=r c=r constraints=r m= marker= optional= editable raw bounds= rev= tag= branch= lfs no-sync script=p workspace no-workspace"), Text, UV_CHANGED),
            verb("init", "name= bare package no-package app lib script description= vcs= build-backend= no-readme author-from= no-pin-python no-workspace", Operands::WriteBelow, &[Does::Trusted, Does::Write("pyproject.toml")]),
            verb("build", concat!(resolver!(), "o=P out-dir=P sdist wheel no-build-logs force-pep517 clear b=r build-constraints=r"), Operands::ReadBelow, &[Does::Execute, Does::Network, Does::Below("dist")]),
            verb("publish", "index=n publish-url=n check-url=n u= username= password= t= token= trusted-publishing= dry-run", Operands::Read, &[Does::Trusted, Does::Remote]),
            verb("venv", concat!(resolver!(), "no-project seed c clear force allow-existing prompt= system-site-packages relocatable"), Operands::WriteBelow, UV_INSTALLED),
            verb("pip list", concat!(resolver!(), "e editable exclude-editable exclude= format= outdated strict system t=m target=m prefix=m"), Nothing, &[Does::Trusted, Does::If(&["outdated"], &[Does::Network])]),
            verb("pip freeze|show|check", UV_LOCAL, Text, TRUSTED),
            verb("pip tree", concat!(resolver!(), "d= depth= prune= no-dedupe invert outdated show-sizes show-version-specifiers strict system"), Nothing, &[Does::Trusted, Does::If(&["outdated"], &[Does::Network])]),
            verb(
                "pip install|sync|uninstall",
                concat!(resolver!(), "r=r requirements=r e=g editable=g c=r constraints=r overrides=r b=r build-constraints=r no-deps require-hashes no-verify-hashes system \
                    break-system-packages t=P target=P prefix=P exact strict dry-run user y yes"),
                Text,
                UV_INSTALLED,
            ),
            verb(
                "pip compile",
                concat!(resolver!(), "c=r constraints=r overrides=r b=r build-constraints=r no-deps o=p output-file=p format= no-strip-extras no-strip-markers no-annotate no-header \
                    annotation-style= custom-compile-command= system generate-hashes no-emit-package= emit-index-url emit-find-links"),
                Operands::Read,
                &[Does::Execute, Does::Network],
            ),
            verb("python list", "all-versions all-platforms all-arches only-installed only-downloads show-urls output-format=", Text, &[Does::Trusted, Does::Unless(&["only-installed"], &[Does::Network])]),
            verb("python dir", "bin", Nothing, TRUSTED),
            verb("python find", "no-project system script=g show-version resolve-links", Text, EXECUTES),
            verb("python install|uninstall|pin|upgrade|update-shell", "all i= install-dir=P r reinstall f force default resolved rm global", Text, &[Does::System, Does::Network]),
            verb("tool list", "show-paths show-version-specifiers show-with show-extras show-python", Nothing, TRUSTED),
            verb("tool dir", "bin", Nothing, TRUSTED),
            verb("tool install|upgrade|uninstall|update-shell", concat!(resolver!(), "w= with= e editable with-editable= from= force all"), Text, INSTALLED),
            verb("tool run", concat!(resolver!(), "w= with= from= with-editable= with-requirements=r isolated"), Text, &[Does::Execute, Does::Network]).stops(),
            verb("run", "", Text, EXECUTES).stops(),
            verb("format", "check diff version=", Text, &[Does::Execute, Does::Network, Does::Write("**/*.py")]),
            verb("cache dir|size", "", Nothing, TRUSTED),
            verb("cache clean|prune", "ci force", Text, &[Does::Trusted, Does::System]),
            verb("auth login|logout|token", "u= username= password= t= token=", Text, &[Does::Secrets, Does::Network]),
        ],
    )
    .chosen(Tool::Python)
};

const POETRY_CHANGED: &[Does] =
    &[Does::Execute, Does::Network, Does::Write("pyproject.toml"), Does::Write("poetry.lock")];
/// Plugins of the project are loaded with every command.
static POETRY: Program = Program::new(
    "h help q quiet ansi no-ansi n no-interaction no-plugins no-cache P=g project=g C=g directory=g v verbose vv vvv",
    &[
        verb("", "V version", Nothing, TRUSTED),
        verb("about|list|help", "", Text, TRUSTED),
        verb("show", "without= with= only= t tree why l latest o outdated a all T top-level no-truncate f= format=", Text, &[Does::Trusted, Does::If(&["l", "latest", "o", "outdated"], &[Does::Network])]),
        verb("check", "lock strict", Nothing, TRUSTED),
        verb("version", "s short dry-run next-phase", Text, &[Does::Trusted, Does::From(1, &[Does::Write("pyproject.toml")])]),
        verb("env info", "p path e executable", Nothing, TRUSTED),
        verb("env list", "full-path", Nothing, TRUSTED),
        verb("env use|remove|activate", "all", Text, EXECUTES),
        verb("config", "list unset local migrate", Text, &[Does::Trusted, Does::Secrets, Does::From(2, &[Does::System])]),
        verb("source show", "", Text, TRUSTED),
        verb("source add|remove", "priority= p=", Text, &[Does::Trusted, Does::Write("pyproject.toml")]),
        verb("search", "", Text, &[Does::Network]),
        verb("install|sync", "without= with= only= sync no-root no-directory dry-run E= extras= all-extras all-groups only-root compile", Text, &[Does::Execute, Does::Network]),
        verb("add|remove|update|lock|init", "G= group= D dev e editable E= extras= optional= python= platform= markers= source= allow-prereleases dry-run lock without= with= only= regenerate no-update name= dependency=", Text, POETRY_CHANGED),
        verb("build", "f= format= o=P output=P clean local-version= config-settings=", Nothing, &[Does::Execute, Does::Below("dist")]),
        verb("publish", "r=n repository=n u= username= p= password= cert=r client-cert=r dist-dir=R build dry-run skip-existing", Nothing, &[Does::Execute, Does::Remote]),
        verb("new", "src flat name= description= readme= python=", Operands::WriteBelow, TRUSTED),
        verb("run|shell|export|cache|self", "", Text, EXECUTES).stops(),
    ],
)
.chosen(Tool::Python);

static PIPENV: Program = Program::new(
    "h help verbose v quiet q python=x pypi-mirror=n site-packages no-site-packages clear support",
    &[
        verb("", "version where venv py envs man rm!o", Nothing, &[Does::Trusted, Does::If(&["py"], &[Does::Execute])]),
        verb("graph", "bare json json-tree reverse", Nothing, EXECUTES),
        verb("verify", "", Nothing, TRUSTED),
        verb("requirements", "dev dev-only hash exclude-markers categories= from-pipfile", Nothing, TRUSTED),
        verb("install|uninstall|sync|update|upgrade|lock|clean|check|audit", "d dev deploy ignore-pipfile skip-lock r=r requirements=r e=g editable=g pre keep-outdated selective-upgrade categories= system all dry-run", Text, &[Does::Execute, Does::Network, Does::Write("Pipfile"), Does::Write("Pipfile.lock")]),
        verb("run|shell|scripts|open", "", Text, EXECUTES).stops(),
    ],
)
.chosen(Tool::Python);

static PIPX: Program = Program::new(
    "h help quiet q verbose v global",
    &[
        verb("", "version", Nothing, REPORTS),
        verb("list", "include-injected short json skip-maintenance pinned", Nothing, REPORTS),
        verb("environment", "V= value=", Nothing, REPORTS),
        verb(
            "install|install-all|inject|uninject|upgrade|upgrade-all|upgrade-shared|reinstall|reinstall-all|uninstall|uninstall-all|ensurepath|pin|unpin|interpreter",
            "include-deps f force suffix= python=x preinstall= i=n index-url=n e editable pip-args=x include-apps a skip=",
            Text,
            INSTALLED,
        ),
        verb("run|runpip|completions", "", Text, EXECUTES).stops(),
    ],
);

static CONDA: Program = Program::new(
    "h help json v verbose q quiet no-plugins",
    &[
        verb("", "V version", Nothing, REPORTS),
        verb(
            "list",
            "n= name= p=m prefix=m c canonical f full-name explicit md5 e export r revisions no-pip show-channel-urls",
            Text,
            REPORTS,
        ),
        verb("env list", "", Nothing, REPORTS),
        verb(
            "info",
            "a all base e envs l license s system unsafe-channels",
            Text,
            &[Does::If(&["a", "all", "s", "system", "unsafe-channels"], &[Does::Secrets])],
        ),
        verb(
            "env export",
            "n= name= p=m prefix=m f=p file=p no-builds ignore-channels from-history c= channel= override-channels",
            Nothing,
            REPORTS,
        ),
        verb(
            "config",
            "show show-sources get= add= set= remove= append= prepend= system env file=w",
            Text,
            &[Does::Secrets],
        ),
        verb("search", "c=n channel=n override-channels info i full-name f", Text, &[Does::Network]),
        verb(
            "env create|update|remove|config",
            "n= name= p=P prefix=P f=r file=r prune y yes",
            Text,
            INSTALLED,
        ),
        verb(
            "create|install|update|upgrade|remove|uninstall|clean|init|activate|deactivate|rename|compare|package|build|notices|doctor",
            "n= name= p=P prefix=P c=n channel=n y yes file=r all a dry-run d offline override-channels no-deps only-deps force-reinstall freeze-installed",
            Text,
            INSTALLED,
        ),
        verb("run", "", Text, EXECUTES).stops(),
    ],
);

static HATCH: Program = Program::new(
    "h help e= env= p=g project=g v verbose q quiet color no-color interactive no-interactive data-dir=P cache-dir=P config=x",
    &[
        verb("", "version", Nothing, TRUSTED),
        verb("version", "", Text, &[Does::Execute, Does::From(1, &[Does::Write("**/*.py"), Does::Write("pyproject.toml")])]),
        verb("env show", "ascii json i force-ascii", Text, EXECUTES),
        verb("config show|find", "a all", Nothing, &[Does::Trusted, Does::If(&["a", "all"], &[Does::Secrets])]),
        verb("fmt", "check l linter f formatter sync", Text, &[Does::Execute, Does::Unless(&["check"], &[Does::Write("**/*.py")])]),
        verb("build", "t= target= c clean hooks-only no-hooks ext", Operands::WriteBelow, &[Does::Execute, Does::Below("dist")]),
        verb("publish", "u= user= a= auth= r=n repo=n y yes n no-prompt initialize-auth ca-cert=r client-cert=r", Operands::Read, &[Does::Execute, Does::Remote]),
        verb("run|shell|test|new|clean|dep|env|project|python|self|status", "", Text, EXECUTES).stops(),
    ],
)
.chosen(Tool::Python);

static PDM: Program = Program::new(
    "h help c=x config=x v verbose q quiet p=g project=g g global I ignore-python no-cache n non-interactive",
    &[
        verb("", "V version", Nothing, TRUSTED),
        verb(
            "list",
            "freeze tree r reverse fields= sort= csv json markdown include= exclude= resolve",
            Text,
            TRUSTED,
        ),
        verb("info", "python where packages env json", Nothing, EXECUTES),
        verb("config", "", Text, &[Does::Trusted, Does::Secrets, Does::From(2, &[Does::System])]),
        verb(
            "install|add|remove|update|lock|sync|init|import|venv|use|fix|self|plugin|python|cache",
            "d dev G= group= prod no-lock no-self dry-run e=g editable=g check frozen-lockfile no-sync",
            Text,
            POETRY_CHANGED,
        ),
        verb(
            "build",
            "d=P dest=P no-clean no-sdist no-wheel",
            Nothing,
            &[Does::Execute, Does::Below("dist")],
        ),
        verb(
            "publish",
            "r=n repository=n u= username= P= password= no-build skip-existing",
            Nothing,
            &[Does::Execute, Does::Remote],
        ),
        verb("run|completion|export|outdated|search|show", "", Text, EXECUTES).stops(),
    ],
)
.chosen(Tool::Python);

static PYENV: Program = Program::new(
    "h help",
    &[
        verb("", "version v", Nothing, REPORTS),
        verb(
            "version|versions|root|shims|whence|which|version-name|version-file|version-origin|commands|help|prefix",
            "bare skip-aliases path nosystem",
            Text,
            REPORTS,
        ),
        verb(
            "global|local|shell",
            "unset f force",
            Text,
            &[Does::From(1, &[Does::System, Does::Write(".python-version")])],
        ),
        verb("install", "l list", Text, &[Does::Unless(&["l", "list"], INSTALLED)]),
        verb("uninstall|rehash|init|exec|virtualenv|activate|deactivate|update", "", Text, INSTALLED).stops(),
    ],
);

static TWINE: Program = Program::new(
    "h help no-color",
    &[
        verb("", "version", Nothing, REPORTS),
        verb("check", "strict", Operands::Read, REPORTS),
        verb(
            "upload|register",
            "r=n repository=n repository-url=n s sign sign-with=x i= identity= u= username= p= password= non-interactive c= comment= config-file=r skip-existing cert=r client-cert=r verbose attestations disable-progress-bar",
            Operands::Read,
            &[Does::Remote],
        ),
    ],
);

static VIRTUALENV: Program = Program::new(
    "p=x python=x system-site-packages clear prompt= seeder= no-seed without-pip no-download download extra-search-dir=m pip= v verbose q quiet h help symlinks copies",
    &[verb("", "version", Nothing, REPORTS), verb("*", "", Operands::WriteBelow, EXECUTES)],
);
