# SPDX-License-Identifier: Apache-2.0
"""Several regions of a step under one budget: ways to cut each, and the best choice for all of them together.

With A the bytes that regions keep which wait for their backward, and G the gradients of those whose backward is over,
the step holds A + G + the peak of the forward or the backward that runs. In which order these run is in its ``Passes``.
What libraries hold beside a region is a pair of bytes, of its forward and of its backward.
"""

import dataclasses
import itertools

from .. import torch_private
from . import costs, inductor_cuts, planner
from .fused import FusedGraph
from .held_outputs import OutputsOfCut
from .passes import Passes
from .step_graph import StepGraph

_RATIOS = (1, 0.99, 0.5, 0.1, 0)  # PyTorch's own cuts: from no plan to everything again
_SHARES = (2 / 3, 1 / 3)  # plans keep these parts of what is between the least and the cut they go on from
_NONE = frozenset()
_ON_TOP = 1 << 50  # bytes at the border, so that nothing is limited but what crosses it


@dataclasses.dataclass(frozen=True)
class Option(OutputsOfCut):
    """One way to cut a region, by exact bytes, and how to make it for an equal graph."""

    name: str
    forward_bytes: int  # at most, in the forward, with the region's own input
    kept_bytes: int  # from the forward to the backward
    backward_bytes: int  # at most, in the backward, whose outputs, but numbers, are other regions' by then
    gradient_bytes: int  # gradients of parameters, a loss and its gradient: they stay to the end of the step
    time_us: float
    ratio: float  # that of PyTorch's cut, or of the one that the plan goes on from
    steps: list | None = dataclasses.field(default=None, compare=False)
    saved_bytes: int = 0  # kept_bytes and the outputs that the region does not keep
    unsaved: tuple = dataclasses.field(default=(), compare=False)
    pieces: tuple = dataclasses.field(default=(), compare=False)
    outputs_bytes: int = 0  # of what is kept, its outputs
    inputs_bytes: int = 0  # of what is kept, what another region gives


@dataclasses.dataclass
class Chosen:
    """An option for each region of a chain, and what the whole step holds and takes by them."""

    picks: tuple
    peak_bytes: int
    time_us: float


def explore(module, joint_inputs, arguments, options):
    """Pairs of an option of one joint graph and its cut: those that no other one beats, and PyTorch's own without a plan."""
    raw = StepGraph.of_joint_graph(torch_private.copied(module), arguments["num_fwd_outputs"])
    device = costs.device(options.device, raw)
    maker = _maker(module, joint_inputs, arguments, device.time_of(raw))
    found = []
    for ratio in _RATIOS:
        cut = maker.own(ratio)
        if cut is not None:
            found.append((_option(cut, ratio), cut))
    near = next(((option, cut) for option, cut in found if option.ratio < 1), None)
    least = min(option.kept_bytes for option, _ in found)
    graph = _base(near[1], maker) if near is not None and near[0].kept_bytes > least else None
    if graph is not None and not graph.draws_again:
        ends = {*graph.held_outputs, *graph.tangent_storages}
        fused = FusedGraph(graph)
        as_json = fused.graph.as_json("region")
        above = _ON_TOP + sum(storage.bytes for storage in ends if not storage.is_resident)
        how = dataclasses.replace(options, strict=False, time_limit=options.time_limit / len(_SHARES))
        for share in _SHARES:
            limit = least + share * (near[0].kept_bytes - least)
            plan, _ = planner.make_plan(as_json, int(above + limit), how, device.name, in_order=True)
            steps = fused.expanded(plan["steps"])
            cut = maker.of_steps(f"a plan that keeps {limit / near[0].kept_bytes:.0%}", graph, steps)
            if cut is not None:
                found.append((_option(cut, near[0].ratio, steps), cut))
    return [pair for pair in found if pair[0].ratio == 1 or not any(_beats(other, pair[0]) for other, _ in found)]


def make(option, module, joint_inputs, arguments):
    """The two halves of an option for a graph that equals the one which was explored."""
    maker = _maker(module, joint_inputs, arguments, lambda _peak: 0.0)
    cut = maker.own(option.ratio)
    if option.steps is not None:
        cut = maker.of_steps(option.name, _base(cut, maker), option.steps)
    return cut.forward, cut.backward


def choose(chain, budget_bytes, beside, passes=None):
    """The fastest choice within the budget for a chain of regions, each a list of options; None where none fits.

    ``passes`` are nested, if nothing is said.
    """
    passes = passes or Passes.nested(len(chain))
    gradients = passes.gradients([max(option.gradient_bytes for option in region) for region in chain])
    fronts = [None] * len(chain)  # for each region and those inside of it: (what may be held before, time, picks)
    for index in reversed(range(len(chain))):
        inside = _together([fronts[each] for each in passes.inside[index]])
        found = []
        for option in chain[index]:
            own = budget_bytes - max(_bytes_of_pass(each, index, option, beside, gradients) for each in (True, False))
            for room, time_us, picks in inside:
                left = min(own, room - option.kept_bytes)
                if left >= 0:
                    found.append((left, time_us + option.time_us, (option, *picks)))
        fronts[index] = _undominated(found)
    best = min(_together([fronts[each] for each in passes.outermost]), key=lambda each: each[1], default=None)
    return best and Chosen(best[2], peak_of(best[2], beside, passes), best[1])


def smallest(chain, beside, passes=None):
    """The choice with the least peak, of these the fastest."""
    low, high = 0, peak_of([min(region, key=lambda option: option.kept_bytes) for region in chain], beside, passes)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if choose(chain, middle, beside, passes) else (middle + 1, high)
    return choose(chain, high, beside, passes)


def peak_of(picks, beside, passes=None):
    """The peak of a step by the picks for its regions."""
    passes = passes or Passes.nested(len(picks))
    gradients = passes.gradients([option.gradient_bytes for option in picks])
    held = peak = 0
    for is_forward, index in passes.order:
        option = picks[index]
        held -= 0 if is_forward else option.kept_bytes
        peak = max(peak, held + _bytes_of_pass(is_forward, index, option, beside, gradients))
        held += option.kept_bytes if is_forward else 0
    return peak


def _bytes_of_pass(is_forward, index, option, beside, gradients):
    own = option.forward_bytes if is_forward else option.backward_bytes
    return own + beside[index][not is_forward] + gradients[is_forward, index]


def gradients_from(picks):
    """For each region the bytes of gradients of it and those after it, and 0 behind all."""
    return [sum(option.gradient_bytes for option in picks[index:]) for index in range(len(picks) + 1)]


def _together(fronts):
    """The choices for regions of which none runs inside of another one, by the choices for each."""
    found = [(float("inf"), 0.0, ())]
    for front in fronts:
        pairs = itertools.product(found, front)
        found = _undominated([(min(one[0], two[0]), one[1] + two[1], one[2] + two[2]) for one, two in pairs])
    return found


def _undominated(choices):
    kept, most = [], -1
    for choice in sorted(choices, key=lambda each: (each[1], -each[0])):
        if choice[0] > most:
            kept.append(choice)
            most = choice[0]
    return kept


def _maker(module, joint_inputs, arguments, time_of):
    # What gets no gradient is no activation of another region: it belongs to the batch, or stays as parameters do.
    given = module.graph.output_node().args[0][arguments["num_fwd_outputs"] :]
    static = {*(arguments.get("static_lifetime_input_indices") or []), *(i for i, g in enumerate(given) if g is None)}
    return inductor_cuts.Maker(module, joint_inputs, arguments, time_of, static)


def _base(cut, maker):
    graph = inductor_cuts.joined(cut.forward, cut.backward, maker.outputs)
    graph.draw_once()
    graph.border_workspace_bytes = _ON_TOP
    return graph


def _option(cut, ratio, steps=None):
    peak = cut.peak
    sizes = peak.forward_bytes, peak.kept_bytes, peak.backward_bytes_with(_NONE), peak.gradient_bytes
    more = peak.saved_bytes, peak.unsaved, peak.pieces, peak.kept_outputs_bytes, peak.kept_inputs_bytes
    return Option(cut.name, *sizes, cut.time_us, ratio, steps, *more)


def _beats(one, other):
    """True where one option is nowhere worse than another; of equal ones, the one whose name comes first."""
    sizes, others = ([each.forward_bytes, each.kept_bytes, each.backward_bytes, each.time_us] for each in (one, other))
    if sizes == others:
        return one.name < other.name
    return all(a <= b for a, b in zip(sizes, others, strict=True))
