# SPDX-License-Identifier: Apache-2.0
"""Private names of PyTorch: for another version this file is looked at, and no other file has any.

First those that are only passed on. Then what is done with others: by a trace, with Dynamo, its graphs and the sizes
that it leaves open, with AOTAutograd, Inductor, autograd and ``fully_shard``.
"""

import contextlib
import copy
import ctypes
import dataclasses
import functools
import importlib
import inspect
import logging
import os
import re
import sys
import types
from importlib.metadata import EntryPoint

BACKENDS = "torch._dynamo.backends.registry"  # the module that lists them; registration asks while the next line runs

import torch  # noqa: E402

_DESCRIPTORS = "torch._functorch._aot_autograd.descriptors:"
_NAMES = {  # that other files take from here, and what they are there; loaded when they are needed, which takes long
    "CustomPartitionerFn": "torch._inductor.custom_graph_pass:CustomPartitionerFn",
    "DataDependentOutputException": "torch._subclasses.fake_tensor:DataDependentOutputException",
    "DispatchKey": "torch._C:DispatchKey",
    "DynamicOutputShapeException": "torch._subclasses.fake_tensor:DynamicOutputShapeException",
    "FakeTensor": "torch._subclasses.fake_tensor:FakeTensor",
    "FakeTensorMode": "torch._subclasses.fake_tensor:FakeTensorMode",
    "FunctionalTensor": "torch._subclasses.functional_tensor:FunctionalTensor",
    "GradAOTOutput": _DESCRIPTORS + "GradAOTOutput",
    "InternalTorchDynamoError": "torch._dynamo.exc:InternalTorchDynamoError",
    "InputMutationAOTOutput": _DESCRIPTORS + "InputMutationAOTOutput",
    "OpOverload": "torch._ops:OpOverload",
    "RestartAnalysis": "torch._dynamo.exc:RestartAnalysis",  # no error: Dynamo begins again, knowing more
    "SavedForBackwardsAOTOutput": _DESCRIPTORS + "SavedForBackwardsAOTOutput",
    "ShortenTraceback": "torch._dynamo.exc:ShortenTraceback",
    "TorchDispatchMode": "torch.utils._python_dispatch:TorchDispatchMode",
    "TangentAOTInput": _DESCRIPTORS + "TangentAOTInput",
    "aot_autograd": "torch._dynamo.backends.common:aot_autograd",
    "compile_fx": "torch._inductor.compile_fx:compile_fx",
    "compile_fx_inner": "torch._inductor.compile_fx:compile_fx_inner",
    "compute_elementwise_output_strides": "torch._prims_common:compute_elementwise_output_strides",
    "decomposition_table": "torch._decomp:decomposition_table",
    "default_store": "torch.distributed.distributed_c10d:_get_default_store",
    "descriptors": _DESCRIPTORS,  # what inputs and outputs of a joint graph are
    "enable_python_dispatcher": "torch._dispatch.python:enable_python_dispatcher",
    "ends_of": "torch._functorch.partitioners:_extract_fwd_bwd_outputs",  # both passes' outputs of a joint graph
    "export_joint": "torch._functorch.aot_autograd:aot_export_joint_with_descriptors",
    "grouped_mm_output": "torch._meta_registrations:_create_grouped_mm_output_tensor",
    "has_onednn": "torch._C:_get_mkldnn_enabled",
    "in_kernel_invocation_manager": "torch._subclasses.fake_tensor:in_kernel_invocation_manager",
    "is_dense": "torch._prims_common:is_non_overlapping_and_dense_or_false",
    "is_key_excluded": "torch._C:_dispatch_tls_is_dispatch_key_excluded",
    "is_profiling": "torch.autograd:_profiler_enabled",
    "is_tangent": "torch._functorch.partitioners:_is_tangent",  # the gradient of an output, as the backward gets it
    "lazy_module": "torch.fx._lazy_graph_module:_make_graph_module",  # its code is written when it is asked for
    "meta_grouped_mm": "torch._meta_registrations:meta_grouped_mm",
    "modes_now": "torch.utils._python_dispatch:_get_current_dispatch_mode_stack",
    "next_number": "torch.autograd:_get_sequence_nr",  # that the next call with a backward gets
    "no_dispatch": "torch.utils._mode_utils:no_dispatch",
    "node_of_backward": "torch._C:_current_autograd_node",  # that runs now
    "op_implementations_dict": "torch._subclasses.fake_impls:op_implementations_dict",
    "pytree": "torch.utils._pytree:",
    "serialize": "torch._export.serde.serialize:",
    "suggest_memory_format": "torch._prims_common:suggest_memory_format",
    "use_onednn": "torch._C:_set_mkldnn_enabled",
    "with_versions_kept": "torch.autograd:_unsafe_preserve_version_counter",
    "within_functional": "torch:_from_functional_tensor",
    "without_autocast": "torch._C:_DisableAutocast",
    "without_last_mode": "torch.utils._python_dispatch:_pop_mode_temporarily",
    "without_modes": "torch.utils._python_dispatch:_disable_current_modes",  # operators run as if nothing were traced
    "without_python_dispatcher": "torch._C:_DisablePythonDispatcher",
    "without_torch_dispatch": "torch._C:_DisableTorchDispatch",
}
LOGGERS = ("torch.export", "torch._export", "torch.fx", "torch._functorch", "torch._dynamo", "torch._subclasses")
BREAK_BY_HAND = "torch._dynamo.graph_break()"  # what Dynamo calls a break that code asks for
WITHOUT_BUCKETS = "torch._dynamo.config.optimize_ddp = False"  # a step of DistributedDataParallel is one graph so
_MOST_SIZE = 1 << 40  # above it a size has no bound
_IS_BUG = "report an issue"  # advice that is none to who trains
_ERRORS = 2  # the level of the log of its C++ code at which warnings are left out
_WITHOUT_SCANS = "remat_without_scans"  # a mark on what Dynamo compiles now
_OWN_FUNCTION = re.compile(r"^\w+ = torch\._C\._\w+(\.\w+)*\._?(empty_strided\w*|assert_\w+|reinterpret_tensor)$", re.M)
_LONG = 100  # characters of what Dynamo says that are worth repeating


def __getattr__(name):
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, theirs = _NAMES[name].partition(":")
    loaded = importlib.import_module(module)
    return getattr(loaded, theirs) if theirs else loaded


@contextlib.contextmanager
def _patched(owner, name, value):
    """An attribute has this value while the context is entered."""
    own = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, own)


def as_if_compiling():
    """Tell model libraries not to look at values: they ask torch.compiler.is_compiling() before they branch on data."""
    return _patched(torch.compiler, "_is_compiling_flag", True)


def with_compiled_parts():
    """A context in which Dynamo lets a trace go through functions that are compiled."""
    from torch._dynamo import config

    return config.patch(error_on_nested_fx_trace=False)


def traced_with(fake_mode):
    """A context in which AOTAutograd makes its stand-ins by this mode."""
    from torch._guards import TracingContext, tracing

    return tracing(TracingContext(fake_mode))


def inference_as(mode):
    """A context in which ``torch.inference_mode`` opens ``mode(is_on)``."""
    return _patched(torch._C, "_InferenceMode", mode)


@contextlib.contextmanager
def autocast_cache_left():
    """A context in which a trace turns autocast's cache off only where the user does."""
    with contextlib.ExitStack() as stack:
        for name in ("fx.experimental.proxy_tensor", "_functorch._aot_autograd.collect_metadata_analysis"):
            module = importlib.import_module(f"torch.{name}")
            stack.enter_context(_patched(module, "disable_autocast_cache", contextlib.nullcontext))
        yield


@contextlib.contextmanager
def loops_as(functions):
    """A context in which operators of higher order are these functions, by name (scan, while_loop, map, cond)."""
    names = {"scan": "scan_op", "while_loop": "while_loop_op", "map": "map_impl", "cond": "cond_op"}
    with contextlib.ExitStack() as stack:
        for name, function in functions.items():
            module = importlib.import_module(f"torch._higher_order_ops.{name}")
            stack.enter_context(_patched(module, names[name], function))
        yield


def checkpointed_as(around):
    """A context in which parts that the model checkpoints go through ``around(own, *args, **kwargs)``.

    It is a generator, as ``own`` is, which PyTorch goes through before and after the part.
    """
    from torch.utils import checkpoint

    own = checkpoint._checkpoint_without_reentrant_generator
    return _patched(checkpoint, "_checkpoint_without_reentrant_generator", functools.partial(around, own))


def device_guard_setter():
    """What PyTorch calls on the thread that uses stand-ins first, where it has no GPU; None where it does not."""
    return getattr(torch._C, "_ensureCUDADeviceGuardSet", None)


def fake_mode():
    """A mode for tensors without data, apart from the one that traces."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    return FakeTensorMode(allow_non_fake_inputs=True)


@contextlib.contextmanager
def archives_written_quickly():
    """PyTorch's writer of archives with other ways for what takes half of its time: copies by the slowest of Python's
    ways, classes asked for their fields again and again, and a graph printed for nobody."""
    import pickle

    from torch._export.serde import serialize, union

    own, fields = serialize._dataclass_to_dict, functools.cache(dataclasses.fields)

    def as_dict(value):
        kind = type(value)
        if kind in (str, int, bool, type(None)):
            return value
        if kind is list:
            return [as_dict(item) for item in value]
        if kind is dict:
            return {key: as_dict(item) for key, item in value.items()}
        if issubclass(kind, union._Union):
            return {value.type: as_dict(value.value)}
        if dataclasses.is_dataclass(kind):
            return {field.name: as_dict(getattr(value, field.name)) for field in fields(kind)}
        return own(value)

    copies = types.SimpleNamespace(deepcopy=lambda written: pickle.loads(pickle.dumps(written, -1)))
    with contextlib.ExitStack() as stack:
        for owner, name, replacement in (
            (serialize, "copy", copies),
            (serialize, "_dataclass_to_dict", as_dict),
            (union, "fields", lambda what: fields(what if isinstance(what, type) else type(what))),
            (union._Union, "__post_init__", lambda self: None),  # asks whether the names of fields are good ones
            (torch.fx.GraphModule, "print_readable", lambda *_, **__: ""),
        ):
            stack.enter_context(_patched(owner, name, replacement))
        yield


def add_backend(registry, name, function):
    """Have ``torch.compile`` find a backend by its name; ``function`` is where it is, as in an entry point."""
    registry._BACKENDS[name] = EntryPoint(name, function, "torch_dynamo_backends")


def at_calls(then):
    """Call ``then(which)`` when what ``torch.compile`` gave is called, before any of it runs; not inside of another one.

    ``which`` is an object for each call of ``torch.compile``.
    """
    from torch._dynamo import eval_frame

    own = eval_frame._callback_from_stance

    def callback(given):
        caller = inspect.currentframe().f_back
        # The call has put what ran around it aside, which is a function where that was compiled as well.
        if callable(given) and caller.f_code.co_name == "compile_wrapper" and not caller.f_locals["prior"]:
            then(given)
        return own(given)

    eval_frame._callback_from_stance = callback


def compile_lock():
    """The lock that every compilation of the process takes."""
    from torch._dynamo.convert_frame import compile_lock as lock

    return lock


@dataclasses.dataclass(frozen=True)
class Compiled:
    """The function that Dynamo compiles now: equal for graphs of one compilation."""

    code: object  # its code object; None outside of Dynamo
    context: object  # one after a reset of Dynamo has the same numbers and another context
    is_first: bool  # nothing of it was compiled since Dynamo was reset
    attempt: int = 0  # Dynamo begins anew where it finds that a number it left open has to be a constant


def current_compile():
    """What Dynamo compiles when it calls a backend."""
    from torch._dynamo import convert_frame
    from torch._guards import CompileContext

    context = CompileContext.try_get()
    number = context and context.compile_id
    wanted = inspect.unwrap(convert_frame._compile).__code__
    frame = inspect.currentframe()
    while frame is not None and frame.f_code is not wanted:
        frame = frame.f_back
    code = frame.f_locals["code"] if frame is not None else None
    is_first = number is None or number.frame_compile_id == 0
    return Compiled(code, context, is_first, context.attempt if context else 0)


def place_of(code):
    """The name of a function, and where it is."""
    code = getattr(inspect.unwrap(code), "__code__", code)  # a planned forward wraps the one of its model
    if not isinstance(code, types.CodeType):
        return "a function"
    return f"{code.co_qualname} ({code.co_filename}:{code.co_firstlineno})"


def forget(code):
    """Have Dynamo compile a function anew at its next call."""
    from torch._dynamo.eval_frame import reset_code

    reset_code(code)


def forget_all_of(backend):
    """Have Dynamo compile anew, at their next calls, all functions that this backend compiled."""
    from torch._dynamo import convert_frame
    from torch._dynamo.eval_frame import _debug_get_cache_entry_list

    for reference in convert_frame.input_codes.seen:
        code = reference()
        if code and any(_name_of(entry.backend) == backend for entry in _debug_get_cache_entry_list(code)):
            forget(code)


def allow_shapes(count):
    """Let Dynamo compile so many variants of one function before it runs it without a backend, and one more."""
    from torch._dynamo import config

    config.recompile_limit = max(config.recompile_limit, count + 1)
    config.accumulated_recompile_limit = max(config.accumulated_recompile_limit, 8 * config.recompile_limit)


def variants_of(code):
    """How many variants of a function Dynamo has compiled."""
    from torch._dynamo.eval_frame import _debug_get_cache_entry_list

    return len(_debug_get_cache_entry_list(code))


def look_at_changes():
    """Have Dynamo look before each step whether a parameter was unfrozen, or a hook of a module came or went.

    By default it looks at neither, and what was frozen when a step was compiled never has a gradient (PyTorch's issue
    139476).
    """
    from torch._dynamo import config

    config.skip_tensor_guards_with_matching_dict_tags = False
    config.skip_nnmodule_hook_guards = False


class _Ignored(list):
    """Functions that Dynamo leaves out, as ``torch._dynamo.config.ignore_logging_functions``; it says so once.

    The list itself holds what the user has there; ours are apart, since Dynamo logs its settings as JSON, which has no
    functions. They are looked up by name: transformers adds some of them when it is imported, which may be later.
    """

    def __init__(self, given, tell):
        super().__init__(given)
        self._tell = tell

    _NAMES = ("debug", "info", "warning", "error", "critical", "exception", "log")
    _NAMES += ("warning_once", "warning_advice", "info_once")  # those that transformers adds

    add = list.append  # as with the set that stands here by default

    def __deepcopy__(self, _memo):
        return self

    def __contains__(self, function):
        ours = (getattr(logging.Logger, name, None) for name in self._NAMES)
        found = (function is not None and function in ours) or super().__contains__(function)
        if found:
            name = getattr(function, "__qualname__", getattr(function, "__name__", "a logging call"))
            self._tell(
                f"Logging calls ({name}) inside of the compiled step are left out, since each would break it in two; "
                "torch._dynamo.config.ignore_logging_functions has them."
            )
        return found


def ignore_logging(tell):
    """Have Dynamo leave out calls of loggers, which only write text, and do not break a step; ``tell`` says so."""
    from torch._dynamo import config

    config.ignore_logging_functions = _Ignored(config.ignore_logging_functions, tell)


def exporting_as_it_is():
    """Have Dynamo answer ``torch.compiler.is_exporting()`` as Python does, as newer versions of PyTorch do.

    This one says yes always (pytorch/pytorch#176499), and transformers then makes a mask that eager mode has not. It still
    says so to code that asks before it runs a scan, in what is captured without scans: what is exported goes eager's way.
    """
    from torch._dynamo.variables import torch as variables

    class States(dict):
        def __getitem__(self, function):
            if function is not torch.compiler.is_exporting or _is_without_scans(sys._getframe(1).f_locals.get("tx")):
                return super().__getitem__(function)
            return torch.compiler._is_exporting_flag

    states = States(variables.tracing_state_functions())
    variables.tracing_state_functions = lambda: states


def capture_without_scans():
    """Have Dynamo capture what it compiles now once more, without scans that are for compiled code alone.

    Returns where it was captured so already, and else does not.
    """
    from torch._dynamo.exc import TensorifyScalarRestartAnalysis  # the one kind that a backend may raise
    from torch._dynamo.symbolic_convert import InstructionTranslator
    from torch._guards import CompileContext

    context = CompileContext.try_get()
    if context is not None and not hasattr(context, _WITHOUT_SCANS):
        setattr(context, _WITHOUT_SCANS, True)
        InstructionTranslator.current_tx().speculation_log.clear()  # it has the way that is not taken again
        raise TensorifyScalarRestartAnalysis(restart_reason="scans of the library are written as loops")


def _is_without_scans(translator):
    """Whether a library asks, in what is captured without scans, which translates the code that asks and its callers."""
    from torch._guards import CompileContext

    if not hasattr(CompileContext.try_get(), _WITHOUT_SCANS):
        return False
    while translator is not None:
        code = translator.f_code
        if "associative_scan" in code.co_names and "/transformers/" in code.co_filename:
            return True
        translator = getattr(translator, "parent", None)
    return False


def graph_breaks():
    """Why Dynamo broke functions in this process so far: a sentence each, with its first advice, by where it was.

    {sentence: "file:line" of the user's code, or None where Dynamo does not say}
    """
    from torch._dynamo.output_graph import graph_break_reasons
    from torch._dynamo.utils import counters

    places = {each.reason: _place_in(each.user_stack) for each in graph_break_reasons}
    return {_reason(text): places.get(text) for text in counters["graph_break"]}


def _place_in(stack):
    """The innermost line that is the user's own, or else of a library."""
    own = [frame for frame in stack or () if "site-packages" not in frame.filename]
    return next((f"{frame.filename}:{frame.lineno}" for frame in reversed(own or stack or ())), None)


def _reason(text):
    lines = [line.strip() for line in text.splitlines()]
    told = [line for line in lines if line.startswith("Developer debug context:") and len(line) < _LONG]
    hints = [line for line in lines if line.startswith("Hint:") and len(line) < 2 * _LONG and _IS_BUG not in line]
    parts = [lines[0], *(f"({line.partition(':')[2].strip()})" for line in told[:1])]
    parts += [f"- Dynamo's advice: {line.partition(':')[2].strip()}" for line in hints[:1]]
    return re.sub(" at 0x[0-9a-f]+", "", " ".join(part for part in parts if part != "()")).rstrip(".") + "."


@dataclasses.dataclass(frozen=True)
class Seen:
    """A function that Dynamo looked at for a backend."""

    backend: str  # by its name
    code: types.CodeType
    of: object  # its first argument: whose method it is
    skipped: str  # why Dynamo leaves all of it to eager mode, with the first advice; empty where it does not
    is_in_loop: bool  # a break in a loop cannot be gone on from


@functools.cache
def when_seen(then):
    """From now on call ``then(seen)`` for each function that Dynamo looked at."""
    from torch._dynamo import convert_frame
    from torch._dynamo.utils import counters

    own = convert_frame.ConvertFrame.__call__

    def call(self, frame, *args, **kwargs):
        compiled, before = counters["frames"]["ok"], counters["unimplemented"].copy()
        result = own(self, frame, *args, **kwargs)
        why = []
        if counters["frames"]["ok"] == compiled:
            why = [text for text, count in counters["unimplemented"].items() if count > before[text]]
        is_in_loop = any("graph break in loop" in text for text in why)
        reason = _reason(why[0]) if why else ""
        first = frame.f_locals.get(frame.f_code.co_varnames[0]) if frame.f_code.co_argcount else None
        then(Seen(_name_of(self), frame.f_code, first, reason, is_in_loop))
        return result

    convert_frame.ConvertFrame.__call__ = call


def _name_of(backend):
    """The name by which torch.compile was given what a chain of wrappers calls in the end."""
    while hasattr(backend, "_torchdynamo_orig_backend"):
        backend = backend._torchdynamo_orig_backend
    return getattr(backend, "compiler_name", None) or getattr(backend, "__name__", None)


def compiled_call(module, backend):
    """The call of a module, with its hooks, as ``backend`` compiles it; one graph."""
    return torch.compile(module._call_impl, backend=backend, fullgraph=True)


def set_call(module, function):
    """Have a module run by a function, of which copies of the module, and its state, do not know."""
    module._compiled_call_impl = function


def call_of(module):
    """The function that a module runs by."""
    return module._compiled_call_impl


def is_bucket():
    """True while Dynamo compiles one of several graphs that it cuts a step of DistributedDataParallel into."""
    from torch._dynamo.backends.distributed import SubmodCompiler

    frame = inspect.currentframe()
    while frame is not None and frame.f_code is not SubmodCompiler.compile_submod.__code__:
        frame = frame.f_back
    return frame is not None


def gathered_bytes(module):
    """Bytes of the inputs of a graph of Dynamo's that ``fully_shard`` gathers before it, and lets go of after it."""
    found = 0
    for node in module.graph.find_nodes(op="placeholder"):
        source = node.meta.get("_dynamo_source") or getattr(node.meta.get("grapharg"), "source", None)
        value = node.meta.get("example_value")
        if source is not None and source.guard_source.is_fsdp_module() and isinstance(value, torch.Tensor):
            found += value.untyped_storage().nbytes()
    return found


def ends_at_break(module):
    """Whether Dynamo breaks the function behind a graph that it gives, so that more of the function is to come."""
    return getattr(getattr(module, "compile_subgraph_reason", None), "graph_break", False)


def has_backward(example_inputs):
    """Whether AOTAutograd makes a backward of a graph that Dynamo gives with these."""
    tensors = (value for value in example_inputs if isinstance(value, torch.Tensor))
    return torch.is_grad_enabled() and any(value.requires_grad for value in tensors)


def graph_of_dynamo(module, example_inputs):
    """The same text for graphs of Dynamo's that run the same on inputs of the same kinds."""
    with unguarded(example_inputs):
        tensors = [value for value in example_inputs if isinstance(value, torch.Tensor)]
        kinds = [(str(value.dtype), str(value.device), value.requires_grad) for value in tensors]
        return f"{kinds}{sizes_of(tensors)}{module.graph}"


def loops_of(module):
    """The names of operators of higher order (scan, while_loop) in a graph of Dynamo's."""
    from torch._ops import HigherOrderOperator

    return [node.target.name() for node in module.graph.nodes if isinstance(node.target, HigherOrderOperator)]


def takes_gradients(module):
    """True for a graph of Dynamo's that has ``torch.func.grad`` or a relative of it inside."""
    return any("_grad_increment_nesting" in str(node.target) for node in module.graph.nodes)


def copied(module):
    """A copy whose nodes may be changed; tensors in metadata and attributes are shared."""
    graph = torch.fx.Graph()
    graph.output(graph.graph_copy(module.graph, val_map={}))
    output = graph.output_node()
    output.meta = copy.copy(module.graph.output_node().meta)
    return torch.fx.GraphModule(module, graph)


def copied_from_dynamo(module):
    """The same of a graph of Dynamo's, with what that says of its inputs, so that it may be compiled a second time."""
    made = copied(module)
    made.meta = copy.copy(module.meta)
    if hasattr(module, "_param_name_to_source"):
        made._param_name_to_source = module._param_name_to_source
    for own, new in zip(*(each.graph.find_nodes(op="placeholder") for each in (module, made)), strict=True):
        if hasattr(own, "_dynamo_source"):
            new._dynamo_source = own._dynamo_source
    return made


def attributes_of(*modules):
    """A module that has the tensors which the graphs of several ones read by name."""
    owner = torch.nn.Module()
    for module in modules:
        for node in module.graph.find_nodes(op="get_attr"):
            setattr(owner, node.target, getattr(module, node.target))
    return owner


def unguarded(values):
    """A context in which sizes of fake tensors that are left open are read without being fixed by that."""
    modes = [value.fake_mode for value in values if isinstance(value, torch._subclasses.FakeTensor)]
    shapes = modes[0].shape_env if modes else None
    return shapes.suppress_guards() if shapes is not None else contextlib.nullcontext()


def has_open_sizes(module):
    """True for a graph that is compiled for more than one size."""
    return any(_is_open(node.meta.get("val")) for node in module.graph.find_nodes(op="placeholder"))


def _is_open(value):
    """True for a size that no guard has fixed."""
    return isinstance(value, torch.SymInt) and not value.node.expr.is_Integer


def let_sizes_be_fixed():
    """Take back ``mark_dynamic`` for what Dynamo compiles now, which it holds to; True where there was one."""
    from torch._guards import TracingContext

    context = TracingContext.try_get()
    shapes = context.fake_mode.shape_env if context and context.fake_mode else None
    found = False
    for fake in getattr(shapes, "tracked_fakes", None) or ():
        sizes = getattr(fake.symbolic_context, "constraint_sizes", None) or []
        for index, constraint in enumerate(sizes):
            if constraint is not None and not constraint.warn_only:
                found, sizes[index] = True, None
    return found


_tried = {}  # open sizes as symbols -> the numbers they count as for now


@contextlib.contextmanager
def counting_as(symbol, number):
    """An open size counts as this number while the context is entered."""
    import sympy

    before = _tried.copy()
    _tried[symbol] = sympy.Integer(number)
    try:
        yield
    finally:
        _tried.clear()
        _tried.update(before)


def open_symbols(module):
    """What ``open_sizes`` are of, in their order; None where one of them is no size of its own."""
    values = [node.meta.get("val") for node in module.graph.find_nodes(op="placeholder")]
    found = [*_open_of(values)]
    return found if all(each.is_Symbol for each in found) else None


def _open_of(values):
    """Each open size among values of a graph, by what it is, with its position, without those that follow from others."""
    found = {}
    for index, value in enumerate(values):
        if _is_open(value):
            found.setdefault(value.node.expr, (index, value))
    symbols = {each for each in found if each.is_Symbol}
    return {each: place for each, place in found.items() if each in symbols or not each.free_symbols <= symbols}


def size_of(value):
    """A size as a number: one that is left open is the largest that ``mark_dynamic`` allows, else what it was compiled
    with. Inside of ``unguarded``."""
    if not isinstance(value, torch.SymInt):
        return value
    found = value.node.expr.xreplace(_marked_most(value) | _tried)
    return int(found) if found.is_Integer else int(value)


def _marked_most(value):
    """The largest number that ``mark_dynamic`` allows for each symbol of an open size, if it says one."""
    import sympy

    ranges = value.node.shape_env.var_to_range
    bounds = {symbol: ranges[symbol].upper for symbol in value.node.expr.free_symbols if symbol in ranges}
    return {symbol: upper for symbol, upper in bounds.items() if isinstance(upper, sympy.Integer) and upper < _MOST_SIZE}


def open_sizes(module):
    """The numbers that open sizes of a graph count as, each once, in the order of its inputs."""
    values = [node.meta.get("val") for node in module.graph.find_nodes(op="placeholder")]
    return [size_of(value) for _, value in _open_of(values).values()]


def sizes_of_dynamo(module):
    """The same of a graph of Dynamo's by the positions of its inputs, without fixing them by that."""
    values = [node.meta.get("example_value") for node in module.graph.find_nodes(op="placeholder")]
    with unguarded(values):
        return {index: size_of(value) for index, value in _open_of(values).values()}


def shapes_of_dynamo(module):
    """The shapes of all inputs of a graph of Dynamo's, where open sizes are the numbers that they count as."""
    values = [node.meta.get("example_value") for node in module.graph.find_nodes(op="placeholder")]
    with unguarded(values):
        return [[size_of(size) for size in value.shape] for value in values if isinstance(value, torch.Tensor)]


def sizes_of(values):
    """The sizes of tensors as Dynamo saw them, without fixing those that it leaves open."""
    shapes = (value.shape for value in values if isinstance(value, torch.Tensor))
    return [[size.node.hint if isinstance(size, torch.SymInt) else size for size in shape] for shape in shapes]


_own_sizes = None  # Dynamo's function for sizes, while another one stands in its place


def keep_sizes(is_open):
    """Have Dynamo compile each size by itself, except for functions for whose code ``is_open(code)`` is true.

    Sizes that differed so far are left open there. None for Dynamo's default: it does so when a second one comes.
    """
    global _own_sizes
    from torch._dynamo.variables import builder

    _own_sizes = own = _own_sizes or builder.process_automatic_dynamic

    def seen(tx, name, entry, **more):
        found = own(tx, name, entry, **more)
        return found if is_open(tx.f_code) else entry

    builder.process_automatic_dynamic = own if is_open is None else seen


def most_of(module, seen):
    """For each open size of a graph of Dynamo's the largest one that may come, by its symbol: as ``mark_dynamic`` says.

    Else it is the largest one that there was, this one included. ``seen`` has the sizes of its tensors in other steps,
    as ``sizes_of`` gives them.
    """
    values = [node.meta.get("example_value") for node in module.graph.find_nodes(op="placeholder")]
    tensors, found = [value for value in values if isinstance(value, torch.Tensor)], {}
    for place, tensor in enumerate(tensors):
        for axis, size in enumerate(tensor.shape):
            if _is_open(size) and size.node.expr.is_Symbol:
                others = (shapes[place][axis] for shapes in seen if _are_alike(shapes, tensors))
                found[size.node.expr] = max(found.get(size.node.expr, 0), size.node.hint, *others)
                found |= _marked_most(size)
    return found


def _are_alike(shapes, tensors):
    return [len(shape) for shape in shapes] == [len(tensor.shape) for tensor in tensors]


def aot_settings(**settings):
    """A context with other settings of AOTAutograd, by their names."""
    from torch._functorch import config

    return config.patch(**settings)


def input_of(desc):
    """What a placeholder of a joint graph is: ("state" | "input" | "tangent", name or position)."""
    from torch._functorch._aot_autograd import descriptors

    if isinstance(desc, descriptors.ParamAOTInput | descriptors.BufferAOTInput):
        return "state", desc.target
    if isinstance(desc, descriptors.PlainAOTInput):
        return "input", desc.idx
    if isinstance(desc, descriptors.TangentAOTInput) and isinstance(desc.output, descriptors.PlainAOTOutput):
        return "tangent", desc.output.idx
    raise ValueError(f"the graph has an input of a kind that is not known ({desc})")


def output_of(desc):
    """What an output of a joint graph is: ("gradient", (kind, name)), ("written", name) or ("output", position).

    ("gradient", None) stands for an input that gets none.
    """
    from torch._functorch._aot_autograd import descriptors

    if desc is None:
        return "gradient", None
    if isinstance(desc, descriptors.GradAOTOutput):
        return "gradient", input_of(desc.grad_of)
    if isinstance(desc, descriptors.InputMutationAOTOutput):
        kind, name = input_of(desc.mutated_input)
        if kind == "state":
            return "written", name
        raise ValueError("the forward changes an input in place; clone it first, and change the clone")
    if isinstance(desc, descriptors.PlainAOTOutput):
        return "output", desc.idx
    raise ValueError(f"the graph has an output of a kind that is not known ({desc})")


def user_visible_outputs(forward):
    """How many outputs the user's function gives; new values of inputs and what is saved are none."""
    from torch._functorch._aot_autograd.descriptors import PlainAOTOutput

    descs = forward.graph.output_node().meta.get("desc", ())
    return sum(isinstance(desc, PlainAOTOutput) for desc in descs)


def donated_saved(forward, backward, user_outputs):
    """Indices of the saved tensors that nobody else holds: the backward overwrites them in place."""
    from torch._functorch import config
    from torch._functorch._aot_autograd.graph_compile import collect_bw_donated_buffer_idxs as collect

    if not config.donated_buffer:
        return None
    saved = forward.graph.output_node().args[0][user_outputs:]
    open_sizes = sum(isinstance(node.meta["val"], torch.SymInt) for node in saved)
    tensors = slice(user_outputs, user_outputs + len(saved) - open_sizes)
    slices = types.SimpleNamespace(
        num_forward=user_outputs, tensors_saved_for_backwards_slice=tensors, num_symints_saved_for_bw=open_sizes
    )
    return collect(forward, backward, slices)


def ends_of_compiled(outputs):
    """The node of autograd of a function that AOTAutograd compiled, and where its outputs are, by what the function gave.

    {number of the node's output: (position, True for the tensor that this one is a view of)}; (None, {}) without a node.
    """
    node, ends = None, {}
    for position, value in enumerate(outputs if isinstance(outputs, tuple | list) else (outputs,)):
        if not isinstance(value, torch.Tensor) or value.grad_fn is None:
            continue
        for made, is_view in ((value, False), (value._base, True)):
            if made is not None and type(made.grad_fn).__name__ == "CompiledFunctionBackward":
                node = made.grad_fn
                ends.setdefault(made.output_nr, (position, is_view))
                break
    return node, ends


def changed_inputs_of(node):
    """How many new values of inputs the forward of such a node gives before what the script gets."""
    return type(node)._forward_cls.metadata.num_mutated_inp_runtime_indices


def differentiate_with(node, gradients, zero=None):
    """Have ``gradients(node, given)`` compute gradients that shall have a graph of their own, where it gives any.

    With ``zero(shape, dtype, device)`` the compiled backward gets that where an output has no gradient: a tensor with
    the attribute ``remat_is_absent`` is not laid out for it, and of one with a ``remat_box`` what is in that.
    """
    if zero:
        node.set_materialize_grads(False)
        _leave_as_they_are()
    function = type(node)._forward_cls
    own = function.backward
    if hasattr(own, "remat_own"):
        return
    if function.metadata.bw_donated_idxs is None:  # PyTorch takes that for some, and refuses retain_graph=True
        function.metadata.bw_donated_idxs = []

    def backward(ctx, *given):
        found = gradients(ctx, given)
        if found is not None:
            return found
        return own(ctx, *(filled(ctx, given, zero) if zero else given))

    backward = torch.compiler.disable(backward)  # a backward in a step that is compiled would be compiled, too
    backward.remat_own = own
    function.backward = staticmethod(backward)


def filled(node, given, zero):
    """The gradients of all outputs of a node; ``zero(shape, dtype, device)`` for those that did not come."""
    metas = node._input_metadata
    return [
        zero(meta.shape, meta.dtype, meta.device) if grad is None else grad
        for grad, meta in zip(given, metas, strict=True)
    ]


def _leave_as_they_are():
    """AOTAutograd copies a gradient that lies otherwise than expected, but for those that never came, or in a box."""
    from torch._functorch._aot_autograd import runtime_wrappers

    own = runtime_wrappers.coerce_to_expected_memory_format
    if hasattr(own, "remat_own"):
        return

    def coerce(tensor, expected):
        box = getattr(tensor, "remat_box", None)
        if box:
            box.append(own(box.pop(), expected))
        return tensor if box or hasattr(tensor, "remat_is_absent") else own(tensor, expected)

    coerce.remat_own = own
    runtime_wrappers.coerce_to_expected_memory_format = coerce


def min_cut(module, joint_inputs, ratio, arguments):
    """PyTorch's own partition, of a copy that it may change; ``ratio`` is its share of saved bytes."""
    from torch._functorch.partitioners import min_cut_rematerialization_partition

    with aot_settings(activation_memory_budget=ratio):
        return min_cut_rematerialization_partition(module, joint_inputs, **arguments)


def set_partitioner(partitioner):
    """Have Inductor cut all joint graphs of the process by it; None for its own."""
    from torch._inductor import config

    config.custom_partitioner_fn = partitioner


_own_compile = None  # Inductor's, while another function stands in its place


def set_compile(function):
    """Have plain ``torch.compile`` call ``function(original, module, example_inputs, patches)``; None for its own."""
    global _own_compile
    from torch._inductor import compile_fx

    own = _own_compile = _own_compile or compile_fx.compile_fx

    def compile_graph(module, example_inputs, inner_compile=None, config_patches=None, **more):
        if inner_compile is not None or more:
            given = {} if inner_compile is None else {"inner_compile": inner_compile}
            return own(module, example_inputs, config_patches=config_patches, **given, **more)
        return function(own, module, example_inputs, config_patches)

    compile_fx.compile_fx = compile_graph if function else own


def draws_kept():
    """A context in which AOTAutograd leaves what draws numbers that nobody reads: later ops would draw others."""
    from torch._inductor import config

    return config.patch(fallback_random=True)


def inductor_settings():
    """What tells two settings of Inductor apart, without who partitions."""
    from torch._inductor import config

    with config.patch(custom_partitioner_fn=None):
        return config.get_hash()


def decomposition_of(operator):
    """The function by which Inductor decomposes an operator; None where it does not."""
    from torch._inductor.decomposition import select_decomp_table

    return select_decomp_table().get(operator)


def without_own_functions(text):
    """A text of Inductor's without the lines that take functions for storages and for checks from its C++ code."""
    return _OWN_FUNCTION.sub("", text)


@dataclasses.dataclass(frozen=True)
class Lowered:
    """One half of a step as Inductor lowers it, before any kernel is compiled."""

    text: str  # Python source with a function `call`
    constants: dict  # tensors that the text reads, by name
    moved_bytes: int  # what all kernels together read and write
    draws: tuple  # names of nodes whose operators draw numbers, in the order of the calls


class _Stop(Exception):
    """Carries what was lowered out of Inductor, which would go on to compile it."""


def lower(module, inputs, *, is_backward, user_outputs=0, donated=None):
    """Lower a copy of one half; ``inputs`` are the fake tensors of its placeholders.

    ``donated`` holds the indices of saved tensors that the backward may overwrite. The caller holds ``compile_lock()``.
    """
    from torch._inductor import compile_fx, config, graph
    from torch._inductor.debug import DebugContext

    def stop(lowering):
        text, _ = lowering.codegen()
        moved = sum(node.get_read_write_buffers_sizes() for node in lowering.scheduler.nodes)
        draws = tuple(name for node in lowering.scheduler.nodes if (name := _drawing(node.node)))
        raise _Stop(Lowered(text.value, dict(lowering.constants), int(moved), draws))

    def inner(gm, given, **settings):
        with DebugContext():
            return compile_fx._InProcessFxCompile().codegen_and_compile(gm, given, [], settings)

    extra = compile_fx.create_compiler_config_extra(config)
    with contextlib.ExitStack() as stack:
        stack.enter_context(_without_traces(inputs))
        stack.enter_context(__getattr__("without_modes")())  # Inductor looks into states of generators, which have data
        stack.enter_context(_patched(graph.GraphLowering, "compile_to_module", stop))
        stack.enter_context(_patched(graph, "get_donated_idxs", lambda: donated))
        # Kernels for one number at a time are written in half the time, and the memory is the same.
        stack.enter_context(config.patch({"cpp_wrapper": False, "fx_graph_cache": False, "cpp.simdlen": 1}))
        try:
            if is_backward:
                compile_fx.compile_fx_backward(copied(module), inputs, extra, inner)
            else:
                compile_fx.compile_fx_forward(
                    copied(module), inputs, user_outputs, len(inputs), extra, inner_compile=inner
                )
        except _Stop as stopped:
            return stopped.args[0]
    raise AssertionError("Inductor lowered a graph and did not compile it")


def _drawing(operation):
    """The name of the node that an operation of Inductor's calls an operator for which draws; None for another one."""
    if torch.Tag.nondeterministic_seeded not in getattr(getattr(operation, "op_overload", None), "tags", ()):
        return None
    found = [node.name for node in operation.origins if torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ())]
    return found[0]  # what its arguments are computed from comes behind


@contextlib.contextmanager
def _without_traces(inputs):
    """Leave Inductor's counters and the guards on sizes as they were."""
    from torch._dynamo.utils import counters

    before = counters["inductor"].copy()
    try:
        with unguarded(inputs):
            yield
    finally:
        counters["inductor"].clear()
        counters["inductor"].update(before)


def keep_apart(node):
    """Have Inductor call a node's operator as it is, and fuse it with nothing."""
    node.meta["should_fallback"] = True


def draws_seeds(module):
    """True for a half that draws the seeds of random numbers: in a backward, others than its forward had."""
    return bool(module.graph.find_nodes(op="call_function", target=torch.ops.prims.inductor_seeds.default))


@functools.cache
def is_fusible(target):
    """True for an operator that Inductor writes a kernel of its own for, together with others."""
    from torch._functorch.partitioners import get_default_op_list

    packet = getattr(target, "overloadpacket", target)
    if getattr(target, "namespace", "") == "prims" or packet in get_default_op_list().fusible_ops:
        return True
    aten = torch.ops.aten
    return packet in (aten.cat, aten.embedding, aten.var_mean, aten.index_put, aten.constant_pad_nd)


def is_transformed():
    """Whether a transform of ``torch.func`` or a forward-mode derivative runs around this."""
    from torch.autograd import forward_ad

    return torch._C._functorch.peek_interpreter_stack() is not None or forward_ad._current_level >= 0


def current_backward():
    """A number of the backward that runs on this thread; -1 outside of one."""
    return torch._C._current_graph_task_id()


def keeps_graph():
    """Whether what the backward that runs now goes through stays, as with ``retain_graph=True``."""
    return torch._C._autograd._get_current_graph_task_keep_graph()


def let_go_of_saved(node):
    """Have a node of autograd hold nothing for its backward, which is not to be called any more."""
    for saved in node._raw_saved_tensors:
        with contextlib.suppress(RuntimeError):  # hooks of the script have it, or it is no tensor
            saved.register_hooks(lambda _: None, lambda _: None)
    if hasattr(node, "_tensors_no_vc_check"):
        node._tensors_no_vc_check = []


def at_end_of_backward(then):
    """Call ``then()`` when the backward that runs now is over."""
    torch.autograd.Variable._execution_engine.queue_callback(then)


_asked = []  # inputs of the calls of torch.autograd.grad and backward that are under way
_after = []  # what is called after each backward


@functools.cache
def watch_backwards():
    """From now on ``is_asked`` knows what gradients are asked for."""
    own = torch.autograd._engine_run_backward

    @functools.wraps(own)
    def run(*args, **kwargs):
        call = [args[4] if len(args) > 4 else ()]
        _asked.append(call)
        try:
            return own(*args, **kwargs)
        finally:
            _asked[:] = [each for each in _asked if each is not call]
            if current_backward() == -1:  # not one inside of another
                for then in list(_after):
                    then()

    torch.autograd._engine_run_backward = run


def is_asked(tensor):
    """Whether the backward that runs now is to give the gradient of a tensor that is no leaf, or a hook is to see it."""
    if tensor is None:
        return False
    hooks = (tensor._backward_hooks or {}).values()
    is_seen = any(not (getattr(hook, "__module__", None) or "").startswith("torch.") for hook in hooks)
    return is_seen or tensor.retains_grad or any(tensor is each for (inputs,) in list(_asked) for each in inputs)


def after_backwards(then):
    """Call ``then()`` after each backward, on the thread that asked for it; gives what takes that back."""
    watch_backwards()
    _after.append(then)

    def take_back():
        if then in _after:
            _after.remove(then)

    return take_back


def allocations(profiler):
    """What the allocators did while a profile was taken: (time in ns, bytes, address), with less than 0 bytes where they
    freed; each thread's in order.
    """
    found, waiting = [], profiler.profiler.kineto_results.experimental_event_tree()[::-1]
    while waiting:
        event = waiting.pop()
        waiting += reversed(event.children)
        if event.tag.name == "Allocation":
            found.append((event.start_time_ns, event.extra_fields.alloc_size, event.extra_fields.ptr))
    return found


@contextlib.contextmanager
def quiet_allocator():
    """Keep the allocator from printing that values from before a profile are freed in it: none of ours are asked for."""
    try:
        c10 = ctypes.CDLL(os.path.join(os.path.dirname(torch.__file__), "lib", "libc10.so"))
        level = ctypes.c_int.in_dll(c10, "FLAGS_caffe2_log_level")
    except (OSError, ValueError):  # a build without this file or name
        yield
        return
    before, level.value = level.value, max(level.value, _ERRORS)
    try:
        yield
    finally:
        level.value = before


@dataclasses.dataclass(frozen=True)
class Sharded:
    """What ``fully_shard`` holds at a moment of a step, in bytes."""

    buffers: int = 0  # parameters that are gathered, and buffers of collectives
    gradients: int = 0  # of this rank's shards
    reduced: int = 0  # whole gradients that were, and of which these are what is left


def sharded_now():
    """The Sharded of all models of the process, of PyTorch's newer ``fully_shard``."""
    groups = _sharded_groups()
    gathered = [each.all_gather_state for each in dict.fromkeys(group.comm_ctx for group in groups)]
    pending = [each.all_gather_result for each in gathered if each] + [group._all_gather_result for group in groups]
    scattered = [each.reduce_scatter_state for each in dict.fromkeys(group.comm_ctx for group in groups)]
    buffers = [each.all_gather_output for each in pending if each]
    buffers += [each.reduce_scatter_input for each in scattered if each]
    gradients, reduced = [], 0
    for group in groups:
        buffers += _gathered_of(group) if group.is_unsharded else []
        over = group._training_state.name == "POST_BACKWARD" and group.reduce_grads
        for parameter in group.fsdp_params:
            if parameter.sharded_param.grad is not None:
                gradients.append(parameter.sharded_param.grad._local_tensor)
            if over and parameter.sharded_param.requires_grad:
                reduced += parameter._unsharded_param.nbytes
    return Sharded(_bytes_of(buffers), _bytes_of(gradients), reduced)


class Gathered:
    """The parameters that ``fully_shard`` had gathered at a moment of a step, until it lets go of them."""

    def __init__(self):
        self._left = [(group, _bytes_of(_gathered_of(group))) for group in _sharded_groups() if group.is_unsharded]

    def bytes_left(self):
        """Bytes of those that it still has; to be asked after each forward and before each backward."""
        self._left = [(group, size) for group, size in self._left if group.is_unsharded and not _is_regathered(group)]
        return sum(size for _, size in self._left)


def _gathered_of(group):
    return [output for parameter in group.fsdp_params for output in parameter.all_gather_outputs]


def _is_regathered(group):
    return group._reshard_after_forward and group._training_state.name.endswith("BACKWARD")


def _sharded_groups():
    """The parameters that ``fully_shard`` gathers together, of models that are in a step."""
    if "torch.distributed.fsdp._fully_shard._fsdp_param_group" not in sys.modules:
        return []
    from torch.distributed._composable_state import _module_state_mapping

    states = dict.fromkeys(state() for state in list(_module_state_mapping.values()))
    groups = []
    for state in (each for each in states if getattr(each, "_fsdp_param_group", None)):
        context = state._state_ctx  # a model that was dropped may be there still, with its gradients
        if context.iter_forward_root is not None or context.post_backward_final_callback_queued:
            groups.append(state._fsdp_param_group)
    return groups


def _bytes_of(tensors):
    storages = {each.data_ptr(): each.nbytes() for each in (tensor.untyped_storage() for tensor in tensors)}
    return sum(storages.values())
