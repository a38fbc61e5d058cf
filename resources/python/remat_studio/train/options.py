# SPDX-License-Identifier: Apache-2.0
"""What ``torch.compile(..., backend="remat", options={...})`` takes."""

import dataclasses
import os
from collections.abc import Mapping

from . import budgets, costs, planner
from .errors import PlanError


@dataclasses.dataclass(frozen=True)
class Options:
    """Every option with its default; ``budget`` or ``plan`` must be given."""

    budget: budgets.Budget | None = None  # dynamic memory of a step: "8GiB", or "60%" of what it holds without a plan
    solver: str = "auto"
    time_limit: float = 10.0  # seconds for each graph
    device: str | None = None  # a file in resources/devices whose costs are planned with
    chunk: str = "off"  # "auto": the loss runs in chunks where that is better; "head=8", "batch=4": in so many
    plan: str | None = None  # a remat-plan/1 for the graph that `graph` wrote
    graph: str | None = None  # where to write the graph that is planned, for the window; with codegen the plan, too
    verify: bool | str = False  # run the first step plainly too; a path writes the certificate there
    cache: bool = True  # keep plans on disk
    hold: str | None = None  # "measured": where the first step takes more at the allocator, it is planned once more
    codegen: str | None = None  # "inductor": its kernels instead of eager's
    search_seconds: float | None = None  # with codegen: after these the best cut so far is taken
    buckets: float | None = None  # 1.25: a step up to so many times smaller than a planned one takes its plan
    shapes: int = 8  # how many shapes of one step are planned; further ones run without a plan
    strict: bool = False  # refuse what cannot be met, in place of saying so and holding the least that can


def only(names, given, caller):
    """Refuse options that ``caller`` does not take."""
    for name in given:
        if name not in names:
            raise PlanError(f"{caller} takes no option {name!r}; it takes {', '.join(names)}.")


def read(given):
    """Options from the user's dict, checked."""
    if not isinstance(given or {}, Mapping):
        raise PlanError(f'The options are {given!r}; they are a dict, such as {{"budget": "60%"}}.')
    given = dict(given or {})
    names = [field.name for field in dataclasses.fields(Options)]
    for name in given:
        if name not in names:
            raise PlanError(f"There is no option {name!r}; the backend remat takes {', '.join(names)}.")
    budget = given.get("budget")
    budget = os.environ.get("REMAT_BUDGET") if budget is None else budget
    given["budget"] = None if budget is None else budgets.read(budget)
    given |= {name: os.fspath(value) for name, value in given.items() if isinstance(value, os.PathLike)}
    options = Options(**given)
    if options.budget is None and options.plan is None:
        raise PlanError(
            'No budget is given; add budget="60%" or "8GiB" (options={"budget": "60%"} of torch.compile), or set '
            "REMAT_BUDGET."
        )
    if options.device is not None:
        costs.device_file(options.device)
    if options.solver != Options.solver:
        planner.check_solver(options.solver)
    if not (isinstance(options.time_limit, int | float) and options.time_limit > 0):
        raise PlanError(f"The time limit {options.time_limit!r} is no number of seconds above 0.")
    seconds = options.search_seconds
    if not (seconds is None or (isinstance(seconds, int | float) and seconds >= 0)):
        raise PlanError(f"The option search_seconds is {seconds!r}; it is a number from 0 on, or left out.")
    if options.codegen not in (None, "inductor"):
        raise PlanError(
            f"The option codegen is {options.codegen!r}; it is 'inductor', or left out for eager's kernels."
        )
    if options.hold not in (None, "measured"):
        raise PlanError(f"The option hold is {options.hold!r}; it is 'measured', or left out.")
    if options.hold and (options.codegen or options.plan):
        name = "codegen" if options.codegen else "plan"
        raise PlanError(f"With {name} no step is planned again for what it took; leave out hold or {name}.")
    if options.codegen and options.plan:
        raise PlanError("With codegen the cut is found with Inductor's kernels; leave out plan or codegen.")
    if options.codegen and "offload" in options.solver:
        raise PlanError(
            "The plan copies to host memory, which Inductor's code does not do; plan without copies, or leave out "
            "codegen."
        )
    if not isinstance(options.chunk, str) or not (options.chunk in ("off", "auto") or "=" in options.chunk):
        raise PlanError(f"The option chunk is {options.chunk!r}; it is 'off', 'auto', or an op and a number: 'head=8'.")
    if options.chunk != "off" and options.plan:
        raise PlanError("With chunks the graph is another one than plan is for; leave out plan or chunk.")
    if not (options.buckets is None or (isinstance(options.buckets, int | float) and options.buckets >= 1)):
        raise PlanError(f"The option buckets is {options.buckets!r}; it is a number from 1 on, such as 1.25.")
    if options.buckets and (options.chunk != "off" or options.plan):
        name = "plan" if options.plan else "chunk"
        raise PlanError(f"Plans are taken for other sizes with whole ops, and made here; leave out buckets or {name}.")
    for name in ("strict", "cache"):
        if not isinstance(getattr(options, name), bool):
            raise PlanError(f"The option {name} is {getattr(options, name)!r}; it is True or False.")
    for name in ("verify", "graph"):
        path = getattr(options, name)
        if not (path is None or isinstance(path, str) or (name == "verify" and isinstance(path, bool))):
            raise PlanError(f"The option {name} is {path!r}; it is the path of a file.")
        if isinstance(path, str) and not os.path.isdir(os.path.dirname(os.path.abspath(path))):
            raise PlanError(f"The option {name} is {path!r}, whose folder is not there; make it first.")
    if not (isinstance(options.shapes, int) and options.shapes > 0):
        raise PlanError(f"The option shapes is {options.shapes!r}; it must be a whole number above 0.")
    return options
