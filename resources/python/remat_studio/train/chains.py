# SPDX-License-Identifier: Apache-2.0
"""Regions of a step, compiled one by one by Inductor, whose cuts are chosen together once their order is known."""

import collections
import dataclasses
import hashlib

from .. import sizes
from . import between, doubled, history, inductor_numbers, memory, once_more, ranks, regions, torch_private, unplanned
from .backend import fix_shapes
from .errors import PlanError
from .part import Waiting
from .passes import Passes
from .session import MEASURED, RETAINED, TOLERANCE, TRIES, backward_of, forward_of, planned_for_between
from .step_graph import StepGraph
from .telling import tell
from .written import autocasts_now


_OVER = (
    "The step holds {} with what runs between its graphs, and its budget is {}: no plan was found that leaves so much "
    "room. The step runs with that; strict=True refuses it."
)


@dataclasses.dataclass
class _Link:
    """One run of a region, and what ``fully_shard`` held beside it."""

    place: object
    digest: str
    forward: torch_private.Sharded
    backward: torch_private.Sharded | None = None


class Chain:
    """The regions of a step, in the order of their forwards, and what is picked for them.

    Each region has a place: one compilation, which may run several times in a step. The first step runs with the least
    that each can keep, and shows the order; then ``ends()`` is called. ``names`` is what the regions are to the user.
    A step of the choice is measured: where it holds more than the budget with what runs between the regions, ``ends()``
    is called again, and ``solve()`` picks cuts for what that leaves.
    """

    def __init__(self, read, names, ends):
        self.options = read
        self.names = names
        self._ends = ends
        self.is_solved = False
        self.picks = {}  # place -> {digest of a joint graph: its options in the order of its runs}
        self._chosen = ()  # an option for each run of the step
        self.known = {}  # digest -> its options
        self._step = []  # links in the order of the forwards
        self._order = []  # passes of the first step, as ``Passes`` takes them
        self._runs = collections.Counter()  # forwards since none waited for a backward, by digest
        self._waiting = Waiting()
        self.demand = once_more.Demand()
        self._around = []  # what runs before, between and behind the regions, an option for each place, once measured
        self._measured = 0  # how often it was
        self._tries = 0
        self._measuring = None  # a MeasuredStep
        self._compiles = False  # in this step, which takes memory beside it
        self._has_run = False  # a step of the last choice
        self._record = None  # of the last choice
        between.from_calls_on(self)

    @property
    def is_in_flight(self):
        """True between the forward of a region and the last backward."""
        return bool(self._waiting.parts())

    @property
    def length(self):
        """How many runs of regions the first step had."""
        return len(self._step)

    @property
    def has_gone_back(self):
        """True where the first step had a backward of one of these."""
        return any(link.backward is not None for link in self._step)

    @property
    def is_measured(self):
        """True where it is known what runs around the regions."""
        return bool(self._around)

    @property
    def is_due(self):
        """True where the next step is to be measured, if it compiles nothing."""
        is_new = self._record is not None and "measured" not in self._record
        return self._has_run and is_new and self._tries < TRIES and not self.is_in_flight

    def _enters(self):
        """The forward or the backward of a region begins."""
        if not self.is_in_flight:
            may_be = self.is_due and not self._compiles and between.may_begin()
            self._tries += may_be
            self._measuring = between.step_of(self, self._has_measured if may_be else None)
        if self._measuring:
            self._measuring.begins()

    def _ran(self, place, digest, saved):
        """The forward of a region ran, with a backward to come."""
        if self._measuring:
            self._measuring.ends(True, digest)
        if not self.is_in_flight:
            self._runs.clear()
        self._runs[digest] += 1
        if not self.is_solved:
            if not self.is_in_flight:
                self._step, self._order = [], []  # the forwards before had no backward
            self._order.append((True, len(self._step)))
            self._step.append(_Link(place, digest, torch_private.sharded_now()))
        self._waiting.begins(digest, saved)

    def _went_back(self, digest):
        """The backward of a region ran."""
        if self._measuring:
            self._measuring.ends(False, digest)
        if self._waiting.is_retained(digest):
            tell(RETAINED, self)
        links = [i for i, link in enumerate(self._step) if link.digest == digest and link.backward is None]
        if links:
            self._step[links[-1]].backward = torch_private.sharded_now()
            self._order.append((False, links[-1]))
        if not self._waiting.ends(digest):
            return
        self._compiles = False
        self._has_run = self.is_solved
        if self._measuring:
            self._measuring.has_all()
            self._measuring = None
        elif not self.is_solved and self._step:
            self._ends()

    def _has_measured(self, measured):
        """The step took this; where that is too much, cuts are picked once more."""
        picks = self._chosen
        sizes_of = [(each.forward_bytes, each.kept_bytes, each.backward_bytes, each.gradient_bytes) for each in picks]
        found = between.uses(
            measured,
            [link.digest for link in self._step],
            [memory.Use(*each) for each in sizes_of],
            regions.gradients_from(picks),
            self._beside(),
        )
        if not found and self._tries == TRIES:
            found = between.all_along(measured, len(picks), regions.peak_of(picks, self._beside(), self._passes()), self)
        found = found and [dataclasses.astuple(use) for use in found]
        parts = ["between", *(link.digest for link in self._step)]
        found = ranks.shared_now(parts, self.options.time_limit, lambda: found)
        if found is None:
            if measured and self._tries == TRIES:  # as predicted, although in another order
                self._record["measured"] = {"peak_bytes": max(peak for _, peak in measured)}
            return
        self._tries %= TRIES
        self._measured += 1
        self._around = [regions.Option(f"between the {self.names}", *each, time_us=0.0, ratio=1) for each in found]
        if measured:
            self._record["measured"] = {"peak_bytes": max(peak for _, peak in measured)}
        peak, before = self._peak_of(picks), self._peak_of(self._plain())
        budget, record = self.options.budget.of(before), self._record
        record["between_bytes"] = peak - regions.peak_of(picks, self._beside(), self._passes())
        predicted = record["predicted"]["peak_bytes"]
        is_less = peak <= predicted * TOLERANCE
        if is_less and self._around[0].kept_bytes < 0:  # what the first region was given is older than what is measured
            return
        is_said = is_less and record["budget_bytes"] < predicted  # that no cuts hold the budget
        record["predicted"] |= {"peak_bytes": peak, "keep_all_peak_bytes": before}
        record |= {"budget_bytes": budget, "before_bytes": before}
        if peak <= budget * TOLERANCE or is_said:
            return
        if self._measured == MEASURED:
            tell(_OVER.format(*map(sizes.size_text, (peak, budget))), self)
            return
        tell(planned_for_between(peak, record["between_bytes"], budget), self)
        self.is_solved = False
        self._ends()

    def _plain(self):
        """The option without a plan of each region."""
        return [max(self.known[link.digest], key=lambda option: option.ratio) for link in self._step]

    def _peak_of(self, picks):
        """What the step holds by these, with what runs around them."""
        return regions.peak_of(between.joined(self._around, picks), self._beside_all(), self._passes_of_all())

    def _passes(self):
        return Passes.of(self._order)

    def _passes_of_all(self):
        return self._passes().with_places() if self._around else self._passes()

    def _beside_all(self):
        return between.joined([(0, 0)] * len(self._around), self._beside())

    def solve(self):
        """Pick the fastest cuts within the budget for the step that ran, or the smallest, and say so."""
        self.is_solved, self._has_run = True, False
        around = [[option] for option in self._around]
        chain = between.joined(around, [self.known[link.digest] for link in self._step])
        beside, passes = self._beside_all(), self._passes_of_all()
        before = self._peak_of(self._plain())
        budget = self.options.budget.of(before)
        chosen = regions.choose(chain, budget, beside, passes)
        if chosen is None:
            chosen = regions.smallest(chain, beside, passes)
            sentence = (
                f"No plan for these {self.names} holds {sizes.exact_text(budget)}; the smallest exact peak that was found "
                f'is {sizes.exact_text(chosen.peak_bytes)}: "{chosen.peak_bytes}B".'
            )
            if self.options.strict:
                raise PlanError(sentence)
            tell(f"{sentence} The step runs with that; strict=True refuses it.", self)
        digests = between.joined([*range(len(around))], [link.digest for link in self._step])
        uniform = _uniform(digests, chain, budget, beside, passes)
        self._chosen = chosen.picks[1::2] if around else chosen.picks
        self._record = self._record_of(self._chosen, before, budget, chosen, uniform)
        history.add(self._record)
        self.picks.clear()
        for link, option in zip(self._step, self._chosen, strict=True):
            self.picks.setdefault(link.place, {}).setdefault(link.digest, []).append(option)

    def _beside(self):
        """For each link what is held beside its forward and its backward, of which gradients of later ones are left."""
        old = self._step[0].forward.gradients
        found = []
        for link in self._step:
            back = link.backward or torch_private.Sharded()
            new = max(back.gradients - old, 0)  # those of batches before are added to in place
            found.append((link.forward.buffers, back.buffers + new - back.reduced))
        return found

    def compile(self, place, picks, module, example_inputs, patches=None):
        """Inductor's function for a region, cut as in ``picks``; ``place()`` is asked for when it runs.

        A region that runs several times in a step is compiled once for each cut, and takes them in turn.
        """
        fix_shapes(example_inputs, self)
        between.let_go()
        self._compiles = True
        digest, options = max(picks.items(), key=lambda pick: len(pick[1]), default=(None, [None]))
        own, *others = dict.fromkeys(options)
        runs = {}
        for option in (*others, own):
            graph = module if option is own else torch_private.copied_from_dynamo(module)
            cut = {**picks, digest: [option]} if option else {}
            runs[option] = self._compile_as(cut, place, graph, example_inputs, patches)

        def call(*args):
            ran = self._runs[digest] if self.is_in_flight else 0
            return runs[options[min(ran, len(options) - 1)]](*args)

        return call if others else runs[own]

    def _compile_as(self, picks, place, module, example_inputs, patches):
        part = _partitioner(self, picks)

        def inner(graph, inputs, **settings):
            compiled = torch_private.compile_fx_inner(graph, inputs, **settings)
            if settings.get("is_inference") or part.digest is None:
                return compiled
            if settings.get("is_backward"):
                return backward_of(compiled, self._enters, lambda: self._went_back(part.digest))
            begun = forward_of(compiled, self._enters, lambda saved: self._ran(place(), part.digest, saved))
            return part.numbers.watched(compiled, begun)

        with torch_private.aot_settings(enable_autograd_cache=False):
            with_part = {**(patches or {}), "custom_partitioner_fn": part}
            try:
                run = torch_private.compile_fx(module, example_inputs, inner, config_patches=with_part)
            except Exception as error:
                return unplanned.compiled(error, module, example_inputs, patches, self, self.options.strict)
        return doubled.differentiable(run, module, part.repeats, self) if part.repeats else run

    def _record_of(self, picks, before, budget, chosen, uniform):
        return {
            "graph": {"name": self.names},
            "budget": self.options.budget.text,
            "budget_bytes": budget,
            "predicted": {
                "peak_bytes": chosen.peak_bytes,
                "time_us": chosen.time_us,
                "keep_all_peak_bytes": before,
                "keep_all_time_us": sum(option.time_us for option in self._plain()),
                "uniform_time_us": uniform and uniform.time_us,
            },
            "before_bytes": before,
            "choices": [
                {"block": link.place, "cut": option.name, "kept_bytes": option.kept_bytes}
                for link, option in zip(self._step, picks, strict=True)
            ],
            "options": [[option.name for option in self.known[link.digest]] for link in self._step],
        }


def _partitioner(chain, picks):
    class Cutter(torch_private.CustomPartitionerFn):
        """Cuts one region as it was picked; explores a new one, and takes what keeps least."""

        digest = None
        numbers = None
        repeats = None  # what a second run in eager mode needs
        autocasts = autocasts_now()

        def __call__(self, module, joint_inputs, **arguments):
            graph = StepGraph.of_joint_graph(torch_private.copied(module), arguments["num_fwd_outputs"])
            self.numbers = inductor_numbers.Numbers(graph.module, graph.in_backward)
            self.repeats = doubled.Repeats.of(graph, self.autocasts, self.numbers.drawn)
            self.digest = hashlib.sha256(str(module.graph).encode()).hexdigest()
            forward, backward = self.halves(module, joint_inputs, arguments)
            self.numbers.cut(forward)
            return forward, backward

        def halves(self, module, joint_inputs, arguments):
            if self.digest in picks:
                return regions.make(picks[self.digest][0], module, joint_inputs, arguments)
            if chain.is_solved:
                tell(
                    f"One of the {chain.names} came with another graph or shape than in the first step, and runs with "
                    "the cut that keeps least, which may be over the budget; give batches of one shape, and numbers that "
                    "change as tensors.",
                    chain,
                )
            explored = regions.explore(module, joint_inputs, arguments, chain.options)
            chain.known[self.digest] = [option for option, _ in explored]
            _, cut = min(explored, key=lambda pair: (pair[0].kept_bytes, pair[0].time_us))
            return cut.forward, cut.backward

        def __reduce__(self):
            return str, ("remat",)

        def uuid(self):
            return "remat"

    return Cutter()


def _uniform(digests, chain, budget_bytes, beside, passes):
    """The fastest choice within the budget that has one option for all equal regions; None where none fits."""
    repeated = [digests.count(digest) > 1 for digest in digests]
    several = [region for region, is_repeated in zip(chain, repeated, strict=True) if is_repeated]
    names = {option.name for region in several for option in region}
    found = []
    for name in names:
        alike = [
            [option for option in region if option.name == name] if is_repeated else region
            for region, is_repeated in zip(chain, repeated, strict=True)
        ]
        found.append(regions.choose(alike, budget_bytes, beside, passes) if all(alike) else None)
    return min((each for each in found if each), key=lambda each: each.time_us, default=None)
