# SPDX-License-Identifier: Apache-2.0
"""What a step holds at most at the allocator, parameters and what else was there before it aside."""

import bisect
import contextlib
import gc
import os

import torch

from .. import torch_private

os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # else the profiler says in red that a machine without a GPU has none


@contextlib.contextmanager
def measured(found):
    """Append the peak of what runs while this is open to the list ``found``, in bytes; nothing under a profiler."""
    gc.collect()  # what only cycles hold is not to be freed, and counted as less, while it runs
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        yield
        torch.cuda.synchronize()
        found.append(torch.cuda.max_memory_allocated() - before)
    elif torch_private.is_profiling():
        yield
    else:
        activities = [torch.profiler.ProfilerActivity.CPU]
        with torch.profiler.profile(activities=activities, profile_memory=True, acc_events=True) as profiler:
            yield
        found.append(peak_of(profiler.profiler.kineto_results.events()))


def peak_of(events):
    """The most bytes that were held on the CPU since a profile began."""
    return peaks_between(events, [float("inf")])[0]


def peaks_inside(events, is_wanted):
    """The most bytes that one call of an operator took, for all whose name ``is_wanted``, its outputs included."""
    memory = sorted((event.start_ns(), event.nbytes()) for event in events if event.name() == "[memory]")
    found = {}
    for event in (event for event in events if is_wanted(event.name())):
        end, held, most = event.start_ns() + event.duration_ns(), 0, found.get(event.name(), 0)
        for at, size in memory[bisect.bisect_left(memory, (event.start_ns(),)) :]:
            if at > end:
                break
            held += size
            most = max(most, held)
        found[event.name()] = most
    return found


def peaks_between(events, ends_ns, early=()):
    """The same up to each of these times, in their order, from the one before it on.

    What is freed first behind a time whose number is ``early`` is free from there on.
    """
    memory = sorted((event for event in events if event.name() == "[memory]"), key=lambda event: event.start_ns())
    peaks, held, index = [], 0, 0
    for number, end in enumerate(ends_ns):
        if number - 1 in early and index < len(memory) and memory[index].start_ns() <= end:
            held += min(memory[index].nbytes(), 0)
            index += memory[index].nbytes() < 0
        peak = held
        while index < len(memory) and memory[index].start_ns() <= end:
            held += memory[index].nbytes()
            peak = max(peak, held)
            index += 1
        peaks.append(peak)
    return peaks
