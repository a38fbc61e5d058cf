# SPDX-License-Identifier: Apache-2.0
"""clang-tidy finds nothing in our own sources.

What is compiled together (REMAT_UNITY) is looked at together, so that headers are read once for all files of a batch.
What has the text, own headers, flags and configuration of a clean run is not looked at again, in this clone or another:
clean runs are kept in the user's cache folder. Precompiled headers are left out: what a batch uses it must include.
What was never looked at from there waits for its day of the week, unless REMAT_TEST_ALL is set: a fresh machine looks at
a seventh, and one that was there before at all that changed.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OURS = ("core/", "solvers/", "gpu/", "app/")
TIDY = shutil.which("clang-tidy", path=str(ROOT / ".venv/bin")) or "clang-tidy"
PRECOMPILED = re.compile(r"-Winvalid-pch|-include \S+/cmake_pch\.hxx")
OWN_INCLUDE = re.compile(r'^\s*#\s*include\s*"((?:core|solvers|gpu|app)/[^"]+|/[^"]+)"', re.M)
USING = re.compile(r"^[ ]*using [\w:]+::(\w+);", re.M)


def is_ours(file: Path) -> bool:
    return file.is_relative_to(ROOT) and file.relative_to(ROOT).as_posix().startswith(OURS)


def sources(file: Path) -> list:
    """Our files that are compiled as this one: the members of a batch, or the file itself."""
    files = [Path(name) for name in OWN_INCLUDE.findall(file.read_text())] if file.parent.name == "Unity" else [file]
    return [each for each in files if is_ours(each)]


@lru_cache(maxsize=None)
def closure(path: Path) -> frozenset:
    """The file and every header of ours it reaches."""
    seen, open_files = set(), [path]
    while open_files:
        current = open_files.pop()
        if current in seen or not current.exists():
            continue
        seen.add(current)
        open_files += [ROOT / name for name in OWN_INCLUDE.findall(current.read_text())]
    return frozenset(seen)


def unused_names(file: Path) -> str:
    """Using declarations that nothing uses: those clang-tidy reports of main files only, which members of a batch are
    not."""
    text = file.read_text()
    unused = [each for each in USING.finditer(text) if len(re.findall(rf"\b{each[1]}\b", text)) == 1]
    return "".join(f"{file}:{text[: each.start()].count(chr(10)) + 1}: unused: {each[0].strip()}\n" for each in unused)


@lru_cache(maxsize=None)
def version() -> bytes:
    return subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout


def key_of(entry: dict) -> str:
    def without_root(text: bytes) -> bytes:  # a clone elsewhere has the same key
        return text.replace(str(ROOT).encode(), b"")

    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes() + version())
    digest.update(without_root(entry["command"].encode()))
    for file in sorted(closure(Path(entry["file"]))):
        digest.update(without_root(file.read_bytes()))
    return digest.hexdigest()


def name_of(entry: dict) -> str:
    """The same for a piece whatever it holds."""
    return "seen-" + hashlib.sha256(os.path.relpath(entry["file"], ROOT).encode()).hexdigest()


def is_of_today(name: str) -> bool:
    today = int(os.environ.get("REMAT_TEST_DAY", int(time.time()) // 86400))
    return bool(os.environ.get("REMAT_TEST_ALL")) or int(name[-8:], 16) % 7 == today % 7


def tidy(commands: Path, entry: dict) -> str:
    command = [TIDY, "-p", str(commands), "--quiet", entry["file"]]
    result = subprocess.run(command, capture_output=True, text=True)
    return result.stdout + result.stderr if result.returncode else ""


def main() -> int:
    build = Path(sys.argv[1])
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "remat-studio/tidy-clean"
    cache.mkdir(parents=True, exist_ok=True)
    commands = build / "tidy"
    commands.mkdir(exist_ok=True)
    entries = {}
    files = set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        if found := sources(Path(entry["file"])):
            files.update(found)
            entries[entry["file"]] = entry | {"command": PRECOMPILED.sub("", entry["command"])}
    if missing := [each for top in OURS for each in (ROOT / top).rglob("*.cpp") if each not in files]:
        print("Not compiled, so not looked at:", *missing, sep="\n  ")
    (commands / "compile_commands.json").write_text(json.dumps(list(entries.values())))
    todo = [(e, key_of(e)) for e in entries.values()]
    todo = [(e, k) for e, k in todo if not (cache / k).exists()]
    new = len(todo)
    todo = [(e, k) for e, k in todo if (cache / name_of(e)).exists() or is_of_today(name_of(e))]
    waiting = new - len(todo)
    todo.sort(key=lambda item: len(closure(Path(item[0]["file"]))), reverse=True)  # the longest first
    unused = "".join(map(unused_names, sorted(files)))
    print(unused, end="")
    failed = 1 if unused else 0
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for (entry, key), output in zip(todo, pool.map(lambda item: tidy(commands, item[0]), todo)):
            if output:
                failed += 1
                print(output)
            else:
                (cache / key).touch()
                (cache / name_of(entry)).touch()
    print(
        f"{len(files)} files in {len(entries)} pieces, {len(todo)} looked at, {waiting} wait for their day "
        f"(packaging/test --all), {failed} with findings"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
