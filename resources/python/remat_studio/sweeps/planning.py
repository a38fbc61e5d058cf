# SPDX-License-Identifier: Apache-2.0
"""Plans every model for every budget with every planner: one task each, wherever there is a worker."""

import pathlib

from . import table, task
from .task import SweepError

_TRIES = 3  # tries of a task whose worker fails


def sweep(
    models,
    budgets,
    planners="auto",
    *,
    client=None,
    time_limit=60,
    threads=None,
    seed=0,
    device=None,
    profile=None,
    settings=(),
    flags=(),
    chunk="off",
    plans=None,
    on_row=None,
):
    """The rows of ``remat sweep`` for each model, as dicts of text by the columns of its table.

    ``models`` is a path of a trace or a graph, or several; ``budgets`` is ``"90%:20%:-10"`` or a list;
    ``planners`` is ``"auto,rotor"``, ``"all"`` or a list; ``device`` or the file ``profile`` say what ops cost;
    ``settings`` are ``"KEY=VALUE"`` or ``"PLANNER.KEY=VALUE"``, ``flags`` further arguments of ``remat sweep``; ``chunk``
    is ``"auto"``, or which ops run in chunks (``"head=8"``). With a
    ``dask.distributed.Client`` each plan is a task of a worker, which needs this package and ``remat``, and is made
    again elsewhere when its worker dies. ``on_row`` is called with each row as it arrives, before neighbours are
    compared; ``plans`` is a folder for the plans. SweepError has a sentence on what cannot be swept.
    """
    given = ["--time-limit", str(time_limit), "--seed", str(seed), *flags]
    given += ["--threads", str(threads)] if threads else []
    given += ["--device", device] if device else []
    on_point = on_row and (lambda point: on_row(point["row"]))
    points = run(models, budgets, planners, client, given, settings, profile, on_point, ["--chunk", chunk])
    if plans is not None:
        write_plans(points, plans)
    return [point["row"] for point in points]


def run(models, budgets, planners, client, flags, settings, profile=None, on_point=None, chunks=()):
    """All points in the order of the table, neighbours compared; ``on_point`` hears of each as it arrives.

    ``chunks`` are flags of what runs in chunks. Keep-all, which percent are of, is of the graph without.
    """
    models = [pathlib.Path(model) for model in ([models] if isinstance(models, str | pathlib.PurePath) else models)]
    budgets = budgets if isinstance(budgets, str) else ",".join(map(str, budgets))
    chosen = _planners(planners, settings)
    profile = None if profile is None else pathlib.Path(profile).read_bytes()
    curves = []
    for model in models:
        empty = _keep_all(model, budgets, flags, profile)
        curves += [[_Task(model, planner, own, point) for point in empty] for planner, own in chosen.items()]
    flags = [*flags, *chunks]
    for each, point in _on_dask(client, curves, flags, profile) if client else _here(curves, flags, profile):
        each.point = point
        if on_point:
            on_point(point)
    for curve in curves:
        table.compare_neighbours([each.point for each in curve])
    return [each.point | {"path": each.model} for curve in curves for each in curve]


class _Task:
    """One plan to make."""

    def __init__(self, model, planner, settings, empty):
        self.model = model
        self.planner = planner
        self.settings = [argument for setting in settings for argument in ("--set", setting)]
        self.empty = empty
        self.point = None

    @property
    def budget(self):
        return f"{self.empty['row']['budget_bytes']}B"

    def failed(self, message):
        """The row of a plan whose workers all failed."""
        kept = ("model", "budget_bytes", "budget_percent", "keep_all_peak_bytes", "keep_all_time_us")
        row = {key: value if key in kept else "" for key, value in self.empty["row"].items()}
        row.update(planner=self.planner, status="failed", planning_seconds="0.000000", message=message)
        values = {"planner": self.planner, "budget_bytes": int(row["budget_bytes"]), "status": "failed"}
        values.update(lower_bound_time_us=0.0, lower_bound_overhead=0.0, planning_seconds=0.0, message=message)
        return {"row": row, "point": values, "plan": None, "model": self.empty["model"]}


def _here(curves, flags, profile):
    """Each task with its point; the budgets of a planner start from each other's plans, as in ``remat sweep``."""
    for curve in curves:
        first = curve[0]
        budgets = ",".join(each.budget for each in curve)
        points = task.run(first.model, budgets, first.planner, [*flags, *first.settings], profile)
        yield from zip(curve, points, strict=True)


def _on_dask(client, curves, flags, profile):
    """Each task with its point, in the order in which they end."""
    from distributed import as_completed

    # A task of its own, so that a worker that dies does not take the only copy with it.
    models = {
        path: client.submit(_same, (path.name, path.read_bytes()), pure=False) for path in {c[0].model for c in curves}
    }
    running = {}
    for each in (each for curve in curves for each in curve):
        arguments = (models[each.model], each.budget, each.planner, [*flags, *each.settings], profile)
        running[client.submit(_first, *arguments, pure=False, retries=_TRIES)] = each
    try:
        for future in as_completed(running):
            error = future.exception()
            if isinstance(error, SweepError):
                raise error
            yield running[future], running[future].failed(str(error)) if error else future.result()
    finally:
        client.cancel([*running, *models.values()])


def _same(value):
    return value


def _first(*arguments):
    return task.run(*arguments)[0]


def _keep_all(model, budgets, flags, profile):
    """The points of keeping everything, which takes moments: budgets of this model as ``remat`` reads them."""
    if not model.is_file():
        raise SweepError(f"There is no model {model}; give the path of a trace (.pt2) or a graph (.json).")
    return task.run(model, budgets, "keep-all", flags, profile)


def _planners(names, settings):
    """The planners that are meant, each with the settings that are for it."""
    known = task.planners()
    names = list(known) if names == "all" else names.split(",") if isinstance(names, str) else list(names)
    for name in names:
        if name not in known:
            raise SweepError(f"There is no planner {name!r}; there are {', '.join(known)}.")
    chosen = {name: [] for name in names}
    if not chosen:
        raise SweepError("No planner is named; `remat solvers` lists them.")
    for setting in settings:
        key = setting.split("=")[0]
        planner, dot, _ = key.partition(".")
        meant = [name for name in chosen if (name == planner if dot else key in known[name])]
        if not meant:
            raise SweepError(f"The setting {setting} is for none of the planners {', '.join(chosen)}.")
        for name in meant:
            chosen[name].append(setting)
    return chosen


def write_plans(points, folder):
    """Write each plan into the folder, and its path into its row."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for point in points:
        if point["plan"]:
            row = point["row"]
            file = folder / f"{point['path'].stem}-{row['planner']}-{row['budget_bytes']}.json"
            file.write_text(point["plan"])
            row["plan_file"] = point["point"]["plan_file"] = str(file)
