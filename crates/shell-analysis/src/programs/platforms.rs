//! Hosting platforms and forges (their manuals). Configuration variables are secrets; most tools are written in
//! JavaScript and read the project's files.

use super::{
    spec::{Operands, Spec},
    subcommands::{Does, Program, REMOTE, REPORTS, SECRETS, verb},
};
use Operands::{None as Nothing, Text};

pub(super) const SPECS: &[Spec] = &[
    Spec::verbs(&["glab"], &GLAB),
    Spec::verbs(&["heroku"], &HEROKU),
    Spec::verbs(&["vercel", "now"], &VERCEL),
    Spec::verbs(&["netlify", "ntl"], &NETLIFY),
    Spec::verbs(&["fly", "flyctl"], &FLY),
    Spec::verbs(&["wrangler"], &WRANGLER),
    Spec::verbs(&["firebase"], &FIREBASE),
    Spec::verbs(&["supabase"], &SUPABASE),
    Spec::verbs(
        &[
            "railway",
            "render",
            "dokku",
            "surge",
            "shopify",
            "stripe",
            "twilio",
            "sentry-cli",
            "newrelic",
            "datadog-ci",
            "sanity",
            "contentful",
            "eas",
            "appwrite",
        ],
        &OTHERS,
    ),
    Spec::verbs(&["hub", "tea", "jira", "linear", "circleci", "act", "buildkite-agent"], &OTHERS),
];

const GITLAB: &[Does] = &[Does::Host("gitlab.com")];
/// With `-R` or `-g` a word names the host.
static GLAB: Program = Program::new(
    "R=n repo=n g=n group=n help h",
    &[
        verb("", "v version", Nothing, REPORTS),
        verb("version", "", Nothing, REPORTS),
        verb(
            "mr|issue|ci|pipeline|release|repo|project|label|milestone|schedule|snippet|runner list|ls",
            "a= A all author= assignee= c closed d draft F= output= l= label= m= merged M= milestone= p= page= P= per-page= r= reviewer= s= status= S= search= source-branch= t= target-branch= not-draft o= order= b= branch= opened not-label= sort=",
            Nothing,
            GITLAB,
        ),
        verb(
            "mr view|diff|show",
            "c comments p= page= P= per-page= F= output= color= raw s system-logs",
            Text,
            GITLAB,
        ),
        verb(
            "issue|release|repo|project view|show",
            "c comments p= page= P= per-page= F= output= s system-logs b= branch=",
            Text,
            GITLAB,
        ),
        verb(
            "ci|pipeline status|get|trace",
            "b= branch= l live c compact F= output= p= pipeline-id= d with-job-details",
            Text,
            GITLAB,
        ),
        verb("auth status", "hostname=n t!o show-token!o a all", Nothing, GITLAB),
        verb("config get|variable|securefile|token|auth|cluster", "", Text, SECRETS).stops(),
        verb("*", "", Text, &[Does::Remote, Does::Execute]).stops(),
    ],
);

const HEROKU_READS: &[Does] = &[Does::Host("heroku.com")];
static HEROKU: Program = Program::new(
    "a= app= r= remote= json help h t team= space= p= A all x extended",
    &[
        verb("", "version", Nothing, REPORTS),
        verb("version", "", Nothing, REPORTS),
        verb("apps|apps:info|info|ps|releases|releases:info|domains|addons|pipelines|regions|status|whoami|auth:whoami|features|labs|stack|buildpacks|maintenance", "", Text, HEROKU_READS),
        verb("config|config:get|pg:credentials:url|auth:token|logs", "", Text, SECRETS),
        verb("*", "", Text, REMOTE).stops(),
    ],
)
.no_help();

static VERCEL: Program = Program::new(
    "cwd=g A=x local-config=x Q=w global-config=w d debug t=o token=o S= scope= T= team= no-color help h y yes",
    &[
        verb("", "v version", Nothing, &[Does::Unless(&["v", "version", "h", "help"], &[Does::Execute, Does::Remote])]),
        verb("ls|list|whoami|inspect", "m= meta= n= next= environment= p= policy= confirm wait timeout= l logs", Text, &[Does::Host("vercel.com")]),
        verb("domains|dns|certs|teams|projects|project|alias ls|list", "n= next= limit=", Text, &[Does::Host("vercel.com")]),
        verb("*", "", Text, &[Does::Execute, Does::Remote]).stops(),
    ],
)
.no_help();

static NETLIFY: Program = Program::new(
    "debug auth=o filter= help h http-proxy=n",
    &[
        verb("", "v version", Nothing, REPORTS),
        verb("status|sites:list", "json verbose", Nothing, &[Does::Host("netlify.com")]),
        verb("*", "", Text, &[Does::Execute, Does::Remote]).stops(),
    ],
)
.no_help();

const FLY_READS: &[Does] = &[Does::Host("fly.io")];
static FLY: Program = Program::new(
    "a= app= c=r config=r j json verbose t=o access-token=o debug o= org= q quiet help h all",
    &[
        verb("version", "", Nothing, REPORTS),
        verb("status|releases|info", "", Nothing, FLY_READS),
        verb(
            "apps|machine|machines|m|volumes|vol|regions|orgs|certs|secrets|postgres|ips list|ls",
            "",
            Text,
            FLY_READS,
        ),
        verb("apps|machine|volumes|orgs show|status", "", Text, FLY_READS),
        verb("platform regions|status|vm-sizes", "", Nothing, FLY_READS),
        verb("auth whoami", "", Nothing, FLY_READS),
        verb("auth|tokens|config", "", Text, SECRETS).stops(),
        verb("*", "", Text, &[Does::Execute, Does::Remote]).stops(),
    ],
);

const CLOUDFLARE: &[Does] = &[Does::Project, Does::Host("cloudflare.com")];
static WRANGLER: Program = Program::new(
    "c=x config=x cwd=g e= env= env-file=r help h json",
    &[
        verb("", "v version", Nothing, &[Does::Project]),
        verb("whoami", "account=", Nothing, CLOUDFLARE),
        verb("deployments|versions list|status", "name=", Nothing, CLOUDFLARE),
        verb("kv namespace list", "", Nothing, CLOUDFLARE),
        verb("d1|queues|hyperdrive|vectorize list", "", Nothing, CLOUDFLARE),
        verb("r2 bucket list", "", Nothing, CLOUDFLARE),
        verb("*", "", Text, &[Does::Execute, Does::Remote]).stops(),
    ],
)
.no_help();

const FIREBASE_READS: &[Does] = &[Does::Project, Does::Host("firebase.google.com")];
static FIREBASE: Program = Program::new(
    "P= project= account= j json token=o non-interactive i interactive debug c=x config=x help h",
    &[
        verb("", "V version", Nothing, &[Does::Project]),
        verb(
            "projects:list|apps:list|login:list|hosting:sites:list|hosting:channel:list|functions:list",
            "site=",
            Text,
            FIREBASE_READS,
        ),
        verb("*", "", Text, &[Does::Execute, Does::Remote]).stops(),
    ],
)
.no_help();

static SUPABASE: Program = Program::new(
    "o= output= debug experimental workdir=g yes network-id= profile=x create-ticket dns-resolver= help h",
    &[
        verb("", "v version", Nothing, REPORTS),
        verb("projects|orgs|functions|branches list", "project-ref=", Nothing, &[Does::Host("supabase.com")]),
        verb("migration list", "", Nothing, &[Does::Execute, Does::Network]),
        verb("status|secrets|projects", "", Text, SECRETS).stops(),
        verb("*", "", Text, &[Does::Execute, Does::Remote]).stops(),
    ],
)
.no_help();

/// Only their versions: no table of their verbs is kept.
static OTHERS: Program = Program::new(
    "",
    &[
        verb("", "version V", Nothing, &[Does::Unless(&["version", "V"], REMOTE)]),
        verb("version", "", Nothing, REPORTS),
        verb("*", "", Text, &[Does::Execute, Does::Remote]).stops(),
    ],
)
.no_help();
