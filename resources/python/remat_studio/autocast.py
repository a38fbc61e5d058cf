# SPDX-License-Identifier: Apache-2.0
"""Keeps one copy of a weight in lower precision for all its uses, as autocast does in eager mode and not while tracing.

PyTorch's own cache looks for leaves of autograd, which the stand-ins of a capture are not.
"""

import contextlib
from unittest import mock

import torch

from . import torch_private
from .torch_private import DispatchKey

_TO = torch.ops.aten.to.dtype
_KEYS = {"cpu": DispatchKey.AutocastCPU, "cuda": DispatchKey.AutocastCUDA}


@contextlib.contextmanager
def one_cast_a_weight():
    """While this is open, a capture casts each weight once in a region of autocast, where eager mode's cache would."""
    casts = _Casts()
    before = dict(_TO.py_kernels)
    _TO.py_kernels[DispatchKey.CompositeImplicitAutograd] = casts.to
    _TO._dispatch_cache.clear()
    with contextlib.ExitStack() as stack:
        stack.callback(_TO._dispatch_cache.clear)
        stack.callback(_TO.py_kernels.update, before)
        stack.callback(_TO.py_kernels.clear)
        stack.enter_context(mock.patch.object(torch, "clear_autocast_cache", casts.clear))
        # Else the user's own choice (cache_enabled=False) is not seen.
        stack.enter_context(torch_private.autocast_cache_left())
        yield


class _Casts:
    """The copies of one region; it ends when the outermost context of autocast does."""

    def __init__(self):
        self._known = {}  # id of a weight, type and mode: the weight, so that its id stays its own, and its copy
        self._clear = torch.clear_autocast_cache

    def clear(self):
        """Forget all copies, PyTorch's own too."""
        self._known.clear()
        self._clear()

    def to(self, tensor, dtype, *args, **kwargs):
        """In place of ``aten.to``, with which autocast casts."""
        if not _is_kept(tensor, dtype):
            return _TO._op_dk(DispatchKey.CompositeImplicitAutograd, tensor, dtype, *args, **kwargs)
        key = id(tensor), dtype, torch.is_grad_enabled()
        if key not in self._known:
            cast = _TO._op_dk(DispatchKey.CompositeImplicitAutograd, tensor, dtype, *args, **kwargs)
            self._known[key] = tensor, cast
        return self._known[key][1]


def _is_kept(tensor, dtype):
    """By the rule of ``cached_cast`` in ATen/autocast_mode.cpp: a weight in float32, cast by autocast itself."""
    key = _KEYS.get(getattr(getattr(tensor, "device", None), "type", None))
    return (
        isinstance(tensor, torch.Tensor)
        and tensor.dtype is torch.float32
        and tensor.requires_grad
        and dtype in (torch.bfloat16, torch.float16)
        and key is not None
        and torch_private.is_key_excluded(key)  # as it is inside of an op of autocast
        and torch.is_autocast_cache_enabled()
        and _has_no_history(tensor)
    )


def _has_no_history(tensor):
    return tensor.grad_fn is None or not tensor.grad_fn.next_functions
