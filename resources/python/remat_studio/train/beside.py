# SPDX-License-Identifier: Apache-2.0
"""What a step holds beside its one graph, by the place in forward and backward where it is held."""

import dataclasses
import itertools


@dataclasses.dataclass(frozen=True)
class Beside:
    """Bytes beside a graph: in its forward, between that and its backward, in that, and behind it.

    Outputs of the graph are the graph's, for as long as the script holds them or its cut saves them.
    """

    forward_bytes: int = 0
    # Of each time from where the script lets go of an output to where it lets go of the next one: positions of those
    # that it holds, but numbers, None for all; and bytes.
    between: tuple = ((None, 0),)
    backward_bytes: int = 0
    behind_bytes: int = 0
    is_measured: bool = False
    held: tuple | None = None  # positions of the outputs that it holds to the end of the backward; None for all
    is_retained: bool = False  # another backward follows (retain_graph=True): what is saved stays, as Peaks count it then
    inside: str = ""  # bytes that operators which are not PyTorch's were seen to take, by their names, as JSON

    @classmethod
    def all_along(cls, size):
        """So many bytes in each place."""
        return cls(size, ((None, size),), size, size)

    @classmethod
    def of_json(cls, written):
        """As ``dataclasses.asdict`` gives it, from a file."""
        between = tuple((_positions(alive), size) for alive, size in written["between"])
        return cls(**written | {"between": between, "held": _positions(written["held"])})

    def places(self, peak):
        """The most bytes of the step in each place, with a cut of this ``inductor_peak.Peak``."""
        return [step for step, _ in self._places(peak)]

    def peak_with(self, peak):
        """The most bytes of the step with such a cut."""
        return max(self.places(peak))

    def at_peak(self, peak):
        """Those of its bytes that are held where the step with such a cut holds most."""
        places = self._places(peak)
        return places[self.places(peak).index(self.peak_with(peak))][1]

    def let_go(self):
        """The least that it may be: the script lets go of all outputs at once."""
        if self.is_measured:
            return self
        return dataclasses.replace(self, between=(((), self._most_between()),), held=())

    def or_more(self, other):
        """In each place what either of two holds."""
        known = [each.held for each in (self, other) if each.held is not None]
        held = tuple(sorted({*itertools.chain(*known)})) if known else None
        if other.is_measured:
            between = tuple(dict.fromkeys([*self.between, *other.between]))
        else:
            between = tuple((alive, max(size, other._most_between())) for alive, size in self.between)
        forward, backward, behind = map(max, self._others(), other._others())
        is_retained = self.is_retained or other.is_retained
        return Beside(forward, between, backward, behind, self.is_measured, held, is_retained, self.inside)

    def scaled(self, ratio):
        """The same of a step that is so many times as large."""
        forward, backward, behind = (int(size * ratio) for size in self._others())
        between = tuple((alive, int(size * ratio)) for alive, size in self.between)
        return dataclasses.replace(
            self, forward_bytes=forward, between=between, backward_bytes=backward, behind_bytes=behind
        )

    def at_border(self, tangents_bytes):
        """What it adds where a plan has ``tangents_bytes`` come, beyond what it adds to the backward."""
        return max(self._most_between() - tangents_bytes - self.backward_bytes, 0)

    def _places(self, peak):
        """Of each place the most bytes of the step with such a cut, and which of these are beside the graph."""
        forward, backward, behind = self._others()
        return [
            (peak.forward_bytes + forward, forward),
            max((peak.between_bytes_with(alive) + size, size) for alive, size in self.between),
            (peak.backward_bytes_with(self.held) + backward, backward),
            (peak.gradient_bytes + behind, behind),
        ]

    def _most_between(self):
        return max(size for _, size in self.between)

    def _others(self):
        return self.forward_bytes, self.backward_bytes, self.behind_bytes


def seen(peaks, peak, alive, lies):
    """The Beside of a step that held at most ``peaks``, with a cut of this Peak, which was planned with ``lies``.

    They are those of the forward, of each time between that and the backward, of that, and behind it. ``alive`` has for
    each of these times the positions of the outputs that the script held, which it goes on to hold in the last of them.
    """
    forward, *between, backward, behind = peaks
    between = tuple(
        (positions, size - peak.between_bytes_with(positions))
        for positions, size in zip(alive, between, strict=True)
    )
    backward -= peak.backward_bytes_with(alive[-1])
    forward, behind = forward - peak.forward_bytes, behind - peak.gradient_bytes
    return Beside(forward, between, backward, behind, True, alive[-1], lies.is_retained, lies.inside)


def _positions(written):
    return None if written is None else tuple(written)
