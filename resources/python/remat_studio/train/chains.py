# SPDX-License-Identifier: Apache-2.0
"""Regions of a step, compiled one by one by Inductor, whose cuts are chosen together once their order is known."""

import hashlib

from .. import sizes
from . import history, regions, torch_private
from .backend import fix_shape
from .errors import PlanError
from .session import Waiting, backward_of, forward_of
from .telling import tell


class Chain:
    """The regions of a step, in the order of their forwards, and what is picked for them.

    Each region has a place: one compilation, which may run several times in a step. The first step runs with the least
    that each can keep, and shows the order; then ``ends()`` is called. ``names`` is what the regions are to the user.
    """

    def __init__(self, read, names, ends):
        self.options = read
        self.names = names
        self._ends = ends
        self.is_solved = False
        self.picks = {}  # place -> {digest of a joint graph: its option}
        self.known = {}  # digest -> its options
        self._step = []  # (place, digest) in the order of the forwards
        self._waiting = Waiting()

    @property
    def is_in_flight(self):
        """True between the forward of a region and the last backward, in the first step."""
        return bool(self._waiting.parts())

    @property
    def places(self):
        """The places of the first step, each once, in their order."""
        return list(dict.fromkeys(place for place, _ in self._step))

    def _ran(self, place, digest, saved):
        """The forward of a region ran, with a backward to come."""
        if not self.is_solved:
            if not self.is_in_flight:
                self._step = []  # the forwards before had no backward
            self._waiting.begins(digest, saved)
            self._step.append((place, digest))

    def _went_back(self, digest):
        """The backward of a region ran."""
        if not self.is_solved and self._step and self._waiting.ends(digest):
            self._ends()

    def solve(self):
        """Pick the fastest cuts within the budget for the step that ran, or the smallest, and say so."""
        self.is_solved = True
        chain = [self.known[digest] for _, digest in self._step]
        plain = [max(region, key=lambda option: option.ratio) for region in chain]
        before = regions.peak_of(plain)
        budget = self.options.budget.of(before)
        chosen = regions.choose_alike(chain, self._step, budget)
        if chosen is None:
            chosen = regions.smallest(chain, self._step)
            sentence = (
                f"No choice of cuts holds {sizes.exact_text(budget)}; the smallest exact peak of these {self.names} is "
                f'{sizes.exact_text(chosen.peak_bytes)}: "{chosen.peak_bytes}B".'
            )
            if self.options.strict:
                raise PlanError(sentence)
            tell(f"{sentence} The step runs with that; strict=True refuses it.", self)
        history.add(self._record(chain, plain, budget, chosen))
        for (place, digest), option in zip(self._step, chosen.picks, strict=True):
            one = self.picks.setdefault(place, {})
            # A region that runs twice has one cut.
            one[digest] = min(one.get(digest, option), option, key=lambda each: each.kept_bytes)

    def compile(self, place, picks, module, example_inputs, patches=None):
        """Inductor's function for a region, cut by one of ``picks``; ``place()`` is asked for when it runs."""
        for value in example_inputs:
            fix_shape(value)
        part = _partitioner(self, picks, torch_private.gathered_bytes(module))

        def inner(graph, inputs, **settings):
            compiled = torch_private.compile_fx_inner(graph, inputs, **settings)
            if settings.get("is_inference") or part.digest is None:
                return compiled
            if settings.get("is_backward"):
                return backward_of(compiled, lambda: self._went_back(part.digest))
            return forward_of(compiled, lambda saved: self._ran(place(), part.digest, saved))

        with torch_private.aot_settings(enable_autograd_cache=False):
            patches = {**(patches or {}), "custom_partitioner_fn": part}
            return torch_private.compile_fx(module, example_inputs, inner, config_patches=patches)

    def _record(self, chain, plain, budget, chosen):
        uniform = _uniform(self._step, chain, budget)
        return {
            "graph": {"name": self.names},
            "budget": self.options.budget.text,
            "budget_bytes": budget,
            "predicted": {
                "peak_bytes": chosen.peak_bytes,
                "time_us": chosen.time_us,
                "keep_all_peak_bytes": regions.peak_of(plain),
                "keep_all_time_us": sum(option.time_us for option in plain),
                "uniform_time_us": uniform and uniform.time_us,
            },
            "before_bytes": regions.peak_of(plain),
            "choices": [
                {"block": place, "cut": option.name, "kept_bytes": option.kept_bytes}
                for (place, _), option in zip(self._step, chosen.picks, strict=True)
            ],
            "options": [[option.name for option in region] for region in chain],
        }


def _partitioner(chain, picks, gathered_bytes):
    class Cutter(torch_private.CustomPartitionerFn):
        """Cuts one region as it was picked; explores a new one, and takes what keeps least."""

        digest = None

        def __call__(self, module, joint_inputs, **arguments):
            self.digest = hashlib.sha256(f"{gathered_bytes}{module.graph}".encode()).hexdigest()
            if self.digest in picks:
                return regions.make(picks[self.digest], module, joint_inputs, arguments)
            if chain.is_solved:
                tell(
                    f"One of the {chain.names} came with another graph or shape than in the first step, and runs with "
                    "the cut that keeps least; give batches of one shape.",
                    chain,
                )
            explored = regions.explore(module, joint_inputs, arguments, chain.options)
            chain.known[self.digest] = [option.beside(gathered_bytes) for option, _ in explored]
            _, cut = min(explored, key=lambda pair: (pair[0].kept_bytes, pair[0].time_us))
            return cut.forward, cut.backward

        def __reduce__(self):
            return str, ("remat",)

        def uuid(self):
            return "remat"

    return Cutter()


def _uniform(step, chain, budget_bytes):
    """The fastest choice within the budget that has one option for all equal regions; None where none fits."""
    digests = [digest for _, digest in step]
    repeated = [digests.count(digest) > 1 for digest in digests]
    several = [region for region, is_repeated in zip(chain, repeated, strict=True) if is_repeated]
    names = {option.name for region in several for option in region}
    found = []
    for name in names:
        alike = [
            [option for option in region if option.name == name] if is_repeated else region
            for region, is_repeated in zip(chain, repeated, strict=True)
        ]
        found.append(regions.choose(alike, budget_bytes) if all(alike) else None)
    return min((each for each in found if each), key=lambda each: each.time_us, default=None)
