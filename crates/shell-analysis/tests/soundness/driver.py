# Runs commands one after the other over the laid out tree and tells what each has changed.
#
# Input, every field ended by NUL: a mode, the file that is standard input, and a text. Modes: "run"; "wait" (background processes are the text's
# own, and ended); "show" (the output is wanted); "dump" (lists the tree, no text is run).
# Output for each, every field ended by NUL: how it ended, changed paths, processes that were left, lines of the
# shell's state that differ, what was noticed, output. Lists are separated by line feeds.

import os, select, signal, stat, sys, time

CLOCK = float(sys.argv[1])
WRAPPER = sys.argv[2]
LIMIT = 1 << 19
# Variables that bash changes by itself, and those of `cd`, which the analysis follows.
CHANGING = ("BASH_", "BASH=", "_=", "RANDOM=", "SRANDOM=", "SECONDS=", "EPOCH", "PIPESTATUS=", "FUNCNAME", "PWD=", "OLDPWD", "DIRSTACK=",
            "LINENO=", "BASHPID=", "COLUMNS=", "LINES=", "HISTCMD=", "SHELLOPTS=", "BASHOPTS=")
SKIPPED = {"/proc", "/sys", "/usr", "/dev", "/trip", "/etc/alternatives", "/etc/ld.so.cache", "/opt"}
# In two halves, so that they do not stand in the arguments of this process.
MARKS = {b"CONTENT-" b"CANARY": "content", b"LINKED-" b"CANARY": "linked", b"ENVIRONMENT-" b"CANARY": "environment"}
ENVIRONMENT = {
    b"HOME": b"/home/u", b"USER": b"u", b"LOGNAME": b"u", b"TERM": b"xterm", b"LANG": b"C.UTF-8", b"TZ": b"UTC",
    b"SHELL": b"/bin/bash", b"PATH": b"/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    b"SECRET_TOKEN": b"ENVIRONMENT-" b"CANARY",
}


def walk():
    seen, stack = {}, ["/", "/dev/shm"]
    while stack:
        try:
            entries = os.scandir(stack.pop())
        except OSError:
            continue
        with entries:
            for entry in entries:
                path = entry.path
                if path in SKIPPED:
                    continue
                try:
                    s = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                # No access times; a directory's size says nothing.
                seen[path] = (s.st_mode, s.st_ino, s.st_uid, s.st_gid, s.st_nlink, s.st_mtime_ns, s.st_ctime_ns,
                              0 if stat.S_ISDIR(s.st_mode) else s.st_size)
                if stat.S_ISDIR(s.st_mode):
                    stack.append(path)
    return seen


def content(path):
    try:
        if os.path.islink(path):
            return os.readlink(path).encode()
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return file.read()
    except OSError:
        pass
    return b""


def remove(path):
    try:
        if os.path.isdir(path) and not os.path.islink(path):
            os.rmdir(path)
        else:
            os.unlink(path)
    except OSError:
        pass


def restore(changed):
    now = walk()
    for path in sorted(changed, reverse=True):
        wanted = REFERENCE.get(path)
        if path in now and (wanted is None or stat.S_IFMT(wanted[0]) != stat.S_IFMT(now[path][0])):
            remove(path)
    for path in sorted(changed):
        wanted = REFERENCE.get(path)
        if wanted is None:
            continue
        mode, data = wanted[0], CONTENT.get(path, b"")
        try:
            if stat.S_ISLNK(mode):
                remove(path)
                os.symlink(data.decode(), path)
                continue
            if stat.S_ISDIR(mode):
                os.makedirs(path, exist_ok=True)
            elif stat.S_ISREG(mode):
                remove(path)
                with open(path, "wb") as file:
                    file.write(data)
            os.chmod(path, stat.S_IMODE(mode))
            os.utime(path, ns=(wanted[5], wanted[5]))
        except OSError:
            pass
    REFERENCE.clear()
    REFERENCE.update(walk())


def entries_of_index(data):
    """The entries of a git index without the cached stat data (gitformat-index(5), version 2)."""
    if data[:4] != b"DIRC" or data[4:8] not in (b"\0\0\0\2", b"\0\0\0\3"):
        return data
    found, at = [], 12
    for _ in range(int.from_bytes(data[8:12], "big")):
        start = at
        mode, name, flags = data[at + 24:at + 28], data[at + 40:at + 60], int.from_bytes(data[at + 60:at + 62], "big")
        at += 64 if flags & 0x4000 else 62
        end = data.index(b"\0", at)
        found.append((mode, name, flags, data[at:end]))
        at = start + (end - start) // 8 * 8 + 8
    return found


def compare():
    """Paths that differ. git refreshes the stat data that its index caches, also when it only looks: that is no
    change as long as the entries are the same, nor is the time of the directory in which it took its lock."""
    now = walk()
    changed = {path for path in now.keys() | REFERENCE.keys() if now.get(path) != REFERENCE.get(path)}
    if not changed:
        return []
    real = set()
    for path in changed:
        old, new = REFERENCE.get(path), now.get(path)
        if old and new:
            directory, name = os.path.split(path)
            if name == "index" and "/.git" in directory and entries_of_index(content(path)) == entries_of_index(CONTENT[path]):
                continue
            if (name == ".git" or "/.git/worktrees/" in path) and stat.S_ISDIR(new[0]) and old[:5] == new[:5]:
                continue
            # A temporary file that is gone again leaves the time of its directory.
            if path in ("/tmp", "/var/tmp", "/dev/shm") and old[:5] == new[:5]:
                continue
        real.add(path)
    if real:
        restore(changed)
    else:
        REFERENCE.update(now)
    return sorted(real)


def others():
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) in (1, ME):
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
            if fields[0] in (b"Z", b"X"):
                continue
            with open(f"/proc/{name}/cmdline", "rb") as file:
                found.append(file.read().replace(b"\0", b" ").decode(errors="replace").strip()[:120])
        except OSError:
            continue
    return found


def end_all():
    # What multiplies may have started more in between.
    for _ in range(1000):
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            return
        if not others():
            return
        time.sleep(0.002)


def spawn(argv, actions):
    # What has ended counts against the limit of processes until it is reaped.
    for _ in range(1000):
        try:
            return os.posix_spawn("/bin/bash", argv, ENVIRONMENT, file_actions=actions, setsid=True)
        except BlockingIOError:
            time.sleep(0.01)
    sys.exit("no process can be started any more")


def asked():
    """What the network was asked for: datagrams that were sent, and connections that were begun."""
    with open("/proc/net/snmp") as file:
        lines = [line.split() for line in file]
    fields = {(names[0], name): value for names, values in zip(lines[::2], lines[1::2]) for name, value in zip(names, values)}
    return [fields.get(key) for key in (("Udp:", "OutDatagrams"), ("Tcp:", "ActiveOpens"))]


def run(mode, stdin, text):
    for name in os.listdir("/trip"):
        remove("/trip/" + name)
    reader, writer = os.pipe()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, writer, 1), (os.POSIX_SPAWN_DUP2, writer, 2),
    ]
    argv = [b"/bin/bash", b"--norc", b"--noprofile", b"-c", WRAPPER.encode(), b"bash", text]
    pid = spawn(argv, actions)
    os.close(writer)
    end, output, ended, how = time.monotonic() + CLOCK, bytearray(), False, "over"
    closed = False
    while True:
        left = end - time.monotonic()
        if left <= 0:
            how = "clock"
            break
        if not closed:
            # The shell may be gone while something in the background holds the pipe.
            ready, _, _ = select.select([reader], [], [], min(left, 0.05))
            if ready:
                data = os.read(reader, 65536)
                output += data
                if not data or len(output) > LIMIT:
                    os.close(reader)
                    closed = True
        done, _ = os.waitpid(pid, os.WNOHANG)
        if done:
            ended = True
            break
        if closed:
            time.sleep(0.001)
    if not ended:
        end_all()
        os.waitpid(pid, 0)
    if ended and not closed:
        while select.select([reader], [], [], 0)[0]:
            data = os.read(reader, 65536)
            output += data
            if not data or len(output) > LIMIT:
                break
    if not closed:
        os.close(reader)
    remains = others()
    if remains:
        for _ in range(30 if ended and mode != "wait" else 0):
            time.sleep(0.01)
            remains = others()
            if not remains:
                break
        end_all()
        if mode == "wait" or not ended:
            remains = []
    return how, output, remains


def state(name):
    try:
        with open("/trip/" + name, "rb") as file:
            return file.read()
    except OSError:
        return None


def differing(before, after):
    if before is None or after is None or before == after:
        return []
    lines = [set(text.decode(errors="replace").splitlines()) for text in (before, after)]
    return sorted(line for line in lines[0] ^ lines[1]
                  if not (line.startswith("declare ") and line.split(" ", 2)[2].startswith(CHANGING)))


def answer(*fields):
    for field in fields:
        data = field if isinstance(field, (bytes, bytearray)) else field.encode(errors="replace")
        OUT.write(bytes(data).replace(b"\0", b"\\0") + b"\0")
    OUT.flush()


def dump():
    lines = []
    for path, found in sorted(REFERENCE.items()):
        kind = "l" if stat.S_ISLNK(found[0]) else "d" if stat.S_ISDIR(found[0]) else "f"
        lines.append(f"{os.fsencode(path).hex()}\t{CONTENT.get(path, b'')[:65536].hex()}\t{kind}")
    answer("over", "", "", "", "", "\n".join(lines))


def fields():
    rest = b""
    while True:
        data = os.read(0, 1 << 20)
        if not data:
            return
        *whole, rest = (rest + data).split(b"\0")
        yield from whole


ME = os.getpid()
OUT = os.fdopen(os.dup(1), "wb")
os.chdir("/repo")
end_all()
REFERENCE = walk()
CONTENT = {path: content(path) for path in REFERENCE}
source = fields()
for mode in source:
    mode, stdin, text = mode.decode(), next(source), next(source)
    if mode == "dump":
        dump()
        continue
    before = asked()
    how, output, remains = run(mode, stdin, text)
    differs = differing(state("before"), state("after"))
    noticed = [mark for token, mark in MARKS.items() if token in output]
    noticed += [name for name in ("project", "value") if os.path.exists("/trip/" + name)]
    if asked() != before:
        noticed.append("network")
    changed = compare()
    answer(how, "\n".join(changed), "\n".join(remains), "\n".join(differs), "\n".join(noticed),
           output if mode == "show" else b"")
