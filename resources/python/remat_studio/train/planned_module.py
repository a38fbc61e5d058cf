# SPDX-License-Identifier: Apache-2.0
"""A module whose forward and backward run as planned: ``remat_studio.planned(model, batch, budget="8GiB")``."""

import collections
import contextlib
import copy
import functools
import inspect
import itertools
import operator
import sys
from collections.abc import Mapping
from unittest import mock

import torch

from .. import attention, joint, scopes, torch_private, unsuited
from ..errors import TraceError, explain, one_line
from ..torch_private import pytree
from . import (
    absent,
    apart,
    as_eager,
    between,
    halves,
    handed,
    incoming,
    likeness,
    once_more,
    planning,
    runner,
    session,
    skipped,
    sums,
    written,
)
from .errors import PlanError
from .outputs import Outputs
from .step_graph import StepGraph
from .telling import tell
from .ties import sources_of, tied


_SHARDED = (
    'fully_shard gathers its layers within the call; have each layer compiled, layer.compile(backend="remat"), before it is '
    "sharded."
)

_REPLACED = (
    "torch.func.functional_call puts other tensors in the place of its parameters, and a trace has the parameters alone."
)
_TRANSFORMED = (
    "{} runs without a plan inside of torch.func's transforms (grad, vmap, jvp) and of forward-mode derivatives, which "
    "need all that eager mode makes; call backward() on the loss to have it planned."
)


def planned(model, example, budget=None, **options):
    """A module that computes what ``model`` does, in the memory of a plan.

    It is of the model's class and shares its parameters, buffers, submodules and hooks: ``state_dict``, ``to()`` and an
    optimizer mean the same tensors. ``example`` is a tuple of arguments or a dict by name, as for
    ``remat_studio.trace``; ``options`` are those of ``backend="remat"``. Other shapes and settings of modules are planned
    when they come, up to ``shapes`` of them; later ones run as the model itself does, which is said once. So do calls
    without gradients. Values by which the model goes (is this mask all ones?) are planned for each way that they lead. A
    model that cannot be traced as a whole goes through ``torch.compile(backend="remat")``, which plans the parts that it
    makes, and says so.
    """
    if not isinstance(model, torch.nn.Module):
        raise PlanError(f"The model is {type(model).__name__}; it must be a torch.nn.Module.")
    if isinstance(model, torch.jit.ScriptModule):
        raise PlanError("The model is compiled by torch.jit, and a trace cannot look into it; plan the model it was made of.")
    if "forward" in vars(model) and isinstance(vars(model)["forward"], _Forward):
        raise PlanError("The model is planned already; plan the model that it was made of.")
    if options.get("codegen"):
        raise PlanError("A planned module runs with eager's kernels; leave out codegen, or call torch.compile.")
    unsuited.check_shapes(model)
    made = copy.copy(model)
    object.__setattr__(made, "forward", _Forward(made, {"budget": budget, **options}, vars(model).get("forward")))
    args, kwargs = ((), dict(example)) if isinstance(example, Mapping) else (example, {})
    args = args if isinstance(args, list | tuple) else (args,)
    _check_call(model, args, kwargs)
    with torch.inference_mode(False), torch.enable_grad():
        made.forward.prepare(args, kwargs)
    skipped.say_if_not_called(made, made.forward)
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
        plain = copy.copy(self._module)
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
        """Whether a call has a tensor that gets a gradient; in a GAN the generator is frozen while the other one learns."""
        states = itertools.chain(self._module.parameters(), self._module.buffers(), given.tensors)
        if any(tensor.requires_grad for tensor in states):
            return True
        others = itertools.chain.from_iterable(vars(module).values() for module in self._module.modules())
        return any(isinstance(value, torch.Tensor) and value.requires_grad for value in others)

    def _planned(self, given):
        """A way to run calls like this one as planned; None where the model runs by itself, which is said once.

        Where the call cannot be traced, Dynamo leaves to eager mode what it must, and the parts around that are planned.
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
            return _Way(self._session, *entered, self._module, plain, captured, given, whole.made[-1])
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
    fsdp = sys.modules.get("torch.distributed.fsdp")
    inner = (each for each in module.modules() if each is not module)
    return fsdp is not None and any(isinstance(each, fsdp.FSDPModule) for each in inner)


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
        made = _flushed(self.model, self.model.forward, *args, **kwargs)
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


class _Way:
    """Runs calls of one shape as planned."""

    def __init__(self, step, key, name, module, plain, captured, given, outputs):
        self._step = step
        self._module = module
        self._outputs = outputs
        self._taken = joint.way_taken(captured, given)
        self._tensors = likeness.OwnTensors(module, captured.module)
        nodes = captured.module.graph.find_nodes(op="placeholder")
        kinds = [torch_private.input_of(node.meta["desc"]) for node in nodes]
        ends = [torch_private.output_of(desc) for desc in captured.module.graph.output_node().meta["desc"]]
        states = {short: (state.kind, state.fqn) for short, state in captured.states.items()}
        inputs = [each for each in kinds if each[0] != "tangent"]
        self._inputs = [states[value] if kind == "state" else (kind, value) for kind, value in inputs]
        self._tangents = [
            (value, _layout(node.meta["val"]))
            for node, (kind, value) in zip(nodes, kinds, strict=True)
            if kind == "tangent"
        ]
        self._written = [states[value][1] for kind, value in ends if kind == "written"]
        places = {each: index for index, each in enumerate(self._inputs)}
        sources = [source for kind, source in ends if kind == "gradient"]
        self._gradients = [source and places[states.get(source[1], source)] for source in sources]
        count = len(self._written) + outputs.forget_tensors()
        apart.copied(captured.module.graph, len(self._written))
        read = functools.partial(_read, count=count, names=step.absent.get(key))
        graph, eager = as_eager.graphs(captured.module, read, lambda _: True)
        as_written = functools.partial(_written, plain, given, self._inputs, bool(captured.loops))
        self._plain = plain
        self._arguments = given.without_tensors().arguments
        self._autocast = written.autocast_now("cuda" if graph.has_cuda else "cpu")
        self.needs, self.demand = once_more.needs_of(graph), step.demand
        given_back = graph.forward_outputs[len(self._written) : count]
        flags = zip(given_back, outputs.is_planned, strict=True)
        self._sources = sources_of(graph.graph, [node if is_planned else None for node, is_planned in flags])
        made = planning.plan_graph(step, key, name, captured.module, graph, as_written, eager)
        run = made.watched(runner.boxed(made.forward, "forward"))
        self._forward_count = count
        begins = functools.partial(step.begins, made.part)
        self._forward = halves.forward_of(run, step.enters, begins, handed.Handed(eager or graph))
        learn = functools.partial(step.never_came, made.part)
        back = absent.passing_over(made.backward, learn)
        self._backward = halves.backward_of(back, step.enters, lambda: step.ends(made.part))

    def goes_by(self, given):
        """True where inputs that the model looks into lead the way that it was traced for, with the tensors of then."""
        return self._tensors.stand() and self._taken.other(given.tensors) is None

    def __call__(self, given):
        tensors = [
            given.tensors[name] if kind == "input" else self._state(name) for kind, name in self._inputs
        ]
        between.settle(self._step)
        return self._outputs.together(tied(_Function.apply(self, given.tensors, *tensors), self._sources))

    def _state(self, fqn):
        """The parameter or buffer as it is now."""
        return operator.attrgetter(fqn)(self._module)

    def forward(self, tensors):
        """The tensors that the model gives, and what the backward needs; writes the new values of its state."""
        given = {id(tensor) for tensor in tensors}
        with torch_private.without_autocast():
            values = self._forward(tensors)
        first, last = len(self._written), self._forward_count
        states = [self._state(name) for name in self._written]
        written = {state.untyped_storage().data_ptr() for state in states}  # what is saved may be another view of one
        saved = [
            value.clone() if value.untyped_storage().data_ptr() in written else value
            for value in values[last:]
        ]
        for state, value in zip(states, values, strict=False):
            state.copy_(value)
        return [value.detach() if id(value) in given else value for value in values[first:last]], saved

    def constant(self, outputs):
        """The outputs that have no gradient in the model either."""
        flags = zip(outputs, self._outputs.is_differentiable, strict=True)
        return [output for output, is_differentiable in flags if not is_differentiable]

    def differentiable(self, node, given):
        """As ``backward``, with gradients that can be differentiated."""
        run, tensors = self._again(node)
        return node.call.gradients(node, run, tensors, given, self._autocast, self._step)

    def second_run(self, node):
        """The SecondRun of a call, and an output of the first one that is left."""
        return node.call.second_run(node, *self._again(node), self._autocast, self._step)

    def _again(self, node):
        tensors, called = node.call.tensors()

        def run(leaves):
            with scopes.unchanged(self._plain):
                return _run(self._plain, self._arguments, called, self._inputs, *leaves)

        return run, tensors

    def backward(self, saved, given):
        """The gradient of each input of the graph, or None; ``given`` has the gradients of all outputs.

        ``saved`` is emptied, so that each tensor ends where the plan ends it.
        """
        for gradient, is_planned in zip(given, self._outputs.is_planned, strict=True):
            if gradient is not None and not is_planned:
                raise PlanError(
                    "A gradient came for an output beside the loss, which the plan has none for; call the planned "
                    "module without labels, and compute the whole loss of its outputs."
                )
        saved += [_tangent(given[index], *like) for index, like in self._tangents]
        gradients = [None] * len(self._inputs)
        with torch_private.without_autocast():
            values = self._backward(saved)
        for index, value in zip(self._gradients, values, strict=True):
            if index is not None:
                gradients[index] = value
        return gradients


def _read(module, count, names):
    """The StepGraph of a joint graph whose forward gives ``count`` values; gradients of these ``names`` never come."""
    never_come = absent.never(module.graph, names)
    absent.add_last(module.graph, never_come)
    sums.in_place(module.graph, never_come)
    graph = StepGraph.of_joint_graph(module, count)
    graph.lets_gradients_end = True
    absent.count(graph, never_come)
    return graph


def _written(plain, given, inputs, has_loops, device_type):
    """The model itself as a function of the inputs of its graph; a closure, whose modules give names to parameters."""

    def run(*values):
        return _run(plain, given.arguments, given.tensors, inputs, *values)

    now = written.autocast_now(device_type)
    return written.Written(run, (), {}, True, now, takes_inputs=True, has_loops=has_loops)


def _run(plain, arguments, given, inputs, *values):
    """What the model gives for these values of the inputs of its graph, called with ``given`` tensors."""
    named = list(zip(inputs, values, strict=True))
    state = {name: value for (kind, name), value in named if kind != "input"}
    tensors = {name: value for (kind, name), value in named if kind == "input"}
    args, kwargs = arguments([tensors.get(index, tensor) for index, tensor in enumerate(given)])
    with mock.patch.object(plain, "forward", functools.partial(_flushed, plain, plain.forward)):
        return Outputs(torch.func.functional_call(plain, state, args, kwargs)).tensors


def _flushed(model, forward, *args, **kwargs):
    """What the forward gives; buffers that it replaced are written back."""
    before = dict(model.named_buffers(remove_duplicate=False))
    out = forward(*args, **kwargs)
    joint.flush_replaced_buffers(model, before)
    return out


def _layout(tensor):
    return tensor.shape, tensor.stride(), tensor.dtype, tensor.device


def _tangent(gradient, size, stride, dtype, device):
    """The gradient of an output in the strides that the graph was traced for; a mark where none came."""
    if gradient is None:
        return absent.zero(size, dtype, device)
    gradient = incoming.taken(gradient)
    if gradient.stride() == stride:
        return gradient
    return torch.empty_strided(size, stride, dtype=dtype, device=device).copy_(gradient)


class _Function(torch.autograd.Function):
    @staticmethod
    def forward(ctx, way, given, *tensors):
        ctx.way = way
        ctx.call = once_more.Call(tensors, given, way.needs, way.demand)
        outputs, saved = way.forward(list(tensors))
        ctx.set_materialize_grads(False)
        incoming.watch(ctx)
        ctx.save_for_backward(*saved)
        ctx.mark_non_differentiable(*way.constant(outputs))
        ctx.call.gave(outputs)
        return tuple(outputs)

    @staticmethod
    def backward(ctx, *gradients):
        if ctx.call.is_asked():  # create_graph=True: what the plan computes would count as constant
            return (None, None, *ctx.way.differentiable(ctx, incoming.seen(gradients)))
        saved = list(ctx.saved_tensors)
        ctx.maybe_clear_saved_tensors()
        return (None, None, *ctx.way.backward(saved, gradients))
