# SPDX-License-Identifier: Apache-2.0
"""One step of training, measured: peak by the profiler, seconds by the fastest of some steps."""

import time

import torch
from remat_studio.comparison.held import measured


def peak(step):
    """The most bytes that forward and backward hold at once beyond what was held before; gradients count."""
    found = []
    with measured(found):
        step().backward()
    return found[0]


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
