# SPDX-License-Identifier: Apache-2.0
"""Which chunks a step is planned in: the engine cuts the graph for several floors, and each is planned."""

import pathlib
import subprocess
import tempfile

import torch
from torch import fx

from ... import torch_private
from .. import planner
from ..errors import PlanError
from ..step_graph import StepGraph
from . import early, read, write

_ATEN = torch.ops.aten
_PARTS = (1, 2, 4, 8)  # floors that are tried, as parts of the budget
_OUT_OF_PLACE = {_ATEN.add_.Tensor: _ATEN.add.Tensor, _ATEN.addmm_.default: _ATEN.addmm.default}  # the engine's sums


def graphs(graph, budget_bytes, options, in_place=True):
    """The graphs in chunks that are worth a plan, each with the engine's words for its chunks.

    Without ``in_place`` no op writes to what it reads: a compiler decides where a sum lies. PlanError says why there
    are none.
    """
    loss = _loss(graph)
    found = {}
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        whole = pathlib.Path(folder) / "step.pt2"
        try:
            write.joint_graph(graph, loss, whole)
        except Exception as error:
            reason = (str(error).splitlines() or [type(error).__name__])[0]
            raise PlanError(f"The graph of the step cannot be written for the engine: {reason}") from error
        for flags in _ways(budget_bytes, options):
            cut = pathlib.Path(folder) / "cut.pt2"
            title = _cut(whole, cut, flags, options.device)
            if title is not None and title not in found:
                found[title] = _graph_of(graph, cut, in_place=in_place)
    return [(made, title) for title, made in found.items()]


def _ways(budget_bytes, options):
    if options.chunk != "auto":
        return [["--by", options.chunk]]
    return [["--floor", f"{max(budget_bytes // part, 1)}B"] for part in _PARTS]


def _loss(graph):
    """The output that the one tangent is of."""
    tangents = graph.tangents
    desc = tangents[0].meta.get("desc") if len(tangents) == 1 else None
    if not isinstance(desc, torch_private.TangentAOTInput) or tangents[0].meta["val"].numel() != 1:
        raise PlanError(
            f"The step gives gradients through {len(tangents)} outputs; chunks are for steps that give one number, the "
            "loss. Compute the loss in the compiled function, and return nothing else that has a gradient."
        )
    pairs = zip(graph.forward_descs, graph.forward_outputs, strict=True)
    found = next((node for each, node in pairs if each == desc.output), None)
    if not isinstance(found, fx.Node) or found.op != "call_function":
        raise PlanError("The loss of the step is no result of an op, so nothing says what its chunks are.")
    return found


def _cut(whole, cut, flags, device):
    """The engine's words for the chunks that it made; None where it makes none."""
    command = [planner.executable(), "chunk", str(whole), *flags, "-o", str(cut)]
    command += ["--device", device] if device else []
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 1):
        said = (done.stderr or done.stdout).strip().splitlines()
        raise PlanError(said[-1] if said else "remat chunk said nothing.")
    return done.stdout.splitlines()[0] if done.returncode == 0 else None


def _graph_of(old, path, one=write.ONE, in_place=True):
    """The StepGraph of an archive that was made of another one, in which ``one`` stands for the tangent."""
    made = read.Rewritten(old.graph, path)
    (tangent,) = (made.copies.get(node) or made.input_like(node) for node in old.tangents)
    graph = made.graph
    forward = [_counterpart(made, node) for node in old.forward_outputs]
    backward = [_counterpart(made, node) for node in old.backward_outputs]
    graph.output((*forward, *backward))
    if not in_place:
        for node in graph.nodes:
            node.target = _OUT_OF_PLACE.get(node.target, node.target)
    scales = early.run_in_forward(made, made.values[one], tangent, in_place)
    ends = graph.output_node().args[0]
    graph.lint()
    module = fx.GraphModule(old.module, graph)
    primals = [made.copies[node] for node in old.primals]
    count = len(forward)
    new = StepGraph(module, primals, [tangent], list(ends[:count]), list(ends[count:]))
    new.scales = [node.name for node in scales] if in_place else []
    new.forward_descs, new.backward_descs = old.forward_descs, old.backward_descs
    kept = [node in old.storage_of and old.storage_of[node] in old.parameter_gradients for node in old.backward_outputs]
    new.parameter_gradients = new.storages_in(node for node, is_kept in zip(ends[count:], kept, strict=True) if is_kept)
    return new


def of_plan(old, path, steps):
    """The graph of an archive that was cut as a plan says, and the steps of that plan for it.

    ``old`` is the graph of the whole program, whose tangent is a one: the plan's steps know of no other. Where the real
    one comes, and what it multiplies, is put between them.
    """
    graph = _graph_of(old, path, old.border)
    names = [(step["do"], read.plain(step["op" if step["do"] == "compute" else "storage"])) for step in steps]
    made = []
    waiting = {graph.by_name[name].into: name for name in graph.scales}  # storage -> the op that multiplies it
    if None in waiting:
        raise PlanError("What leaves the chunks of the loss is read in two ways; plan without chunks.")
    last = {}  # storage -> the op that makes it whole
    for op in graph.ops:
        if op.name not in graph.scales:
            last |= dict.fromkeys([op.into] if op.into else op.makes, op.name)
    complete, in_backward = set(), False
    for do, name in names:
        op = graph.by_name.get(name) if do == "compute" else None
        if do == "compute" and op is None:
            continue  # the one that nothing reads any more
        if do != "compute" and name not in graph.storage_names:
            continue
        if op is not None and not op.is_forward and not in_backward:
            in_backward = True
            made.append({"do": "compute", "op": graph.border})
            made += [{"do": "compute", "op": waiting[storage]} for storage in waiting if storage.name in complete]
        made.append({"do": do, "op" if do == "compute" else "storage": name})
        if do == "free":
            complete.discard(name)
        for storage, scale in waiting.items():
            if op is not None and last.get(storage) == name and storage.name not in complete:
                complete.add(storage.name)
                made += [{"do": "compute", "op": scale}] if in_backward else []
    return graph, made


def _counterpart(made, node):
    if not isinstance(node, fx.Node):
        return node
    return made.copies.get(node) or made.values[node.name]
