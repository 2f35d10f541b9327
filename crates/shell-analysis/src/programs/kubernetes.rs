//! kubectl, helm and their relatives (`kubectl COMMAND --help`; Helm's manual). Only kinds of objects that hold no
//! secrets are shown unasked.

use super::{
    Build,
    flags::{Parsed, Slot},
    spec::{Operands, Spec},
    subcommands::{Does, EXECUTES, Program, REMOTE, REPORTS, SECRETS, verb},
};
use crate::EffectKind;
use Operands::{None as Nothing, Read, Text};

pub(super) const SPECS: &[Spec] = &[
    Spec::verbs(&["kubectl", "oc"], &KUBECTL),
    Spec::verbs(&["helm"], &HELM),
    Spec::verbs(&["kustomize"], &KUSTOMIZE),
    Spec::verbs(&["k9s", "stern", "kubectx", "kubens"], &VIEWERS),
    Spec::verbs(&["argocd", "flux", "istioctl"], &DEPLOYERS),
];

/// Another configuration may name programs that give credentials, and another server.
const GENERAL: &str = "n= namespace= context= cluster= user=o kubeconfig=x s=n server=n token=o as=o as-group=o as-uid=o cache-dir=w certificate-authority=r client-certificate=r \
    client-key=r insecure-skip-tls-verify!o tls-server-name=o username=o password=o request-timeout= v= vmodule= warnings-as-errors profile=o profile-output=w \
    disable-compression match-server-version log-flush-frequency= help h";
macro_rules! shows {
    () => {
        "o= output= template= allow-missing-template-keys show-managed-fields "
    };
}
macro_rules! files {
    () => {
        "f=r filename=r k=R kustomize=R R recursive l= selector= field-manager= dry-run= o= output= template= allow-missing-template-keys show-managed-fields "
    };
}
const CLUSTER: &[Does] = &[Does::Host("the cluster")];
const FORMAT: &[Does] = &[Does::Host("the cluster"), Does::On(Operands::Custom(format))];
const KINDS_ONLY: &[Does] =
    &[Does::Host("the cluster"), Does::On(Operands::Custom(kinds)), Does::On(Operands::Custom(format))];

static KUBECTL: Program = Program::new(
    GENERAL,
    &[
        verb("version", "client short o= output=", Nothing, CLUSTER),
        verb("help|options", "", Text, REPORTS),
        verb("api-resources", "api-group= cached categories= namespaced no-headers o= output= sort-by= verbs=", Nothing, CLUSTER),
        verb("api-versions|cluster-info", "", Nothing, CLUSTER),
        verb("explain", "api-version= o= output= recursive", Text, CLUSTER),
        verb(
            "get",
            concat!(
                shows!(),
                "A all-namespaces chunk-size= field-selector= f=o filename=o ignore-not-found k=o kustomize=o L= label-columns= no-headers output-watch-events raw=o R recursive \
                 l= selector= server-print show-kind show-labels sort-by= subresource= w watch watch-only client"
            ),
            Text,
            KINDS_ONLY,
        ),
        verb("describe", "A all-namespaces chunk-size= f=o filename=o k=o kustomize=o R recursive l= selector= show-events", Text, KINDS_ONLY),
        verb("events", concat!(shows!(), "A all-namespaces chunk-size= for= no-headers types= w watch"), Nothing, FORMAT),
        verb(
            "logs",
            "all-containers all-pods c= container= f follow ignore-errors limit-bytes= max-log-requests= pod-running-timeout= prefix p previous l= selector= since= since-time= \
             tail= timestamps",
            Text,
            CLUSTER,
        ),
        verb("top pod|pods|po|node|nodes|no", "A all-namespaces containers field-selector= no-headers l= selector= sort-by= sum show-capacity use-protocol-buffers", Text, CLUSTER),
        verb("rollout status|history", concat!(shows!(), "f=o filename=o k=o kustomize=o R recursive revision= l= selector= timeout= w? watch?"), Text, FORMAT),
        verb("auth can-i", "A all-namespaces list no-headers q quiet subresource=", Text, CLUSTER),
        verb("auth whoami", shows!(), Nothing, FORMAT),
        verb("wait", concat!(shows!(), "all A all-namespaces field-selector= f=o filename=o for= local R recursive l= selector= timeout="), Text, KINDS_ONLY),
        verb("config get-contexts|current-context|get-clusters|get-users", "no-headers o= output=", Text, REPORTS),
        verb("config view", concat!(shows!(), "flatten merge minify raw"), Nothing, SECRETS),
        verb("config set|unset|use-context|set-context|set-cluster|set-credentials|delete-context|delete-cluster|delete-user|rename-context|use|rename", "", Text, &[Does::Opaque("changes the configuration of kubectl")]).stops(),
        verb("plugin list", "name-only", Nothing, REPORTS),
        verb("completion", "", Text, REPORTS),
        // An external differ may be named; the whole object goes to it.
        verb("diff", concat!(files!(), "concurrency= force-conflicts prune prune-allowlist= server-side"), Nothing, &[Does::Execute, Does::Network, Does::Secrets]),
        verb("kustomize", "as-current-user enable-alpha-plugins!x enable-exec!x enable-helm!x e= env= helm-command=x load-restrictor=o mount=o network network-name= o=p output=p", Operands::ReadBelow, &[Does::Network]),
        verb("cluster-info dump", "A all-namespaces namespaces= output-directory=P o= output=", Nothing, &[Does::Network, Does::Secrets]),
        verb(
            "apply|create|replace|patch|delete|edit|annotate|label|scale|autoscale|expose|run|set|taint|drain|cordon|uncordon|rollout|certificate|auth|debug",
            concat!(
                files!(),
                "all A all-namespaces cascade= force force-conflicts grace-period= openapi-patch overwrite prune prune-allowlist= server-side subresource= timeout= validate= wait \
                 p= patch= patch-file=r type= raw= save-config replicas= now ignore-not-found i stdin t tty it image= port= name= restart= rm env= e= labels= list local \
                 ignore-daemonsets delete-emptydir-data delete-local-data disable-eviction from-literal= from-file=r from-env-file=r max= min= cpu-percent= to-revision= \
                 target-port= command attach quiet q overrides= resource-version= field-selector= edit container= c="
            ),
            Text,
            REMOTE,
        ),
        verb("cp", "c= container= no-preserve retries=", Operands::Custom(copy), REMOTE),
        verb("exec|attach|port-forward|proxy", "c= container= i stdin t tty q quiet address= pod-running-timeout= p= port= w=R www=R u= unix-socket=", Text, &[Does::Execute, Does::Remote]).stops(),
    ],
);

/// Kinds of objects that hold no secrets.
const KINDS: &[&str] = &[
    "po",
    "pod",
    "pods",
    "svc",
    "service",
    "services",
    "deploy",
    "deployment",
    "deployments",
    "rs",
    "replicaset",
    "replicasets",
    "ds",
    "daemonset",
    "daemonsets",
    "sts",
    "statefulset",
    "statefulsets",
    "job",
    "jobs",
    "cj",
    "cronjob",
    "cronjobs",
    "no",
    "node",
    "nodes",
    "ns",
    "namespace",
    "namespaces",
    "ing",
    "ingress",
    "ingresses",
    "ev",
    "event",
    "events",
    "pv",
    "persistentvolume",
    "persistentvolumes",
    "pvc",
    "persistentvolumeclaim",
    "persistentvolumeclaims",
    "ep",
    "endpoints",
    "endpointslice",
    "endpointslices",
    "hpa",
    "horizontalpodautoscaler",
    "horizontalpodautoscalers",
    "sa",
    "serviceaccount",
    "serviceaccounts",
    "sc",
    "storageclass",
    "storageclasses",
    "crd",
    "crds",
    "quota",
    "resourcequota",
    "resourcequotas",
    "all",
    "netpol",
    "networkpolicy",
    "networkpolicies",
    "pdb",
    "poddisruptionbudget",
    "poddisruptionbudgets",
    "limits",
    "limitrange",
    "limitranges",
    "role",
    "roles",
    "rolebinding",
    "rolebindings",
    "clusterrole",
    "clusterroles",
    "clusterrolebinding",
    "clusterrolebindings",
    "lease",
    "leases",
    "pc",
    "priorityclass",
    "priorityclasses",
    "ingressclass",
    "ingressclasses",
    "rc",
    "replicationcontroller",
    "replicationcontrollers",
];

/// `pods`, `pods,services`, `pod/x svc/y`: nothing else, and nothing that is not known.
fn kinds(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let known = |kinds: &str| {
        kinds.split(',').all(|kind| KINDS.contains(&kind.split('.').next().unwrap_or_default()))
    };
    let mut slashed = false;
    for (position, index) in parsed.operands.iter().enumerate() {
        let fine = match build.word(*index) {
            Some(text) => match text.split_once('/') {
                // With the first `KIND/NAME` all of them are.
                Some((kind, name)) => {
                    slashed |= position == 0;
                    known(kind) && !name.contains('/')
                }
                None => position > 0 && !slashed || position == 0 && known(text),
            },
            None => false,
        };
        if !fine {
            let span = build.span_of(*index);
            build.push(EffectKind::Opaque("a kind of object that may hold secrets".into()), span);
            return;
        }
    }
}

/// Formats that print what the server sent and read no file.
fn format(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    for flag in parsed.flags.iter().filter(|flag| matches!(flag.name, "o" | "output")) {
        let plain = flag.value.and_then(Slot::known).is_some_and(|text| {
            matches!(
                text.split('=').next().unwrap_or(text),
                "json"
                    | "yaml"
                    | "wide"
                    | "name"
                    | "jsonpath"
                    | "jsonpath-as-json"
                    | "go-template"
                    | "template"
                    | "custom-columns"
            )
        });
        if !plain {
            build.effect(EffectKind::Opaque("an output format that may read a file".into()));
        }
    }
}

/// `kubectl cp POD:PATH HERE` and the other way round.
fn copy(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    for position in 0..parsed.operands.len() {
        let Some(word) = build.operand(parsed, position) else { continue };
        match word.value.known() {
            Some(text) if text.contains(':') => {}
            _ if position == 0 => build.read(&word.value, true, word.span),
            _ => build.write_below(&word.value, word.span),
        }
    }
}

macro_rules! chart {
    () => {
        "f=r values=r set= set-string= set-json= set-file=o set-literal= n= namespace= version= repo=n devel verify keyring=r username= password= ca-file=r cert-file=r key-file=r \
         plain-http insecure-skip-tls-verify pass-credentials dependency-update description= timeout= wait wait-for-jobs atomic create-namespace dry-run? no-hooks skip-crds \
         render-subchart-notes disable-openapi-validation l= labels= "
    };
}
static HELM: Program = Program::new(
    "n= namespace= kube-context= kubeconfig=x kube-apiserver=n kube-token=o kube-as-user=o kube-as-group=o kube-ca-file=r debug h help registry-config=r repository-cache=w \
     repository-config=x burst-limit= qps=",
    &[
        verb("version", "short template= c client", Nothing, REPORTS),
        verb("env", "", Text, SECRETS),
        verb("help|completion", "", Text, REPORTS),
        verb(
            "list|ls",
            "a all A all-namespaces d date deployed failed f= filter= m= max= no-headers offset= o= output= pending r reverse l= selector= q short superseded time-format= uninstalled uninstalling",
            Nothing,
            CLUSTER,
        ),
        // As JSON it has the values too.
        verb(
            "status",
            "o= output= revision= show-desc show-resources",
            Text,
            &[Does::Host("the cluster"), Does::If(&["o", "output"], SECRETS)],
        ),
        verb("history|hist", "o= output= max=", Text, CLUSTER),
        // A release's values and manifests hold its secrets.
        verb(
            "get all|values|manifest|hooks|notes|metadata",
            "a all o= output= revision= template=",
            Text,
            SECRETS,
        ),
        verb("repo list|ls", "o= output=", Nothing, REPORTS),
        verb(
            "search repo",
            "devel fail-on-no-result l versions max-col-width= o= output= r regexp version=",
            Text,
            REPORTS,
        ),
        verb(
            "search hub",
            "endpoint=n max-col-width= o= output= list-repo-url fail-on-no-result",
            Text,
            &[Does::Network],
        ),
        verb("plugin list|ls", "", Nothing, REPORTS),
        verb("dependency|dep list|ls", "max-col-width=", Operands::ReadBelow, REPORTS),
        // A post-renderer and plugins run; a chart may come from elsewhere.
        verb(
            "lint",
            concat!(chart!(), "quiet strict with-subcharts kube-version="),
            Operands::ReadBelow,
            REPORTS,
        ),
        verb(
            "template",
            concat!(
                chart!(),
                "a= api-versions= include-crds is-upgrade kube-version= name-template= output-dir=P post-renderer=x post-renderer-args= release-name s= show-only= skip-tests validate g generate-name"
            ),
            Operands::ReadBelow,
            &[Does::Network],
        ),
        verb(
            "show|inspect all|chart|crds|readme|values",
            concat!(chart!(), "jsonpath="),
            Text,
            &[Does::Network],
        ),
        verb(
            "pull|fetch",
            concat!(chart!(), "d=P destination=P untar untardir=P prov"),
            Text,
            &[Does::Network, Does::Write("*.tgz")],
        ),
        verb(
            "install|upgrade|uninstall|un|del|delete|rollback|test",
            concat!(
                chart!(),
                "i install force reset-values reuse-values reset-then-reuse-values cleanup-on-fail history-max= post-renderer=x post-renderer-args= g generate-name name-template= replace keep-history cascade= recreate-pods logs o= output="
            ),
            Text,
            REMOTE,
        ),
        verb(
            "package",
            "app-version= d=P destination=P u dependency-update key= keyring=r passphrase-file=r sign version=",
            Operands::ReadBelow,
            &[Does::Write("*.tgz")],
        ),
        verb("create", "p= starter=", Operands::WriteBelow, REPORTS),
        verb(
            "repo|dependency|dep add|update|up|remove|rm|index|build",
            "force-update url=n merge=r skip-refresh keyring=r verify no-update username= password= pass-credentials",
            Text,
            &[Does::Network, Does::Opaque("changes the configuration of helm or a chart")],
        ),
        verb("plugin|registry|push|*", "", Text, &[Does::Execute, Does::Remote]).stops(),
    ],
);

static KUSTOMIZE: Program = Program::new(
    "h help stack-trace",
    &[
        verb("version|help", "short o= output=", Text, REPORTS),
        verb("cfg", "", Text, EXECUTES).stops(),
        verb(
            "build",
            "e= env= as-current-user enable-alpha-plugins!x enable-exec!x enable-helm!x helm-command=x load-restrictor=o mount=o network o=p output=p reorder=",
            Operands::ReadBelow,
            &[Does::Network],
        ),
        verb(
            "edit|create|localize|fn",
            "autodetect recursive resources= namespace= nameprefix= namesuffix=",
            Text,
            &[Does::Write("kustomization.yaml"), Does::Execute],
        )
        .stops(),
    ],
);

static VIEWERS: Program = Program::new(
    "n= namespace= context= kubeconfig=x A all-namespaces l= selector= h help c= container= t timestamps s= since= tail= no-follow o= output= template= color= e= exclude= i= include= readonly",
    &[
        verb("version|info", "s short", Nothing, REPORTS),
        verb(
            "",
            "v version current",
            Nothing,
            &[Does::Unless(&["v", "version", "current", "c"], &[Does::Terminal, Does::Remote])],
        ),
        verb("*", "", Text, &[Does::Terminal, Does::Remote]),
    ],
);

static DEPLOYERS: Program = Program::new(
    "h help n= namespace= context= kubeconfig=x server=n o= output= core grpc-web insecure!o auth-token=o config=x c= i= istioNamespace= A all-namespaces",
    &[
        verb("version", "client short remote revision=", Nothing, CLUSTER),
        verb(
            "cluster|repo list",
            "refresh=",
            Nothing,
            &[Does::Host("the cluster"), Does::If(&["o", "output"], SECRETS)],
        ),
        verb("app|appset|proj list", "l= selector= p= project= r= repo=", Nothing, CLUSTER),
        verb(
            "app get|history|resources|diff|logs",
            "refresh hard-refresh show-operation show-params tree? tail= follow f",
            Text,
            CLUSTER,
        ),
        verb("get", "status-selector= no-header watch w", Text, CLUSTER),
        verb(
            "get all|kustomizations|helmreleases|alerts|receivers",
            "status-selector= no-header watch w",
            Text,
            CLUSTER,
        ),
        verb("get sources git|helm|oci|chart|all|bucket", "no-header", Text, CLUSTER),
        verb("check|stats|events|trace|tree", "pre components= for= watch", Text, CLUSTER),
        verb("proxy-status|ps|analyze", "revision= R recursive", Read, CLUSTER),
        verb("*", "", Text, &[Does::Execute, Does::Remote]).stops(),
    ],
);
