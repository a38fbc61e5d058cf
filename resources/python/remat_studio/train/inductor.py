# SPDX-License-Identifier: Apache-2.0
"""Plans with Inductor's kernels: what is kept and what is computed again are the plan's, the code is Inductor's."""

import dataclasses
import functools
import time

from .. import torch_private
from . import doubled, halves, history, inductor_numbers, inductor_plan, kernel_graph, memory
from .beside import Beside
from .measuring import FirstStep
from .part import Part
from .step_graph import StepGraph
from .step_parts import Parts
from .written import autocasts_now

_NOTHING = Beside()
LOST = ("Inductor's kernels round otherwise than eager's, so values agree to rounding, and not to the bit.",)


def compile_with(step, key, name, module, example_inputs):
    """Inductor's function for the module with the cut of a plan; graphs of one step share the budget of the session."""
    if step.graphs is None:
        step.graphs = Parts(step.options, lambda beside, _sizes: _Part(step, beside), forget=step.forget)
    return step.graphs.compile(functools.partial(_compile_whole, step, key, name), module, example_inputs, None)


def _compile_whole(step, key, name, module, example_inputs, config_patches=None):
    """As if the graph were the whole step."""
    part = config_patches["custom_partitioner_fn"] if config_patches else _Part(step)
    part.key, part.name, part.autocasts = key, name, autocasts_now()

    def inner(graph, inputs, **settings):
        compiled = torch_private.compile_fx_inner(graph, inputs, **settings)
        if settings.get("is_inference") or part.part is None:
            return compiled
        return part.ends_with(compiled) if settings.get("is_backward") else part.begins_with(compiled)

    # AOTAutograd's cache on disk would pass the partitioner by; compiled code and plans have caches of their own.
    with torch_private.aot_settings(enable_autograd_cache=False):
        run = torch_private.compile_fx(module, example_inputs, inner, config_patches={"custom_partitioner_fn": part})
    return doubled.differentiable(run, module, part.repeats, step) if part.repeats else run


def planned_record(fitted, name, options, seconds):
    """What ``records()`` has of a part that runs with Inductor's kernels.

    All peaks are exact ones of the step, with what is held beside the graph; ``"exact"`` has those of the graph alone.
    """
    cut, plain = fitted.cut, fitted.plain
    return {
        "graph": {"name": name},
        "budget": options.budget.text if options.budget else None,
        "budget_bytes": fitted.budget_bytes,
        "solver": fitted.solver,
        "cut": cut.name,
        "chunks": fitted.chunks,
        "bucket": fitted.bucket,
        "from_cache": fitted.from_cache,
        "ended_early": fitted.ended_early,
        "predicted": {
            "peak_bytes": cut.bytes,
            "time_us": cut.time_us,
            "forward_bytes": cut.peak.forward_bytes,
            "backward_bytes": cut.peak.backward_bytes,
            "saved_bytes": cut.peak.saved_bytes,
            "flops": cut.peak.flops,
            "keep_all_peak_bytes": plain.bytes,
            "keep_all_time_us": plain.time_us,
            "keep_all_flops": plain.peak.flops,
        },
        "open_sizes": fitted.open_sizes,
        "largest_size": fitted.largest_size,
        "exact": {"cut": dataclasses.asdict(cut.peak), "plain": dataclasses.asdict(plain.peak)},
        "beside": dataclasses.asdict(cut.beside),
        "beside_bytes": cut.beside.at_peak(cut.peak),
        "before_bytes": plain.bytes,
        "outside_bytes": 0,
        "tried": fitted.tried,
        "missed": fitted.missed,
        "planning_seconds": seconds,
        "lost": list(LOST),
    }


class _Part(torch_private.CustomPartitionerFn):
    """Cuts one joint graph, and tells its session when the halves run."""

    def __init__(self, step, beside=_NOTHING):
        """``beside`` is what lies beside the graph."""
        self._session = step
        self._beside = beside
        self.key = self.name = None
        self._measuring = None
        self.part = None
        self._numbers = None
        self.repeats = None  # what a second run in eager mode needs
        self.autocasts = None
        self.peak_at = None  # as of inductor_plan.Fitted

    def __call__(self, module, joint_inputs, **arguments):
        options = self._session.options
        budget = dataclasses.replace(options.budget, beside=self._beside)
        options = dataclasses.replace(options, budget=budget)
        graph = StepGraph.of_joint_graph(torch_private.copied(module), arguments["num_fwd_outputs"])
        self._numbers = inductor_numbers.Numbers(graph.module, graph.in_backward)
        self.repeats = doubled.Repeats.of(graph, self.autocasts, self._numbers.drawn)
        begin = time.perf_counter()
        known = self._session.known.setdefault(self.key, [])
        fitted = inductor_plan.fit(module, joint_inputs, arguments, options, self.name, known)
        self.peak_at = fitted.peak_at
        record = planned_record(fitted, self.name, options, time.perf_counter() - begin)
        history.add(record)
        if options.graph:
            kernel_graph.write(options.graph, self.name, fitted, arguments["num_fwd_outputs"])
        uses = [_use(cut.peak) for cut in (fitted.cut, fitted.plain)]
        self.part = Part(self.key, self.name, record, *uses, is_least=True)
        self._measuring = FirstStep(record) if options.verify else None
        self._numbers.cut(fitted.cut.forward)
        return fitted.cut.forward, fitted.cut.backward

    def __reduce__(self):
        """What stands in the keys of Inductor's caches in place of this object."""
        return str, (self.uuid(),)

    def uuid(self):
        """The same for all: the graphs that come out are part of the keys of Inductor's cache."""
        return "remat"

    def begins_with(self, run):
        """The forward function, after which the session knows that this part waits for its backward."""
        begun = halves.forward_of(run, self._enters, lambda saved: self._session.begins(self.part, saved))
        return self._numbers.watched(run, begun)

    def ends_with(self, run):
        """The backward function, after which the part waits no more."""
        return halves.backward_of(run, self._session.enters, self._ends)

    def _enters(self):
        if self._measuring:
            self._measuring.begins()
        self._session.enters()

    def _ends(self):
        if self._measuring:
            self._measuring.ends()
        self._session.ends(self.part)


def _use(peak):
    return memory.Use(peak.forward_bytes, peak.saved_bytes, peak.backward_bytes, peak.gradient_bytes)
