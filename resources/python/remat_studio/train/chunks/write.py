# SPDX-License-Identifier: Apache-2.0
"""Writes the joint graph of a step as an archive, for the engine to cut it."""

import operator

import torch
from torch import fx
from torch.export.graph_signature import OutputKind, OutputSpec, TensorArgument

from ... import __version__, archive
from ...describe import KEY, aliases, mutated_inputs
from ...program import Input, Program
from ...tracing import FORMAT
from .. import sums

ONE = "remat_one"  # stands for the gradient of the loss


def joint_graph(graph, loss, path):
    """Write a StepGraph whose one tangent is that of the node ``loss``; the archive has a one in its place."""
    (tangent,) = graph.tangents
    copy, copies = fx.Graph(), {}
    inputs = []
    for node in graph.graph.nodes:
        if node.op in ("placeholder", "get_attr") and node is not tangent and _is_tensor(node):
            copies[node] = new = copy.placeholder(node.name)
            new.meta = {"val": node.meta["val"]}
            inputs.append(Input(new, "input", new.name, node.meta["val"]))
    for node in graph.graph.nodes:
        if node.op != "call_function":
            continue
        if tangent in node.all_input_nodes and tangent not in copies:
            copies[tangent] = _one(copy, copies[loss], tangent.meta["val"])
        copies[node] = new = copy.node_copy(node, copies.__getitem__)
        new.target = sums.out_of_place(node.target)
        new.meta = {"val": node.meta["val"]}
    # The outputs of an op are named by who takes them, so all of the graph has to be there.
    ops = [node for node in copies if node.op == "call_function" and node.target is not operator.getitem]
    for node in ops:
        copies[node].meta["custom"] = {KEY: _record(copies[node], node in graph.in_backward)}
    copies[ops[0]].meta["custom"][KEY]["graph"] = _graph_record(graph)
    outputs = [(loss, OutputKind.LOSS_OUTPUT, None)]
    others = (node for node in graph.forward_outputs if _is_made(node) and node is not loss)
    outputs += [(node, OutputKind.USER_OUTPUT, None) for node in others]
    outputs += [
        (node, OutputKind.GRADIENT_TO_USER_INPUT, source.name)
        for node, source in zip(graph.backward_outputs, graph.primals, strict=False)
        if _is_made(node)
    ]
    copy.output([copies[node] for node, _, _ in outputs])
    specs = [OutputSpec(kind, TensorArgument(copies[node].name), target) for node, kind, target in outputs]
    archive.save(Program(fx.GraphModule(graph.module, copy), inputs, specs), path, with_weights=False)


def _is_tensor(node):
    return isinstance(node.meta.get("val"), torch.Tensor)


def _is_made(node):
    return isinstance(node, fx.Node) and node.op == "call_function" and _is_tensor(node)


def _one(copy, loss, value):
    one = copy.create_node("call_function", torch.ops.aten.ones_like.default, (loss,), {"pin_memory": False}, name=ONE)
    one.meta = {"val": value, "custom": {KEY: {"phase": "backward"}}}
    return one


def _record(op, is_backward):
    record = {"phase": "backward" if is_backward else "forward"}
    shared, written = aliases(op), mutated_inputs(op)
    if shared:
        record["alias"] = shared
    if written:
        record["mutates"] = written
    if torch.Tag.nondeterministic_seeded in op.target.tags:
        record["random"] = True
    return record


def _graph_record(graph):
    return {
        "format": FORMAT,
        "written_by": f"remat-studio {__version__}",
        "name": "step",
        "torch": torch.__version__,
        "device": "cuda" if graph.has_cuda else "cpu",
        "training": True,
        "inputs": {},
    }
