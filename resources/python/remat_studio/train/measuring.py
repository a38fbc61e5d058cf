# SPDX-License-Identifier: Apache-2.0
"""The peaks of a step as the allocator saw them, beside those that were predicted."""

import contextlib
import gc
import operator

from torch.profiler import ProfilerActivity, profile, record_function

from .. import torch_private
from ..comparison import held
from . import workspaces
from .telling import tell

_ALLOWED = 0.001  # share of the prediction
_MORE = "between forward and backward the script, or a kernel, holds what the graph does not have."
_LESS = "of two branches the larger one is predicted, and outputs as held to the end of the backward."
_MARK = "remat: mark"
_open = []  # measurements that are under way, one at most: there can be one profiler only


class Meter:
    """Measures the pieces of a step, each from one mark to the next; ``then`` gets the peak of each in bytes."""

    def __init__(self, then):
        self.then = then
        self._profiler = None
        self._quiet = contextlib.ExitStack()
        self._marks = 0
        self._gathered = None  # what ``fully_shard`` gathered before it began, which a profile does not see
        self._gathered_bytes = []  # of that at each mark
        self._early = set()  # those of them behind which something is freed that belongs before them
        self.inside = {}  # the most bytes that operators which are not PyTorch's took, by their names, once it is over

    def begin(self):
        """The first piece begins. Under a profiler of the user's nothing is measured, and ``then`` is not called.

        Nor is it where another measurement is still open, as of a step without a backward: in the call of a function
        in which one profile ends no other one may begin, since PyTorch writes the end of that call to it.
        """
        if _open:
            finish()
            return
        if torch_private.is_profiling():
            return
        gc.collect()  # what only cycles hold is not to be freed while a step is measured
        self._profiler = profile(activities=[ProfilerActivity.CPU], profile_memory=True, acc_events=True)
        self._quiet.enter_context(torch_private.quiet_allocator())
        self._profiler.__enter__()
        self._gathered = torch_private.Gathered()
        _open.append(self)

    @property
    def is_open(self):
        """True while it measures."""
        return self._profiler is not None

    def mark(self, is_early=False):
        """A piece ends, and the next one begins; what comes after the last mark is not measured.

        ``is_early`` says that what ends the piece is about to be freed.
        """
        if self._profiler is not None:
            if is_early:
                self._early.add(self._marks)
            self._gathered_bytes.append(self._gathered.bytes_left())
            with record_function(f"{_MARK} {self._marks}"):
                self._marks += 1

    def finish(self):
        """End the profiler and give what it saw; on the thread that began, which is none of autograd's."""
        if self in _open:
            _open.remove(self)
        profiler, self._profiler = self._profiler, None
        try:
            profiler.__exit__(None, None, None)
        except RuntimeError:  # other code ended it, as it may where a step has no backward
            self.then([])
            return
        finally:
            self._quiet.close()
        events = profiler.profiler.kineto_results.events()
        marks = {event.name(): event.start_ns() for event in events if event.name().startswith(_MARK)}
        allocated = held.allocations(profiler)
        self.inside = held.peaks_inside(events, allocated, workspaces.is_unknown)
        peaks = held.peaks_between(allocated, sorted(marks.values()), self._early)
        self.then([*map(operator.add, peaks, self._gathered_bytes)])


class FirstStep:
    """Measures from before the forward of a part to the end of its backward; ``record`` gets ``measured``."""

    def __init__(self, record):
        self._record = record
        self._meter = Meter(self._has)
        self._is_begun = False

    def begins(self):
        """The first forward begins."""
        if not self._is_begun:
            self._meter.begin()
            self._is_begun = self._meter.is_open

    def ends(self):
        """A backward is over."""
        self._meter.mark()

    def _has(self, peaks):
        """Write down what was seen, if there was a backward."""
        for peak in peaks[:1]:
            self._record["measured"] = {"peak_bytes": peak}
            predicted = self._record["predicted"]["peak_bytes"]
            if abs(peak - predicted) > _ALLOWED * predicted:
                why = _MORE if peak > predicted else _LESS
                tell(f"The step held {peak} bytes, and {predicted} were predicted: {why}", self)


def finish():
    """End what is under way, but not in a backward, where a profiler that began before it cannot end."""
    while _open and torch_private.current_backward() == -1:
        _open.pop().finish()
