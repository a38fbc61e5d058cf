# SPDX-License-Identifier: Apache-2.0
"""Which nodes of a joint graph belong to the backward: by AOTAutograd's tags, and by data flow where there are none."""

import torch

from .errors import PlanError

_FORWARD = ("is_forward", "must_be_in_forward")
_BACKWARD = ("is_backward", "must_be_in_backward")


def backward_nodes(graph, tangents):
    """The set of call nodes that run in the backward; ``tangents`` are the nodes that begin it.

    The backward of a custom ``autograd.Function`` and nodes that Inductor's joint passes make carry no tag. Such a node
    is backward if it reads a tangent or a backward value, or if only backward nodes read it. A node that draws random
    numbers stays where the model has it.
    """
    found = set()
    for node in graph.nodes:
        if node.op == "call_function" and (_is_tagged_backward(node) or _reads_any(node, found, tangents)):
            found.add(node)
    for node in reversed(graph.nodes):
        if node not in found and _may_move(node) and all(user in found for user in node.users):
            found.add(node)
    return found


def _is_tagged_backward(node):
    tag = node.meta.get("partitioner_tag")
    if tag not in (*_FORWARD, *_BACKWARD, None):
        raise PlanError(f"The op {node.name} is marked {tag!r}, which this version does not know.")
    return tag in _BACKWARD


def _reads_any(node, found, tangents):
    return any(source in found or source in tangents for source in node.all_input_nodes)


def _may_move(node):
    """True for a node without a tag that gives the same wherever it runs."""
    if node.op != "call_function" or node.meta.get("partitioner_tag") is not None or not node.users:
        return False
    tags = getattr(node.target, "tags", ())
    return torch.Tag.nondeterministic_seeded not in tags and not node.is_impure()
