# SPDX-License-Identifier: Apache-2.0
"""Finds what eager autograd keeps for its sizes alone, which a graph has no reader of."""

import torch

from .pairing import is_backward

_aten = torch.ops.aten

# Operators whose function of the backward pass keeps this argument and reads its sizes: see derivatives.yaml.
_KEEPS = {_aten.gather: 0, _aten.take: 0, _aten.masked_select: 0}


def held_for_sizes(ops):
    """For ops of the backward pass: the nodes whose storages stay until the op has run."""
    last = {op.meta.get("seq_nr"): op for op in ops if is_backward(op)}
    held = {}
    for op in ops:
        until = last.get(op.meta.get("seq_nr"))
        position = _KEEPS.get(op.target.overloadpacket)
        if position is not None and until is not None and not is_backward(op):
            held.setdefault(until, []).append(op.args[position])
    return held
