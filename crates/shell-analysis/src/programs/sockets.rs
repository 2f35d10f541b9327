//! Programs that report on the network of this machine, and change it when told to (iproute2, net-tools, nftables).

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::EffectKind;

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["netstat"],
        "a l t u w x n p e i s r c v o 4 6 2 N g M W S U F C Z A= d f L listening all numeric numeric-hosts numeric-ports numeric-users programs program extend interfaces statistics route tcp udp udplite sctp raw unix wide timers fib cache verbose symbolic continuous groups masquerade protocol= context help version V h",
        Operands::Text,
    ),
    Spec::new(&["ip"], "", Operands::Custom(ip)),
    Spec::new(
        &["route"],
        "n e v F C 4 6 A= V h numeric verbose extend fib cache version help",
        Operands::None,
    ),
    Spec::new(&["ifconfig"], "a s v L m r", Operands::Custom(interface)),
    Spec::new(&["iwconfig", "iwgetid"], "a c f m p r s version help", Operands::Custom(interface)),
    Spec::new(
        &["ethtool"],
        "a c g i k l m n P S T x driver statistics show-features show-offload show-pause show-coalesce show-ring show-channels show-permaddr show-time-stamping show-rxfh show-nfc show-eee module-info show-priv-flags show-fec json I include-statistics version help h",
        Operands::Custom(interface),
    ),
    Spec::new(
        &["nft"],
        "a n s j e y S N u p T t handle numeric stateless json echo terse guid reversedns service numeric-protocol numeric-priority numeric-time help version h v V c check f=r file=r I=o includepath=o i!o interactive!o o!o optimize!o",
        Operands::Custom(nft),
    ),
    Spec::new(
        &["iptables", "ip6tables", "ebtables", "arptables"],
        "L S n v x 4 6 t= w? W= list list-rules numeric verbose exact line-numbers table= wait? help h version V",
        Operands::Custom(tables),
    ),
    Spec::new(
        &["iptables-save", "ip6tables-save"],
        "c t= h V counters table= help version M=x modprobe=x f=w file=w",
        Operands::None,
    ),
    Spec::new(&["ufw", "firewall-cmd"], "", Operands::Custom(firewall)),
];

/// Options of ip in front of the object, which may be written with one dash or two (ip(8)).
const IP: &[&str] = &[
    "4",
    "6",
    "0",
    "B",
    "M",
    "h",
    "human",
    "human-readable",
    "iec",
    "s",
    "stats",
    "statistics",
    "d",
    "details",
    "o",
    "oneline",
    "r",
    "resolve",
    "br",
    "brief",
    "c",
    "color",
    "j",
    "json",
    "p",
    "pretty",
    "N",
    "Numeric",
    "t",
    "timestamp",
    "ts",
    "tshort",
    "V",
    "Version",
    "a",
    "all",
    "echo",
];

/// `ip OBJECT VERB`: the first verb that begins with the word is taken, so that `ip link s` is `ip link set`.
fn ip(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let mut index = 1;
    let mut every = false;
    while let Some(text) = build.word(index).filter(|text| text.starts_with('-')) {
        let name = text.trim_start_matches('-');
        every |= matches!(name, "a" | "all");
        index += match name {
            "f" | "family" | "l" | "loops" | "rc" | "rcvbuf" => 2,
            _ if IP.contains(&name) || name.starts_with("color=") || name.starts_with("c=") => 1,
            _ => {
                build.hazard(index);
                build.opaque(build.span_of(index), format!("`{text}` is an option that is not known"));
                1
            }
        };
    }
    let words = build.words.get(index..).unwrap_or_default();
    let known: Vec<Option<&str>> = words.iter().map(|word| word.value.known()).collect();
    let reads = match known.as_slice() {
        [] | [Some("help")] => true,
        // `ip -all netns exec` and `ip -all link` act on everything.
        _ if every => false,
        [Some("netns")]
        | [Some("netns"), Some("list" | "ls" | "show" | "identify" | "pids"), ..]
        | [Some("monitor" | "mon"), ..] => true,
        [Some(object), rest @ ..] => {
            let object = matches!(
                *object,
                "a" | "ad"
                    | "addr"
                    | "address"
                    | "l"
                    | "link"
                    | "r"
                    | "ro"
                    | "route"
                    | "n"
                    | "neigh"
                    | "neighbor"
                    | "neighbour"
                    | "rule"
                    | "ru"
                    | "maddr"
                    | "maddress"
                    | "mroute"
                    | "tunnel"
                    | "nexthop"
                    | "vrf"
                    | "token"
                    | "tcp_metrics"
                    | "netconf"
                    | "addrlabel"
                    | "ntable"
                    | "ioam"
                    | "sr"
                    | "fou"
            );
            let verb =
                matches!(rest.first(), None | Some(Some("show" | "list" | "ls" | "lst" | "get" | "sh")));
            object && verb && rest.iter().all(Option::is_some)
        }
        _ => false,
    };
    if !reads {
        build.effect(EffectKind::System);
    }
}

/// An interface alone is shown; words behind it configure it, also those that begin with a dash: net-tools takes the
/// `-a` of `ifconfig eth0 -a` for the name of a host whose address the interface is to have.
fn interface(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let behind = |index: usize| build.words.len() > index + 1;
    if build.count(parsed) > 1 || parsed.operands.first().is_some_and(|index| behind(*index)) {
        build.effect(EffectKind::System);
    }
}

fn nft(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let verb = build.operand(parsed, 0).map(|word| word.value.known());
    let asks = parsed.has(&["help", "version", "h", "v", "V"]) && parsed.operands.is_empty();
    // A command may hold several, behind `;`.
    let one = parsed
        .operands
        .iter()
        .all(|index| build.word(*index).is_some_and(|text| !text.contains([';', '\n', ' '])));
    if !(asks || one && verb == Some(Some("list")) && !parsed.has(&["f", "file"])) {
        build.effect(EffectKind::System);
    }
}

fn tables(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if !parsed.has(&["L", "S", "list", "list-rules", "help", "h", "version", "V"]) {
        build.effect(EffectKind::System);
    }
}

fn firewall(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    let reads = match build.word(1) {
        Some("status") => {
            build.words.iter().skip(2).all(|word| matches!(word.value.known(), Some("verbose" | "numbered")))
        }
        Some(
            "--state" | "--list-all" | "--list-ports" | "--list-services" | "--get-active-zones"
            | "--get-default-zone" | "--get-zones" | "version" | "--version",
        ) => build.words.len() == 2,
        _ => false,
    };
    if !reads {
        build.specified = false;
        build.effect(EffectKind::System);
    }
}
