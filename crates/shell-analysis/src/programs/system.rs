//! Programs that report on the machine, and those that change it.

use super::{
    Build,
    spec::{Operands, Parsed, Spec},
};
use crate::EffectKind;

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["ps"],
        "A a d e f F l j M y u= U= p= C= g= G= o= O= t= s= H L T w c n N r x q= Z V h S k= no-headers headers sort= pid= ppid= user= forest format= cols= columns= width= rows= lines= deselect group= tty= info version help",
        Operands::Custom(ps),
    ),
    Spec::new(
        &["pgrep"],
        "a l f c d= F=r g= G= i n o O= P= r= s= t= u= U= v w x A list-full list-name full count delimiter= pidfile=r pgroup= group= ignore-case newest oldest older= parent= runstates= session= terminal= euid= uid= inverse lightweight exact help version",
        Operands::Text,
    ),
    Spec::new(
        &["pstree"],
        "a A c C= g G h H= k l n N= p s S t T u U V Z arguments ascii compact-not color= show-pgids vt100 highlight-all highlight-pid= long numeric-sort ns-sort= show-pids show-parents thread-names hide-threads uid-changes unicode security-context version",
        Operands::Text,
    ),
    Spec::new(
        &["lsof"],
        "a b C d= g? h i? l n N O p= P Q R r? s? t T? u= U v V w X K? c= F? f? x? +c",
        Operands::Metadata,
    ),
    Spec::new(
        &["lscpu", "lsmem", "lsns"],
        "a b c e? E? J p? r S? x y h V C? H? B P all bytes online offline json extended? parse? raw hex physical output= o= output-all summary? task= t= type= n noheadings l list u notruncate W nowrap help version",
        Operands::None,
    ),
    Spec::new(&["lsusb"], "v t V s= d= verbose tree version help h", Operands::None),
    Spec::new(&["lspci"], "v n k b D t x P m s= d= V h", Operands::None),
    Spec::new(
        &["lsblk"],
        "a b d D e= f I= i J l m n N o= O p P r s S t T? x= z h V all bytes nodeps discard exclude= fs include= ascii json list perms noheadings output= output-all paths pairs raw inverse scsi topology tree? sort= zoned help version",
        Operands::Metadata,
    ),
    Spec::new(
        &["findmnt"],
        "a A b C c D d= e f h i J k l M=m m n N= o= O= P p? R r s S= T=m t= U u V v w= x all ascii bytes canonicalize df direction= evaluate first-only help invert json kernel list mountpoint=m notruncate noheadings options= output= output-all pairs raw real submounts source= target=m types= uniq version",
        Operands::Text,
    ),
    Spec::new(
        &["vmstat", "mpstat", "iostat"],
        "a c d D f m n N p= s S= t w y x z k h H g= j= P= A u I= V human active forks slabs one-header stats disk disk-sum partition= unit= timestamp wide no-first help version",
        Operands::Text,
    ),
    Spec::new(
        &["free", "uptime"],
        "b k m g h l L t v w c= s= V p s? bytes kibi mebi gibi tebi kilo mega giga tera human lohi line total committed si wide count= seconds= pretty since help version",
        Operands::None,
    ),
    Spec::new(
        &["who", "users"],
        "a b d H l m p q r s t T w u all boot dead heading ips login lookup count process short runlevel time mesg message writable users help version",
        Operands::Read,
    ),
    Spec::new(
        &["w"],
        "h u s f o i p V no-header no-current short from old-style ip-addr pids help version",
        Operands::Text,
    ),
    Spec::new(
        &["last", "lastb"],
        "# a d f=r F i n= p= R s= t= w x hostlast dns file=r fulltimes ip limit= present= nohostname since= until= time-format= fullnames system help version",
        Operands::Text,
    ),
    Spec::new(&["lastlog"], "b= t= u= h before= time= user= help", Operands::None),
    Spec::new(&["lsmod"], "", Operands::None),
    Spec::new(
        &["ss"],
        "a l t u w x n r p e m i s o 4 6 0 S Z z b f= A= H O N= V h listening all numeric resolve processes extended memory info summary options tcp udp raw unix ipv4 ipv6 packet family= query= no-header oneline help version K!o kill!o D=w diag=w F=o filter=o E events",
        Operands::Text,
    ),
    Spec::new(
        &["netstat"],
        "a l t u w x n p e i s r c v o 4 6 N g M W listening all numeric programs extend interfaces statistics route tcp udp unix wide help version",
        Operands::Text,
    ),
    Spec::new(&["nvidia-smi"], "L list-gpus", Operands::None),
    Spec::new(
        &["systemctl"],
        "# a l n= o= p= t= q H=o M=o all full lines= output= property= type= state= quiet no-pager no-legend plain value user system failed version help recursive reverse",
        Operands::Custom(systemctl),
    ),
    Spec::new(
        &["journalctl"],
        "# a b? e f k l n? o= p= q r S= U= u= t= x g= all boot? catalog dmesg follow full lines? no-pager no-tail output= priority= quiet reverse since= until= unit= user-unit= identifier= grep= utc list-boots disk-usage header no-hostname system user version help vacuum-size=o vacuum-time=o vacuum-files=o rotate!o flush!o sync!o",
        Operands::Text,
    ),
    Spec::new(
        &["dmesg"],
        "d e f= H h J k L? l= P p r S s= T t u V w W x facility= human json kernel color? level= nopager raw ctime notime time-format= userspace decode version help C!o c!o clear!o read-clear!o D!o E!o n=o console-level=o console-off!o console-on!o",
        Operands::None,
    ),
    Spec::new(
        &["ip"],
        "4 6 s d o r br brief c? color? j json p pretty a all h human-readable iec V Version details statistics oneline resolve family= f=",
        Operands::Custom(ip),
    ),
    Spec::new(
        &["sysctl"],
        "a A X e n N r= all ignore names values pattern= h help V version w!o p?o load?o system!o",
        Operands::Custom(sysctl),
    ),
    Spec::new(&["kill"], "l? L s= n= p q= # list? table signal= timeout=", Operands::Custom(signals)),
    Spec::new(
        &["pkill", "killall", "skill", "renice", "xkill"],
        "# f e g= i n o s= u= U= v w x q t= P= G= signal= exact ignore-case newest oldest wait verbose quiet user= full",
        Operands::Custom(signals),
    ),
    Spec::new(
        &[
            "reboot",
            "shutdown",
            "halt",
            "poweroff",
            "mount",
            "umount",
            "swapon",
            "swapoff",
            "service",
            "modprobe",
            "insmod",
            "rmmod",
            "useradd",
            "userdel",
            "usermod",
            "groupadd",
            "passwd",
            "chsh",
            "apt",
            "apt-get",
            "dpkg",
            "yum",
            "dnf",
            "apk",
            "pacman",
            "zypper",
            "brew",
            "snap",
            "flatpak",
            "crontab",
            "hostnamectl",
            "timedatectl",
            "iptables",
            "ufw",
            "mkfs",
            "fdisk",
            "parted",
            "wipefs",
            "losetup",
        ],
        "",
        Operands::Custom(machine),
    ),
];

/// `ps e` shows the environment of processes; `ps -auxe` is taken for `ps auxe` when there is no user `xe` (ps(1)).
fn ps(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let environment = build.words.iter().enumerate().skip(1).any(|(index, word)| match word.value.known() {
        Some(text) => match text.strip_prefix('-') {
            Some(rest) => {
                let user = rest.split_once('u').map(|(_, user)| user).unwrap_or_default();
                !rest.starts_with('-') && !user.is_empty() && rest.contains('e')
            }
            None => parsed.operands.contains(&index) && text.contains('e'),
        },
        None => true,
    });
    if environment {
        build.effect(EffectKind::Environment);
    }
}

fn machine(build: &mut Build<'_>, _parsed: &Parsed<'_>) {
    build.restart();
    if let Some(text) = build.input_text() {
        // A table of `crontab -`.
        build.code.push(text.to_owned());
    }
    build.specified = false;
    build.effect(EffectKind::System);
}

fn signals(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    if build.word(0) == Some("kill") && parsed.has(&["l", "L", "list", "table"]) {
        return;
    }
    build.restart();
    build.effect(EffectKind::Process);
}

fn systemctl(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let verb = build.operand(parsed, 0).and_then(|word| word.value.known());
    let reads = matches!(
        verb,
        None | Some(
            "status"
                | "show"
                | "cat"
                | "is-active"
                | "is-enabled"
                | "is-failed"
                | "is-system-running"
                | "list-units"
                | "list-unit-files"
                | "list-timers"
                | "list-sockets"
                | "list-jobs"
                | "list-dependencies"
                | "list-machines"
                | "get-default"
        )
    );
    if !reads {
        build.effect(EffectKind::System);
    }
}

fn ip(build: &mut Build<'_>, parsed: &Parsed<'_>) {
    let words: Vec<Option<&str>> = parsed
        .operands
        .iter()
        .map(|index| build.words.get(*index).and_then(|word| word.value.known()))
        .collect();
    let object = matches!(
        words.first(),
        None | Some(Some(
            "a" | "addr" | "address" | "l" | "link" | "r" | "route" | "n" | "neigh" | "rule" | "maddr"
        ))
    );
    // The first verb that begins so is taken: `ip link s` is `ip link set`.
    let verb = matches!(words.get(1), None | Some(Some("show" | "list" | "ls" | "get" | "sh")));
    if !(object && verb && words.iter().all(Option::is_some)) {
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
