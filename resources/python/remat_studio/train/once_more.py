# SPDX-License-Identifier: Apache-2.0
"""Gradients of gradients of a planned module: the model itself computes its call once more, in a graph of autograd."""

import torch
from torch.utils.weak import TensorWeakRef

from .errors import PlanError
from .telling import tell
from .written import autocast_as

_SAID = (
    "Gradients that are differentiated again (create_graph=True) are computed by the model itself, which runs its forward "
    "once more and holds all of it; the plan and its budget are for the rest of the step."
)
_RANDOM = (
    "A planned module that draws numbers or writes to buffers has no gradients of gradients; compute those with the model "
    "itself."
)
_GONE = "What a planned module was called with was freed or changed in place since; compute gradients of gradients before."


class Call:
    """The tensors of one call, held no longer than others hold them."""

    def __init__(self, tensors, given):
        self._all = [(TensorWeakRef(tensor), _version(tensor)) for tensor in (*tensors, *given)]
        self._count = len(tensors)

    def tensors(self):
        """Those of the graph and those of the call as they were; a PlanError where one is gone."""
        found = [reference() for reference, _ in self._all]
        for tensor, (_, version) in zip(found, self._all, strict=True):
            if tensor is None or _version(tensor) != version:
                raise PlanError(_GONE)
        return found[: self._count], found[self._count :]


def gradients(run, tensors, given, autocast, asker):
    """The gradient of each tensor or None, with a graph of its own, by those of the outputs that ``run(*tensors)`` gives.

    ``run`` is None where a second run would give others. ``autocast`` is what ``written.autocast_now`` gave at the call.
    """
    if run is None:
        raise PlanError(_RANDOM)
    tell(_SAID, asker)
    with autocast_as(autocast):
        outputs = run(*tensors)
    pairs = [(out, grad) for out, grad in zip(outputs, given, strict=True) if grad is not None and out.requires_grad]
    wanted = [tensor for tensor in tensors if tensor.requires_grad]
    if not pairs or not wanted:
        return [None] * len(tensors)
    ends, seeds = zip(*pairs, strict=True)
    found = iter(torch.autograd.grad(ends, wanted, seeds, create_graph=True, allow_unused=True))
    return [next(found) if tensor.requires_grad else None for tensor in tensors]


def _version(tensor):
    return None if tensor.is_inference() else tensor._version
