# SPDX-License-Identifier: Apache-2.0
"""Who may include whom: the folders' promises, read off the includes; and one name for one type within a part.

Run as a test; prints every line that breaks a rule and exits with 1.
"""

import re
import sys
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

TOP_LEVEL = {"CMakeLists.txt", "LICENSE", "README.md", "app", "core", "gpu", "packaging", "resources", "solvers", "tests"}

# Folder (longest prefix wins) -> folders of ours it may include from.
MAY_INCLUDE = {
    "core": {"core"},
    "solvers": {"core", "solvers"},
    "gpu": {"core", "gpu"},
    "app/cli": {"core", "solvers", "gpu", "app/cli"},
    "app/layout_helper": {"app/layout_helper"},
    "app/studio": {"core", "solvers", "gpu", "app/studio"},
}

# Library -> (how its headers look, folders that may include them).
LIBRARIES = {
    "Qt": (r"<Q[A-Z]\w*(/|>)|<q[a-z]+\.h>|<Qt\w+/", {"app/studio"}),
    "CBC": (r"(Cbc|Cgl|Coin|Osi|Clp)\w*\.h(pp)?[>\"]", {"solvers/ilp"}),
    "Graphviz": (r"<(graphviz/)?(gvc|cgraph|gvcext)\.h>", {"app/layout_helper"}),
    "LibTorch": (r"<(torch|ATen|c10)/", {"gpu/torch"}),
    "CUDA": (r"<(cuda|cublas|cudnn)\w*\.h>", {"gpu"}),
    "CLI11": (r"<CLI/", {"app/cli"}),
}

# A type that a header defines; a declaration ends with a semicolon.
TYPE = re.compile(r"(?:struct|class|enum class) (\w+)(?: final)?(?: : [^;{]*)?(?: \{)?$")

# The floors of each part, the lowest first. A folder includes from floors below its own, and from no other of its floor; a
# folder that is not named stands where the nearest named one above it does.
FLOORS = {
    "core": [
        "base",
        "graph",
        "costs clusters",
        "chunk",
        "plan",
        "addresses bounds",
        "io model streams teaching/explain",
        "teaching/puzzles teaching/stories views",
        "exports teaching/lessons",
        "exports/forms",
    ],
    "solvers": [
        "interface ilp mincut order",
        "cp ilp/helper tools",
        "bounds chunk online search",
        "blocks checkmate portfolio solve/steer puzzles uses",
        "bounds/methods chain hiremate/partition hiremate/top kusumoto moccasin solve treewidth",
        "offload rockmate",
        "hiremate poet",
        "planners portfolio/members",
    ],
    "gpu": ["engine", ". cuda", "helper torch", "torch/cuda"],
    "app/cli": [".", "commands"],
}

# The window's libraries, the lowest first: each may include itself and those before it.
WINDOW = "app/studio"
LAYERS = ["base", "work", "views", "shell"]
# Views know no other view, but what several are built on.
SHARED_BY_VIEWS = "app/studio/views/shared"

LICENCE = "SPDX-License-Identifier: Apache-2.0"
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"].*[>"])')


def folder_of(path: str, folders) -> str | None:
    matches = [f for f in folders if path == f or path.startswith(f + "/")]
    return max(matches, key=len) if matches else None


def violations():
    for entry in ROOT.iterdir():
        if not entry.name.startswith(".") and entry.name not in TOP_LEVEL and not entry.name.startswith("build"):
            yield f"{entry.name}: does not belong into the top level"
    for top in ("core", "solvers", "gpu", "app"):
        for file in sorted((ROOT / top).rglob("*")):
            if file.suffix not in {".h", ".cpp", ".cu"}:
                continue
            name = file.relative_to(ROOT).as_posix()
            own = folder_of(name, MAY_INCLUDE)
            for number, line in enumerate(file.read_text().splitlines(), 1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                header = match.group(1)
                for library, (pattern, allowed) in LIBRARIES.items():
                    if re.search(pattern, header) and not any(name.startswith(a + "/") for a in allowed):
                        yield f"{name}:{number}: {library} may be included only in {', '.join(sorted(allowed))}"
                if header.startswith('"'):
                    target = header.strip('"')
                    if not target.startswith(("core/", "solvers/", "gpu/", "app/")):
                        # Moc output and generated lists are the two exceptions.
                        if not target.endswith((".moc", ".inc")):
                            yield f"{name}:{number}: write {header} from the root of the repository"
                    elif not any(target.startswith(a + "/") for a in MAY_INCLUDE[own]):
                        yield f"{name}:{number}: {own} may not include {target}"


def includes_within(part: str):
    """Includes of every file: (file, its folder, line, included folder), folders from the root."""
    for file in sorted((ROOT / part).rglob("*")):
        if file.suffix not in {".h", ".cpp", ".cu"}:
            continue
        name = file.relative_to(ROOT)
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match and match.group(1).startswith(f'"{part}/'):
                yield name.as_posix(), name.parent.as_posix(), number, Path(match.group(1).strip('"')).parent.as_posix()


def circles(part: str):
    needs = defaultdict(set)
    for _, own, _, target in includes_within(part):
        if own not in (target, WINDOW):  # the window's main.cpp stands on top of all
            needs[own].add(target)
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as error:
        yield f"{part}: folders include each other in a circle: {' -> '.join(reversed(error.args[1]))}"


def upward(part: str, floors: list):
    floor_of = {(Path(part) / folder).as_posix(): n for n, floor in enumerate(floors) for folder in floor.split()}
    for name, own, number, target in includes_within(part):
        here, there = folder_of(own, floor_of), folder_of(target, floor_of)
        if not here or not there:
            yield f"{name}:{number}: {own if not here else target} stands on no floor of {part}: give it one in FLOORS"
        elif here != there and floor_of[there] >= floor_of[here]:
            yield f"{name}:{number}: {here} may not include {there}, which does not stand below it"


def window_violations():
    for name, own, number, target in includes_within(WINDOW):
        if own == WINDOW:
            continue
        layer, other = own.split("/")[2], target.split("/")[2]
        if layer not in LAYERS or other not in LAYERS:
            yield f"{name}:{number}: every folder of {WINDOW} stands in one of {', '.join(LAYERS)}"
        elif LAYERS.index(other) > LAYERS.index(layer):
            yield f"{name}:{number}: {layer} may not include {other}, which stands above it"
        elif layer == other == "views" and own != target and target != SHARED_BY_VIEWS:
            yield f"{name}:{number}: a view may not include {target}; what views share stands in {SHARED_BY_VIEWS}"


def unlicensed():
    for top in ("core", "solvers", "gpu", "app"):
        for file in sorted((ROOT / top).rglob("*")):
            if file.suffix in {".h", ".cpp", ".cu"} and LICENCE not in "".join(file.read_text().splitlines()[:3]):
                yield f"{file.relative_to(ROOT).as_posix()}: begin with '// {LICENCE}'"


def repeated_types():
    for part in ("core", "solvers", "gpu", "app"):
        first = {}
        for file in sorted((ROOT / part).rglob("*.h")):
            name = file.relative_to(ROOT).as_posix()
            for number, line in enumerate(file.read_text().splitlines(), 1):
                if (found := TYPE.match(line)) and first.setdefault(found[1], name) != name:
                    yield f"{name}:{number}: {found[1]} is a type of {first[found[1]]}, too: a name means one thing within {part}"


def all_violations():
    yield from violations()
    yield from unlicensed()
    yield from repeated_types()
    yield from window_violations()
    for part in ("core", "solvers", "gpu", "app"):
        yield from circles(part)
    for part, floors in FLOORS.items():
        yield from upward(part, floors)


if __name__ == "__main__":
    if len(sys.argv) > 1:  # another tree: tests plant mistakes in a copy
        ROOT = Path(sys.argv[1])
    found = list(all_violations())
    print("\n".join(found) or "every include is where it may be")
    sys.exit(1 if found else 0)
