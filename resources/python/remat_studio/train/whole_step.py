# SPDX-License-Identifier: Apache-2.0
"""Holds a step in several graphs against the step as its user wrote it: the whole of both, from one state."""

import contextlib
from unittest import mock

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook
from torch.overrides import TorchFunctionMode

from .. import torch_private
from ..comparison import record, steps
from ..comparison.compare import Pair, compare
from ..errors import one_line
from . import written


class _OwnGenerators(TorchFunctionMode):
    """Sees which generators beside PyTorch's a plain run draws from, so that each run starts from the same state."""

    def __init__(self):
        super().__init__()
        self._before = []

    def __torch_function__(self, func, types, args=(), kwargs=None):
        own = (kwargs or {}).get("generator")
        if own is not None and all(own is not known for known, _ in self._before):
            self._before.append((own, own.get_state()))
        return func(*args, **(kwargs or {}))

    def restart(self):
        for generator, state in self._before:
            generator.set_state(state)


class _UpdatesError(Exception):
    """The step does more than a forward."""


def with_pytorch(step, restart, causes):
    """The ``remat-comparison/1`` of the function ``step``, a Written, under torch.compile against itself without.

    It is run once more as compiled: parts that were not compiled yet are. ``restart()`` sets the generators to where
    the step starts; ``causes()`` has what explains differences of its graphs, once it ran.
    """
    try:
        found = compare(_pair(step, restart), causes)
        return found | {"why": f"The step is in several graphs, and was compared as a whole. {found['why']}"}
    except _UpdatesError as error:
        return record.not_compared(str(error), None)
    except Exception as error:  # the user's own step may not run twice
        return record.not_compared(f"The step in several graphs did not run a second time ({one_line(error)}).", None)


def _pair(step, restart):
    leaves, buffers = {}, {}
    names = step.names()
    for index, tensor in enumerate(_tensors(step)):
        name = names.get(id(tensor), f"input {index}")
        (leaves if tensor.requires_grad else buffers)[name] = tensor
    before = {name: buffer.detach().clone() for name, buffer in buffers.items()}
    others = {name: leaf.detach().to("cpu", copy=True) for name, leaf in leaves.items()}
    own = _OwnGenerators()

    def run(within, as_compiled=False):
        restart()
        try:
            with steps.left_as_they_are(before | others, buffers | leaves):
                return outcome(within, as_compiled)
        finally:
            own.restart()

    def outcome(within, as_compiled):
        with within(), steps.for_grad(leaves.values()):
            with _forward_only(leaves, as_compiled), contextlib.nullcontext() if as_compiled else own:
                outputs = written.differentiable(step.run(as_compiled))
            found = torch.autograd.grad(
                outputs, list(leaves.values()), [_tangent(output) for output in outputs], allow_unused=True
            )
        names = ["loss"] if len(outputs) == 1 else [f"output {index}" for index in range(len(outputs))]
        return steps.Outcome(
            {name: output.detach() for name, output in zip(names, outputs, strict=True)},
            {name: value for name, value in zip(leaves, found, strict=True) if value is not None},
            {name: buffer.detach().clone() for name, buffer in buffers.items()},
        )

    return Pair(
        plain=run,
        graph=lambda _interpreter: run(steps.as_it_is, as_compiled=True),
        module=None,
        inputs=[],
        outputs={},
        buffers=before,
        place=None,
        leaves=leaves,
        measured_graph=lambda within: run(within, as_compiled=True),
    )


def _tensors(step):
    """Leaves that the step can reach, each once."""
    reached = [value for value in step.near() if isinstance(value, torch.Tensor)]
    for module in step.modules():
        reached += [*module.parameters(), *module.buffers()]
    return list({id(tensor): tensor for tensor in reached if tensor.is_leaf and not _has_no_numbers(tensor)}.values())


def _has_no_numbers(tensor):
    return tensor.is_meta or isinstance(tensor, torch_private.FakeTensor)


def _tangent(output):
    """One for a scalar, as ``loss.backward()`` does, else numbers that differ."""
    if output.numel() == 1:
        return torch.ones_like(output)
    return torch.linspace(0.5, 1.5, output.numel(), device=output.device).to(output.dtype).reshape(output.shape)


@contextlib.contextmanager
def _forward_only(leaves, as_compiled):
    """A step that goes on to its backward or an update is left before that: it would train twice.

    What it does to tensors of its own alone (an inner optimizer, which makes its parameters anew) is no part of that. A
    compiled function leads to all that it was given: the plain run, which comes first, has shown what it reaches.
    """
    own = {id(leaf) for leaf in leaves.values()}
    backward = torch.autograd.backward

    def refuse():
        raise _UpdatesError(
            "The step that is compiled has its backward or its update inside, so that it cannot be run a second time "
            "for a comparison; compile model and loss alone to have it compared."
        )

    def before_update(optimizer, _args, _kwargs):
        if any(id(tensor) in own for group in optimizer.param_groups for tensor in group["params"]):
            refuse()

    def run_backward(tensors, *args, **kwargs):
        if not as_compiled and any(id(leaf) in own for leaf in _reached(tensors)):
            refuse()
        return backward(tensors, *args, **kwargs)

    handle = register_optimizer_step_pre_hook(before_update)
    try:
        with mock.patch("torch.autograd.backward", run_backward):
            yield
    finally:
        handle.remove()


def _reached(tensors):
    """The leaves that a backward from these tensors adds a gradient to."""
    waiting = [tensor.grad_fn for tensor in ([tensors] if isinstance(tensors, torch.Tensor) else tensors)]
    seen = set()
    while waiting:
        function = waiting.pop()
        if function is None or function in seen:
            continue
        seen.add(function)
        if hasattr(function, "variable"):
            yield function.variable
        waiting += [following for following, _ in function.next_functions]
