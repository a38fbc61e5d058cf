# SPDX-License-Identifier: Apache-2.0
"""Attention as a GPU runs it: PyTorch's own choice among CUDA's kernels, made without a GPU while a model is traced.

The rules are those of ATen/native/transformers/cuda/sdp_utils.cpp for GPUs since Ampere. cuDNN's kernel, which some of
them prefer, keeps what flash attention keeps, and is taken only when it is named.
"""

import collections
import contextlib
import math

import torch

from .errors import TraceError
from .torch_private import DispatchKey

KERNELS = ("flash", "efficient", "cudnn", "math")
TARGETS = ("cuda", "cpu")

_aten = torch.ops.aten
_HALVES = (torch.float16, torch.bfloat16)
_OF_PYTORCH = dict(_aten.scaled_dot_product_attention.default.py_kernels)
_LARGEST_HEAD = 256  # limit of flash attention


@contextlib.contextmanager
def as_on(target, kernel=None):
    """While this is open, attention is what ``target`` runs; counts the calls of each kernel, and of those in float32
    that flash attention would take in half precision as ``float32``.

    ``kernel`` is taken wherever it can be. On the CPU PyTorch chooses.
    """
    taken = collections.Counter()
    overload = _aten.scaled_dot_product_attention.default

    def attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, *, scale=None, enable_gqa=False):
        chosen = _choice(query, key, value, attn_mask, is_causal, enable_gqa, kernel)
        taken[chosen] += 1
        shapes = query, key, value, attn_mask, is_causal, enable_gqa
        taken["float32"] += query.dtype is torch.float32 and chosen == "efficient" and not _flash_refuses(*shapes)
        return _CALLS[chosen](query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)

    before = dict(overload.py_kernels)
    overload.py_kernels.clear()
    overload.py_kernels.update(_OF_PYTORCH if target == "cpu" else {DispatchKey.CompositeImplicitAutograd: attention})
    overload._dispatch_cache.clear()
    try:
        yield taken
    finally:
        overload.py_kernels.clear()
        overload.py_kernels.update(before)
        overload._dispatch_cache.clear()


def sentence_of(taken):
    """What a person should know about the kernels that were taken, or None."""
    if not taken["float32"]:
        return None
    return (
        "Attention is in float32, for which a GPU takes its memory-efficient kernel; in bfloat16 or float16 it would take "
        "flash attention, and activations half the memory."
    )


def _choice(query, key, value, mask, is_causal, enable_gqa, wanted):
    shapes = query, key, value, mask, is_causal, enable_gqa
    refusals = {
        "flash": None if query.dtype in _HALVES else f"its tensors are {query.dtype}",
        "efficient": _efficient_refuses(*shapes),
        "cudnn": None if query.dtype in _HALVES else f"its tensors are {query.dtype}",
        "math": None,
    }
    refusals["flash"] = refusals["flash"] or _flash_refuses(*shapes)
    refusals["cudnn"] = refusals["cudnn"] or _cudnn_refuses(*shapes)
    if wanted is None:
        return next(kernel for kernel in ("flash", "efficient", "math") if refusals[kernel] is None)
    if refusals[wanted]:
        raise TraceError(
            f"The attention kernel {wanted} cannot run an attention of this model: {refusals[wanted]}. Leave --attention "
            "out, and each attention gets the kernel that PyTorch chooses on a GPU."
        )
    return wanted


def _flash_refuses(query, key, value, mask, is_causal, enable_gqa):
    """Why flash attention cannot, types aside; None if it can."""
    if mask is not None:
        return "it has a mask"
    if is_causal and query.size(-2) != key.size(-2):
        return "it is causal, and queries are not as many as keys"
    return _shapes_refuse(query, key, value) or _heads_refuse(query, key, value, enable_gqa)


def _shapes_refuse(query, key, value):
    if query.dim() != 4 or 0 in (*query.shape, *key.shape, *value.shape):
        return "its tensors are not of four dimensions with something in them"
    heads = {query.size(-1), key.size(-1), value.size(-1)}
    if len(heads) > 1 or max(heads) > _LARGEST_HEAD:
        return f"its heads are {' and '.join(map(str, sorted(heads)))} wide, over {_LARGEST_HEAD} or not the same"
    return None


def _heads_refuse(query, key, value, enable_gqa):
    batches = {query.size(0), key.size(0), value.size(0)}
    if len(batches) > 1:
        return "batches are not the same"
    same = query.size(1) == key.size(1) == value.size(1)
    grouped = enable_gqa and key.size(1) == value.size(1) and query.size(1) % key.size(1) == 0
    return None if same or grouped else "queries, keys and values have other numbers of heads"


def _cudnn_refuses(query, key, value, mask, is_causal, enable_gqa):
    if mask is not None and mask.requires_grad:
        return "its mask gets a gradient"
    if query.dim() == 4 and query.size(-1) % 8:
        return f"its heads are {query.size(-1)} wide, which is no multiple of 8"
    return _shapes_refuse(query, key, value) or _heads_refuse(query, key, value, enable_gqa)


def _efficient_refuses(query, key, value, mask, _is_causal, enable_gqa):
    """Why the memory-efficient kernel cannot; None if it can."""
    if query.dtype not in (*_HALVES, torch.float32):
        return f"its tensors are {query.dtype}"
    if query.dim() != 4 or 0 in (*query.shape, *key.shape, *value.shape):
        return "its tensors are not of four dimensions with something in them"
    if len({tensor.size(1) for tensor in (query, key, value)}) > 1 or enable_gqa and query.size(1) != key.size(1):
        return "queries, keys and values have other numbers of heads"
    alignment = 8 if query.dtype in _HALVES else 4
    for width in (query.size(-1), value.size(-1)):
        if width % alignment:
            return f"its heads are {width} wide, which is no multiple of {alignment}"
    return None


def _bias(mask, query, key):
    """A mask as CUDA's kernels take it: added, of all four dimensions, in rows that are aligned to 16 numbers."""
    if mask is None:
        return None
    if mask.dtype is torch.bool:
        mask = torch.where(mask.logical_not(), float("-inf"), 0.0).to(query.dtype)
    over = mask.size(-1) % 16
    if over:
        mask = torch.nn.functional.pad(mask, [0, 16 - over])[..., : mask.size(-1)]
    return mask.expand(query.size(0), query.size(1), query.size(2), key.size(2))


def _flash(query, key, value, _mask, dropout_p, is_causal, scale, _enable_gqa):
    width = query.size(-1)
    scale = 1 / math.sqrt(width) if scale is None else scale
    if width % 8:
        query, key, value = (torch.nn.functional.pad(x, [0, 8 - width % 8]) for x in (query, key, value))
    out = _aten._scaled_dot_product_flash_attention.default(
        query, key, value, dropout_p, is_causal, False, scale=scale
    )[0]
    return out[..., :width] if width % 8 else out


def _efficient(query, key, value, mask, dropout_p, is_causal, scale, _enable_gqa):
    needs_sum = any(x.requires_grad for x in (query, key, value) + (() if mask is None else (mask,)))
    bias = _bias(mask, query, key)
    return _aten._scaled_dot_product_efficient_attention.default(
        query, key, value, bias, needs_sum, dropout_p, is_causal, scale=scale
    )[0]


def _cudnn(query, key, value, mask, dropout_p, is_causal, scale, _enable_gqa):
    bias = _bias(mask, query, key)
    return _aten._scaled_dot_product_cudnn_attention.default(
        query, key, value, bias, True, dropout_p, is_causal, False, scale=scale
    )[0]


def _math(query, key, value, mask, dropout_p, is_causal, scale, enable_gqa):
    if mask is not None and mask.dtype is torch.bool:
        mask = torch.where(mask.logical_not(), float("-inf"), 0.0).to(query.dtype)
    return _aten._scaled_dot_product_attention_math.default(
        query, key, value, mask, dropout_p, is_causal, None, scale=scale, enable_gqa=enable_gqa
    )[0]


_CALLS = {"flash": _flash, "efficient": _efficient, "cudnn": _cudnn, "math": _math}
