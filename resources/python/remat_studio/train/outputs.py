# SPDX-License-Identifier: Apache-2.0
"""What a model gives, taken apart into tensors and put together again."""

import copy
import dataclasses

import torch

from ..torch_private import pytree
from .telling import tell

PLAIN = (type(None), bool, int, float, str)


class Outputs:
    """The different tensors of an output in their order, and where each belongs.

    Where the model computes a loss, only that one's gradient is planned for: the gradients of the others would be
    zeros as large as they are. ``is_differentiable`` says of each tensor whether the model gives it a gradient,
    ``is_planned`` whether the plan does.
    """

    def __init__(self, output, given=(), plans_all=False):
        """``given`` are the tensors that the model starts from; outputs that share memory with them are copies.

        With ``plans_all`` what stands beside a loss has a gradient, too.
        """
        self._fields = _fields(output)
        self._like = output if self._fields else None
        leaves, self._spec = pytree.tree_flatten(self._fields or output)
        loss = _loss(output)
        self._slots, self._leaves, self.tensors = [], [], []
        places = {}
        for leaf in leaves:
            if isinstance(leaf, torch.Tensor) and id(leaf) not in places:
                places[id(leaf)] = len(self.tensors)
                self.tensors.append(leaf)
            self._slots.append(places.get(id(leaf)) if isinstance(leaf, torch.Tensor) else None)
            self._leaves.append(leaf if isinstance(leaf, PLAIN) else None)
            if not isinstance(leaf, (torch.Tensor, *PLAIN)):
                tell(f"A planned module leaves out the {type(leaf).__name__} that the model gives beside its tensors.")
        self.is_differentiable = [tensor.requires_grad for tensor in self.tensors]
        self.is_planned = [
            tensor.requires_grad and (plans_all or loss is None or tensor is loss) for tensor in self.tensors
        ]
        taken = {_storage(tensor) for tensor in given}
        self.tensors = [
            _apart(tensor, taken) if planned else tensor.detach()
            for tensor, planned in zip(self.tensors, self.is_planned, strict=True)
        ]

    def forget_tensors(self):
        """Let go of the tensors of the trace; returns how many there are."""
        count, self.tensors = len(self.tensors), None
        if self._like is not None:
            self._like = copy.copy(self._like)
            for name in self._fields:
                setattr(self._like, name, None)
            self._fields = dict.fromkeys(self._fields)
        return count

    def together(self, tensors):
        """The output that has these tensors in their places."""
        leaves = [
            leaf if slot is None else tensors[slot] for leaf, slot in zip(self._leaves, self._slots, strict=True)
        ]
        made = pytree.tree_unflatten(leaves, self._spec)
        if self._like is None:
            return made
        output = copy.copy(self._like)
        for name, value in made.items():
            setattr(output, name, value)
        return output


def _apart(tensor, taken):
    """The tensor, or a copy where one before it has its memory: AOTAutograd captures no gradient for such an output."""
    storage = _storage(tensor)
    if storage is not None and storage in taken:
        return tensor.clone()
    taken.add(storage)
    return tensor


def _storage(tensor):
    return tensor.untyped_storage()._cdata if tensor.layout is torch.strided else None


def _fields(output):
    """The fields of a dataclass that PyTorch's trees do not know, or None."""
    if not dataclasses.is_dataclass(output) or type(output) in pytree.SUPPORTED_NODES or isinstance(output, dict):
        return None
    return {field.name: getattr(output, field.name) for field in dataclasses.fields(output)}


def _loss(output):
    """The loss that the model computes by itself, or None."""
    own = output.get("loss") if isinstance(output, dict) else getattr(output, "loss", None)
    if own is None and isinstance(output, torch.Tensor):
        own = output
    is_loss = isinstance(own, torch.Tensor) and own.numel() == 1 and own.requires_grad
    return own if is_loss else None
