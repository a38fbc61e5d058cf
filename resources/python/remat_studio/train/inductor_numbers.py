# SPDX-License-Identifier: Apache-2.0
"""Numbers that Inductor's kernels drew, for a second run of the same step in eager mode.

A kernel computes its numbers from a seed, which the step draws first. What draws seeds and makes numbers of them is
compiled by itself, and gives the same from the same state of the generator. Operators that draw get these.
"""

import contextlib

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from . import torch_private
from .errors import PlanError

_PRIMS = torch.ops.prims
_DRAWS = {_PRIMS.inductor_random.default, _PRIMS.inductor_randint.default}
_SEEDS = {_PRIMS.inductor_seeds.default, _PRIMS.inductor_lookup_seed.default}
_ATEN = torch.ops.aten
_AS_THEY_ARE = {
    _ATEN.rand.default,
    _ATEN.rand_like.default,
    _ATEN.randn.default,
    _ATEN.randn_like.default,
    _ATEN.randint.default,
    _ATEN.randint.low,
    _ATEN.randint_like.default,
    _ATEN.randint_like.low_dtype,
}
_OTHER = "Inductor's kernels drew numbers that a second run in eager mode cannot draw again ({})."


class Numbers:
    """What draws in the forward of a joint graph after Inductor's passes, in its order."""

    def __init__(self, module, in_backward):
        nodes = [node for node in module.graph.nodes if node.op == "call_function" and node not in in_backward]
        self._count = sum(node.target in _DRAWS for node in nodes)
        self._others = [str(node.target) for node in nodes if _is_random(node.target)]  # run in an order of Inductor's
        self._graph = _graph_of(nodes)
        self._run = None

    @contextlib.contextmanager
    def drawn(self):
        """While this is open, operators give what the kernels drew; generators are as before the step."""
        if self._others:
            raise PlanError(_OTHER.format(self._others[0]))
        if not self._count:
            yield
            return
        with torch.no_grad(), torch._C._DisableAutocast():
            if self._run is None:
                module = torch.fx.GraphModule(torch.nn.Module(), self._graph)
                self._run = torch_private.compile_fx(module, [], torch_private.compile_fx_inner)
            numbers = iter(self._run())
        with torch_private.enable_python_dispatcher(), _Given(numbers):
            yield
        if next(numbers, None) is not None:
            raise PlanError(_OTHER.format("it drew less"))


class _Given(TorchDispatchMode):
    """Gives operators that draw, one after the other, their numbers."""

    def __init__(self, numbers):
        super().__init__()
        self._numbers = numbers

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if not _is_random(func):
            return func(*args, **kwargs)
        number = next(self._numbers, None)
        if number is None:
            raise PlanError(_OTHER.format("it drew more"))
        return _result(func, number, *args, **kwargs)


def _is_random(target):
    return torch.Tag.nondeterministic_seeded in getattr(target, "tags", ()) and target.namespace == "aten"


def _graph_of(nodes):
    """Numbers of all that draw by seeds."""
    graph, made, numbers = torch.fx.Graph(), {}, []
    for node in nodes:
        if node.target in _SEEDS or node.target in _DRAWS:
            made[node] = graph.node_copy(node, made.__getitem__)
        if node.target in _DRAWS:
            numbers.append(made[node])
    graph.output(tuple(numbers))
    return graph


def _result(func, number, *args, **kwargs):
    """What an operator gives by its numbers, as Inductor decomposes it."""
    given = args[0] if args and isinstance(args[0], torch.Tensor) else None
    shape = number.shape if given is None else given.shape
    if number.shape != shape:
        raise PlanError(_OTHER.format(f"{func} of {list(shape)}"))
    if func is _ATEN.native_dropout.default:
        share = args[1]
        kept = number > share  # kernels do not round in between
        return given * kept * (1 / (1 - share) if share < 1 else 0.0), kept
    if func is _ATEN.bernoulli.default:
        return (number < given).to(given.dtype)
    if func is _ATEN.bernoulli.p:
        return (number < args[1]).to(given.dtype)
    if func in _AS_THEY_ARE:
        default = torch.get_default_dtype() if number.is_floating_point() else torch.int64
        return number.to(kwargs.get("dtype") or (default if given is None else given.dtype))
    raise PlanError(_OTHER.format(str(func)))
