# SPDX-License-Identifier: Apache-2.0
"""Every C++ file of ours is as clang-format leaves it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("core", "solvers", "gpu", "app", "tests")


def main() -> int:
    files = [str(p) for f in FOLDERS for p in sorted((ROOT / f).rglob("*")) if p.suffix in {".h", ".cpp", ".cu"}]
    result = subprocess.run(["clang-format", "--dry-run", "--Werror", *files], capture_output=True, text=True)
    wrong = sorted({line.split(":")[0] for line in result.stderr.splitlines() if "clang-format-violations" in line})
    for name in wrong:
        print(f"{Path(name).relative_to(ROOT)}: run clang-format -i on it")
    if result.returncode and not wrong:
        print(result.stderr)
    print(f"{len(files)} files looked at, {len(wrong)} to format")
    return 1 if result.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
