# SPDX-License-Identifier: Apache-2.0
"""The pictures of a benchmark table: planners by quality and by time, and time against the number of ops."""

import math

import chart
import styles

TITLES = {"gpt2": "GPT-2 small", "resnet50": "ResNet-50", "unet": "U-Net", "transformer": "Transformer"}


def pick(rows: list[dict], **wanted) -> list[dict]:
    return [r for r in rows if all(r[name] == value for name, value in wanted.items())]


def distinct(rows: list[dict], name: str) -> list[str]:
    return list(dict.fromkeys(r[name] for r in rows))


def title_of(graph: str) -> str:
    kind, _, size = graph.partition(":")
    made = {"layered": f"Transformer, {size} layers", "random": f"Random layered, {size} ops",
            "chain": f"Chain, {size} stages", "u": f"U-shaped, {size.replace('x', ' × ')}"}
    return TITLES.get(graph) or made.get(kind, graph)


def quality_panel(rows: list[dict], graph: str, planners: list[str]) -> chart.Panel:
    """Gap to the bound over the budget; the scale bends so that hundredths and tens of a point both show."""
    def bend(points: float) -> float:
        return math.asinh(max(points, 0) / 0.05)
    ops = int(pick(rows, graph=graph)[0]["ops"])
    ticks = [(bend(v), f"{v:g}") for v in (0, 0.1, 0.3, 1, 3, 10, 30, 100)]
    title = title_of(graph) + ("" if "ops" in title_of(graph) else f", {ops:,} ops")
    panel = chart.Panel(title, chart.Axis(95, 15, "budget, % of keeping everything",
                                                    ticks=[(v, f"{v} %") for v in (90, 70, 50, 30)]),
                        chart.Axis(bend(0), bend(100), "gap, points", ticks=ticks), 270, 190, " ")
    bound = [(float(r["budget_percent"]), float(r["value"]))
             for r in pick(rows, graph=graph, planner="bound", measure="overhead_percent")]
    panel.label(95, bend(100), "bound", anchor="end", dx=-6, dy=-6, size=9)
    for budget, value in bound:
        panel.label(budget, bend(100), f"{value:.1f}", anchor="middle", dy=-6, size=9)
    for planner in planners:
        colour, shape, dash = styles.style(planner)
        points = [(float(r["budget_percent"]), bend(float(r["value"])))
                  for r in pick(rows, graph=graph, planner=planner, measure="gap_points")]
        panel.line(points, colour, 1.4, dash, 0.85)
        panel.points(points, shape, colour, 2.8)
    return panel


def time_panel(rows: list[dict], graph: str, planners: list[str]) -> chart.Panel:
    """Smallest peak that fits against planning time, the median over the budgets it has a plan for."""
    panel = chart.Panel("", chart.Axis(1e-5, 100, "planning time, median of its plans", log=True, unit="s",
                                       ticks=[(v, chart.Axis(0, 1, unit="s").label(v)) for v in (1e-5, 1e-3, 0.1, 10)]),
                        chart.Axis(0, 100, "smallest peak, %"), 270, 150)
    floor = pick(rows, graph=graph, planner="bound", measure="smallest_peak_percent")
    if floor:
        panel.area_below([(1e-5, float(floor[0]["value"])), (100, float(floor[0]["value"]))], "#dde3e8")
    for planner in planners:
        own = pick(rows, graph=graph, planner=planner)
        planned = {r["budget_percent"] for r in pick(own, measure="overhead_percent")}
        times = sorted(float(r["value"]) for r in pick(own, measure="planning_seconds") if r["budget_percent"] in planned)
        peak = pick(own, measure="smallest_peak_percent")
        if times and peak:
            colour, shape, _ = styles.style(planner)
            panel.points([(min(max(times[len(times) // 2], 1.1e-5), 95), float(peak[0]["value"]))], shape, colour, 4)
    return panel


def speed_table(rows: list[dict], left: float, top: float) -> tuple[str, float]:
    graphs = distinct(rows, "graph")
    measures = distinct(rows, "measure")
    out = [chart.text(left, top, "Simulator, evaluators, readers", 13, weight=600)]
    for i, graph in enumerate(graphs):
        out.append(chart.text(left + 330 + i * 165, top + 22, title_of(graph), 10.5, "end", chart.FAINT))
    for j, measure in enumerate(measures):
        y = top + 42 + j * 18
        rate = measure.endswith("_per_second")
        name = measure.removesuffix("_per_second").removesuffix("_seconds").replace("_", " ")
        out.append(chart.text(left, y, name + (", millions per second" if rate else ", ms"), 11))
        for i, graph in enumerate(graphs):
            found = pick(rows, graph=graph, measure=measure)
            if found:
                value = float(found[0]["value"])
                out.append(chart.text(left + 330 + i * 165, y, f"{value / 1e6:.1f}" if rate else f"{value * 1e3:.3g}", 11,
                                      "end"))
    return "".join(out), 42 + len(measures) * 18


def overview(rows: list[dict]) -> str:
    """Quality and time of every planner per graph, and the speed of what they stand on; empty without such rows."""
    quality, speed = pick(rows, group="quality"), pick(rows, group="speed")
    if not quality and not speed:
        return ""
    graphs = distinct(quality, "graph")
    planners = styles.in_order({r["planner"] for r in quality if r["measure"] == "gap_points"})
    per_row, wide, tall = 4, 345, 510
    columns = min(per_row, max(len(graphs), 1))
    body, top = [], 120
    if planners:
        legend_rows = -(-len(planners) // 6)
        body.append(chart.legend([(p, *styles.style(p)) for p in planners], 80, 78, 200, legend_rows))
        top = 78 + legend_rows * 17 + 50
    for i, graph in enumerate(graphs):
        left, y = 80 + i % per_row * wide, top + i // per_row * tall
        body.append(quality_panel(quality, graph, planners).draw(left, y))
        body.append(time_panel(quality, graph, planners).draw(left, y + 265))
    top += -(-len(graphs) // per_row) * tall
    width = max(80 + columns * wide, 80 + 330 + 165 * len(distinct(speed, "graph")))
    if speed:
        table, height = speed_table(speed, 30, top)
        body.append(table)
        top += height
    return chart.page(max(width, 900), top + 10, "Planners by quality and by time",
                      "Above: how far plans are over the lower bound, in points of added time; the bound itself stands on "
                      "top. Below: how long planning takes, and the smallest peak.", "".join(body))


def n_log_n(start: tuple[float, float], end: float) -> list[tuple[float, float]]:
    """The line of n log n through a point."""
    scale = start[1] / (start[0] * math.log(start[0]))
    sizes = [start[0] * (end / start[0]) ** (i / 20) for i in range(21)]
    return [(n, scale * n * math.log(n)) for n in sizes]


MAIN = ("auto", "search", "hiremate")  # these get a line of n log n
FAMILIES = [("layered", "Transformers"), ("random", "Random layered graphs"), ("chain", "Chains"), ("u", "U-shaped")]
ROWS = [("first_plan_seconds", "to the first checked plan"),
        ("near_bound_seconds", "to within 1.1 × bound + 0.1 points"),
        ("planning_seconds", "to the end, where it ends by itself")]


def growth_panel(rows: list[dict], title: str, subtitle: str, planners: list[str]) -> chart.Panel:
    sizes = [int(r["ops"]) for r in rows]
    low, high = min(sizes) * 0.8, max(sizes) * 1.25
    steps = [v for v in (30, 100, 300, 1000, 3000, 10000) if low <= v <= high]
    panel = chart.Panel(title, chart.Axis(low, high, "ops", log=True, ticks=[(v, f"{v:,}") for v in steps]),
                        chart.Axis(1e-5, 100, "CPU time", log=True, unit="s"), 300, 240, subtitle)
    for planner in planners:
        points = sorted((int(r["ops"]), max(float(r["value"]), 1e-5)) for r in pick(rows, planner=planner))
        colour, shape, dash = styles.style(planner) if planner != "bound" else ("#5d6b7a", "plus", "2 3")
        if points and planner in MAIN:
            panel.line(n_log_n(points[0], high), colour, 1, "1 3", 0.6)
        panel.line(points, colour, 1.8, dash)
        panel.points(points, shape, colour, 3.2)
    return panel


def growth(rows: list[dict]) -> str:
    """CPU time of planning against ops, with n log n through each planner's smallest graph; empty without such rows."""
    rows = [r for r in pick(rows, group="growth") if not r["note"].startswith(("no plan", "time limit"))]
    families = [(kind, name) for kind, name in FAMILIES
                if any(r["graph"].startswith(kind + ":") and r["planner"] != "bound" for r in rows)]
    if not families:
        return ""
    planners = styles.in_order({r["planner"] for r in rows} - {"bound"})
    legend_rows = -(-(len(planners) + 2) // 6)
    entries = [(p, *styles.style(p)) for p in planners]
    entries += [("lower bound", "#5d6b7a", "plus", "2 3"), ("n log n", chart.INK, "", "1 3")]
    body = [chart.legend(entries, 80, 78, 170, legend_rows)]
    top = 78 + legend_rows * 17 + 50
    for i, (measure, subtitle) in enumerate(ROWS):
        for j, (kind, name) in enumerate(families):
            own = [r for r in rows if r["graph"].startswith(kind + ":")
                   and (r["measure"] == measure or (r["planner"] == "bound" and r["measure"] == "planning_seconds"))]
            if any(r["planner"] != "bound" for r in own):
                panel = growth_panel(own, name, subtitle, planners + ["bound"])
                body.append(panel.draw(80 + j * 385, top + i * 340))
    width = max(80 + len(families) * 385, 1080)
    return chart.page(width, top + len(ROWS) * 340 - 20, "Planning time against the size of the graph",
                      "Budget 60 %, of random graphs 80 %; one thread, CPU time without the lower bound, which has a line of its own. Dotted: "
                      "n log n through the smallest graph.", "".join(body))
