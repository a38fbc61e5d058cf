# SPDX-License-Identifier: Apache-2.0
"""What a step holds at most at the allocator, parameters and what else was there before it aside."""

import bisect
import contextlib
import gc
import operator
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
        found.append(peak_of(profiler))


def peak_of(profiler):
    """The most bytes that were held while a profile was taken, beyond what was there before."""
    return peaks_between(allocations(profiler), [float("inf")])[0]


def allocations(profiler):
    """What was allocated while a profile was taken, and what of that was freed: (time in ns, bytes, negative if freed).

    They are in order. PyTorch's allocator knows what it frees on a CPU by address alone: of a value from before the
    profile, whose address another one had in an earlier profile, it gives the size of that one. So what was there before
    is left out.
    """
    made, found = set(), []
    for at, size, address in sorted(torch_private.allocations(profiler), key=operator.itemgetter(0)):
        if size > 0:
            made.add(address)
        elif address not in made:
            continue
        else:
            made.remove(address)
        found.append((at, size))
    return found


def peaks_inside(events, allocated, is_wanted):
    """The most bytes that one call of an operator took, for all whose name ``is_wanted``, its outputs included.

    ``allocated`` is what ``allocations`` gives of the profile with these events.
    """
    found = {}
    for event in (event for event in events if is_wanted(event.name())):
        end, held, most = event.start_ns() + event.duration_ns(), 0, found.get(event.name(), 0)
        for at, size in allocated[bisect.bisect_left(allocated, (event.start_ns(),)) :]:
            if at > end:
                break
            held += size
            most = max(most, held)
        found[event.name()] = most
    return found


def peaks_between(allocated, ends_ns, early=()):
    """The most bytes held up to each of these times, in their order, from the one before it on, by ``allocations``.

    What is freed first behind a time whose number is ``early`` is free from there on.
    """
    peaks, held, index = [], 0, 0
    for number, end in enumerate(ends_ns):
        if number - 1 in early and index < len(allocated) and allocated[index][0] <= end:
            held += min(allocated[index][1], 0)
            index += allocated[index][1] < 0
        peak = held
        while index < len(allocated) and allocated[index][0] <= end:
            held += allocated[index][1]
            peak = max(peak, held)
            index += 1
        peaks.append(peak)
    return peaks
