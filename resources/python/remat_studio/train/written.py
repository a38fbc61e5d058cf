# SPDX-License-Identifier: Apache-2.0
"""The step as its user wrote it, found while torch.compile captures it, and run later by plain PyTorch."""

import contextlib
import dataclasses
import inspect
import sys
from collections.abc import Callable

import torch

from .. import torch_private
from ..losses import tensors_in
from ..scopes import unchanged
from ..torch_private import pytree

_FIRST_CALL = "_AnalyzeCustomOpInputOutputMode"


@dataclasses.dataclass
class Written:
    """A function of the user's, or the part of one that Dynamo captured, and what it is called with."""

    function: Callable
    args: tuple
    kwargs: dict
    is_whole: bool  # False for a part: what Dynamo captured is all that is known of it
    autocast: tuple  # device type, dtype and cache of what was open around the call, or nothing
    captured: Callable | None = None  # Dynamo's module of the part
    takes_inputs: bool = False  # it is called with the inputs of the graph, in their order
    step: "Written | None" = None  # the function of the user's that Dynamo broke, for a part
    compiled: Callable | None = None  # such a function itself, under torch.compile
    has_loops: bool = False  # it runs loops of PyTorch's own, of which the graph has the steps

    def captured_part(self):
        """The part that Dynamo captured, to be called with its own inputs."""
        if self.takes_inputs:
            return self
        return dataclasses.replace(
            self, function=self.captured, args=(), kwargs={}, is_whole=False, takes_inputs=True
        )

    def with_leaves(self, given):
        """The same called with leaves in place of those of the tensors ``given`` that a graph of autograd leads to.

        Returns it and the new ``given``; None where such a tensor is not among the arguments.
        """
        inner = {id(v): v for v in given if isinstance(v, torch.Tensor) and not v.is_leaf}
        leaves = {key: value.detach().requires_grad_(value.requires_grad) for key, value in inner.items()}
        flat, spec = pytree.tree_flatten((self.args, self.kwargs))
        if not inner.keys() <= {id(value) for value in flat}:
            return None
        args, kwargs = pytree.tree_unflatten([leaves.get(id(value), value) for value in flat], spec)
        made = dataclasses.replace(self, args=args, kwargs=kwargs)
        return made, [leaves.get(id(value), value) for value in given]

    def run(self, as_compiled=False):
        """What it returns, with a graph of autograd. Modules get their attributes back; tensors are for the caller."""
        with contextlib.ExitStack() as stack:
            for module in self.modules():
                stack.enter_context(unchanged(module))
            stack.enter_context(torch.enable_grad())
            stack.enter_context(autocast_as(self.autocast))
            function = self.compiled if as_compiled else torch.compiler.disable(self.function)
            return function(*self.args, **self.kwargs)

    def near(self):
        """What the function has at hand: its own object, what it closes over, its arguments."""
        function = inspect.unwrap(self.function)
        cells = inspect.getclosurevars(function) if inspect.isfunction(function) else None
        near = [getattr(function, "__self__", None), self.function, *pytree.tree_leaves((self.args, self.kwargs))]
        near += pytree.tree_leaves([*cells.nonlocals.values(), *cells.globals.values()]) if cells else []
        return near + [getattr(value, "__self__", None) for value in near]

    def modules(self):
        """The modules that the function can reach."""
        roots = {id(value): value for value in self.near() if isinstance(value, torch.nn.Module)}
        inner = {id(child) for root in roots.values() for child in root.modules() if child is not root}
        return [root for key, root in roots.items() if key not in inner]

    def names(self):
        """The name of each parameter and buffer of these modules by its id."""
        return {
            id(tensor): name
            for module in self.modules()
            for named in (module.named_parameters(), module.named_buffers())
            for name, tensor in named
        }


def compiled_now():
    """The code that Dynamo compiles on this thread, and whether the graph that it has of it ends in a break."""
    code, breaks = None, True
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_name != "compile_wrapper":
        name, values = frame.f_code.co_name, frame.f_locals
        if name == "compile_subgraph" and "reason" in values:
            breaks = values["reason"].graph_break
        elif name == "_compile" and "code" in values:
            code = values["code"]
        frame = frame.f_back
    return code, breaks


def find(captured, autocasts, caught, device_type):
    """What is called on this thread; ``captured`` is Dynamo's module of it, for a part of a step.

    ``autocasts`` are those of ``autocasts_now`` before AOTAutograd began, which captures without autocast's own keys.
    ``caught`` is what ``compiled_now`` gave when Dynamo compiled it.
    """
    autocast = autocasts[device_type]
    code, breaks = caught
    frame = sys._getframe(1)
    while frame is not None:
        values = frame.f_locals
        if frame.f_code.co_name == "compile_wrapper" and "fn" in values:
            function = values["fn"]
            step = Written(function, values["args"], values["kwargs"], True, autocast, captured)
            if not breaks and getattr(inspect.unwrap(function), "__code__", None) is code:
                return step
            step.compiled = values["self"](function)
            return Written(captured, (), {}, False, autocast, captured, takes_inputs=True, step=step)
        frame = frame.f_back
    return Written(captured, (), {}, False, autocast, captured, takes_inputs=True)


def autocast_now(device_type):
    """What ``Written.autocast`` is of the context that is open."""
    if not torch.is_autocast_enabled(device_type):
        return ()
    return device_type, torch.get_autocast_dtype(device_type), torch.is_autocast_cache_enabled()


def autocasts_now():
    """The same for each type of device."""
    return {kind: autocast_now(kind) for kind in ("cpu", "cuda")}


def autocast_as(then):
    """A context like the one that ``autocast_now`` was asked in."""
    if not then:
        return contextlib.nullcontext()
    kind, dtype, cache = then
    return torch.autocast(kind, dtype, cache_enabled=cache)


def differentiable(result):
    """The tensors that a step returns and that gradients come from, each once."""
    return list({id(tensor): tensor for tensor in tensors_in(result) if tensor.requires_grad}.values())


def unwatched(run):
    """The function; while it runs, PyTorch does not watch it as it does at the first call of a compiled function.

    That mode looks for custom operators whose results share memory, and changes what PyTorch computes: under any such
    mode some operators (``linalg.pinv`` of complex matrices) go another way, which is wrong in PyTorch 2.11.
    """

    def call(given):
        modes = torch_private.modes_now()
        if modes and type(modes[-1]).__name__ == _FIRST_CALL:
            with torch_private.without_last_mode():
                return run(given)
        return run(given)

    call._boxed_call = True
    return call
