# SPDX-License-Identifier: Apache-2.0
"""Numbers that Inductor's kernels drew, for a second run of the same step in eager mode.

A kernel computes its numbers from a seed, which the step draws first. What draws seeds and makes numbers of them is
compiled by itself, and gives the same from the same state of the generator. Where Inductor leaves drawing to an
operator, which it runs when it likes, the kernels run again and show what that drew. Operators of the second run get
these.
"""

import contextlib

import torch

from .. import torch_private
from ..torch_private import TorchDispatchMode
from . import generators, lowerings
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
_FUNCTIONAL = {  # operators that Inductor decomposes in another form, which writes into nothing
    _ATEN.rrelu_with_noise.default: _ATEN.rrelu_with_noise_functional.default,
    _ATEN.rrelu_with_noise_.default: _ATEN.rrelu_with_noise_functional.default,
}
_DIRECT = {_ATEN.native_dropout.default, *_AS_THEY_ARE}  # that are numbers, or whose result is computed of them here
_OTHER = "Inductor's kernels drew numbers that a second run in eager mode cannot draw again ({})."


class Numbers:
    """What draws in the forward of a joint graph after Inductor's passes, in its order."""

    def __init__(self, module, in_backward):
        nodes = [node for node in module.graph.nodes if node.op == "call_function" and node not in in_backward]
        self._names = [None if node.target in _DRAWS else node.name for node in nodes if _draws(node)]
        self._graph = _graph_of(nodes)
        self._run = None
        self._forward = None  # the half that draws by operators
        self._is_replayed = False

    def cut(self, forward):
        """Inductor compiles this half, and runs operators that draw in an order of its own."""
        self._forward = torch_private.copied(forward) if any(self._names) else None

    def watched(self, compiled, begun):
        """The forward function: ``compiled``, or ``begun``, which has a session know of it."""

        def call(given):
            return (compiled if self._is_replayed else begun)(given)

        call._boxed_call = True
        return call

    @contextlib.contextmanager
    def drawn(self, replay):
        """While this is open, operators give what the step drew; generators are as before the step.

        ``replay()`` runs the compiled forward once more.
        """
        if not self._names:
            yield
            return
        with torch.no_grad(), torch_private.without_autocast():
            seeded_in, by_name = self._replayed(replay) if any(self._names) else ([], {})
            with generators.as_in(seeded_in):
                by_kernels = iter(self._by_kernels())
        numbers = [by_name.get(name) if name else next(by_kernels) for name in self._names]
        with torch_private.enable_python_dispatcher(), _Given(numbers):
            yield
        if numbers:
            raise PlanError(_OTHER.format("it drew less"))

    def _by_kernels(self):
        if all(self._names):
            return []
        if self._run is None:
            module = torch.fx.GraphModule(torch.nn.Module(), self._graph)
            self._run = torch_private.compile_fx(module, [], torch_private.compile_fx_inner)
        return self._run()

    def _replayed(self, replay):
        """States of generators before they drew seeds, and what each operator drew by the name of its node."""
        values = [node.meta["val"] for node in self._forward.graph.find_nodes(op="placeholder")]
        with torch_private.compile_lock(), torch_private.unguarded(values):
            names = lowerings.lowered_forward(self._forward, values).draws
        recorder = _Recorder()
        self._is_replayed = True
        try:
            with recorder:
                replay()
        finally:
            self._is_replayed = False
        if len(names) != len(recorder.drawn):
            raise PlanError(_OTHER.format(f"{len(recorder.drawn)} operators in place of {len(names)}"))
        found = dict(zip(names, recorder.drawn, strict=True))
        seeds = [node.name for node in self._graph.nodes if node.target is _PRIMS.inductor_seeds.default]
        return [found[name].before for name in seeds], found


class _Drawn:
    """What one call of an operator gave, and the generator's state before it."""

    def __init__(self, func, args, kwargs):
        on = [value.device for value in (*args, *kwargs.values()) if isinstance(value, torch.Tensor)]
        device = on[0] if on else torch.device(kwargs.get("device") or "cpu")
        (self.before,) = generators.kept([(device.type, device.index)])
        self.result = func(*args, **kwargs)
        values = self.result if isinstance(self.result, tuple | list) else (self.result,)
        self._values = [value.clone() for value in values]  # kernels may overwrite them

    def given_to(self, func, args):
        """The same as the result of an operator that may write into its arguments."""
        return _written(func, args, self._values)


class _Recorder(TorchDispatchMode):
    """Sees what operators draw, in the order in which they run."""

    def __init__(self):
        super().__init__()
        self.drawn = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if not _is_random(func):
            return func(*args, **(kwargs or {}))
        self.drawn.append(_Drawn(func, args, kwargs or {}))
        return self.drawn[-1].result


class _Given(TorchDispatchMode):
    """Gives operators that draw, one after the other, their numbers; None has one draw by itself, which nothing needs."""

    def __init__(self, numbers):
        super().__init__()
        self._numbers = numbers

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if not _is_random(func):
            return func(*args, **kwargs)
        if func in _FUNCTIONAL:
            with self:
                return _written(func, args, _decomposed(_FUNCTIONAL[func], *args, **kwargs))
        if not self._numbers:
            raise PlanError(_OTHER.format("it drew more"))
        if isinstance(self._numbers[0], torch.Tensor) and func not in _DIRECT:
            with self:
                return _decomposed(func, *args, **kwargs)
        number = self._numbers.pop(0)
        if number is None:
            return func(*args, **kwargs)
        return number.given_to(func, args) if isinstance(number, _Drawn) else _result(func, number, *args, **kwargs)


def _decomposed(func, *args, **kwargs):
    own = torch_private.decomposition_of(func)
    if own is None:
        raise PlanError(_OTHER.format(str(func)))
    return own(*args, **kwargs)


def _is_random(target):
    return torch.Tag.nondeterministic_seeded in getattr(target, "tags", ()) and target.namespace == "aten"


def _written(func, args, values):
    """What an operator gives that writes into some of its arguments, by what it would give if it wrote into none."""
    schema = func._schema
    written = [value for value, each in zip(args, schema.arguments, strict=False) if _is_written(each)]
    fresh = sum(not _is_written(each) for each in schema.returns)
    for value, new in zip(written, values[fresh:], strict=True):
        value.copy_(new)
    given = values[:fresh] or written
    return given[0] if len(schema.returns) == 1 else tuple(given)


def _is_written(each):
    return each.alias_info is not None and each.alias_info.is_write


def _draws(node):
    return node.target in _DRAWS or _is_random(node.target)


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
    default = torch.get_default_dtype() if number.is_floating_point() else torch.int64
    return number.to(kwargs.get("dtype") or (default if given is None else given.dtype))
