# SPDX-License-Identifier: Apache-2.0
"""Sums of gradients in place, as autograd's engine makes them where nobody else holds the first one.

While a graph is captured the engine sees tensors without data, and gives each sum a block of memory of its own.
"""

import operator

import torch

from ..describe import aliases, mutated_inputs
from ..pairing import is_backward
from ..torch_private import OpOverload, is_tangent
from .phases import backward_nodes

SUM, IN_PLACE = torch.ops.aten.add.Tensor, torch.ops.aten.add_.Tensor


def in_place(graph, absent=frozenset()):
    """Have each sum of the backward of a joint graph write into its first gradient, where that ends there.

    Nodes of ``absent`` have no memory to write into.

    Bits and strides stay what they are: see ``InputBuffer::accumulate`` of PyTorch for the conditions.
    """
    in_backward = backward_nodes(graph, list(filter(is_tangent, graph.find_nodes(op="placeholder"))))
    position = {node: index for index, node in enumerate(graph.nodes)}
    shared = sharing(graph)
    for node in graph.find_nodes(op="call_function", target=SUM):
        if is_backward(node) and node.args[0] not in absent and _may_write(node, shared, position, in_backward):
            node.target = IN_PLACE
            joined = shared[node.args[0]]
            joined += shared[node]
            for each in joined:
                shared[each] = joined


def out_of_place(target):
    """The operator that an archive has for ``target``: it knows none that writes to what it reads."""
    return SUM if target is IN_PLACE else target


def _may_write(node, shared, position, in_backward):
    first, second = node.args[0], node.args[1]
    if node.kwargs or not isinstance(second, torch.fx.Node) or not _are_alike(node, first, second):
        return False
    alike = shared[first]
    if shared[second] is alike or any(each.op != "call_function" or each not in in_backward for each in alike):
        return False
    users = {user for each in alike for user in each.users}
    return all(user.op != "output" and position[user] <= position[node] for user in users)


def _are_alike(node, first, second):
    values = [each.meta.get("val") for each in (node, first, second)]
    if not all(isinstance(value, torch.Tensor) and value.layout is torch.strided for value in values):
        return False
    made, old, new = values
    same = made.dtype == old.dtype and made.device == old.device == new.device
    return same and made.shape == old.shape == new.shape and made.stride() == old.stride()


def sharing(graph):
    """For each node the list of all nodes whose values may lie in the same block of memory."""
    found = {}
    for node in graph.nodes:
        joined = [node]
        for source in _sources(node):
            if found[source] is not joined:
                joined = found[source] + joined
        for each in joined:
            found[each] = joined
    return found


def _sources(node):
    """What a node's value may be a view of, or writes to."""
    if node.op != "call_function":
        return []
    made_by = node.args[0] if node.target is operator.getitem else node
    if not isinstance(made_by.target, OpOverload):
        return node.all_input_nodes
    found = aliases(made_by)
    names = {found[node.name]} if node.name in found else set()
    names.update(mutated_inputs(made_by))
    return [source for source in made_by.all_input_nodes if source.name in names]
