"""Who may include whom: the folders' promises, read off the includes.

Run as a test; prints every line that breaks a rule and exits with 1.
"""

import re
import sys
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


if __name__ == "__main__":
    found = list(violations())
    print("\n".join(found) or "every include is where it may be")
    sys.exit(1 if found else 0)
