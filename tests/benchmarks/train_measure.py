# SPDX-License-Identifier: Apache-2.0
"""One step of training, measured: peak by the profiler's memory events, seconds by the fastest of some steps."""

import time

import torch
from torch.profiler import ProfilerActivity, profile


def peak(step):
    """The most bytes that forward and backward hold at once beyond what was held before; gradients count."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True, acc_events=True) as profiler:
        step().backward()
    held = most = 0
    events = profiler.profiler.kineto_results.events()
    for event in sorted((e for e in events if e.name() == "[memory]"), key=lambda e: e.start_ns()):
        held += event.nbytes()
        most = max(most, held)
    return most


def fastest(steps, model, rounds, clock=time.perf_counter):
    """Seconds of each of several ways to make a step; they take turns, so that a busy machine is busy for all."""
    best = dict.fromkeys(steps, float("inf"))
    for _ in range(rounds):
        for name, step in steps.items():
            model.zero_grad(set_to_none=True)
            begin = clock()
            step().backward()
            best[name] = min(best[name], clock() - begin)
    return best


def fresh(model, step):
    """A step whose first call, which compiles, is over; no gradients are left."""
    torch.manual_seed(1)
    step().backward()
    model.zero_grad(set_to_none=True)
    return step
