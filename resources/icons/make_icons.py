# SPDX-License-Identifier: Apache-2.0
"""Takes the icons that the window uses from Lucide, as packed by `python-lucide` on PyPI.

    pip install python-lucide==0.5.6
    python3 make_icons.py

Writes one SVG a name beside this script: 24 grid, stroke 1.75, round caps, currentColor. A name that Lucide has renamed
since keeps the name used here.
"""

import re
import sqlite3
from importlib.resources import files
from pathlib import Path

HERE = Path(__file__).resolve().parent
STROKE = "1.75"
NAMES = """
activity arrow-down arrow-down-to-line arrow-right arrow-up arrow-up-from-line bookmark box chart-area chart-spline check
chevron-down chevron-left chevron-right chevron-up chevrons-up-down circle circle-check circle-dashed circle-help circle-x
clock command contrast copy cpu crosshair download ellipsis external-link eye eye-off file-code file-output file-text
file-up folder-open git-branch git-compare gpu graduation-cap grid-3x3 history info keyboard layers layout-dashboard
lightbulb list-filter list-tree lock map maximize memory-stick minimize minus monitor moon network panel-bottom panel-left
panel-right pause pin pin-off play plus redo-2 refresh-cw rotate-ccw ruler save search settings-2 share-2 shield-check
sliders-horizontal square step-forward sun table-2 target trash-2 triangle-alert undo-2 waypoints workflow wrench x
zoom-in zoom-out
""".split()


def main() -> None:
    database = sqlite3.connect(str(files("lucide") / "data" / "lucide-icons.db"))
    for name in NAMES:
        row = database.execute(
            "select svg from icons where name = ? or name = (select name from icon_aliases where alias = ?)", (name, name)
        ).fetchone()
        if row is None:
            raise SystemExit(f"Lucide has no icon called {name}")
        svg = re.sub(r'stroke-width="2"', f'stroke-width="{STROKE}"', row[0])
        (HERE / f"{name}.svg").write_text(" ".join(svg.split()).replace("> <", "><").replace(" >", ">") + "\n")
    print(f"{len(NAMES)} icons")


if __name__ == "__main__":
    main()
