# SPDX-License-Identifier: Apache-2.0
"""Halves of a step that Inductor has lowered in this process: an equal one is not lowered again."""

import collections
import time

import torch

from .. import torch_private

_MOST = 128  # texts that are kept, of some 100 KiB each
_known = collections.OrderedDict()  # text of a half -> it as lowered, and the processor time that this took
_worth = 0.0


def lowered(module, inputs, **how):
    """As ``torch_private.lower``, from memory where an equal half was lowered before. Under the compile lock."""
    global _worth
    settings = torch_private.inductor_settings(), sorted(how.items())
    key = str((str(module.graph), [_identity(value) for value in inputs], settings))
    if key in _known:
        _known.move_to_end(key)
        made, seconds = _known[key]
        _worth += seconds
        return made
    begin = time.process_time()
    made = torch_private.lower(module, inputs, **how)
    seconds = time.process_time() - begin
    _worth += seconds
    if not made.constants:  # they are tensors of the user's
        _known[key] = made, seconds
        if len(_known) > _MOST:
            _known.popitem(last=False)
    return made


def lowered_forward(module, inputs):
    """The same of a forward half."""
    return lowered(module, inputs, is_backward=False, user_outputs=torch_private.user_visible_outputs(module))


def worth():
    """Seconds of processor time that all halves asked for so far took, also those that were known."""
    return _worth


def forget():
    """Have every half lowered anew."""
    _known.clear()


def _identity(value):
    if isinstance(value, torch.Tensor):
        sizes = (*value.shape, *value.stride())
        return str(sizes), tuple(map(int, sizes)), value.dtype, str(value.device)
    return repr(value)
