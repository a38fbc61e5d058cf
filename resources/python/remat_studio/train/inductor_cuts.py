# SPDX-License-Identifier: Apache-2.0
"""Ways to cut a joint graph for Inductor: PyTorch's own at some ratios, and a plan's."""

import copy
import dataclasses

import torch
from torch import fx

from .. import torch_private
from . import costs, inductor_peak, wrapped_rng
from .beside import Beside
from .chunks import read
from .dry_run import BrokenText
from .partition import Partition
from .step_graph import StepGraph

_AS_GIVEN = ", inputs saved as given"
_NOTHING = Beside()


@dataclasses.dataclass(frozen=True)
class Cut:
    """Forward and backward graph, and what they exactly hold."""

    name: str
    forward: fx.GraphModule
    backward: fx.GraphModule
    peak: inductor_peak.Peak
    time_us: float  # by the rates of a device, of matrix products and of bytes that kernels move
    graph: StepGraph | None = dataclasses.field(default=None, compare=False)  # that the steps of a plan are for
    steps: list | None = dataclasses.field(default=None, compare=False)  # None for PyTorch's own cuts
    # {"ratio": ...} of PyTorch's cut that it is or goes on from, {"chunks": ...} in words, or {} for the raw graph.
    origin: dict = dataclasses.field(default_factory=dict, compare=False)
    beside: Beside = Beside()  # what the step holds beside this graph

    @property
    def bytes(self):
        """The peak of the step."""
        return self.beside.peak_with(self.peak)

    @property
    def least_bytes(self):
        """The same where the script lets go of outputs and of their gradients, which a measured step shows."""
        return self.beside.let_go().peak_with(self.peak)


class Maker:
    """Cuts one joint graph in several ways; ``time_of`` gives the microseconds of an ``inductor_peak.Peak``.

    ``static`` is what ``inductor_peak`` takes for a region of a step, and ``beside`` what lies beside a whole one.
    None stands for a cut for which Inductor writes a text that cannot run.
    """

    def __init__(self, module, joint_inputs, arguments, time_of, static=None, beside=_NOTHING):
        self.saves_as_given = False  # whether inputs of convolutions are saved as they are, and not in another layout
        self.beside = beside
        self.outputs = arguments["num_fwd_outputs"]
        self.has_open_sizes = torch_private.has_open_sizes(module)
        self._module = module
        self._inputs = joint_inputs
        self._arguments = arguments
        self._time_of = time_of
        self._static = static

    def time_of_op(self, op):
        """Microseconds of one op of a StepGraph, by the same rates."""
        return self._time_of(costs.Work(costs.flops_of(op), op.moved_bytes))

    def saving_as_given(self):
        """The same, with cuts that save inputs of the step as they are given.

        Inductor lays those that convolutions read out anew, weights mostly, and saves the copies. They are made for one
        convolution here, and once more for its backward.
        """
        made = copy.copy(self)
        made.saves_as_given = True
        return made

    def own(self, ratio):
        """PyTorch's cut; ``ratio`` is its share of saved bytes. None where it would draw random numbers twice."""
        halves = self.own_halves(ratio)
        return halves and self.lowered_own(ratio, halves)

    def own_halves(self, ratio):
        """Forward and backward of PyTorch's cut, which is not lowered."""
        copy = torch_private.copied(self._module)
        forward, backward = torch_private.min_cut(copy, self._inputs, ratio, self._arguments)
        is_plain = ratio == 1 and self.has_open_sizes  # for which there is no other way
        if torch_private.draws_seeds(backward) and not is_plain:
            return None
        return self._saving(forward), backward

    def lowered_own(self, ratio, halves):
        """The cut of these halves."""
        return self._cut(f"PyTorch's at {ratio:g}", *halves, origin={"ratio": ratio})

    def of_steps(self, name, graph, steps, origin=None):
        """The cut of a plan for a StepGraph, and what that graph was made of."""
        forward, backward = Partition(graph, steps).modules()
        for half in (forward, backward):
            _keep_sums_apart(half)
        return self._cut(name, self._saving(forward), backward, graph, steps, origin)

    def _saving(self, forward):
        if self.saves_as_given:
            _save_as_given(forward)
        return forward

    def _cut(self, name, forward, backward, graph=None, steps=None, origin=None):
        if self.saves_as_given and not name.endswith(_AS_GIVEN):
            name += _AS_GIVEN
        try:
            peak = inductor_peak.inductor_peak(
                forward, backward, self.outputs, self._static, self.beside.is_retained
            )
        except BrokenText:
            return None
        return Cut(name, forward, backward, peak, self._time_of(peak), graph, steps, origin or {}, self.beside)


def saves_as_given(cut):
    """True for a cut that saves inputs of the step as they are given."""
    return cut.name.endswith(_AS_GIVEN)


def _keep_sums_apart(half):
    """Sums over the rows of a chunk, parts of a bias' gradient, are made one by one.

    Inductor fuses them with the sum of all, which then waits for the rows of every chunk.
    """
    for node in half.graph.nodes:
        if node.target is torch.ops.aten.sum.dim_IntList and 0 in node.args[1] and read.is_of_chunk(node.name):
            torch_private.keep_apart(node)


def _save_as_given(forward):
    """Have convolutions read views of saved inputs: only what they read themselves is saved in their layout."""
    for node in forward.graph.output_node().all_input_nodes:
        if node.op != "placeholder":
            continue
        value = node.meta["val"]
        for reader in [user for user in node.users if user.target is torch.ops.aten.convolution.default]:
            with forward.graph.inserting_before(reader):
                place = value.shape, value.stride(), value.storage_offset()
                view = forward.graph.call_function(torch.ops.aten.as_strided.default, (node, *map(list, place[:2]), place[2]))
            view.meta = {"val": value, "partitioner_tag": "is_forward"}
            reader.replace_input_with(node, view)
    forward.recompile()


def joined(forward, backward, outputs):
    """The StepGraph of a cut's two halves in one: what it computes again is an op of the backward of its own.

    A plan that recomputes nothing of it is the cut itself, but where ``draws_again`` is set: the backward then draws
    numbers of the forward once more, in checkpoints of the model's own, and ops of one graph draw new ones.
    """
    graph = fx.Graph()
    made = {}
    for node in forward.graph.nodes:
        if node.op != "output":
            made[node] = _copied(graph, node, made, "is_forward")
    forward_values = forward.graph.output_node().args[0]
    forward_descs = forward.graph.output_node().meta.get("desc") or [None] * len(forward_values)
    saved = iter(forward_values[outputs:])
    last = [node for node in graph.nodes if node.op == "placeholder"][-1]
    for node in backward.graph.nodes:
        if node.op == "placeholder" and not torch_private.is_tangent(node):
            made[node] = made[next(saved)]
        elif node.op == "placeholder":
            with graph.inserting_after(last):
                made[node] = last = _copied(graph, node, made, "is_backward")
        elif node.op != "output":
            made[node] = _copied(graph, node, made, "is_backward")
    end = backward.graph.output_node()
    values = [*forward_values[:outputs], *end.args[0]]
    output = graph.output(tuple(made[value] if isinstance(value, fx.Node) else value for value in values))
    output.meta["desc"] = [*forward_descs[:outputs], *(end.meta.get("desc") or [None] * len(end.args[0]))]
    module = fx.GraphModule(torch_private.attributes_of(forward, backward), graph)
    made = StepGraph.of_joint_graph(module, outputs)
    made.draws_again = any(map(wrapped_rng.draws, forward.graph.nodes))
    return made


def _copied(graph, node, made, tag):
    new = wrapped_rng.without(graph, node, made)
    if new is None:
        new = graph.node_copy(node, lambda source: made[source])
        new.meta = dict(node.meta)
    if node.op != "placeholder":
        new.meta["partitioner_tag"] = tag
    return new
