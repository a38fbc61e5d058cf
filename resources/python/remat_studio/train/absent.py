# SPDX-License-Identifier: Apache-2.0
"""Gradients that never came: zeros that take no memory until an op of the backward graph reads them.

What leaves a graph and gets no gradient, as keys and values for a cache, would have zeros of full size from autograd's
engine, all of them before the backward begins. What would get a gradient through these alone gets none, as in eager
mode: optimizers leave it as it is then, where AdamW takes zeros for a reason to decay a weight.
"""

import torch
from torch import fx

from . import sums, torch_private


def zero(shape, dtype, device):
    """Zeros of which one number is held."""
    found = torch.zeros((), dtype=dtype, device=device).expand(shape)
    found.remat_is_absent = True
    return found


def written_out(tangent, shape, stride):
    """The gradient, with all of its numbers."""
    if not hasattr(tangent, "remat_is_absent"):
        return tangent
    return torch.empty_strided(shape, stride, dtype=tangent.dtype, device=tangent.device).zero_()


def write_out_late(graph):
    """Have a backward graph write out zeros where they are first read."""
    places = {node: place for place, node in enumerate(graph.nodes)}
    for tangent in [node for node in graph.find_nodes(op="placeholder") if torch_private.is_tangent(node)]:
        value = tangent.meta.get("val")
        if not isinstance(value, torch.Tensor) or not tangent.users:
            continue
        with graph.inserting_before(min(tangent.users, key=places.__getitem__)):
            new = graph.call_function(written_out, (tangent, tuple(value.shape), tuple(value.stride())))
        tangent.replace_all_uses_with(new, delete_user_cb=lambda user, new=new: user is not new)


def none_of_absent(run, graph):
    """The function ``run`` of a backward graph, which gives None where all gradients that a result is of never came."""
    results = [_tangents_of(graph)[node] if isinstance(node, fx.Node) else set() for node in graph.output_node().args[0]]

    def call(given):
        absent = {place for place, value in enumerate(given) if hasattr(value, "remat_is_absent")}
        found = run(given)
        if not absent:
            return found
        return [None if of and of <= absent else value for of, value in zip(results, found, strict=True)]

    call._boxed_call = True
    return call


def _tangents_of(graph):
    """For each node the places of the tangents, among the inputs, that it is computed of."""
    of, shared = {}, sums.sharing(graph)
    for place, node in enumerate(graph.nodes):
        is_tangent = node.op == "placeholder" and torch_private.is_tangent(node)
        of[node] = {place} if is_tangent else set().union(*(of[each] for each in node.all_input_nodes))
        if getattr(getattr(node.target, "_schema", None), "is_mutable", False):
            for each in of.keys() & shared[node]:  # what it writes to and views of that; not what it only reads
                of[each] |= of[node]
    return of
