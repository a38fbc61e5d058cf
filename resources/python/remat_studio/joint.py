# SPDX-License-Identifier: Apache-2.0
"""Captures forward, loss and backward of a training step in one functional graph of ATen calls."""

import contextlib
import dataclasses
import inspect
import re
import warnings
from collections.abc import Mapping

import torch

from . import decisions, recurrent, torch_private
from .errors import TraceError, chain, explain
from .frames import place_of
from .holds import blocks_noted, hooks_noted
from .host_seeds import BOUNDED, SEED, at_bounds, draws, generators_noted, host_kept, seed_host
from .kernels import as_in_eager_mode, as_written
from .losses import beside_loss
from .names import names_noted
from .questions import WayTaken
from .scopes import data_written, flush_replaced_buffers, numbers, own_gradients, own_tensors, recorded, same_values
from .scopes import unchanged
from .threads import settle
from .torch_private import FakeTensor, as_if_compiling, pytree
from .unrolled import sentence_of, unrolled
from .values import KnownValues

MODEL_PREFIX = "model."
_NAMED = 3  # tensors that a sentence has by name


class Call:
    """The arguments of a model call as named tensors plus everything else, so that only tensors are traced."""

    def __init__(self, model, args):
        args, kwargs = ((), dict(args)) if isinstance(args, Mapping) else (_as_tuple(args), {})
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

    def __init__(self, model, loss, call, keeps_outputs=False):
        super().__init__()
        self.training = model.training
        self.model = model
        self._loss = loss
        self._call = call
        self._keeps_outputs = keeps_outputs
        if isinstance(loss.function, torch.nn.Module):
            self.loss_fn = loss.function

    def forward(self, *tensors):
        args, kwargs = self._call.arguments(tensors)
        before = dict(self.model.named_buffers(remove_duplicate=False))
        with names_noted(), blocks_noted():
            output = self.model(*args, **kwargs)
            loss = self._loss(output)
            kept = tuple(tensor.detach() for tensor in beside_loss(output)) if self._keeps_outputs else ()
            del output
        flush_replaced_buffers(self.model, before)
        return (loss, *kept) if self._keeps_outputs else loss


@dataclasses.dataclass
class State:
    """A parameter or buffer under the model's first name for it."""

    kind: str
    fqn: str
    tensor: torch.Tensor
    persistent: bool


class FlatStep(torch.nn.Module):
    """The training step with each tensor of its state once, under a short name of its own.

    A tied parameter has several names in the model; here it has one, and so one gradient.
    """

    def __init__(self, step, fake_mode, begin, end):
        super().__init__()
        self._step = (step,)  # in a tuple, so that its parameters are not found a second time
        self._begin, self._end = begin, end  # called at each pass over the forward
        self.states = {}
        self._names = {}
        persistent = set(step.state_dict(keep_vars=True))
        for kind, named in (("parameter", step.named_parameters()), ("buffer", step.named_buffers())):
            for name, tensor in named:
                self._add(kind, name, _with_data_or_stand_in(tensor, fake_mode), name in persistent)

    def forward(self, *tensors):
        self._begin()
        state = {name: getattr(self, short) for short, name in self._names.items()}
        loss = torch.func.functional_call(self._step[0], state, tensors, tie_weights=True)
        self._end()
        return loss

    def _add(self, kind, name, tensor, persistent):
        short = f"{kind}_{len(self.states)}"
        if kind == "parameter":
            self.register_parameter(short, tensor)
        else:
            self.register_buffer(short, tensor)
        self._names[short] = name
        self.states[short] = State(kind, name.removeprefix(MODEL_PREFIX), tensor, persistent)


@dataclasses.dataclass
class Capture:
    """The joint graph, whose placeholders and outputs carry descriptors, what these refer to, and what a person should
    know of the way that the forward took.

    ``looked_at`` names the inputs whose values decided that way, ``loops`` the operators of higher order that ran step
    by step; ``packed`` has the lengths of sequences, see packed.py.
    """

    module: torch.fx.GraphModule
    states: dict[str, State]
    call: Call
    sentences: list[str]
    looked_at: set[str]
    packed: list[list[int]]
    loops: set[str]
    questions: list = dataclasses.field(default_factory=list)  # what was asked of values
    batch: str = ""
    drawn: str = ""  # a sentence where Python's or NumPy's generator drew what the graph has as constants
    drawn_by: frozenset = frozenset()  # names of the functions that drew
    counted: str = ""  # a sentence where the forward changes numbers of the model, as a counter
    stepped: str = ""  # a sentence where eager mode runs a kernel that is captured step by step
    kept: str = ""  # a sentence where it leaves tensors in attributes of the model


def capture(step, call, on_run=lambda: None, decide=lambda: None):
    """Run forward and backward on stand-in tensors and record every kernel call; next to nothing is computed.

    Nothing is decomposed, so that every node is one kernel call of eager PyTorch. The model runs under autograd itself
    and not through torch.export.export, which loses torch.no_grad() inside of torch.autocast(). Libraries that look at
    values see those of the arguments; where they look at others, they are told that they are being compiled, which some
    of them have another way for. ``on_run`` is called for each operator. Where that does not help either, ``decide()``
    may have the decisions of a recorded step, and the graph is for that one alone.
    """
    settle()
    with torch_private.compile_lock():  # settings of the process change: one thread at a time
        try:
            return _settled(_capture(step, call, contextlib.nullcontext(), on_run), step, call, contextlib.nullcontext)
        except TraceError:
            raise
        except Exception as error:
            where = place_of(chain(error)) or "The model"
            first = error
        try:
            captured = _settled(_capture(step, call, as_if_compiling(), on_run), step, call, as_if_compiling)
        except TraceError:
            raise
        except Exception as error:
            taken = decide() if decisions.is_cause(chain(first)) else None
            if taken is None:
                raise
            return _decided(step, call, on_run, taken, error)
    captured.sentences.append(
        f"{where}: here eager mode goes by values that are only known when it runs; the trace has the way that the "
        "library takes when it is compiled, which may keep more."
    )
    return captured


def _settled(captured, step, call, way):
    """The capture, which says nothing of numbers that Python drew where the graph is the same for the least and largest.

    Layers may draw whether they are left out, with a chance of zero.
    """
    if captured.drawn and captured.drawn_by and captured.drawn_by <= BOUNDED:
        if all(_is_equal_at(end, captured, step, call, way) for end in (min, max)):
            captured.drawn = ""
    return captured


def _is_equal_at(end, captured, step, call, way):
    try:
        with at_bounds(end):
            other = _capture(step, call, way(), lambda: None)
    except Exception:  # where all layers are left out no gradient is left, say
        return False
    return not other.drawn and _text(other) == _text(captured)


def _text(captured):
    nodes = [(node.name, node.target, node.args, node.kwargs) for node in captured.module.graph.nodes]
    return str(nodes)


def _decided(step, call, on_run, taken, refusal):
    """A capture that goes the way of a recorded step; raises ``refusal`` where it asks for what that did not decide."""
    replay = decisions.Replay(taken)
    try:
        captured = _capture(step, call, decisions.all_asked_for(), on_run, replay)
    except decisions.OtherWay:
        raise refusal from None
    captured.batch = (
        "This is the graph of this batch with these weights, with what they decided as constants; another batch may go "
        f"another way. {explain(refusal)}"
    )
    return captured


def _capture(step, call, way, on_run, replay=None):
    names = {id(tensor): name for tensor, name in zip(call.tensors, call.names, strict=True)}
    known = KnownValues(names, on_run, replay)
    fake_mode = known.mode
    tensors = tuple(_with_data_or_stand_in(tensor, fake_mode) for tensor in call.tensors)

    def begin():
        undo()
        known.questions.clear()
        seed_host(SEED)
        generators.begin()
        if replay:
            replay.begin()

    flat = FlatStep(step, fake_mode, begin, lambda: generators.end())
    with contextlib.ExitStack() as stack:
        stack.enter_context(warnings.catch_warnings())
        warnings.filterwarnings("ignore", "Error detected in")  # with a traceback; the error itself is told in a sentence
        stack.enter_context(torch.enable_grad())
        stack.enter_context(host_kept())
        generators = stack.enter_context(generators_noted())
        stepped = stack.enter_context(as_in_eager_mode())
        stack.enter_context(way)
        stack.enter_context(as_written())
        stack.enter_context(torch_private.inference_as(_no_gradients))
        hooked = stack.enter_context(hooks_noted())
        loops = stack.enter_context(unrolled())
        stack.enter_context(torch_private.traced_with(fake_mode))
        undo = stack.enter_context(unchanged(step))
        stack.enter_context(data_written())
        before, own = numbers(step), own_tensors(step)
        stack.enter_context(same_values(step.buffers()))
        stack.enter_context(own_gradients(step.parameters()))
        stack.enter_context(recorded(step, (lambda: {decisions.TAKEN: replay.taken}) if replay else dict))
        joint = torch_private.export_joint(stack, flat, tensors, decompositions={})
        _refuse_inner_gradients(step)
        drawn = generators.drawn()
        counted = _about_numbers([name for name, value in numbers(step).items() if before.get(name, value) != value])
        kept = _about_kept([name for name, value in own_tensors(step).items() if _is_other(value, own.get(name))])
    _refuse_seeds(generators.setters, joint.graph_module.graph)
    _leave_out_annotations(joint.graph_module.graph)
    if replay:
        replay.fix(joint.graph_module)
    sentences = [*filter(None, (_about_values(known.decided_by), sentence_of(loops), _about_hooks(hooked)))]
    known_of = known.decided_by, known.packed, loops, known.questions
    drawn_by = frozenset(generators.names)
    said = "", _about_draws(drawn), drawn_by, counted, recurrent.SENTENCE if stepped else "", kept
    return Capture(joint.graph_module, flat.states, call, sentences, *known_of, *said)


def _refuse_inner_gradients(step):
    """A backward inside of a backward adds up gradients of parameters, of which the joint graph knows nothing."""
    leaves = ((name, parameter) for name, parameter in step.named_parameters() if parameter.is_leaf)
    found = next((name for name, leaf in leaves if leaf.grad is not None), None)
    if found:
        raise TraceError(
            f"A backward pass inside of the step makes the gradient of {found.removeprefix(MODEL_PREFIX)}; in the "
            "custom autograd.Function call torch.autograd.grad instead of backward(), and return what it gives."
        )


def _refuse_seeds(setters, graph):
    """What is drawn after a generator was set would have other numbers: a graph has nothing of that."""
    count = sum(map(draws, graph.nodes))
    line = next((line for line, before in setters if before < count), None)
    if line is not None:
        where = f"{line}: the" if line else "The"
        raise TraceError(
            f"{where} forward sets PyTorch's generator, of which a graph has nothing, so that it would draw other "
            'numbers; set it before the step, or train with torch.compile(step, backend="remat"), which leaves this to '
            "eager mode and plans the rest."
        )


def _about_numbers(names):
    if not names:
        return ""
    changed = ", ".join(name.removeprefix(MODEL_PREFIX) for name in names)
    return (
        f"The forward changes {changed} of the model, of which a plan has nothing: the number stays as it is, and so does "
        'what follows from it. Change it in the loop, or train with torch.compile(step, backend="remat").'
    )


def _is_other(value, before):
    """Whether another tensor stands in a place; parameters in lists, as of an LSTM, have stand-ins there in a trace."""
    return value is not before and not isinstance(before, torch.nn.Parameter)


def _about_kept(names):
    if not names:
        return ""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    kept = ", ".join(name.removeprefix(MODEL_PREFIX) for name in names[:_NAMED])
    return (
        f"The forward leaves tensors in {kept}{more} of the model, of which a plan has nothing: they stay as they are, and "
        "so does what follows from them; write into buffers (register_buffer, copy_), return them, or train with "
        'torch.compile(step, backend="remat").'
    )


def _about_draws(drawn):
    if drawn is None:
        return ""
    owner, line = drawn
    return (
        f"{f'{line}: the forward' if line else 'The forward (or another thread meanwhile)'} draws from {owner}'s generator, and the graph has what came of it "
        "as constants, the same in each step; draw from PyTorch's generator to have new numbers in each."
    )


def _leave_out_annotations(graph):
    """Marks for profilers (``record_function``, also in optimizers) compute nothing, and no plan has a place for them."""
    for node in reversed(graph.nodes):
        if getattr(node.target, "namespace", "") == "profiler":
            graph.erase_node(node)


def _no_gradients(is_on=True):
    """Stands for inference mode, which makes tensors that a trace cannot follow."""
    return torch.no_grad() if is_on else contextlib.nullcontext()


def _about_hooks(names):
    if not names:
        return None
    return (
        f"The model changes what autograd saves ({' and '.join(sorted(names))}), of which a trace has nothing: the plan "
        "decides what is kept, and in its own precision."
    )


def way_taken(captured, call):
    """The WayTaken of a capture; what lengths of packed sequences it has are in the graph."""
    named = enumerate(zip(call.names, call.tensors, strict=True))
    values = {index: tensor.detach().clone() for index, (name, tensor) in named if name in captured.looked_at}
    return WayTaken(values, list(call.names), None if captured.packed else captured.questions)


def _about_values(names):
    if not names:
        return None
    return (
        f"The model goes by the values of {' and '.join(sorted(names))}, and is traced for those given: arguments with "
        "other values (padding, say) may take another way; trace with such ones to plan for them."
    )


def _with_data_or_stand_in(tensor, fake_mode):
    """The tensor, or one of our own stand-ins for it if it has no data: those on the meta device count as CPU's."""
    if not tensor.is_meta and not isinstance(tensor, FakeTensor):
        return tensor
    device = "cpu" if tensor.device.type == "meta" else tensor.device
    with fake_mode:
        fake = torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=device)
    if isinstance(tensor, torch.nn.Parameter):
        return torch.nn.Parameter(fake, requires_grad=tensor.requires_grad)
    return fake.requires_grad_(tensor.requires_grad)


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
