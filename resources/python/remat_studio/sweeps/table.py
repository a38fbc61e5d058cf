# SPDX-License-Identifier: Apache-2.0
"""The points of a sweep as the table that ``remat sweep`` writes."""

import json

_OF_THE_PLAN = ("peak_bytes", "peak_percent", "time_us", "overhead_percent", "made_for_budget_bytes")
_ADOPTED = "A plan that was made for a smaller budget is the faster one here."


def compare_neighbours(points):
    """What the points of one planner on one model, from the largest budget to the smallest, say about each other.

    A bound on the time holds for smaller budgets too, and a plan for larger ones. A bound of a graph in chunks holds
    for no other graph, so it stays where it is.
    """
    if not any(point["plan"] and "chunks" in json.loads(point["plan"]) for point in points):
        _lift_bounds(points)
    below = None
    for point in reversed(points):
        if below and point["row"]["status"] != "failed" and (not point["plan"] or _time(below) < _time(point)):
            _adopt(point, below)
        if point["plan"]:
            below = point


def _lift_bounds(points):
    for larger, smaller in zip(points, points[1:], strict=False):
        above, here = (point["row"]["lower_bound_time_us"] for point in (larger, smaller))
        if above and here and float(above) > float(here):
            for key in ("lower_bound_time_us", "lower_bound_overhead_percent", "lower_bound_method"):
                smaller["row"][key] = larger["row"][key]
            for key in ("lower_bound_time_us", "lower_bound_overhead"):
                smaller["point"][key] = larger["point"][key]


def _time(point):
    return point["point"]["time_us"]


def _adopt(point, below):
    row, values = point["row"], point["point"]
    row.update({key: below["row"][key] for key in _OF_THE_PLAN})
    values.update({key: below["point"][key] for key in ("peak_bytes", "time_us", "overhead", "made_for_budget_bytes")})
    values.pop("smallest_peak_bytes", None)
    if row["status"] != "stopped":
        row["status"] = values["status"] = "feasible"
    row["message"] = values["message"] = _ADOPTED
    plan = json.loads(below["plan"])
    plan["budget_bytes"] = values["budget_bytes"]
    plan["predicted"]["lower_bound_time_us"] = values["lower_bound_time_us"]
    plan["solver"]["status"] = row["status"]
    point["plan"] = json.dumps(plan)


def as_csv(rows):
    """A header and a line for each row, as ``remat sweep -o`` writes them."""
    lines = [list(rows[0])] + [list(row.values()) for row in rows]
    return "".join(",".join(map(_field, line)) + "\n" for line in lines)


def _field(text):
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in ',;"') else text


def as_text(row):
    """A row in a line for people."""
    start = f"{row['model']}  {row['planner']}  {float(row['budget_percent']):.3g} % of the peak  "
    if not row["time_us"]:
        return f"{start}{row['status']}: {row['message']}"
    bound = f"  bound {float(row['lower_bound_overhead_percent']):.3g} %" if row["lower_bound_time_us"] else ""
    return (
        f"{start}peak {float(row['peak_percent']):.3g} %  overhead {float(row['overhead_percent']):.3g} %{bound}  "
        f"{row['status']}  {float(row['planning_seconds']):.3g} s"
    )
