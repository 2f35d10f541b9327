//! The paths that writers, archivers and transfers change, so that rules about files govern commands.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "test code"
)]

use portcullis_shell_analysis::{EffectKind, PathTarget, Settings, analyze};

fn kinds(text: &str) -> Vec<EffectKind> {
    let roots = ["/repo".to_owned()];
    let analysis = analyze(text, &Settings { home: Some("/home/u"), ..Settings::new("/repo", &roots) });
    let effects = analysis.invocations[0].effects.iter().map(|effect| effect.kind.clone());
    effects.filter(|kind| !matches!(kind, EffectKind::Opaque(_) | EffectKind::Execute(_))).collect()
}

fn path(text: &str) -> PathTarget {
    PathTarget::Path(format!("/repo/{text}"))
}

/// `r`ead, `R`ead with everything below, `w`rite, `B`elow is written, `d`elete, `D`elete with everything below,
/// `c`hange of attributes, `l`ooked at, `n`etwork; the path behind the letter.
fn expected(text: &str) -> Vec<EffectKind> {
    text.split_ascii_whitespace()
        .map(|word| {
            let (letter, rest) = word.split_at(1);
            match letter {
                "r" => EffectKind::Read { path: path(rest), recursive: false },
                "R" => EffectKind::Read { path: path(rest), recursive: true },
                "w" => EffectKind::Write(path(rest)),
                "B" if rest.is_empty() => EffectKind::Write(PathTarget::Below("/repo".to_owned())),
                "B" => EffectKind::Write(PathTarget::Below(format!("/repo/{rest}"))),
                "d" => EffectKind::Delete { path: path(rest), recursive: false },
                "D" => EffectKind::Delete { path: path(rest), recursive: true },
                "c" => EffectKind::ChangeMetadata(path(rest)),
                "l" => EffectKind::Metadata(path(rest)),
                "n" => EffectKind::Network(Some(rest.to_owned())),
                "N" => EffectKind::Network(None),
                _ => panic!("{word}"),
            }
        })
        .collect()
}

#[test]
fn what_is_changed() {
    let mut wrong = Vec::new();
    for (text, effects) in [
        // Where copies land.
        ("cp a b d/", "ra rb wd/ wd/a wd/b"),
        ("cp -t d a b", "ra rb wd wd/a wd/b"),
        ("cp --target-directory=d a", "ra wd wd/a"),
        ("cp --target-dir=d a", "ra wd wd/a"),
        ("cp -T a d", "ra wd"),
        ("cp -r src/. d", "Rsrc/. wd Bd"),
        ("cp -r .git d", "R.git wd wd/.git Bd/.git"),
        ("cp -r . x", "R. wx Bx"),
        // A hard link is a change of its source.
        ("ln a b", "Ra ca wb wb/a"),
        ("ln -f a b d", "Ra ca Rb cb wd wd/a wd/b"),
        ("ln -T a d", "Ra ca wd"),
        ("ln -P a d/", "Ra ca wd/ wd/a"),
        ("ln t/a", "Rt/a ct/a wa"),
        ("gln a b/", "Ra ca wb/ wb/a"),
        ("link a b", "Ra ca wb wb/a"),
        ("cp -l a d/", "ra ca wd/ wd/a"),
        ("cp --link -T a d", "ra ca wd"),
        ("cp -al -T a d", "Ra ca wd Bd"),
        ("rsync -a --link-dest=/repo/o a/ b/", "lo Ra/ co wb/ Bb/"),
        ("rsync -a --link-dest=../o a/ b/", "l../o Ra/ cb/../o wb/ Bb/"),
        ("pax -rwl a d", "Ra ca wd Bd"),
        ("pax -rw a d", "Ra wd Bd"),
        ("mv a d/", "Ra Da wd/ wd/a"),
        ("mv -t d a b", "Ra Da Rb Db wd wd/a wd/b"),
        ("ln -s t/a", "Rt/a wa"),
        ("ln -sf t l", "Rt wl wl/t"),
        ("install -m 755 -t bin a", "ra wbin wbin/a"),
        ("install -d a b", "wa wb"),
        // In place.
        ("sed -i.bak s/a/b/ f", "rf wf wf.bak"),
        ("sed --in-place=it s/a/b/ .g", "r.g w.g w.git"),
        ("patch -z it .g p", "rp r.g w.g w.git"),
        // Backups.
        ("mv -bT -S it a .g", "Ra Da w.g w.git D.g"),
        ("cp -T --suffix=it a .g", "ra w.g w.git"),
        ("cp --backup -T a b", "ra wb wb~"),
        ("ln -T -S it a .g", "Ra ca w.g w.git"),
        ("install -T -b a b", "ra wb wb~"),
        ("rsync -ab --suffix=it s/.g d/", "Rs/.g wd/ wd/.g wd/it wd/.git"),
        ("sort -uo f f", "wf rf"),
        ("dos2unix f", "rf wf"),
        ("dos2unix -n a b", "ra wb"),
        ("sponge f", "wf"),
        ("shred -u f", "wf df"),
        ("truncate -s 0 f", "wf"),
        ("chmod -R 755 d", "cd"),
        ("csplit -f part f 10", "rf"),
        ("dd if=a of=b bs=1M", "ra wb"),
        ("tee -a a b", "wa wb"),
        // Patches and archives.
        ("patch f p", "rp rf wf"),
        ("patch -d sub -p1 -i ../p", "r../p Bsub"),
        ("tar -C d -xf a.tar", "ld ra.tar Bd"),
        ("tar xf a.tar", "ra.tar B"),
        ("tar xfC a.tar d", "ra.tar Bd"),
        ("tar -cf a.tar -C d x -C ../e y", "ld l../e wa.tar Rd/x Rd/../e/y"),
        ("tar c .", "R."),
        ("tar cf a.tar --remove-files x", "wa.tar Rx Dx"),
        ("unzip a.zip -d out", "ra.zip Bout"),
        ("unzip -dout a.zip", "ra.zip Bout"),
        ("zip -r out.zip d -x '*.git*'", "wout.zip Rd R*.git*"),
        ("zip -rm out d", "wout wout.zip Rd Dd"),
        ("7z x -oout a.7z", "ra.7z Bout"),
        ("gzip a", "ra wa.gz da"),
        ("gunzip -k a.gz", "ra.gz wa"),
        ("zstd a", "ra wa.zst"),
        ("zstd --rm a", "ra wa.zst da"),
        ("bzip2 -d a.bz2", "ra.bz2 wa da.bz2"),
        // Transfers.
        ("rsync a/ b/ --delete", "Ra/ wb/ Bb/ Db/"),
        ("rsync -a a b/", "Ra wb/ wb/a"),
        ("rsync --remove-source-files a h:b", "Ra Da nh:b"),
        ("scp -r a h:b", "N Ra nh:b"),
        ("scp h:a b", "N nh:a wb Bb"),
        ("curl -o f https://h/x", "wf nhttps://h/x"),
        ("curl -O 'https://h/p/x.tgz?q=1'", "wx.tgz nhttps://h/p/x.tgz?q=1"),
        ("curl --output-dir d -O https://h/x", "ld wd/x nhttps://h/x"),
        ("curl -d @f https://h/", "rf nhttps://h/"),
        ("curl -F 'a=@f;type=x' https://h/", "rf nhttps://h/"),
        ("curl -T f https://h/", "rf nhttps://h/"),
        ("curl --json @f --url https://h/", "rf nhttps://h/"),
        ("curl -H @f https://h/", "rf nhttps://h/"),
        ("curl -b jar -c jar https://h/", "wjar rjar nhttps://h/"),
        ("curl --data-urlencode n@f https://h/", "rf nhttps://h/"),
        ("curl -d a@b https://h/", "nhttps://h/"),
        ("wget https://h/a/x.zip", "wx.zip nhttps://h/a/x.zip"),
        ("wget -O f https://h/x", "wf nhttps://h/x"),
        ("wget -P d https://h/x", "ld wd/x nhttps://h/x"),
        ("wget -r -P d https://h/x", "ld Bd wd/x nhttps://h/x"),
        ("wget -i list", "rlist B N"),
        ("wget --post-file=f -qO- https://h/", "rf nhttps://h/"),
        // Reads with everything below.
        ("zip -r - .", "R."),
        ("rg . -uu", "R."),
        ("ag -A 3 x", "R. Rx"),
    ] {
        let mut seen = kinds(text);
        seen.retain(|kind| {
            !matches!(
                kind,
                EffectKind::Write(PathTarget::Glob(..)) | EffectKind::ChangeMetadata(PathTarget::Below(_))
            )
        });
        if seen != expected(effects) {
            wrong.push(format!("{text}: {seen:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn files_of_a_url_and_of_a_glob() {
    let read = |text: &str, path: &str| {
        let wanted = EffectKind::Read { path: PathTarget::Path(path.to_owned()), recursive: false };
        assert!(kinds(text).contains(&wanted), "{text}: {:?}", kinds(text));
    };
    read("curl file:///etc/passwd", "/etc/passwd");
    read("curl FILE://localhost/etc/passwd", "/etc/passwd");
    let glob =
        |text: &str| kinds(text).iter().any(|kind| matches!(kind, EffectKind::Write(PathTarget::Glob(..))));
    assert!(glob("split -b 1M a part-") && glob("csplit -f part a 1") && glob("split a"));
    let anywhere = |text: &str| kinds(text).contains(&EffectKind::Write(PathTarget::Unknown));
    assert!(
        anywhere("tar -xPf a.tar")
            && anywhere("cp $x")
            && anywhere("gzip \"$x\"")
            && anywhere("unzip -: a.zip")
    );
}

#[test]
fn trees_that_are_linked_are_changed_below() {
    for (text, linked) in [
        ("cp -al a d", true),
        ("cp -r --link a d", true),
        ("cp -rL a d", false),
        ("cp -rs a d", false),
        ("rsync -a --link-dest=/repo/a s/ d/", true),
        ("rsync -a --link-dest ../a s/ d/", false),
        ("rsync -a --copy-dest=/repo/a s/ d/", false),
        ("pax -rwl a d", true),
        ("pax -rw a d", false),
    ] {
        let below = EffectKind::ChangeMetadata(PathTarget::Below("/repo/a".to_owned()));
        assert_eq!(kinds(text).contains(&below), linked, "{text}");
    }
    let anything = EffectKind::ChangeMetadata(PathTarget::Unknown);
    assert!(kinds("cpio -pl d").contains(&anything) && !kinds("cpio -p d").contains(&anything));
}
