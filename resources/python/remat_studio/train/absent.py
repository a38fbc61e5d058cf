# SPDX-License-Identifier: Apache-2.0
"""Gradients that never came: zeros that take no memory until an op of the backward graph reads them.

What leaves a graph and gets no gradient, as keys and values for a cache, would have zeros of full size from autograd's
engine, all of them before the backward begins. What would get a gradient through these alone gets none, as in eager
mode: optimizers leave it as it is then, where AdamW takes zeros for a reason to decay a weight.

The first backward shows which these are. The graph is then planned once more with them as they are: one number from
the border on, and zeros of full size, an op's result, where they are first read.
"""

import torch
from torch import fx

from . import sums, torch_private

_FROM_USER = ("partitioner_tag", "seq_nr", "nn_module_stack", "stack_trace")
_NUMBER_BYTES = 8


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


def write_out_late(graph, names=None):
    """Have a backward or a joint graph write out zeros where they are first read; with ``names`` those alone."""
    places = {node: place for place, node in enumerate(graph.nodes)}
    for tangent in [node for node in graph.find_nodes(op="placeholder") if torch_private.is_tangent(node)]:
        value, users = tangent.meta.get("val"), [user for user in tangent.users if user.op != "output"]
        is_done = any(user.target is written_out for user in users)
        if not isinstance(value, torch.Tensor) or not users or is_done or (names and tangent.name not in names):
            continue
        first = min(users, key=places.__getitem__)
        with graph.inserting_before(first):
            new = graph.call_function(written_out, (tangent, tuple(value.shape), tuple(value.stride())))
        new.meta = {"val": value, **{key: first.meta[key] for key in _FROM_USER if key in first.meta}}
        tangent.replace_all_uses_with(new, delete_user_cb=lambda user, new=new: user is not new)


def count_as_absent(graph, names):
    """Have a StepGraph whose zeros of these names are written out late hold one number of each until then."""
    tangents = [tangent for tangent in graph.tangents if tangent.name in names]
    for storage in graph.storages_in(tangent for tangent in tangents if _is_written_out(tangent)):
        storage.bytes = min(storage.bytes, _NUMBER_BYTES)


def none_of_absent(run, graph, learn):
    """The function ``run`` of a backward graph, which gives None where all gradients that a result is of never came.

    ``learn(sizes)`` is called with the bytes that zeros for these would take, by their names.
    """
    results = [_tangents_of(graph)[node] if isinstance(node, fx.Node) else set() for node in graph.output_node().args[0]]
    inputs = [(node.name, node.meta.get("val")) for node in graph.find_nodes(op="placeholder")]

    def call(given):
        absent = {place for place, value in enumerate(given) if hasattr(value, "remat_is_absent")}
        if absent:
            learn({name: value.nbytes for name, value in (inputs[place] for place in absent)})
        found = run(given)
        if not absent:
            return found
        return [None if of and of <= absent else value for of, value in zip(results, found, strict=True)]

    call._boxed_call = True
    return call


def _is_written_out(tangent):
    return all(user.target is written_out for user in tangent.users)


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
