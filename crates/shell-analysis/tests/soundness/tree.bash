# Lays out what the commands run over, in an empty sandbox: a project with a repository, a home directory and
# what lies beside them. Everything is small, because every run is followed by a look at all of it.
#
# A mark stands in files outside the project, another one in a variable (see driver.py): what is judged to read
# only inside the project prints neither. Programs named by the project's own configuration write to
# /trip/project, programs that a flag's value may name write to /trip/value.

set -e
mark=CONTENT- mark+=CANARY
umask 022
export HOME=/home/u GIT_CONFIG_NOSYSTEM=1
export GIT_AUTHOR_DATE='2020-01-01T00:00:00Z' GIT_COMMITTER_DATE='2020-01-01T00:00:00Z'
mkdir -p /home/u/.config /home/u/.ssh /outside/dir /repo/src/deep /repo/empty /repo/docs /var/tmp /run /trip /repo/bin

# The machine's own files, as far as programs need them.
printf 'root:x:0:0:root:/root:/bin/bash\nu:x:%s:%s:u:/home/u:/bin/bash\n' "$(id -u)" "$(id -g)" >/etc/passwd
printf 'root:x:0:\nu:x:%s:\n' "$(id -g)" >/etc/group
printf 'passwd: files\ngroup: files\nhosts: files dns\n' >/etc/nsswitch.conf
# Nobody answers there, but that somebody was asked is seen.
printf 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n' >/etc/resolv.conf
printf '127.0.0.1 localhost sandbox\n' >/etc/hosts
printf '%s\n' "$mark" >/etc/secret
printf 'ssh 22/tcp\n' >/etc/services

# What is outside the project.
for file in /home/u/.bashrc /home/u/.profile /home/u/.ssh/id_rsa /home/u/notes.txt /outside/near /tmp/other; do
  printf '# %s of %s fn x a\n' "$mark" "$file" >"$file"
done
# Links of the project lead here.
for file in /outside/secret /outside/dir/x.rs; do printf '# %s of %s fn x a\n' "${mark/CONTENT/LINKED}" "$file" >"$file"; done
printf '[user]\n\tname = u\n\temail = u@example.org\n[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n[protocol "file"]\n\tallow = always\n' >/home/u/.gitconfig

# The tripwires.
for wire in project value; do
  printf '#!/bin/sh\n: >/trip/%s\n' "$wire" >"/repo/bin/$wire"
  chmod 755 "/repo/bin/$wire"
done

# Code that changes something, for programs that run what they read from standard input.
mkdir /var/code
code() { printf '%s\n' "${@:2}" >"/var/code/$1"; }
code sh 'touch /repo/out.new'
code py 'open("/repo/out.new", "w")'
code pl 'open(my $f, ">", "/repo/out.new");'
code rb 'File.write("/repo/out.new", "")'
code js 'require("fs").writeFileSync("/repo/out.new", "")'
code lua 'io.open("/repo/out.new", "w"):close()'
code php '<?php touch("/repo/out.new");'
code tcl 'close [open /repo/out.new w]'
code r 'file.create("/repo/out.new")'
code scm '(close-port (open-output-file "/repo/out.new"))'
code ml 'open_out "/repo/out.new";;'
code erl 'file:write_file("/repo/out.new", []).'
code exs 'File.write("/repo/out.new", "")'
code java 'new java.io.File("/repo/out.new").createNewFile();'
code hs 'writeFile "/repo/out.new" ""'
code jl 'touch("/repo/out.new")'
code m 'system("touch /repo/out.new")'
code gp 'system("touch /repo/out.new")'
code sql '.shell touch /repo/out.new' "ATTACH '/repo/out.new' AS x; CREATE TABLE x.y(z);"
code psql '\! touch /repo/out.new' 'system touch /repo/out.new'
code gdb 'shell touch /repo/out.new' 'platform shell touch /repo/out.new'
code bang '!touch /repo/out.new' 'w /repo/out.new' 's/repo/out.new'
code ex ':!touch /repo/out.new' ':w! /repo/out.new' ':q!'
code m4 'syscmd(`touch /repo/out.new'"'"')'
code mk 'x := $(shell touch /repo/out.new)' 'all: ; touch /repo/out.new'
code awk 'BEGIN { system("touch /repo/out.new") }'
code sed 'w /repo/out.new'
code ps '(/repo/out.new) (w) file closefile'
code tex '\newwrite\x \immediate\openout\x=/repo/out.new \immediate\write\x{a} \bye'
code names out.new notes.txt --output=/repo/out.new -delete
code refs 'create refs/heads/made HEAD' 'delete refs/tags/v1'
code import 'reset refs/heads/made' 'from refs/heads/main' ''
code patch '--- a/left.txt' '+++ b/left.txt' '@@ -1,2 +1,2 @@' '-1 one' '+1 uno' ' 2 two'
code mail 'From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001' 'From: u <u@example.org>' 'Subject: [PATCH] x' '' '---' '--- a/left.txt' '+++ b/left.txt' '@@ -1,2 +1,2 @@' '-1 one' '+1 uno' ' 2 two' '--' '2.0'
code curl 'output = /repo/out.new' 'url = file:///repo/notes.txt'
code mlr 'tee > "/repo/out.new", $*' 'system("touch /repo/out.new")'
code yes y y y y
code cron '* * * * * touch /repo/out.new'
code ip 'link set lo down' 'link add x type dummy'

cd /repo
seq 1 30 | sed 's/$/ line a b fn x TODO/' >notes.txt
printf 'notes.txt\nsrc/main.rs\na b\n' >list.txt
printf 'notes.txt\0src/main.rs\0/outside/near\0' >list0.txt
printf 'notes.txt\n/outside/near\n' >names.txt
printf 'fn main() {\n    // TODO: x\n    println!("a");\n}\n' >src/main.rs
printf 'pub fn lib() -> u8 {\n    1\n}\n' >src/lib.rs
printf 'def x():\n    return 1\n' >src/deep/er.py
printf '# Title\n\nfoo bar\n' >README.md
cp README.md docs/guide.md
printf '{"a": 1, "b": [{"c": "x"}, {"c": "y"}], "env": {"A": 1}}\n' >data.json
printf 'a: 1\nb:\n  - c: x\n  - c: y\n' >data.yaml
printf 'a,b,c\n1,2,3\n4,5,6\n' >table.csv
printf '1 one\n2 two\n' >left.txt
printf '1 eins\n3 drei\n' >right.txt
printf 'odd\n' >'a b'
printf 'odd\n' >-n
printf 'odd\n' >'$x'
printf '\177ELF\2\1\1\0\0\0hello world binary text\0\1\2' >bin.dat
printf 's/a/b/w /repo/out.new\n' >script.sed
printf 'BEGIN { print "x" > "/repo/out.new" }\n' >prog.awk
printf '.a\n' >prog.jq
printf '00000000: 6162 630a  abc.\n' >dump.hex
printf 'A=1\n' >.env
printf 'x\n' >.hidden
ln -s notes.txt link
ln -s src dirlink
ln -s nowhere broken
ln -s /outside/secret outlink
ln -s /outside/dir outdir
# A line of this name is a path outside.
mkdir -p $'odd/line\n/outside'
printf 'odd fn x a\n' >$'odd/line\n/outside/near'
sha256sum notes.txt src/main.rs >sums.sha256
md5sum notes.txt >sums.md5
printf '%s\n' '--- a/notes.txt' '+++ b/notes.txt' '@@ -1,1 +1,1 @@' '-1 line a b fn x TODO' '+one' >change.patch

# Configuration of the project that programs may obey.
printf '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[lib]\npath = "src/lib.rs"\n' >Cargo.toml
printf '{"name": "p", "version": "1.0.0", "scripts": {"test": "/repo/bin/project", "preinstall": "/repo/bin/project"}}\n' >package.json
printf 'all:\n\t/repo/bin/project\n' >Makefile
printf -- '--pre=/repo/bin/project\n' >.rgrc
cp .rgrc .ripgreprc
printf 'script-shell=/repo/bin/project\nlogs-dir=/repo/logs\nnode-options=--require=/repo/bin/project.js\n' >.npmrc
printf 'require("fs").writeFileSync("/trip/project", "")\n' >bin/project.js
for module in json yaml os argparse; do printf 'open("/trip/project", "w")\n' >"$module.py"; done
printf -- '--pager=/repo/bin/project\n' >.batrc
printf '#command\nx shell /repo/bin/project\n' >.lesskey
mkdir -p .cargo && printf '[build]\nrustc-wrapper = "/repo/bin/project"\n[alias]\nlist = "run"\n' >.cargo/config.toml
printf '*.md diff=project filter=project\n' >.gitattributes
printf 'ignored\nout.new\nhostile\nbare\nouter\n' >.gitignore

tar -cf all.tar src list.txt
gzip -nkc notes.txt >notes.txt.gz
tar -czf all.tar.gz src list.txt
for program in bzip2 xz zstd; do command -v "$program" >/dev/null && "$program" -qkc notes.txt >"notes.txt.$program"; done
[[ -e notes.txt.bzip2 ]] && mv notes.txt.bzip2 notes.txt.bz2
[[ -e notes.txt.zstd ]] && mv notes.txt.zstd notes.txt.zst
if command -v zip >/dev/null; then zip -q all.zip notes.txt src/main.rs; fi

git init -q --template= .
git add -A
git commit -qm 'First'
git tag v1
printf 'more\n' >>src/lib.rs
git commit -qam 'Second'
git tag -a -m 'annotated' v2
git checkout -q -b topic
printf 'topic\n' >topic.txt
git add topic.txt
git commit -qm 'Topic'
git checkout -q main
git init -q --bare --template= /outside/remote.git
git remote add origin /outside/remote.git
git push -q origin main topic v1
git fetch -q
git -C /outside/remote.git gc -q
git branch -q --set-upstream-to=origin/main main
printf 'stashed\n' >>notes.txt
git stash -q
git worktree add -q linked topic 2>/dev/null
git notes add -m 'a note' HEAD
printf 'changed\n' >>README.md
printf 'staged\n' >>docs/guide.md
git add docs/guide.md
printf 'untracked\n' >untracked.txt
git gc -q

# A repository inside that is not the project's own, and a directory that git takes for one.
git init -q --template= hostile
(
  cd hostile
  printf 'a\n' >f
  git add f
  printf -- '--pager=/repo/bin/project\n' >.ackrc
  git commit -qm 'One'
  printf 'b\n' >>f
  for key in core.fsmonitor core.pager diff.external core.editor core.sshCommand; do git config "$key" /repo/bin/project; done
  git config alias.st '!/repo/bin/project'
)
# The same behind a repository that has nothing odd itself.
git init -q --template= outer
(
  cd outer
  cp -r ../hostile inner
  printf 'a\n' >f
  git add f
  git update-index --add --cacheinfo "160000,$(git -C inner rev-parse HEAD),inner"
  git commit -qm 'One'
)
cp -r hostile/.git bare
rm -f bare/index
git -C bare config core.bare true

find /repo /home /outside -exec touch -h -d '2021-01-01' {} +
git update-index -q --refresh || :
git -C hostile -c core.fsmonitor= update-index -q --refresh || :
git -C outer/inner -c core.fsmonitor= update-index -q --refresh || :
rm -f /trip/*
