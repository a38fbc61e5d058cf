# SPDX-License-Identifier: Apache-2.0
"""Makes the capture see the kernels that eager PyTorch calls, and none that only the CPU has."""

import contextlib
from unittest import mock

import torch

from . import torch_private
from .autocast import one_cast_a_weight
from .ctc import ctc_losses
from .layouts import as_kernels_lay_out
from .norms import as_kernels_keep_statistics
from .packed import packed_sequences
from .recurrent import steps_noted
from .torch_private import DispatchKey, grouped_mm_output, meta_grouped_mm, op_implementations_dict

_aten = torch.ops.aten

# While PyTorch traces, it replaces these operators by others, written in Python. Eager mode runs their own kernels.
_OPERATORS_WITH_STAND_INS = (
    *(f"upsample_{kind}" for kind in ("nearest1d", "nearest2d", "nearest3d", "linear1d", "bilinear2d", "trilinear3d")),
    *(f"_upsample_nearest_exact{dims}d" for dims in (1, 2, 3)),
    *("upsample_bicubic2d", "_upsample_bilinear2d_aa", "_upsample_bicubic2d_aa"),
    *("lstm", "gru", "rnn_tanh", "rnn_relu"),
    *("matmul", "multi_margin_loss", "multilabel_margin_loss_forward", "hardshrink", "softshrink", "stft", "istft"),
)
_REPLACING_KEYS = (DispatchKey.Autograd, DispatchKey.CompositeImplicitAutograd)


def _dropout(tensor, p, train):
    """GPUs' kernel where something is dropped; else the tensor itself, which PyTorch copies while tracing."""
    return _aten.native_dropout(tensor, p, train)[0] if train and p > 0 and tensor.numel() else tensor


def _grouped_mm(fake_mode, _op, first, second, offsets=None, bias=None, out_dtype=None):
    """What the kernel of experts gives: PyTorch's description refuses all but bfloat16, which kernels do not."""
    with fake_mode:
        if first.dtype is torch.bfloat16:
            return meta_grouped_mm(first, second, offsets, bias, out_dtype)
        return grouped_mm_output(first, second, offsets, out_dtype)


_OURS = {_aten.dropout.default: _dropout}


@contextlib.contextmanager
def as_in_eager_mode():
    """While this is open, operators run as in eager mode, without oneDNN's fused layers, which it gives a list of."""
    onednn = torch_private.has_onednn()
    removed = [(overload, key) for overload in _overloads() for key in _REPLACING_KEYS if key in overload.py_kernels]
    kernels = [(overload, key, overload.py_kernels.pop(key)) for overload, key in removed]
    for overload, key in removed:
        if overload in _OURS:
            overload.py_kernels[key] = _OURS[overload]
        overload._dispatch_cache.clear()
    torch_private.use_onednn(False)
    op_implementations_dict[_aten._grouped_mm.default] = _grouped_mm
    try:
        with (
            one_cast_a_weight(),
            packed_sequences(),
            ctc_losses(),
            as_kernels_lay_out(),
            as_kernels_keep_statistics(),
            steps_noted(onednn) as stepped,
        ):
            yield stepped
    finally:
        del op_implementations_dict[_aten._grouped_mm.default]
        torch_private.use_onednn(onednn)
        for overload, key, kernel in kernels:
            overload.py_kernels[key] = kernel
            overload._dispatch_cache.clear()


@contextlib.contextmanager
def as_written():
    """While this is open, parts of the model under torch.compile run as they are written, and all that draws stays.

    What nobody reads has drawn numbers, too, so that later ops draw others.
    """
    stays, inside = torch_private.draws_kept(), torch_private.with_compiled_parts()
    with stays, inside, torch.compiler.set_stance("force_eager"):
        yield


@contextlib.contextmanager
def as_dynamo_writes():
    """While this is open, scaled sums in place are a product and a sum, as Dynamo writes them down."""

    def around(name, product):
        original = getattr(torch.Tensor, name)

        def run(tensor, *args, **kwargs):
            scale = kwargs.pop("alpha" if name == "add_" else "value", None)
            if scale is None:
                return original(tensor, *args, **kwargs)
            return tensor.add_(torch.mul(product(*args, **kwargs), scale))

        return mock.patch.object(torch.Tensor, name, run)

    with around("add_", lambda other: other), around("addcmul_", torch.mul), around("addcdiv_", torch.div):
        yield


def _overloads():
    yield from _OURS
    for name in _OPERATORS_WITH_STAND_INS:
        packet = getattr(_aten, name)
        yield from (getattr(packet, overload) for overload in packet.overloads())
