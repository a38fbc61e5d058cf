# SPDX-License-Identifier: Apache-2.0
"""Runs equal ops on equal inputs once, where the backward would hold what each of them makes.

Compiled models make the same mask in each layer, for one. Where the backward does not read it, or the model checkpoints
it, two that end early are better than one that is held from layer to layer.

Eager mode does not make these masks. It does cast a tensor for each op that reads it under autocast, but a weight once.
"""

import operator

import torch

from ..torch_private import OpOverload, is_tangent
from . import sums
from .phases import backward_nodes


def merge(graph, is_left=lambda _: False):
    """Merge forward ops of a joint graph, but those that are to be left; True if any was. Bits stay what they are."""
    in_backward = backward_nodes(graph, list(filter(is_tangent, graph.find_nodes(op="placeholder"))))
    equal, first = {}, {}  # node: the first one that gives the same; what is called: that one
    for node in graph.nodes:
        if node not in in_backward and _is_pure(node) and not is_left(node):
            equal[node] = first.setdefault(_called(node, equal), node)
    sharing, is_any = sums.sharing(graph), False
    for node, other in equal.items():
        if node is not other and all(_is_held(each, sharing, in_backward) for each in (node, other)):
            node.replace_all_uses_with(other)
            is_any = True
    for node, other in reversed(equal.items()):
        if node is not other and not node.users:
            graph.erase_node(node)
    return is_any


def is_cast_by_each(weights, node):
    """Whether a node is a cast as autocast makes one for each op that reads a tensor, unless that is of ``weights``."""
    if node.op != "call_function" or node.target is not torch.ops.aten._to_copy.default or node.args[0] in weights:
        return False
    return node.meta["val"].dtype in (torch.bfloat16, torch.float16) and node.args[0].meta["val"].dtype is torch.float32


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
