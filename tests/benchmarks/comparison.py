# SPDX-License-Identifier: Apache-2.0
"""Two tables of benchmarks, row by row: what got better and what got worse."""

import csv
import math
import statistics
from pathlib import Path

KEY = ("group", "graph", "planner", "budget_percent", "measure")
TIME_NOISE = 1.25      # ratio of calibrated times that says nothing
POINT_NOISE = 0.05     # percentage points that say nothing
SHORTEST = 0.005       # times below, in yardsticks (about a fifth of a millisecond), say nothing
MEMORY_NOISE = 1.2


def key_of(row: dict) -> tuple:
    return tuple(row[name] for name in KEY)


def read(path: Path) -> dict[tuple, dict]:
    with open(path, newline="") as file:
        return {key_of(row): row for row in csv.DictReader(file)}


def change(old: dict, new: dict) -> float:
    """Above 0 when worse: log ratio of calibrated times and rates, percentage points of shares; 0 when it is noise."""
    measure = old["measure"]
    if measure.endswith(("_percent", "_points")):
        points = float(new["value"]) - float(old["value"])
        return points if abs(points) > POINT_NOISE else 0
    before, after = float(old["calibrated"]), float(new["calibrated"])
    if measure.endswith("_per_second"):
        before, after = 1 / before, 1 / after
    elif max(before, after) < SHORTEST:
        return 0
    ratio = max(after, SHORTEST / 10) / max(before, SHORTEST / 10) if measure.endswith("_seconds") else after / before
    return math.log(ratio) if abs(math.log(ratio)) > math.log(TIME_NOISE) else 0


def shown(old: dict, new: dict) -> str:
    where = " ".join(part for part in (old["graph"], old["planner"],
                                       f"at {old['budget_percent']} %" if old["budget_percent"] else "") if part)
    if old["measure"].endswith(("_percent", "_points")):
        return f"{where}: {old['measure']} {float(old['value']):.2f} -> {float(new['value']):.2f}"
    before, after = float(old["calibrated"]), float(new["calibrated"])
    return f"{where}: {old['measure']} {after / before:.2f} times ({before:.4g} -> {after:.4g} calibrated)"


def memory(old: dict, new: dict) -> list[str]:
    """Rows of one process share their memory, so each is told once."""
    told = {}
    for key in old.keys() & new.keys():
        before, after = float(old[key]["process_peak_mib"]), float(new[key]["process_peak_mib"])
        if before > 0 and not 1 / MEMORY_NOISE < after / before < MEMORY_NOISE and abs(after - before) > 10:
            group, graph, planner = key[0], key[1], key[2] if key[0] == "growth" else ""
            if planner != "bound":
                told[(group, graph, planner)] = f"{group} {graph} {planner}: {before:.0f} -> {after:.0f} MiB"
    return [told[key] for key in sorted(told)]


def report(old: dict[tuple, dict], new: dict[tuple, dict]) -> int:
    """Prints the differences; returns 1 when something got worse, 0 otherwise."""
    better, worse = [], []
    for key in old:
        if key not in new or not old[key]["value"]:
            continue
        by = change(old[key], new[key])
        if by:
            (worse if by > 0 else better).append((abs(by), shown(old[key], new[key])))
    lost = [key for key in old if key not in new]
    gained = [key for key in new if key not in old]
    for title, rows in (("Worse", worse), ("Better", better)):
        print(f"{title}: {len(rows)}")
        for _, line in sorted(rows, reverse=True):
            print("  " + line)
    for title, keys in (("Only in the old table", lost), ("Only in the new table", gained)):
        if keys:
            print(f"{title}: {len(keys)}")
            for key in keys:
                print("  " + " ".join(part for part in key if part))
    for line in memory(old, new):
        print("Memory of " + line)
    for group in ("quality", "growth", "speed"):
        ratios = [math.log(float(new[k]["calibrated"]) / float(old[k]["calibrated"])) *
                  (-1 if k[4].endswith("_per_second") else 1)
                  for k in old.keys() & new.keys() if k[0] == group and old[k]["calibrated"] and new[k]["calibrated"]
                  and min(float(old[k]["calibrated"]), float(new[k]["calibrated"])) > SHORTEST]
        if ratios:
            print(f"Times of {group}: {math.exp(statistics.mean(ratios)):.3f} of the old ones on geometric average")
    return 1 if worse else 0
