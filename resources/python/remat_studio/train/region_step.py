# SPDX-License-Identifier: Apache-2.0
"""One kind of step of a ``chains.Chain``: which of its regions run, in which order, and what is picked for them."""

import collections
import dataclasses

from .. import torch_private
from . import between, memory, regions
from .held_outputs import GivenOutputs
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
        self._measured_picks = ()  # by which it was known what runs around
        self._between = []  # what the script adds between the last forward and its backward, as ``Beside.between``
        self._given = GivenOutputs()  # by the last forward
        self._alive = []  # positions of those of its outputs that the script has, until it lets go of one, and so on
        self._turned = False

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

    def gave(self, outputs, lets_go):
        """What the last forward, whose graph may be the last one of all, gave the script.

        ``lets_go()`` is called when the script lets go of one before another graph runs.
        """

        def end():
            if given is self._given and not self._turned:
                self._alive.append(given.held())
                lets_go()

        given = GivenOutputs(outputs, end)
        if given.held() is not None:
            self._given, self._alive = given, self._alive if self._turned else [given.held()]

    def goes_on(self):
        """Another forward begins."""
        self._given = GivenOutputs()

    def turns(self):
        """The first backward begins."""
        self._turned = True

    def has_seen(self, ran):
        """A step of this kind ran, which is measured."""
        self._alive = ran._alive

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
        return self._chosen(regions.choose(self._with_around(candidates), budget_bytes, *self._all()), candidates)

    def smallest(self, candidates):
        """The regions.Chosen of the cuts with the least peak."""
        return self._chosen(regions.smallest(self._with_around(candidates), *self._all()), candidates)

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
        """What the step holds by these, with what runs around them.

        What two regions keep that follow each other, one as its output, is there once, and was when it was measured.
        """
        parts = [option for (option,) in self._with_around([[pick] for pick in picks])]
        if self.around:
            twice = map(int.__sub__, _kept_twice(picks), _kept_twice(self._measured_picks))
            for place, more in enumerate(twice, 1):
                around = parts[2 * place]
                parts[2 * place] = dataclasses.replace(around, kept_bytes=around.kept_bytes - more)
        return regions.peak_of(parts, *self._all())

    def peak_alone(self, picks):
        """What the regions hold by these."""
        return regions.peak_of(picks, self._beside(), Passes.of(self._order))

    def around_of(self, measured, is_last, asker):
        """What a measured step shows to run around the regions, as tuples, and to be held before the first backward.

        Of the ``is_last`` that is measured something is taken all the same, which the asker is told. None where it
        shows nothing.
        """
        picks = [*self.picks[:-1], self._as_held(self.picks[-1])]
        sizes = [(each.forward_bytes, each.kept_bytes, each.backward_bytes, each.gradient_bytes) for each in picks]
        uses = [memory.Use(*each) for each in sizes]
        pieces = between.joined_pieces(measured)
        found = between.uses(pieces, list(self.digests), uses, regions.gradients_from(picks), self._beside())
        behind = ((None, 0),)
        if found:
            turn = between.peaks_of_turn(measured)
            more = found[-1].forward_bytes + picks[-1].kept_bytes - max(turn)
            alive = self._alive if len(self._alive) == len(turn) else [None] * len(turn)
            behind = [
                (held, peak + more - self.picks[-1].between_bytes_with(held))
                for held, peak in zip(alive, turn, strict=True)
            ]
        elif is_last:
            found = between.all_along(pieces, len(picks), self.peak_alone(picks), asker)
        return found and ([dataclasses.astuple(use) for use in found], behind)

    def is_around(self, options, behind):
        """These run around the regions, by the picks of now, and the script adds so much before the first backward."""
        self._measured_picks = self.picks
        self._between = behind
        self.around = [*options[:-1], dataclasses.replace(options[-1], forward_bytes=0)]

    def _as_held(self, option):
        """An option of the last region where the script holds outputs, whether the cut keeps them or not."""
        held = frozenset(self._alive[-1] if self._alive else ())
        kept, backward = option.kept_bytes + option.unsaved_bytes_in(held), option.backward_bytes_with(held)
        return dataclasses.replace(option, kept_bytes=kept, backward_bytes=max(backward, option.backward_bytes))

    def _with_behind(self, option):
        """An option of the last region, in whose forward it counts what is there from that to the backward."""
        behind = (size + option.between_bytes_with(alive) for alive, size in self._between)
        return dataclasses.replace(self._as_held(option), forward_bytes=max([option.forward_bytes, *behind]))

    def _with_around(self, candidates):
        last = [*map(self._with_behind, candidates[-1])]
        return between.joined([[option] for option in self.around], [*candidates[:-1], last])

    def _chosen(self, chosen, candidates):
        """The same with the options as they were."""
        if chosen is None:
            return None
        picks = chosen.picks[1::2] if self.around else chosen.picks
        last = candidates[-1][[*map(self._with_behind, candidates[-1])].index(picks[-1])]
        picks = (*picks[:-1], last)
        return dataclasses.replace(chosen, picks=picks, peak_bytes=self.peak_of(picks))

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


def _kept_twice(picks):
    """The bytes of outputs of each region, but the last one, that the next one keeps, too."""
    return [min(one.outputs_bytes, other.inputs_bytes) for one, other in zip(picks, picks[1:], strict=False)]
