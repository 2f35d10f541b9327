//! Programs that report on the machine: memory, processors, disks, users, limits (util-linux, procps, sysstat and
//! coreutils manual pages).

use super::spec::{Operands, Spec};

pub(super) const SPECS: &[Spec] = &[
    Spec::new(
        &["lscpu"],
        "a b B c C? e? J p? s= x y h V all online bytes offline caches? extended? json parse? sysroot= hex physical output-all help version",
        Operands::None,
    ),
    Spec::new(
        &["lsmem"],
        "J P a b n o= r S= s= h V json pairs all bytes noheadings output= output-all raw split= sysroot= summary? help version",
        Operands::None,
    ),
    Spec::new(
        &["lsns"],
        "J l n o= p= r u W t= T? P h V json list noheadings output= output-all persistent task= raw notruncate nowrap type= tree? help version",
        Operands::Text,
    ),
    Spec::new(
        &["lsipc"],
        "i= g m q s b c e J n l o= P r t y h V id= global shmems queues semaphores bytes creator export json newline list noheadings notruncate output= numeric-perms raw time time-format= shell help version",
        Operands::None,
    ),
    Spec::new(
        &["lslocks"],
        "b J i n o= p= r u h V bytes json noinaccessible noheadings output= output-all pid= raw notruncate help version",
        Operands::None,
    ),
    Spec::new(
        &["lsirq"],
        "J P n o= s= S h V json pairs noheadings output= sort= softirq help version",
        Operands::None,
    ),
    Spec::new(
        &["lsfd"],
        "l J n o= r u p= Q= C= h V threads json noheadings output= raw notruncate pid= filter= counter= dump-counters summary? help version",
        Operands::None,
    ),
    Spec::new(
        &["ipcs"],
        "i= m q s a t p c l u b h V id= shmems queues semaphores all time pid creator limits summary human bytes help version",
        Operands::None,
    ),
    Spec::new(&["lsusb"], "v t V s= d= verbose tree version help h", Operands::None),
    Spec::new(&["lspci"], "v n k b D t x P m s= d= V h vv vvv nn mm", Operands::None),
    Spec::new(
        &["lsblk"],
        "a A b d D e= E= f I= i J l m M n N o= O p P r s S t T? w= x= y z h V all bytes nodeps discard dedup= exclude= fs include= ascii json list merge perms noempty noheadings output= output-all paths pairs raw inverse scsi topology tree? sort= width= shell zoned help version",
        Operands::Metadata,
    ),
    Spec::new(
        &["findmnt"],
        "a A b C c D d= e f F=r h i J k l M=m m n N= o= O= P p? R r s S= T=m t= U u V v w= x y all ascii bytes nocanonicalize canonicalize deleted df direction= evaluate first-only fstab help invert json kernel list mountpoint=m mtab notruncate noheadings nofsroot options= output= output-all pairs poll? pseudo raw real shadowed shadow shell source= submounts tab-file=r target=m task= timeout= tree types= uniq verify verbose version vfs-all",
        Operands::Text,
    ),
    Spec::new(
        &["vmstat"],
        "a d D f m n p= S= s t w y h V active forks slabs one-header stats disk disk-sum partition= unit= timestamp wide no-first help version",
        Operands::Text,
    ),
    Spec::new(&["mpstat"], "A u H I= N= P= T V n o= dec=", Operands::Text),
    Spec::new(&["iostat"], "c d h k m N s t V x y z p? g= H j= f= compact human pretty dec=", Operands::Text),
    Spec::new(&["pidstat"], "C= d H h I l R r s t U? u V v w G= p= T= e!x human dec=", Operands::Text),
    Spec::new(
        &["free"],
        "b k m g h l L t v w c= s= V si bytes kibi mebi gibi tebi pebi kilo mega giga tera peta human lohi line total committed wide count= seconds= help version",
        Operands::None,
    ),
    Spec::new(&["uptime"], "p s r h V c pretty since raw container help version", Operands::None),
    Spec::new(
        &["who"],
        "a b d H l m p q r s t T w u all boot dead heading ips login lookup!o count process short runlevel time mesg message writable users help version",
        Operands::Read,
    ),
    Spec::new(&["users"], "help version", Operands::Read),
    Spec::new(&["pinky"], "l b h p s f w i q lookup help version", Operands::Text),
    Spec::new(
        &["w"],
        "h u s f o i p c V no-header no-current short from old-style ip-addr pids container terminal help version",
        Operands::Text,
    ),
    Spec::new(
        &["last", "lastb"],
        "# a d!o f=r F h i n= p= R s= t= T w x V hostlast dns!o file=r fulltimes ip limit= present= nohostname since= until= tab-separated time-format= fullnames system help version",
        Operands::Text,
    ),
    Spec::new(&["lastlog"], "b= t= u= h before= time= user= help", Operands::None),
    Spec::new(&["lsmod"], "s v help version h V", Operands::None),
    Spec::new(
        &["modinfo"],
        "a d p n 0 l F= k= b= V h author description parameters filename null license field= set-version= basedir= version help",
        Operands::Text,
    ),
    Spec::new(
        &["nvidia-smi"],
        "L q i: l:d d: x h list-gpus query id= loop= display= xml-format query-gpu= query-compute-apps= query-supported-clocks= format= version help",
        Operands::None,
    ),
    Spec::new(
        &["uuidgen"],
        "r t n= N= m s x h V C= 6 7 random time namespace= name= md5 sha1 hex count= help version",
        Operands::None,
    ),
    Spec::new(&["mcookie"], "f=r m= v h V file=r max-size= verbose help version", Operands::None),
    Spec::new(
        &["lsb_release"],
        "v i d r c a s h version id description release codename all short help",
        Operands::None,
    ),
    Spec::new(&["getenforce", "sestatus", "runlevel", "hostid"], "v b help version", Operands::None),
    Spec::new(&["sensors"], "f A u j h v help version no-adapter", Operands::Text),
    Spec::new(
        &["acpi"],
        "a b c f i s S t v V h battery ac-adapter thermal cooling everything show-empty fahrenheit kelvin details version help",
        Operands::None,
    ),
    Spec::new(&["xdpyinfo", "glxinfo"], "B help version", Operands::None),
];
