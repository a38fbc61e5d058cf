"""Tells every captured op which module it lies in and which lines of code made it."""

import contextlib

import torch
import torch.utils.checkpoint
from torch.fx.experimental.proxy_tensor import PythonKeyTracer
from torch.nn.modules import module as nn_module

from . import frames

MODULES = "remat_modules"  # [(path, class), ...] of the modules that an op lies in, outermost first
FRAMES = "remat_frames"  # [(file, line, function), ...] of the code that made it, outermost first


@contextlib.contextmanager
def recorded(root):
    """While this is open, captured nodes get MODULES and FRAMES as metadata."""
    scope = _Scope(root)
    create_node = PythonKeyTracer.create_node

    def create_annotated_node(tracer, *args, **kwargs):
        node = create_node(tracer, *args, **kwargs)
        node.meta[MODULES] = list(scope.open)
        node.meta[FRAMES] = frames.current(type(root).forward.__code__)
        return node

    handles = [
        nn_module.register_module_forward_pre_hook(scope.enter),
        nn_module.register_module_forward_hook(scope.leave, always_call=True),
    ]
    PythonKeyTracer.create_node = create_annotated_node
    try:
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


@contextlib.contextmanager
def checkpoints_counted():
    """How often the model's own code asked for checkpointing while this is open: a list of one number.

    While a trace is made, checkpointing has no effect. PyTorch looks this helper of its own up at each call.
    """
    count = [0]
    original = torch.utils.checkpoint._checkpoint_without_reentrant_generator

    def counted(*args, **kwargs):
        count[0] += 1
        return original(*args, **kwargs)

    torch.utils.checkpoint._checkpoint_without_reentrant_generator = counted
    try:
        yield count
    finally:
        torch.utils.checkpoint._checkpoint_without_reentrant_generator = original


@contextlib.contextmanager
def unchanged(root):
    """Undo what a forward on stand-in tensors left in the attributes of the modules."""
    saved = [(module, dict(module.__dict__), dict(module._buffers)) for module in root.modules()]
    try:
        yield
    finally:
        for module, attributes, buffers in saved:
            module.__dict__.clear()
            module.__dict__.update(attributes)
            module._buffers.clear()
            module._buffers.update(buffers)


def flush_replaced_buffers(root, before):
    """Write buffers that a forward replaced by new tensors back into the old ones, so that the change is seen."""
    for name, tensor in root.named_buffers(remove_duplicate=False):
        old = before.get(name)
        if old is not None and old is not tensor:
            with torch.no_grad():
                old.copy_(tensor)
