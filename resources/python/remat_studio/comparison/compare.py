"""Runs the model plainly and its graph, and says in a record whether they compute the same and where they part."""

import functools

import torch

from ..frames import place
from ..pairing import Pairing, is_backward
from ..scopes import FRAMES, MODULES
from . import estimate, first_op, record, steps

SEED = 0
WAYS = ("auto", "always", "never")

# A sum in another order is off by some roundings, any other operator by few; what comes of it by more.
_ROUNDINGS_OF_A_SUM, _ROUNDINGS, _AFTERWARDS, _MOST_AFTERWARDS = 64, 4, 1e5, 0.2
_SUMS = (
    *("add", "sum", "mean", "cumsum", "mm", "bmm", "addmm", "baddbmm", "dot", "mv", "var", "logsumexp", "_grouped_mm"),
    *("convolution", "convolution_backward", "index_add", "scatter_add", "embedding_dense_backward", "index_put"),
    *("_softmax", "_log_softmax", "_softmax_backward_data", "_log_softmax_backward_data", "linalg_vector_norm"),
    *("native_layer_norm", "native_layer_norm_backward", "native_group_norm", "native_group_norm_backward"),
    *("native_batch_norm_backward", "_scaled_dot_product_flash_attention_for_cpu", "linear", "matmul"),
    *("_scaled_dot_product_flash_attention_for_cpu_backward", "avg_pool2d_backward", "upsample_bilinear2d_backward"),
)


def reason_not_to(model, args_tensors, program, way):
    """Why no step is run: a sentence, or None where one is."""
    if way == "never":
        return "The trace was made with --compare never."
    if any(_has_no_numbers(item.tensor) for item in program.inputs) or any(map(_has_no_numbers, args_tensors)):
        return "The model has no weights here (it is on the meta device), so that no step can be run."
    if any(p._post_accumulate_grad_hooks or p._backward_hooks for p in model.parameters()):
        return "Parameters of the model have hooks of their own, which a step would set off."
    if way == "always":
        return None
    seconds, held = estimate.of_steps(program)
    available = estimate.available_bytes(program)
    if seconds <= estimate.MOST_SECONDS and held <= available // 2:
        return None
    return (
        f"A step plainly and one of the graph take about {seconds:.0f} s and {held / 2**30:.1f} GiB here by an estimate, "
        f"and {available / 2**30:.1f} GiB are free; --compare always runs them."
    )


def compare(step, program):
    """The record of one plain step against one of the graph; ``step`` is a PlainStep."""
    before = {name: buffer.detach().clone() for name, buffer in step.buffers()}
    plain = step.run()
    graph = steps.run_graph(program, step.seed)
    rows = record.rows(plain, graph, before)
    if all(row["equal"] for row in rows):
        return record.compared("equal", _all_equal(rows, plain), step.seed, rows, None)
    cause, within = _other_kernels(step, program, graph, before)
    if cause:
        for row in rows:
            row["explained_by"] = "" if row["equal"] else cause
        return record.compared("explained", f"{_worst(rows)} {_because(cause)}", step.seed, rows, None)
    return _of_first_op(step, program, graph, before, rows, within)


def _has_no_numbers(tensor):
    return tensor.is_meta or isinstance(tensor, torch._subclasses.FakeTensor)


def _other_kernels(step, program, graph, before):
    """What explains all differences, or None; and how plain PyTorch comes as near to the graph as it can."""
    dropout = any(node.target is torch.ops.aten.native_dropout.default for node in program.graph.nodes)
    ways = [(record.LAYERS, {"dropout": False, "plain_layers": True})]
    if dropout:
        ways = [(record.DROPOUT, {"dropout": True, "plain_layers": False}), *ways]
        ways.append((f"{record.DROPOUT} and {record.LAYERS}", {"dropout": True, "plain_layers": True}))
    for cause, way in ways:
        within = functools.partial(steps.with_kernels_of_graph, **way)
        if all(row["equal"] for row in record.rows(step.run(within), graph, before)):
            return cause, within
    return None, within


def _of_first_op(step, program, graph, before, rows, within):
    """The record of a difference that no other kernel explains."""
    rows_within = record.rows(step.run(within), graph, before)
    different = {row["name"] for row in rows_within if not row["equal"]}
    nodes = _output_nodes(program, different)
    found = first_op.roots(step, program, within, nodes)
    causes = [_rounding(root) for root in found]
    explained = bool(found) and all(causes) and all(_is_rounding(row, graph) for row in rows_within)
    cause = " and ".join(dict.fromkeys(causes)) if explained else ""
    for row, inside in zip(rows, rows_within, strict=False):
        if not row["equal"]:
            row["explained_by"] = cause if explained else record.DROPOUT if inside["equal"] else ""
    first = _described(found[0], program) if found else None
    why = f"{_worst(rows)} {_at(first)}" + (f" {_because(cause)}" if explained else "")
    return record.compared("explained" if explained else "different", why.strip(), step.seed, rows, first)


def _output_nodes(program, names):
    nodes = {node.name: node for node in program.graph.nodes}
    fqns = {item.node.name: item.fqn for item in program.inputs}
    return [
        nodes[spec.arg.name]
        for spec in program.outputs
        if (spec.kind.name == "LOSS_OUTPUT" and "loss" in names)
        or spec.target in names
        or fqns.get(spec.target) in names
    ]


def _rounding(root):
    """The name of the rounding that a root is, or an empty text where it is more than that."""
    operator = _name(root.node)
    if not (root.value.is_floating_point() or root.value.is_complex()):
        return ""
    eps = torch.finfo(root.value.dtype).eps
    if operator in _SUMS:
        return record.SUM if root.nearest <= _ROUNDINGS_OF_A_SUM * eps else ""
    return f"rounding of aten.{operator}" if root.nearest <= _ROUNDINGS * eps else ""


def _is_rounding(row, graph):
    value = graph.loss if row["kind"] == "loss" else graph.gradients.get(row["name"])
    if value is None or not value.is_floating_point():
        return row["equal"] or row["relative"] <= _MOST_AFTERWARDS
    return row["relative"] <= min(_AFTERWARDS * torch.finfo(value.dtype).eps, _MOST_AFTERWARDS)


def _described(root, program):
    node = root.node
    owner = node
    if is_backward(node):
        ops = [n for n in program.graph.nodes if n.op == "call_function" and isinstance(n.target, torch._ops.OpOverload)]
        owner = Pairing(program, ops).owner(node) or node
    modules = [path for path, _ in owner.meta.get(MODULES, ()) if path]
    return {
        "name": node.name,
        "operator": f"aten.{_name(node)}" if node.target.namespace == "aten" else node.target.name(),
        "module": modules[-1].removeprefix("model").lstrip(".") if modules else "",
        "line": place(owner.meta.get(FRAMES)) or "",
        "relative": root.nearest,
    }


def _name(node):
    return node.target.overloadpacket.__name__


def _all_equal(rows, plain):
    counts = [sum(row["kind"] == kind for row in rows) for kind in ("gradient", "buffer")]
    gradients = f"{counts[0]} gradient{'s' * (counts[0] != 1)}"
    buffers = f" and {counts[1]} buffer{'s' * (counts[1] != 1)}" if counts[1] else ""
    finite = all(bool(value.isfinite().all()) for value in (plain.loss, *plain.gradients.values()))
    return (
        f"The graph computes what plain PyTorch computes: loss, {gradients}{buffers} are equal bit for bit."
        if finite
        else "Plain PyTorch itself gives numbers that are not finite (NaN or infinite) in this step; the graph gives the "
        "same."
    )


def _worst(rows):
    worst = max((row for row in rows if not row["equal"]), key=lambda row: row["relative"])
    what = {"loss": "the loss", "gradient": f"the gradient of {worst['name']}", "buffer": f"the buffer {worst['name']}"}
    count = sum(not row["equal"] for row in rows)
    return (
        f"{count} of {len(rows)} tensors of the graph are not equal to plain PyTorch's, most of all "
        f"{what[worst['kind']]} (relative difference {worst['relative']:.1e})."
    )


def _at(first):
    if first is None:
        return ""
    where = " in ".join(part for part in (first["module"], first["line"]) if part)
    return f"The first op that differs is {first['name']} ({first['operator']}{', ' + where if where else ''})."


def _because(cause):
    if record.DROPOUT in cause:
        return f"That is {cause}: with the graph's kernels plain PyTorch gives the same bits."
    if cause == record.LAYERS:
        return f"That is {cause}, which a graph has not: without them plain PyTorch gives the same bits."
    return f"That is {cause}."
