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
    frees_outputs: bool = False  # the script lets go of all outputs, but numbers, before the backward begins
    inside: str = ""  # bytes that operators which are not PyTorch's were seen to take, by their names, as JSON
    lingering_bytes: int = 0  # so many more lie beside the backward if it does so after all

    @classmethod
    def all_along(cls, size):
        """So many bytes in each place."""
        return cls(size, size, size, size)

    def places(self, peak):
        """The most bytes of the step in each place, with a cut of this ``inductor_peak.Peak``."""
        own = _own(peak, min(self.unsaved_bytes, peak.saved_bytes - peak.kept_bytes), self.frees_outputs)
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
        return dataclasses.replace(self, unsaved_bytes=peak.saved_bytes - peak.kept_bytes, frees_outputs=True)

    def or_more(self, other):
        """In each place what either of two holds.

        One that was seen to let go of outputs early shows that the other does: there, that may lie beside the graph
        which makes up for it.
        """
        frees = self.frees_outputs or other.frees_outputs
        sizes = map(max, self._bytes(frees), other._bytes(frees))
        lingering = 0 if frees else max(self.lingering_bytes, other.lingering_bytes)
        return Beside(*sizes, self.unsaved_bytes, self.is_measured, frees, self.inside, lingering)

    def scaled(self, ratio):
        """The same of a step that is so many times as large."""
        sizes = (int(size * ratio) for size in (*self._bytes(), self.unsaved_bytes))
        lingering = int(self.lingering_bytes * ratio)
        return Beside(*sizes, self.is_measured, self.frees_outputs, self.inside, lingering)

    def at_border(self, tangents_bytes):
        """What it adds where a plan has ``tangents_bytes`` come, beyond what it adds to the backward."""
        return max(self.between_bytes - tangents_bytes - self.backward_bytes, 0)

    def _bytes(self, frees_outputs=False):
        backward_bytes = self.backward_bytes
        if frees_outputs and not self.frees_outputs:
            backward_bytes += self.lingering_bytes
        return self.forward_bytes, self.between_bytes, backward_bytes, self.behind_bytes


def seen(peaks, peak, inside="", holds_outputs=None):
    """The Beside of a step that held at most ``peaks`` in these places, with a cut of this Peak that counts ``inside``.

    ``holds_outputs`` says whether the script held all outputs to the end of the backward, or none from its beginning
    on; None where it is neither or not known.
    """
    unsaved = 0 if holds_outputs else peak.saved_bytes - peak.kept_bytes
    is_less = peaks[2] < _own(peak, unsaved, False)[2]  # all that is beside a graph adds to what it holds
    frees = peak.freed_bytes is not None and (is_less if holds_outputs is None else not holds_outputs)
    own, held = _own(peak, unsaved, frees), _own(peak, unsaved, False)
    more = (found - known for found, known in zip(peaks, own, strict=True))
    lingering = 0 if frees or peak.freed_bytes is None else held[2] - peak.freed_bytes
    return Beside(*more, unsaved, is_measured=True, frees_outputs=frees, inside=inside, lingering_bytes=lingering)


def _own(peak, left_bytes, frees_outputs):
    """What a graph holds in each place without so many bytes of its outputs, or without any in its backward."""
    frees = frees_outputs and peak.freed_bytes is not None
    backward_bytes = peak.freed_bytes if frees else peak.backward_bytes - left_bytes
    return [peak.forward_bytes, peak.saved_bytes - left_bytes, backward_bytes, peak.gradient_bytes]
