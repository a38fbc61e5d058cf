# SPDX-License-Identifier: Apache-2.0
"""The graph of what eager mode holds, beside the one that is planned, where they differ.

Equal ops are planned as one, and eager mode holds what each of them makes. Dropout is planned as the kernel of GPUs, whose
mask has a byte for each number. On a CPU eager mode has a product with a mask in the type of the values.
"""

import torch

from .. import torch_private
from . import merged

_ATEN = torch.ops.aten
_DROPOUTS = (_ATEN.native_dropout.default, _ATEN.native_dropout_backward.default)


def graphs(module, read, is_left):
    """The StepGraph of a joint graph, merged, and that of what eager mode holds, or None where it is the same.

    ``read`` makes a StepGraph of such a module. ``is_left`` says which ops eager mode runs as often as they stand there.
    """
    merged.merge(module.graph, is_left)
    drops = any(map(_is_product, module.graph.nodes))
    before = torch_private.copied(module) if drops or any(map(is_left, module.graph.nodes)) else None
    is_other = merged.merge(module.graph) or drops
    eager = read(before) if before and is_other else None
    if eager and drops:
        _count_products(eager)
    return read(module), eager


def _count_products(graph):
    for op in graph.ops:
        if _is_product(op.node):
            op.is_plain = True
            for storage in op.makes:
                storage.bytes = op.makes[0].bytes


def _is_product(node):
    """Whether a node is dropout, or its backward, that a CPU's eager mode computes as a product."""
    return node.target in _DROPOUTS and node.args[0].meta["val"].device.type == "cpu"
