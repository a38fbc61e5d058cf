# SPDX-License-Identifier: Apache-2.0
"""Peaks of a cut for open sizes at other ones than it was planned for, and up to which it holds its budget."""

import contextlib
import functools

from .. import torch_private
from .inductor_peak import inductor_peak

_MOST = 64  # times the size that was planned


def peaks(module, cut, outputs, planned):
    """A function that gives the exact Peak of a cut at numbers for its open sizes, by a run without data.

    None where one size follows from others, or where convolutions have copies made that depend on them. ``outputs`` is
    how many the forward of the cut has without what it saves. The function may be called when the cut is compiled.
    """
    symbols = torch_private.open_symbols(module)
    if len(symbols) != len(planned) or cut.peak.relaid_bytes:
        return None
    halves = torch_private.copied(cut.forward), torch_private.copied(cut.backward), outputs

    def peak_at(sizes):
        with contextlib.ExitStack() as stack:
            for symbol, number in zip(symbols, sizes, strict=True):
                stack.enter_context(torch_private.counting_as(symbol, number))
            return inductor_peak(*halves, is_retained=cut.beside.is_retained)

    return peak_at


def largest(peak_at, beside, planned, budget_bytes):
    """``{"planned": 256, "holds_to": 301}`` by exact peaks, with what is held beside the graph; 0 where it never holds.

    Lists where several sizes are open, each grown with the others as planned. ``peak_at`` is as ``peaks`` gives it, and
    None where that is.
    """
    if peak_at is None:
        return None

    def holds(index, number):
        lies = beside.scaled(max(number / planned[index], 1))
        return lies.peak_with(peak_at([*planned[:index], number, *planned[index + 1 :]])) <= budget_bytes

    is_held = holds(0, planned[0])
    most = [_most(functools.partial(holds, i), size, is_held) for i, size in enumerate(planned)]
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
