# SPDX-License-Identifier: Apache-2.0
"""One planned graph of a step, what it may hold, and which of them wait for their backward."""

import collections
import dataclasses

from . import memory


@dataclasses.dataclass(frozen=True)
class Room:
    """What a part may hold, in bytes, and what lies on top of it between its forward and backward."""

    budget_bytes: int
    border_bytes: int

    @property
    def saved_bytes(self):
        """What it may hold between its forward and backward."""
        return self.budget_bytes - self.border_bytes

    def has(self, use):
        """Whether a part with this Use is within it."""
        return use.peak_bytes <= self.budget_bytes and use.saved_bytes <= self.saved_bytes

    def is_within(self, other):
        """Whether what fits it fits ``other``, too."""
        return self.budget_bytes <= other.budget_bytes and self.saved_bytes <= other.saved_bytes


@dataclasses.dataclass(eq=False)
class Part:
    """One planned graph of a step."""

    key: tuple  # code of the function and number of its graph, the same when it is compiled again
    name: str  # of this size of it
    record: dict
    use: memory.Use  # as planned
    before: memory.Use  # as the script holds it without a plan
    is_least: bool  # no plan was found within its room, and no smaller one
    room: Room | None = None  # what it was planned for, None where it is not planned once more
    is_held: bool = False  # it was planned once more for what its first step took
    is_whole: bool = True  # from leaves to a loss, so that eager mode has nothing to compute beside it
    is_before_others: bool = False  # more of its step was sure to come when it was planned
    is_first: bool = False  # it misses its share by the first small plan that was found, and more time may find less
    refusal: str | None = None  # of strict=True, if it turns out to be all of the step
    retained_bytes: int = 0  # that its backward adds without a plan where another one follows, and not with the plan
    let_go: tuple | None = None  # the same as use and before, where the script lets go of outputs before the backward

    def may_have_let_go(self, held_bytes):
        """A step of this part alone held so much: take it that the script lets go of outputs, where that is nearer."""
        if self.let_go and abs(held_bytes - self.let_go[0].peak_bytes) < abs(held_bytes - self.use.peak_bytes):
            self.use, self.before = self.let_go

    def may_fit(self, room):
        """Whether a plan within a Room, or nearer to it, may be found: not where there was none with as much room.

        One that was made before it was known what lies on top may save much, and is not the least of the step then.
        """
        if not self.is_least or self.room is None:
            return not self.is_least
        is_news = not self.room.border_bytes and self.use.saved_bytes + room.border_bytes > self.use.peak_bytes
        return is_news or not room.is_within(self.room)


@dataclasses.dataclass(eq=False)
class Run:
    """One forward of a part in a step; ``saved`` is a weak reference to something that its backward reads.

    ``kept`` is what it took of others for its plan alone, and ``given`` where what it gave lies, as of ``handed``.
    """

    part: Part
    saved: object
    kept: list = ()
    given: set = frozenset()
    has_gone_back: bool = False
    let_go_bytes: int = 0  # of what it kept, where the script let go of that before the first backward


def went_back(runs, part):
    """The planned backward of a part ran: take note of it in that one of the ``runs`` which it belongs to."""
    waiting = [run for run in runs if run.part is part and not run.has_gone_back]
    ran = [run for run in waiting if run.saved() is not None] or waiting
    if ran:
        ran[-1].has_gone_back = True


class Waiting:
    """Parts of a step whose forward ran, and whose backward is to come."""

    def __init__(self):
        self._all = []  # (part, weak reference to what it saved)
        self._to_come = collections.Counter()  # backwards of each part, one for each forward

    def parts(self):
        """Those in the order of their forwards, without what was dropped without a backward, as in an evaluation."""
        self._all = [(part, saved) for part, saved in self._all if saved() is not None]
        return [part for part, _ in self._all]

    def begins(self, part, saved):
        """The forward of a part ran; ``saved`` is a weak reference to something that its backward reads."""
        self._all.append((part, saved))
        self._to_come[part] += 1

    def is_retained(self, part):
        """Whether the backward of a part ran a second time for one forward; to be asked once for each backward."""
        is_second = not self._to_come[part]
        self._to_come -= collections.Counter([part])
        return is_second

    def ends(self, part):
        """The backward of a part ran: True where no other one is to come."""
        position = max((i for i, (each, _) in enumerate(self._all) if each is part), default=None)
        if position is not None:
            del self._all[position]
        return not self._all
