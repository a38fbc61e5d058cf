# SPDX-License-Identifier: Apache-2.0
"""The structure test finds what it is there for: mistakes planted in a copy of the tree."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("core", "solvers", "gpu", "app")
# (file that gets one include more, the include, what the test must say)
PLANTED = [
    ("core/graph/graph.h", "core/plan/plan.h", "core/graph may not include core/plan, which does not stand below it"),
    ("core/graph/graph.h", "core/plan/plan.h", "core: folders include each other in a circle"),
    ("core/bounds/bounds.h", "core/addresses/layout.h", "core/bounds may not include core/addresses"),
    ("solvers/tools/flat.h", "solvers/search/search.h", "solvers: folders include each other in a circle"),
    ("gpu/engine/engine.h", "gpu/runtime.h", "gpu: folders include each other in a circle"),
    ("app/studio/views/graph/graph_view.h", "app/studio/views/memory/memory_view.h", "a view may not include"),
    ("core/base/text.h", "solvers/interface/solver.h", "core may not include solvers/interface/solver.h"),
]


def main() -> int:
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for part in PARTS:
            shutil.copytree(ROOT / part, Path(folder) / part)
        for file, include, expected in PLANTED:
            planted = Path(folder) / file
            before = planted.read_text()
            planted.write_text(f'#include "{include}"\n{before}')
            test = [sys.executable, str(Path(__file__).with_name("test_structure.py")), folder]
            result = subprocess.run(test, capture_output=True, text=True)
            planted.write_text(before)
            if result.returncode != 1 or expected not in result.stdout:
                failed += 1
                print(f"{file} includes {include}, and the test did not say '{expected}' but:\n{result.stdout}")
    print(f"{len(PLANTED)} planted mistakes, {failed} not found")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
