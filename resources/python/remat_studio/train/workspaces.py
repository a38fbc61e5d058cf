# SPDX-License-Identifier: Apache-2.0
"""How much memory an operator's kernel takes while it runs, measured once for each operator, sizes and types.

What was measured is kept on disk for this version of PyTorch, this processor or GPU and this number of threads.
"""

import contextlib
import functools
import hashlib
import platform
import threading

import torch
from torch.profiler import ProfilerActivity, profile

from .. import torch_private
from ..comparison.held import peak_of
from ..torch_private import is_fusible, pytree, without_modes
from . import cache
from .chunks import add
from .telling import tell

_NUMBER_BYTES = 8
_OWN_TYPES = {float: torch.float64, int: torch.int64}
_NAMESPACES = ("aten", "prims", "mkldnn", "inductor")  # others may do more than compute
_KNOWN = (*_NAMESPACES, "prim", "profiler", "_c10d_functional", "_c10d_functional_autograd", "c10d_functional", "fsdp")

_PROFILED = (
    "A profiler runs while a step is planned, so what kernels take beside their results is not measured, and the step "
    "may hold more than is predicted; begin to profile with the second step."
)
_BY_VALUES = {torch.ops.aten.linalg_matrix_exp.default}  # large values, as the made-up ones, take most
_MOST_COUNTS = (
    "What {} takes while it runs depends on its values: the most that it can take counts, so a step may hold less than is "
    "predicted, and a budget that is called missed may be held."
)

_lock = threading.Lock()
_onednn = [True]  # whether the step will run with oneDNN's kernels, which are off while it is traced
_inside = {}  # bytes that operators which are not PyTorch's were seen to take, by their names
_tables = {}  # path -> {key: bytes}
_MAKERS = ("empty", "empty_strided", "new_empty", "new_empty_strided", "detach", "as_strided", "empty_like")


def unknown(module):
    """Names of operators in a graph of Dynamo's that are not PyTorch's: what they take is not measured beforehand."""
    parts = [part for part in module.modules() if isinstance(part, torch.fx.GraphModule)]
    targets = [node.target for part in parts for node in part.graph.nodes if node.op == "call_function"]
    return sorted({name for target in targets if is_unknown(name := _name(target))})


def is_unknown(name):
    """Whether an operator of this name is not PyTorch's."""
    space, _, rest = name.partition("::")
    return bool(rest) and "::" not in rest and space not in _KNOWN


def _name(func):
    return getattr(func, "_qualified_op_name", None) or getattr(getattr(func, "_schema", None), "name", "")


@contextlib.contextmanager
def knowing(inside):
    """A context in which operators that are not PyTorch's take so many bytes, by their names."""
    before = dict(_inside)
    _inside.update(inside)
    try:
        yield
    finally:
        _inside.clear()
        _inside.update(before)


@functools.cache
def is_trivial(func):
    """True for operators that only make a tensor or a view of one: they run no kernel."""
    if getattr(func, "is_view", False):
        return True
    return getattr(func, "namespace", "") in ("aten", "prim") and func.overloadpacket.__name__ in _MAKERS


def remember_kernels():
    """Take note of whether oneDNN is on; to be called before a trace begins."""
    _onednn[0] = torch_private.has_onednn()


@contextlib.contextmanager
def _as_at_run_time():
    before = torch_private.has_onednn()
    torch_private.use_onednn(_onednn[0])
    try:
        yield
    finally:
        torch_private.use_onednn(before)


def measure(step_graph, are_fused=False):
    """Set ``workspace_bytes`` of every op of a StepGraph; with ``are_fused``, of those that are no fused kernels."""
    with _lock:
        table = _table()
        before = len(table)
        for op in step_graph.ops:
            if op.is_absent or (are_fused and is_fusible(op.node.target)):
                continue
            op.workspace_bytes = op.zeros_bytes
            if _is_pointwise(op.node.target) and (step_graph.has_cuda or not _converts(op.node)):
                op.workspace_bytes += 0 if step_graph.has_cuda else _numbers_bytes(op.node)
            elif not (op.is_collective or op.is_plain or is_trivial(op.node.target)):
                args, kwargs = pytree.tree_map(_value_of, (op.node.args, op.node.kwargs))
                made = sum(storage.bytes for storage in op.makes)
                op.workspace_bytes += max(_peak_inside(table, op.node.target, args, kwargs) - made, 0)
        if len(table) > before:
            cache.write_json(_path(), table)


def _value_of(argument):
    return argument.meta.get("val") if isinstance(argument, torch.fx.Node) else argument


def _is_pointwise(func):
    return torch.Tag.pointwise in getattr(func, "tags", ())


def _converts(node):
    """True where a CPU may copy an argument to another type before it computes with it; GPUs do that as they read."""
    if add.is_mixed(node):
        return False  # these run in blocks
    values = [each.meta.get("val") for each in (node, *node.all_input_nodes)]
    return len({value.dtype for value in values if isinstance(value, torch.Tensor)}) > 1


def _numbers_bytes(node):
    """Bytes of the tensors that an operator of a CPU makes of the numbers among its arguments, and of their copies in
    the type that it computes in."""
    formal, made = node.target._schema.arguments, node.meta.get("val")
    computed = made.dtype if isinstance(made, torch.Tensor) else torch.float64
    return sum(
        _NUMBER_BYTES + (computed.itemsize if computed is not _OWN_TYPES.get(type(value)) else 0)
        for argument, value in zip(formal, node.args, strict=False)
        if isinstance(value, int | float) and argument.type.kind() in ("TensorType", "NumberType")
    )


def peak_inside(func, args, kwargs):
    """Bytes that one call takes at most, its new outputs included; 0 where it cannot be measured here."""
    with _lock:
        table = _table()
        before = len(table)
        peak = _peak_inside(table, func, args, kwargs)
        if len(table) > before:
            cache.write_json(_path(), table)
        return peak


def _table():
    path = _path()
    if path not in _tables:
        _tables[path] = cache.read_json(path) or {}
    return _tables[path]


def _path():
    gpu = torch.cuda.get_device_name() if torch.cuda.is_initialized() else ""
    parts = torch.__version__, platform.machine(), platform.processor(), gpu, torch.get_num_threads(), _onednn[0]
    machine = " ".join(map(str, parts))
    return cache.folder().parent / f"workspaces-{hashlib.sha256(machine.encode()).hexdigest()[:16]}.json"


def _peak_inside(table, func, args, kwargs):
    if getattr(func, "namespace", None) not in _NAMESPACES:
        return _inside.get(_name(func), 0)
    if func in _BY_VALUES:
        tell(_MOST_COUNTS.format(_name(func)))
    leaves, spec = pytree.tree_flatten((args, kwargs))
    key = f"{func} {' '.join(_identity(leaf) for leaf in leaves)}"
    if key not in table:
        if torch_private.is_profiling():
            tell(_PROFILED)  # there can be one profiler only
            return 0
        table[key] = _measured(func, leaves, spec)
    return table[key]


def _identity(leaf):
    if isinstance(leaf, torch.Tensor):
        return f"{tuple(leaf.shape)}{tuple(leaf.stride())}{leaf.dtype}{leaf.device}"
    return repr(leaf)


def _measured(func, leaves, spec):
    with without_modes(), _as_at_run_time(), torch.no_grad(), torch.random.fork_rng(devices=[]):
        args, kwargs = pytree.tree_unflatten(pytree.tree_map(_real, leaves), spec)
        try:
            if any(isinstance(leaf, torch.Tensor) and leaf.is_cuda for leaf in leaves):
                return _on_cuda(func, args, kwargs)
            return _on_cpu(func, args, kwargs)
        except (RuntimeError, NotImplementedError):
            return 0  # it does not run on made-up values


def _real(leaf):
    """A tensor with data of the same sizes and strides; indices are 0."""
    if not isinstance(leaf, torch.Tensor):
        return leaf
    made = torch.empty_strided(leaf.shape, leaf.stride(), dtype=leaf.dtype, device=leaf.device)
    return made.fill_(0.5 if made.is_floating_point() else 0)


def _on_cuda(func, args, kwargs):
    func(*args, **kwargs)  # the first call of a library takes a workspace that it keeps for all
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    func(*args, **kwargs)
    torch.cuda.synchronize()
    return torch.cuda.max_memory_allocated() - before


def _on_cpu(func, args, kwargs):
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True, acc_events=True) as profiler:
        func(*args, **kwargs)
    return peak_of(profiler)
