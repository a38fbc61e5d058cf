#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""All planners in one figure: overhead over peak on GPT-2 small and on the U-Net, with the lower bound.

    tests/benchmarks/planner_figure.py [--bin build/bin] [--solver all] [--budgets 95%:15%:-5] [--time-limit 10]
                                       [--threads 2] [-o resources/pictures/planners.svg] [--keep FOLDER] [MODEL ...]
    tests/benchmarks/planner_figure.py --draw gpt2.csv unet.csv [-o ...]     from tables that `remat sweep` wrote

Runs `remat sweep` on each model and draws the tables; --keep keeps them.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import chart
import styles

ROOT = Path(__file__).resolve().parents[2]
MODELS = ["gpt2", "unet"]


def sweep(model: str, folder: Path, options: argparse.Namespace) -> Path:
    table = folder / (Path(model).stem + ".csv")
    command = [options.bin / "remat", "sweep", model, "--solver", options.solver, "--budgets", options.budgets,
               "--time-limit", str(options.time_limit), "--threads", str(options.threads), "-o", table]
    result = subprocess.run(command, stdout=subprocess.DEVNULL)
    if result.returncode == 2:
        sys.exit(2)
    return table


def read(table: Path) -> list[dict]:
    with open(table, newline="") as file:
        return list(csv.DictReader(file))


def curve(rows: list[dict], planner: str) -> list[tuple[float, float]]:
    """(peak, overhead) of every plan, from the largest peak to the smallest, each once."""
    points = {(float(r["peak_percent"]), float(r["overhead_percent"]))
              for r in rows if r["planner"] == planner and r["peak_percent"]}
    return sorted(points, reverse=True)


def bound_of(rows: list[dict]) -> list[tuple[float, float]]:
    """The highest bound of each budget: planners that offload have lower ones, which hold for every plan."""
    highest = {}
    for row in rows:
        if row["lower_bound_overhead_percent"]:
            budget, bound = float(row["budget_percent"]), float(row["lower_bound_overhead_percent"])
            highest[budget] = max(bound, highest.get(budget, 0))
    return sorted(highest.items())


def panel_of(rows: list[dict], planners: list[str], height: float) -> chart.Panel:
    panel = chart.Panel(rows[0]["model"], chart.Axis(10, 102, "peak of dynamic memory, % of keeping everything",
                                                     ticks=[(v, f"{v} %") for v in range(20, 101, 20)]),
                        chart.Axis(0, 50, "added time", unit="%"), width=470, height=height)
    peak, time = float(rows[0]["keep_all_peak_bytes"]), float(rows[0]["keep_all_time_us"])
    panel.subtitle = f"keeping everything: {peak / 2**30:.2f} GiB, {time / 1e3:.1f} ms"
    bound = bound_of(rows)
    refused = [float(r["budget_percent"]) for r in rows if not r["lower_bound_overhead_percent"]]
    if refused:
        panel.column(panel.x.low, max(refused), "#eef1f4")
        panel.label(panel.x.low, 50, "out of reach", dx=8, dy=16)
    if bound:
        panel.area_below([*bound, (100, 0)], "#dde3e8")
        panel.line([*bound, (100, 0)], "#8a949e", 1.2)
        panel.label(bound[0][0], 0, "below the lower bound", dx=8, dy=-9)
    for planner in planners:
        colour, shape, dash = styles.style(planner)
        points = curve(rows, planner)
        panel.line(points, colour, 1.6, dash, 0.9)
        panel.points(points, shape, colour, 3.4)
    return panel


def draw(tables: list[Path]) -> str:
    sheets = [rows for rows in map(read, tables) if rows]
    planned = {r["planner"] for rows in sheets for r in rows if r["peak_percent"]}
    planners = styles.in_order(planned)
    height = 400
    body = [panel_of(rows, planners, height).draw(80 + i * 560, 110) for i, rows in enumerate(sheets)]
    entries = [(name, *(styles.style(name)[i] for i in (0, 1, 2))) for name in planners]
    columns = 6
    per_column = -(-len(entries) // columns)
    body.append(chart.legend(entries, 80, 110 + height + 62, 175, per_column))
    note = ("Every point is a plan that passed the checker, all on the same costs (device reference); lower left is better. "
            "Grey: no plan without offloads gets there in the graph's order.")
    return chart.page(80 + len(sheets) * 560 - 10, 110 + height + 74 + per_column * 17,
                      "Planners of rematerialization on one footing", note, "".join(body))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help="traces; GPT-2 small and the U-Net when left out")
    parser.add_argument("--bin", type=Path, default=ROOT / "build" / "bin")
    parser.add_argument("--solver", default="all")
    parser.add_argument("--budgets", default="95%:15%:-5")
    parser.add_argument("--time-limit", type=float, default=10)
    parser.add_argument("--threads", type=int, default=2, help="1 plans one at a time: nobody waits for anybody's CBC")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "resources" / "pictures" / "planners.svg")
    parser.add_argument("--keep", type=Path, help="folder for the tables")
    parser.add_argument("--draw", nargs="+", type=Path, metavar="CSV", help="draw these tables, plan nothing")
    options = parser.parse_args()
    if options.draw:
        options.output.write_text(draw(options.draw))
        return
    models = options.models or [str(ROOT / "resources" / "samples" / f"{name}.pt2") for name in MODELS]
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        options.output.write_text(draw([sweep(model, folder, options) for model in models]))


if __name__ == "__main__":
    main()
