//! Texts that searches, and readers of the specifications, found to do more than read.

/// Never read-only.
pub(crate) const FOUND: &[&str] = &[
    // An empty program counts for nothing, and the next word is the program.
    "gawk --source '' 'BEGIN{system(\"touch out.new\")}' data.json",
    "gawk -e '' 'BEGIN{print > \"out.new\"}'",
    // A kind of print may carry the file to write.
    "rustc --print cfg=x",
    "rustc --print=sysroot=../x",
    // At the end of a volume tar asks standard input, which may name a command.
    "tar tMf x.tar",
    "tar --multi-volume -tf x.tar",
    "tar -tL 1 -f x.tar",
    // A pattern may be several words, the second of them the result, or an option.
    "python3 -m json.tool *",
    "openssl x509 -noout -in *",
    "unix2mac --newfile *.txt",
    "git clean -n *",
    "sed -n p *",
    "f='*'; sed -n p $f",
    // The value goes on living in the shell.
    "read HOME",
    "read -r PATH < list.txt",
    // Flags without a dash take the next words as values, whatever these look like.
    "tar cf --exclude=1,3 - src",
    "tar tf x:y",
    // A list of names may hold options.
    "tar -tf all.tar -T list.txt",
    "bsdtar -t -W use-compress-program=bin/value -f all.tar",
    // What stands behind `--` is taken back.
    "unzip -p -- -p all.zip notes.txt",
    "unzip -l -- -l all.zip",
    // The last mode counts.
    "xz -t -d notes.txt.xz",
    "zstd -l --decompress notes.txt.zst",
    "bzip2 -tz notes.txt",
    // The name is that of a program with other flags, or the flag means something else in it.
    "zstdcat -So notes.txt.zst out.new",
    "lz4 -l notes.txt",
    "zstd -c --rm notes.txt",
    "brotli -c -j notes.txt",
    // A file beside a name that is none.
    "objcopy -x ''",
    // Words count in the order they have.
    "unix2mac notes.txt --help",
    "dos2unix notes.txt -i",
    "unix2mac notes.txt -n",
    "dos2unix -n notes.txt out.new",
    "dos2unix -O -o notes.txt",
    "tar --atime-preserve -df all.tar",
    "tar --atime-preserve=replace -cf - src",
    // They write, or set times back, beside what they print.
    "tree -R -H . -L 1",
    "file -p notes.txt",
    "file --preserve-date notes.txt",
    "dirs -c",
    "bundle version --retry=0",
    "jshell --help",
    "echo 'System.exit(1)' | jshell --show-version",
    // Code, or a program of the repository's choice.
    "ack --output='@{[system(q(touch out.new))]}' fn",
    "delta notes.txt README.md",
    "delta --paging=always",
    "yq 'eval(\"lo\" + \"ad(x)\")' data.yaml",
    // sed opens the files of scripts in front of `--help`; a label ends at a blank; brackets hold delimiters.
    "sed -e 'w out.new' --help",
    "sed -f script.sed --version notes.txt",
    "sed 'tx w out' notes.txt",
    "sed ':x w out' notes.txt",
    "sed -n 'b x w out' notes.txt",
    "sed 's/[]/]/;p/w out\n/p' notes.txt",
    "sed 's/[[:alpha:]/]/;p/w out;/p' notes.txt",
    "sed -l 'w out' p notes.txt",
    "awk -h 'BEGIN{system(\"touch out.new\")}'",
    "gawk 'BEGIN{for(k in SYMTAB[\"ENV\" \"IRON\"])print k}'",
    // Of `-I` and `-n` the last one counts.
    "printf '%s\\0' -i | xargs -0 -I {} -n 2 sed s/a/b/ notes.txt",
    "printf '%s\\0' -i | xargs -0 -I {} -L 1 sed s/a/b/ notes.txt",
    // A merge writes its objects.
    "git log --remerge-diff",
    "git show --diff-merges=r",
    "git log --diff-merges remerge",
    // Options end at the first operand.
    "git config user.name --path --get",
    "git config user.name --get",
];

/// Not read-only in a project that is not trusted, or as far as they lead out of it.
pub(crate) const FOUND_STRICTLY: &[&str] = &[
    // An empty program counts for nothing, and the next word is the program.
    "gawk --source '' 'BEGIN{system(\"touch out.new\")}' data.json",
    "gawk -e '' 'BEGIN{print > \"out.new\"}'",
    // A repository in the repository, listed in its index, has a configuration of its own.
    "git -C outer status",
    "git -C outer diff",
    // Where the log is written, `.npmrc` says.
    "npm ls",
    // Through links, and lists of names.
    "tar -chf - .",
    "ag -f fn",
    "ag --follow fn src",
    "echo /etc/secret | ack -x a",
    "strings @names.txt",
    "wc --files0-from=list0.txt",
    // Start points behind options, and many of them; names from above the directory.
    "find -O3 /outside -name near -exec cat {} +",
    "find -- /outside -name near -exec cat {} +",
    "find -P /outside -name near -print0 | xargs -0 cat",
    "find a b c d e f g h /outside -name near -exec cat {} +",
    "fd near .. | while read -r f; do cat \"$f\"; done",
    "rg --files .. | while read -r f; do cat \"$f\"; done",
    "rg --files outdir | while read -r f; do cat \"$f\"; done",
    // A file, and no assignment.
    "awk 1 =x/../../etc/secret",
    "awk 1 1x=/../../etc/secret",
    // The environment.
    "ps e",
    "ps auxe",
    "ps -auxe",
    "ps auxewww",
    "yq '$ENV' data.yaml",
    "gh api repos/o/r --jq '$ENV.GH_TOKEN'",
    "gh pr list --json title -q env",
];

/// What stays read-only: the other side of the same specifications.
pub(crate) const KEPT: &[&str] = &[
    "tar tzf all.tar.gz",
    "tar -tvf all.tar src",
    "tar xOf all.tar list.txt",
    "tar cf - src | wc -c",
    "xz -dc notes.txt.xz",
    "zstdcat -q notes.txt.zst",
    "dos2unix -i notes.txt",
    "gzip -l notes.txt.gz",
    "git config --get user.name",
    "git show --diff-merges=first-parent",
    "git config user.name",
    "read -r x y < list.txt",
    "tree -r -L 2",
    "file -b notes.txt",
    "strings -n 8 bin.dat",
    "ps aux",
    "ps -ef",
    "ps -aux",
    "ps -eo pid,args",
    "ps -p 1 -o pid=",
    "yq .a data.yaml",
    "gh api repos/o/r --jq .name",
    "ack -w fn src",
    "find . -name '*.rs' -print0 | xargs -0 cat",
    "find -O2 src docs -name '*.rs' -exec head -1 {} +",
    "rg -l fn src | while read -r f; do cat \"$f\"; done",
    "rg --files | while read -r f; do head -1 \"$f\"; done",
    "printf '%s\\0' a b | xargs -0 -n 2 echo",
    "sed --help",
    "sed --version",
    "sed -n 's/[[:space:]]*$//p; $!d' notes.txt",
    "sed -e ':a' -e 'N;$!ba' -e 's/\\n/ /g' notes.txt",
    "sed -n '/fn/{p;q}' src/main.rs",
    "sed 's/[^\\/]*$//; s/[]x]/y/' notes.txt",
    "sed -l 20 -n l notes.txt",
    "sed -n '10,20p;25q' notes.txt",
    "sed ':a;N;$!ba;s/\\n/,/g' notes.txt",
    "awk --version",
    "awk -F, '$1 > 2 {print $2}' table.csv",
    "ag -l fn",
];
