# SPDX-License-Identifier: Apache-2.0
"""The cut that an earlier start chose for an equal step, on disk, so that it is made again without a search."""

import dataclasses
import hashlib

import torch

from .. import torch_private
from . import inductor_cuts, planner, ranks
from .cache import PlanCache


class Chosen:
    """The cut that was chosen for a graph within a budget, by all that decides about the search.

    It has "name", "origin", "steps" and "saves_as_given" of the cut, its "peak_bytes", the text of the graph that the
    steps are for as "base", and the "solver" and the "chunks" of a plan.
    """

    def __init__(self, as_json, budget_bytes, options, device):
        """``device`` is the name of the one whose rates count; PlanError where there is no executable."""
        beside = options.budget and dataclasses.astuple(options.budget.beside)
        how = [options.solver, options.time_limit, options.chunk, options.search_seconds, device, beside]
        made_by = [planner.version(), torch.__version__, str(torch_private.inductor_settings())]
        self._parts = ["inductor", as_json, budget_bytes, how, made_by]
        self._file = PlanCache(*self._parts)

    def read(self):
        """What was chosen; None where nothing was, or it cannot be read. All ranks get what rank 0 reads."""
        return ranks.shared_now(self._parts, 0, self._file.read)

    def write(self, cut, solver, chunks):
        """Keep the choice for further starts."""
        if ranks.is_first():
            self._file.write(
                {
                    "name": cut.name,
                    "origin": cut.origin,
                    "steps": cut.steps,
                    "saves_as_given": inductor_cuts.saves_as_given(cut),
                    "peak_bytes": cut.bytes,
                    "base": cut.graph and text_of(cut.graph),
                    "solver": solver,
                    "chunks": chunks,
                }
            )


def text_of(graph):
    """The same for StepGraphs that the same steps compute."""
    return hashlib.sha256(str(graph.graph).encode()).hexdigest()
