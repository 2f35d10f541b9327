//! docker, podman and their relatives (`docker COMMAND --help`, 28; the manuals of compose, buildx, kind and
//! minikube). `exec` and `run` are launchers; what they open of the host is here.

use super::{
    Build,
    flags::{self, Slot},
    spec::{Operands, Spec},
    subcommands::{Does, EXECUTES, Program, REMOTE, REPORTS, SECRETS, SYSTEM, verb},
};
use crate::{EffectKind, PathTarget, Value};
use Operands::{None as Nothing, Read, Text};

/// Behind the container stand options of `ps`, which shows environments when it is asked to (ps(1), `e`).
const LISTS_PROCESSES: &[Does] = &[Does::From(2, SECRETS)];

pub(super) const SPECS: &[Spec] = &[
    Spec::verbs(&["docker", "podman", "nerdctl"], &DOCKER),
    Spec::verbs(&["docker-compose", "podman-compose"], &COMPOSE),
    Spec::verbs(&["buildah", "skopeo"], &IMAGES),
    Spec::verbs(&["kind", "k3d"], &KIND),
    Spec::verbs(&["minikube"], &MINIKUBE),
    Spec::verbs(&["colima", "lima", "limactl"], &LIMA),
];

const LIST: &str = "a all f= filter= format= n= last= l latest no-trunc q quiet s size digests tree noheading sort= ns pod p";
const BUILD: &str = "add-host= build-arg= build-context= cache-from= cache-to= cgroup-parent= compress cpu-period= cpu-quota= c= cpu-shares= cpuset-cpus= cpuset-mems= \
    f=r file=r force-rm iidfile=p isolation= label= m= memory= network= no-cache platform= progress= pull q quiet rm secret=x ssh=x security-opt= shm-size= squash t= tag= target= \
    ulimit= load push!n o=x output=x metadata-file=p builder= allow=x attest= provenance= sbom= annotation= no-cache-filter= call= check";
const TOUCHES: &[Does] = SYSTEM;
const BUILT: &[Does] = &[Does::Execute, Does::On(Operands::ReadBelow), Does::System];

static DOCKER: Program = Program::new(
    "config=x c=x context=x D debug H=n host=n l= log-level= tls tlscacert=r tlscert=r tlskey=r tlsverify connection=x help",
    &[
        verb("", "v version", Nothing, REPORTS),
        verb("help", "", Text, REPORTS),
        verb("ps|images|version|info", LIST, Text, REPORTS),
        verb(
            "logs",
            "details f follow since= n= tail= t timestamps until= names color l latest",
            Text,
            REPORTS,
        ),
        verb(
            "port|diff|wait|history",
            "f= format= H human no-trunc platform= q quiet l latest",
            Text,
            REPORTS,
        ),
        verb("stats", "a all format= no-stream no-trunc", Text, REPORTS),
        verb("events", "f= filter= format= since= until=", Nothing, REPORTS),
        verb("container|image|volume|network|pod ls|list|ps", LIST, Text, REPORTS),
        verb("container logs", "details f follow since= n= tail= t timestamps until=", Text, REPORTS),
        verb("container port|diff|stats", "a all format= no-stream no-trunc", Text, REPORTS),
        verb("top", "", Text, LISTS_PROCESSES),
        verb("container top", "", Text, LISTS_PROCESSES),
        verb("image history", "format= H human no-trunc platform= q quiet", Text, REPORTS),
        verb("system df|info", "f= format= v verbose", Nothing, REPORTS),
        verb("system events", "f= filter= format= since= until=", Nothing, REPORTS),
        verb("volume|network inspect", "f= format= v verbose platform=", Text, REPORTS),
        verb("context ls|show", "format= q quiet", Nothing, REPORTS),
        verb("node|service|stack|plugin|config|secret ls", LIST, Nothing, REPORTS),
        verb(
            "service|stack|node ps|services",
            "f= filter= format= no-resolve no-trunc q quiet",
            Text,
            REPORTS,
        ),
        verb("buildx ls|version|du", "filter= verbose format= no-trunc", Nothing, REPORTS),
        verb("builder du", "filter= verbose", Nothing, REPORTS),
        // The environment and labels of a container hold what it was started with.
        verb("inspect", "f= format= s size type=", Text, SECRETS),
        verb(
            "container|image|service|node|config|secret|plugin|context|pod inspect",
            "f= format= s size pretty platform=",
            Text,
            SECRETS,
        ),
        verb(
            "search|pull|push|login|logout",
            "f= filter= format= limit= no-trunc a all-tags disable-content-trust platform= q quiet p= password= password-stdin u= username=",
            Text,
            REMOTE,
        ),
        verb(
            "image|manifest pull|push|inspect|create|annotate",
            "a all-tags disable-content-trust platform= q quiet insecure v verbose",
            Text,
            REMOTE,
        ),
        verb("build", BUILD, Text, BUILT),
        verb("image build", BUILD, Text, BUILT),
        verb("buildx build|b", BUILD, Text, BUILT),
        verb(
            "buildx bake|create|use|rm|stop|prune|imagetools|inspect",
            "f=r file=r set= push load print no-cache pull name= driver= use bootstrap a all force",
            Text,
            &[Does::Execute, Does::System],
        ),
        verb("create", crate::launchers::DOCKER_RUN, Text, &[Does::Execute, Does::System]).stops(),
        verb(
            "start|stop|restart|kill|pause|unpause|rename|update|rm|rmi|tag|attach|commit",
            "a attach i interactive s= signal= t= time= timeout= f force l link v volumes no-prune platform= author= c= change= m= message= p pause detach-keys= memory= cpus= restart=",
            Text,
            TOUCHES,
        ),
        verb(
            "container start|stop|restart|kill|pause|unpause|rename|update|rm|attach|commit|prune",
            "a all f force filter= v volumes s= signal= t= timeout=",
            Text,
            TOUCHES,
        ),
        verb(
            "image rm|tag|prune|load|import",
            "f force a all filter= no-prune i=r input=r q quiet",
            Text,
            TOUCHES,
        ),
        verb(
            "volume|network|context create|rm|prune|connect|disconnect|use|update",
            "a all f force filter= d= driver= label= o= opt= name= subnet= gateway= docker=x description= internal attachable",
            Text,
            TOUCHES,
        ),
        verb("system prune", "a all f force filter= volumes", Nothing, TOUCHES),
        verb("builder prune", "a all f force filter= keep-storage=", Nothing, TOUCHES),
        verb("swarm|node|service|stack|secret|config|plugin|trust|checkpoint", "", Text, TOUCHES).stops(),
        verb("cp", "a archive L follow-link q quiet", Operands::Custom(copy), SYSTEM),
        verb("container cp", "a archive L follow-link q quiet", Operands::Custom(copy), SYSTEM),
        verb("save|export", "o=p output=p platform=", Text, REPORTS),
        verb("image save", "o=p output=p platform=", Text, REPORTS),
        verb("load", "i=r input=r platform= q quiet", Nothing, TOUCHES),
        verb("import", "c= change= m= message= platform=", Read, TOUCHES),
        verb("compose", "", Text, &[Does::Group(&COMPOSE)]),
        verb("machine|generate|play|kube|pod|unshare|mount|umount", "", Text, &[Does::Execute, Does::System])
            .stops(),
    ],
);

/// The file names images, commands and mounts; `config` fills in secrets of the environment.
static COMPOSE: Program = Program::new(
    "f=g file=g p= project-name= profile= project-directory=g env-file=r ansi= progress= parallel= compatibility dry-run verbose help all-resources H=n",
    &[
        verb("", "v version", Nothing, REPORTS),
        verb("version", "f= format= short", Nothing, REPORTS),
        verb("help", "", Text, REPORTS),
        verb("ls", "a all f= filter= format= q quiet", Nothing, REPORTS),
        verb("ps", "a all filter= format= q quiet services status= orphans no-orphans no-trunc", Text, REPORTS),
        verb("images|top|port|volumes", "format= q quiet index= protocol=", Text, REPORTS),
        verb("logs", "f follow n= tail= t timestamps since= until= no-color no-log-prefix index=", Text, REPORTS),
        verb("events", "json since= until=", Text, REPORTS),
        verb("stats", "a all format= no-stream no-trunc", Text, REPORTS),
        verb("config|convert", "format= hash= images no-consistency no-interpolate no-normalize o=p output=p profiles q quiet resolve-image-digests services volumes variables environment", Text, SECRETS),
        verb("up|create|start|restart|scale|watch", "d detach build no-build force-recreate no-recreate no-deps remove-orphans t= timeout= scale= wait wait-timeout= abort-on-container-exit pull= quiet-pull V renew-anon-volumes no-start attach= no-attach= no-color menu y yes exit-code-from=", Text, &[Does::Execute, Does::System]),
        verb("build", "build-arg= no-cache pull q quiet progress= ssh=x m= memory= push with-dependencies builder= check print", Text, &[Does::Execute, Does::System]),
        verb("down|stop|kill|rm|pause|unpause|wait|attach|commit", "rmi= v volumes remove-orphans t= timeout= s= signal= f force stop", Text, SYSTEM),
        verb("pull|push|publish", "ignore-buildable ignore-pull-failures include-deps policy= q quiet", Text, REMOTE),
        verb("cp", "archive a L follow-link index= all", Operands::Custom(copy), SYSTEM),
        verb("run|exec", "", Text, EXECUTES).stops(),
    ],
)
.no_help();

static IMAGES: Program = Program::new(
    "h help debug tls-verify? authfile=r",
    &[
        verb("", "v version", Nothing, REPORTS),
        verb("images|containers|version|info", LIST, Text, REPORTS),
        verb("list-tags|inspect", "config raw format= creds= override-os= override-arch= n no-tags", Text, &[Does::Network]),
        verb("bud|build|build-using-dockerfile", BUILD, Text, BUILT),
        verb("copy|sync|delete|push|pull|login|logout|run|from|commit|add|config|mount|umount|rm|rmi|tag|unshare|standalone-sign|*", "", Text, &[Does::Execute, Does::Remote, Does::System]).stops(),
    ],
);

static KIND: Program = Program::new(
    "h help v= verbosity= q quiet loglevel=",
    &[
        verb("", "version", Nothing, REPORTS),
        verb("version", "", Nothing, REPORTS),
        verb("get clusters|nodes", "A all-clusters n= name=", Nothing, REPORTS),
        verb("cluster|node|registry list|ls", "no-headers o= output= token", Text, SECRETS),
        verb("get kubeconfig", "n= name= internal", Nothing, SECRETS),
        verb("kubeconfig get", "a all", Text, SECRETS),
        verb(
            "create|delete|load|build|export|cluster|node|registry|image|kubeconfig",
            "",
            Text,
            &[Does::Execute, Does::System],
        )
        .stops(),
    ],
);
static MINIKUBE: Program = Program::new(
    "h help p= profile= alsologtostderr logtostderr v= vmodule= log_dir=w b= bootstrapper= rootless user= skip-audit n= node=",
    &[
        verb("version", "short components o= output=", Nothing, REPORTS),
        verb("status", "f= format= o= output= l= layout= w? watch?", Nothing, REPORTS),
        verb("ip", "", Nothing, REPORTS),
        verb("profile|node|addons|image list|ls", "o= output= l light format= d docs", Nothing, REPORTS),
        verb("service list", "n= namespace=", Nothing, REPORTS),
        verb("config view|get", "format=", Text, REPORTS),
        verb("logs", "f follow length= problems audit", Nothing, REPORTS),
        verb("start|stop|delete|pause|unpause|ssh|kubectl|tunnel|mount|dashboard|service|addons|config|profile|node|image|cache|docker-env|podman-env|cp|update-check|update-context|ssh-key|ssh-host", "", Text, &[Does::Execute, Does::System, Does::Network]).stops(),
    ],
);
static LIMA: Program = Program::new(
    "h help debug p= profile= v verbose log-level= very-verbose",
    &[
        // `lima` alone is a shell in the machine.
        verb("", "version", Nothing, &[Does::Unless(&["version"], &[Does::Execute])]),
        verb("version", "", Nothing, REPORTS),
        verb("list|ls|status", "j json e extended q quiet f= format= all-fields", Text, REPORTS),
        verb("start|stop|restart|delete|create|edit|shell|copy|ssh|ssh-config|factory-reset|prune|kubernetes|nerdctl|template|*", "", Text, &[Does::Execute, Does::System]).stops(),
    ],
);

/// `cp CONTAINER:PATH HERE` and the other way round.
fn copy(build: &mut Build<'_>, parsed: &flags::Parsed<'_>) {
    let last = parsed.operands.len().saturating_sub(1);
    for position in 0..parsed.operands.len() {
        let Some(word) = build.operand(parsed, position) else { continue };
        let elsewhere = word.value.known().is_some_and(|text| text.contains(':') || text == "-");
        match (elsewhere, position == last) {
            (true, _) => {}
            (false, true) => build.write_below(&word.value, word.span),
            (false, false) => build.read(&word.value, true, word.span),
        }
    }
}

/// `docker run` and its like.
pub(super) fn is_run(invocation: &crate::Invocation) -> bool {
    let word = |index: usize| invocation.words.get(index).and_then(|word| word.value.known());
    matches!(invocation.base_name(), Some("docker" | "podman" | "nerdctl"))
        && (word(1) == Some("run") || word(1) == Some("container") && word(2) == Some("run"))
}

/// What `docker run` opens of the host: bind mounts can be written, and some flags give the machine away.
pub(super) fn opens_host(build: &mut Build<'_>) {
    let words = build.words;
    let reading = flags::Reading {
        flags: crate::launchers::DOCKER_RUN,
        general: "",
        safe: false,
        stops: false,
        one_dash: false,
        equals: true,
    };
    let parsed = flags::parse_as(words, 1, &reading);
    // The image's own words are read as flags too here: one mount too many is no harm.
    for flag in &parsed.flags {
        let span = flag.value.map_or(build.span_of(flag.word), Slot::span);
        let text = flag.value.and_then(Slot::known);
        match flag.name {
            "v" | "volume" => match text {
                Some(text) => {
                    let parts: Vec<&str> = text.split(':').collect();
                    if let [host, _, rest @ ..] = parts.as_slice()
                        && host.starts_with(['/', '.', '~'])
                    {
                        mounted(
                            build,
                            host,
                            rest.iter().any(|options| options.split(',').any(|one| one == "ro")),
                            span,
                        );
                    }
                }
                None => build.push(EffectKind::Write(PathTarget::Unknown), span),
            },
            "mount" => match text {
                // The driver of a volume may mount what it is told (mount(8)).
                Some(text) if text.contains("volume-opt") => {
                    build.hazard(flag.word);
                    build.push(EffectKind::System, span);
                }
                Some(text) if text.to_ascii_lowercase().contains("type=bind") => {
                    let mut fields =
                        text.split(',').map(|field| field.split_once('=').unwrap_or((field, "")));
                    let only = text
                        .split(',')
                        .any(|field| matches!(field, "ro" | "readonly" | "ro=true" | "readonly=true"));
                    match fields.find(|(name, _)| matches!(*name, "source" | "src")) {
                        Some((_, host)) => mounted(build, host, only, span),
                        None => build.push(EffectKind::Write(PathTarget::Unknown), span),
                    }
                }
                Some(_) => {}
                None => build.push(EffectKind::Write(PathTarget::Unknown), span),
            },
            "env-file" | "label-file" => {
                if let Some(slot) = flag.value {
                    build.read(&slot.value(), false, span);
                }
            }
            "cidfile" => {
                if let Some(slot) = flag.value {
                    build.write(&slot.value(), span);
                }
            }
            "privileged" | "device" | "cap-add" | "volumes-from" | "security-opt" | "use-api-socket" => {
                build.hazard(flag.word);
                build.push(EffectKind::System, span);
            }
            "pid" | "userns" | "uts" | "ipc" | "network" | "net" | "cgroupns"
                if text.is_none_or(|text| text == "host") =>
            {
                build.hazard(flag.word);
                build.push(EffectKind::System, span);
            }
            _ => {}
        }
    }
}

fn mounted(build: &mut Build<'_>, host: &str, only_read: bool, span: crate::Span) {
    let value = Value::Known(host.into());
    build.read(&value, true, span);
    if !only_read {
        build.write_below(&value, span);
    }
}
