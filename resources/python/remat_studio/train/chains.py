# SPDX-License-Identifier: Apache-2.0
"""Regions of a step, compiled one by one by Inductor, whose cuts are chosen together once their order is known."""

import dataclasses
import hashlib

from .. import sizes
from . import history, regions, torch_private
from .backend import fix_shapes
from .errors import PlanError
from .session import Waiting, backward_of, forward_of
from .telling import tell


@dataclasses.dataclass
class _Link:
    """One run of a region, and what ``fully_shard`` held beside it."""

    place: object
    digest: str
    forward: torch_private.Sharded
    backward: torch_private.Sharded | None = None

    @property
    def key(self):
        """The same for runs that have one option."""
        return self.place, self.digest


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
        self._step = []  # links in the order of the forwards
        self._waiting = Waiting()

    @property
    def is_in_flight(self):
        """True between the forward of a region and the last backward, in the first step."""
        return bool(self._waiting.parts())

    @property
    def length(self):
        """How many runs of regions the first step had."""
        return len(self._step)

    def _ran(self, place, digest, saved):
        """The forward of a region ran, with a backward to come."""
        if not self.is_solved:
            if not self.is_in_flight:
                self._step = []  # the forwards before had no backward
            self._waiting.begins(digest, saved)
            self._step.append(_Link(place, digest, torch_private.sharded_now()))

    def _went_back(self, digest):
        """The backward of a region ran."""
        if self.is_solved or not self._step:
            return
        links = [link for link in self._step if link.digest == digest and link.backward is None]
        if links:
            links[-1].backward = torch_private.sharded_now()
        if self._waiting.ends(digest):
            self._ends()

    def solve(self):
        """Pick the fastest cuts within the budget for the step that ran, or the smallest, and say so."""
        self.is_solved = True
        chain = [self.known[link.digest] for link in self._step]
        keys, beside = [link.key for link in self._step], self._beside()
        plain = [max(region, key=lambda option: option.ratio) for region in chain]
        before = regions.peak_of(plain, beside)
        budget = self.options.budget.of(before)
        chosen = regions.choose_alike(chain, keys, budget, beside)
        if chosen is None:
            chosen = regions.smallest(chain, keys, beside)
            sentence = (
                f"No choice of cuts holds {sizes.exact_text(budget)}; the smallest exact peak of these {self.names} is "
                f'{sizes.exact_text(chosen.peak_bytes)}: "{chosen.peak_bytes}B".'
            )
            if self.options.strict:
                raise PlanError(sentence)
            tell(f"{sentence} The step runs with that; strict=True refuses it.", self)
        uniform = _uniform(keys, chain, budget, beside)
        history.add(self._record(chain, plain, before, budget, chosen, uniform))
        for link, option in zip(self._step, chosen.picks, strict=True):
            one = self.picks.setdefault(link.place, {})
            # A region that runs twice has one cut.
            one[link.digest] = min(one.get(link.digest, option), option, key=lambda each: each.kept_bytes)

    def _beside(self):
        """For each link what is held beside its forward and its backward, of which gradients of later ones are left."""
        old = self._step[0].forward.gradients
        found = []
        for link in self._step:
            back = link.backward or torch_private.Sharded()
            new = max(back.gradients - old, 0)  # those of batches before are added to in place
            found.append((link.forward.buffers, back.buffers + new - back.reduced))
        return found

    def compile(self, place, picks, module, example_inputs, patches=None):
        """Inductor's function for a region, cut by one of ``picks``; ``place()`` is asked for when it runs."""
        fix_shapes(example_inputs, self)
        part = _partitioner(self, picks)

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

    def _record(self, chain, plain, before, budget, chosen, uniform):
        return {
            "graph": {"name": self.names},
            "budget": self.options.budget.text,
            "budget_bytes": budget,
            "predicted": {
                "peak_bytes": chosen.peak_bytes,
                "time_us": chosen.time_us,
                "keep_all_peak_bytes": before,
                "keep_all_time_us": sum(option.time_us for option in plain),
                "uniform_time_us": uniform and uniform.time_us,
            },
            "before_bytes": before,
            "choices": [
                {"block": link.place, "cut": option.name, "kept_bytes": option.kept_bytes}
                for link, option in zip(self._step, chosen.picks, strict=True)
            ],
            "options": [[option.name for option in region] for region in chain],
        }


def _partitioner(chain, picks):
    class Cutter(torch_private.CustomPartitionerFn):
        """Cuts one region as it was picked; explores a new one, and takes what keeps least."""

        digest = None

        def __call__(self, module, joint_inputs, **arguments):
            self.digest = hashlib.sha256(str(module.graph).encode()).hexdigest()
            if self.digest in picks:
                return regions.make(picks[self.digest], module, joint_inputs, arguments)
            if chain.is_solved:
                tell(
                    f"One of the {chain.names} came with another graph or shape than in the first step, and runs with "
                    "the cut that keeps least; give batches of one shape.",
                    chain,
                )
            explored = regions.explore(module, joint_inputs, arguments, chain.options)
            chain.known[self.digest] = [option for option, _ in explored]
            _, cut = min(explored, key=lambda pair: (pair[0].kept_bytes, pair[0].time_us))
            return cut.forward, cut.backward

        def __reduce__(self):
            return str, ("remat",)

        def uuid(self):
            return "remat"

    return Cutter()


def _uniform(keys, chain, budget_bytes, beside):
    """The fastest choice within the budget that has one option for all equal regions; None where none fits."""
    digests = [digest for _, digest in keys]
    repeated = [digests.count(digest) > 1 for digest in digests]
    several = [region for region, is_repeated in zip(chain, repeated, strict=True) if is_repeated]
    names = {option.name for region in several for option in region}
    found = []
    for name in names:
        alike = [
            [option for option in region if option.name == name] if is_repeated else region
            for region, is_repeated in zip(chain, repeated, strict=True)
        ]
        found.append(regions.choose(alike, budget_bytes, beside) if all(alike) else None)
    return min((each for each in found if each), key=lambda each: each.time_us, default=None)
