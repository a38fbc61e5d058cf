# SPDX-License-Identifier: Apache-2.0
"""Finds the formulas of the backward pass whose parts eager PyTorch holds until the whole is computed."""

import re

import torch

from .pairing import is_backward
from .scopes import FUNCTION

# PyTorch's own functions, made from one expression each, are numbered (PowBackward0). Python's, whose values go with
# the last name for them, and those that write into a copy of the gradient are not.
_GENERATED = re.compile(r"\w+Backward\d+")

# Writes that are new tensors in a functional graph only: such a formula holds less than the graph makes of it.
_WRITES = {"copy", "as_strided_scatter", "diagonal_scatter", "index_put", "select_scatter", "slice_scatter"}


def in_formulas(ops):
    """The ops that are part of a formula of several: what it reads and makes stays until the function returns."""
    together = {}
    for op in ops:
        name = op.meta.get(FUNCTION) if is_backward(op) else None
        if name and _GENERATED.fullmatch(name):
            together.setdefault((name, op.meta.get("seq_nr")), []).append(op)
    return {
        op
        for group in together.values()
        if len(group) > 1 and not any(op.target.overloadpacket.__name__ in _WRITES for op in group)
        for op in group
        if not _fills_in_place(op, group)
    }


def is_custom(op):
    """Whether Python code of a custom ``autograd.Function`` runs an op of the backward pass.

    Without its name, as in graphs of Dynamo, the missing tag tells it: AOTAutograd tags what the engine's own run.
    """
    name = op.meta.get(FUNCTION)
    return not _GENERATED.fullmatch(name) if name else op.meta.get("partitioner_tag") is None


def _fills_in_place(op, group):
    """Whether eager mode fills what the formula made before (of a norm's zeros), where the graph has two tensors."""
    if op.target.overloadpacket is not torch.ops.aten.masked_fill:
        return False
    return op.args[0] in group and len(op.args[0].users) == 1
