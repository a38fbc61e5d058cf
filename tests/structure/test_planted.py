# SPDX-License-Identifier: Apache-2.0
"""The structure test finds what it is there for: mistakes planted in a copy of the tree."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("core", "solvers", "gpu", "app")
# (file that gets one line more, the line, what the test must say)
PLANTED = [
    ("core/graph/graph.h", '#include "core/plan/plan.h"', "core/graph may not include core/plan, which does not stand below it"),
    ("core/graph/graph.h", '#include "core/plan/plan.h"', "core: folders include each other in a circle"),
    ("core/bounds/bounds.h", '#include "core/addresses/layout.h"', "core/bounds may not include core/addresses"),
    ("solvers/tools/flat.h", '#include "solvers/search/search.h"', "solvers: folders include each other in a circle"),
    ("gpu/engine/engine.h", '#include "gpu/runtime.h"', "gpu: folders include each other in a circle"),
    ("app/studio/views/graph/graph_view.h", '#include "app/studio/views/memory/memory_view.h"', "a view may not include"),
    ("core/base/text.h", '#include "solvers/interface/solver.h"', "core may not include solvers/interface/solver.h"),
    ("core/base/text.h", "struct Graph {", "Graph is a type of"),
]


def main() -> int:
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for part in PARTS:
            shutil.copytree(ROOT / part, Path(folder) / part)
        for file, line, expected in PLANTED:
            planted = Path(folder) / file
            before = planted.read_text()
            planted.write_text(f"{line}\n{before}")
            test = [sys.executable, str(Path(__file__).with_name("test_structure.py")), folder]
            result = subprocess.run(test, capture_output=True, text=True)
            planted.write_text(before)
            if result.returncode != 1 or expected not in result.stdout:
                failed += 1
                print(f"{file} has {line}, and the test did not say '{expected}' but:\n{result.stdout}")
    print(f"{len(PLANTED)} planted mistakes, {failed} not found")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
