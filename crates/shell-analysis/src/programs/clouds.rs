//! The command lines of AWS, Google Cloud and Azure, by exact verb: what a verb is called says little about what
//! it prints (botocore's models; `gcloud help`, `az help`). Verbs that print environments, metadata or keys ask.

use super::{
    Build,
    flags::{Parsed, Slot},
    spec::{Operands, Spec},
    subcommands::{Does, Program, REMOTE, REPORTS, SECRETS, verb},
};
use crate::EffectKind;
use Operands::{None as Nothing, Text};

pub(super) const SPECS: &[Spec] = &[
    Spec::verbs(&["aws"], &AWS),
    Spec::verbs(&["gcloud"], &GCLOUD),
    Spec::verbs(&["gsutil", "bq"], &GOOGLE_TOOLS),
    Spec::verbs(&["az"], &AZ),
    Spec::verbs(&["doctl", "linode-cli", "oci", "ibmcloud", "aliyun", "scw", "hcloud"], &OTHERS),
    Spec::verbs(&["eksctl", "copilot", "eb", "chalice", "amplify"], &OTHERS),
];

const AWS_READS: &[Does] = &[Does::Host("amazonaws.com"), Does::On(Operands::Custom(aws_values))];
/// Choosing what is listed, never where from.
static AWS: Program = Program::new(
    "region= profile= output= query= no-cli-pager color= no-paginate cli-read-timeout= cli-connect-timeout= endpoint-url=n ca-bundle=r no-verify-ssl!o no-sign-request debug!o \
     cli-input-json=o cli-input-yaml=o generate-cli-skeleton?o cli-binary-format= cli-auto-prompt!o filters= filter= max-items= page-size= starting-token= max-results= next-token= limit= \
     instance-ids= image-ids= group-ids= group-names= vpc-ids= subnet-ids= volume-ids= snapshot-ids= key-names= allocation-ids= route-table-ids= network-interface-ids= names= name= \
     owners= owner-ids= include-all-instances all-regions region-names= zone-names= instance-types= launch-template-ids= launch-template-names= user-name= role-name= group-name= \
     policy-arn= policy-name= path-prefix= scope= only-attached cluster= clusters= cluster-name= service-name= services= service= desired-status= family= launch-type= nodegroup-name= \
     addon-name= db-instance-identifier= db-cluster-identifier= db-snapshot-identifier= source-type= source-identifier= duration= stack-name= stack-status-filter= \
     logical-resource-id= log-group-name-prefix= log-group-name-pattern= log-group-name= log-stream-name-prefix= order-by= descending no-descending namespace= metric-name= \
     dimensions= start-time= end-time= period= statistics= alarm-names= state-value= hosted-zone-id= table-name= queue-name-prefix= queue-url= attribute-names= topic-arn= \
     repository-names= repository-name= registry-id= load-balancer-arns= load-balancer-arn= target-group-arns= target-group-arn= listener-arns= listener-arn= rule-arns= \
     auto-scaling-group-names= auto-scaling-group-name= key-id= certificate-arn= certificate-statuses= parameter-filters= document-filter-list= instance-information-filter-list= \
     include-deprecated include-disabled no-include-deprecated",
    &[
        verb("", "version", Nothing, REPORTS),
        verb("help", "", Nothing, &[Does::Terminal]),
        verb("sts get-caller-identity", "", Nothing, AWS_READS),
        verb(
            "ec2 describe-instances|describe-instance-status|describe-images|describe-vpcs|describe-subnets|describe-security-groups|describe-security-group-rules|describe-volumes|\
             describe-snapshots|describe-key-pairs|describe-regions|describe-availability-zones|describe-addresses|describe-route-tables|describe-internet-gateways|\
             describe-nat-gateways|describe-network-interfaces|describe-network-acls|describe-tags|describe-instance-types|describe-launch-templates|describe-vpc-endpoints|\
             describe-vpc-peering-connections|describe-spot-price-history",
            "",
            Text,
            AWS_READS,
        ),
        // The name of a bucket is a host name that anybody may own.
        verb(
            "s3 ls",
            "human-readable summarize recursive",
            Text,
            &[Does::Host("amazonaws.com"), Does::From(1, &[Does::Network])],
        ),
        verb("s3api list-buckets", "", Nothing, AWS_READS),
        verb(
            "iam list-users|list-roles|list-groups|list-policies|list-groups-for-user|list-attached-user-policies|list-attached-role-policies|list-attached-group-policies|\
             list-account-aliases|get-user|get-role|get-policy|get-account-summary|list-instance-profiles|list-mfa-devices",
            "",
            Text,
            AWS_READS,
        ),
        verb(
            "ecs list-clusters|list-services|list-tasks|list-task-definitions|list-container-instances|describe-clusters|describe-services",
            "",
            Text,
            AWS_READS,
        ),
        verb(
            "eks list-clusters|describe-cluster|list-nodegroups|describe-nodegroup|list-addons|describe-addon|list-fargate-profiles",
            "",
            Text,
            AWS_READS,
        ),
        verb(
            "rds describe-db-instances|describe-db-clusters|describe-db-snapshots|describe-db-subnet-groups|describe-db-engine-versions|describe-events",
            "",
            Text,
            AWS_READS,
        ),
        verb(
            "cloudformation list-stacks|list-stack-resources|describe-stack-events|describe-stack-resources|list-exports",
            "",
            Text,
            AWS_READS,
        ),
        verb("logs describe-log-groups|describe-log-streams|describe-metric-filters", "", Text, AWS_READS),
        verb(
            "cloudwatch list-metrics|describe-alarms|get-metric-statistics|list-dashboards",
            "",
            Text,
            AWS_READS,
        ),
        verb(
            "route53 list-hosted-zones|list-resource-record-sets|get-hosted-zone|list-health-checks",
            "",
            Text,
            AWS_READS,
        ),
        verb("dynamodb list-tables|describe-table|list-backups", "", Text, AWS_READS),
        verb("sqs list-queues|get-queue-attributes", "", Text, AWS_READS),
        verb("sns list-topics|list-subscriptions|list-subscriptions-by-topic", "", Text, AWS_READS),
        verb("ecr describe-repositories|describe-images|list-images", "", Text, AWS_READS),
        verb(
            "elbv2 describe-load-balancers|describe-target-groups|describe-target-health|describe-listeners|describe-rules",
            "",
            Text,
            AWS_READS,
        ),
        verb(
            "autoscaling describe-auto-scaling-groups|describe-auto-scaling-instances|describe-scaling-activities|describe-policies",
            "",
            Text,
            AWS_READS,
        ),
        verb("kms list-keys|list-aliases|describe-key", "", Text, AWS_READS),
        verb("acm list-certificates|describe-certificate", "", Text, AWS_READS),
        verb("ssm describe-parameters|describe-instance-information|list-documents", "", Text, AWS_READS),
        verb("secretsmanager list-secrets", "", Text, AWS_READS),
        verb("configure list|list-profiles", "", Nothing, REPORTS),
        verb("configure get", "", Text, SECRETS),
        verb(
            "configure set|sso|import|add-model",
            "",
            Text,
            &[Does::Opaque("changes the configuration of aws")],
        ),
        verb(
            "s3 cp|mv|sync",
            "recursive include= exclude= dryrun delete quiet acl= storage-class= no-progress only-show-errors follow-symlinks no-follow-symlinks sse? content-type= metadata= expires= exact-timestamps size-only",
            Operands::Custom(s3_copies),
            REMOTE,
        ),
        verb(
            "s3 rm|rb|mb|presign|website",
            "recursive include= exclude= dryrun force quiet expires-in=",
            Text,
            REMOTE,
        ),
    ],
);

/// `file://PATH`, `fileb://PATH` and URLs stand for what they lead to (AWS CLI user guide, "load parameters").
fn aws_values(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let words = build.words;
    for word in words.iter().skip(1) {
        let Some(text) = word.value.known() else { continue };
        let file = text.split_once("file://").or_else(|| text.split_once("fileb://"));
        if let Some((_, path)) = file {
            build.read(&crate::Value::Known(path.into()), false, word.span);
        }
        if file.is_some() || text.contains("http://") || text.contains("https://") {
            build.push(EffectKind::Opaque("a value that is loaded from elsewhere".into()), word.span);
        }
    }
    let _ = parsed;
}

/// `s3 cp SOURCE TARGET`: what is no `s3://` is here.
fn s3_copies(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    for position in 0..parsed.operands.len() {
        let Some(word) = build.operand(parsed, position) else { continue };
        match word.value.known() {
            Some(text) if text.starts_with("s3://") || text == "-" => {}
            _ if position == 0 => build.read(&word.value, true, word.span),
            _ => build.write_below(&word.value, word.span),
        }
    }
}

const GOOGLE: &[Does] = &[Does::Host("googleapis.com")];
/// With another format than the usual table, metadata and environments are printed too.
const GOOGLE_TABLE: &[Does] = &[Does::Host("googleapis.com"), Does::If(&["format", "flatten"], SECRETS)];
static GCLOUD: Program = Program::new(
    "project= format= filter= limit= page-size= sort-by= uri q quiet verbosity= account= configuration= zones= zone= region= regions= location= locations= global flatten= \
     impersonate-service-account=o flags-file=o log-http!o access-token-file=o trace-token=o billing-project= user-output-enabled? no-user-output-enabled help h available enabled all \
     instance= cluster= service= platform= managed show-deleted",
    &[
        verb("", "v version", Nothing, REPORTS),
        verb("version|info", "show-log run-diagnostics!n", Nothing, REPORTS),
        verb("config list|get-value|get", "", Text, REPORTS),
        verb("config configurations list", "", Nothing, REPORTS),
        verb("auth list", "", Nothing, REPORTS),
        verb("projects|organizations list", "", Nothing, GOOGLE),
        verb("projects describe", "", Text, GOOGLE),
        verb("compute zones|regions|machine-types|images|disks|snapshots|networks|firewall-rules|addresses|routers|routes|forwarding-rules|backend-services|url-maps list", "", Text, GOOGLE),
        verb("compute instances list", "", Text, GOOGLE_TABLE),
        verb("container clusters|node-pools list", "", Text, GOOGLE_TABLE),
        verb("run services|revisions|jobs list", "", Text, GOOGLE_TABLE),
        verb("functions list", "", Text, GOOGLE_TABLE),
        verb("sql instances list", "", Text, GOOGLE_TABLE),
        verb("sql databases|backups list", "i= instance=", Text, GOOGLE),
        verb("storage buckets list", "", Nothing, GOOGLE),
        verb("iam service-accounts|roles list", "", Nothing, GOOGLE),
        verb("services|secrets|pubsub list", "", Nothing, GOOGLE),
        verb("pubsub topics|subscriptions list", "", Nothing, GOOGLE),
        verb("artifacts repositories|packages|docker list", "repository=", Text, GOOGLE),
        verb("builds list", "ongoing", Nothing, GOOGLE_TABLE),
        verb("dns managed-zones|record-sets list", "z=", Text, GOOGLE),
        verb("logging logs|sinks list", "", Nothing, GOOGLE),
        verb("storage ls|cat|du|objects", "", Text, &[Does::Network]),
        verb("auth print-access-token|print-identity-token|application-default", "", Text, SECRETS),
        verb("*", "", Text, &[Does::Remote, Does::Execute]).stops(),
    ],
)
.no_help();
/// What their words name here may be sent or written: each knows how for itself.
const COPIES: &[Does] = &[Does::Remote, Does::Execute];
static GOOGLE_TOOLS: Program =
    Program::new("", &[verb("version", "l", Nothing, REPORTS), verb("*", "", Text, COPIES).stops()])
        .no_help();

const AZURE: &[Does] = &[Does::Host("azure.com"), Does::On(Operands::Custom(az_values))];
static AZ: Program = Program::new(
    "o= output= query= g= resource-group= n= name= subscription= s= only-show-errors verbose debug!o help h l= location= d show-details tag= resource-type= ids= namespace= vnet-name= \
     cluster-name= r= registry= repository= top= all",
    &[
        verb("", "v version", Nothing, &[Does::Network]),
        verb("version", "", Nothing, REPORTS),
        verb("account show|list|list-locations", "", Nothing, AZURE),
        verb("group|resource|vm|vmss|aks|disk|image|snapshot|identity|lock|tag list", "", Nothing, AZURE),
        verb("group|vmss|aks|identity show", "", Nothing, AZURE),
        verb("network vnet|nsg|nic|public-ip|lb|application-gateway|private-endpoint|dns list", "", Nothing, AZURE),
        verb("network vnet subnet list", "", Nothing, AZURE),
        verb("storage account list", "", Nothing, AZURE),
        verb("acr list", "", Nothing, AZURE),
        verb("acr repository list|show-tags", "", Nothing, AZURE),
        verb("sql server|db|mi list", "server=", Nothing, AZURE),
        verb("keyvault list", "", Nothing, AZURE),
        verb("role assignment|definition list", "assignee= scope=", Nothing, AZURE),
        verb("aks nodepool list|show", "", Nothing, AZURE),
        verb("*", "", Text, &[Does::Remote, Does::Execute, Does::Secrets]).stops(),
    ],
)
.no_help();

/// `@FILE` stands for the content of the file.
fn az_values(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    // `@` alone is an expression of JMESPath.
    for slot in parsed.flags.iter().filter_map(|flag| flag.value) {
        if Slot::known(slot).is_some_and(|text| text.starts_with('@') && text != "@") {
            build.push(EffectKind::Opaque("a value that is read from a file".into()), slot.span());
        }
    }
}

/// Only their versions: no table of their verbs is kept.
static OTHERS: Program = Program::new(
    "",
    &[
        verb("version", "", Nothing, REPORTS),
        verb("", "v version", Nothing, REMOTE),
        verb("*", "", Text, &[Does::Remote, Does::Execute, Does::Secrets]).stops(),
    ],
)
.no_help();
