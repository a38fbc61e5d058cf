# SPDX-License-Identifier: Apache-2.0
"""Holds one step of plain PyTorch against one of a graph: are they equal, how far from it, and from which op on?"""

import dataclasses
import functools
import itertools
import operator
from collections.abc import Callable

import torch

from ..errors import one_line
from ..sizes import size_text
from ..torch_private import OpOverload
from . import first_call, first_op, held, record, steps

# A sum in another order is off by some roundings, any other operator by few; what comes of it by more.
_ROUNDINGS, _AFTERWARDS, _MOST_AFTERWARDS = 4, 1e5, 0.2
_SUMS = (
    *("add", "sum", "mean", "cumsum", "mm", "bmm", "addmm", "baddbmm", "dot", "mv", "var", "logsumexp", "_grouped_mm"),
    *("convolution", "convolution_backward", "index_add", "scatter_add", "embedding_dense_backward", "index_put"),
    *("_softmax", "_log_softmax", "_softmax_backward_data", "_log_softmax_backward_data", "linalg_vector_norm"),
    *("native_layer_norm", "native_layer_norm_backward", "native_group_norm", "native_group_norm_backward"),
    *("native_batch_norm_backward", "_scaled_dot_product_flash_attention_for_cpu", "linear", "matmul"),
    *("_scaled_dot_product_flash_attention_for_cpu_backward", "avg_pool2d_backward", "upsample_bilinear2d_backward"),
)


@dataclasses.dataclass
class Pair:
    """The two ways to run one step. Both start from the same generators, and leave everything as it was."""

    plain: Callable  # (within) -> Outcome; within() is open while plain PyTorch runs
    graph: Callable  # (interpreter) -> Outcome; a class of interpreters of graphs
    module: torch.fx.GraphModule | None  # None of a step in several graphs, which are not looked into
    inputs: list  # tensors that the graph starts from
    outputs: dict  # name of a loss, a gradient or a buffer: the node that gives it
    buffers: dict  # name: value before the step
    place: Callable  # (node) -> (path of its module, line of code), empty texts where unknown
    leaves: dict  # tensors that an optimizer would update, by the names of their gradients
    seed: int | None = None
    loops: bool = False  # the graph has the steps of PyTorch's loops
    measured_graph: Callable | None = None  # (within) -> Outcome, of a step whose graphs are not looked into


def compare(pair, causes_of_parts=list):
    """The record of one plain step against one of the graph, with what the plain step held at most.

    ``causes_of_parts()`` has what explains differences of the graphs of a step that is in several, once it ran.
    """
    peak = []
    plain = pair.plain(lambda: held.measured(peak))
    found = _compare(pair, plain, causes_of_parts)
    if found["verdict"] in ("equal", "explained"):
        found["next_step"] = _of_next_step(pair, plain)
        found["why"] = f"{found['why']} {found['next_step']}".strip()
    if peak:
        found["peak_bytes"] = peak[0]
        found["why"] += f" Plain PyTorch held {size_text(peak[0])} at most in this step."
    if pair.measured_graph and found["verdict"] in ("equal", "explained"):
        _measure_graphs(pair, found)
    return found


def _measure_graphs(pair, found):
    """Write what the graphs of the step held together: all were compiled and planned when they were compared."""
    peak = []
    pair.measured_graph(lambda: held.measured(peak))
    if peak:
        found["compiled_peak_bytes"] = peak[0]
        found["why"] += f" As compiled it held {size_text(peak[0])}."


def _compare(pair, plain, causes_of_parts):
    graph = pair.graph(torch.fx.Interpreter)
    rows = record.rows(plain, graph, pair.buffers)
    if all(row["equal"] for row in rows):
        if not _is_finite(plain):
            return record.compared("not compared", _NOT_FINITE, pair.seed, rows, None)
        return record.compared("equal", f"{_all_equal(rows)}{_about_zeros(plain, graph)}", pair.seed, rows, None)
    if pair.module is None or not steps.has_gpu():
        return _difference(pair, plain, graph, rows, causes_of_parts)
    with steps.repeatable():  # else no other kernels would ever give the same bits
        return _difference(pair, plain, pair.graph(torch.fx.Interpreter), rows, causes_of_parts)


def _difference(pair, plain, graph, rows, causes_of_parts):
    """The record of rows that are not all equal: what explains them, or the first op that differs."""
    cause, within = _other_kernels(pair, graph, rows)
    small = all(_is_rounding(row, graph) for row in rows)
    if not cause and small and _is_order_of_threads(pair, plain, rows):
        cause = record.SUM
    if record.LOOPS in (cause or "") and not small:
        return record.compared("different", f"{_worst(rows)} {_LOOP_IS_OFF}", pair.seed, rows, None)
    if any(each in (cause or "") for each in (record.COMPILED, record.FORMULAS, record.CASTS)) and not small:
        cause, within = None, steps.as_it_is
    if cause:
        for row in rows:
            row["explained_by"] = "" if row["equal"] else cause
        return record.compared("explained", f"{_worst(rows)} {_because(cause)}", pair.seed, rows, None)
    if pair.module is None:
        return _of_parts(pair, graph, rows, causes_of_parts(), within)
    return _of_first_op(pair, graph, rows, within)


def _of_parts(pair, graph, rows, causes, within):
    """The record of a difference of a step in several graphs: explained where each graph's own is, and it is small."""
    explained = bool(causes) and all(_is_rounding(row, graph) for row in rows)
    if not causes and all(_is_rounding(row, graph, record.ROUNDINGS_OF_A_SUM) for row in rows):
        explained, causes = True, [_ADDED_UP]
    for row in rows:
        row["explained_by"] = "" if row["equal"] or not explained else record.SUM
    why = [_worst(rows), *(dict.fromkeys(causes) if explained else _between_graphs(pair, rows, within))]
    return record.compared("explained" if explained else "different", " ".join(why), pair.seed, rows, None)


_ADDED_UP = "That is the order in which gradients of several graphs are added, where no two ways need to agree."


def _between_graphs(pair, rows, within):
    """Sentences: which op of plain PyTorch is missing from a step in several graphs, and what to do."""
    names = {row["name"] for row in rows if not row["equal"]}

    def different(plain):
        values = {**plain.buffers, **plain.gradients, **plain.outputs}
        return [value for name, value in values.items() if name in names]

    call = first_call.missing(pair, within, different)
    if call is not None:
        of = f"{call.function} of " if call.function and call.line else call.function
        where = f", in {of}{call.line}" if of or call.line else ""
        yield f"Plain PyTorch computes {call.operator}{where}; the compiled step never has its numbers."
    if call is not None and call.is_custom:
        yield _LOST
        return
    yield (
        "None of its graphs explains that. Compile less of it, or model and loss in one function (fullgraph=True says "
        "where it breaks), to see where."
    )


_LOST = (
    "Dynamo loses that gradient when it captures this autograd.Function (it may be an in-place op in its forward); "
    "decorate what calls it with torch.compiler.disable, or change nothing in place there."
)


def _is_order_of_threads(pair, plain, rows):
    """True where two runs of plain PyTorch differ alike: some kernels add in the order of their threads."""
    if pair.module is None:  # torch.compile would compile the step once more for kernels with a fixed order
        return _differ_alike(pair, plain, rows)
    with steps.repeatable():
        first = pair.plain(steps.as_it_is)
        rows = record.rows(first, pair.graph(torch.fx.Interpreter), pair.buffers)
        if steps.has_gpu():  # some of its kernels have no fixed order
            return _differ_alike(pair, first, rows)
    return all(row["equal"] for row in rows)


def _differ_alike(pair, plain, rows):
    """True where whatever is not equal to a run of plain PyTorch differs from it in a second one, too."""
    if all(row["equal"] for row in rows):
        return True
    again = record.rows(plain, pair.plain(steps.as_it_is), pair.buffers)
    return all(row["equal"] or not other["equal"] for row, other in zip(rows, again, strict=False))


def _other_kernels(pair, graph, rows):
    """What explains all differences, or None; and how plain PyTorch comes as near to the graph as it can."""
    nodes = pair.module.graph.nodes if pair.module else ()
    dropout = not pair.module or any(node.target is torch.ops.aten.native_dropout.default for node in nodes)
    buffers = any(row["kind"] == "buffer" and not row["equal"] for row in rows)
    causes = [record.DROPOUT] * dropout + [record.LOOPS] * pair.loops + [record.CHECKPOINTS] * buffers
    causes += [record.CASTS] * (not pair.module) + [record.LAYERS, record.COMPILED, record.FORMULAS]
    nearest, most = steps.as_it_is, -1
    for count in (1, 2):
        for chosen in itertools.combinations(causes, count):
            within = functools.partial(steps.with_kernels_of_graph, chosen)
            rows = record.rows(pair.plain(within), graph, pair.buffers)
            if all(row["equal"] for row in rows):
                return " and ".join(chosen), within
            equal = sum(row["equal"] for row in rows)
            if equal > most:
                nearest, most = within, equal
    return None, nearest


def _of_first_op(pair, graph, rows, within):
    """The record of a difference that no other kernel explains."""
    inside = {row["name"]: row for row in record.rows(pair.plain(within), graph, pair.buffers)}
    different = [pair.outputs[name] for name, row in inside.items() if not row["equal"] and name in pair.outputs]
    found = first_op.roots(pair, within, different)
    causes = [_rounding(root) for root in found]
    explained = bool(found) and all(causes) and all(_is_rounding(row, graph) for row in inside.values())
    cause = " and ".join(dict.fromkeys(causes)) if explained else ""
    for row in rows:
        if not row["equal"]:
            same_inside = row["name"] in inside and inside[row["name"]]["equal"]
            row["explained_by"] = cause if explained else record.DROPOUT if same_inside else ""
    first = _described(found[0].node, found[0].nearest, pair) if found else None
    why = [_worst(rows), _at(first) if first else _nowhere(pair, rows), _because(cause) if explained else ""]
    verdict = "explained" if explained else "different"
    return record.compared(verdict, " ".join(filter(None, why)), pair.seed, rows, first)


def _nowhere(pair, rows):
    """What is said where no op computes what plain PyTorch does not."""
    unequal = {row["name"]: row["relative"] for row in rows if not row["equal"] and row["name"] in pair.outputs}
    order = {node: index for index, node in enumerate(pair.module.graph.nodes)}
    name = min(unequal, key=lambda each: order[pair.outputs[each]], default=None)
    node = pair.outputs.get(name)
    if node is not None and node.target is operator.getitem:
        node = node.args[0]
    if node is None or not isinstance(node.target, OpOverload):
        return _NOWHERE
    op = _text(_described(node, unequal[name], pair))
    return f"{_NOWHERE} The first result of the graph that is wrong is that for {name}, of {op}."


_NOWHERE = (
    "Plain PyTorch computes the numbers of every op of the graph, but takes them for something else: the capture is "
    "wrong (it may be an in-place op in a custom autograd.Function)."
)


_LOOP_IS_OFF = (
    "That is more than rounding, and comes from PyTorch's own loop (scan, while_loop, map): the same steps in plain "
    "PyTorch, one by one, give the bits of the graph. Write the loop in Python to train with right gradients."
)


def _rounding(root):
    """The name of the rounding that a root is, or an empty text where it is more than that."""
    op = _name(root.node)
    if not (root.value.is_floating_point() or root.value.is_complex()):
        return ""
    eps = torch.finfo(root.value.dtype).eps
    if op in _SUMS:
        return record.SUM if root.nearest <= record.ROUNDINGS_OF_A_SUM * eps else ""
    return f"rounding of aten.{op}" if root.nearest <= _ROUNDINGS * eps else ""


def _is_rounding(row, graph, roundings=_AFTERWARDS):
    value = {**graph.buffers, **graph.gradients, **graph.outputs}.get(row["name"])
    if value is None or not value.is_floating_point():
        return row["equal"] or row["relative"] <= _MOST_AFTERWARDS
    return row["relative"] <= min(roundings * torch.finfo(value.dtype).eps, _MOST_AFTERWARDS)


def _described(node, relative, pair):
    module, line = pair.place(node)
    return {
        "name": node.name,
        "operator": f"aten.{_name(node)}" if node.target.namespace == "aten" else node.target.name(),
        "module": module,
        "line": line,
        "relative": relative,
    }


def _name(node):
    return node.target.overloadpacket.__name__


_NOT_FINITE = (
    "Plain PyTorch itself gives numbers that are not finite (NaN or infinite) in this step; the graph gives the same, "
    "which shows nothing. Look for the first step whose loss is not finite."
)


def _is_finite(plain):
    return all(bool(value.isfinite().all()) for value in (*plain.outputs.values(), *plain.gradients.values()))


def _of_next_step(pair, plain):
    """A sentence where the step after one update ends in numbers that are not finite, in plain PyTorch too."""
    leaves = {name: tensor for name, tensor in pair.leaves.items() if name in plain.gradients}
    if "loss" not in plain.outputs or not leaves:
        return ""
    try:
        after = pair.plain(functools.partial(steps.updated, leaves, plain.gradients))
    except (RuntimeError, ValueError) as error:  # what kernels and models raise for numbers that are not finite
        return _NEXT.format(f"does not run ({one_line(error)})")
    wrong = {**after.outputs, **after.gradients}
    wrong = [name for name, value in wrong.items() if not bool(value.isfinite().all())]
    if not wrong:
        return ""
    where = "its loss" if wrong[0] == "loss" else f"the gradient of {wrong[0]}"
    return _NEXT.format(f"has numbers that are not finite (NaN or infinite) in {where}")


_NEXT = (
    f"But after one update by gradient descent with a learning rate of {steps.RATE} the next step of plain PyTorch "
    "{}, with or without a plan. Take a smaller rate, or look for what makes the gradients so large."
)


def _all_equal(rows):
    counts = [sum(row["kind"] == kind for row in rows) for kind in ("gradient", "buffer")]
    gradients = f"{counts[0]} gradient{'s' * (counts[0] != 1)}"
    buffers = f" and {counts[1]} buffer{'s' * (counts[1] != 1)}" if counts[1] else ""
    return f"The graph computes what plain PyTorch computes: loss, {gradients}{buffers} are equal bit for bit."


def _about_zeros(plain, graph):
    """A sentence where a parameter has a gradient of zeros, and in plain PyTorch none, which optimizers leave alone."""
    more = [name for name in graph.gradients if name not in plain.gradients]
    if not more:
        return ""
    others = f" and {len(more) - 1} more" if len(more) > 1 else ""
    return (
        f" The gradient of {more[0]}{others} is zeros, where plain PyTorch has none: an optimizer with weight decay or "
        "momentum moves what it would leave alone."
    )


def _worst(rows):
    worst = max((row for row in rows if not row["equal"]), key=lambda row: row["relative"])
    what = {"loss": "the ", "gradient": "the gradient of ", "buffer": "the buffer "}[worst["kind"]] + worst["name"]
    count = sum(not row["equal"] for row in rows)
    return (
        f"{count} of {len(rows)} tensors of the graph are not equal to plain PyTorch's, most of all "
        f"{what} (relative difference {worst['relative']:.1e})."
    )


def _at(first):
    return f"The first op that differs is {_text(first)}."


def _text(op):
    where = " in ".join(part for part in (op["module"], op["line"]) if part)
    return f"{op['name']} ({op['operator']}{', ' + where if where else ''})"


def _because(cause):
    if record.COMPILED in cause:
        return f"That is rounding on {cause}: plain PyTorch gives the same bits when told to take it."
    if record.FORMULAS in cause:
        return f"That is rounding in {cause}: plain PyTorch gives the same bits with that one."
    if record.DROPOUT in cause:
        return f"That is {cause}: with the graph's kernels plain PyTorch gives the same bits."
    if record.CASTS in cause:
        return f"That is rounding by {cause}: plain PyTorch gives the same bits without its cache of them."
    if cause == record.CHECKPOINTS:
        return f"That is {cause}: buffers that a part of the model changes are changed again when it runs again."
    if cause == record.LAYERS:
        return f"That is {cause}, which a graph has not: without them plain PyTorch gives the same bits."
    if cause == record.LOOPS:
        return f"That is the {cause}: step by step, as the graph has it, plain PyTorch gives the same bits."
    if cause == record.SUM:
        return f"That is the {cause}, in which no two runs or graphs need to agree."
    return f"That is {cause}."
