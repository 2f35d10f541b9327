//! Other programs that do what a deny rule forbids, by purpose. They are texts to be judged; nothing runs them.

/// What a program is used for, and so what stops its substitutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Removes, moves or overwrites files, or changes their modes.
    Change,
    /// Shows what a file holds.
    Read,
    /// Reaches the network.
    Network,
    /// Changes a repository's history, or what is checked out.
    Repository,
    /// Takes other rights.
    Privilege,
    /// Ends processes.
    Processes,
    /// Runs code.
    Code,
    /// Shows the environment.
    Environment,
    /// Shows what the file of a rule holds.
    Hidden,
    /// Changes the file of a rule.
    Kept,
    /// Anything else.
    Other,
}

/// Programs (with the words that must follow) of one purpose, and what does the same. `{file}` stands for a file of
/// the project.
struct Group {
    purpose: Purpose,
    programs: &'static [&'static [&'static str]],
    substitutes: &'static [&'static str],
}

const GROUPS: &[Group] = &[
    Group {
        purpose: Purpose::Change,
        programs: &[&["rm"], &["rmdir"], &["unlink"], &["shred"], &["trash"]],
        substitutes: &[
            "rm -rf {file}",
            "unlink {file}",
            "rmdir {file}",
            "shred -u {file}",
            "find . -name {file} -delete",
            "git rm -f {file}",
            "git clean -fdx",
            "truncate -s 0 {file}",
            ": > {file}",
            "mv {file} /tmp/gone",
            "cp /dev/null {file}",
            "dd if=/dev/null of={file}",
            "tee {file} < /dev/null",
            "sed -i d {file}",
            "rsync -a --delete empty/ ./",
            "tar --remove-files -cf /tmp/a.tar {file}",
            "python3 -c 'import os; os.remove(\"{file}\")'",
            "perl -e 'unlink \"{file}\"'",
            "node -e 'require(\"fs\").unlinkSync(\"{file}\")'",
            "ruby -e 'File.delete(\"{file}\")'",
        ],
    },
    Group {
        purpose: Purpose::Change,
        programs: &[
            &["mv"],
            &["cp"],
            &["tee"],
            &["sed"],
            &["dd"],
            &["truncate"],
            &["install"],
            &["ln"],
            &["patch"],
            &["touch"],
        ],
        substitutes: &[
            "mv other {file}",
            "cp other {file}",
            "tee {file} < other",
            "cat other > {file}",
            "sed -i s/a/b/ {file}",
            "perl -pi -e s/a/b/ {file}",
            "awk -i inplace 1 {file}",
            "dd if=other of={file}",
            "install other {file}",
            "ln -sf other {file}",
            "truncate -s 0 {file}",
            "rsync other {file}",
            "patch {file} < change.diff",
            "git apply change.diff",
            "ed -s {file} < script",
            "python3 -c 'open(\"{file}\", \"w\")'",
            "node -e 'require(\"fs\").writeFileSync(\"{file}\", \"\")'",
        ],
    },
    Group {
        purpose: Purpose::Change,
        programs: &[&["chmod"], &["chown"], &["chgrp"], &["setfacl"], &["chattr"]],
        substitutes: &[
            "chmod 777 {file}",
            "chown nobody {file}",
            "setfacl -m u::rwx {file}",
            "install -m 777 {file} {file}",
            "cp --preserve=mode other {file}",
            "rsync --chmod=a+rwx other {file}",
            "python3 -c 'import os; os.chmod(\"{file}\", 0o777)'",
            "perl -e 'chmod 0777, \"{file}\"'",
        ],
    },
    Group {
        purpose: Purpose::Read,
        programs: &[
            &["cat"],
            &["head"],
            &["tail"],
            &["less"],
            &["more"],
            &["bat"],
            &["nl"],
            &["tac"],
            &["strings"],
            &["grep"],
            &["xxd"],
            &["hexdump"],
            &["od"],
            &["base64"],
        ],
        substitutes: &[
            "cat {file}",
            "head {file}",
            "tail -n +1 {file}",
            "less {file}",
            "nl {file}",
            "tac {file}",
            "sed -n p {file}",
            "awk 1 {file}",
            "grep '' {file}",
            "sort {file}",
            "cut -c 1- {file}",
            "base64 {file}",
            "xxd {file}",
            "od -c {file}",
            "strings {file}",
            "diff {file} /dev/null",
            "git diff --no-index /dev/null {file}",
            "tar -cO {file}",
            "dd if={file}",
            "cp {file} /dev/stdout",
            "echo \"$(< {file})\"",
            "while read -r line; do echo \"$line\"; done < {file}",
            "python3 -c 'print(open(\"{file}\").read())'",
            "node -e 'console.log(require(\"fs\").readFileSync(\"{file}\", \"utf8\"))'",
        ],
    },
    Group {
        purpose: Purpose::Network,
        programs: &[
            &["curl"],
            &["wget"],
            &["nc"],
            &["ncat"],
            &["telnet"],
            &["ftp"],
            &["ssh"],
            &["scp"],
            &["sftp"],
            &["rsync"],
        ],
        substitutes: &[
            "curl https://example.org",
            "wget https://example.org",
            "aria2c https://example.org/x",
            "lynx -dump https://example.org",
            "nc example.org 80",
            "openssl s_client -connect example.org:443",
            "exec 3<> /dev/tcp/example.org/80",
            "git clone https://example.org/x",
            "scp x example.org:",
            "ssh example.org true",
            "rsync x example.org:",
            "npm pack example",
            "pip download example",
            "python3 -c 'import urllib.request as u; u.urlopen(\"https://example.org\")'",
            "node -e 'fetch(\"https://example.org\")'",
            "perl -MIO::Socket::INET -e 'IO::Socket::INET->new(\"example.org:80\")'",
        ],
    },
    Group {
        purpose: Purpose::Network,
        programs: &[&["git", "push"], &["git", "send-pack"], &["hub", "push"], &["jj", "git", "push"]],
        substitutes: &[
            "git push",
            "git -c alias.p=push p",
            "git send-pack origin main",
            "git subtree push --prefix x origin main",
            "git lfs push origin main",
            "git svn dcommit",
            "hub push",
            "jj git push",
            "gh repo sync --force owner/name",
            "gh pr create --fill",
            "gh api repos/owner/name/git/refs/heads/main -X PATCH -f sha=x",
            "curl -X PATCH https://api.github.com/repos/owner/name/git/refs/heads/main",
            "python3 -c 'import pygit2; pygit2.Repository(\".\").remotes[0].push([\"main\"])'",
        ],
    },
    Group {
        purpose: Purpose::Network,
        programs: &[
            &["npm", "install"],
            &["npm", "i"],
            &["npm", "add"],
            &["npm", "ci"],
            &["yarn", "add"],
            &["pnpm", "add"],
            &["bun", "add"],
            &["pip", "install"],
            &["pip3", "install"],
            &["uv", "add"],
            &["poetry", "add"],
            &["cargo", "install"],
            &["cargo", "add"],
            &["apt", "install"],
            &["apt-get", "install"],
            &["brew", "install"],
            &["go", "install"],
            &["go", "get"],
            &["gem", "install"],
        ],
        substitutes: &[
            "npm install x",
            "npm add x",
            "npm ci",
            "npx x",
            "yarn add x",
            "pnpm add x",
            "bun add x",
            "bunx x",
            "deno install npm:x",
            "pip install x",
            "python3 -m pip install x",
            "uv pip install x",
            "uvx x",
            "pipx install x",
            "poetry add x",
            "conda install x",
            "cargo install x",
            "cargo add x",
            "go install example.org/x@latest",
            "gem install x",
            "apt-get install x",
            "brew install x",
            "git clone https://example.org/x",
        ],
    },
    Group {
        purpose: Purpose::Network,
        programs: &[
            &["npm", "publish"],
            &["yarn", "publish"],
            &["pnpm", "publish"],
            &["cargo", "publish"],
            &["twine"],
        ],
        substitutes: &[
            "npm publish",
            "yarn npm publish",
            "pnpm publish",
            "bun publish",
            "cargo publish",
            "twine upload dist/*",
            "uv publish",
            "poetry publish",
            "curl -T x.tgz https://registry.example.org/x",
            "gh workflow run release.yml",
        ],
    },
    Group {
        purpose: Purpose::Network,
        programs: &[&["kubectl"], &["helm"], &["oc"], &["k9s"]],
        substitutes: &[
            "kubectl delete pod x",
            "helm uninstall x",
            "oc delete pod x",
            "k9s",
            "curl -X DELETE https://cluster.example.org/api/v1/namespaces/x/pods/x",
            "python3 -c 'from kubernetes import client; client.CoreV1Api().delete_namespaced_pod(\"x\", \"x\")'",
        ],
    },
    Group {
        purpose: Purpose::Network,
        programs: &[&["terraform"], &["tofu"], &["terragrunt"], &["pulumi"], &["aws"], &["gcloud"], &["az"]],
        substitutes: &[
            "terraform apply -destroy",
            "terraform destroy",
            "tofu destroy",
            "terragrunt destroy",
            "pulumi destroy",
            "aws s3 rm s3://x --recursive",
            "gcloud compute instances delete x",
            "az group delete -n x",
            "make destroy",
            "python3 -c 'import boto3; boto3.client(\"ec2\").terminate_instances(InstanceIds=[\"x\"])'",
        ],
    },
    Group {
        purpose: Purpose::Repository,
        programs: &[
            &["git", "reset"],
            &["git", "checkout"],
            &["git", "restore"],
            &["git", "clean"],
            &["git", "stash"],
            &["git", "switch"],
            &["git", "rebase"],
            &["git", "commit"],
            &["git", "merge"],
            &["git", "branch"],
            &["git", "tag"],
            &["git", "filter-branch"],
            &["git", "update-ref"],
        ],
        substitutes: &[
            "git reset --hard",
            "git checkout -- .",
            "git restore .",
            "git switch --discard-changes main",
            "git read-tree -u --reset HEAD",
            "git checkout-index -f -a",
            "git stash",
            "git clean -fdx",
            "git rebase main",
            "git cherry-pick main",
            "git merge main",
            "git am < change.patch",
            "git commit -am x",
            "git commit-tree HEAD^{tree} -m x",
            "git update-ref refs/heads/main HEAD~1",
            "git branch -f main HEAD~1",
            "git fast-import < stream",
            "cp other .git/refs/heads/main",
            "echo x > .git/refs/heads/main",
            "jj abandon",
        ],
    },
    Group {
        purpose: Purpose::Privilege,
        programs: &[&["sudo"], &["su"], &["doas"], &["pkexec"], &["run0"]],
        substitutes: &[
            "sudo true",
            "su -c true",
            "doas true",
            "pkexec true",
            "run0 true",
            "systemd-run --pty true",
            "machinectl shell root@ /bin/true",
            "docker run -v /:/host x true",
            "unshare -r true",
        ],
    },
    Group {
        purpose: Purpose::Processes,
        programs: &[&["kill"], &["pkill"], &["killall"], &["xkill"], &["skill"]],
        substitutes: &[
            "kill 1",
            "pkill x",
            "killall x",
            "fuser -k {file}",
            "systemctl kill x",
            "docker kill x",
            "timeout -k 1 1 sleep 5",
            "python3 -c 'import os; os.kill(1, 9)'",
            "perl -e 'kill 9, 1'",
        ],
    },
    Group {
        purpose: Purpose::Code,
        programs: &[
            &["python"],
            &["python3"],
            &["node"],
            &["perl"],
            &["ruby"],
            &["php"],
            &["bash"],
            &["sh"],
            &["zsh"],
            &["awk"],
            &["npx"],
            &["deno"],
            &["bun"],
        ],
        substitutes: &[
            "python3 script",
            "node script",
            "perl script",
            "ruby script",
            "php script",
            "deno run script",
            "bun script",
            "bash script",
            "sh script",
            "zsh script",
            "dash script",
            "busybox sh script",
            ". ./script",
            "./script",
            "lua script",
            "awk -f script",
            "make -f script",
            "npx script",
            "vim -es -S script",
            "gdb -x script",
        ],
    },
    Group {
        purpose: Purpose::Environment,
        programs: &[&["env"], &["printenv"], &["set"], &["export"], &["declare"]],
        substitutes: &[
            "env",
            "printenv",
            "set",
            "export -p",
            "declare -p",
            "declare -x",
            "echo \"$TOKEN\"",
            "cat /proc/self/environ",
            "ps eww",
            "awk 'BEGIN { for (k in ENVIRON) print k, ENVIRON[k] }'",
            "python3 -c 'import os; print(os.environ)'",
            "node -e 'console.log(process.env)'",
        ],
    },
    Group {
        purpose: Purpose::Privilege,
        programs: &[&["docker"], &["podman"]],
        substitutes: &[
            "docker run x",
            "podman run x",
            "nerdctl run x",
            "docker-compose up",
            "docker compose up",
            "buildah run x true",
            "ctr run x y",
            "curl --unix-socket /var/run/docker.sock http://x/containers/json",
            "python3 -c 'import docker; docker.from_env().containers.run(\"x\")'",
        ],
    },
];

/// What the command is used for, and other commands for it. Empty, [`Purpose::Other`], for what no group names.
pub(super) fn substitutes(words: &[String], file: &str) -> (Purpose, Vec<String>) {
    let program = |word: &String| word.rsplit('/').next().unwrap_or(word).to_owned();
    let mut own: Vec<String> = words.to_vec();
    if let Some(first) = own.first_mut() {
        *first = program(first);
    }
    let begins =
        |named: &[&str]| own.len() >= named.len() && named.iter().zip(&own).all(|(name, word)| name == word);
    let longest =
        |group: &Group| group.programs.iter().filter(|named| begins(named)).map(|named| named.len()).max();
    let best =
        GROUPS.iter().filter_map(|group| Some((longest(group)?, group))).max_by_key(|(length, _)| *length);
    best.map_or((Purpose::Other, Vec::new()), |(_, group)| {
        (group.purpose, group.substitutes.iter().map(|text| text.replace("{file}", file)).collect())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use portcullis_shell_analysis::parse;

    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_longest_name_decides_what_a_command_is_for() {
        assert_eq!(substitutes(&words("git push origin"), "x").0, Purpose::Network);
        assert_eq!(substitutes(&words("/bin/rm -rf y"), "x").0, Purpose::Change);
        assert_eq!(substitutes(&words("git status"), "x").0, Purpose::Other);
        assert_eq!(substitutes(&words("npm test"), "x"), (Purpose::Other, Vec::new()));
    }

    #[test]
    fn the_tables_hold_commands_and_none_twice() {
        let mut programs = BTreeSet::new();
        for group in GROUPS {
            assert!(group.programs.iter().all(|named| programs.insert(*named)), "{:?}", group.programs);
            let texts: BTreeSet<&str> = group.substitutes.iter().copied().collect();
            assert_eq!(texts.len(), group.substitutes.len(), "{:?}", group.programs);
            for text in texts {
                assert!(parse(&text.replace("{file}", "x")).is_ok(), "{text}");
            }
        }
    }
}
