# SPDX-License-Identifier: Apache-2.0
"""A module whose forward and backward run as planned: ``remat_studio.planned(model, batch, budget="8GiB")``."""

import collections
import contextlib
import copy
import functools
import inspect
import itertools
import sys
from collections.abc import Mapping

import torch

from .. import attention, joint, torch_private, unsuited
from ..errors import TraceError, explain, one_line
from ..torch_private import pytree
from . import likeness, session, skipped
from .errors import PlanError
from .outputs import Outputs
from .planned_call import Way, flushed
from .telling import tell


_SHARDED = (
    'fully_shard gathers its layers within the call; have each layer compiled, layer.compile(backend="remat"), before '
    "it is sharded."
)

_REPLACED = (
    "torch.func.functional_call puts other tensors in the place of its parameters, and a trace has the parameters "
    "alone."
)
_TRANSFORMED = (
    "{} runs without a plan inside of torch.func's transforms (grad, vmap, jvp) and of forward-mode derivatives, which "
    "need all that eager mode makes; call backward() on the loss to have it planned."
)


def planned(model, example, budget=None, **options):
    """A module that computes what ``model`` does, in the memory of a plan.

    It is of the model's class and shares its parameters, buffers, submodules and hooks: ``state_dict``, ``to()`` and an
    optimizer mean the same tensors. ``example`` is a tuple of arguments or a dict by name, as for
    ``remat_studio.trace``; ``options`` are those of ``backend="remat"``. Other shapes and settings of modules are
    planned when they come, up to ``shapes`` of them; later ones run as the model itself does, which is said once. So do
    calls without gradients. Values by which the model goes (is this mask all ones?) are planned for each way that they
    lead. A model that cannot be traced as a whole goes through ``torch.compile(backend="remat")``, which plans the
    parts that it makes, and says so.
    """
    if not isinstance(model, torch.nn.Module):
        raise PlanError(f"The model is {type(model).__name__}; it must be a torch.nn.Module.")
    if isinstance(model, torch.jit.ScriptModule):
        raise PlanError(
            "The model is compiled by torch.jit, and a trace cannot look into it; plan the model it was made of."
        )
    if "forward" in vars(model) and isinstance(vars(model)["forward"], _Forward):
        raise PlanError("The model is planned already; plan the model that it was made of.")
    if options.get("codegen"):
        raise PlanError("A planned module runs with eager's kernels; leave out codegen, or call torch.compile.")
    unsuited.check_shapes(model)
    made = _copied(model)
    object.__setattr__(made, "forward", _Forward(made, {"budget": budget, **options}, vars(model).get("forward")))
    args, kwargs = ((), dict(example)) if isinstance(example, Mapping) else (example, {})
    args = args if isinstance(args, list | tuple) else (args,)
    _check_call(model, args, kwargs)
    with torch.inference_mode(False), torch.enable_grad():
        made.forward.prepare(args, kwargs)
    skipped.say_if_not_called(made, made.forward)
    return made


def _copied(module):
    """As ``copy.copy``; of a class of ``fully_shard``'s that would call ``__init__``, which may need arguments."""
    if not _is_sharded(module):
        return copy.copy(module)
    made = object.__new__(type(module))
    made.__setstate__(module.__reduce_ex__(4)[2])
    return made


def _signature(function):
    """What a forward takes; anything where that is not known, as of functions without Python code."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return inspect.signature(lambda *_args, **_kwargs: None)


def _check_call(model, args, kwargs):
    try:
        _signature(model.forward).bind(*args, **kwargs)
    except TypeError as error:
        raise PlanError(
            f"The example is no call of {type(model).__name__} ({error}). It is a tuple of all arguments, or a dict of "
            "them by name; a dict that is itself an argument stands in a tuple: (batch,)."
        ) from None


class _Forward:
    """Stands in the place of the method ``forward`` of one module."""

    def __init__(self, module, given, own=None):
        """``own`` is the forward that was put on the model itself, if one was."""
        self._module = module
        self._own = own
        self._session = session.Session(given)
        self.is_called = False
        self._ways = {}  # what a call is like -> how the model was, what it asked for in vain, and how it runs or None
        functools.update_wrapper(self, type(module).forward.__get__(module))
        self._names = tuple(_signature(own or self).parameters)

    def __deepcopy__(self, memo):
        return _Forward(copy.deepcopy(self._module, memo), self._session.given, copy.deepcopy(self._own, memo))

    def __reduce__(self):
        return _Forward, (self._module, self._session.given, self._own)

    def __call__(self, *args, **kwargs):
        self.is_called = True
        given = _Arguments(args, self._in_order(kwargs))
        way = self._way(given)
        return way(given) if way else self._as_it_is()(*args, **kwargs)

    def prepare(self, args, kwargs):
        """Plan for a call like this one, without running it."""
        self._way(_Arguments(args, self._in_order(kwargs)))

    def _in_order(self, kwargs):
        """Those that the forward names in its order, so that batches in another one are the same call."""
        return {name: kwargs[name] for name in self._names if name in kwargs} | kwargs

    def forget(self):
        """Plan anew at the next call: the step turned out to have other parts."""
        self._ways.clear()

    def _as_it_is(self):
        """The module's own forward, which may write to its attributes."""
        return self._own or type(self._module).forward.__get__(self._module)

    def _plain(self):
        """The module as it is now, with its own forward; what is written to its attributes is lost."""
        plain = _copied(self._module)
        del plain.__dict__["forward"]
        if self._own:
            plain.__dict__["forward"] = self._own
        return plain

    def _way(self, given):
        """How to run this call as planned, or None for the module by itself."""
        if torch.compiler.is_compiling() or not torch.is_grad_enabled() or not self._may_train(given):
            return None
        if torch_private.is_transformed():
            tell(_TRANSFORMED.format(type(self._module).__name__), self)
            return None
        states = tuple(_identity(parameter) for parameter in self._module.parameters())
        looks = likeness.of(self._module, is_called=False)
        ways = self._ways.setdefault((given.key, states, _autocast(given.tensors)), [])
        for before, names, way in ways:
            if likeness.is_as(looks, before, names) and (way is None or way.goes_by(given)):
                return way
        with likeness.asked_in_vain() as names:
            way = self._planned(given)
        ways.append((looks, names, way))
        return way

    def _may_train(self, given):
        """Whether a call has a tensor that gets a gradient; a GAN's generator is frozen while the other one learns."""
        states = itertools.chain(self._module.parameters(), self._module.buffers(), given.tensors)
        if any(tensor.requires_grad for tensor in states):
            return True
        others = itertools.chain.from_iterable(vars(module).values() for module in self._module.modules())
        return any(isinstance(value, torch.Tensor) and value.requires_grad for value in others)

    def _planned(self, given):
        """A way to run calls like this one as planned; None where the model runs by itself, which is said once.

        Where the call cannot be traced, Dynamo leaves to eager mode what it must, and the parts around it are planned.
        """
        entered = self._session.enter(torch_private.Compiled(self, object(), False), given.key)
        if entered is None:
            return None
        plain = self._plain()
        if _has_sharded_parts(self._module):
            return self._in_parts(plain, TraceError(_SHARDED))
        if not all(isinstance(parameter, torch.nn.Parameter) for parameter in plain.parameters()):
            return self._in_parts(plain, TraceError(_REPLACED))
        whole = _Whole(plain, given)
        target = "cuda" if any(tensor.is_cuda for tensor in plain.parameters()) else "cpu"
        try:
            with attention.as_on(target, None), _without_state_dict_hooks(plain), _backward_outside_of_autocast():
                captured = joint.capture(whole, given)
            if captured.drawn or captured.kept:
                return self._in_parts(plain, TraceError(captured.drawn or captured.kept))
            for sentence in filter(None, (captured.counted, captured.stepped)):
                tell(sentence, self)
            return Way(self._session, *entered, self._module, plain, captured, given, whole.made[-1])
        except PlanError:
            raise
        except Exception as error:
            return self._in_parts(plain, explain(error))

    def _in_parts(self, plain, reason):
        if self._session.options.strict:
            raise reason
        tell(f"{type(plain).__name__} is planned in parts, since a call cannot be traced as a whole: {reason}", self)
        return _Parts(type(plain).__name__, self._as_it_is(), dict(self._session.given))


class _Arguments:
    """The arguments of a call: its different tensors, and ``key``, which all else of it is in."""

    def __init__(self, args, kwargs):
        leaves, self._spec = pytree.tree_flatten((args, kwargs))
        self.tensors, self._slots = [], []
        places = {}
        for leaf in leaves:
            if isinstance(leaf, torch.Tensor) and id(leaf) not in places:
                places[id(leaf)] = len(self.tensors)
                self.tensors.append(leaf)
            self._slots.append(places.get(id(leaf)) if isinstance(leaf, torch.Tensor) else None)
        self._leaves = [None if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        self.names = [f"remat_input_{index}" for index in range(len(self.tensors))]
        sizes = tuple(_identity(tensor) for tensor in self.tensors)
        self.key = (str(self._spec), tuple(self._slots), sizes, tuple(map(repr, self._leaves)))

    def without_tensors(self):
        """The same, for calls with other tensors; these are not held."""
        made = copy.copy(self)
        made.tensors = []
        return made

    def arguments(self, tensors):
        """The (args, kwargs) of the call with these tensors in their places."""
        leaves = [leaf if slot is None else tensors[slot] for leaf, slot in zip(self._leaves, self._slots, strict=True)]
        return pytree.tree_unflatten(leaves, self._spec)


def _has_sharded_parts(module):
    """True where ``fully_shard`` gathers parameters of inner modules within the call; around it is no matter."""
    return any(_is_sharded(each) for each in module.modules() if each is not module)


def _is_sharded(module):
    fsdp = sys.modules.get("torch.distributed.fsdp")
    return fsdp is not None and isinstance(module, fsdp.FSDPModule)


def _backward_outside_of_autocast():
    """A context in which a trace computes gradients as a script does whose autocast is around the call alone."""
    return torch_private.aot_settings(backward_pass_autocast="off")


@contextlib.contextmanager
def _without_state_dict_hooks(module):
    """A trace reads the names of the state; ``fully_shard`` would take that for a save, and shard amid the forward."""
    kept = [(each, each._state_dict_pre_hooks) for each in module.modules()]
    for each, hooks in kept:
        each._state_dict_pre_hooks = type(hooks)()
    try:
        yield
    finally:
        for each, hooks in kept:
            each._state_dict_pre_hooks = hooks


def _identity(tensor):
    return type(tensor), tensor.shape, tensor.stride(), tensor.dtype, tensor.device, tensor.requires_grad


def _autocast(tensors):
    devices = dict.fromkeys(tensor.device.type for tensor in tensors if not tensor.is_meta)
    return tuple(
        (device, torch.is_autocast_enabled(device) and torch.get_autocast_dtype(device)) for device in devices
    )


class _Whole(torch.nn.Module):
    """The model as a function of tensors that gives tensors; the last of ``made`` puts them together again."""

    def __init__(self, model, given):
        super().__init__()
        self.training = model.training
        self.model = model
        self._given = given
        self.made = collections.deque(maxlen=1)  # which a trace leaves as it is; lists it resets

    def forward(self, *tensors):
        args, kwargs = self._given.arguments(tensors)
        made = flushed(self.model, self.model.forward, *args, **kwargs)
        self.made.append(Outputs(made, [*tensors, *self.model.parameters(), *self.model.buffers()]))
        return tuple(self.made[-1].tensors)


class _Parts:
    """Runs calls of one shape as Dynamo cuts them, with a plan for each part."""

    def __init__(self, name, forward, options):
        self._name, self._forward, self._fails = name, forward, False
        self._run = torch.compile(forward, backend="remat", options=options)

    def goes_by(self, _given):
        """True: Dynamo looks at the values by itself."""
        return True

    def __call__(self, given):
        args, kwargs = given.arguments(given.tensors)
        if self._fails:
            return self._forward(*args, **kwargs)
        try:
            return self._run(*args, **kwargs)
        except torch_private.InternalTorchDynamoError as error:
            self._fails = True
            tell(f"{self._name} runs without a plan, since Dynamo fails on it: {one_line(error)}.", self)
            return self._forward(*args, **kwargs)
