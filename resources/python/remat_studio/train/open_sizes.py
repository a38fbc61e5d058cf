# SPDX-License-Identifier: Apache-2.0
"""The largest size of a step that a cut for open sizes holds its budget at."""

from .. import torch_private
from .inductor_peak import inductor_peak

_MOST = 64  # times the size that was planned


def largest(module, cut, outputs, planned, budget_bytes):
    """``{"planned": 256, "holds_to": 301}`` by exact peaks, each of a run without data; 0 where it holds at no size.

    None where not just one size is open, or where convolutions have copies made that depend on it. ``outputs`` is how
    many the forward of the cut has without what it saves.
    """
    symbols = torch_private.open_symbols(module)
    if len(symbols) != 1 or cut.peak.relaid_bytes:
        return None
    (symbol,), (size, *_) = symbols, planned

    def holds(number):
        beside = cut.beside.scaled(max(number / size, 1))
        with torch_private.counting_as(symbol, number):
            return beside.peak_with(inductor_peak(cut.forward, cut.backward, outputs)) <= budget_bytes

    low, high = (size, 2 * size) if holds(size) else (0, size)
    while high <= _MOST * size and low and holds(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return {"planned": size, "holds_to": low}
