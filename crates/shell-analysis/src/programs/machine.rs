//! Programs that report on services, logs, packages and kernel settings, and those that change the machine.

use super::{
    Build,
    flags::Slot,
    spec::{Operands, Parsed, Spec},
};
use crate::{EffectKind, PathTarget};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["systemctl"],
        "# a l n= o= p= P= t= T q r H=o M=o host=o machine=o all full lines= legend= output= property= type= state= value quiet no-pager no-legend plain user system failed after before with-dependencies show-types timestamp= version help h recursive reverse",
        Operands::Custom(systemctl),
    ),
    Spec::new(
        &["journalctl"],
        "# a b? e f k l n? o= p= q r S= U= u= t= x g= c= m N F= h D=r all boot? catalog dmesg follow full no-full lines? merge no-pager no-tail output= output-fields= pager-end priority= facility= quiet reverse since= until= unit= user-unit= identifier= grep= case-sensitive? cursor= after-cursor= show-cursor utc list-boots disk-usage header no-hostname fields field= list-catalog directory=r file=r system user version help cursor-file=w vacuum-size=o vacuum-time=o vacuum-files=o rotate!o flush!o sync!o",
        Operands::Text,
    ),
    Spec::new(
        &["dmesg"],
        "d e f= F=r H h J k L? l= P p r S s= T t u V w W x facility= file=r follow follow-new force-prefix human json kernel color? level= noescape nopager raw ctime notime reltime show-delta since= until= syslog buffer-size= time-format= userspace decode version help C!o c!o clear!o read-clear!o D!o E!o n=o console-level=o console-off!o console-on!o",
        Operands::None,
    ),
    Spec::new(
        &["sysctl"],
        "a A X b e N n q r= all binary deprecated ignore names quiet values pattern= h help V version w!o p?o load?o system!o f!o",
        Operands::Custom(sysctl),
    ),
    Spec::new(
        &[
            "hostnamectl",
            "timedatectl",
            "localectl",
            "loginctl",
            "resolvectl",
            "networkctl",
            "bootctl",
            "coredumpctl",
        ],
        "a l p= n= o= r j? q 4 6 i= t= all full property= value lines= output= legend= json? no-pager no-legend no-ask-password static pretty transient monitor interface= protocol= type= reverse since= until= field= F= version help h H=o M=o host=o machine=o",
        Operands::Custom(control),
    ),
    Spec::new(&["crontab"], "l e!o r!o i!o u= V T=r n!o c!o", Operands::Custom(crontab)),
    Spec::new(&["atq"], "q= V o=", Operands::None),
    Spec::new(&["at"], "l V c!o d!o r!o q= o= v", Operands::Custom(crontab)),
    Spec::new(&["mount"], "l v h V show-labels verbose help version t= types=", Operands::Custom(lists)),
    Spec::new(
        &["swapon"],
        "s v h V summary show? noheadings raw bytes verbose help version",
        Operands::Custom(lists),
    ),
    Spec::new(
        &["losetup"],
        "a l J n O= h V all list json noheadings output= raw output-all help version",
        Operands::Custom(lists),
    ),
    Spec::new(
        &["dpkg"],
        "l L s S p C V help version list listfiles status search print-avail print-architecture print-foreign-architectures get-selections audit verify no-pager",
        Operands::Custom(packages),
    ),
    Spec::new(
        &["dpkg-query"],
        "l L s S p W c f= list listfiles status search print-avail show control-list control-path control-show showformat= load-avail no-pager help version",
        Operands::Text,
    ),
    Spec::new(
        &["rpm"],
        "q a i l f c d p R v qa qi ql qf qc qd query all info list file configfiles docfiles requires provides whatrequires= whatprovides= changelog qf= queryformat= last help version",
        Operands::Custom(packages),
    ),
    Spec::new(
        &["pacman"],
        "Q i l o s e d m n t u q k g c Qs Qi Ql query info list owns search explicit deps foreign native unrequired upgrades quiet check groups changelog color= version V",
        Operands::Custom(packages),
    ),
    Spec::new(
        &[
            "reboot",
            "shutdown",
            "halt",
            "poweroff",
            "umount",
            "swapoff",
            "service",
            "modprobe",
            "insmod",
            "rmmod",
            "useradd",
            "adduser",
            "userdel",
            "deluser",
            "usermod",
            "groupadd",
            "addgroup",
            "groupdel",
            "groupmod",
            "passwd",
            "chpasswd",
            "chsh",
            "chfn",
            "gpasswd",
            "vipw",
            "visudo",
            "apt",
            "apt-get",
            "apt-key",
            "aptitude",
            "dpkg-reconfigure",
            "yum",
            "dnf",
            "microdnf",
            "apk",
            "zypper",
            "emerge",
            "brew",
            "port",
            "snap",
            "flatpak",
            "mkfs",
            "mkswap",
            "fdisk",
            "sfdisk",
            "cfdisk",
            "gdisk",
            "sgdisk",
            "parted",
            "wipefs",
            "partprobe",
            "cryptsetup",
            "lvcreate",
            "lvremove",
            "lvextend",
            "vgcreate",
            "vgremove",
            "pvcreate",
            "pvremove",
            "mdadm",
            "resize2fs",
            "tune2fs",
            "e2fsck",
            "fsck",
            "blkdiscard",
            "hdparm",
            "zpool",
            "zfs",
            "btrfs",
            "hwclock",
            "ntpdate",
            "chronyc",
            "update-alternatives",
            "update-rc.d",
            "update-initramfs",
            "update-grub",
            "grub-install",
            "ldconfig",
            "depmod",
            "telinit",
            "init",
            "rfkill",
            "nmcli",
            "wg",
            "wg-quick",
            "brctl",
            "tc",
            "iptables-restore",
            "ip6tables-restore",
            "ipset",
            "setenforce",
            "semanage",
            "auditctl",
            "aa-enforce",
            "launchctl",
            "scutil",
            "networksetup",
            "defaults",
            "pmset",
            "diskutil",
            "csrutil",
            "spctl",
            "softwareupdate",
            "blkid",
            "rsyslogd",
            "logrotate",
            "dmidecode",
            "lshw",
            "numactl",
            "quota",
            "edquota",
            "setquota",
            "loadkeys",
        ],
        "",
        Operands::Custom(machine),
    ),
];

fn machine(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    build.specified = false;
    build.effect(EffectKind::System);
}

/// A table of the user's own; installing one runs what it says.
fn crontab(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let before = parsed.unknown.is_empty() && !parsed.flags.iter().any(|flag| flag.role == b'o');
    if parsed.has(&["l", "V"]) && before && parsed.operands.is_empty() {
        return;
    }
    build.restart();
    if let Some(text) = build.input_text() {
        build.code.push(text.to_owned());
    }
    build.each(parsed, |build, value, span| build.read(value, false, span));
    build.specified = false;
    build.effect(EffectKind::System);
}

/// Lists when there is nothing to act on.
fn lists(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let alone = parsed.operands.is_empty() && parsed.unknown.is_empty();
    let bare = build.words.len() > 1 || build.word(0).is_some_and(|name| !name.ends_with("swapon"));
    if !(alone && bare) {
        build.restart();
        build.specified = false;
        build.effect(EffectKind::System);
    }
}

/// Queries of package managers.
fn packages(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let base = build.base();
    let asks: &[&str] = match base {
        "rpm" => &["q", "query", "qa", "qi", "ql", "qf", "version", "help"],
        "pacman" => &["Q", "query", "Qs", "Qi", "Ql", "V", "version"],
        _ => &[
            "l",
            "L",
            "s",
            "S",
            "p",
            "C",
            "list",
            "listfiles",
            "status",
            "search",
            "print-avail",
            "print-architecture",
            "print-foreign-architectures",
            "get-selections",
            "audit",
            "help",
            "version",
        ],
    };
    if !parsed.has(asks) || !parsed.unknown.is_empty() {
        build.restart();
        build.specified = false;
        build.effect(EffectKind::System);
        return;
    }
    if base == "rpm" {
        // Debian's keeps its database there, and makes one to look into.
        build.effect(EffectKind::Opaque("it may make a database in the home directory".into()));
    }
    // rpm fetches a package by its URL, and what is no package is a list of others, also by URL (rpm(8), "query
    // options").
    if base == "rpm" && parsed.has(&["p"]) {
        build.each(parsed, |build, value, span| {
            if value.known().is_none_or(|text| text.contains("://")) {
                build.push(EffectKind::Network(None), span);
            }
            build.read(value, false, span);
            build.opaque(span, "a package file may be a list of others to fetch");
        });
    } else if base == "rpm" && parsed.has(&["f", "file", "qf"]) {
        build.each(parsed, Build::metadata);
    }
}

fn systemctl(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let verb = build.operand(parsed, 0).map(|word| word.value.known());
    match verb {
        None
        | Some(Some(
            "status" | "is-active" | "is-enabled" | "is-failed" | "is-system-running" | "list-units"
            | "list-unit-files" | "list-timers" | "list-sockets" | "list-automounts" | "list-paths"
            | "list-jobs" | "list-dependencies" | "list-machines" | "get-default",
        )) => {}
        Some(Some("show")) => {
            // All properties hold the environment of the service; several of these options add up (systemctl(1)).
            let mut chosen = parsed
                .flags
                .iter()
                .filter(|flag| matches!(flag.name, "p" | "P" | "property"))
                .map(|flag| flag.value.and_then(Slot::known))
                .peekable();
            let holds = |names: Option<&str>| {
                // An empty list takes back the choice.
                names.is_none_or(|names| {
                    names.is_empty() || names.to_ascii_lowercase().contains("environment")
                })
            };
            if chosen.peek().is_none() || chosen.any(holds) {
                build.effect(EffectKind::Environment);
            }
        }
        Some(Some("cat")) => {
            build.effect(EffectKind::Read {
                path: PathTarget::Below("/etc/systemd".to_owned()),
                recursive: false,
            });
        }
        _ => build.effect(EffectKind::System),
    }
}

/// What the tools of systemd are asked for without changing anything.
const CONTROL: &[(&str, &[&str])] = &[
    ("hostnamectl", &["status"]),
    ("timedatectl", &["status", "show", "list-timezones", "timesync-status", "show-timesync"]),
    (
        "localectl",
        &["status", "list-locales", "list-keymaps", "list-x11-keymap-models", "list-x11-keymap-layouts"],
    ),
    (
        "loginctl",
        &[
            "list-sessions",
            "session-status",
            "show-session",
            "list-users",
            "user-status",
            "show-user",
            "list-seats",
            "seat-status",
            "show-seat",
        ],
    ),
    ("resolvectl", &["status", "statistics", "show-cache", "show-server-state"]),
    ("networkctl", &["list", "status", "lldp"]),
    ("bootctl", &["status", "list", "is-installed"]),
    ("coredumpctl", &["list"]),
];

fn control(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let base = build.base();
    let verbs = CONTROL.iter().find(|(name, _)| *name == base).map_or(&[] as &[&str], |(_, verbs)| verbs);
    let verb = build.operand(parsed, 0).map(|word| word.value.known());
    // A file there (coredumpctl(1)), a format in the others.
    if let Some(slot) = parsed.value(&["o", "output"]).filter(|_| base == "coredumpctl") {
        build.write(&slot.value(), slot.span());
    }
    // `hostnamectl hostname` shows the name; with another word it sets it.
    let named = matches!(verb, Some(Some("hostname" | "icon-name" | "chassis" | "deployment" | "location")))
        && base == "hostnamectl"
        && build.count(parsed) == 1;
    if !(named || verb.is_none_or(|verb| verb.is_some_and(|verb| verbs.contains(&verb)))) {
        build.effect(EffectKind::System);
    }
}

fn sysctl(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let sets = parsed.operands.iter().any(|index| {
        build.words.get(*index).is_none_or(|word| word.value.known().is_none_or(|text| text.contains('=')))
    });
    if sets {
        build.effect(EffectKind::System);
    }
}
