# SPDX-License-Identifier: Apache-2.0
"""What a step holds beside its one graph, by the place in forward and backward where it is held."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Beside:
    """Bytes beside a graph: in its forward, between that and its backward, in that, and behind it.

    Outputs that a cut does not save are taken to be held to the end of the backward. So many of these as the measured
    graph had, ``unsaved_bytes``, belong to the script, and are in the other numbers for as long as it holds them.
    """

    forward_bytes: int = 0
    between_bytes: int = 0
    backward_bytes: int = 0
    behind_bytes: int = 0
    unsaved_bytes: int = 0
    is_measured: bool = False

    @classmethod
    def all_along(cls, size):
        """So many bytes in each place."""
        return cls(size, size, size, size)

    def places(self, peak):
        """The most bytes of the step in each place, with a cut of this ``inductor_peak.Peak``."""
        own = _own(peak, min(self.unsaved_bytes, peak.saved_bytes - peak.kept_bytes))
        return [held + beside for held, beside in zip(own, self._bytes(), strict=True)]

    def peak_with(self, peak):
        """The most bytes of the step with such a cut."""
        return max(self.places(peak))

    def at_peak(self, peak):
        """Those of its bytes that are held where the step with such a cut holds most."""
        return self._bytes()[self.places(peak).index(self.peak_with(peak))]

    def or_more(self, other):
        """In each place what either of two holds."""
        sizes = map(max, self._bytes(), other._bytes())
        return Beside(*sizes, self.unsaved_bytes, self.is_measured)

    def scaled(self, ratio):
        """The same of a step that is so many times as large."""
        return Beside(*(int(size * ratio) for size in (*self._bytes(), self.unsaved_bytes)), self.is_measured)

    def at_border(self, tangents_bytes):
        """What it adds where a plan has ``tangents_bytes`` come, beyond what it adds to the backward."""
        return max(self.between_bytes - tangents_bytes - self.backward_bytes, 0)

    def _bytes(self):
        return self.forward_bytes, self.between_bytes, self.backward_bytes, self.behind_bytes


def seen(peaks, peak):
    """The Beside of a step that held at most ``peaks`` in these places, with a cut of this Peak."""
    unsaved = peak.saved_bytes - peak.kept_bytes
    more = (held - own for held, own in zip(peaks, _own(peak, unsaved), strict=True))
    return Beside(*more, unsaved, is_measured=True)


def _own(peak, left_bytes):
    """What a graph holds in each place without so many bytes of its outputs."""
    return [peak.forward_bytes, peak.saved_bytes - left_bytes, peak.backward_bytes - left_bytes, peak.gradient_bytes]
