# SPDX-License-Identifier: Apache-2.0
"""One kind of step of a ``chains.Chain``: which of its regions run, in which order, and what is picked for them."""

import collections
import dataclasses

from . import between, memory, regions, torch_private
from .passes import Passes
from .session import TRIES


@dataclasses.dataclass
class Link:
    """One run of a region, and what ``fully_shard`` held beside it."""

    place: object
    digest: str
    forward: torch_private.Sharded
    backward: torch_private.Sharded | None = None


class RegionStep:
    """The runs of regions in the order of their forwards, with an option for each once they are picked.

    What was measured before, between and behind the regions is ``around`` them: an option for each such place.
    """

    def __init__(self):
        self.links = []
        self.around = []
        self.picks = ()
        self.record = None  # of the last choice
        self.measured = 0  # how often it was
        self.tries = 0
        self.has_run = False  # by the last choice
        self._order = []  # its passes, as ``Passes`` takes them

    @property
    def digests(self):
        """What tells this kind of step from others."""
        return tuple(link.digest for link in self.links)

    @property
    def has_gone_back(self):
        """True where a region of it had a backward."""
        return any(link.backward is not None for link in self.links)

    @property
    def is_due(self):
        """True where the next step of this kind is to be measured, if it compiles nothing."""
        return self.has_run and "measured" not in self.record and self.tries < TRIES

    def ran(self, place, digest):
        """The forward of a region ran."""
        self._order.append((True, len(self.links)))
        self.links.append(Link(place, digest, torch_private.sharded_now()))

    def went_back(self, digest):
        """The backward of a region ran."""
        waiting = [i for i, link in enumerate(self.links) if link.digest == digest and link.backward is None]
        if waiting:
            self.links[waiting[-1]].backward = torch_private.sharded_now()
            self._order.append((False, waiting[-1]))

    def candidates(self, known, fixed, is_solved=True):
        """For each run the options to pick from: those ``known`` of its graph, or the one that is ``fixed`` for it.

        Before that is solved, a further run of a graph has the option of the last one that is fixed.
        """
        runs, found = collections.Counter(), []
        for link in self.links:
            key = link.place, link.digest
            own = fixed.get(key, [])
            found.append(own[runs[key] :][:1] or (not is_solved and own[-1:]) or known[link.digest])
            runs[key] += 1
        return found

    def picked(self, picks=None):
        """The options of each graph at its place, in the order of its runs: of the last choice, or of these picks."""
        found = {}
        for link, option in zip(self.links, picks or self.picks, strict=False):
            found.setdefault((link.place, link.digest), []).append(option)
        return found

    def plain(self, known):
        """The option without a plan of each run."""
        return [max(known[link.digest], key=lambda option: option.ratio) for link in self.links]

    def choose(self, candidates, budget_bytes):
        """The regions.Chosen of the fastest cuts within the budget; None where none fit."""
        return self._without_around(regions.choose(self._with_around(candidates), budget_bytes, *self._all()))

    def smallest(self, candidates):
        """The regions.Chosen of the cuts with the least peak."""
        return self._without_around(regions.smallest(self._with_around(candidates), *self._all()))

    def uniform(self, candidates, budget_bytes):
        """The fastest choice within the budget that has one option for all equal regions; None where none fits."""
        digests = self.digests
        repeated = [digests.count(digest) > 1 for digest in digests]
        several = [region for region, is_repeated in zip(candidates, repeated, strict=True) if is_repeated]
        found = []
        for name in {option.name for region in several for option in region}:
            alike = [
                [option for option in region if option.name == name] if is_repeated else region
                for region, is_repeated in zip(candidates, repeated, strict=True)
            ]
            found.append(self.choose(alike, budget_bytes) if all(alike) else None)
        return min((each for each in found if each), key=lambda each: each.time_us, default=None)

    def peak_of(self, picks):
        """What the step holds by these, with what runs around them."""
        return regions.peak_of(between.joined(self.around, picks), *self._all())

    def peak_alone(self, picks):
        """What the regions hold by these."""
        return regions.peak_of(picks, self._beside(), Passes.of(self._order))

    def around_of(self, measured, is_last, asker):
        """What a measured step shows to run around the regions, as tuples; None where it shows nothing.

        Of the ``is_last`` that is measured something is taken all the same, which the asker is told.
        """
        sizes = [(each.forward_bytes, each.kept_bytes, each.backward_bytes, each.gradient_bytes) for each in self.picks]
        uses = [memory.Use(*each) for each in sizes]
        found = between.uses(measured, list(self.digests), uses, regions.gradients_from(self.picks), self._beside())
        if not found and is_last:
            found = between.all_along(measured, len(self.picks), self.peak_alone(self.picks), asker)
        return found and [dataclasses.astuple(use) for use in found]

    def _with_around(self, candidates):
        return between.joined([[option] for option in self.around], candidates)

    def _without_around(self, chosen):
        if chosen and self.around:
            return dataclasses.replace(chosen, picks=chosen.picks[1::2])
        return chosen

    def _all(self):
        """What lies beside the regions and the places around them, and in which order all of these run."""
        passes = Passes.of(self._order)
        beside = between.joined([(0, 0)] * len(self.around), self._beside())
        return beside, passes.with_places() if self.around else passes

    def _beside(self):
        """For each run what is held beside its forward and its backward, of which gradients of later ones are left."""
        old = self.links[0].forward.gradients
        found = []
        for link in self.links:
            back = link.backward or torch_private.Sharded()
            new = max(back.gradients - old, 0)  # those of batches before are added to in place
            found.append((link.forward.buffers, back.buffers + new - back.reduced))
        return found
