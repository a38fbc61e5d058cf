# SPDX-License-Identifier: Apache-2.0
"""Plans a joint graph for Inductor's kernels: tries cuts until one holds the budget exactly, or no smaller is found."""

import dataclasses
import time

from . import costs, inductor_cuts, memory, planner, torch_private
from .errors import PlanError
from .step_graph import StepGraph

_CUTS = 5  # that are tried where one of them holds the budget
_MOST_CUTS = 9  # where none does
_ROUNDS = 3  # plans that are tried on one base before the next
_CLOSE = 0.97  # share of the budget: a plan that holds so much wastes nothing that is worth another round
_AIM = 0.985  # share of the budget, in the middle of what is close enough
_WIDER = 1.15  # multiple of what the least plan asks for, after one that the budget has no room for
_NEAR = 0.99  # the ratio of a base of its own
_WORTH_SAYING = 0.05  # share of a peak
_RATIOS = (0.1, 0.5)  # budgets for PyTorch's own partitioner, whose cuts are candidates too


@dataclasses.dataclass
class Fitted:
    """The cut that was taken, the one without a plan, and all peaks that were seen on the way."""

    cut: inductor_cuts.Cut
    plain: inductor_cuts.Cut
    budget_bytes: int
    tried: list  # [{"cut": ..., "asked_bytes": ..., "peak_bytes": ...}]
    solver: dict | None = None
    missed: str | None = None


def fit(module, joint_inputs, arguments, options, name, taken_bytes=0):
    """The fastest cut within the budget; the smallest one, with a sentence, where none is.

    ``arguments`` are those of a partitioner beside the graph and its inputs. ``taken_bytes`` are held by other parts.
    """
    search = _Search(module, joint_inputs, arguments, options, name)
    plain = search.plain()
    budget = options.budget.of(plain.bytes) if options.budget else plain.bytes
    if options.budget and options.budget.share is None:
        budget = max(budget - taken_bytes, 1)
    search.budget = budget
    if plain.bytes > budget:
        search.run()
    within = [cut for cut in search.cuts if cut.bytes <= budget]
    if within:
        cut = min(within, key=lambda cut: (cut.time_us, cut.bytes))
    else:
        cut = min(search.cuts, key=lambda cut: (cut.bytes, cut.time_us))
    fitted = Fitted(cut, plain, budget, search.tried, search.solver)
    if not within:
        fitted.missed = _missed(cut, budget)
        if options.strict:
            raise PlanError(fitted.missed)
    return fitted


class _Search:
    """The cuts of one joint graph that were tried so far, and how the next one is chosen."""

    def __init__(self, module, joint_inputs, arguments, options, name):
        self.budget = None
        self.cuts = []
        self.tried = []
        self.solver = None
        self._begin = time.perf_counter()
        self._name = name
        self._seconds = options.search_seconds
        # What a round gains by a longer search for the best plan is less than how far a plan is from its kernels.
        self._options = dataclasses.replace(options, strict=False, time_limit=options.time_limit / _ROUNDS)
        self._raw = StepGraph.of_joint_graph(torch_private.copied(module), arguments["num_fwd_outputs"])
        self._raw.draw_once()
        program = planner.executable()
        self._time_us = costs.device_costs(options.device, self._raw, program)
        time_of = costs.time_of_work(options.device, self._raw, program)
        self.maker = inductor_cuts.Maker(module, joint_inputs, arguments, time_of)

    def plain(self):
        """The cut without a plan."""
        cut = self.maker.own(1)
        if cut is None:  # PyTorch's cut draws random numbers twice: every op once is what is safe
            raw = self._raw
            order = [{"do": "compute", "op": op.name if op else raw.border} for op in raw.in_planned_order()]
            cut = self.maker.of_steps("everything kept", raw, order)
        return self._add(cut)

    def run(self):
        """Try cuts until one holds the budget and wastes little of it, or enough were tried."""
        plain = self.cuts[0]
        # Below 1 PyTorch computes again what its kernels fuse with what reads it; a plan goes on from there.
        near = self._own(_NEAR)
        bases = [plain] if near is None or near.bytes == plain.bytes else [near, plain]
        if near is not None and near.bytes <= self.budget:
            bases = [plain]
        for base in bases:
            self._plan(base.name, inductor_cuts.joined(base, self.maker.outputs), base.bytes)
        self._plan("raw", self._raw, None)
        for ratio in _RATIOS:
            if not self._is_over():
                self._own(ratio)

    def _plan(self, base, graph, base_bytes):
        """Plans on one base; each asks for as much more or less as the last one was under or over."""
        graph.draw_once()
        as_json = graph.as_json(self._name, self._time_us)
        in_order = any(op.is_random or op.is_collective for op in graph.ops)
        # What the base holds by the rules of plans, and with its kernels.
        beyond = memory.use_of(graph, memory.keep_all(graph)).peak_bytes - base_bytes if base_bytes else 0
        low, high = 0, float("inf")  # what was asked for by plans within the budget, and over it
        ask = _AIM * self.budget + beyond
        seen = []
        for _ in range(_ROUNDS):
            if self._is_over():
                return
            plan, _ = planner.make_plan(as_json, max(int(ask), 1), self._options, in_order)
            if plan["steps"] in seen:
                return
            seen.append(plan["steps"])
            cut = self._add(self.maker.of_steps(f"a plan on {base}", graph, plan["steps"]), int(ask))
            self.solver = plan["solver"]
            predicted = plan["predicted"]["peak_bytes"]
            if cut.bytes > self.budget and "missed" in plan:
                # The least by the rules of plans need not be the least with fused kernels.
                ask = _WIDER * max(ask, predicted)
                continue
            low, high = (max(low, predicted), high) if cut.bytes <= self.budget else (low, min(high, predicted))
            ask = _AIM * self.budget + predicted - cut.bytes
            if not low < ask < high:
                ask = (low + high) / 2

    def _own(self, ratio):
        cut = self.maker.own(ratio)
        return cut and self._add(cut)

    def _add(self, cut, asked=None):
        self.cuts.append(cut)
        seen = {"cut": cut.name, "asked_bytes": asked, "peak_bytes": cut.bytes, "time_us": cut.time_us}
        self.tried.append(seen)
        return cut

    def _is_over(self):
        """True where one cut is close to the budget, and where enough were tried or the time is up."""
        within = [cut.bytes for cut in self.cuts if cut.bytes <= self.budget]
        if within and max(within) >= _CLOSE * self.budget:
            return True
        if self._seconds is not None and time.perf_counter() - self._begin > self._seconds:
            return True
        return len(self.cuts) >= (_CUTS if within else _MOST_CUTS)


def _missed(cut, budget):
    sentence = (
        f"No cut for Inductor holds {budget} bytes; the smallest exact peak that was found is {cut.bytes} "
        f'bytes ({cut.bytes / 2**20:.1f} MiB): "{cut.bytes}B".'
    )
    if cut.peak.relaid_bytes > _WORTH_SAYING * cut.bytes:
        sentence += (
            f" Of these, {cut.peak.relaid_bytes / 2**20:.1f} MiB are copies of weights and inputs in the layout of "
            "convolutions: model.to(memory_format=torch.channels_last) leaves most of them out."
        )
    return sentence
