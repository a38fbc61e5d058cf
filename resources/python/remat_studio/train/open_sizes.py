# SPDX-License-Identifier: Apache-2.0
"""Peaks of a cut for open sizes at other ones than it was planned for, and up to which it holds its budget."""

import contextlib
import functools

from .. import torch_private
from .inductor_peak import inductor_peak

_MOST = 64  # times the size that was planned


def peaks(module, cut, outputs):
    """A function that gives the exact Peak of a cut at numbers for its open sizes, by a run without data.

    None where it is known of one size only together with others, or where convolutions have copies made that depend on
    them. ``outputs`` is how many the forward of the cut has without what it saves. The function may be called when the
    cut is compiled, and gives None for other sizes than those of this graph.
    """
    symbols = torch_private.open_symbols(module)
    if symbols is None or cut.peak.relaid_bytes:
        return None
    halves = torch_private.copied(cut.forward), torch_private.copied(cut.backward), outputs

    def peak_at(sizes):
        if len(sizes) != len(symbols):
            return None
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

    @functools.cache
    def peak(*sizes):
        lies = beside.scaled(max(1, *(number / size for number, size in zip(sizes, planned, strict=True))))
        return lies.peak_with(peak_at([*sizes]))

    most = [
        _most(lambda number, i=i: peak(*planned[:i], number, *planned[i + 1 :]), size, budget_bytes)
        for i, size in enumerate(planned)
    ]
    return {"planned": planned[0], "holds_to": most[0]} if len(most) == 1 else {"planned": planned, "holds_to": most}


def _most(peak_of, size, budget_bytes):
    """The largest number whose peak is within the budget, with few peaks, since each takes a lowering.

    Peaks grow about in proportion, so that the next number is where a line through two of them meets the budget.
    """
    low, high = (0, 0), (size, peak_of(size))
    while high[1] <= budget_bytes:  # the size that is planned does
        if high[0] == _MOST * size:
            return high[0]
        number = min(max(_meets(low, high, budget_bytes) + 1, high[0] + 1), _MOST * size)
        low, high = high, (number, peak_of(number))
    while high[0] - low[0] > 1:
        number = min(max(_meets(low, high, budget_bytes), low[0] + 1), high[0] - 1)
        found = number, peak_of(number)
        before = high[0] - low[0]
        low, high = (found, high) if found[1] <= budget_bytes else (low, found)
        if 2 * (high[0] - low[0]) > before and high[0] - low[0] > 2:  # bent: halve what is left
            found = (low[0] + high[0]) // 2, peak_of((low[0] + high[0]) // 2)
            low, high = (found, high) if found[1] <= budget_bytes else (low, found)
    return low[0]


def _meets(low, high, budget_bytes):
    """The number at which a line through two (number, peak) has a peak within the budget."""
    if high[1] <= low[1]:
        return _MOST * high[0]
    return low[0] + (budget_bytes - low[1]) * (high[0] - low[0]) // (high[1] - low[1])
