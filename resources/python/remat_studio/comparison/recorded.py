# SPDX-License-Identifier: Apache-2.0
"""Records what one step of plain PyTorch decides by values, for a trace that cannot know them; see decisions.py."""

import contextlib

import torch
from torch.overrides import TorchFunctionMode

from .. import decisions
from ..torch_private import TorchDispatchMode, pytree
from . import estimate, record, steps

_KERNELS = (record.DROPOUT, record.LOOPS, record.CHECKPOINTS, record.LAYERS)  # those of the graph draw other numbers


def decisions_of(plain, is_limited):
    """The decisions of a PlainStep with the kernels of a graph; None where it is limited, and takes too much."""
    seen = _Recorded(is_limited)

    @contextlib.contextmanager
    def within():
        with steps.with_kernels_of_graph(_KERNELS), _Lists(), seen:
            yield

    try:
        plain.run(within)
    except _TooMuch:
        return None
    return seen.decisions


class _TooMuch(Exception):
    pass


class _Recorded(TorchDispatchMode):
    def __init__(self, is_limited):
        super().__init__()
        self.decisions = []
        self._account = estimate.Account() if is_limited else None

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        masks = [mask.clone() for mask in decisions.masks_of(func, args)]
        out = func(*args, **kwargs)
        if self._account and not self._account.has_room_for(func, args, kwargs, out):
            raise _TooMuch
        kind = decisions.kind_of(func, args)
        if kind:
            self.decisions.append(_decision(kind, args, masks, out))
        return out


def _decision(kind, args, masks, out):
    asked = decisions.asked_by(kind, args)
    if kind == decisions.NUMBER:
        return decisions.Decision(asked, number=out)
    constants = masks or [leaf.clone() for leaf in pytree.tree_leaves(out)]
    made = None if kind == decisions.PUTS else pytree.tree_map_only(torch.Tensor, decisions.stand_in, out)
    return decisions.Decision(asked, constants=constants, made=made)


class _Lists(TorchFunctionMode):
    """Reads a tensor's numbers one by one, as a trace does: ``tolist`` of a real tensor calls no operator."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return _numbers(args[0]) if func is torch.Tensor.tolist else func(*args, **(kwargs or {}))


def _numbers(tensor):
    return [_numbers(part) for part in tensor] if tensor.dim() else tensor.item()
