# SPDX-License-Identifier: Apache-2.0
"""Plans a joint graph for Inductor's kernels: tries cuts until one holds the budget exactly, or no smaller is found."""

import dataclasses
import json
import time

from .. import torch_private
from ..sizes import exact_text, size_text
from . import (
    buckets,
    costs,
    inductor_again,
    inductor_bases,
    inductor_cuts,
    lowerings,
    memory,
    open_sizes,
    ranks,
    workspaces,
)
from .beside import Beside
from .chunks import choose
from .errors import PartError, PlanError
from .step_graph import StepGraph
from .telling import tell

_CUTS = 5  # that are tried where one of them holds the budget, beside PyTorch's
_MOST_CUTS = 9  # where none does
_FURTHER_CUTS, _IN_VAIN = 6, 2  # plans for less where none of these does, and how many in turn may come no lower
_NEAR_CUTS = 4  # that are tried at the end near those that were
_STARTS = 4  # cuts near whose peaks others are looked for
_WORTH = 0.995  # multiple of the least time, or of the lowest peak where none holds the budget, for one more of these
_PLANS = 3  # that share the time for a search
_LOWERINGS = 12  # multiple of the processor time that lowering a cut took, after which a search ends
_LEAST_SECONDS = 60.0  # of processor time, which a search may take in any case
_HOPE = 1.1  # multiple of the budget: what is expected to hold more is not tried where another cut fits
_OFF = 1.1  # multiple of the least time: what is expected to take longer is not tried; so far off are expectations
_ENOUGH = 0.9  # multiple of the budget: what holds at least that and no more is taken from another size
_NEAR = 0.99  # the ratio of a base of its own
_OPEN = (
    "Sizes of the step are left open, since more than shapes= came, by dynamic=True or mark_dynamic, or since PyTorch "
    "marked a tensor in an earlier step with open sizes (its clone() has no mark): PyTorch's own cuts are its plans. "
    "The budget counts for sizes up to {}."
)
_WORTH_SAYING = 0.05  # share of a peak
_RATIOS = (0.75, 0.5, 0.25, 0.1)  # budgets for PyTorch's own partitioner, whose cuts are candidates too


@dataclasses.dataclass
class Fitted:
    """The cut that was taken, the one without a plan, and all peaks that were seen on the way."""

    cut: inductor_cuts.Cut
    plain: inductor_cuts.Cut
    budget_bytes: int
    tried: list  # [{"cut": ..., "asked_bytes": ..., "peak_bytes": ...}]
    solver: dict | None = None
    missed: str | None = None
    open_sizes: list = dataclasses.field(default_factory=list)  # up to which the peaks count
    largest_size: dict | None = None  # of one open size, up to which the cut holds the budget
    peak_at: object = None  # gives the exact Peak of the cut at other numbers for these sizes, if that can be known
    device: str = ""  # whose rates the cuts were ranked by
    chunks: str | None = None  # that the cut is in, in the engine's words
    bucket: str | None = None  # the step of other sizes whose cut it is
    from_cache: bool = False  # an earlier start chose it
    ended_early: bool = False  # the search took all of its time


def fit(module, joint_inputs, arguments, options, name, known=None):
    """The fastest cut within the budget; the smallest one, with a sentence, where none is.

    ``arguments`` are those of a partitioner beside the graph and its inputs. ``known`` is what was planned for steps of
    other sizes, which may give theirs, and which this one is added to.
    """
    beside = options.budget.beside if options.budget else Beside()
    with workspaces.knowing(json.loads(beside.inside or "{}")):
        return _fit(module, joint_inputs, arguments, options, name, known)


def _fit(module, joint_inputs, arguments, options, name, known):
    search = _Search(module, joint_inputs, arguments, options, name)
    plain = search.plain()
    budget = options.budget.of(plain.bytes) if options.budget else plain.bytes
    search.budget = budget
    with torch_private.unguarded(_values(module)):
        sizes = torch_private.open_sizes(module)
    is_sized = known is not None and not sizes
    bucket = search.take(known) if is_sized and options.buckets and plain.bytes > budget else None
    if bucket:
        search.budget = budget = max(budget, bucket.budget_bytes)
    chosen = search.chosen() if options.cache and not sizes and not bucket and plain.bytes > budget else None
    is_again = chosen is not None and search.again(chosen.read())
    if not (bucket or plain.bytes <= budget or is_again or (is_sized and search.as_nearest(known))):
        search.run()
    within = [cut for cut in search.cuts if cut.bytes <= budget]
    if within:
        cut = min(within, key=lambda cut: (cut.time_us, cut.bytes))
    else:
        cut = min(search.cuts, key=lambda cut: (cut.bytes, cut.time_us))
    if chosen and not is_again:
        chosen.write(cut, search.solvers.get(cut), search.chunks.get(cut))
    if is_sized and not bucket and cut is not plain and not search.chunks.get(cut):
        known.append(search.sized(cut))
    more = {"bucket": bucket and bucket.name, "from_cache": is_again, "open_sizes": sizes}
    more |= {"device": search.device, "chunks": search.chunks.get(cut), "ended_early": search.ended_early}
    if sizes:
        more["peak_at"] = open_sizes.peaks(module, cut, search.maker.outputs)
        more["largest_size"] = open_sizes.largest(more["peak_at"], cut.beside, sizes, budget)
        tell(_OPEN.format(", ".join(map(str, sizes))))
    fitted = Fitted(cut, plain, budget, search.tried, search.solvers.get(cut), **more)
    if not within:
        fitted.missed = _missed(cut, budget, search.ended_early)
        if options.strict:
            raise (PlanError if search.gives_a_loss else PartError)(fitted.missed)
    return fitted


class _Search:
    """The cuts of one joint graph that were tried so far, and how the next one is chosen."""

    def __init__(self, module, joint_inputs, arguments, options, name):
        self.budget = None
        self.cuts = []
        self.tried = []
        self.solvers = {}  # cut of a plan -> who made it
        self._starts = []  # (cut, its function that gives an inductor_bases.Start)
        self._near = {}  # cut -> the Proposal near it
        self._lowered = []  # proposals
        self.chunks = {}  # cut of a plan -> in which chunks, in words, or None
        self.ended_early = False
        self._clock = time.process_time if options.search_seconds is None else time.perf_counter
        self._begin = self._clock()
        self._name = name
        self._buckets = options.buckets
        buckets.mark_origins(module)
        self._seconds = options.search_seconds
        self._allowed = _LEAST_SECONDS
        self._is_strict = options.strict
        self._given = options
        # What a round gains by a longer search for the best plan is less than how far a plan is from its kernels.
        self._options = dataclasses.replace(options, strict=False, time_limit=options.time_limit / _PLANS)
        with torch_private.unguarded(_values(module)):
            self._raw = StepGraph.of_joint_graph(torch_private.copied(module), arguments["num_fwd_outputs"])
            self._as_json = self._raw.as_json(name)
        self._raw.draw_once()
        self._device = costs.device(options.device, self._raw)
        beside = options.budget.beside if options.budget else Beside()
        time_of = self._device.time_of(self._raw)
        self.maker = inductor_cuts.Maker(module, joint_inputs, arguments, time_of, beside=beside)

    @property
    def device(self):
        """The name of the device whose rates count."""
        return self._device.name

    @property
    def gives_a_loss(self):
        """True where the forward gives a loss alone, and so is a whole step."""
        return self._raw.gives_a_loss

    def plain(self, maker=None):
        """The cut without a plan."""
        maker, before = maker or self.maker, lowerings.worth()
        cut = maker.own(1)
        if cut is None:  # PyTorch's cut draws random numbers twice: every op once is what is safe
            raw = self._raw
            order = [{"do": "compute", "op": op.name if op else raw.border} for op in raw.in_planned_order()]
            cut = maker.of_steps("everything kept", raw, order)
        self._allowed = max(_LOWERINGS * (lowerings.worth() - before), _LEAST_SECONDS)
        return self._add(cut)

    def take(self, known):
        """What was planned for a step that is a little larger, whose cut holds the budget here; None without one."""
        for each in buckets.larger(known, self._raw, self._buckets)[:1]:
            cut = self._like(each)
            if cut.bytes <= max(self.budget, each.budget_bytes):
                self.cuts = [cut]
                return each
        return None

    def as_nearest(self, known):
        """Try the cut of the nearest other size of the step; True where that is all there is to try.

        It holds the budget then, and uses it up: of a step that is much larger it would compute too much again.
        """
        nearest = buckets.nearest(known, self._raw)
        return nearest is not None and _ENOUGH * self.budget <= self._like(nearest).bytes <= self.budget

    def chosen(self):
        """Where the choice of an earlier start is, and that of this one will be."""
        return inductor_again.Chosen(self._as_json, self.budget, self._given, self.device)

    def again(self, chosen):
        """Try the cut that an earlier start chose; True where it holds what it held there, and so is the one."""
        if chosen is None:
            return False
        cut = self._made_again(chosen)
        if cut is None:
            return False
        self._add(cut)
        if chosen["solver"]:
            self.solvers[cut], self.chunks[cut] = chosen["solver"], chosen["chunks"]
        return cut.bytes == chosen["peak_bytes"]

    def _made_again(self, chosen):
        """The cut, or None where its base is another one now."""
        origin, is_given = chosen["origin"], chosen["saves_as_given"]
        maker = self.maker.saving_as_given() if is_given else self.maker
        if chosen["steps"] is None:
            return maker.own(origin["ratio"])
        graph = self._raw
        if "ratio" in origin:
            halves = maker.own_halves(origin["ratio"])
            if halves is None:  # as run() begins then
                kept = self.plain(maker) if is_given else self.cuts[0]
                halves = kept.forward, kept.backward
            graph = inductor_cuts.joined(*halves, maker.outputs)
        elif "chunks" in origin:
            graph = next((graph for graph, chunks in self._in_chunks() if chunks == origin["chunks"]), None)
        if graph is None:
            return None
        graph.draw_once()
        if inductor_again.text_of(graph) != chosen["base"]:
            return None
        return maker.of_steps(chosen["name"], graph, chosen["steps"], origin)

    def _like(self, sized):
        """The cut of another size, or of this one with other bytes beside it."""
        steps = memory.freed_after_use(self._raw, sized.order)
        maker = self.maker.saving_as_given() if sized.plan["saves_as_given"] else self.maker
        return self._add(maker.of_steps(f"that of {sized.name}, planned before", self._raw, steps))

    def sized(self, cut):
        """A cut, to be taken for smaller steps."""
        order = buckets.order_of(self._raw, cut.forward, cut.backward)
        how = {"saves_as_given": inductor_cuts.saves_as_given(cut)}
        return buckets.sized(self._raw, self._name, how, self.budget, order)

    def run(self):
        """Try cuts until no other one is expected to be faster within the budget, or enough were tried."""
        if self.maker.has_open_sizes:
            self._run_open()
            return
        plain = first = self.cuts[0]
        maker = self.maker
        if _is_relaid(plain):
            maker = maker.saving_as_given()
            first = self.plain(maker)
        tools = inductor_bases.Tools(maker, self._device.name, self._options, self._name, self.budget)
        # Below 1 PyTorch computes again what its kernels fuse with what reads it; a plan goes on from there.
        near = self._own(_NEAR, maker)
        if self._is_over():
            return
        bases = [inductor_bases.Base.of_cut(first, tools)]
        if near is not None and near.bytes != first.bytes:
            bases.append(inductor_bases.Base.of_cut(near, tools))
        self._starts += [(cut, base.start) for cut, base in zip((first, near), bases, strict=False)]
        own = inductor_bases.own_proposals(_RATIOS, tools, bases[-1], [cut for cut in (first, near) if cut])
        bases.append(inductor_bases.Base("raw", self._raw, tools, like=bases[0]))
        if first is not plain:
            as_ever = dataclasses.replace(tools, maker=self.maker)
            like = inductor_bases.Base.of_cut(plain, as_ever)
            own += inductor_bases.own_proposals((_NEAR, *_RATIOS), as_ever, like, [plain])
        for graph, chunks in self._in_chunks():
            bases.append(inductor_bases.Base(f"chunks ({chunks})", graph, tools, like=bases[0], chunks=chunks))
        own += filter(None, (base.remembered() for base in bases))
        is_near = True  # whether changes of lowered cuts hold what is expected of them
        while not self._is_over():
            near = self._nearby() if is_near else []
            best = self._best([*own, *(proposal for base in bases if (proposal := base.proposal())), *near])
            if best is None:
                break
            cut = self._lower(best)
            is_near = best not in near or (cut is not None and self._holds(cut))
            if best.base and cut:
                best.base.lowered(cut)
            own = [each for each in own if each is not best]
        self._go_further(bases)
        # So that no cut of PyTorch's beats what is taken, those that may be are looked at in any case.
        while (best := self._best(self._within_reach(own))) and self._has_time():
            self._lower(best)
            own.remove(best)
        for _ in range(_NEAR_CUTS):
            best = min(self._nearby(), key=self._promise, default=None) if self._has_time() else None
            if best is None:
                break
            self._lower(best)

    def _go_further(self, bases):
        """Where no cut holds the budget, lower plans for less as long as they come lower."""
        in_vain = 0
        for _ in range(_FURTHER_CUTS):
            least = min(cut.bytes for cut in self.cuts)
            if least <= self.budget or in_vain == _IN_VAIN or not self._has_time():
                return
            best = self._best([proposal for base in bases if (proposal := base.further())])
            if best is None:
                return
            cut = self._lower(best)
            if cut:
                best.base.lowered(cut)
            in_vain = 0 if cut and cut.bytes < _WORTH * least else in_vain + 1

    def _lower(self, proposal):
        """The cut; None where it cannot run."""
        self._lowered.append(proposal)
        cut = proposal.make()
        if cut is None:
            if proposal.base:
                proposal.base.broke()
            return None
        self._add(cut, proposal.asked_bytes)
        self._starts.append((cut, proposal.start))
        if proposal.plan:
            self.solvers[cut] = proposal.plan["solver"]
            self.chunks[cut] = proposal.chunks
        return cut

    def _nearby(self):
        """Changes of cuts that were lowered, of those whose peaks are nearest to the budget, which are worth it."""
        nearest = sorted(self._starts, key=lambda pair: abs(pair[0].bytes - self.budget))[:_STARTS]
        for cut, start in nearest:
            if cut not in self._near:
                self._near[cut] = start(cut).near()
        return [near for cut, _ in nearest if (near := self._near[cut]) and self._is_worth(near)]

    def _is_worth(self, proposal):
        """Whether it is expected to be faster within the budget than what is, or smaller where none holds it."""
        if proposal in self._lowered:
            return False
        within = [cut.time_us for cut in self.cuts if self._holds(cut)]
        if within:
            return proposal.bytes <= self.budget and proposal.time_us < _WORTH * min(within)
        return proposal.bytes < _WORTH * min(cut.bytes for cut in self.cuts)

    def _within_reach(self, proposals):
        """Those that may hold the budget, or hold less than the least so far where that is more."""
        limit = _HOPE * max(self.budget, min(cut.bytes for cut in self.cuts))
        return [each for each in proposals if each.bytes < limit]

    def _in_chunks(self):
        if self._options.chunk == "off":
            return []
        try:
            beside = self.cuts[0].bytes - self.cuts[0].peak.step_bytes
            return choose.graphs(self._raw, self.budget - beside, self._options, in_place=False)
        except PlanError as error:
            if self._is_strict:
                raise
            tell(f"The step runs without chunks. {error}")
            return []

    def _best(self, proposals):
        """The most promising one; None where none is expected to be about as fast as what holds the budget already."""
        least = min((cut.time_us for cut in self.cuts if self._holds(cut)), default=None)
        if least is not None:
            room, time_us = _HOPE * self.budget, _OFF * least
            proposals = [each for each in proposals if each.time_us < time_us and each.bytes < room]
        return min(proposals, key=self._promise, default=None)

    def _holds(self, cut):
        return cut.bytes <= self.budget

    def _promise(self, proposal):
        """A key by which the fastest that is expected to hold the budget comes first, then the smallest."""
        over = max(proposal.bytes - self.budget, 0)
        return over, proposal.time_us

    def _run_open(self):
        """PyTorch's own cuts, from much kept to little: plans are for fixed sizes."""
        is_relaid = _is_relaid(self.cuts[0])
        maker = self.maker.saving_as_given() if is_relaid else self.maker
        for ratio in (*([1] if is_relaid else []), _NEAR, *_RATIOS, 0):
            if not self._is_over():
                self._own(ratio, maker)

    def _own(self, ratio, maker=None):
        cut = (maker or self.maker).own(ratio)
        return cut and self._add(cut)

    def _add(self, cut, asked=None):
        self.cuts.append(cut)
        seen = {"cut": cut.name, "asked_bytes": asked, "peak_bytes": cut.bytes, "time_us": cut.time_us}
        self.tried.append(seen)
        return cut

    def _is_over(self):
        """True where enough cuts were tried or the time is up."""
        within = any(map(self._holds, self.cuts))
        return len(self.cuts) >= (_CUTS if within else _MOST_CUTS) or not self._has_time()

    def _has_time(self):
        """Whether the search may go on; of several ranks, the clock of rank 0 counts, so that all end at one cut.

        Without a limit that was given processor time counts, so that a busy machine plans the same.
        """
        parts = [self._as_json, self.budget, "time"]
        limit = self._allowed if self._seconds is None else self._seconds
        has_time = ranks.shared_now(parts, limit, lambda: self._clock() - self._begin <= limit)
        self.ended_early |= not has_time
        return has_time


def _values(module):
    return [node.meta.get("val") for node in module.graph.find_nodes(op="placeholder")]


def _is_relaid(cut):
    return cut.peak.relaid_bytes > _WORTH_SAYING * cut.bytes


def _missed(cut, budget, ended_early):
    beside = cut.beside.at_peak(cut.peak)
    does = f"holds {exact_text(budget)}"
    if beside > 0:
        does += f" with the {exact_text(beside)} that the step holds beside its graph"
    sentence = (
        f"No plan for Inductor {does}; the smallest exact peak that was found is {exact_text(cut.bytes)}"
        f'{" with these" if beside > 0 else ""}: "{cut.bytes}B".'
    )
    if ended_early:
        sentence += " The search took all of its time; search_seconds= gives it more."
    if cut.bytes - cut.least_bytes > _WORTH_SAYING * cut.bytes:
        sentence += " Outputs of the graph are taken to be held to the end of the backward until a step is measured."
    if _is_relaid(cut):
        sentence += (
            f" Of these, {size_text(cut.peak.relaid_bytes)} are copies of weights and inputs in the layout of "
            "convolutions: model.to(memory_format=torch.channels_last) leaves most of them out."
        )
    return sentence
