# SPDX-License-Identifier: Apache-2.0
"""What was said of missed budgets, and lies around graphs: a later process takes its code from PyTorch's caches."""

import dataclasses
import hashlib

import torch

from . import cache, ranks
from .beside import Beside


_UNKNOWN = (
    "PyTorch's caches have the code of a step that an earlier start planned, and what was noted of its plan is not in {} "
    "any more: the step runs as planned, and whether that holds the budget is not known. Empty TORCHINDUCTOR_CACHE_DIR "
    "to plan again."
)


class Ledger:
    """A folder with a file for the sentence of each graph of Dynamo's, and one for what lies beside it."""

    def __init__(self, folder):
        self._folder = folder

    def page(self, module, example_inputs, beside):
        """The file for a graph and its inputs, planned with ``beside``, which Inductor may change when it compiles."""
        values = (value for value in example_inputs if isinstance(value, torch.Tensor))
        inputs = [(str(value.dtype), str(value.device), list(map(str, value.shape))) for value in values]
        return self._folder / f"{hashlib.sha256(f'{beside}{inputs}{module.graph}'.encode()).hexdigest()[:32]}.json"

    def write(self, page, missed, peak_bytes):
        """Keep what is said of a plan, or None where it holds the budget, and what a step holds by it."""
        if ranks.is_first():
            cache.write_json(page, {"missed": missed, "peak_bytes": peak_bytes})

    def read(self, page):
        """What is said of a plan, None where it holds the budget; and what a step holds by it, 0 if unknown."""
        written = cache.read_json(page)
        if not isinstance(written, dict):
            return _UNKNOWN.format(self._folder.parent), 0
        return written.get("missed"), written.get("peak_bytes", 0)

    def write_around(self, page, found):
        """Keep the Beside that was measured of a graph, which is planned for what that leaves."""
        if ranks.is_first():
            cache.write_json(page, {"beside": dataclasses.asdict(found)})

    def around(self, page):
        """The Beside of a graph, where an earlier process had to plan for it; else None."""
        written = cache.read_json(page)
        return Beside.of_json(written["beside"]) if isinstance(written, dict) and "beside" in written else None
