# SPDX-License-Identifier: Apache-2.0
"""Makes a clean joint graph, with plain names and a signature, from what AOTAutograd captured."""

import dataclasses
import operator

import torch
from torch.export.graph_signature import (
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    TensorArgument,
)

from .errors import TraceError
from .frames import place
from .joint import draws
from .packed import fix_lengths
from .pairing import is_backward
from .scopes import FRAMES
from .torch_private import OpOverload, descriptors


@dataclasses.dataclass
class Input:
    """One input of the joint graph: what it is, how the user calls it, and its value."""

    node: torch.fx.Node
    kind: str  # parameter, buffer, constant or input
    fqn: str | None
    tensor: torch.Tensor
    persistent: bool = True


@dataclasses.dataclass
class Program:
    """The joint graph with its inputs in order of the placeholders and its outputs by meaning."""

    module: torch.fx.GraphModule
    inputs: list[Input]
    outputs: list[OutputSpec]
    loops: set[str] = dataclasses.field(default_factory=set)  # PyTorch's loops that it has the steps of
    batch: str = ""  # a sentence where the graph is for one batch and one state of the weights alone

    @property
    def graph(self):
        return self.module.graph

    def signature(self):
        """The torch.export signature of the graph."""
        kinds = {
            "parameter": InputKind.PARAMETER,
            "buffer": InputKind.BUFFER,
            "constant": InputKind.CONSTANT_TENSOR,
            "input": InputKind.USER_INPUT,
        }
        specs = [
            InputSpec(
                kind=kinds[item.kind],
                arg=TensorArgument(name=item.node.name),
                target=item.fqn if item.kind != "input" else None,
                persistent=item.persistent if item.kind == "buffer" else None,
            )
            for item in self.inputs
        ]
        return ExportGraphSignature(input_specs=specs, output_specs=self.outputs)


def build(captured):
    """Clean the captured graph in place and describe its inputs and outputs."""
    graph = captured.module.graph
    _refuse_unknown_nodes(graph)
    _take_frozen_for_buffers(graph.output_node(), captured)
    inputs, tangent = _classify_placeholders(graph, captured)
    output = graph.output_node()
    specs = _classify_outputs(output, captured)
    _replace_tangent(graph, tangent, specs)
    _remove_valueless_nodes(graph)
    _fix_results_of_attention(graph)
    fix_lengths(captured.module, captured.packed)
    _give_zeros_memory(graph)
    _hold_complex_numbers(captured.module)
    inputs += _lift_constants(captured.module)
    inputs = _sort_inputs(graph, inputs)
    _rename(graph, inputs)
    _set_outputs(output, specs)
    graph.lint()
    return Program(captured.module, inputs, [_output_spec(spec, inputs) for spec in specs], captured.loops, captured.batch)


def _refuse_unknown_nodes(graph):
    """Every node must be one operator call."""
    for node in graph.nodes:
        if node.op != "call_function" or node.target is operator.getitem:
            continue
        if not isinstance(node.target, OpOverload):
            where = place(node.meta.get(FRAMES)) or "in the forward"
            inner = [arg for arg in node.args if isinstance(arg, OpOverload)]
            if any("c10d" in op.namespace for op in inner):
                raise TraceError(
                    f"{where}: the forward exchanges tensors with other processes, which no plan can repeat; "
                    "trace what one process computes, without tensor or pipeline parallelism."
                )
            if inner:
                raise TraceError(
                    f"{where}: {inner[0].name()} writes to its arguments, which a plan cannot run again; have the "
                    "operator return new tensors (mutates_args=())."
                )
            raise TraceError(
                f"{where}: {node.target} is not a plain operator call and cannot be part of a plan; "
                "write this part with ordinary tensor operations."
            )


def _take_frozen_for_buffers(output, captured):
    """A parameter without a gradient that the forward writes to (the average of another, say) is a buffer by its use."""
    for desc in output.meta["desc"]:
        mutated = getattr(desc, "mutated_input", None)
        if isinstance(mutated, descriptors.ParamAOTInput) and not captured.states[mutated.target].tensor.requires_grad:
            captured.states[mutated.target].kind = "buffer"


def _classify_placeholders(graph, captured):
    """What each placeholder stands for; returns the inputs and the incoming gradient of the loss."""
    inputs, tangent = [], None
    for node in graph.find_nodes(op="placeholder"):
        desc = node.meta["desc"]
        if isinstance(desc, descriptors.TangentAOTInput):
            tangent = node
        elif isinstance(desc, descriptors.ParamAOTInput | descriptors.BufferAOTInput):
            state = captured.states[desc.target]
            inputs.append(Input(node, state.kind, state.fqn, state.tensor, state.persistent))
        elif isinstance(desc, descriptors.PlainAOTInput):
            inputs.append(Input(node, "input", captured.call.names[desc.idx], captured.call.tensors[desc.idx]))
        else:
            raise TraceError(f"The captured graph has an input of unknown kind ({desc}); this model is not supported.")
    return inputs, tangent


@dataclasses.dataclass
class _Output:
    kind: OutputKind
    node: torch.fx.Node
    target: object = None


def _classify_outputs(output, captured):
    """New buffer values first, then the loss, then the gradients; outputs without a value are left out."""
    mutations, losses, gradients = [], [], []
    for node, desc in zip(output.args[0], output.meta["desc"], strict=True):
        if not isinstance(node, torch.fx.Node):
            continue
        if isinstance(desc, descriptors.InputMutationAOTOutput):
            mutations.append(_mutation(node, desc.mutated_input, captured))
        elif isinstance(desc, descriptors.GradAOTOutput):
            gradients.append(_gradient(node, desc.grad_of, captured))
        elif isinstance(desc, descriptors.PlainAOTOutput):
            losses.append(_Output(OutputKind.USER_OUTPUT if losses else OutputKind.LOSS_OUTPUT, node))
        else:
            raise TraceError(f"The captured graph has an output of unknown kind ({desc}); this model is not supported.")
    return mutations + losses + gradients


def _mutation(node, mutated, captured):
    state = captured.states.get(getattr(mutated, "target", None))
    if state and state.kind == "buffer":
        return _Output(OutputKind.BUFFER_MUTATION, node, state.fqn)
    if state:
        what = f"the parameter {state.fqn}"
    else:
        what = f"the input {captured.call.names[mutated.idx]}"
    where = place(node.meta.get(FRAMES))
    way_out = "clone it first, and change the clone"
    if node.target is torch.ops.aten.embedding_renorm.default:
        way_out = "leave out max_norm, and scale the rows after they are looked up"
    raise TraceError(f"{f'{where}: ' if where else ''}the forward changes {what} in place; {way_out}.")


def _gradient(node, source, captured):
    if isinstance(source, descriptors.PlainAOTInput):
        return _Output(OutputKind.GRADIENT_TO_USER_INPUT, node, captured.call.names[source.idx])
    state = captured.states[source.target]
    if node.meta["val"].layout is not torch.strided:
        raise TraceError(f"The gradient of {state.fqn} is sparse; make it dense (sparse=False).")
    if state.kind == "buffer":
        raise TraceError(f"The buffer {state.fqn} requires a gradient; make it a parameter.")
    return _Output(OutputKind.GRADIENT_TO_PARAMETER, node, state.fqn)


def _replace_tangent(graph, tangent, specs):
    """The gradient of the loss with respect to itself is one, as in loss.backward()."""
    loss = next(spec.node for spec in specs if spec.kind is OutputKind.LOSS_OUTPUT)
    first_backward = next((n for n in graph.nodes if n.op == "call_function" and is_backward(n)), None)
    with graph.inserting_before(first_backward or graph.output_node()):
        ones = graph.create_node(
            "call_function", torch.ops.aten.ones_like.default, (loss,), {"pin_memory": False}, name="ones_like"
        )
    ones.meta["val"] = tangent.meta["val"]
    ones.meta["partitioner_tag"] = "is_backward"
    ones.meta["seq_nr"] = loss.meta.get("seq_nr", -1)
    tangent.replace_all_uses_with(ones)
    graph.erase_node(tangent)


def _remove_valueless_nodes(graph):
    """Checks that give no value, and everything whose value nobody uses, are no part of a plan.

    What draws numbers stays: a trace has the way that they led to, and later ops draw the numbers after them.
    """
    for node in reversed(list(graph.nodes)):
        if node.op == "call_function" and node.meta.get("val") is None and not node.users:
            graph.erase_node(node)
    graph.eliminate_dead_code(is_impure_node=lambda node: node.op in ("placeholder", "output") or draws(node))
    for node in graph.nodes:
        if node.op == "call_function":
            _merge_doubled_getitems(node)


def _fix_results_of_attention(graph):
    """Lengths that kernels of attention return are constants; the type of their generator's state no archive knows."""
    for node in list(graph.nodes):
        value = node.meta.get("val")
        if isinstance(value, torch.Tensor) and value.dtype is torch.uint64:
            node.meta["val"] = value.view(torch.int64)
        if isinstance(value, list | tuple):
            node.meta["val"] = type(value)(
                part.view(torch.int64) if isinstance(part, torch.Tensor) and part.dtype is torch.uint64 else part
                for part in value
            )
        if node.target is operator.getitem and isinstance(value, int | torch.SymInt):
            for user in list(node.users):
                user.args = torch.fx.map_arg(user.args, lambda a, n=node, v=int(value): v if a is n else a)
                user.kwargs = torch.fx.map_arg(user.kwargs, lambda a, n=node, v=int(value): v if a is n else a)
            graph.erase_node(node)


def _merge_doubled_getitems(op):
    """One name for each output of an op."""
    first = {}
    for user in list(op.users):
        if user.target is operator.getitem:
            kept = first.setdefault(user.args[1], user)
            if kept is not user:
                user.replace_all_uses_with(kept)
                user.graph.erase_node(user)


def _give_zeros_memory(graph):
    """Zeros of autograd's forward mode have no memory, which plans know nothing of; others have the same numbers."""
    for node in graph.find_nodes(op="call_function", target=torch.ops.aten._efficientzerotensor.default):
        node.target = torch.ops.aten.zeros.default


def _hold_complex_numbers(module):
    """Complex numbers become constants of operators that take tensors as well: arguments of a plan are none."""
    for node in list(module.graph.nodes):
        if node.op != "call_function" or not any(isinstance(value, complex) for value in node.args):
            continue
        if node.target._overloadname == "Scalar" and hasattr(node.target.overloadpacket, "Tensor"):
            node.target = node.target.overloadpacket.Tensor  # which eager mode calls for the other
        formal = node.target._schema.arguments
        for index, (argument, value) in enumerate(zip(formal, node.args, strict=False)):
            if not isinstance(value, complex) or not isinstance(argument.type, torch.TensorType):
                continue
            number = torch.tensor(value, dtype=node.meta["val"].dtype)
            name = f"number_{node.name}"
            module.register_buffer(name, number)
            with module.graph.inserting_before(node):
                constant = module.graph.get_attr(name)
            constant.meta["val"] = node.meta["val"].fake_mode.from_tensor(number)
            node.update_arg(index, constant)


def _lift_constants(module):
    """Turn tensors made in the forward (torch.tensor(...)) into inputs of kind constant."""
    graph = module.graph
    lifted = {}
    last = graph.find_nodes(op="placeholder")[-1]
    for node in graph.find_nodes(op="get_attr"):
        if node.target not in lifted:
            with graph.inserting_after(last):
                last = graph.placeholder(node.target)
            last.meta = {"val": node.meta["val"]}
            lifted[node.target] = Input(last, "constant", node.target, getattr(module, node.target))
        node.replace_all_uses_with(lifted[node.target].node)
        graph.erase_node(node)
    for copy in graph.find_nodes(op="call_function", target=torch.ops.aten.lift_fresh_copy.default):
        copy.replace_all_uses_with(copy.args[0])
        graph.erase_node(copy)
    return list(lifted.values())


def _sort_inputs(graph, inputs):
    """Parameters, buffers, constants, then the user's inputs."""
    order = ["parameter", "buffer", "constant", "input"]
    ordered = sorted(inputs, key=lambda item: order.index(item.kind))
    first = next(iter(graph.nodes))
    for item in ordered:
        if item.node is first:
            first = first.next
        else:
            first.prepend(item.node)
    return ordered


def _rename(graph, inputs):
    """Names that a person can read: those of the model for inputs, those of their op for outputs of an op."""
    prefixes = {"parameter": "p_", "buffer": "b_", "constant": "c_", "input": ""}
    for item in inputs:
        item.node.meta.pop("desc", None)
        plain = item.fqn.replace(".", "_").lstrip("_")
        item.node._rename(f"{prefixes[item.kind]}{plain}")
        item.node.target = item.node.name
    for node in graph.find_nodes(op="call_function", target=operator.getitem):
        node._rename(f"{node.args[0].name}_out{node.args[1]}")


def _set_outputs(output, specs):
    output.args = ([spec.node for spec in specs],)
    output.meta = {}


def _output_spec(spec, inputs):
    target = spec.target
    if spec.kind is OutputKind.GRADIENT_TO_USER_INPUT:
        target = next(item.node.name for item in inputs if item.kind == "input" and item.fqn == target)
    return OutputSpec(kind=spec.kind, arg=TensorArgument(name=spec.node.name), target=target)
