//! Clients of databases (`psql --help`, `mysql --help`, `redis-cli --help`; SQLite's "Command Line Shell"). A query can
//! do anything that the account may, so only listings and what provably only reads are unasked.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
    subcommands::{Does, Program, REMOTE, verb},
};
use crate::{EffectKind, PathTarget, Value};
use Operands::{None as Nothing, Text};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(&["sqlite3"], "", Operands::Custom(sqlite)),
    Spec::verbs(&["psql", "pgcli"], &PSQL),
    Spec::verbs(&["pg_dump", "pg_dumpall", "mysqldump", "mariadb-dump", "mongodump", "mongoexport"], &DUMPS),
    Spec::verbs(
        &[
            "pg_restore",
            "mongorestore",
            "mongoimport",
            "createdb",
            "dropdb",
            "createuser",
            "dropuser",
            "initdb",
            "pg_ctl",
            "vacuumdb",
            "reindexdb",
        ],
        &CHANGES,
    ),
    Spec::verbs(&["pg_isready", "mysqladmin", "mariadb-admin"], &READY),
    Spec::verbs(&["mysql", "mariadb", "mycli"], &MYSQL),
    Spec::verbs(&["redis-cli", "valkey-cli"], &REDIS),
    Spec::verbs(&["mongosh", "mongo"], &MONGO),
    Spec::verbs(&["duckdb", "clickhouse", "clickhouse-client", "cqlsh", "influx", "usql"], &OTHERS),
    Spec::verbs(
        &[
            "prisma",
            "alembic",
            "flyway",
            "liquibase",
            "sqlx",
            "diesel",
            "knex",
            "sequelize",
            "typeorm",
            "drizzle-kit",
            "dbmate",
            "goose",
            "migrate",
        ],
        &MIGRATIONS,
    ),
];

static PSQL: Program = Program::new(
    "c=x command=x f=x file=x d= dbname= h=n host=n p= port= U= username= w no-password W password A no-align t tuples-only q quiet X no-psqlrc v=x set=x variable=x l list 1 \
     single-transaction a echo-all b e echo-queries E echo-hidden n no-readline o=w output=w s S L=w log-file=w F= field-separator= H html P= pset= R= T= x expanded z 0 csv",
    &[
        verb("", "V version help?", Nothing, &[Does::Unless(&["V", "version", "help"], &[Does::Execute, Does::Network])]),
        verb("*", "", Text, &[Does::Execute, Does::Network]),
    ],
)
.no_help();

static DUMPS: Program = Program::new(
    "",
    &[
        verb("", "V version", Nothing, &[Does::Unless(&["V", "version"], &[Does::Network, Does::Secrets])]),
        verb("*", "", Text, &[Does::Network, Does::Secrets]).stops(),
    ],
)
.no_help();
static CHANGES: Program = Program::new(
    "",
    &[
        verb("", "V version", Nothing, &[Does::Unless(&["V", "version"], REMOTE)]),
        verb("*", "", Text, REMOTE).stops(),
    ],
)
.no_help();
/// Whether a server answers; the host is a word.
static READY: Program = Program::new(
    "d= dbname= h=n host=n p= port= q quiet t= timeout= U= username= u= user=",
    &[
        verb(
            "",
            "V version help",
            Nothing,
            &[Does::Unless(&["V", "version", "help", "h", "host"], &[Does::Host("the database server")])],
        ),
        verb("*", "", Text, &[Does::Remote, Does::Secrets]),
    ],
)
.no_help();
static MYSQL: Program = Program::new(
    "e=x execute=x D= database= h=n host=n P= port= u= user= p? password? S= socket= B batch N skip-column-names s silent t table E vertical v verbose r raw H html X xml c comments f \
     force i init-command=x tee=w defaults-file=x defaults-extra-file=x login-path= protocol= plugin-dir=x default-auth= local-infile? pager?x ssl-ca=r ssl-cert=r ssl-key=r",
    &[verb("", "V version help I ?", Nothing, &[Does::Unless(&["V", "version", "help", "I"], &[Does::Execute, Does::Network])]), verb("*", "", Text, &[Does::Execute, Does::Network])],
)
.no_help();
/// Commands are operands; those that read send keys to the server that the words or the configuration name.
static REDIS: Program = Program::new(
    "h=n p= s= a= user= pass= u=n n= 2 3 d= D= c e tls sni= cacert=r cert=r key=r raw no-raw json csv quoted-json eval=x x X= i= r= t= no-auth-warning stat latency bigkeys memkeys \
     hotkeys scan pattern= count= rdb=w functions-rdb=w pipe!n cluster!n intrinsic-latency= lru-test= ldb!x",
    &[
        verb("", "v version help", Nothing, &[Does::Unless(&["v", "version", "help"], &[Does::Terminal, Does::Network])]),
        verb("ping|PING|dbsize|DBSIZE|time|TIME|lastsave|LASTSAVE|role|ROLE", "", Nothing, &[Does::Host("the database server")]),
        verb("*", "", Text, &[Does::Network, Does::Opaque("a command of the database that may change it")]),
    ],
)
.no_help();
static MONGO: Program = Program::new(
    "",
    &[
        verb("", "version", Nothing, &[Does::Unless(&["version"], &[Does::Execute, Does::Network])]),
        verb("*", "", Text, &[Does::Execute, Does::Network]).stops(),
    ],
)
.no_help();
static OTHERS: Program = Program::new(
    "",
    &[
        verb("", "version", Nothing, &[Does::Unless(&["version"], &[Does::Execute])]),
        verb("*", "", Text, &[Does::Execute, Does::Network]).stops(),
    ],
)
.no_help();
static MIGRATIONS: Program = Program::new(
    "",
    &[
        verb("", "version v V", Nothing, &[Does::Execute]),
        verb("*", "", Text, &[Does::Execute, Does::Network]).stops(),
    ],
)
.no_help();

const SQLITE: &str = "readonly header noheader column csv json line list table markdown box html quote ascii tabs bail batch separator= newline= nullvalue= cmd=o init=x deserialize echo \
    stats vfs=x zip!o append!w A!w safe nofollow mmap= pagecache= lookaside= escape= memtrace unsafe-testing!o version help";

/// Only `sqlite3 -readonly -safe 'file:PATH?immutable=1' 'SELECT ...'` leaves everything as it is. Dot commands run
/// programs and write files, and some functions and pragmas do.
fn sqlite(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let reading = super::flags::Reading {
        flags: SQLITE,
        general: "",
        safe: false,
        stops: false,
        one_dash: true,
        equals: false,
    };
    let parsed = build.parse_as(1, &reading);
    if parsed.has(&["version", "help"]) && parsed.operands.is_empty() {
        return;
    }
    let Some(file) = build.operand(&parsed, 0) else {
        build.effect(EffectKind::Opaque("its commands come from the standard input".into()));
        build.effect(EffectKind::Execute(Value::Unknown));
        return;
    };
    let text = file.value.known();
    // Of the parameters of an URI only these are known (SQLite, "Uniform Resource Identifiers").
    let uri = text.and_then(|text| text.strip_prefix("file:")).map(|rest| {
        let rest = rest.split('#').next().unwrap_or_default();
        rest.split_once('?').unwrap_or((rest, ""))
    });
    let path = match uri {
        // Bytes by their numbers, or the name of a machine: any file.
        Some((path, _)) if path.contains('%') || path.starts_with("//") => Value::Unknown,
        Some((path, _)) => Value::Known(path.into()),
        None => file.value.clone(),
    };
    let parameters: Vec<&str> =
        uri.map(|(_, parameters)| parameters.split('&').collect()).unwrap_or_default();
    let odd = uri.is_some_and(|(path, _)| path.contains('%') || path.starts_with("//"))
        || !parameters.iter().all(|one| matches!(*one, "mode=ro" | "immutable=1" | "nolock=1"));
    if odd && uri.is_some() {
        build.opaque(file.span, "a parameter that is not known");
    }
    // Nothing on disk (SQLite, "In-Memory Databases").
    let memory = text == Some(":memory:");
    if !memory {
        build.read(&path, false, file.span);
    }
    if !(memory || parsed.has(&["readonly"]) || parameters.contains(&"mode=ro")) {
        build.write(&path, file.span);
    }
    // Even a reader makes these two for a database with a write-ahead log, unless it is said not to change.
    if !memory && !parameters.contains(&"immutable=1") {
        for end in ["-shm", "-wal"] {
            let beside =
                path.known().map_or(Value::Unknown, |path| Value::Known(format!("{path}{end}").into()));
            build.write(&beside, file.span);
        }
    }
    // A view of the database may call functions that read other files.
    if !parsed.has(&["safe"]) && !build.settings.trusted {
        build.push(EffectKind::Opaque("a view may read other files".into()), file.span);
    }
    if parsed.operands.len() < 2 {
        if let Some(text) = build.input_text() {
            build.code.push(text.to_owned());
        }
        build.effect(EffectKind::Opaque("its commands come from the standard input".into()));
        build.effect(EffectKind::Execute(Value::Unknown));
    }
    for position in 1..parsed.operands.len() {
        let Some(word) = build.operand(&parsed, position) else { continue };
        match word.value.known() {
            Some(text) if selects(text) => {}
            Some(text) => {
                build.code.push(text.to_owned());
                build.push(
                    EffectKind::Opaque("a statement that may change the database or more".into()),
                    word.span,
                );
                if text.trim_start().starts_with('.') {
                    build.push(EffectKind::Write(PathTarget::Unknown), word.span);
                }
            }
            None => build.opaque(word.span, "a statement that is not known"),
        }
    }
}

/// One SELECT of plain words: no second statement, no comment, no function but harmless ones; or a listing.
fn selects(text: &str) -> bool {
    let text = text.trim();
    if matches!(text, ".tables" | ".schema" | ".databases" | ".indexes" | ".dbinfo" | ".fullschema") {
        return true;
    }
    if let Some(name) = text
        .strip_prefix(".schema ")
        .or_else(|| text.strip_prefix(".tables "))
        .or_else(|| text.strip_prefix(".indexes "))
    {
        return !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    }
    let statement = text.strip_suffix(';').unwrap_or(text);
    let lower = statement.to_ascii_lowercase();
    let reads = lower.starts_with("select ") || lower.starts_with("select\n");
    let other =
        ["fsdir", "zipfile", "pragma", "readfile", "writefile", "load_extension", "attach", "edit", "dbstat"];
    // A newline may begin a dot command; quotes may hide one; `load_extension`, `writefile`, `edit` and `readfile` act.
    let harmless = !statement.contains([';', '\n', '\r', '\\'])
        && !statement.contains("--")
        && !statement.contains("/*");
    reads
        && harmless
        && !other.iter().any(|name| lower.contains(name))
        && calls(&lower).all(|name| FUNCTIONS.contains(&name))
}

/// Words in front of an opening parenthesis.
fn calls(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('(').map(|(at, _)| {
        let before = text.get(..at).unwrap_or_default().trim_end();
        let start = before
            .rfind(|char: char| {
                !(char.is_ascii_alphanumeric() || char == '_' || matches!(char, '"' | '`' | ']' | '['))
            })
            .map_or(0, |index| index + 1);
        before.get(start..).unwrap_or_default()
    })
}

const FUNCTIONS: &[&str] = &[
    "",
    "count",
    "sum",
    "min",
    "max",
    "avg",
    "total",
    "length",
    "lower",
    "upper",
    "substr",
    "trim",
    "round",
    "abs",
    "coalesce",
    "ifnull",
    "nullif",
    "date",
    "datetime",
    "time",
    "strftime",
    "julianday",
    "group_concat",
    "in",
    "and",
    "or",
    "where",
    "from",
    "on",
    "by",
    "select",
    "exists",
    "not",
    "distinct",
    "values",
    "as",
    "over",
    "cast",
    "json_extract",
    "instr",
    "replace",
    "typeof",
    "random",
    "hex",
    "printf",
    "like",
    "glob",
    "iif",
    "union",
    "all",
    "when",
    "then",
    "else",
    "case",
    "having",
    "limit",
    "join",
    "between",
];
