//! Programs that run other programs, as data: where the inner command starts, and
//! whether an allow rule may look through.

use std::{collections::HashMap, sync::LazyLock};

use crate::{name_hash::Names, programs::flags};

/// How a launcher names what it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inner {
    /// The words behind the operands are an argv.
    Words,
    /// The words behind the operands are joined by blanks and given to a shell.
    Text,
    /// The words behind `--`, else behind the operands.
    Dashes,
}

/// One launcher.
#[derive(Clone, Copy)]
pub(crate) struct Launcher {
    /// Base names.
    pub(crate) names: &'static [&'static str],
    /// Subcommand words that make it one (`docker exec`); empty: always.
    pub(crate) subcommand: &'static [&'static str],
    /// Flags that may stand before each of those words.
    pub(crate) global: &'static str,
    /// Its own flags, as in [`crate::programs::spec`].
    pub(crate) flags: &'static str,
    /// Flags whose value is shell text.
    pub(crate) text_flags: &'static [&'static str],
    /// Operands before the inner command.
    pub(crate) operands: usize,
    /// `NAME=value` words before the inner command set variables.
    pub(crate) assignments: bool,
    pub(crate) transparent: bool,
    pub(crate) inner: Inner,
    /// Flags with which the command starts in another directory; an empty list: it always may.
    pub(crate) moves: Option<&'static [&'static str]>,
}

const fn words(names: &'static [&'static str], flags: &'static str, operands: usize) -> Launcher {
    Launcher {
        names,
        subcommand: &[],
        global: "",
        flags,
        text_flags: &[],
        operands,
        assignments: false,
        transparent: false,
        inner: Inner::Words,
        moves: None,
    }
}

const fn through(names: &'static [&'static str], flags: &'static str, operands: usize) -> Launcher {
    Launcher { transparent: true, ..words(names, flags, operands) }
}

const fn sub(
    names: &'static [&'static str],
    subcommand: &'static [&'static str],
    flags: &'static str,
    operands: usize,
) -> Launcher {
    Launcher { subcommand, ..words(names, flags, operands) }
}

/// As [`sub`], with flags of the program before its subcommand.
const fn behind_flags(global: &'static str, launcher: Launcher) -> Launcher {
    Launcher { global, ..launcher }
}

const fn dashes(
    names: &'static [&'static str],
    subcommand: &'static [&'static str],
    flags: &'static str,
    operands: usize,
) -> Launcher {
    Launcher { subcommand, inner: Inner::Dashes, ..words(names, flags, operands) }
}

/// Those of docker and of its compose (`docker --help`, `docker compose --help`, 28).
const DOCKER: &str = "config= c= context= D debug H= host= l= log-level= tls tlscacert= tlscert= tlskey= tlsverify connection= \
    f= file= p= project-name= profile= project-directory= env-file= ansi= progress= parallel= compatibility dry-run verbose all-resources";
/// `kubectl options`, 1.33.
const KUBECTL: &str = "n= namespace= s= server= context= cluster= user= kubeconfig= as= as-group= as-uid= token= v= request-timeout= \
    certificate-authority= client-certificate= client-key= tls-server-name= cache-dir= insecure-skip-tls-verify? match-server-version? \
    disable-compression? password= username= profile= profile-output= log-flush-frequency= warnings-as-errors?";
const DOCKER_EXEC: &str = "d detach detach-keys= e= env= env-file= i interactive privileged t tty u= user= w= workdir= T no-TTY index=";
pub(crate) const DOCKER_RUN: &str = "add-host= annotation= a= attach= blkio-weight= blkio-weight-device= cap-add= cap-drop= cgroup-parent= cgroupns= cidfile= \
    cpu-count= cpu-percent= cpu-period= cpu-quota= cpu-rt-period= cpu-rt-runtime= c= cpu-shares= cpus= cpuset-cpus= cpuset-mems= d detach detach-keys= device= \
    device-cgroup-rule= device-read-bps= device-read-iops= device-write-bps= device-write-iops= disable-content-trust dns= dns-option= dns-search= domainname= entrypoint= \
    e= env= env-file= expose= gpus= group-add= health-cmd= health-interval= health-retries= health-start-interval= health-start-period= health-timeout= help h= hostname= \
    init i interactive ip= ip6= ipc= isolation= kernel-memory= l= label= label-file= link= link-local-ip= log-driver= log-opt= mac-address= m= memory= memory-reservation= \
    memory-swap= memory-swappiness= mount= name= net= network= network-alias= no-healthcheck oom-kill-disable oom-score-adj= pid= pids-limit= platform= privileged p= publish= \
    P publish-all pull= q quiet read-only restart= rm runtime= security-opt= shm-size= sig-proxy stop-signal= stop-timeout= storage-opt= sysctl= tmpfs= t tty ulimit= \
    use-api-socket u= user= userns= uts= v= volume= volume-driver= volumes-from= w= workdir= it";
const SSH: &str = "4 6 A a C f G g K k M N n q s T t V v X x Y y B= b= c= D= E= e= F= I= i= J= L= l= m= O= o= p= P= Q= R= S= W= w=";
const SUDO: &str = "A b B E e H i K k l N n P S s V v C= D= g= h= p= R= r= T= t= U= u= askpass background preserve-env? \
    set-home login reset-timestamp list non-interactive stdin shell validate chdir= group= host= prompt= user= other-user=";

/// The table.
pub(crate) const TABLE: &[Launcher] = &[
    through(&["timeout", "gtimeout"], "k= kill-after= s= signal= preserve-status foreground v verbose", 1),
    through(&["nice"], "n= adjustment=", 0),
    through(&["nohup"], "", 0),
    through(&["stdbuf"], "i= o= e= input= output= error=", 0),
    through(&["ionice"], "c= n= t class= classdata= ignore", 0),
    through(&["time"], "p v portability verbose", 0),
    through(&["command"], "p", 0),
    through(&["builtin"], "", 0),
    through(&["exec"], "c l a=", 0),
    words(&["setsid"], "c ctty f fork w wait", 0),
    words(
        &["chrt"],
        "a b d f i o r m p R v T= P= D= all-tasks batch deadline fifo idle other rr max pid reset-on-fork verbose",
        1,
    ),
    words(&["choom"], "n= adjust= p= pid=", 0),
    words(&["taskset"], "a c p all-tasks cpu-list pid", 1),
    words(&["unbuffer"], "p", 0),
    Launcher {
        text_flags: &["c", "command"],
        ..words(
            &["flock"],
            "s shared x e exclusive u unlock n nb nonblock w= wait= timeout= o close E= conflict-exit-code= F no-fork verbose c= command=",
            1,
        )
    },
    Launcher {
        text_flags: &["c", "command"],
        ..words(
            &["script"],
            "a append c= command= e return E= echo= f flush force q quiet I= log-in= O= log-out= B= log-io= T= t? timing?",
            usize::MAX,
        )
    },
    Launcher {
        inner: Inner::Text,
        ..words(
            &["watch"],
            "b beep c color d? differences? e errexit g chgexit n= interval= p precise q= t no-title w no-wrap x exec r",
            0,
        )
    },
    words(&["entr"], "a c d n p r s x z", 0),
    Launcher { inner: Inner::Text, ..words(&["ssh", "autossh", "mosh"], SSH, 1) },
    Launcher {
        inner: Inner::Text,
        ..words(
            &["parallel", "sem"],
            "j= jobs= k keep-order u n= N= I= L= X m 0 null a= arg-file= bar progress eta dry-run t v halt= joblog= results= S= sshlogin= timeout= delay= will-cite no-notice q quote colsep= C= tag",
            0,
        )
    },
    behind_flags(DOCKER, sub(&["docker", "podman", "nerdctl"], &["exec"], DOCKER_EXEC, 1)),
    behind_flags(DOCKER, sub(&["docker", "podman", "nerdctl"], &["container", "exec"], DOCKER_EXEC, 1)),
    behind_flags(DOCKER, sub(&["docker", "podman", "nerdctl"], &["run"], DOCKER_RUN, 1)),
    behind_flags(DOCKER, sub(&["docker", "podman", "nerdctl"], &["container", "run"], DOCKER_RUN, 1)),
    behind_flags(DOCKER, sub(&["docker", "podman"], &["compose", "exec"], DOCKER_EXEC, 1)),
    behind_flags(DOCKER, sub(&["docker", "podman"], &["compose", "run"], DOCKER_RUN, 1)),
    behind_flags(DOCKER, sub(&["docker-compose"], &["exec"], DOCKER_EXEC, 1)),
    behind_flags(DOCKER, sub(&["docker-compose"], &["run"], DOCKER_RUN, 1)),
    behind_flags(
        KUBECTL,
        dashes(
            &["kubectl", "oc"],
            &["exec"],
            "c= container= i stdin t tty it ti n= namespace= q quiet f= filename= context= kubeconfig=",
            1,
        ),
    ),
    Launcher {
        moves: Some(&["w", "wd", "W", "r", "root"]),
        ..words(
            &["nsenter"],
            "a all t= target= m? mount? u? uts? i? ipc? n? net? p? pid? U? user? C? cgroup? T? time? S= setuid= G= setgid= r? root? w? wd? W= F no-fork Z e env",
            0,
        )
    },
    Launcher {
        moves: Some(&["w", "wd", "R", "root"]),
        ..words(
            &["unshare"],
            "m? mount? u? uts? i? ipc? n? net? p? pid? U? user? C? cgroup? T? time? f fork r map-root-user c map-current-user kill-child? mount-proc? propagation= setgroups= R= root= w= wd= S= setuid= G= setgid=",
            0,
        )
    },
    Launcher { moves: Some(&[]), ..words(&["chroot"], "userspec= groups= skip-chdir", 1) },
    Launcher {
        moves: Some(&[]),
        ..words(
            &["systemd-run"],
            "scope user system u= unit= p= property= d same-dir t pty P pipe q quiet r remain-after-exit slice= G collect wait uid= gid= E= setenv= on-active= on-calendar= description= shell S no-block working-directory=",
            0,
        )
    },
    Launcher {
        text_flags: &["c", "command"],
        ..words(
            &["su"],
            "c= command= g= group= G= supp-group= l login m p preserve-environment P pty s= shell= w= whitelist-environment= f fast session-command=",
            usize::MAX,
        )
    },
    Launcher {
        text_flags: &["c", "command"],
        ..words(
            &["runuser"],
            "u= user= c= command= g= group= G= l login m p preserve-environment P pty s= shell=",
            0,
        )
    },
    words(&["doas"], "a= C= L n s u=", 0),
    Launcher {
        assignments: true,
        moves: Some(&["D", "chdir", "i", "login", "R", "chroot"]),
        ..words(&["sudo"], SUDO, 0)
    },
    words(&["pkexec"], "user= disable-internal-agent keep-cwd", 0),
    words(&["busybox", "toybox"], "", 0),
    words(
        &["strace", "ltrace"],
        "f ff c C d h i k q r t tt ttt T v V x xx y yy a= b= e= E= I= o= O= p= P= s= S= u= X=",
        0,
    ),
    words(
        &[
            "valgrind",
            "chronic",
            "ifne",
            "lckdo",
            "torsocks",
            "proxychains",
            "proxychains4",
            "dbus-run-session",
            "catchsegv",
            "caffeinate",
            "ltrace",
            "rlwrap",
            "firejail",
            "fakeroot",
            "xvfb-run",
        ],
        "",
        0,
    ),
    words(&["faketime"], "f m p", 1),
    words(&["gdb", "lldb"], "args q quiet batch ex= x= iex= p= pid= silent nh nx n", 0),
    words(
        &["cpulimit"],
        "l= limit= p= pid= e= exe= P= path= z lazy i include-children v verbose q quiet b background f foreground m monitor-forks",
        0,
    ),
    words(
        &["npx", "bunx", "uvx"],
        "y yes no-install p= package= q quiet c= call= from= with= python= w= workspace= bun",
        0,
    ),
    sub(&["pnpm", "yarn"], &["dlx"], "p= package= q silent", 0),
    sub(&["pnpm", "yarn", "npm"], &["exec"], "y yes p= package= c= call= w= workspace= r recursive", 0),
    sub(&["pipx"], &["run"], "spec= python= no-cache pypackages", 0),
    dashes(&["nix"], &["run"], "impure", 1),
    sub(&["direnv"], &["exec"], "", 1),
    dashes(&["mise", "rtx"], &["exec"], "j= jobs= c= command=", usize::MAX),
    dashes(&["mise", "rtx"], &["x"], "j= jobs= c= command=", usize::MAX),
    Launcher {
        moves: Some(&["directory", "C", "P", "project"]),
        ..sub(
            &["poetry", "pipenv", "rye", "pdm", "hatch"],
            &["run"],
            "q v n no-ansi directory= C= P= project=",
            0,
        )
    },
    Launcher {
        moves: Some(&["directory", "project"]),
        ..sub(
            &["uv"],
            &["run"],
            "p= python= with= extra= group= all-extras no-sync frozen locked q v m module env-file= project= directory= isolated active no-project s script package=",
            0,
        )
    },
    sub(&["bundle"], &["exec"], "keep-file-descriptors", 0),
    sub(&["ip"], &["netns", "exec"], "", 1),
    sub(&["ip"], &["vrf", "exec"], "", 1),
    sub(&["git"], &["bisect", "run"], "", 0),
    Launcher { inner: Inner::Text, ..sub(&["git"], &["submodule", "foreach"], "recursive q quiet", 0) },
    Launcher {
        text_flags: &["x", "exec"],
        ..sub(
            &["git"],
            &["rebase"],
            "x= exec= i interactive onto= autosquash root s= strategy= X=",
            usize::MAX,
        )
    },
];

/// The rows that have a name, in the order of the table.
static BY_NAME: LazyLock<HashMap<&'static str, Vec<&'static Launcher>, Names>> = LazyLock::new(|| {
    let mut rows: HashMap<_, Vec<_>, Names> = HashMap::default();
    for launcher in TABLE {
        for name in launcher.names {
            rows.entry(*name).or_default().push(launcher);
        }
    }
    rows
});

/// The launcher that an argv is, if it is one, and the index of the word behind which its own flags stand.
pub(crate) fn find(name: &str, words: &[crate::Argument]) -> Option<(&'static Launcher, usize)> {
    BY_NAME.get(name)?.iter().find_map(|launcher| Some((*launcher, launcher.place(name, words)?)))
}

impl Launcher {
    fn place(&self, name: &str, words: &[crate::Argument]) -> Option<usize> {
        self.subcommand.iter().try_fold(0, |at, wanted| {
            let next = at
                + match self.global {
                    "" => 1,
                    flags => flags::leading(words.get(at..)?, flags, name).rest,
                };
            (words.get(next)?.value.known() == Some(*wanted)).then_some(next)
        })
    }
}
