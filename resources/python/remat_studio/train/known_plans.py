# SPDX-License-Identifier: Apache-2.0
"""Plans for fused kernels that were lowered before, on disk: another budget for an equal graph finds them again."""

import dataclasses
import hashlib

from .. import torch_private
from . import cache
from .inductor_peak import Peak

_MOST = 8  # plans of one graph that are kept, of some 100 KiB each


class KnownPlans:
    """Plans of one StepGraph by what their kernels hold and take.

    Each has "peak", an ``inductor_peak.Peak``, "time_us", "steps" for ops, "plan" for fused kernels, and the "solver" that made it.
    """

    def __init__(self, graph, device):
        text = "\n".join(["peaks by output", str(graph.graph), device, str(torch_private.inductor_settings())])
        self._path = cache.folder().parent / "cuts" / f"{hashlib.sha256(text.encode()).hexdigest()}.json"

    def nearest(self, budget_bytes, beside):
        """The fastest of those that hold the budget, the smallest where none does, None where none is known.

        ``beside`` is the Beside of the step.
        """

        def key(each):
            held = beside.peak_with(Peak(**each["peak"]))
            return (max(held, budget_bytes), each["time_us"], held)

        return min(self._read(), key=key, default=None)

    def add(self, cut, plan, solver):
        """Keep the steps of a plan, and its cut, unless one is known that holds and takes no more."""
        new = {"peak": dataclasses.asdict(cut.peak), "time_us": cut.time_us, "steps": cut.steps}
        new |= {"plan": plan, "solver": solver}
        known = self._read()
        if any(_beats(each, new) for each in known):
            return
        kept = [each for each in known if not _beats(new, each)]
        cache.write_json(self._path, [*kept[1 - _MOST :], new])

    def _read(self):
        return cache.read_json(self._path) or []


def _beats(one, other):
    sizes = ("forward_bytes", "kept_bytes", "backward_bytes")
    return one["time_us"] <= other["time_us"] and all(one["peak"][size] <= other["peak"][size] for size in sizes)
