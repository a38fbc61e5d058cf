# SPDX-License-Identifier: Apache-2.0
"""The comparison of a trace: when it is made, and what is run for it."""

import functools
import operator

from ..frames import place
from ..pairing import Pairing, is_backward
from ..scopes import FRAMES, MODULES
from ..torch_private import FakeTensor
from . import estimate, steps
from .compare import Pair, compare

WAYS = ("auto", "always", "never")


def reason_not_to(args_tensors, program, way):
    """Why no step is run: a sentence, or None where one is."""
    if way == "never":
        return "The trace was made with --compare never."
    if not all(map(has_numbers, (*args_tensors, *(item.tensor for item in program.inputs)))):
        return "The model has no weights here (it is on the meta device), so that no step can be run."
    if way == "always":
        return None
    seconds, held = estimate.of_steps(program)
    available = estimate.available_bytes(program)
    if seconds <= estimate.MOST_SECONDS and held <= available // 2:
        return None
    return (
        f"A step plainly and one of the graph take about {seconds:.0f} s and {held / 2**30:.1f} GiB here by an "
        f"estimate, and {available / 2**30:.1f} GiB are free; --compare always runs them."
    )


def compare_trace(plain, program):
    """The record of a plain step against one of a traced program; ``plain`` is a PlainStep."""
    nodes = {node.name: node for node in program.graph.nodes}
    names = {item.node.name: item.fqn for item in program.inputs}
    outputs = {
        "loss" if spec.kind.name == "LOSS_OUTPUT" else names.get(spec.target, spec.target): nodes[spec.arg.name]
        for spec in program.outputs
    }
    return compare(
        Pair(
            plain=plain.run,
            graph=functools.partial(steps.run_graph, program, plain.seed),
            module=program.module,
            inputs=[item.tensor for item in program.inputs],
            outputs=outputs,
            buffers={name: buffer.detach().clone() for name, buffer in plain.buffers()},
            place=functools.partial(_place, program),
            leaves=dict(plain.parameters()),
            seed=plain.seed,
            loops=bool(program.loops),
        )
    )


def has_numbers(tensor):
    """True of a tensor that a step can be run with."""
    return not tensor.is_meta and not isinstance(tensor, FakeTensor)


def _place(program, node):
    if is_backward(node):
        ops = [n for n in program.graph.nodes if n.op == "call_function" and n.target is not operator.getitem]
        node = Pairing(program, ops).owner(node) or node
    paths = [path for path, _ in node.meta.get(MODULES, ()) if path]
    path = paths[-1].removeprefix("model").lstrip(".") if paths else ""
    return path, place(node.meta.get(FRAMES)) or ""
