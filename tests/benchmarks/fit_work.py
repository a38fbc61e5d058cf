# SPDX-License-Identifier: Apache-2.0
"""Fits what the portfolio charges for its work (solvers/portfolio/work.cpp) to what it takes on this machine.

    tests/benchmarks/fit_work.py [--bin build/bin] [GRAPH ...]

Runs `remat-benchmark work` on training graphs of many sizes, with plans at half the keep-all peak, and prints for each
kind of work the coefficients of least relative error, and how far measurements are from what is charged now. Nothing is
changed: other coefficients give other plans.
"""

import argparse
import csv
import io
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GRAPHS = ["tiny_unet", "tiny_gpt2", "gpt2", "resnet50", "transformer", "layered:6", "layered:24"]
MOST_SLIDE_PLACES = 1500

# Per kind of work the terms of the formula, each a function of a graph's figures.
FORMS = {
    "start": {"kStartPerOp": lambda g: g["ops"], "kStartPerOpSquared": lambda g: g["ops"] ** 2},
    "greedy": {"kGreedyPerOp": lambda g: g["ops"]},
    "cut": {"kCutPerOp": lambda g: g["ops"], "kCutPerOpSquared": lambda g: g["ops"] ** 2},
    "move": {
        "kMove": lambda g: 1,
        "kMovePerOp": lambda g: g["ops"],
        "kMovePerDensity": lambda g: g["recomputations"] / g["ops"],
    },
    "slide": {"kSlide": lambda g: 1, "kSlidePerComputation": lambda g: min(g["computations"], MOST_SLIDE_PLACES)},
}


def solve(matrix: list[list[float]], right: list[float]) -> list[float] | None:
    """Gaussian elimination; None when the matrix is singular."""
    rows = [list(row) + [value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        if abs(rows[pivot][i]) < 1e-300:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(size):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [rows[i][size] / rows[i][i] for i in range(size)]


def fit(points: list[list[float]], values: list[float]) -> list[float]:
    """Coefficients of least relative error, none of them negative: terms that would be are left out."""
    used = list(range(len(points[0])))
    while used:
        scaled = [[point[i] / value for i in used] for point, value in zip(points, values, strict=True)]
        normal = [[sum(row[a] * row[b] for row in scaled) for b in range(len(used))] for a in range(len(used))]
        found = solve(normal, [sum(row[a] for row in scaled) for a in range(len(used))])
        worst = min(range(len(used)), key=lambda a: found[a]) if found else len(used) - 1
        if found and found[worst] >= 0:
            whole = [0.0] * len(points[0])
            for i, value in zip(used, found, strict=True):
                whole[i] = value
            return whole
        del used[worst]
    return [0.0] * len(points[0])


def measure(binary: Path, graph: str) -> dict[str, float]:
    done = subprocess.run([binary / "remat-benchmark", "work", graph], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{graph}: {done.stderr.strip()}")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    return {row["measure"]: float(row["value"]) for row in rows} | {"ops": float(rows[0]["ops"])}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("graphs", nargs="*", default=GRAPHS, metavar="GRAPH")
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    options = parser.parse_args()
    figures = [measure(options.bin, graph) for graph in options.graphs]
    for work, terms in FORMS.items():
        values = [figure[f"{work}_us"] for figure in figures]
        names = ", ".join(
            f"{name} = {value:.2g}"
            for name, value in zip(
                terms, fit([[term(figure) for term in terms.values()] for figure in figures], values), strict=True
            )
        )
        shares = sorted(value / figure[f"{work}_charged_us"] for value, figure in zip(values, figures, strict=True))
        print(f"{work}: {names}; takes {shares[0]:.2f} to {shares[-1]:.2f} of what is charged")


if __name__ == "__main__":
    main()
