# SPDX-License-Identifier: Apache-2.0
"""What the programs ask the system for: no network, no program but their own helpers, and no file outside the system's own,
the program's, those that were named, and the XDG places.

Run as a test; every call of every program and of all its children is recorded by strace. Prints each that breaks the rule
and exits with 1, or with 77 (skipped) where strace may not trace.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "resources/samples/tiny_gpt2.pt2"
SKIPPED = 77
LONGEST_S = 600
MOST_SHOWN = 40

# What every program reads: libraries, fonts, locales, time zone, kernel's tables. Nothing of a person's.
SYSTEM = ("/usr/", "/lib/", "/lib64/", "/etc/", "/proc/", "/sys/", "/dev/", "/var/cache/fontconfig", "/var/lib/dbus/")
NOWHERE = ("/dev/null", "/dev/tty", "/proc/self/fd/", "/dev/shm/")
SANITIZERS_OWN = "tsan.rodata."  # ThreadSanitizer maps a page of one and removes it
XDG = {"XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data", "XDG_CACHE_HOME": "cache", "XDG_RUNTIME_DIR": "runtime"}

CALL = re.compile(r"^(?:\d+\s+)?(\w+)\((.*)\)\s+= (-?\d+|\?)")
RESUMED = re.compile(r"^(?:\d+\s+)?<\.\.\. (\w+) resumed>")
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
FOLDER = re.compile(r"^(?:AT_FDCWD|\d+)<([^>]*)>")
# Name: every path in its arguments is changed by the call.
CHANGES = {"creat", "mkdir", "mkdirat", "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat",
           "unlink", "unlinkat", "rmdir", "truncate", "chmod", "fchmodat", "chown", "fchownat", "lchown", "mknod",
           "mknodat", "utimensat", "setxattr", "lsetxattr"}


class Rule:
    def __init__(self, binaries, chosen, homes):
        self.binaries = binaries
        self.own = (str(ROOT) + "/", str(Path(os.path.realpath(ROOT / ".venv"))) + "/", str(binaries.parent) + "/")
        self.chosen = tuple(str(folder) for folder in (chosen, *homes))

    def readable(self, path):
        return path.startswith(SYSTEM + self.own + self.chosen) or path in {folder.rstrip("/") for folder in SYSTEM + self.own}

    def writable(self, path):
        return path.startswith(NOWHERE + self.chosen) or Path(path).name.startswith(SANITIZERS_OWN)

    def broken_by(self, name, arguments, folder):
        """A sentence, or nothing."""
        paths = [str(Path(folder) / text) for text in TEXT.findall(arguments)]
        if name in {"connect", "bind", "sendto"} and "sa_family" in arguments:
            return "speaks to another program or machine"
        if name == "socket" and not arguments.startswith("AF_UNIX"):
            return "opens a network socket"
        if name in {"execve", "execveat"}:
            return None if Path(os.path.realpath(paths[0])).parent == self.binaries else "starts a program that is not ours"
        writes = name in CHANGES or (name.startswith("open") and re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", arguments))
        for path in paths[:2] if name in CHANGES else paths[:1]:
            path = os.path.normpath(path) if path != "/" else path
            if writes and not self.writable(path):
                return f"writes to {path}"
            if name.startswith("open") and not self.writable(path) and not self.readable(path):
                return f"reads {path}"
        return None


def lines_of(trace):
    """Calls that another thread's call cut in two are put together again."""
    begun = {}
    for line in trace.read_text(errors="replace").splitlines():
        thread = line.split(None, 1)[0]
        if line.endswith("<unfinished ...>"):
            begun[thread] = line[: -len("<unfinished ...>")]
        elif RESUMED.match(line) and thread in begun:
            yield begun.pop(thread) + line.split("resumed>", 1)[1]
        else:
            yield line


def violations(trace, rule, cwd):
    for line in lines_of(trace):
        match = CALL.match(line)
        if not match or match.group(3).startswith("-"):
            continue
        name, arguments = match.group(1), match.group(2)
        at = FOLDER.match(arguments)
        sentence = rule.broken_by(name, arguments, at.group(1) if at else cwd)
        if sentence:
            yield f"{sentence}: {line[:300]}"


def traced(command, folder, environment, name):
    trace = folder / f"{name}.trace"
    call = ["strace", "-f", "-y", "-s", "4096", "-e", "trace=%network,%file", "-o", str(trace), *map(str, command)]
    result = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True, timeout=LONGEST_S)
    return trace, result


def calls(binaries, out):
    remat, studio = binaries / "remat", binaries / "remat-studio"
    plan = out / "plan.json"
    yield "info", [remat, "info", SAMPLE]
    yield "plan", [remat, "plan", SAMPLE, "--budget", "60%", "--solver", "checkmate", "--time-limit", "3", "-o", plan]
    yield "check", [remat, "check", SAMPLE, plan]
    yield "bound", [remat, "bound", SAMPLE, "--budget", "60%"]
    yield "layout", [remat, "layout", SAMPLE, plan, "-o", out / "offsets.csv"]
    yield "sweep", [remat, "sweep", SAMPLE, "--budgets", "80%,60%", "--solver", "rotor", "-o", out / "frontier.csv"]
    for kind in ("python", "csv", "chrome-trace", "dot", "report"):
        yield f"export-{kind}", [remat, "export", SAMPLE, plan, "--as", kind, "-o", out / f"export.{kind}"]
    if list(binaries.parent.glob("lib/libremat_torch.so")):
        yield "profile", [remat, "profile", SAMPLE, "--repeats", "1", "-o", out / "profile.json"]
        yield "validate", [remat, "validate", SAMPLE, plan]
    if studio.exists():
        shot = ["--do", "solve", "--screenshot", out / "window.png"]
        yield "window-sample", [studio, "--sample", "tiny_gpt2", "--budget", "60%", *shot]
        yield "window-file", [studio, SAMPLE, "--budget", "60%", "--do", "validate", *shot]
        yield "window-start", [studio, "--screenshot", out / "start.png"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=Path, default=ROOT / "build/bin")
    binaries = Path(os.path.realpath(parser.parse_args().bin))
    if not shutil.which("strace"):
        print("strace is not installed. Install it: apt install strace")
        return 1
    with tempfile.TemporaryDirectory(prefix="remat-calls-") as name:
        folder = Path(name)
        homes = {variable: folder / place for variable, place in XDG.items()}
        out, elsewhere = folder / "out", folder / "elsewhere"
        for place in (out, elsewhere, *homes.values()):
            place.mkdir(mode=0o700)
        environment = {"PATH": os.environ["PATH"], "HOME": str(elsewhere), "QT_QPA_PLATFORM": "offscreen", "LANG": "C.UTF-8",
                       "TMPDIR": str(elsewhere), **{variable: str(place) for variable, place in homes.items()}}
        environment["ASAN_OPTIONS"] = "detect_leaks=0"  # LeakSanitizer traces, as strace does, and only one can
        environment["TSAN_OPTIONS"] = os.environ.get("TSAN_OPTIONS", "")
        trace, tried = traced(["/bin/true"], folder, environment, "tried")
        if tried.returncode != 0:
            print(f"skipped: strace may not trace here: {tried.stderr.strip()[-200:]}")
            return SKIPPED
        rule = Rule(binaries, out, homes.values())
        # The rule itself is tried on a program that breaks it.
        trace, _ = traced(["/bin/sh", "-c", f"cat /dev/null > {elsewhere}/written"], folder, environment, "tried")
        if not any("writes to" in line for line in violations(trace, rule, folder)):
            print("A file written where none may be was not noticed: the test itself is broken.")
            return 1
        wrong = seen = 0
        for name, command in calls(binaries, out):
            trace, result = traced(command, folder, environment, name)
            # On a CPU a run may take a little more than the budget, which `validate` answers with 1.
            if result.returncode not in ((0, 1) if name == "validate" else (0,)):
                print(f"{name}: ended with {result.returncode}: {result.stderr.strip()[-500:]}")
                wrong += 1
            for line in violations(trace, rule, folder):
                wrong += 1
                if wrong <= MOST_SHOWN:
                    print(f"{name}: {line}")
            seen += sum(1 for _ in lines_of(trace))
        left = sorted(path.relative_to(elsewhere).as_posix() for path in elsewhere.rglob("*") if path.name != "written")
        if left:
            print(f"left behind in the home or temporary folder: {', '.join(left)}")
            wrong += 1
        print(f"{seen} system calls looked at, {wrong} break the rule")
        return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
