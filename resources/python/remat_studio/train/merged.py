# SPDX-License-Identifier: Apache-2.0
"""Runs equal ops on equal inputs once, where the backward would hold what each of them makes.

Compiled models make the same mask in each layer, for one. Where the backward does not read it, or the model checkpoints
it, two that end early are better than one that is held from layer to layer.
"""

import operator

import torch

from ..torch_private import OpOverload, is_tangent
from . import sums
from .phases import backward_nodes


def merge(graph):
    """Merge forward ops of a joint graph that AOTAutograd captured; bits stay what they are."""
    in_backward = backward_nodes(graph, list(filter(is_tangent, graph.find_nodes(op="placeholder"))))
    equal, first = {}, {}  # node: the first one that gives the same; what is called: that one
    for node in graph.nodes:
        if node not in in_backward and _is_pure(node):
            equal[node] = first.setdefault(_called(node, equal), node)
    sharing = sums.sharing(graph)
    for node, other in equal.items():
        if node is not other and all(_is_held(each, sharing, in_backward) for each in (node, other)):
            node.replace_all_uses_with(other)
    for node, other in reversed(equal.items()):
        if node is not other and not node.users:
            graph.erase_node(node)


def _is_pure(node):
    """True for a call that gives the same for the same, writes to nothing, and is in no checkpoint of the model."""
    if node.op != "call_function" or node.meta.get("recompute") is not None:
        return False
    if node.target is operator.getitem:
        return True
    if not isinstance(node.target, OpOverload) or node.target.namespace != "aten":
        return False
    return torch.Tag.nondeterministic_seeded not in node.target.tags and not node.target._schema.is_mutable


def _called(node, equal):
    """The call in words, in which equal inputs have one name."""
    given = torch.fx.map_arg((node.args, node.kwargs), lambda source: equal.get(source, source))
    return node.target, repr(given)


def _is_held(node, sharing, in_backward):
    """True where the backward reads the block of memory that a value lies in, and nobody is given it."""
    users = {user for each in sharing[node] for user in each.users}
    return any(user in in_backward for user in users) and all(user.op != "output" for user in users)
