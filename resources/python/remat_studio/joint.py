"""Captures forward, loss and backward of a training step in one functional graph of ATen calls."""

import contextlib
import inspect
import re

import torch
from torch._functorch.aot_autograd import aot_export_joint_with_descriptors
from torch.utils import _pytree as pytree

from .errors import TraceError
from .inlining import inline_regions

MODEL_PREFIX = "model."


class Call:
    """The arguments of a model call as named tensors plus everything else, so that only tensors are traced."""

    def __init__(self, model, args):
        args, kwargs = ((), dict(args)) if isinstance(args, dict) else (_as_tuple(args), {})
        paths, self._spec = pytree.tree_flatten_with_path(_bind(model, args, kwargs))
        self._leaves = [leaf for _, leaf in paths]
        self._slots = []
        self.tensors = []
        self.names = []
        seen = {}
        for index, (path, leaf) in enumerate(paths):
            if not isinstance(leaf, torch.Tensor):
                continue
            if id(leaf) not in seen:
                seen[id(leaf)] = len(self.tensors)
                self.tensors.append(leaf)
                self.names.append(_input_name(path, self.names))
            self._slots.append((index, seen[id(leaf)]))
            self._leaves[index] = None

    def arguments(self, tensors):
        """The (args, kwargs) of the call with these tensors in their places."""
        leaves = list(self._leaves)
        for index, slot in self._slots:
            leaves[index] = tensors[slot]
        return pytree.tree_unflatten(leaves, self._spec)


class TrainingStep(torch.nn.Module):
    """The model followed by its loss: what is differentiated."""

    def __init__(self, model, loss, call):
        super().__init__()
        self.training = model.training
        self.model = model
        self._loss = loss
        self._call = call
        if isinstance(loss.function, torch.nn.Module):
            self.loss_fn = loss.function

    def forward(self, *tensors):
        args, kwargs = self._call.arguments(tensors)
        return self._loss(self.model(*args, **kwargs))


def capture(step, tensors):
    """The joint graph of a training step as a GraphModule whose placeholders and outputs carry descriptors.

    Nothing is decomposed, so that every node is one kernel call of eager PyTorch; nothing is computed either.
    """
    with torch.enable_grad():
        exported = torch.export.export(step, tuple(tensors), strict=False)
        module = exported.module(check_guards=False)
        inline_regions(module)
        with contextlib.ExitStack() as stack:
            joint = aot_export_joint_with_descriptors(stack, module, tuple(tensors), decompositions={})
            return joint.graph_module


def _as_tuple(args):
    if isinstance(args, torch.Tensor):
        return (args,)
    if isinstance(args, list | tuple):
        return tuple(args)
    raise TraceError(
        f"The model's arguments are {type(args).__name__}, but must be a tuple (by position) or a dict (by name)."
    )


def _bind(model, args, kwargs):
    """Arguments by name where the forward's signature allows it: names are what the user reads later."""
    try:
        signature = inspect.signature(model.forward)
        bound = signature.bind(*args, **kwargs)
    except ValueError:
        return args, kwargs
    except TypeError as error:
        raise TraceError(
            f"The arguments do not fit {type(model).__name__}.forward{inspect.signature(model.forward)}: {error}."
        ) from None
    by_position = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
    if any(signature.parameters[name].kind in by_position for name in bound.arguments):
        return args, kwargs
    named = dict(bound.arguments)
    for name in list(named):
        if signature.parameters[name].kind is inspect.Parameter.VAR_KEYWORD:
            named.update(named.pop(name))
    return (), named


def _input_name(path, taken):
    """An identifier from the way to a tensor in (args, kwargs), e.g. kwargs['batch']['x'] -> batch_x."""
    keys = [getattr(key, "key", getattr(key, "name", getattr(key, "idx", ""))) for key in path[1:]]
    name = re.sub(r"\W+", "_", "_".join(str(key) for key in keys)).strip("_").lower() or "input"
    if name[0].isdigit():
        name = f"input_{name}"
    unique, count = name, 1
    while unique in taken:
        unique, count = f"{name}_{count}", count + 1
    return unique
