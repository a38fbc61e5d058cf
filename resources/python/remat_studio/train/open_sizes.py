# SPDX-License-Identifier: Apache-2.0
"""The largest size of a step that a cut for open sizes holds its budget at."""

import functools

from .. import torch_private
from .inductor_peak import inductor_peak

_MOST = 64  # times the size that was planned


def largest(module, cut, outputs, planned, budget_bytes):
    """``{"planned": 256, "holds_to": 301}`` by exact peaks, each of a run without data; 0 where it holds at no size.

    Lists where several sizes are open, each grown with the others as planned. None where one follows from others, or
    where convolutions have copies made that depend on them. ``outputs`` is how many the forward of the cut has without
    what it saves.
    """
    symbols = torch_private.open_symbols(module)
    if len(symbols) != len(planned) or cut.peak.relaid_bytes:
        return None

    halves = cut.forward, cut.backward, outputs

    def holds(symbol, size, number):
        beside = cut.beside.scaled(max(number / size, 1))
        with torch_private.counting_as(symbol, number):
            return beside.peak_with(inductor_peak(*halves, is_retained=beside.is_retained)) <= budget_bytes

    is_held = holds(symbols[0], planned[0], planned[0])
    most = [_most(functools.partial(holds, *each), each[1], is_held) for each in zip(symbols, planned, strict=True)]
    return {"planned": planned[0], "holds_to": most[0]} if len(most) == 1 else {"planned": planned, "holds_to": most}


def _most(holds, size, is_held):
    """The largest number that ``holds``; ``is_held`` says whether the size does."""
    low, high = (size, 2 * size) if is_held else (0, size)
    while high <= _MOST * size and low and holds(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
