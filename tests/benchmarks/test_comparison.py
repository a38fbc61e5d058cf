# SPDX-License-Identifier: Apache-2.0
"""What --compare calls better, worse or noise, on tables made by hand."""

import contextlib
import io
import sys

import comparison


def table(*rows: tuple) -> dict:
    """Rows are (planner, measure, value, calibrated)."""
    made = {}
    for planner, measure, value, calibrated in rows:
        row = {"group": "quality", "graph": "g", "ops": "10", "planner": planner, "budget_percent": "50",
               "measure": measure, "value": str(value), "calibrated": str(calibrated), "process_peak_mib": "50", "note": ""}
        made[comparison.key_of(row)] = row
    return made


def verdict(old: dict, new: dict) -> tuple[int, str]:
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        code = comparison.report(old, new)
    return code, text.getvalue()


def expect(condition: bool, what: str) -> None:
    if not condition:
        sys.exit(f"comparison: {what}")


old = table(("a", "overhead_percent", 10, ""), ("a", "planning_seconds", 1, 100), ("a", "steps_per_second", 1e6, 50),
            ("b", "planning_seconds", 1e-6, 1e-4), ("c", "overhead_percent", 3, ""))

code, text = verdict(old, old)
expect(code == 0 and "Worse: 0" in text and "Better: 0" in text, "a table is no worse than itself")

code, text = verdict(old, table(("a", "overhead_percent", 10.04, ""), ("a", "planning_seconds", 5, 110),
                                ("a", "steps_per_second", 1e6, 45), ("b", "planning_seconds", 1e-5, 1e-3)))
expect(code == 0 and "Worse: 0" in text, "small changes and slower machines are noise")
expect("Only in the old table: 1" in text and "c 50" in text, "lost rows are named")

code, text = verdict(old, table(("a", "overhead_percent", 10.2, ""), ("a", "planning_seconds", 1, 50),
                                ("a", "steps_per_second", 1e6, 20)))
expect(code == 1 and "Worse: 2" in text and "Better: 1" in text, "shares, times and rates each have their direction")
expect("10.00 -> 10.20" in text and "0.50 times" in text, "figures are shown")

heavy = table(("a", "overhead_percent", 10, ""))
for row in heavy.values():
    row["process_peak_mib"] = "90"
expect("50 -> 90 MiB" in verdict(old, heavy)[1], "memory is told")
