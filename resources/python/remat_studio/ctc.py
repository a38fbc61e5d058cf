# SPDX-License-Identifier: Apache-2.0
"""Traces CTC losses for the lengths that are given: PyTorch's own formula reads numbers, which stand-ins have not."""

import contextlib
from unittest import mock

import torch

from .torch_private import DispatchKey, op_implementations_dict

_aten = torch.ops.aten
_KEYS = (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd)
_FORMULAS = (_aten.ctc_loss.IntList, _aten.ctc_loss.Tensor)
_MEAN, _SUM = 1, 2


@contextlib.contextmanager
def ctc_losses():
    """While this is open, a capture knows the lengths of a CTC loss."""
    for op in _FORMULAS:
        for key in _KEYS:
            op.py_kernels[key] = _loss
        op._dispatch_cache.clear()
    try:
        kernels = {_aten._ctc_loss.default: _kernel, _aten._ctc_loss_backward.default: _backward}
        with mock.patch.dict(op_implementations_dict, kernels):
            yield
    finally:
        for op in _FORMULAS:
            for key in _KEYS:
                del op.py_kernels[key]
            op._dispatch_cache.clear()


def _loss(scores, targets, input_lengths, target_lengths, blank=0, reduction=_MEAN, zero_infinity=False):
    """PyTorch's formula, by the same operators, for lengths as numbers."""
    batch = scores if scores.dim() == 3 else scores.unsqueeze(1)
    input_lengths, target_lengths = map(_numbers, (input_lengths, target_lengths))
    targets = targets.to(batch.device, torch.int64)
    losses, _ = _aten._ctc_loss(batch, targets, input_lengths, target_lengths, blank, zero_infinity)
    if zero_infinity:
        losses = torch.where(losses == float("inf"), losses.new_zeros(()), losses)
    if reduction == _MEAN:
        return (losses / torch.tensor(target_lengths, dtype=losses.dtype, device=losses.device).clamp_min(1)).mean()
    if reduction == _SUM:
        return losses.sum()
    return losses if scores.dim() == 3 else losses.squeeze(0)


def _numbers(lengths):
    lengths = lengths.tolist() if isinstance(lengths, torch.Tensor) else list(lengths)
    return lengths if isinstance(lengths, list) else [lengths]


def _kernel(fake_mode, _op, scores, _targets, _input_lengths, target_lengths, *_how, **_more):
    """The stand-ins for a loss for each sequence and for what its backward reads, in rows of 2 * target + 1 numbers."""
    steps, count = scores.shape[:2]
    with fake_mode:
        return scores.new_empty(count), scores.new_empty(count, steps, 2 * max(target_lengths, default=0) + 1)


def _backward(fake_mode, _op, _gradient, scores, *_more, **_named):
    with fake_mode:
        return torch.empty_like(scores, memory_format=torch.contiguous_format)
