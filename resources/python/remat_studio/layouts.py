# SPDX-License-Identifier: Apache-2.0
"""Lays out results as a CPU's kernels do, where PyTorch's formulas for stand-ins keep the order of a transposed input.

A graph would take for a view what must be copied, and its run would end there.
"""

import contextlib
import functools
from unittest import mock

import torch

from .torch_private import (
    FakeTensorMode,
    compute_elementwise_output_strides,
    decomposition_table,
    op_implementations_dict,
    suggest_memory_format,
    without_modes,
    without_python_dispatcher,
)

_aten = torch.ops.aten
_AS_INPUT = {  # in order, or channels last where the input is; and where that stands among the arguments
    _aten.native_batch_norm.default: 0,
    _aten._native_batch_norm_legit.default: 0,
    _aten._native_batch_norm_legit.no_stats: 0,
    _aten._native_batch_norm_legit_functional.default: 0,
    _aten._native_batch_norm_legit_no_training.default: 0,
    _aten.native_batch_norm_backward.default: 1,
}
_IN_ORDER = (  # whatever comes
    _aten.log_sigmoid_forward.default,
    _aten.glu_backward.default,
    _aten.mse_loss_backward.default,
    _aten.smooth_l1_loss_backward.default,
    _aten.huber_loss_backward.default,
    _aten.native_layer_norm_backward.default,
    _aten._log_softmax_backward_data.default,
)
_BY_OPERANDS = (  # as one kernel goes over all tensors that it is given, the first before the others
    _aten.log_sigmoid_backward.default,
    _aten.softplus_backward.default,
    _aten.hardswish_backward.default,
    _aten.hardtanh_backward.default,
    _aten.logit_backward.default,
    _aten.native_dropout_backward.default,
)
_WITH_NUMBERS = (_aten.add.Tensor, _aten.sub.Tensor, _aten.mul.Tensor, _aten.div.Tensor)
_VIEW = _aten.view.default
_MOVED = (_aten.roll.default, _aten.channel_shuffle.default)  # in order, or channels last where the input is


@contextlib.contextmanager
def as_kernels_lay_out():
    """While this is open, stand-ins are laid out as kernels lay out tensors."""
    ours = {op: _with_layout(decomposition_table[op], op) for op in (*_AS_INPUT, *_IN_ORDER, *_BY_OPERANDS)}
    others = dict.fromkeys(_MOVED, _moved) | dict.fromkeys(_WITH_NUMBERS, _with_number) | _FFTS
    others[_VIEW] = functools.partial(_viewed, op_implementations_dict[_VIEW])
    with mock.patch.dict(decomposition_table, ours), mock.patch.dict(op_implementations_dict, others):
        FakeTensorMode.cache_clear()  # it has what PyTorch's own formulas gave
        try:
            yield
        finally:
            FakeTensorMode.cache_clear()


def _with_layout(formula, op):
    @functools.wraps(formula)
    def run(*args, **kwargs):
        made = formula(*args, **kwargs)
        all_made = [made] if isinstance(made, torch.Tensor) else list(made)
        if all(each is None or each.device.type != "cpu" for each in all_made):
            return made
        count = len(all_made) if op in _IN_ORDER else 1
        all_made[:count] = [each if each is None else _laid_out(each, op, args) for each in all_made[:count]]
        return all_made[0] if isinstance(made, torch.Tensor) else tuple(all_made)

    return run


def _laid_out(tensor, op, args):
    if op in _BY_OPERANDS:
        operands = [each for each in args if isinstance(each, torch.Tensor)]
        return tensor.new_empty_strided(tensor.shape, compute_elementwise_output_strides(*operands))
    layout = suggest_memory_format(args[_AS_INPUT[op]]) if op in _AS_INPUT else torch.contiguous_format
    return torch.empty_like(tensor, memory_format=layout)


def _moved(fake_mode, op, tensor, _how, *dims, **more):
    """What an operator gives that moves numbers; without dims a tensor is rolled as if it were one row, in order."""
    is_flat = op is _aten.roll.default and not (*dims, *more.values())
    in_order = is_flat or tensor.device.type != "cpu"
    with fake_mode:
        layout = torch.contiguous_format if in_order else suggest_memory_format(tensor)
        return torch.empty_like(tensor, memory_format=layout)


def _from_complex(fake_mode, _op, tensor, dims, *_how):
    return _transformed(fake_mode, tensor, tensor.shape, _by_stride(tensor, dims), tensor.dtype)


def _from_real(fake_mode, _op, tensor, dims, _norm, onesided):
    shape = list(tensor.shape)
    if onesided and dims:
        shape[dims[-1]] = shape[dims[-1]] // 2 + 1
    by_stride = [*_by_stride(tensor, dims[:-1]), *dims[-1:]]
    return _transformed(fake_mode, tensor, shape, by_stride, tensor.dtype.to_complex())


def _to_real(fake_mode, op, tensor, dims, _norm, size):
    if len(dims) > 1:
        tensor = _from_complex(fake_mode, op, tensor, dims[:-1])
    if tensor is NotImplemented or not dims:
        return NotImplemented
    shape = list(tensor.shape)
    shape[dims[-1]] = size
    return _transformed(fake_mode, tensor, shape, dims[-1:], tensor.dtype.to_real())


def _by_stride(tensor, dims):
    return sorted(dims, key=lambda dim: tensor.stride(dim), reverse=True)


def _transformed(fake_mode, tensor, shape, dims, dtype):
    """What MKL gives: other dims by their strides, and then the transformed ones."""
    if tensor.device.type != "cpu" or not dims or not torch.backends.mkl.is_available():
        return NotImplemented
    others = [dim for dim in range(tensor.dim()) if dim not in dims]
    order = [*_by_stride(tensor, others), *dims]
    with fake_mode:
        made = torch.empty([shape[dim] for dim in order], dtype=dtype)
        return made.permute([order.index(dim) for dim in range(tensor.dim())])


def _with_number(fake_mode, op, tensor, other, **more):
    """A kernel takes a number for a tensor without dims; formulas leave it out, and give one image other strides."""
    if isinstance(other, torch.Tensor) or not isinstance(tensor, torch.Tensor) or tensor.device.type != "cpu":
        return NotImplemented
    if not isinstance(other, int | float | complex) or not _may_be_one_image(tensor):
        return NotImplemented
    with fake_mode:
        return op(tensor, torch.tensor(other), **more)


def _may_be_one_image(tensor):
    return 1 in tensor.shape and tensor.dim() in (4, 5) and all(isinstance(each, int) for each in tensor.shape)


_FFTS = {_aten._fft_c2c.default: _from_complex, _aten._fft_r2c.default: _from_real, _aten._fft_c2r.default: _to_real}


def _viewed(as_pytorch_does, fake_mode, op, tensor, *size):
    """A view of one image, say: a convolution takes it for channels last by the stride of that dim, too."""
    view = as_pytorch_does(fake_mode, op, tensor, *size)
    if not _may_be_one_image(view):
        return view
    with without_modes(), without_python_dispatcher():
        strides = torch.empty_strided(tensor.shape, tensor.stride(), device="meta").view(view.shape).stride()
    with fake_mode:
        return view if strides == view.stride() else view.as_strided(view.shape, strides)
