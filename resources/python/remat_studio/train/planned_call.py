# SPDX-License-Identifier: Apache-2.0
"""How calls of one shape of a planned module run: its parameters and inputs go into a graph, and outputs come back."""

import functools
import operator
from unittest import mock

import torch

from .. import joint, scopes, torch_private
from . import (
    absent,
    apart,
    as_eager,
    between,
    halves,
    handed,
    incoming,
    likeness,
    once_more,
    planning,
    runner,
    sums,
    written,
)
from .errors import PlanError
from .outputs import Outputs
from .step_graph import StepGraph
from .ties import sources_of, tied


_BESIDE = "A gradient came for an output of a planned module beside the loss, which the plan has none for."
_RUNS_AGAIN = (
    "It is computed by the model itself: its forward runs once more, and holds what it does without a plan or a little "
    "more, whatever the budget."
)
_WAY_OUT = "Call the planned module without labels, and compute the whole loss of its outputs."


class Way:
    """Runs calls of one shape as planned."""

    def __init__(self, step, key, name, module, plain, captured, given, outputs):
        self._step = step
        self._module = module
        self._outputs = outputs
        self._taken = joint.way_taken(captured, given)
        self._tensors = likeness.OwnTensors(module, captured.module)
        nodes = captured.module.graph.find_nodes(op="placeholder")
        kinds = [torch_private.input_of(node.meta["desc"]) for node in nodes]
        ends = [torch_private.output_of(desc) for desc in captured.module.graph.output_node().meta["desc"]]
        states = {short: (state.kind, state.fqn) for short, state in captured.states.items()}
        inputs = [each for each in kinds if each[0] != "tangent"]
        self._inputs = [states[value] if kind == "state" else (kind, value) for kind, value in inputs]
        self._tangents = [
            (value, _layout(node.meta["val"]))
            for node, (kind, value) in zip(nodes, kinds, strict=True)
            if kind == "tangent"
        ]
        self._written = [states[value][1] for kind, value in ends if kind == "written"]
        places = {each: index for index, each in enumerate(self._inputs)}
        sources = [source for kind, source in ends if kind == "gradient"]
        self._gradients = [source and places[states.get(source[1], source)] for source in sources]
        count = len(self._written) + outputs.forget_tensors()
        apart.copied(captured.module.graph, len(self._written))
        read = functools.partial(_read, count=count, names=step.absent.get(key))
        graph, eager = as_eager.graphs(captured.module, read, lambda _: True)
        as_written = functools.partial(_written, plain, given, self._inputs, bool(captured.loops))
        self._plain = plain
        self._arguments = given.without_tensors().arguments
        self._autocast = written.autocast_now("cuda" if graph.has_cuda else "cpu")
        self.needs, self.demand = once_more.needs_of(graph), step.demand
        given_back = graph.forward_outputs[len(self._written) : count]
        flags = zip(given_back, outputs.is_planned, strict=True)
        self._sources = sources_of(graph.graph, [node if is_planned else None for node, is_planned in flags])
        made = planning.plan_graph(step, key, name, captured.module, graph, as_written, eager)
        run = made.watched(runner.boxed(made.forward, "forward"))
        self._forward_count = count
        begins = functools.partial(step.begins, made.part)
        self._forward = halves.forward_of(run, step.enters, begins, handed.Handed(eager or graph))
        learn = functools.partial(step.never_came, made.part)
        back = absent.passing_over(made.backward, learn)
        self._backward = halves.backward_of(back, step.enters, lambda: step.ends(made.part))

    def goes_by(self, given):
        """True where inputs that the model looks into lead the way that it was traced for, with the tensors of then."""
        return self._tensors.stand() and self._taken.other(given.tensors) is None

    def __call__(self, given):
        tensors = [
            given.tensors[name] if kind == "input" else self._state(name) for kind, name in self._inputs
        ]
        between.settle(self._step)
        return self._outputs.together(tied(_Function.apply(self, given.tensors, *tensors), self._sources))

    def _state(self, fqn):
        """The parameter or buffer as it is now."""
        return operator.attrgetter(fqn)(self._module)

    def forward(self, tensors):
        """The tensors that the model gives, and what the backward needs; writes the new values of its state."""
        given = {id(tensor) for tensor in tensors}
        with torch_private.without_autocast():
            values = self._forward(tensors)
        first, last = len(self._written), self._forward_count
        states = [self._state(name) for name in self._written]
        written = {state.untyped_storage().data_ptr() for state in states}  # what is saved may be another view of one
        saved = [
            value.clone() if value.untyped_storage().data_ptr() in written else value
            for value in values[last:]
        ]
        for state, value in zip(states, values, strict=False):
            state.copy_(value)
        return [value.detach() if id(value) in given else value for value in values[first:last]], saved

    def constant(self, outputs):
        """The outputs that have no gradient in the model either."""
        flags = zip(outputs, self._outputs.is_differentiable, strict=True)
        return [output for output, is_differentiable in flags if not is_differentiable]

    def goes_beside(self, given):
        """True where a gradient came for an output beside the loss; of all outputs ``given`` has the gradients."""
        flags = zip(given, self._outputs.is_planned, strict=True)
        return any(gradient is not None and not is_planned for gradient, is_planned in flags)

    def by_the_model(self, node, given, is_beside):
        """As ``backward``, computed by the model itself, with a graph of their own where gradients are recorded."""
        if is_beside and self._step.options.strict:
            raise PlanError(f"{_BESIDE} {_WAY_OUT}")
        run, tensors = self._again(node)
        said = f"{_BESIDE} {_RUNS_AGAIN} {_WAY_OUT}" if is_beside else None
        return node.call.gradients(node, run, tensors, given, self._autocast, self._step, said)

    def second_run(self, node):
        """The SecondRun of a call, and an output of the first one that is left."""
        return node.call.second_run(node, *self._again(node), self._autocast, self._step)

    def _again(self, node):
        tensors, called = node.call.tensors()

        def run(leaves):
            with scopes.unchanged(self._plain):
                return _run(self._plain, self._arguments, called, self._inputs, *leaves, plans_all=True)

        return run, tensors

    def backward(self, saved, given):
        """The gradient of each input of the graph, or None; ``given`` has the gradients of all outputs.

        ``saved`` is emptied, so that each tensor ends where the plan ends it.
        """
        saved += [_tangent(given[index], *like) for index, like in self._tangents]
        gradients = [None] * len(self._inputs)
        with torch_private.without_autocast():
            values = self._backward(saved)
        for index, value in zip(self._gradients, values, strict=True):
            if index is not None:
                gradients[index] = value
        return gradients


def _read(module, count, names):
    """The StepGraph of a joint graph whose forward gives ``count`` values; gradients of these ``names`` never come."""
    never_come = absent.never(module.graph, names)
    absent.add_last(module.graph, never_come)
    sums.in_place(module.graph, never_come)
    graph = StepGraph.of_joint_graph(module, count)
    graph.lets_gradients_end = True
    absent.count(graph, never_come)
    return graph


def _written(plain, given, inputs, has_loops, device_type):
    """The model itself as a function of the inputs of its graph; a closure, whose modules give names to parameters."""

    def run(*values):
        return _run(plain, given.arguments, given.tensors, inputs, *values)

    now = written.autocast_now(device_type)
    return written.Written(run, (), {}, True, now, takes_inputs=True, has_loops=has_loops)


def _run(plain, arguments, given, inputs, *values, plans_all=False):
    """What the model gives for these values of the inputs of its graph, called with ``given`` tensors.

    With ``plans_all`` gradients go through all of it, and not through a loss alone.
    """
    named = list(zip(inputs, values, strict=True))
    state = {name: value for (kind, name), value in named if kind != "input"}
    tensors = {name: value for (kind, name), value in named if kind == "input"}
    args, kwargs = arguments([tensors.get(index, tensor) for index, tensor in enumerate(given)])
    with mock.patch.object(plain, "forward", functools.partial(flushed, plain, plain.forward)):
        return Outputs(torch.func.functional_call(plain, state, args, kwargs), plans_all=plans_all).tensors


def flushed(model, forward, *args, **kwargs):
    """What the forward gives; buffers that it replaced are written back."""
    before = dict(model.named_buffers(remove_duplicate=False))
    out = forward(*args, **kwargs)
    joint.flush_replaced_buffers(model, before)
    return out


def _layout(tensor):
    return tensor.shape, tensor.stride(), tensor.dtype, tensor.device


def _tangent(gradient, size, stride, dtype, device):
    """The gradient of an output in the strides that the graph was traced for; a mark where none came."""
    if gradient is None:
        return absent.zero(size, dtype, device)
    gradient = incoming.taken(gradient)
    if gradient.stride() == stride:
        return gradient
    return torch.empty_strided(size, stride, dtype=dtype, device=device).copy_(gradient)


class _Function(torch.autograd.Function):
    @staticmethod
    def forward(ctx, way, given, *tensors):
        ctx.way = way
        ctx.call = once_more.Call(tensors, given, way.needs, way.demand)
        outputs, saved = way.forward(list(tensors))
        ctx.set_materialize_grads(False)
        incoming.watch(ctx)
        ctx.save_for_backward(*saved)
        ctx.mark_non_differentiable(*way.constant(outputs))
        ctx.call.gave(outputs)
        return tuple(outputs)

    @staticmethod
    def backward(ctx, *gradients):
        is_beside = ctx.way.goes_beside(gradients)
        if ctx.call.is_asked(is_beside):  # with create_graph=True what the plan computes would count as constant
            return (None, None, *ctx.way.by_the_model(ctx, incoming.seen(gradients), is_beside))
        saved = list(ctx.saved_tensors)
        ctx.maybe_clear_saved_tensors()
        return (None, None, *ctx.way.backward(saved, gradients))
