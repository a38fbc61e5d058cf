# SPDX-License-Identifier: Apache-2.0
"""Has the backward of what runs in chunks with the loss run in the forward, where the loss' gradient is not known yet.

It runs for a gradient of one; what leaves it is multiplied by the real one in the backward. That is right since a
backward is linear in the gradient of its loss, and exact to the bit where that is a power of two.
"""

import operator

import torch
from torch import fx

from ..errors import PlanError
from .read import NEW, PHASE

_ATEN = torch.ops.aten
_SAME = {  # linear in the first argument, whatever the others are
    _ATEN.t,
    _ATEN.transpose,
    _ATEN.view,
    _ATEN._unsafe_view,
    _ATEN.reshape,
    _ATEN.permute,
    _ATEN.expand,
    _ATEN.slice,
    _ATEN.unsqueeze,
    _ATEN.squeeze,
    _ATEN.clone,
    _ATEN._to_copy,
    _ATEN.neg,
    _ATEN.sum,
    _ATEN.div,
    _ATEN.detach,
    torch.ops.prims.convert_element_type,
}
_PRODUCTS = {_ATEN.mm, _ATEN.bmm, _ATEN.mul}  # linear where one argument is, and the other does not depend on it
_SUMS = {_ATEN.add, _ATEN.add_, _ATEN.sub}
_ADDED_PRODUCTS = {_ATEN.addmm, _ATEN.addmm_}
_VIEWS = {_ATEN.slice, _ATEN.view, _ATEN.expand, _ATEN.clone}  # as many zeros or fewer
_ZEROS = {_ATEN.zeros, _ATEN.zeros_like, _ATEN.new_zeros}


def run_in_forward(rewritten, one, tangent, in_place=True):
    """Put what belongs to the chunks of the loss into the forward; ``one`` is the node that stands for ``tangent``.

    Returns the nodes that multiply what leaves it, with ``in_place`` where it lies. PlanError says why that cannot be.
    """
    graph = rewritten.graph
    depends = _after(graph, one)
    early = _parts_of_head(graph, depends)
    for node in early:
        _check(node, depends, one)
        node.meta["partitioner_tag"] = "is_forward"
    scaled = {}
    for node in list(graph.nodes):
        if node in early or node is tangent:
            continue
        for source in list(node.all_input_nodes):
            if source is one:
                node.replace_input_with(one, tangent)
            elif source in early:
                node.replace_input_with(source, _scaled(graph, source, tangent, early if in_place else None, scaled))
    if not one.users:
        graph.erase_node(one)
    return list(scaled.values())


def _after(graph, one):
    found = {one}
    for node in graph.nodes:
        if any(source in found for source in node.all_input_nodes):
            found.add(node)
    found -= {one, graph.output_node()}
    return found


def _parts_of_head(graph, depends):
    """What of the backward stands before the last piece of the forward, with all that it is made of."""
    nodes = list(graph.nodes)
    pieces = [index for index, node in enumerate(nodes) if node.meta.get(NEW) and node.meta[PHASE] != "backward"]
    last = max(pieces, default=-1)
    mixed = any(node in depends and node.meta.get(NEW) for node in nodes[:last])
    if not mixed:
        return set()
    end = last + 1
    while nodes[end].meta.get(NEW) or nodes[end].meta.get(PHASE) == "loss":  # the last piece, and what joins them
        end += 1
    early = {node for node in nodes[:end] if node in depends and node.meta.get(NEW)}
    for node in reversed(nodes[:end]):
        if node in early:
            early.update(source for source in node.all_input_nodes if source in depends)
    return early


def _check(node, depends, one):
    values = node.meta["val"] if isinstance(node.meta["val"], list | tuple) else [node.meta["val"]]
    if any(isinstance(value, torch.Tensor) and value.dtype is torch.float16 for value in values):
        raise PlanError(
            f"{node.name} has gradients in float16, which are too small there before a scaler multiplies them, so it "
            "cannot run in the forward."
        )
    if not _is_linear(node, {*depends, one}):
        raise PlanError(
            f"{node.name} ({node.target}) is not known to be linear in the gradient of the loss, so it cannot run in "
            "the forward."
        )


def _is_linear(node, depends):
    kind = getattr(node.target, "overloadpacket", None)
    given = [arg in depends if isinstance(arg, fx.Node) else None for arg in node.args]
    if node.target is operator.getitem:
        return True
    if kind is _ATEN.cat:
        return all(source in depends for source in node.args[0])
    if kind in _SAME or _is_backward(node.target):
        return given[0] is True and not any(given[1:])
    if kind in _PRODUCTS:
        return given[:2].count(True) == 1
    if kind in _SUMS:
        return given[:2] == [True, True]
    if kind in _ADDED_PRODUCTS:
        return given[0] is True and given[1:3].count(True) == 1
    if kind is _ATEN.where:
        chosen = zip(given[1:], node.args[1:], strict=True)
        return not given[0] and all(is_given or _is_zero(arg) for is_given, arg in chosen)
    if kind is _ATEN.slice_scatter:
        return all(is_given or _is_zero(arg) for is_given, arg in zip(given[:2], node.args[:2], strict=True))
    if kind is _ATEN.masked_fill:
        return given[0] is True and not given[1] and _is_zero(node.args[2])
    return False


def _is_backward(target):
    """Whether it is an operator that multiplies a gradient, its first argument, by a derivative."""
    schema = target._schema
    return "_backward" in schema.name and schema.arguments[0].name.startswith("grad")


def _is_zero(value):
    if not isinstance(value, fx.Node):
        return isinstance(value, int | float) and value == 0
    kind = getattr(value.target, "overloadpacket", None)
    if kind in _VIEWS:
        return _is_zero(value.args[0])
    return kind in _ZEROS or (kind is _ATEN.full and value.args[1] == 0) or (
        kind is _ATEN.scalar_tensor and value.args[0] == 0
    )


def _scaled(graph, source, tangent, early, scaled):
    """The value times the real gradient: in its place, where nothing of ``early``, if given, reads it any more."""
    if source not in scaled:
        alone = early is not None and not any(user in early for user in source.users) and not _is_view(source)
        call = _ATEN.mul_.Tensor if alone else _ATEN.mul.Tensor
        with graph.inserting_after(source):
            made = graph.call_function(call, (source, tangent))
        made.meta = {"val": source.meta["val"], "partitioner_tag": "is_backward", PHASE: "backward"}
        if call is _ATEN.mul.Tensor:
            with source.meta["val"].fake_mode:
                made.meta["val"] = torch.empty_like(source.meta["val"])
        scaled[source] = made
    return scaled[source]


def _is_view(node):
    infos = [argument.alias_info for argument in node.target._schema.arguments]
    return any(info is not None and not info.is_write for info in infos) or node.target is _ATEN._unsafe_view.default
