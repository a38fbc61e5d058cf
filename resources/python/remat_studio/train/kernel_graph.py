# SPDX-License-Identifier: Apache-2.0
"""A plan for Inductor as files for the window: the ops of each fused kernel in a module of its own, and the steps."""

import json
import pathlib

from . import costs, inductor_cuts, memory, planner, workspaces
from .fused import FusedGraph
from .places import module_of

_NAMED = 3  # kinds of ops in the name of a kernel


def write(path, name, fitted, outputs):
    """Write the graph to ``path`` as ``remat-graph/1``, and the plan beside it: `step.json` and `step.plan.json`.

    A value that never leaves its kernel has no bytes, and the last op of those that are computed together has the time
    of all. PyTorch's own cut is a graph of its own, in which what is computed again is an op.
    """
    cut, path = fitted.cut, pathlib.Path(path)
    graph = cut.graph or inductor_cuts.joined(cut.forward, cut.backward, outputs)
    graph.draw_once()
    workspaces.measure(graph, are_fused=True)
    order = [op.name if op else graph.border for op in graph.in_planned_order()]
    if cut.steps:
        order = [step["op"] for step in cut.steps if step["do"] == "compute"]
    path.write_text(json.dumps(_graph(name, graph)))
    of_graph = cut.peak.step_bytes
    plan = planner.plan_for(path, name, fitted.budget_bytes - cut.bytes + of_graph) | {
        "solver": fitted.solver or {"name": "inductor", "options": {"cut": cut.name}},
        "cost_source": {"kind": "roofline", "device": fitted.device},
        "compiled": {"with": "inductor", "peak_bytes": of_graph, "plain_peak_bytes": fitted.plain.peak.step_bytes},
        "steps": memory.freed_after_use(graph, order),
    }
    path.with_suffix(".plan.json").write_text(json.dumps(plan))


def _graph(name, graph):
    fused = FusedGraph(graph)
    inner = {storage.name for storage in graph.storages} - {storage.name for storage in fused.graph.storages}
    group_of = {op.name: group for group in fused.graph.ops for op in group.members}
    module_of_op = {op.name: module for members in fused.kernels() for module, op in _places(members)}
    written = graph.as_json(name)
    for op in written["ops"]:
        for output in op["outputs"]:
            output["bytes"] *= output["name"] not in inner
        group = group_of.get(op["name"])
        if group is not None:
            for key in ("flops", "dtype"):
                op.pop(key, None)
            is_last = op["name"] == group.members[-1].name
            op |= costs.work_of(group) if is_last else {"moved_bytes": 0, "launches": 0}
            op["module"] = module_of_op[op["name"]]
    return written


def _places(members):
    """The module of each op of a kernel: that of the model's code, and the kernel in it where several ops are fused."""
    path = next(filter(None, (module_of(op.node) for op in members)), "")
    if len(members) > 1:
        kinds = dict.fromkeys(str(getattr(op.node.target, "__name__", "op")).split(".")[0] for op in members)
        path = ".".join(filter(None, (path, "_".join(["fused", *list(kinds)[:_NAMED], members[0].name]))))
    return [(path, op) for op in members]
