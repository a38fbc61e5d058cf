# SPDX-License-Identifier: Apache-2.0
"""The peak of a first step as the allocator saw it, beside the one that was predicted."""

import torch
from torch.profiler import ProfilerActivity, profile, record_function

from ..comparison.held import peak_of
from .telling import tell

_ALLOWED = 0.001  # share of the prediction
_END = "remat: end of the backward"
_open = []  # measurements that are under way, one at most: there can be one profiler only


class FirstStep:
    """Measures from before the forward of a part to the end of its backward; ``record`` gets ``measured``.

    The profiler ends at the next step, or when records are asked for, since autograd's threads cannot end it.
    """

    def __init__(self, record):
        self._record = record
        self._profiler = None
        self._is_over = False

    def begins_with(self, run):
        """The forward function, which the measurement begins with."""

        def call(given):
            finish()
            if not self._is_over and not torch.autograd._profiler_enabled():
                self._is_over = True
                self._profiler = profile(activities=[ProfilerActivity.CPU], profile_memory=True, acc_events=True)
                self._profiler.__enter__()
                _open.append(self)
            return run(given)

        call._boxed_call = True
        return call

    def ends_with(self, run):
        """The backward function, which the measurement ends with."""

        def call(given):
            result = run(given)
            if self._profiler is not None:
                with record_function(_END):
                    pass
            return result

        call._boxed_call = True
        return call

    def finish(self):
        """End the profiler and write down what it saw."""
        self._profiler.__exit__(None, None, None)
        events = self._profiler.profiler.kineto_results.events()
        self._profiler = None
        end = next((event.start_ns() for event in events if event.name() == _END), None)
        if end is None:
            return  # there was no backward
        peak = peak_of(event for event in events if event.start_ns() <= end)
        self._record["measured"] = {"peak_bytes": peak}
        predicted = self._record["predicted"]["peak_bytes"]
        if abs(peak - predicted) > _ALLOWED * predicted:
            tell(
                f"The step held {peak} bytes, and {predicted} were predicted: between forward and backward the script, "
                "or a kernel, holds what the graph does not have.",
                self,
            )


def finish():
    """End what is under way."""
    while _open:
        _open.pop().finish()

