# SPDX-License-Identifier: Apache-2.0
"""What eager mode holds between the graphs of a step, as parts of the step that have no plan."""

import functools
import itertools
import weakref

import torch
from torch import distributed

from .. import torch_private
from ..sizes import size_text
from . import memory
from .measuring import Meter
from .telling import tell

_WORTH_SAYING = 0.01  # share of what was predicted
_UNORDERED = (
    "The step holds {}, and {} were predicted: its graphs do not all run backward, or not in the opposite order, so that "
    "it is not known when it holds more. That counts as held all along."
)


_askers = weakref.WeakKeyDictionary()  # those whose steps are measured -> a weak reference to what the last began in
_current = [lambda: None]  # a weak reference to the one that was called last
_begun = weakref.WeakKeyDictionary()  # askers -> a weak reference to the MeasuredStep that they began last
_ahead = []  # the Meter of a call of what is compiled whose first graph is still to come, one at most


def may_begin():
    """True where a step may begin to be measured: a profiler that begins in a backward cannot end."""
    return torch_private.current_backward() == -1


def from_calls_on(asker):
    """Measure steps of an asker from the call of what is compiled on; its ``is_due`` says whether the next one is."""
    watch_calls()
    _askers[asker] = lambda: None


def from_no_calls_on():
    """Measure none of the askers that there are, but from the next graph on: plain code has none that would end that."""
    let_go()
    _askers.clear()


def step_of(asker, then):
    """The MeasuredStep that an asker begins now, with a graph; None for ``then`` if this step is not measured."""
    (_askers[asker],) = _current
    if settle(asker):  # in the call of a function in which one profile ends no other one may begin
        then = None
    if then is None:
        let_go()
        return None
    made = MeasuredStep(then, _ahead.pop() if _ahead else None)
    _begun[asker] = weakref.ref(made)
    return made


def settle(asker):
    """Give up the step that an asker began before, if nothing of it is in flight any more; True where that ends a profile.

    It had no backward: its loss was not used, or an exception came. To be called before a function of autograd is, where
    that can be.
    """
    before = _begun.get(asker, lambda: None)()
    if before is None or asker.is_in_flight or not may_begin():
        return False
    del _begun[asker]
    return before.give_up()


def let_go():
    """What was called compiles something, or runs a graph that is not measured."""
    while _ahead:
        meter = _ahead.pop()
        if meter.is_open:
            meter.finish()


@functools.cache
def watch_calls():
    """From now on it is known what is called; to be done before the first step, so that its second one is measured."""
    torch_private.at_calls(_called)


def _called(function):
    let_go()
    _current[:] = [weakref.ref(function)]
    is_due = any(began() is function and asker.is_due for asker, began in list(_askers.items()))
    # Before its graphs DistributedDataParallel makes buckets that stay, and fully_shard gathers what is counted already.
    has_ranks = distributed.is_available() and distributed.is_initialized()
    if is_due and not has_ranks and torch.is_grad_enabled() and may_begin():
        _ahead.append(Meter(lambda _: None))
        _ahead[0].begin()


class MeasuredStep:
    """A step on its way, measured piece by piece: graphs, and what runs before, between and after them.

    ``then(measured)`` is called when its backward is over, with the pieces and their peaks, which ``uses`` takes; with
    none where nothing could be measured.
    """

    def __init__(self, then, meter=None):
        """``meter`` measures since the call of what is compiled, if it is still open."""
        self._then = then
        self._meter = meter if meter and meter.is_open else Meter(None)
        self._meter.then = lambda peaks: self._then([*zip(self._pieces, peaks, strict=False)])
        self._pieces = []  # (whether it is a graph's forward, which graph) or None for what runs between
        self._has_all = False
        self._take_back = None

    def begins(self):
        """A graph begins to run."""
        if not self._pieces:
            if not self._meter.is_open:
                self._meter.begin()
            self._take_back = torch_private.after_backwards(self._is_over)
        self._ends(None)

    def ends(self, is_forward, graph):
        """It is over."""
        self._ends((is_forward, graph))

    @property
    def inside(self):
        """What operators that are not PyTorch's took, by their names, once the step is over."""
        return self._meter.inside

    def lets_go(self):
        """Between two graphs the script lets go of an output, whose memory is free in the next piece."""
        self._ends(None, is_early=True)

    def has_all(self):
        """All graphs ran; what is left of the backward is the last piece."""
        self._has_all = True

    def drop(self):
        """Measure no more."""
        self._take_back()
        self._then = lambda _: None
        if self._meter.is_open:
            self._meter.finish()

    def give_up(self):
        """Its backward comes no more; True where that ends a profile."""
        is_open = self._meter.is_open
        if self._pieces and not self._has_all:
            self.drop()
        return is_open and not self._meter.is_open

    def _ends(self, piece, is_early=False):
        self._pieces.append(piece)
        self._meter.mark(is_early)

    def _is_over(self):
        if not self._has_all:
            return
        self._take_back()
        self._ends(None)
        if self._meter.is_open:
            self._meter.finish()
        else:  # under a profiler of the user's
            self._then([])


def joined_pieces(measured):
    """The same pieces where what lies between two graphs is one, whatever the script let go of there."""
    found = []
    for piece, peak in measured:
        if piece is None and found and found[-1][0] is None:
            peak = max(found.pop()[1], peak)
        found.append((piece, peak))
    return found


def without_those_left(measured, have_gone_back):
    """The same pieces where forwards whose graphs had no backward are a part of what lies between the other graphs.

    Whether each had one is said in their order. A penalty on gradients leaves one to eager mode, for example.
    """
    flags = iter(have_gone_back)
    left = (None if piece and piece[0] and not next(flags, True) else piece for piece, _ in measured)
    return joined_pieces([*zip(left, [peak for _, peak in measured], strict=True)])


def peaks_of_turn(measured):
    """The peaks of the pieces between the last forward before the first backward and that."""
    before = [*itertools.takewhile(lambda each: each[0] is None or each[0][0], measured)]
    behind = [*itertools.takewhile(lambda each: each[0] is None, reversed(before))]
    return [peak for _, peak in reversed(behind)]


def uses(measured, graphs, planned, later, beside=None):
    """What runs before, between and behind the graphs as a Use for each of these places; None for another step.

    ``planned`` are the Uses of the ``graphs``, which run in this order and backward in the opposite one, ``later`` the
    gradients of each and all after it, and ``beside`` what is known to be held beside the forward and the backward of
    each. What a graph holds beyond these is held since an earlier place.
    """
    count = len(graphs)
    order = [(True, graph) for graph in graphs] + [(False, graph) for graph in reversed(graphs)]
    if [piece for piece, _ in measured] != [None, *(each for piece in order for each in (piece, None))]:
        return None
    before, *peaks = [peak for _, peak in measured]
    forwards, backwards = peaks[: 2 * count : 2], peaks[2 * count :: 2][::-1]
    front, back = peaks[1 : 2 * count : 2], peaks[2 * count + 1 :: 2][::-1]  # behind each forward, behind each backward
    beside = beside or [(0, 0)] * count
    held = [0, *itertools.accumulate(use.saved_bytes for use in planned)]
    kept = [peak - held[i] - planned[i].forward_bytes - beside[i][0] for i, peak in enumerate(forwards)]
    more = [
        peak - held[i] - later[i + 1] - planned[i].backward_bytes - beside[i][1] - kept[i]
        for i, peak in enumerate(backwards)
    ]  # gradients of all places behind each graph
    found = [memory.Use(before, kept[0], back[0] - later[0] - more[0], 0)]
    for i in range(1, count):
        forward, backward = front[i - 1] - held[i] - kept[i - 1], back[i] - held[i] - kept[i - 1] - later[i] - more[i]
        found.append(memory.Use(forward, kept[i] - kept[i - 1], backward, more[i - 1] - more[i]))
    return [*found, memory.Use(front[-1] - held[-1] - kept[-1], 0, 0, more[-1])]


def all_along(measured, count, predicted_bytes, asker):
    """Uses around so many graphs of a step of which ``uses`` knows nothing: what it holds more lies there all along.

    Says so once for the asker; None where it is little.
    """
    peak = max((peak for _, peak in measured), default=0)
    if peak <= (1 + _WORTH_SAYING) * predicted_bytes:
        return None
    tell(_UNORDERED.format(size_text(peak), size_text(predicted_bytes)), asker)
    return [memory.Use(0, peak - predicted_bytes, 0, 0), *[memory.Use(0, 0, 0, 0)] * count]


def joined(places, planned):
    """All parts of a step in their order: the Uses of graphs, and of what runs around them."""
    return [*itertools.chain.from_iterable(zip(places, planned, strict=False)), places[-1]] if places else planned
