# SPDX-License-Identifier: Apache-2.0
"""Holds the joint graph of a compiled step against the step as its user wrote it, for a certificate."""

import functools

import torch

from .. import torch_private
from ..comparison import record, steps
from ..comparison.compare import Pair, compare
from ..errors import one_line
from ..host_seeds import at_bounds, drawn_since, host_states
from . import written
from .places import line_of, module_of


def with_pytorch(planned, given, restart, run_graph):
    """The ``remat-comparison/1`` of a step, with ``against`` what it was held against.

    Inputs that come from other differentiable code are cut off from it. Where the step does not take them as arguments,
    the part that Dynamo captured stands for it.

    ``restart()`` sets the generators to where the step starts; ``run_graph(interpreter, given)`` returns the values of
    the joint graph and what the inputs hold after it.
    """
    if planned.written.function is None:
        return record.not_compared("Nothing is known of the step but its graph.", None)
    if planned.written.is_whole and any(isinstance(value, torch.Tensor) and not value.is_leaf for value in given):
        cut = None if planned.written.takes_inputs else planned.written.with_leaves(given)
        planned.written, given = cut or (planned.written.captured_part(), given)
    drawn = set()
    try:
        pair = _pair(planned, given, restart, run_graph, drawn)
        found = compare(pair) | {"against": _against(planned.written)}
        if drawn and found["verdict"] != "equal" and _decide(drawn, pair):
            raise _NoPairError(_DRAWN.format(" and ".join(sorted(drawn))))
        return found if planned.written.is_whole or found["verdict"] == "different" else found | _of_a_part(found)
    except _NoPairError as error:
        return record.not_compared(str(error), None)
    except Exception as error:  # the user's own step may not run twice
        return record.not_compared(f"The step did not run in plain PyTorch ({one_line(error)}).", None)


def _of_a_part(found):
    """What is known when only the captured part was run: an error of the capture itself would be in both."""
    why = (
        "Your code does not run by itself as far as this graph goes, so that it was held against the part that Dynamo "
        f"captured. {found['why']} Compile model and loss in one function to have the capture compared, too."
    )
    return {"verdict": "not compared", "why": why}


class _NoPairError(Exception):
    """What the step returns cannot be told apart."""


_DRAWN = (
    "The step draws from the generator of {}. What it drew before its graph ran is not known here, so that plain PyTorch "
    "ran with other numbers; draw from PyTorch's generator to have the step compared."
)


def _decide(drawn, pair):
    """Whether what was drawn makes a difference: not where the least and the largest numbers give the same."""
    owners = set(drawn)
    try:
        drawn.clear()
        least, most = (pair.plain(functools.partial(at_bounds, end)) for end in (min, max))
        return bool(drawn) or not all(row["equal"] for row in record.rows(least, most, pair.buffers))
    except Exception:  # where all layers are left out no gradient is left, say
        return True
    finally:
        drawn.update(owners)


def _against(step):
    return "eager" if step.is_whole else "the part of the step that was captured, run by eager PyTorch"


class _Ports:
    """Which value of the graph is which output, gradient and new value of an input."""

    def __init__(self, planned, given):
        graph = planned.step_graph
        positions = {str(node.meta["desc"]): index for index, node in enumerate(graph.primals) if "desc" in node.meta}
        names = planned.written.names()
        self.names = [names.get(id(value)) or f"input {index}" for index, value in enumerate(given)]
        self.tangents = [node.meta["desc"].output for node in graph.tangents]
        forward, backward = graph.forward_descs, graph.backward_descs
        plain = [desc for desc in forward if desc in self.tangents]
        self.outputs = [forward.index(desc) for desc in plain]
        self.tangent_of = [self.tangents.index(desc) for desc in plain]
        self.output_names = ["loss"] if len(plain) == 1 else [f"output {index}" for index in range(len(plain))]
        self.gradients, self.buffers = {}, {}
        for index, desc in enumerate(backward):
            if isinstance(desc, torch_private.GradAOTOutput) and str(desc.grad_of) in positions:
                self.gradients[positions[str(desc.grad_of)]] = len(forward) + index
        changed = {storage for op in graph.ops for storage in op.mutates}
        self.mutated = {i for i, node in enumerate(graph.primals) if graph.storage_of[node] in changed}
        for index, desc in enumerate(forward):
            if isinstance(desc, torch_private.InputMutationAOTOutput) and str(desc.mutated_input) in positions:
                self.buffers[positions[str(desc.mutated_input)]] = index
        self.mutated |= self.buffers.keys()


    def written(self, given):
        """Places of inputs that a step may write to: all without a gradient, and parameters that the graph writes."""
        tensors = ((index, value) for index, value in enumerate(given) if isinstance(value, torch.Tensor))
        return [index for index, value in tensors if not value.requires_grad or index in self.mutated]


def _pair(planned, given, restart, run_graph, drawn):
    """``drawn`` is given the names of generators beside PyTorch's that plain PyTorch draws from."""
    ports = _Ports(planned, given)
    graph = planned.step_graph
    before = {index: given[index].detach().clone() for index in ports.written(given)}
    leaves = {i: value for i, value in enumerate(given) if isinstance(value, torch.Tensor) and value.is_leaf}
    others = {index: value.detach().to("cpu", copy=True) for index, value in leaves.items() if index not in before}
    nodes = [*graph.forward_outputs, *graph.backward_outputs]
    places = dict(zip(ports.output_names, ports.outputs, strict=True))
    places |= {ports.names[index]: place for index, place in {**ports.buffers, **ports.gradients}.items()}

    def plain(within):
        restart()
        begin = host_states()
        try:
            with steps.left_as_they_are(before | others, given), within(), steps.for_grad(leaves.values()):
                return _plainly(planned.written, ports, given, planned.tangents())
        finally:
            drawn.update(drawn_since(begin))

    def of_graph(interpreter):
        values, after = run_graph(interpreter, given)
        return _outcome(ports, values, after)

    return Pair(
        plain=plain,
        graph=of_graph,
        module=planned.joint,
        inputs=[value for value in given if isinstance(value, torch.Tensor)],
        outputs={name: nodes[place] for name, place in places.items() if isinstance(nodes[place], torch.fx.Node)},
        buffers={ports.names[index]: value for index, value in before.items()},
        place=lambda node: (module_of(node), line_of(node)),
        leaves={ports.names[index]: value for index, value in leaves.items() if index in ports.gradients},
        loops=planned.written.has_loops,
    )


def _plainly(step, ports, given, tangents):
    """Loss, gradients and buffers of plain PyTorch; of a part, with inputs that no graph of autograd reaches beyond."""
    if step.takes_inputs:
        needs = [isinstance(value, torch.Tensor) and value.requires_grad for value in given]
        given = [v.detach().requires_grad_() if need else v for v, need in zip(given, needs, strict=True)]
        step.args = tuple(given)
    result = step.run()  # held to the end, as the graph holds all that it gives
    outputs = written.differentiable(result)
    expected = [tangents[index] for index in ports.tangent_of]
    if [tuple(value.shape) for value in outputs] != [tuple(tangent.shape) for tangent in expected]:
        raise _NoPairError(
            f"The step returns {len(outputs)} differentiable tensors and its graph {len(expected)}, which are not of "
            "the same shapes; return the loss alone to have it compared."
        )
    wanted = [index for index, value in enumerate(given) if isinstance(value, torch.Tensor) and value.requires_grad]
    found = torch.autograd.grad(outputs, [given[index] for index in wanted], expected, allow_unused=True)
    return steps.Outcome(
        {name: value.detach() for name, value in zip(ports.output_names, outputs, strict=True)},
        {ports.names[index]: value for index, value in zip(wanted, found, strict=True) if value is not None},
        {ports.names[index]: given[index].detach().clone() for index in ports.written(given)},
    )


def _outcome(ports, values, after):
    buffers = {ports.names[index]: after[index] for index in ports.written(after)}
    return steps.Outcome(
        {name: values[place] for name, place in zip(ports.output_names, ports.outputs, strict=True)},
        {ports.names[index]: values[place] for index, place in ports.gradients.items() if values[place] is not None},
        {**buffers, **{ports.names[index]: values[place] for index, place in ports.buffers.items()}},
    )
