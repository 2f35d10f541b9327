//! Programs that take what they run from an option, a setting or a variable, as data. What is
//! found so stands in the plan for rules that restrict; the launchers of [`crate::launchers`], whose operands are a
//! command, are a table of their own. A row that finds too much costs little: what it finds matters only where
//! a rule names it.

use std::{collections::HashMap, sync::LazyLock};

use crate::{name_hash::Names, name_set::NameSet};

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Shell text, or a program with words of its own; the program may append others.
    Text,
    /// The words from here on, up to a `;`, are an argv.
    Words,
    /// The words behind the subcommand's own options and this many operands are an argv.
    Behind(u8),
    /// The words behind the subcommand and these options are a command of the program itself.
    Own,
    /// The same words are the name of a script of the project, and its words: whoever lets the program run scripts has
    /// let it run each of them.
    Script,
    /// The same without a subcommand, where the word is none of the program's own.
    Bare,
    /// `KEY=VALUE` of git's configuration.
    Setting,
    /// `KEY=VARIABLE` of git's configuration.
    SettingFrom,
    /// A key of git's configuration, then its value.
    Stored,
    /// A place from which programs are taken.
    Anything,
}

/// One row.
pub(crate) struct Runner {
    /// Base names, with blanks between them.
    programs: &'static str,
    /// Words that stand one behind another somewhere in the command; alternatives with `|`. Empty: always.
    subcommand: &'static str,
    /// What names it, with blanks between them:
    ///
    /// | entry | meaning |
    /// |---|---|
    /// | `x` | `-x VALUE`, `-xVALUE`, `-axVALUE` |
    /// | `exec` | `--exec VALUE`, `--exec=VALUE`, `-exec VALUE`, abbreviations from three letters on |
    /// | `O?` | the value is glued on, or it has none |
    /// | `:ext::` | a word that begins so, whatever its case; the value follows at once |
    /// | `~proxycommand` | a word that has this in it; the value follows behind `=`, `:` or a blank |
    options: &'static str,
    how: How,
}

const fn row(programs: &'static str, subcommand: &'static str, options: &'static str, how: How) -> Runner {
    Runner { programs, subcommand, options, how }
}

use How::{Anything, Bare, Behind, Own, Script, Setting, SettingFrom, Stored, Text, Words};

/// Subcommands that package managers of Node.js have and that are names of programs too.
static OWN_VERBS: NameSet = NameSet::new(&[
    "add", "create", "exec", "info", "init", "install", "link", "list", "ls", "node", "patch", "prune",
    "set", "store", "test", "unlink", "up", "update", "version", "why", "x",
]);

/// Whether a package manager keeps this word for itself; any other may be a program of the project.
pub(crate) fn is_own_verb(word: &str) -> bool {
    OWN_VERBS.contains(word)
}

const NAMESPACES: &str = "netns exec|netns exe|netns ex|netns e|netn exec|netn exe|netn ex|netn e|net exec|net exe|net ex|net e|\
    ne exec|ne exe|ne ex|ne e|vrf exec|vrf exe|vrf ex|vrf e|vr exec|vr exe|vr ex|vr e|v exec|v exe|v ex|v e";

/// The rows; sources are the manual pages and `--help` of each program.
const TABLE: &[Runner] = &[
    // Searching.
    row("fd fdfind", "", "x exec X exec-batch", Words),
    row("rg", "", "pre hostname-bin", Text),
    row("ag ack", "", "pager", Text),
    row("ugrep ug", "", "pager? view? ~filter=*:", Text),
    row("fzf sk", "", "preview bind c cmd ~execute( ~execute-silent( ~reload( ~become( ~transform(", Text),
    row("bat batcat delta", "", "pager", Text),
    // git.
    row("git", "", "c config", Setting),
    row("git", "", "config-env", SettingFrom),
    row("git", "", "exec-path?", Anything),
    row("git", "", ":ext::", Text),
    row("git", "config", "", Stored),
    row("git", "grep", "O? open-files-in-pager?", Text),
    row("git", "difftool", "x extcmd", Text),
    row("git", "difftool|mergetool", "t tool", Text),
    row(
        "git",
        "filter-branch",
        "setup env-filter tree-filter index-filter parent-filter msg-filter commit-filter tag-name-filter",
        Text,
    ),
    row("git", "rebase|pull", "x exec", Text),
    row("git", "bisect run", "", Behind(0)),
    row("git", "foreach", "", Behind(0)),
    row("git", "clone", "u", Text),
    row(
        "git",
        "clone|fetch|pull|ls-remote|fetch-pack|push|send-pack|archive|remote|submodule",
        "upload-pack receive-pack exec",
        Text,
    ),
    row("git", "send-email", "sendmail-cmd to-cmd cc-cmd header-cmd smtp-server", Text),
    row("git", "instaweb|web--browse", "d httpd b browser t tool", Text),
    row("git", "daemon", "access-hook", Text),
    row("git", "merge-index", "", Behind(0)),
    row("git", "for-each-repo", "config", Own),
    row("git", "svn|cvsimport|p4", "editor", Text),
    row("hg", "", "~=! e ssh remotecmd p program c command", Text),
    row("hg chg", "", "~ui.editor ~ui.ssh ~hooks. ~.executable", Text),
    row("svn", "", "editor-cmd diff-cmd diff3-cmd", Text),
    row("cvs", "", "e", Text),
    row("jj", "util exec", "", Behind(0)),
    row("gh", "alias set", "", Behind(1)),
    row("gh", "codespace ssh|cs ssh", "", Behind(0)),
    row("gh", "config set", "", Behind(1)),
    row("gh", "extension exec", "", Behind(0)),
    // Archives, copies and sorting.
    row(
        "tar gtar bsdtar",
        "",
        "I use-compress-program F info-script new-volume-script to-command rmt-command rsh-command ~exec",
        Text,
    ),
    row("cpio mt rmt", "", "rsh-command rmt-command", Text),
    row("zip", "", "TT unzip-command", Text),
    row("rsync", "", "e rsh rsync-path early-exec", Text),
    row("rclone", "", "password-command ssh sftp-ssh metadata-mapper", Text),
    row("restic", "", "password-command ~sftp.command ~rclone.program", Text),
    row("restic", "", "stdin-from-command", Words),
    row("borg", "", "rsh", Text),
    row("borg", "with-lock", "", Behind(1)),
    row("borg", "", "content-from-command", Words),
    row("unison", "", "sshcmd diff", Text),
    row("sort gsort", "", "compress-program", Text),
    row("split gsplit", "", "filter", Text),
    // Reading and writing.
    row("man apropos", "", "P pager H? html?", Text),
    row("less more most pg", "", ":+! ~!", Text),
    row(
        "vim vi view nvim gvim vimdiff rvim ex nex vifm nvi elvis",
        "",
        ":+! :+:! :+sil! ~:! c cmd ~! ~system( ~silent! ~silent",
        Text,
    ),
    row("nano pico", "", "s speller", Text),
    row("emacsclient", "", "a alternate-editor", Text),
    row("joe kak ranger lf", "", "exec cmd command ~!", Text),
    row("qmv qcp vidir", "", "e editor", Text),
    // Away.
    row(
        "ssh scp sftp sshfs autossh mosh ssh-copy-id rsync slogin sshpass",
        "",
        "~proxycommand ~localcommand ~knownhostscommand ~remotecommand ~xauthlocation ~exec ~ssh_command ~sftp_server",
        Text,
    ),
    row("scp sftp", "", "S D s", Text),
    row("mosh", "", "ssh server", Text),
    row("lftp ftp ncftp", "", "c e ~! ~shell", Text),
    row("socat", "", ":exec: :system: :shell:", Text),
    row("nc ncat netcat nc.traditional nc.openbsd", "", "e exec c sh-exec lua-exec", Text),
    row("tcpdump dumpcap tshark", "", "z postrotate-command", Text),
    row("wget", "", "use-askpass", Text),
    row(
        "aria2c",
        "",
        "on-download-complete on-download-start on-download-stop on-download-error on-download-pause on-bt-download-complete",
        Text,
    ),
    row("yt-dlp youtube-dl", "", "exec exec-before-download downloader external-downloader", Text),
    row(
        "openvpn",
        "",
        "up down route-up route-pre-down ipchange client-connect client-disconnect learn-address tls-verify auth-user-pass-verify",
        Text,
    ),
    // Any beginning of a word is the word (ip(8)); with `-all` no name stands in front.
    row("ip", NAMESPACES, "", Behind(1)),
    row("ip", NAMESPACES, "", Behind(0)),
    row("smbclient", "", "c command ~!", Text),
    row("fetchmail", "", "m mda preconnect postconnect plugin plugout", Text),
    row("msmtp", "", "passwordeval", Text),
    row("mutt neomutt mail mailx s-nail", "", "~editor ~sendmail ~pager ~source ~shell", Text),
    row("gpg gpg2 gpgv", "", "agent-program dirmngr-program keyboxd-program photo-viewer exec-path", Text),
    row("gpg-agent", "", "pinentry-program", Text),
    row("gpg-agent ssh-agent", "", "", Behind(0)),
    // Building.
    row(
        "make gmake",
        "",
        ":shell= :cc= :cxx= :ld= :ar= :as= :cpp= :rm= :make= :install= :python= ~$(shell eval E",
        Text,
    ),
    row("cmake", "", "~_compiler= ~_compiler_launcher= ~_linker_launcher= ~_make_program= ~_emulator=", Text),
    row("cmake", "-E env|-E time", "", Behind(0)),
    row("cmake", "-E chdir", "", Behind(1)),
    row("ctest", "", "test-command", Words),
    row("meson", "devenv", "", Behind(0)),
    row("just", "", "c command", Words),
    row("just", "", "shell chooser", Text),
    row("gcc g++ cc c++ clang clang++ collect2", "", "wrapper ld-path fuse-ld", Text),
    row("go", "", "toolexec exec vettool ~extld", Text),
    row("go", "tool", "", Script),
    row("go", "env", ":cc= :cxx= :ar= :pkg_config= :fc= :gccgo=", Text),
    row("go", "generate|run|build|test|vet|install|list|env", "~-toolexec ~-exec", Text),
    row("cargo cargo-watch", "", "s shell", Text),
    row(
        "cargo cargo-watch rustc rustdoc",
        "",
        "~linker ~rustc-wrapper ~rustc-workspace-wrapper ~runner ~build.rustc ~build.rustdoc ~alias.",
        Text,
    ),
    row("cargo", "watch", "", Behind(0)),
    row("cargo-watch bear ccache sccache distcc icecc scan-build", "", "", Behind(0)),
    row("rustup", "run", "", Behind(1)),
    row(
        "java javac mvn gradle sbt scala groovy kotlin",
        "",
        ":-xx:onerror= :-xx:onoutofmemoryerror= ~exec.executable ~onerror ~onoutofmemoryerror",
        Text,
    ),
    row("bazel bazelisk", "", "run_under workspace_status_command", Text),
    row("terragrunt", "run-cmd", "", Behind(0)),
    row("terragrunt", "", "terragrunt-tfpath tf-path", Text),
    row("helm", "", "post-renderer", Text),
    row("pandoc", "", "F filter pdf-engine", Text),
    row("latexmk", "", "pdflatex latex xelatex lualatex", Text),
    row("gs", "", "~%pipe%", Text),
    row("dpkg", "", "pre-invoke post-invoke", Text),
    row("apt apt-get aptitude", "", "~pre-invoke ~post-invoke ~post-invoke-success ~bin::dpkg", Text),
    row("rpm rpmbuild", "", "pipe ~%(", Text),
    row("logrotate", "", "m mail", Text),
    // Packages and their managers.
    row("npm npx pnpm", "exec|x|npx|dlx", "c call", Text),
    row("npx", "", "c call", Text),
    row(
        "npm pnpm yarn",
        "",
        "script-shell shell editor viewer git browser ~script-shell= ~editor= ~scripts.",
        Text,
    ),
    row("npm pnpm yarn bun", "exec|x|dlx", "", Behind(0)),
    row("npm", "explore", "", Behind(1)),
    row("npm", "config set|set|pkg set|c set", "", Behind(0)),
    row("npm", "config set|set|c set", "", Behind(1)),
    row("yarn", "workspace", "", Behind(2)),
    row("yarn pnpm bun deno", "run", "", Script),
    row("yarn yarnpkg pnpm bun", "", "", Bare),
    row("bun", "exec|x", "", Behind(0)),
    row("deno", "task", "", Script),
    row("deno", "task", "", Behind(1)),
    row("uv", "run|tool run|x", "", Behind(0)),
    row("uv virtualenv pip", "", "p python editor", Text),
    row("poetry pipenv hatch pdm rye pixi flit", "run|exec", "", Behind(0)),
    row("hatch", "run", "~:", Text),
    row("conda mamba micromamba", "run", "", Behind(0)),
    row("mise rtx", "", "c command", Text),
    row("mise rtx asdf rbenv nodenv pyenv goenv jenv", "exec|x", "", Behind(0)),
    row("nix", "run|shell|develop", "", Behind(1)),
    row("nix", "", "c command", Words),
    row("nix-shell", "", "run command", Text),
    row("bundle bundler", "exec", "", Behind(0)),
    row("bundle gem", "", "e editor", Text),
    row("composer lerna nx", "exec", "", Behind(0)),
    row("stack cabal opam dune dotnet esy", "exec", "", Behind(0)),
    row("swift", "run", "", Script),
    row("brew", "sh", "c", Text),
    row("direnv", "exec", "", Behind(1)),
    // Containers and clusters.
    row("docker podman nerdctl docker-compose", "", "entrypoint health-cmd args change", Text),
    row("docker podman nerdctl", "run|create|exec", "", Behind(1)),
    row("docker podman", "service create", "", Behind(1)),
    row("docker-compose", "run|exec", "", Behind(1)),
    row("podman buildah", "unshare", "", Behind(0)),
    row("buildah", "run", "", Behind(1)),
    row("podman minikube colima", "ssh", "", Behind(0)),
    row("podman", "machine ssh", "", Behind(1)),
    row("limactl", "shell", "", Behind(1)),
    row("lima", "", "", Behind(0)),
    row("vagrant", "ssh", "c command", Text),
    row("fly flyctl", "ssh", "C command", Text),
    row("heroku", "run", "", Behind(0)),
    row("gcloud", "ssh", "command", Text),
    row("gcloud", "ssh", "", Behind(1)),
    row("az", "", "scripts", Text),
    row("kubectl oc k3s", "exec|run|debug|rsh|create job|create cronjob|create deployment", "", Behind(1)),
    row("kubectl", "", "exec-command", Text),
    row("oc", "rsync", "e rsh", Text),
    row("consul", "exec", "", Behind(0)),
    row("consul", "lock", "", Behind(1)),
    row("consul", "watch", "", Behind(0)),
    row("nomad", "exec", "", Behind(1)),
    row("ansible", "", "a args", Text),
    // Running others.
    row("hyperfine", "", "p prepare c cleanup s setup S shell conclude", Text),
    row("hyperfine concurrently", "", "", Behind(0)),
    row("entr", "", "s", Text),
    row("parallel sem", "", "sshcommand ssh S", Text),
    row("script scriptlive", "", "c command", Text),
    row("script", "", "", Behind(1)),
    row("screen", "", "", Behind(0)),
    row("strace ltrace", "", ":-o| :-o! ~| :! :|", Text),
    row("strace ltrace", "", "o", Text),
    row("strace ltrace", "", "", Behind(0)),
    row("bpftrace", "", "c", Text),
    row("perf", "stat|record|trace|mem", "", Behind(0)),
    row("rr uftrace", "record", "", Behind(0)),
    row("gdb lldb", "", "~shell ~!", Text),
    row("gdb lldb", "", "args", Words),
    row(
        "systemd-run",
        "",
        "~execstartpre ~execstartpost ~execstop ~execstoppost ~execstart ~execreload ~execcondition",
        Text,
    ),
    row("start-stop-daemon", "", "x exec a startas", Text),
    row("su runuser firejail capsh useradd usermod chsh", "", "s shell", Text),
    row("su runuser", "", "c command session-command", Text),
    row("capsh", "", "c", Text),
    row("watchexec", "", "shell", Text),
    row("watchexec", "", "", Behind(0)),
    row("nodemon chokidar", "", "x exec c command", Text),
    row(
        "numactl prlimit setpriv runcon systemd-inhibit systemd-cat daemon daemonize eatmydata dumb-init tini catatonit setarch linux64 linux32 fakechroot bwrap proot run0",
        "",
        "",
        Behind(0),
    ),
    row("cross-env env-cmd pee mispipe", "", "", Behind(0)),
    row("prlimit", "", "", Behind(0)),
    row("gosu su-exec setuidgid chpst sg", "", "", Behind(1)),
    row(
        "ld.so ld-linux-x86-64.so.2 ld-linux.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1 qemu-x86_64 qemu-x86_64-static qemu-aarch64",
        "",
        "",
        Behind(0),
    ),
    row("sudoedit", "", "", Behind(0)),
    row("compgen complete", "", "C", Text),
    row("mapfile readarray", "", "C", Text),
    row("fc", "", "e", Text),
    row("php", "", "~sendmail_path", Text),
];

/// A row, taken apart once.
pub(crate) struct Prepared {
    /// Words that stand one behind another, in each of the alternatives; empty when there is nothing to look for.
    pub(crate) subcommands: Vec<Vec<&'static str>>,
    /// The [`mark`]s of their first words.
    pub(crate) marks: u64,
    pub(crate) entries: Vec<Entry>,
    /// The [`letter`]s of its options, and those with which their names begin.
    options: u64,
    /// For each of its other entries the letters that stand in a word which it is about.
    inside: Vec<u64>,
    /// Only words with a dash in front can be meant.
    pub(crate) dashed: bool,
    pub(crate) how: How,
}

/// One bit for a word. Where an invocation has none of a row's bits, none of its words is one of the row's.
pub(crate) fn mark(word: &str) -> u64 {
    let first = word.as_bytes().first().copied().unwrap_or_default();
    1 << ((usize::from(first) * 7 + word.len()) % 64)
}

/// What names a program, as described at [`Runner::options`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Letter { letter: char, optional: bool },
    Name { name: &'static str, optional: bool },
    Start(&'static str),
    Inside(&'static str),
}

impl Entry {
    fn new(text: &'static str) -> Option<Self> {
        if let Some(needle) = text.strip_prefix('~') {
            return Some(Self::Inside(needle));
        }
        if let Some(start) = text.strip_prefix(':') {
            return Some(Self::Start(start));
        }
        let (name, optional) = text.strip_suffix('?').map_or((text, false), |name| (name, true));
        let letter = name.chars().next()?;
        Some(if name.len() > 1 { Self::Name { name, optional } } else { Self::Letter { letter, optional } })
    }
}

impl Prepared {
    fn new(runner: &Runner) -> Self {
        let alternatives = runner.subcommand.split('|').filter(|words| !words.is_empty());
        let entries: Vec<Entry> = runner.options.split(' ').filter_map(Entry::new).collect();
        let subcommands: Vec<Vec<&str>> = alternatives.map(|words| words.split(' ').collect()).collect();
        Self {
            marks: subcommands.iter().filter_map(|words| words.first()).fold(0, |all, word| all | mark(word)),
            subcommands,
            dashed: entries.iter().all(|entry| matches!(entry, Entry::Letter { .. } | Entry::Name { .. })),
            options: entries.iter().fold(0, |all, entry| {
                all | match entry {
                    Entry::Letter { letter: char, .. } => char.to_string().bytes().next().map_or(0, letter),
                    Entry::Name { name, .. } => name.bytes().next().map_or(0, letter),
                    Entry::Start(_) | Entry::Inside(_) => 0,
                }
            }),
            inside: entries
                .iter()
                .filter_map(|entry| match entry {
                    Entry::Start(text) | Entry::Inside(text) => Some(small_letters(text)),
                    Entry::Letter { .. } | Entry::Name { .. } => None,
                })
                .collect(),
            entries,
            how: runner.how,
        }
    }

    /// Whether it looks for its entries, word by word.
    pub(crate) fn reads_options(&self) -> bool {
        matches!(self.how, How::Text | How::Words | How::Setting | How::SettingFrom | How::Anything)
    }

    /// Whether words may have one of its entries: `options` are the letters of those with a dash in front, as of
    /// [`Self::options`], `letters` the [`small_letters`] of all.
    pub(crate) fn may_find(&self, options: u64, letters: impl FnOnce() -> u64) -> bool {
        if self.options & options != 0 {
            return true;
        }
        // Few rows have such entries.
        if self.inside.is_empty() {
            return false;
        }
        let letters = letters();
        self.inside.iter().any(|needed| needed & !letters == 0)
    }
}

/// One bit for a byte.
pub(crate) fn letter(byte: u8) -> u64 {
    1 << (byte % 64)
}

/// The bits of the bytes of a text, whatever their case.
pub(crate) fn small_letters(text: &str) -> u64 {
    text.bytes().fold(0, |all, byte| all | letter(byte.to_ascii_lowercase()))
}

static BY_NAME: LazyLock<HashMap<&'static str, Vec<Prepared>, Names>> = LazyLock::new(|| {
    let mut rows: HashMap<_, Vec<_>, Names> = HashMap::default();
    for runner in TABLE {
        for name in runner.programs.split(' ') {
            rows.entry(name).or_default().push(Prepared::new(runner));
        }
    }
    rows
});

/// The rows of a program, by its base name.
pub(crate) fn find(name: &str) -> &'static [Prepared] {
    BY_NAME.get(name).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_written_as_the_scanner_reads_them() {
        for runner in TABLE {
            assert!(!runner.programs.is_empty() && !runner.programs.contains("  "));
            let bare = matches!(runner.how, How::Behind(_) | How::Script | How::Bare | How::Stored);
            assert_eq!(bare, runner.options.is_empty(), "{} {}", runner.programs, runner.subcommand);
        }
    }
}
