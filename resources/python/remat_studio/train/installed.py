# SPDX-License-Identifier: Apache-2.0
"""Plans under the compiler that people have: ``remat_studio.install(budget="8GiB")``, then plain ``torch.compile``."""

import dataclasses
import functools
import hashlib
import json
import os
import time
import weakref

from .. import __version__, torch_private
from . import between, cache, history, options, planner, ranks, skipped
from .beside import Beside
from .missed import Ledger
from .step_parts import Parts

_OPTIONS = ("time_limit", "search_seconds", "device", "solver", "cache", "strict", "graph", "buckets", "shapes")
_NOTHING = Beside()
_SHAPES = 4  # each takes a compilation, so that further ones share one
_parts = weakref.WeakSet()  # those of the budget of now


def install(budget, **given):
    """Have every ``torch.compile`` of this process with its default backend plan under ``budget``.

    PyTorch's caches stay on: what was compiled with this budget by this version is taken from them, and nothing is
    planned again. Graphs of one step share its budget from the second step on. ``budget=None`` takes it back. Returns
    an Installation, which has the records of all processes. The options are ``time_limit``, ``search_seconds``,
    ``device``, ``solver``, ``cache``, ``strict``, ``graph`` and ``buckets`` of ``backend="remat"``, and ``shapes``: how
    many sizes of a step are planned one by one, 4 without it.
    """
    if budget is None:
        torch_private.set_partitioner(None)
        torch_private.set_compile(None)
        torch_private.keep_sizes(None)
        skipped.silent_for("inductor")
        _begin_anew()
        return None
    options.only(_OPTIONS, given, "install")
    read = options.read({"budget": budget, "codegen": "inductor", "shapes": _SHAPES, **given})
    _begin_anew()
    known = []
    made = _partitioner(read, known)
    torch_private.set_partitioner(made)
    installation = Installation(made.uuid())

    def planned():
        own = (record for record in history.records() if "digest" in record["graph"])  # not of backend="remat"
        return [*installation.records(), *own]

    ledger = Ledger(_folder(made.uuid()) / "missed")
    keep = functools.partial(_keep, made.uuid())
    parts = Parts(read, functools.partial(_partitioner, read, known), planned, ledger=ledger, keep=keep)
    _parts.add(parts)
    torch_private.set_compile(parts.compile)
    torch_private.keep_sizes(parts.leaves_sizes_open)  # a plan is for one size, and so exact for each
    torch_private.allow_shapes(read.shapes)
    torch_private.look_at_changes()
    skipped.say_for("inductor")
    return installation


def _begin_anew():
    """What was compiled before has no plan, or one for another budget, whose steps are no more to be measured."""
    for parts in [*_parts]:
        parts.end()
    _parts.clear()
    torch_private.forget_all_of("inductor")
    between.from_no_calls_on()


class Installation:
    """What was planned with one budget and version, by this process and those before it."""

    def __init__(self, uuid):
        self.uuid = uuid
        self._folder = _folder(uuid)

    def records(self):
        """One dict for each graph, as in ``remat_studio.records()``, the one that was written last at the end."""
        found = sorted(self._folder.glob("*.json"), key=lambda path: (path.stat().st_mtime_ns, path.name))
        return [record for path in found if (record := cache.read_json(path))]


def _folder(uuid):
    return cache.folder().parent / "inductor" / uuid


def _keep(uuid, record):
    """Have further processes know a record."""
    if ranks.is_first():
        cache.write_json(_folder(uuid) / f"{record['graph']['digest']}.json", record)


def _partitioner(read, known, beside=_NOTHING, sizes=()):
    """What cuts graphs by a plan, for steps that hold this beside them.

    ``known`` is what was planned for other sizes of steps.
    ``sizes`` is what open sizes count as, by which PyTorch's caches tell one plan of a graph from another.
    """
    read = dataclasses.replace(read, budget=dataclasses.replace(read.budget, beside=beside))
    from . import inductor, inductor_plan, kernel_graph

    class Planner(torch_private.CustomPartitionerFn):
        """Cuts each joint graph of the process by a plan."""

        peak_at = None  # as of inductor_plan.Fitted, for a graph with open sizes

        def __call__(self, module, joint_inputs, **arguments):
            begin = time.perf_counter()
            fitted = inductor_plan.fit(module, joint_inputs, arguments, read, "step", known=known)
            self.peak_at = fitted.peak_at
            record = inductor.planned_record(fitted, "step", read, time.perf_counter() - begin)
            record["graph"]["digest"] = hashlib.sha256(f"{self.uuid()}{module.graph}".encode()).hexdigest()[:32]
            history.add(record)
            if read.graph:
                kernel_graph.write(read.graph, "step", fitted, arguments["num_fwd_outputs"])
            _keep(self.installation(), record)
            return fitted.cut.forward, fitted.cut.backward

        def __reduce__(self):
            """What stands in the keys of PyTorch's caches in place of this object."""
            return str, (self.uuid(),)

        def uuid(self):
            """The same for all that decides about a plan beside the graph."""
            more = [*dataclasses.astuple(beside), *sizes] if beside != _NOTHING or sizes else []
            return "-".join([self.installation(), *map(str, more)])

        def installation(self):
            """The same for all that was given, and for each step of a process."""
            state = os.stat(planner.executable())
            how = [read.solver, read.time_limit, read.search_seconds, read.device, read.graph, read.buckets]
            written = [field.name for field in dataclasses.fields(type(beside))]  # in records, and beside graphs
            parts = [__version__, state.st_size, read.budget.text, read.strict, *how, written]
            return hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    return Planner()
