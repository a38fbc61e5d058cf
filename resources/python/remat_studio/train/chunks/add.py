# SPDX-License-Identifier: Apache-2.0
"""Adds half-precision terms to float32 sums on a CPU, without a copy of the whole term."""

import torch

_ADD = torch.ops.aten.add_.Tensor
_BLOCKS = 256
_LEAST_ELEMENTS = 1024  # smaller blocks would be calls more than sums


def is_mixed(node):
    """Whether a node adds a term of another type to what it writes to, on a CPU."""
    if node.target is not _ADD:
        return False
    values = [source.meta.get("val") if isinstance(source, torch.fx.Node) else None for source in node.args[:2]]
    if not all(isinstance(value, torch.Tensor) and value.device.type == "cpu" for value in values):
        return False
    return values[0].dtype != values[1].dtype


def in_blocks(total, term, alpha=1):
    """``total.add_(term)``, with the same bits.

    PyTorch copies a term of another type as a whole first. Here the copy is a 256th of it, as in the engine's runs.
    """
    if total.shape != term.shape or total.stride() != term.stride() or not _is_dense(total):
        return total.add_(term, alpha=alpha)
    count = total.numel()
    length = max(_LEAST_ELEMENTS, -(-count // _BLOCKS))
    pairs = zip(_flat(total).split(length), _flat(term).split(length), strict=True)
    for part, more in pairs:
        part.add_(more, alpha=alpha)
    return total


def _is_dense(tensor):
    return torch.ops.aten.is_non_overlapping_and_dense(tensor)


def _flat(tensor):
    return tensor.as_strided((tensor.numel(),), (1,))
