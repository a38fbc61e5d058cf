# SPDX-License-Identifier: Apache-2.0
"""Graphs that plans for Inductor go on from, and what a cut is expected to hold and to take before it is lowered."""

import dataclasses
from collections.abc import Callable

from . import inductor_cuts, memory, planner, ranks, workspaces
from .fused import FusedGraph
from .inductor_peak import Peak
from .known_plans import KnownPlans
from .nearby import Nearby

_AIM = 0.985  # share of the budget, in the middle of what is close enough
_LESS = 0.97  # multiple of what was asked for
_NEARLY = 0.998  # share of the budget that a cut near another one aims at: it is known how far that one is off
_CLOSE = 0.97  # share of the budget: a plan that holds so much wastes nothing that is worth another round
_WIDER = 1.15  # multiple of what the least plan asks for, after one that the budget has no room for
_FURTHER = 4  # multiple of the step down where the one before it was too short: peaks of kernels have plateaus
_ROUNDS = 3  # plans that are tried on one base


@dataclasses.dataclass(eq=False)
class Proposal:
    """A cut that is not lowered yet, by what is expected of it."""

    bytes: float
    time_us: float
    make: Callable  # () -> inductor_cuts.Cut
    start: Callable  # (that cut) -> Start
    base: "Base | None" = None
    plan: dict | None = None
    asked_bytes: int | None = None
    chunks: str | None = None  # in the engine's words


@dataclasses.dataclass(eq=False)
class Start:
    """A cut that was lowered, and the order in which its base computes it: others near it are proposed from it."""

    cut: inductor_cuts.Cut
    order: list  # names of ops
    base: "Base"
    solver: dict | None

    def near(self):
        """The fastest cut near this one that is expected to hold the budget, or else to come nearer to it."""
        return self.base.near(self)


@dataclasses.dataclass(frozen=True)
class Tools:
    """What all bases of a joint graph have in common."""

    maker: inductor_cuts.Maker
    device: str  # its name
    options: object
    name: str
    budget_bytes: int


class Base:
    """A graph with fused kernels as ops, and how far plans for it are from what their kernels hold and take.

    ``cut`` is what a plan that recomputes nothing gives, and the graph is of it. Without one, plans are taken to be as
    far off as those of the base ``like``. ``chunks`` says in which ones the graph is.
    """

    def __init__(self, name, graph, tools, cut=None, like=None, chunks=None):
        self._title = f"a plan on {name}"
        self._chunks = chunks
        self._graph = graph
        self._has_cut = cut is not None
        self._origin = {"chunks": chunks} if chunks else {"ratio": cut.origin.get("ratio", 1)} if cut else {}
        self._tools = tools
        self._fused = _fused(graph, tools.maker.beside)
        fused = self._fused.graph
        self._as_json = fused.as_json(tools.name)
        # How much more plans seem to hold and to take than their kernels do.
        self.more_bytes, self.more_time_us = (like.more_bytes, like.more_time_us) if like else (0, 0)
        if cut is not None:
            self.more_bytes = _peak_of(fused) - cut.bytes
            self.more_time_us = planner.keep_all_time_us(self._as_json, tools.device) - cut.time_us
        self._ask = None if graph.draws_again else _AIM * tools.budget_bytes + self.more_bytes
        self._later = None  # what is asked for where no cut holds the budget after all rounds
        self._over = 0  # plans that were over the budget
        self._low, self._high = 0, float("inf")  # what was asked for by plans within the budget, and over it
        self._seen = []
        self._rounds = 0
        self._next = None
        self._known = KnownPlans(graph, tools.device) if tools.options.cache else None
        self._nearby = Nearby(fused, tools.maker.time_of_op)

    @classmethod
    def of_cut(cls, cut, tools):
        """The base of a cut, whose two halves are one graph again."""
        return cls(cut.name, inductor_cuts.joined(cut.forward, cut.backward, tools.maker.outputs), tools, cut=cut)

    def proposal(self):
        """The next plan; None where no other one is worth its lowering."""
        if self._next is None and self._ask is not None:
            self._next = self._proposal()
        return self._next

    def further(self):
        """The next plan beyond the rounds of a base; None where no other one is worth its lowering."""
        if self._next is None and self._ask is None:
            self._ask, self._later = self._later, None
        return self.proposal()

    def remembered(self):
        """The fastest plan within the budget of those lowered before for an equal graph, or the smallest one, or None."""
        if not self._known or self._graph.draws_again:
            return None
        parts = [self._as_json, self._tools.budget_bytes, "known"]
        beside, make = self._tools.maker.beside, self._tools.maker.of_steps
        known = ranks.shared_now(parts, 0, lambda: self._known.nearest(self._tools.budget_bytes, beside))
        if not known:
            return None
        self._seen.append(_order(known["plan"]))
        return Proposal(
            beside.peak_with(Peak(**known["peak"])),
            known["time_us"],
            lambda: make(self._title, self._graph, known["steps"], self._origin),
            lambda cut: self.start(cut, known["plan"], known["solver"]),
            plan=known,
            chunks=self._chunks,
        )

    def start(self, cut, steps=None, solver=None):
        """What cuts near a plan's are proposed from; without ``steps``, that of the cut that this base begins from."""
        if steps and self._known and ranks.is_first():
            self._known.add(cut, steps, solver)
        steps = steps or memory.keep_all(self._fused.graph)
        return Start(cut, _order(steps), self, solver)

    def near(self, start):
        """A Start's cut with a little more computed again, or with a little less; None where that was seen before."""
        if self._graph.draws_again:
            return None
        nearby, seems = self._nearby, self._nearby.peak(start.order)
        more = _NEARLY * self._tools.budget_bytes - start.cut.bytes
        order = nearby.fastest(start.order, max(seems + more, 1))
        if order in self._seen or order == start.order:
            return None
        self._seen.append(order)
        plan = {"steps": memory.freed_after_use(self._fused.graph, order), "solver": start.solver}
        return Proposal(
            start.cut.bytes + nearby.peak(order) - seems,
            start.cut.time_us + nearby.time_us(order) - nearby.time_us(start.order),
            *self._ways(plan),
            plan=plan,
            chunks=self._chunks,
        )

    def lowered(self, cut):
        """Take note of what the plan that was proposed last really holds."""
        plan, asked, budget = self._next.plan, self._next.asked_bytes, self._tools.budget_bytes
        self._next = None
        predicted = plan["predicted"]["peak_bytes"]
        if _CLOSE * budget <= cut.bytes <= budget:
            self._ask = None
            return
        if cut.bytes > budget and "missed" in plan:
            # The least by the rules of plans need not be the least with fused kernels.
            self._ask = _WIDER * max(asked, predicted)
        else:
            more = _AIM * budget - cut.bytes
            if cut.bytes <= budget:
                self._low = max(self._low, predicted)
            else:
                self._high = min(self._high, predicted)
                more *= _FURTHER**self._over
                self._over += 1
            self._ask = predicted + more
            if not self._low < self._ask < self._high:
                self._ask = (self._low + self._high) / 2
            self.more_bytes = predicted - cut.bytes
        self._end_round()

    def broke(self):
        """The plan that was proposed last cannot run with Inductor's kernels: the next one is for less."""
        self._ask, self._next = _LESS * self._next.asked_bytes, None
        self._end_round()

    def _end_round(self):
        if self._rounds == _ROUNDS:
            self._ask, self._later = None, self._ask

    def _proposal(self):
        ask = max(int(self._ask), 1)
        fused, tools = self._fused.graph, self._tools
        in_order = any(op.is_random or op.is_collective for op in fused.ops)
        plan, _ = planner.make_plan(self._as_json, ask, tools.options, tools.device, in_order)
        order = _order(plan["steps"])
        is_cut = self._has_cut and len(order) == len(fused.ops) + 1  # nothing again: the one that this base begins from
        if is_cut or order in self._seen:
            self._ask = None
            return None
        self._seen.append(order)
        self._rounds += 1
        predicted = plan["predicted"]
        return Proposal(
            predicted["peak_bytes"] - self.more_bytes,
            predicted["time_us"] - self.more_time_us,
            *self._ways(plan),
            self,
            plan,
            ask,
            self._chunks,
        )

    def _ways(self, plan):
        """The functions of a Proposal."""
        make, steps = self._tools.maker.of_steps, plan["steps"]
        return (
            lambda: make(self._title, self._graph, self._fused.expanded(steps), self._origin),
            lambda cut: self.start(cut, steps, plan["solver"]),
        )


def own_proposals(ratios, tools, like, known):
    """PyTorch's cuts at some of its ratios which are none of ``known``, as far from their kernels as ``like``."""
    found, seen = [], {_key(cut.forward, cut.backward) for cut in known}
    for ratio in ratios:
        halves = tools.maker.own_halves(ratio)
        if halves is None or _key(*halves) in seen:
            continue
        seen.add(_key(*halves))
        graph = inductor_cuts.joined(*halves, tools.maker.outputs)
        fused = _fused(graph, tools.maker.beside).graph
        found.append(
            Proposal(
                _peak_of(fused) - like.more_bytes,
                planner.keep_all_time_us(fused.as_json(tools.name), tools.device) - like.more_time_us,
                lambda ratio=ratio, halves=halves: tools.maker.lowered_own(ratio, halves),
                lambda cut: Base.of_cut(cut, tools).start(cut),
            )
        )
    return found


def _order(steps):
    return [step["op"] for step in steps if step["do"] == "compute"]


def _peak_of(fused):
    """What a plan that recomputes nothing holds, with what is held beside it at the border."""
    use, tangents = memory.use_of(fused, memory.keep_all(fused)), sum(each.bytes for each in fused.tangent_storages)
    return max(use.peak_bytes, use.saved_bytes + tangents + fused.border_workspace_bytes)


def _fused(graph, beside):
    graph.border_workspace_bytes = beside.at_border(sum(each.bytes for each in graph.tangent_storages))
    graph.draw_once()
    workspaces.measure(graph, are_fused=True)
    return FusedGraph(graph)


def _key(forward, backward):
    return str(forward.graph), str(backward.graph)
