# SPDX-License-Identifier: Apache-2.0
"""Gives means and deviations that norms keep the type that a CPU's kernels give them, where an input is in half precision.

With weights in float32, as under autocast, these are in float32, too; PyTorch's formulas say half precision.
"""

import contextlib
import functools
from unittest import mock

import torch

from .torch_private import decomposition_table, op_implementations_dict, suggest_memory_format

_aten = torch.ops.aten
_OPS = (
    _aten.native_layer_norm.default,
    _aten.native_batch_norm.default,
    _aten._native_batch_norm_legit.default,
    _aten._native_batch_norm_legit.no_stats,
    _aten._native_batch_norm_legit_functional.default,
)
_HALF = (torch.bfloat16, torch.float16)


@contextlib.contextmanager
def as_kernels_keep_statistics():
    """While this is open, stand-ins of statistics have the type of those that kernels make."""
    tables = (decomposition_table, _of_formula), (op_implementations_dict, _of_implementation)
    with contextlib.ExitStack() as stack:
        for table, wrapped in tables:
            stack.enter_context(mock.patch.dict(table, {op: wrapped(table[op]) for op in _OPS if op in table}))
        stack.enter_context(mock.patch.dict(op_implementations_dict, {_aten.native_group_norm.default: _group_norm}))
        yield


def _of_formula(formula):
    @functools.wraps(formula)
    def run(*args, **kwargs):
        return _typed(formula(*args, **kwargs), args)

    return run


def _of_implementation(implementation):
    def run(fake_mode, op, *args, **kwargs):
        with fake_mode:
            return _typed(implementation(fake_mode, op, *args, **kwargs), args)

    return run


def _typed(made, args):
    if not _is_mixed(args):
        return made
    result, mean, deviation, *more = made
    return result, *(torch.empty_like(each, dtype=torch.float32) for each in (mean, deviation)), *more


def _group_norm(fake_mode, _op, tensor, weight, bias, rows, _channels, _pixels, groups, _epsilon):
    if not _is_mixed((tensor, weight, bias)):
        return NotImplemented
    with fake_mode:
        statistics = (torch.empty(rows, groups, dtype=torch.float32) for _ in range(2))
        return torch.empty_like(tensor, memory_format=suggest_memory_format(tensor)), *statistics


def _is_mixed(args):
    tensor, *others = [each for each in args if isinstance(each, torch.Tensor)]
    return tensor.device.type == "cpu" and tensor.dtype in _HALF and any(each.dtype not in _HALF for each in others)
