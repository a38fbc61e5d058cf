# SPDX-License-Identifier: Apache-2.0
"""Calls the executable ``remat`` on a graph and reads the plan that it writes."""

import json
import os
import pathlib
import re
import subprocess
import tempfile

from ..executable import find
from ..sizes import exact_text, size_text
from . import ranks
from .cache import PlanCache
from .errors import PlanError

_OF_ANY_SIZE = ("solver", "cost_source", "steps")  # members of a plan that a graph of another size has, too
_FIRST = "first"  # says of a plan that it is the first of a part, and that a longer search may find a smaller one
_LEAST_SECONDS = 0.1  # less than this is no search
_FIRST_SECONDS, _FIRST_SECONDS_PER_OP = 0.2, 0.001  # to look for the least of a part that others may leave more
_CLOSE = 1.01  # times the least that is possible: no search comes lower
_PROVEN = "No plan fits"  # so begins the sentence where that is proven, and not only what was found


def executable():
    """The path of ``remat``; PlanError says where it was looked for."""
    try:
        return find()
    except FileNotFoundError as error:
        raise PlanError(str(error)) from None


def check_solver(name):
    """PlanError where ``remat`` has no planner of this name."""
    answer = json.loads(_run([executable(), "solvers", "--json"]).stdout)
    names = [each["name"] for each in answer["solvers"]]
    if name not in names:
        raise PlanError(f"There is no planner {name!r}; there are {', '.join(names)}.")


def make_plan(graph, budget_bytes, options, device, in_order, start=None, seconds=None, is_first=False):
    """The plan for the graph and whether it came from the disk; of several ranks, rank 0 makes it for all.

    ``device`` is the name of the one whose times count. ``in_order`` keeps first computations in the order of the
    model. Where no plan fits, the plan is the smallest that was found, and its ``"missed"`` a sentence that says so.
    ``seconds`` is how long to look for a plan of a further size of a step, for which ``start`` may be the plan of an
    equal graph of another size: then the plan is no slower, where that one fits. ``is_first`` says that the budget is a
    first share of a step's: where no plan fits, a small one that is found soon will do, and has a member ``"first"``.
    """
    solver = ["--device", device, "--solver", options.solver]
    if options.solver == "auto" and in_order:
        solver += ["--set", "reorder=off"]
    parts = [graph, f"{budget_bytes}B", solver, options.time_limit]
    asked = [*parts, _FIRST] if is_first else parts
    return ranks.shared(asked, options.time_limit, lambda: _make_plan(parts, options, start, seconds, is_first))


def missed(plan, budget_bytes):
    """One sentence on a plan that holds more than its budget: why, the least, and what to write for that."""
    said, least = plan["missed"], plan["predicted"]["peak_bytes"]
    needs = re.search(r"(op \S+ alone needs|the outputs alone need) [\d.]+ \w+", said)
    within = f"within the budget of {size_text(budget_bytes)} was found{' in time' if 'Time was up' in said else ''}"
    why = f" ({needs[0]})" if needs else ""
    return f'No plan {within}{why}; the least one holds {exact_text(least)}: "{least}B".'


def _make_plan(parts, options, start, seconds, is_first):
    graph, budget, solver, limit = parts
    identity = version()
    caches = [PlanCache(*parts, identity)]
    if seconds is not None:
        limit = max(seconds, _LEAST_SECONDS)
        caches.append(PlanCache(*parts, identity, "further"))  # not as good as one that all the time went into
    cache, of_first = caches[-1], PlanCache(*parts, identity, _FIRST)
    if is_first:
        caches.append(of_first)
    known = next((plan for each in caches if (plan := each.read())), None) if options.cache else None
    if known is not None:
        return known, True
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        model = pathlib.Path(folder) / "step.json"
        model.write_text(json.dumps(graph))
        flags = [*solver]
        if start is not None:
            path = pathlib.Path(folder) / "start.json"
            path.write_text(json.dumps(_with_steps_of(start, model, graph["name"], int(budget[:-1]))))
            flags += ["--start", str(path)]
        soon = max(_FIRST_SECONDS, _FIRST_SECONDS_PER_OP * len(graph["ops"])) if is_first else None
        plan, answer = _searched(model, budget, flags, limit, soon)
        if start is not None and options.solver != "auto":  # others may neither begin with it nor find one as good
            plan, answer = _or_start(plan, answer, graph, start, int(budget[:-1]), solver[1])
        if plan is None:
            raise PlanError(f"{answer.get('message') or 'No plan was found.'} Nor is there one that keeps everything.")
        if "missed" in answer:
            plan["missed"] = answer["missed"]
            if _FIRST in answer:
                plan[_FIRST], cache = True, of_first
            elif options.cache:  # whoever follows the sentence gets this plan, and not another search for one
                met = plan["predicted"]["peak_bytes"]
                least = {key: value for key, value in plan.items() if key != "missed"}
                PlanCache(graph, f"{met}B", *parts[2:], identity).write(least | {"budget_bytes": met})
    if options.cache:
        cache.write(plan)
    return plan, False


def _searched(model, budget, flags, limit, soon):
    """The plan within the budget, or the least; with ``soon``, what is small enough to be found in so many seconds.

    Only where a plan within the budget was found as soon is there more time, for a faster one.
    """
    if soon is None:
        return _tried(model, budget, [*flags, "--or-least"], limit)
    soon = min(limit, soon)
    plan, answer = _tried(model, budget, flags, soon)
    if plan is not None:
        if soon == limit or answer.get("status") == "optimal":
            return plan, answer
        faster = _tried(model, budget, flags, limit)
        return (plan, answer) if faster[0] is None else faster
    plan, said = _tried(model, budget, [*flags, "--or-least"], soon)
    is_known = soon == limit or answer.get("message", "").startswith(_PROVEN)
    is_least = plan is None or (
        is_known and plan["predicted"]["peak_bytes"] <= answer.get("smallest_peak_bytes", 0) * _CLOSE
    )
    return plan, said if is_least else said | {_FIRST: True}


def _tried(model, budget, flags, seconds):
    return try_plan(model, budget, [*flags, "--time-limit", str(seconds)])


def _or_start(plan, answer, graph, start, budget_bytes, device):
    """The plan and what was said of it, or ``start`` where that fits the budget and is faster."""
    try:
        again = replayed(graph, start, budget_bytes, device)
    except PlanError:
        return plan, answer
    if plan is None or "missed" in answer or again["predicted"]["time_us"] < plan["predicted"]["time_us"]:
        return again, {}
    return plan, answer


def plan_for(model, name, budget_bytes):
    """The head of a plan for the graph in a file; its steps, and who made them, are to be put to it."""
    hashed, ops = fingerprint(model)
    graph = {"name": name, "fingerprint": hashed, "ops": ops}
    return {"format": "remat-plan/1", "graph": graph, "budget_bytes": budget_bytes}


def replayed(graph, plan, budget_bytes, device):
    """The steps of a plan for another graph as one for this graph, with what ``remat check`` says of it."""
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        model, path = (pathlib.Path(folder) / name for name in ("step.json", "plan.json"))
        model.write_text(json.dumps(graph))
        made = _with_steps_of(plan, model, graph["name"], budget_bytes)
        path.write_text(json.dumps(made))
        done = _run([executable(), "check", str(model), str(path), "--device", device, "--json"])
    if done.returncode != 0:
        raise PlanError(f"The plan of a larger step does not hold this one: {(done.stderr or done.stdout).strip()}")
    said = json.loads(done.stdout)
    keep_all_us = said["time_us"] / (1 + said["overhead"])
    figures = {"peak_bytes": said["peak_bytes"], "time_us": said["time_us"], "keep_all_time_us": keep_all_us}
    return made | {"predicted": figures}


def _with_steps_of(plan, model, name, budget_bytes):
    """The steps of a plan as one for the graph in a file."""
    return {**plan_for(model, name, budget_bytes), **{key: plan[key] for key in _OF_ANY_SIZE}}


def keep_all_time_us(graph, device):
    """How long a device of this name takes for each op of the graph once."""
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        model = pathlib.Path(folder) / "step.json"
        model.write_text(json.dumps(graph))
        done = _run([executable(), "costs", str(model), "--device", device, "--json"])
    if done.returncode != 0:
        raise PlanError(f"remat costs ended with {done.returncode}: {(done.stderr or done.stdout).strip()}")
    return sum(json.loads(done.stdout)["time_us"].values())


def read_plan(path, graph):
    """The plan of a file, checked by ``remat check`` against this graph."""
    program = executable()
    try:
        plan = json.loads(pathlib.Path(path).read_text())
    except OSError as error:
        raise PlanError(f"The plan {path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise PlanError(f"The plan {path} is no JSON.") from None
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        model = pathlib.Path(folder) / "step.json"
        model.write_text(json.dumps(graph))
        done = _run([program, "check", str(model), str(path)])
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise PlanError(
            f"The plan {path} is not for this step ({said[-1] if said else 'remat check refuses it'}). Write the graph "
            'with options={"graph": "step.json"}, and plan that file.'
        )
    return plan


def fingerprint(model):
    """Fingerprint and number of ops of a graph or a trace in a file."""
    done = _run([executable(), "info", str(model), "--json"])
    if done.returncode != 0:
        raise PlanError(f"remat info cannot read {model}: {(done.stderr or done.stdout).strip()}")
    answer = json.loads(done.stdout)
    return answer["fingerprint"], answer["ops"]


def cut_as_planned(trace, plan):
    """The path of the trace in the chunks of a plan, beside the trace."""
    path, cut = (pathlib.Path(trace).with_name(name) for name in ("plan.json", "cut.pt2"))
    path.write_text(json.dumps(plan))
    done = _run([executable(), "chunk", str(trace), "--plan", str(path), "-o", str(cut)])
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise PlanError(f"The graph cannot be cut as the plan says: {said[-1] if said else 'remat chunk said nothing'}")
    return cut


def plan_trace(model, budget, solver="auto", time_limit=60, device=None, chunk="off"):
    """The plan for a trace in a file."""
    flags = ["--solver", solver, "--time-limit", str(time_limit)] + (["--device", device] if device else [])
    flags += ["--chunk", chunk]
    plan, answer = try_plan(model, budget, flags)
    if plan is None:
        raise PlanError(answer.get("message") or f"No plan was found within {budget}.")
    return plan


def try_plan(model, budget, flags):
    """The plan of ``remat plan`` for a file, or None, and what it says."""
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        out = pathlib.Path(folder) / "plan.json"
        command = [executable(), "plan", str(model), "--budget", str(budget), *flags]
        done = _run([*command, "-o", str(out), "--json"])
        try:
            answer = json.loads(done.stdout)
        except ValueError:
            answer = {}
        if done.returncode not in (0, 1) or (done.returncode == 0 and not out.is_file()):
            said = (done.stderr or done.stdout).strip().splitlines()
            raise PlanError(f"remat plan ended with {done.returncode}: {said[-1] if said else 'it said nothing'}")
        return json.loads(out.read_text()) if done.returncode == 0 else None, answer


def version():
    """What tells one version of the planner from another."""
    state = os.stat(executable())
    return [state.st_size, state.st_mtime_ns]


def _run(command):
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
