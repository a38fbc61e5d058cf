# SPDX-License-Identifier: Apache-2.0
"""Runs one training step in plain PyTorch, and the same step by its traced graph, from one seed."""

import contextlib
import dataclasses
import types
import warnings
from unittest import mock

import torch
from torch.export.graph_signature import OutputKind
from torch.utils import checkpoint

from .. import joint, torch_private
from ..host_seeds import host_kept, seed_host
from ..kernels import as_dynamo_writes, as_in_eager_mode, as_written
from ..losses import Loss
from ..scopes import own_gradients, unchanged
from ..torch_private import TorchDispatchMode, as_if_compiling
from ..unrolled import unrolled
from . import record


RATE = 0.01  # learning rate of the one update of a comparison


@dataclasses.dataclass
class Outcome:
    """What a step gives, by the names that the model has for it; a parameter without a gradient is not among them."""

    outputs: dict  # the loss alone, of a step that ends with one
    gradients: dict
    buffers: dict


class PlainStep:
    """The model, its arguments and its loss; a run leaves all of them, and the generators, as they were."""

    def __init__(self, model, args, loss_fn, seed, written=frozenset()):
        """``written`` names parameters that the forward writes to, which count as buffers."""
        self.call = joint.Call(model, args)
        self.seed = seed
        self._model = model
        self._loss_fn = loss_fn
        self._written = written
        self._root = joint.TrainingStep(model, Loss(loss_fn), self.call)  # has the names of all tensors

    def parameters(self):
        """Name and tensor of each parameter of the model and of its loss."""
        return [(name.removeprefix(joint.MODEL_PREFIX), p) for name, p in self._root.named_parameters()]

    def buffers(self):
        """The same for buffers."""
        own = [(name.removeprefix(joint.MODEL_PREFIX), b) for name, b in self._root.named_buffers()]
        return own + [(name, p) for name, p in self.parameters() if name in self._written]

    def run(self, within):
        """Forward, loss and backward while ``within()`` is open."""
        tensors = [t.detach().clone().requires_grad_(t.requires_grad) for t in self.call.tensors]
        args, kwargs = self.call.arguments(tensors)
        with self._left_as_it_is(), seeded(self.seed), torch.enable_grad():
            with within(), silent([parameter for _, parameter in self.parameters()]):
                loss = Loss(self._loss_fn)(self._model(*args, **kwargs))
                loss.backward()
            gradients = {name: p.grad for name, p in self.parameters() if p.grad is not None}
            gradients |= {
                name: tensor.grad
                for name, tensor in zip(self.call.names, tensors, strict=True)
                if tensor.grad is not None
            }
            return Outcome({"loss": loss.detach()}, gradients, {name: b.detach().clone() for name, b in self.buffers()})

    @contextlib.contextmanager
    def _left_as_it_is(self):
        buffers = [(buffer, buffer.detach().clone()) for _, buffer in self.buffers()]
        try:
            with unchanged(self._root), own_gradients(parameter for _, parameter in self.parameters()):
                yield
        finally:
            put_back(dict(enumerate(value for _, value in buffers)), [buffer for buffer, _ in buffers])


def run_graph(program, seed, interpreter=torch.fx.Interpreter):
    """Every op of the graph once, in its order, with eager's kernels."""
    tensors = ((item.kind == "buffer", item.tensor.detach()) for item in program.inputs)
    values = [tensor.clone() if may_be_written else tensor for may_be_written, tensor in tensors]
    with seeded(seed), torch.no_grad(), torch_private.without_autocast():
        outputs = interpreter(program.module).run(*values, enable_io_processing=False)
    outcome = Outcome({}, {}, {item.fqn: item.tensor.detach() for item in program.inputs if item.kind == "buffer"})
    names = {item.node.name: item.fqn for item in program.inputs}
    for spec, value in zip(program.outputs, outputs, strict=True):
        if spec.kind is OutputKind.LOSS_OUTPUT:
            outcome.outputs["loss"] = value
        elif spec.kind is OutputKind.BUFFER_MUTATION:
            outcome.buffers[spec.target] = value
        elif spec.kind is OutputKind.GRADIENT_TO_PARAMETER:
            outcome.gradients[spec.target] = value
        elif spec.kind is OutputKind.GRADIENT_TO_USER_INPUT:
            outcome.gradients[names[spec.target]] = value
    return outcome


@contextlib.contextmanager
def seeded(seed):
    """Seed all generators, and put them back afterwards."""
    cpu = torch.get_rng_state()
    gpus = torch.cuda.get_rng_state_all() if torch.cuda.is_initialized() else []
    torch.manual_seed(seed)
    try:
        with host_kept():
            seed_host(seed)
            yield
    finally:
        torch.set_rng_state(cpu)
        if gpus:
            torch.cuda.set_rng_state_all(gpus)


def put_back(before, tensors):
    """Give ``tensors`` their values of ``before``; those that kept them stay untouched, as autograd may have them."""
    with torch.no_grad():
        for key, value in before.items():
            value = value.to(tensors[key].device)
            if not record.same_bits(tensors[key], value):
                tensors[key].copy_(value)


@contextlib.contextmanager
def left_as_they_are(before, tensors):
    """A run after which ``tensors`` have their values of ``before``, and their versions: a backward may be to come."""
    counted = tuple(tensors[key] for key in before if not tensors[key].is_inference())
    with torch_private.with_versions_kept(counted):
        try:
            yield
        finally:
            put_back(before, tensors)


@contextlib.contextmanager
def silent(tensors):
    """Hooks of these leaves stay silent: they change a gradient on its way into ``.grad``, after the graph."""
    names = ("_backward_hooks", "_post_accumulate_grad_hooks")
    hooks = [(getattr(tensor, name), dict(getattr(tensor, name) or {})) for tensor in tensors for name in names]
    for registered, _ in hooks:
        if registered:
            registered.clear()
    try:
        yield
    finally:
        for registered, before in hooks:
            if before:
                registered.update(before)


@contextlib.contextmanager
def for_grad(leaves):
    """A run whose gradients torch.autograd.grad gives: these leaves keep their own, and their hooks stay silent."""
    with silent(leaves), own_gradients(leaves), _checkpoints_for_grad():
        yield


@contextlib.contextmanager
def updated(leaves, gradients):
    """These tensors hold what gradient descent makes of them; autograd takes them for unchanged afterwards."""
    own = {name: leaf.data for name, leaf in leaves.items()}
    try:
        for name, leaf in leaves.items():
            leaf.data = own[name] - RATE * gradients[name]
        yield
    finally:
        for name, leaf in leaves.items():
            leaf.data = own[name]


@contextlib.contextmanager
def _checkpoints_for_grad():
    """The older way of checkpoints refuses torch.autograd.grad; the newer one computes the same, as often."""

    def apply(function, preserve, *args):
        return checkpoint.checkpoint(function, *args, use_reentrant=False, preserve_rng_state=preserve)

    with mock.patch.object(checkpoint, "CheckpointFunction", types.SimpleNamespace(apply=apply)):
        yield


@contextlib.contextmanager
def _without_checkpoints():
    def around(*_args, **_kwargs):
        yield

    direct = types.SimpleNamespace(apply=lambda function, _preserve, *args: function(*args))
    with (
        torch_private.checkpointed_as(around),
        mock.patch.object(checkpoint, "CheckpointFunction", direct),
    ):
        yield


as_it_is = contextlib.nullcontext


@contextlib.contextmanager
def repeatable():
    """Kernels whose threads add in an order that no two runs share give way to those with a fixed one."""
    before = torch.are_deterministic_algorithms_enabled(), torch.is_deterministic_algorithms_warn_only_enabled()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.use_deterministic_algorithms(True, warn_only=True)
        try:
            with _RepeatableAttention() if has_gpu() else contextlib.nullcontext():
                yield
        finally:
            torch.use_deterministic_algorithms(before[0], warn_only=before[1])


def has_gpu():
    """True once anything of this process ran on a GPU."""
    return torch.cuda.is_initialized()


class _RepeatableAttention(TorchDispatchMode):
    """A GPU adds up attention's gradients in a fixed order only where an error is asked for otherwise."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        strict = "attention" in func.name() and "backward" in func.name()
        if strict:
            torch.use_deterministic_algorithms(True)
        try:
            return func(*args, **(kwargs or {}))
        finally:
            if strict:
                torch.use_deterministic_algorithms(True, warn_only=True)


class _Looking(TorchDispatchMode):
    """Sees each call of an operator, as a capture does, and changes nothing."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


@contextlib.contextmanager
def with_kernels_of_graph(causes):
    """Plain PyTorch with what a graph has in place of eager mode on a CPU, for each of these causes of differences.

    Dropout has GPUs' one kernel, which draws other numbers; there are none of oneDNN's fused layers; scan and its like
    run step by step; code that asks is told that it is being compiled; the model's own checkpoints have no effect; calls of operators are
    looked at, for which some formulas of autograd are others; autocast keeps no copies of weights.
    """
    with contextlib.ExitStack() as stack:
        if record.LOOPS in causes:
            stack.enter_context(as_written())
            stack.enter_context(unrolled())
        if record.DROPOUT in causes:
            stack.enter_context(as_in_eager_mode())
            stack.enter_context(torch_private.enable_python_dispatcher())
        if record.COMPILED in causes:
            stack.enter_context(as_if_compiling())
            stack.enter_context(as_dynamo_writes())
        if record.FORMULAS in causes:
            stack.enter_context(_Looking())
        if record.CHECKPOINTS in causes:
            stack.enter_context(_without_checkpoints())
        if record.CASTS in causes:
            stack.callback(torch.set_autocast_cache_enabled, torch.is_autocast_cache_enabled())
            torch.set_autocast_cache_enabled(False)
            stack.enter_context(mock.patch.object(torch, "set_autocast_cache_enabled", lambda _enabled: None))
        stack.callback(torch_private.use_onednn, torch_private.has_onednn())
        torch_private.use_onednn(record.LAYERS not in causes)
        yield
