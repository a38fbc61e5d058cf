# SPDX-License-Identifier: Apache-2.0
"""Tells every captured op which module it lies in and which lines of code made it."""

import collections
import contextlib
import copy
from unittest import mock

import torch
from torch.fx.experimental.proxy_tensor import PythonKeyTracer
from torch.nn.modules import module as nn_module

from . import frames, torch_private
from .errors import TraceError
from .torch_private import FunctionalTensor, node_of_backward

MODULES = "remat_modules"  # [(path, class), ...] of the modules that an op lies in, outermost first
FRAMES = "remat_frames"  # [(file, line, function), ...] of the code that made it, outermost first
CHECKPOINT = (
    "remat_checkpoint"  # number of the part of the model that it checkpoints itself and the op lies in, or None
)
FUNCTION = "remat_function"  # name of the function of autograd that runs the op in the backward pass, or None

_STATE = "_parameters", "_buffers", "_modules"  # of a module, which its own tensors are not in
_CONTAINERS = dict, collections.OrderedDict, collections.defaultdict, list, set


@contextlib.contextmanager
def recorded(root, more=dict):
    """While this is open, captured nodes get MODULES, FRAMES, CHECKPOINT and FUNCTION as metadata, and ``more()``.

    While a trace is made, checkpointing has no effect: what to compute again is for plans to decide, one of which is
    the model's own.
    """
    scope = _Scope(root)
    parts = _CheckpointedParts()
    create_node = PythonKeyTracer.create_node

    def create_annotated_node(tracer, *args, **kwargs):
        node = create_node(tracer, *args, **kwargs)
        node.meta[MODULES] = list(scope.open)
        node.meta[FRAMES] = frames.current(type(root).forward.__code__)
        node.meta[CHECKPOINT] = parts.open[0] if parts.open else None
        function = node_of_backward()
        node.meta[FUNCTION] = function.name() if function else None
        node.meta.update(more())
        return node

    handles = [
        nn_module.register_module_forward_pre_hook(scope.enter),
        nn_module.register_module_forward_hook(scope.leave, always_call=True),
    ]
    PythonKeyTracer.create_node = create_annotated_node
    try:
        with torch_private.checkpointed_as(parts.around):
            yield
    finally:
        PythonKeyTracer.create_node = create_node
        for handle in handles:
            handle.remove()


class _Scope:
    """The modules whose forward runs right now, outermost first."""

    def __init__(self, root):
        named = reversed(list(root.named_modules(remove_duplicate=False)))
        self._paths = {id(module): path for path, module in named}
        self.open = []

    def enter(self, module, _inputs):
        if id(module) in self._paths:
            self.open.append((self._paths[id(module)], f"{type(module).__module__}.{type(module).__qualname__}"))

    def leave(self, module, _inputs, _output):
        if id(module) in self._paths:
            self.open.pop()


class _CheckpointedParts:
    """The parts that the model's code wants to compute again, of which the forward runs right now, outermost first."""

    def __init__(self):
        self.open = []
        self._count = 0

    def around(self, own, *args, **kwargs):
        """Goes through PyTorch's own helper, of which the part is the middle."""
        self.open.append(self._count)
        self._count += 1
        try:
            yield from own(*args, **kwargs)
        finally:
            self.open.pop()


@contextlib.contextmanager
def unchanged(root):
    """Undo what a forward left in the modules: attributes, what stands in dicts, lists and sets of theirs, buffers,
    parameters and sub-modules; gives what undoes it earlier.

    PyTorch's functional_call leaves its own tensors behind in a module that stands at several places of a model.
    """
    saved = [(container, copy.copy(container)) for container in _containers(module.__dict__ for module in root.modules())]

    def undo():
        for container, before in saved:
            container.clear()
            (container.extend if isinstance(container, list) else container.update)(before)

    try:
        yield undo
    finally:
        undo()


def numbers(root):
    """The numbers among the attributes of a model's modules, by their names."""
    return {
        f"{name}.{key}".lstrip("."): value
        for name, module in root.named_modules()
        for key, value in vars(module).items()
        if type(value) in (int, float)
    }


def own_tensors(root):
    """The tensors among the attributes of a model's modules, and in plain dicts and lists there, by their names.

    Without parameters and buffers.
    """
    found = {}
    for name, module in root.named_modules():
        ahead = [(f"{name}.{key}", value) for key, value in vars(module).items() if key not in _STATE]
        passed = set()
        while ahead:
            at, value = ahead.pop()
            if isinstance(value, torch.Tensor):
                found[at.lstrip(".")] = value
            elif type(value) in _CONTAINERS and id(value) not in passed and not isinstance(value, set):
                passed.add(id(value))
                items = value.items() if isinstance(value, dict) else enumerate(value)
                ahead += [(f"{at}[{key!r}]", each) for key, each in items]
    return found


@contextlib.contextmanager
def data_written():
    """While this is open, ``buffer.data = value`` writes into what a trace runs on, which sees it then."""
    data = torch.Tensor.data

    def write(tensor, value):
        if isinstance(tensor, FunctionalTensor) and (tensor.shape, tensor.dtype) == (value.shape, value.dtype):
            with torch.no_grad():
                tensor.detach().copy_(value)
        else:
            data.__set__(tensor, value)

    with mock.patch.object(torch.Tensor, "data", property(data.__get__, write)):
        yield


def _containers(begin):
    """These and what stands in them and can be put back: plain dicts, lists and sets, each once."""
    found, ahead = {}, list(begin)
    while ahead:
        container = ahead.pop()
        if type(container) in _CONTAINERS and id(container) not in found:
            found[id(container)] = container
            ahead += container.values() if isinstance(container, dict) else container
    return list(found.values())


@contextlib.contextmanager
def same_values(buffers):
    """Undo what a backward writes into these: of the tensors themselves, which a forward on stand-ins has others for."""
    before = [(buffer, buffer._version, buffer.detach().clone()) for buffer in buffers if not buffer.is_inference()]
    try:
        yield
    finally:
        with torch.no_grad():
            for buffer, version, value in before:
                if buffer._version != version:
                    buffer.copy_(value)


@contextlib.contextmanager
def own_gradients(tensors):
    """These leaves begin without a gradient, and get back what they had: a backward may call another one inside."""
    before = [(tensor, tensor.grad) for tensor in tensors if tensor.is_leaf]
    for tensor, _ in before:
        tensor.grad = None
    try:
        yield
    finally:
        for tensor, gradient in before:
            tensor.grad = gradient


def flush_replaced_buffers(root, before):
    """Write buffers that a forward replaced by new tensors back into the old ones, so that the change is seen."""
    for name, tensor in root.named_buffers(remove_duplicate=False):
        old = before.get(name)
        if old is not None and old is not tensor:
            if old.shape != tensor.shape:
                raise TraceError(
                    f"The forward replaces the buffer {name} by one of another shape ({_shape(tensor)} for "
                    f"{_shape(old)}); run the model once on these arguments before, so that it has it already."
                )
            with torch.no_grad():
                old.copy_(tensor)


def _shape(tensor):
    return " × ".join(map(str, tensor.shape)) or "one number"
