# SPDX-License-Identifier: Apache-2.0
"""Regions of a step, compiled one by one by Inductor, whose cuts are chosen together once their order is known."""

import collections
import functools
import hashlib
import re
import weakref

import torch

from .. import sizes, torch_private
from . import between, doubled, halves, history, inductor_numbers, once_more, ranks, regions, unplanned
from .backend import fix_shapes
from .errors import PlanError
from .known_options import KnownOptions
from .part import Waiting
from .region_step import RegionStep
from .session import MEASURED, RETAINED, TOLERANCE, TRIES, planned_for_between
from .step_graph import StepGraph
from .telling import RUNS, tell
from .untold import Untold
from .written import autocasts_now


_OVER = (
    "The step holds {} with what runs between its graphs, and its budget is {}: no plan was found that leaves so much "
    f"room.{RUNS}"
)
_MORE = (
    "The step came in more than {} kinds, by the shapes and the order of its graphs: further ones run with the cuts "
    "that keep least{}. Give batches of one shape, and numbers that change as tensors."
)


class Chain:
    """The regions of a step, in the order of their forwards, and what is picked for them.

    Each region has a place: one compilation, which may run several times in a step. The first step runs with the least
    that each can keep, and shows the order; then ``ends()`` is called. ``names`` is what the regions are to the user.
    A step of the choice is measured: where it holds more than the budget with what runs between the regions, ``ends()``
    is called again, and ``solve()`` picks cuts for what that leaves. So it is where a step of another kind comes, as of
    the other model of a GAN: each kind has a plan.
    """

    def __init__(self, read, names, ends):
        self.options = read
        self.names = names
        self._ends = ends
        self.is_solved = False
        self.picks = {}  # place -> {digest of a joint graph: its options in the order of its runs}
        self.known = {}  # digest -> its options
        self._step = RegionStep()  # the one that runs now, or the one that cuts are picked for
        self._steps = {}  # those with a plan, by their digests
        self._runs = collections.Counter()  # forwards since none waited for a backward, by place and digest
        self._waiting = Waiting()
        self.demand = once_more.Demand()
        self.untold = Untold()  # of kinds of steps that no cuts hold, until one of them has shown it
        weakref.finalize(self, self.untold.say_all)
        self._measuring = None  # a MeasuredStep
        self._compiles = False  # in this step, which takes memory beside it
        self._told_of_more = set()  # whether such a step was over its budget
        between.from_calls_on(self)

    @property
    def is_in_flight(self):
        """True between the forward of a region and the last backward."""
        return bool(self._waiting.parts())

    @property
    def has_plans(self):
        """True where cuts were picked for a step."""
        return bool(self._steps)

    @property
    def length(self):
        """How many runs of regions the last step had."""
        return len(self._step.links)

    @property
    def has_gone_back(self):
        """True where the last step had a backward of one of these."""
        return self._step.has_gone_back

    @property
    def is_due(self):
        """True where the next step may be one to be measured."""
        return not self.is_in_flight and any(step.is_due for step in self._steps.values())

    def _enters_forward(self, digest):
        self._step.goes_on()
        self._enters(digest)

    def _enters(self, digest):
        """The forward of a region begins, or its backward."""
        if not self.is_in_flight:
            due = [step for key, step in self._steps.items() if key[0] == digest and step.is_due]
            may_be = bool(due) and not self._compiles and between.may_begin()
            for step in due if may_be else ():
                step.tries += 1
            self._measuring = between.step_of(self, self._has_measured if may_be else None)
        if self._measuring:
            self._measuring.begins()

    def _lets_go(self):
        if self._measuring:
            self._measuring.lets_go()

    def _enters_backward(self, digest):
        if not self._step.has_gone_back:
            self._step.turns()
        self._enters(digest)

    def _ran(self, place, digest, saved):
        """The forward of a region ran, with a backward to come."""
        if self._measuring:
            self._measuring.ends(True, digest)
        if not self.is_in_flight:
            self._runs.clear()
            self._step = RegionStep()  # forwards before that are not in flight had no backward
        self._runs[place, digest] += 1
        self._step.ran(place, digest)
        self._waiting.begins(digest, saved)

    def _went_back(self, digest):
        """The backward of a region ran."""
        if self._measuring:
            self._measuring.ends(False, digest)
        if self._waiting.is_retained(digest):
            tell(RETAINED, self)
        self._step.went_back(digest)
        if not self._waiting.ends(digest):
            return
        self._compiles = False
        if self._step.digests in self._steps:
            ran, self._step = self._step, self._steps[self._step.digests]
            self._step.has_run = True
            waiting = self.untold.ran({self._step.digests})
            if self._measuring:
                self._step.has_seen(ran)
                self._measuring.has_all()
            elif waiting and not self.untold.may_be_measured(self._step.digests):
                self.untold.say(self._step.digests)
        elif self._step.links:
            self._drop_measuring()
            self._is_of_a_new_kind()
        self._measuring = None

    def _is_of_a_new_kind(self):
        """A step is over that no cuts were picked for."""
        if len(self._steps) < self.options.shapes:
            self.is_solved = False
            self._ends()
            return
        step = self._step
        held = step.peak_of(self._in_use_by(step))
        budget = self.options.budget.of(step.peak_of(step.plain(self.known)))
        is_over = held > budget * TOLERANCE
        if is_over not in self._told_of_more:
            self._told_of_more.add(is_over)
            more = "; one holds {}, and its budget is {}".format(*map(sizes.size_text, (held, budget)))
            tell(_MORE.format(len(self._steps), more if is_over else ""), self)

    def _in_use_by(self, step):
        """The options that the runs of a step were compiled with."""
        used = step.candidates(self.known, self._fixed(), is_solved=False)
        return [min(options, key=_by_kept) for options in used]

    def _fixed(self, but=None):
        """The options of all graphs at their places, in the order of their runs, as steps ``but`` one have them."""
        found = {}
        for step in self._steps.values():
            if step is not but:
                _lengthen(found, step.picked())
        return found

    def _drop_measuring(self):
        if self._measuring:
            self._measuring.drop()
            self._measuring = None

    def _has_measured(self, measured):
        """The step that ran took this; where that is too much, cuts are picked once more."""
        step, record = self._step, self._step.record
        if record is None:  # a forward without a backward
            return
        found = step.around_of(measured, step.tries == TRIES, self)
        parts = ["between", *step.digests]
        found = ranks.shared_now(parts, self.options.time_limit, lambda: found)
        if found is None:
            if measured and step.tries == TRIES:  # as predicted, although in another order
                record["measured"] = {"peak_bytes": max(peak for _, peak in measured)}
            return
        step.tries %= TRIES
        step.measured += 1
        around, behind = found
        name = f"between the {self.names}"
        step.is_around([regions.Option(name, *each, time_us=0.0, ratio=1) for each in around], behind)
        if measured:
            record["measured"] = {"peak_bytes": max(peak for _, peak in measured)}
        peak, before = step.peak_of(step.picks), step.peak_of(step.plain(self.known))
        budget = self.options.budget.of(before)
        record["between_bytes"] = peak - step.peak_alone(step.picks)
        predicted = record["predicted"]["peak_bytes"]
        is_less = peak <= predicted * TOLERANCE
        if is_less and step.around[0].kept_bytes < 0:  # what the first region was given is older than what is measured
            return
        is_least = is_less and record["budget_bytes"] < predicted
        record["predicted"] |= {"peak_bytes": peak, "keep_all_peak_bytes": before}
        record |= {"budget_bytes": budget, "before_bytes": before}
        self.untold.drop(step.digests)
        if peak <= budget * TOLERANCE:
            return
        if is_least:
            tell(self._missed(peak, budget) + RUNS, self)
            return
        if step.measured == MEASURED:
            tell(_OVER.format(*map(sizes.size_text, (peak, budget))), self)
            return
        tell(planned_for_between(peak, record["between_bytes"], budget), self)
        self.is_solved = False
        self._ends()

    def solve(self):
        """Pick the fastest cuts within the budget for the step that ran; or the smallest, of which a next one tells.

        Graphs that other kinds of steps run, too, keep their cuts, unless only others hold the budget in all of these.
        Returns whether anything is to be compiled with another cut.
        """
        self.is_solved = True
        step = self._step
        in_use = self._in_use_by(step)
        before = step.peak_of(step.plain(self.known))
        budget = self.options.budget.of(before)
        own = step.candidates(self.known, self._fixed(but=step))
        chosen, others = step.choose(own, budget), {}
        if chosen is None:
            chosen, others = self._chosen_for_all(step, budget)
        if chosen is None:
            chosen, others = step.smallest(own), {}
            sentence = self._missed(chosen.peak_bytes, budget)
            if self.options.strict:
                raise PlanError(sentence)
            self.untold.add(step.digests, sentence + RUNS, chosen.peak_bytes)
            self.untold.ran({step.digests})  # with no less
        self._steps[step.digests] = step
        for other, picked in others.items():
            self._take(other, picked, other.record["budget_bytes"], other.record["before_bytes"])
        self._take(step, chosen, budget, before)
        self.picks.clear()
        for (place, digest), options in self._fixed().items():
            self.picks.setdefault(place, {})[digest] = options
        return bool(others) or self._in_use_by(step) != in_use

    def _chosen_for_all(self, step, budget):
        """Cuts within the budget for a step, and for others by which of its graphs have other cuts then.

        None where there are none for one of these.
        """
        chosen = step.choose(step.candidates(self.known, {}), budget)
        fixed, others = step.picked(chosen.picks) if chosen else {}, {}
        for other in self._steps.values():
            if other is step or chosen is None or not fixed.keys() & other.picked().keys():
                continue
            others[other] = other.choose(other.candidates(self.known, fixed), other.record["budget_bytes"])
            if others[other] is None:
                return None, {}
            _lengthen(fixed, other.picked(others[other].picks))
        return chosen, others

    def _missed(self, peak_bytes, budget_bytes):
        """The sentence on a step whose budget no cuts hold."""
        return (
            f"No plan for these {self.names} holds {sizes.exact_text(budget_bytes)}; the smallest exact peak that was "
            f'found is {sizes.exact_text(peak_bytes)}: "{peak_bytes}B".'
        )

    def _take(self, step, chosen, budget, before):
        """Have a step run by what was chosen."""
        uniform = step.uniform(step.candidates(self.known, {}), budget)
        step.picks, step.has_run = chosen.picks, False
        step.record = self._record_of(step, before, budget, chosen, uniform)
        history.add(step.record)

    def compile(self, place, picks, module, example_inputs, patches=None):
        """Inductor's function for a region, cut as in ``picks``; ``place()`` is asked for when it runs.

        A region that runs several times in a step is compiled once for each cut, and takes them in turn.
        """
        fix_shapes(example_inputs, self)
        between.let_go()
        self._drop_measuring()
        self._compiles = True
        digest, options = max(picks.items(), key=lambda pick: len(pick[1]), default=(None, [None]))
        own, *others = dict.fromkeys(options)
        runs = {}
        for option in (*others, own):
            graph = module if option is own else torch_private.copied_from_dynamo(module)
            cut = {**picks, digest: [option]} if option else {}
            runs[option] = self._compile_as(cut, place, graph, example_inputs, patches)

        def call(*args):
            ran = self._runs[place(), digest] if self.is_in_flight else 0
            outputs = runs[options[min(ran, len(options) - 1)]](*args)
            if self.is_in_flight:
                self._step.gave(outputs, self._lets_go)
            return outputs

        return call

    def _compile_as(self, picks, place, module, example_inputs, patches):
        part = _partitioner(self, picks)

        def inner(graph, inputs, **settings):
            compiled = torch_private.compile_fx_inner(graph, inputs, **settings)
            if settings.get("is_inference") or part.digest is None:
                return compiled
            if settings.get("is_backward"):
                begins, ends = (functools.partial(each, part.digest) for each in (self._enters_backward, self._went_back))
                return halves.backward_of(compiled, begins, ends)
            begins = functools.partial(self._enters_forward, part.digest)
            begun = halves.forward_of(compiled, begins, lambda saved: self._ran(place(), part.digest, saved))
            return part.numbers.watched(compiled, begun)

        with torch_private.aot_settings(enable_autograd_cache=False):
            with_part = {**(patches or {}), "custom_partitioner_fn": part}
            try:
                run = torch_private.compile_fx(module, example_inputs, inner, config_patches=with_part)
            except Exception as error:
                return unplanned.compiled(error, module, example_inputs, patches, self, self.options.strict)
        return doubled.differentiable(run, module, part.repeats, self) if part.repeats else run

    def _record_of(self, step, before, budget, chosen, uniform):
        return {
            "graph": {"name": self.names},
            "budget": self.options.budget.text,
            "budget_bytes": budget,
            "predicted": {
                "peak_bytes": chosen.peak_bytes,
                "time_us": chosen.time_us,
                "keep_all_peak_bytes": before,
                "keep_all_time_us": sum(option.time_us for option in step.plain(self.known)),
                "uniform_time_us": uniform and uniform.time_us,
            },
            "before_bytes": before,
            "choices": [
                {"block": link.place, "cut": option.name, "kept_bytes": option.kept_bytes}
                for link, option in zip(step.links, chosen.picks, strict=True)
            ],
            "options": [[option.name for option in self.known[link.digest]] for link in step.links],
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
            self.digest = _digest(module, arguments)
            forward, backward = self.halves(module, joint_inputs, arguments)
            self.numbers.cut(forward)
            return forward, backward

        def halves(self, module, joint_inputs, arguments):
            if self.digest in picks:
                return regions.make(picks[self.digest][0], module, joint_inputs, arguments)
            on_disk = KnownOptions(self.digest, chain.options)
            known = chain.known.get(self.digest) or on_disk.read()
            if known:
                chain.known[self.digest] = known
                return regions.make(min(chain.known[self.digest], key=_by_kept), module, joint_inputs, arguments)
            explored = regions.explore(module, joint_inputs, arguments, chain.options)
            chain.known[self.digest] = [option for option, _ in explored]
            on_disk.write(chain.known[self.digest])
            _, cut = min(explored, key=lambda pair: _by_kept(pair[0]))
            return cut.forward, cut.backward

        def __reduce__(self):
            return str, ("remat",)

        def uuid(self):
            return "remat"

    return Cutter()



def _digest(module, arguments):
    """What tells a joint graph from others, which may be the same operators for another size.

    Dynamo leaves a size open that changed once. Where it is fixed then, the graph has an input more that nobody reads.
    """
    inputs = module.graph.find_nodes(op="placeholder")
    read = [node for node in inputs if node.users or isinstance(node.meta.get("val"), torch.Tensor)]
    places = {node.name: f"input_{place}" for place, node in enumerate(read)}
    values = [node.meta["val"] for node in read if isinstance(node.meta.get("val"), torch.Tensor)]
    sizes = [(str(value.dtype), str(value.device), list(value.shape), list(value.stride())) for value in values]
    static = [places.get(inputs[index].name) for index in arguments.get("static_lifetime_input_indices") or ()]
    given, count = module.graph.output_node().args[0], arguments["num_fwd_outputs"]
    gradients = [value for node, value in zip(inputs, given[count:], strict=False) if node in read]
    lines = [node.format_node() for node in module.graph.nodes if node.op not in ("placeholder", "output")]
    lines += [f"%{value}" for value in (*given[:count], *gradients)]
    text = re.sub(r"%(\w+)", lambda name: places.get(name[1], name[1]), f"{len(read)}{lines}")
    return hashlib.sha256(f"{static}{sizes}{text}".encode()).hexdigest()


def _by_kept(option):
    """What takes least of a step that is not known yet, and then the least time."""
    return option.kept_bytes, option.time_us


def _lengthen(found, picked):
    """Have lists of ``found`` go on as those of ``picked`` do, which begin as they do."""
    for key, options in picked.items():
        own = found.setdefault(key, [])
        own += options[len(own) :]
