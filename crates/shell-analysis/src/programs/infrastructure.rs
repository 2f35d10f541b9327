//! terraform and other tools that describe machines (`terraform COMMAND -help`, 1.11; the manuals of pulumi, ansible,
//! packer and vagrant). Providers are programs that a configuration names; state holds secrets.

use super::{
    project_overrides::Tool,
    spec::{Operands, Spec},
    subcommands::{Does, EXECUTES, PROJECT, Program, REPORTS, verb},
};
use Operands::{None as Nothing, Read, Text};

pub(super) const SPECS: &[Spec] = &[
    Spec::verbs(&["terraform", "tofu"], &TERRAFORM),
    Spec::verbs(&["terragrunt"], &TERRAGRUNT),
    Spec::verbs(&["tflint", "tfsec", "checkov", "trivy"], &SCANNERS),
    Spec::verbs(&["ansible", "ansible-playbook", "ansible-console", "ansible-pull"], &ANSIBLE),
    Spec::verbs(
        &[
            "ansible-galaxy",
            "ansible-inventory",
            "ansible-config",
            "ansible-doc",
            "ansible-vault",
            "ansible-lint",
        ],
        &ANSIBLE_TOOLS,
    ),
    Spec::verbs(&["pulumi"], &PULUMI),
    Spec::verbs(&["packer"], &PACKER),
    Spec::verbs(&["vagrant"], &VAGRANT),
    Spec::verbs(&["vault", "consul", "nomad"], &VAULT),
    Spec::verbs(&["cdk", "sam", "serverless", "sls"], &SERVERLESS),
];

/// It asks whether there is a newer one.
const VERSION: &[Does] = &[Does::Project, Does::Host("checkpoint-api.hashicorp.com")];
const STATE: &[Does] = &[Does::Project, Does::Network, Does::Secrets];
const APPLIES: &[Does] = &[Does::Execute, Does::Remote];
macro_rules! run {
    () => {
        "lock? lock-timeout= input? no-color json compact-warnings parallelism= state=p state-out=p backup=p var= var-file=r target= replace= refresh? refresh-only destroy auto-approve \
         detailed-exitcode generate-config-out=p out=p reconfigure migrate-state force-copy upgrade backend? backend-config=o get? from-module=o plugin-dir=x lockfile= test-directory= \
         ignore-remote-version allow-missing config=g force dry-run "
    };
}
static TERRAFORM: Program = Program::new(
    "chdir=g help h",
    &[
        verb("", "version v", Nothing, VERSION),
        verb("version", "json", Nothing, VERSION),
        // Written in place unless it is only asked.
        verb(
            "fmt",
            "list? write? diff check no-color recursive",
            Operands::ReadBelow,
            &[
                Does::Project,
                Does::Unless(
                    &["check"],
                    &[
                        Does::Unless(&["write"], &[Does::On(Operands::ChangeBelow)]),
                        Does::If(&["write"], &[Does::Opaque("`-write` may be true")]),
                    ],
                ),
            ],
        ),
        // The schemas come from the providers, which are started for it.
        verb("validate", "json no-color no-tests test-directory=", Text, &[Does::Execute]),
        verb("providers", "test-directory=", Nothing, &[Does::Project, Does::Network]),
        verb("modules", "json", Nothing, PROJECT),
        verb("metadata functions", "json", Nothing, PROJECT),
        verb("workspace show", "", Nothing, PROJECT),
        verb("workspace list", "", Text, STATE),
        verb("graph", "plan=r draw-cycles type= module-depth=", Nothing, EXECUTES),
        verb("output", "state=r no-color json raw", Text, STATE),
        verb("show", "no-color json", Read, STATE),
        verb("state list|show|pull|identities", "state=r id= json no-color", Text, STATE),
        verb("plan", run!(), Text, &[Does::Execute, Does::Network]),
        verb(
            "providers schema|lock|mirror",
            "json fs-mirror=R net-mirror=n platform= enable-plugin-cache",
            Text,
            &[Does::Execute, Does::Network, Does::Write(".terraform.lock.hcl")],
        ),
        verb(
            "init|get",
            concat!(run!(), "update"),
            Text,
            &[Does::Execute, Does::Network, Does::Below(".terraform"), Does::Write(".terraform.lock.hcl")],
        ),
        verb(
            "apply|destroy|import|refresh|taint|untaint|test|console|force-unlock|login|logout|push",
            concat!(run!(), "cloud-run= filter= verbose junit-xml=p plan or-create"),
            Text,
            APPLIES,
        ),
        verb("state mv|rm|push|replace-provider", concat!(run!(), "lock"), Text, APPLIES),
        verb("workspace select|new|delete", concat!(run!(), "or-create"), Text, APPLIES),
    ],
)
.one_dash()
.chosen(Tool::Terraform);
static TERRAGRUNT: Program = Program::new(
    "",
    &[
        verb("", "version v", Nothing, &[Does::Unless(&["version", "v"], EXECUTES), Does::Project]),
        verb("*", "", Text, APPLIES).stops(),
    ],
)
.no_help()
.chosen(Tool::Terraform);
/// Plugins and policies of the project run.
static SCANNERS: Program = Program::new(
    "chdir=g c=x config=x config-file=x f= format= o=p output=p h help quiet q soft-fail no-color",
    &[
        verb(
            "",
            "v version",
            Nothing,
            &[Does::Unless(&["v", "version", "h", "help"], EXECUTES), Does::Trusted],
        ),
        verb(
            "*",
            "d=R directory=R severity= scanners= exit-code= ignore-unfixed skip-dirs=",
            Text,
            &[Does::Execute, Does::Network],
        ),
    ],
)
.chosen(Tool::Other);

/// Host lists, roles and plugins are code, and the hosts are others.
static ANSIBLE: Program = Program::new(
    "i=R inventory=R m= module-name= a= args= b become C check D diff e=r extra-vars=r f= forks= l= limit= t= tags= skip-tags= u= user= v verbose vv vvv vvvv k ask-pass K \
     ask-become-pass vault-password-file=x vault-id=x private-key=r list-hosts list-tasks list-tags syntax-check step start-at-task= M=x module-path=x playbook-dir=g h help \
     flush-cache force-handlers c= connection= T= timeout= ssh-extra-args=x ssh-common-args=x o one-line B= P= become-user= become-method=",
    &[
        verb("", "version", Nothing, &[Does::Trusted, Does::Unless(&["version"], EXECUTES)]),
        verb("*", "", Text, &[Does::Execute, Does::Network]),
    ],
);
static ANSIBLE_TOOLS: Program = Program::new(
    "h help v verbose vv vvv",
    &[
        verb(
            "",
            "version list l graph",
            Nothing,
            // `ansible.cfg` of the working directory names programs, and a file for the log.
            &[Does::Trusted, Does::Unless(&["version"], &[Does::Execute, Does::Secrets])],
        ),
        verb("*", "", Text, &[Does::Execute, Does::Network, Does::Secrets]).stops(),
    ],
);

/// A program describes the stack, and every command may run it.
static PULUMI: Program = Program::new(
    "C=g cwd=g s= stack= color= e emoji logflow logtostderr non-interactive profiling=w tracing=n v= verbose= disable-integrity-checking h help j json",
    &[
        verb("version|help", "", Text, PROJECT),
        verb("about", "t transitive", Nothing, EXECUTES),
        verb("whoami", "v", Nothing, &[Does::Project, Does::Host("api.pulumi.com")]),
        verb("stack ls", "a all o= organization= p= project= t= tag=", Nothing, &[Does::Project, Does::Host("api.pulumi.com")]),
        verb("plugin ls", "p project", Nothing, PROJECT),
        verb("stack|config|state|logs|env", "show-secrets show-ids show-urns show-name i", Text, &[Does::Execute, Does::Network, Does::Secrets]).stops(),
        verb("preview|up|update|destroy|refresh|import|cancel|new|login|logout|plugin|policy|watch|install|convert|package|org|*", "", Text, APPLIES).stops(),
    ],
)
.chosen(Tool::Other);
static PACKER: Program = Program::new(
    "machine-readable h help",
    &[
        verb("", "v version", Nothing, PROJECT),
        verb("version|plugins", "", Nothing, PROJECT),
        verb("fmt", "check diff write? recursive", Operands::ReadBelow, &[Does::Project, Does::Unless(&["check"], &[Does::On(Operands::ChangeBelow)])]),
        verb("inspect", "", Operands::ReadBelow, EXECUTES),
        verb("build|validate|init|console|hcl2_upgrade|fix|plugins", "var= var-file=r only= except= force on-error= timestamp-ui color? parallel-builds= syntax-only upgrade", Operands::ReadBelow, APPLIES),
    ],
)
.one_dash()
.chosen(Tool::Other);
/// The Vagrantfile is code.
static VAGRANT: Program = Program::new(
    "h help",
    &[
        verb("", "v version", Nothing, &[Does::Unless(&["v", "version"], EXECUTES)]),
        verb("*", "", Text, &[Does::Execute, Does::System]).stops(),
    ],
)
.no_help();

/// What they show is what they keep secret.
static VAULT: Program = Program::new(
    "h help",
    &[
        verb("", "v version", Nothing, REPORTS),
        verb("version", "", Nothing, REPORTS),
        verb("*", "", Text, &[Does::Remote, Does::Secrets]).stops(),
    ],
)
.no_help();
static SERVERLESS: Program = Program::new(
    "",
    &[
        verb("", "version v", Nothing, &[Does::Unless(&["version", "v"], EXECUTES), Does::Project]),
        verb("*", "", Text, APPLIES).stops(),
    ],
)
.no_help()
.chosen(Tool::Node);
