# SPDX-License-Identifier: Apache-2.0
"""What a step holds beside its one graph, by the place in forward and backward where it is held."""

import dataclasses
import itertools


@dataclasses.dataclass(frozen=True)
class Beside:
    """Bytes beside a graph: in its forward, between that and its backward, in that, and behind it.

    Outputs that the script is known to hold to the end of the backward are the graph's, as those that a cut saves. So
    many of the others as the measured graph had and did not save, ``unsaved_bytes``, belong to the script, and are in
    the other numbers for as long as it holds them.
    """

    forward_bytes: int = 0
    between_bytes: int = 0
    backward_bytes: int = 0
    behind_bytes: int = 0
    unsaved_bytes: int = 0
    is_measured: bool = False
    # Positions of outputs that the script holds to the end of the backward; of others, but numbers, it lets go before
    # that begins. None where that is not known: those that a cut does not save are taken to be held.
    held: tuple | None = None
    inside: str = ""  # bytes that operators which are not PyTorch's were seen to take, by their names, as JSON

    @classmethod
    def all_along(cls, size):
        """So many bytes in each place."""
        return cls(size, size, size, size)

    @classmethod
    def of_json(cls, written):
        """As ``dataclasses.asdict`` gives it, from a file."""
        held = written["held"]
        return cls(**written | {"held": None if held is None else tuple(held)})

    def places(self, peak):
        """The most bytes of the step in each place, with a cut of this ``inductor_peak.Peak``."""
        own = _own(peak, min(self.unsaved_bytes, _unsaved_bytes(peak, self.held)), self.held)
        return [held + beside for held, beside in zip(own, self._bytes(), strict=True)]

    def peak_with(self, peak):
        """The most bytes of the step with such a cut."""
        return max(self.places(peak))

    def at_peak(self, peak):
        """Those of its bytes that are held where the step with such a cut holds most."""
        return self._bytes()[self.places(peak).index(self.peak_with(peak))]

    def let_go(self, peak):
        """The least that it may be: outputs of a cut of this Peak are let go of early."""
        if self.is_measured:
            return self
        return dataclasses.replace(self, unsaved_bytes=_unsaved_bytes(peak, ()), held=())

    def or_more(self, other):
        """In each place what either of two holds."""
        known = [each.held for each in (self, other) if each.held is not None]
        held = tuple(sorted({*itertools.chain(*known)})) if known else None
        return Beside(*map(max, self._bytes(), other._bytes()), self.unsaved_bytes, self.is_measured, held, self.inside)

    def scaled(self, ratio):
        """The same of a step that is so many times as large."""
        sizes = (int(size * ratio) for size in (*self._bytes(), self.unsaved_bytes))
        return Beside(*sizes, self.is_measured, self.held, self.inside)

    def at_border(self, tangents_bytes):
        """What it adds where a plan has ``tangents_bytes`` come, beyond what it adds to the backward."""
        return max(self.between_bytes - tangents_bytes - self.backward_bytes, 0)

    def _bytes(self):
        return self.forward_bytes, self.between_bytes, self.backward_bytes, self.behind_bytes


def seen(peaks, peak, inside="", held=None):
    """The Beside of a step that held at most ``peaks`` in these places, with a cut of this Peak that counts ``inside``.

    ``held`` are the positions of the outputs that the script held in the backward; None where that is not known.
    """
    unsaved = _unsaved_bytes(peak, held)
    more = (found - known for found, known in zip(peaks, _own(peak, unsaved, held), strict=True))
    return Beside(*more, unsaved, True, held, inside)


def _unsaved_bytes(peak, held):
    """Bytes of outputs that a cut does not save and the script is not known to hold."""
    return peak.saved_bytes - peak.kept_bytes if held is None else peak.unsaved_bytes_but(frozenset(held))


def _own(peak, left_bytes, held):
    """What a graph holds in each place without so many bytes of its outputs."""
    in_backward = peak.backward_bytes - left_bytes if held is None else peak.backward_bytes_with(frozenset(held))
    return [peak.forward_bytes, peak.saved_bytes - left_bytes, in_backward, peak.gradient_bytes]
