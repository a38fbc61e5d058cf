# SPDX-License-Identifier: Apache-2.0
"""Estimates what a step costs here, before it is run for a comparison."""

import os

import torch
from torch.utils.flop_counter import flop_registry

from ..torch_private import pytree

MOST_SECONDS = 20.0  # time of all steps that a comparison takes, by this estimate
_STEPS = 3  # two of plain PyTorch, one of the graph
_PER_OP = 30e-6  # seconds: a call from Python
_LARGE = 1 << 20  # bytes of a result for which it is asked how much memory is free
# Floating-point operations and bytes a second, on the safe side: of each thread of a CPU, and of a GPU.
_CPU_THREAD = (1e10, 3e9)
_GPU = (1e13, 5e11)


def of_steps(program):
    """Seconds for the steps of a comparison, and bytes that they hold beside the model."""
    flops_per_second, bytes_per_second = _rates(any(item.tensor.is_cuda for item in program.inputs))
    seconds, held, total, peak = 0.0, {}, 0, 0
    last = _last_uses(program.graph)
    resident = {storage for node in program.graph.find_nodes(op="placeholder") for storage in _storages(node)}
    for node in program.graph.nodes:
        if node.op != "call_function":
            continue
        made = {storage: size for storage, size in _storages(node).items() if storage not in resident}
        moved = sum(made.values()) + sum(sum(_storages(source).values()) for source in node.all_input_nodes)
        seconds += _PER_OP + max(_flops_of_node(node) / flops_per_second, moved / bytes_per_second)
        total += sum(size for storage, size in made.items() if storage not in held)
        held |= made
        peak = max(peak, total)
        total -= sum(held.pop(storage, 0) for storage in last.get(node, ()))
    gradients = sum(item.tensor.nbytes for item in program.inputs if item.tensor.requires_grad)
    return _STEPS * seconds, peak + gradients


class Account:
    """What a step takes by the same estimate, call by call while it runs: there may be no graph of it."""

    def __init__(self):
        self._seconds = 0.0
        self._available = {}  # bytes that were free on a device at its first large result

    def has_room_for(self, func, args, kwargs, out):
        """Add one call; False once three such steps take more time than a comparison may, or half of the memory."""
        made, given = _tensors(out), _tensors((args, kwargs))
        flops_per_second, bytes_per_second = _rates(any(tensor.is_cuda for tensor in given))
        moved = sum(tensor.nbytes for tensor in (*made, *given))
        flops = _flops(func, args, kwargs, out)
        self._seconds += _PER_OP + max(flops / flops_per_second, moved / bytes_per_second)
        if _STEPS * self._seconds > MOST_SECONDS:
            return False
        large = next((tensor.device for tensor in made if tensor.nbytes >= _LARGE), None)
        if large is None:
            return True
        free = free_bytes(large if large.type == "cuda" else None)
        return free >= self._available.setdefault(large, free) // 2


def available_bytes(program):
    """Memory that is free on the device of the model."""
    return free_bytes(next((item.tensor.device for item in program.inputs if item.tensor.is_cuda), None))


def free_bytes(gpu):
    """Memory that is free on a GPU, or on the host where it is None."""
    if gpu is not None:
        return torch.cuda.mem_get_info(gpu)[0]
    try:
        with open("/proc/meminfo") as file:
            return next(int(line.split()[1]) << 10 for line in file if line.startswith("MemAvailable"))
    except (OSError, StopIteration, ValueError):
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def _rates(on_gpu):
    return _GPU if on_gpu else tuple(torch.get_num_threads() * rate for rate in _CPU_THREAD)


def _tensors(values):
    return [leaf for leaf in pytree.tree_leaves(values) if isinstance(leaf, torch.Tensor)]


def _storages(node):
    """Bytes of each block of memory that a node's values lie in."""
    leaves = _tensors(node.meta.get("val"))
    return {leaf.untyped_storage()._cdata: int(leaf.untyped_storage().nbytes()) for leaf in leaves}


def _last_uses(graph):
    """For each node the blocks of memory that nobody reads after it."""
    ends, seen = {}, set()
    for node in reversed(graph.nodes):
        for source in (*node.all_input_nodes, node):
            for storage in _storages(source):
                if storage not in seen:
                    seen.add(storage)
                    ends.setdefault(node, []).append(storage)
    return ends


def _flops_of_node(node):
    args, kwargs = pytree.tree_map_only(torch.fx.Node, lambda source: source.meta["val"], (node.args, node.kwargs))
    return _flops(node.target, args, kwargs, node.meta.get("val"))


def _flops(func, args, kwargs, out):
    count = flop_registry.get(getattr(func, "overloadpacket", None))
    if count is None:
        return 0
    try:
        return int(count(*args, **kwargs, out_val=out))
    except (RuntimeError, ValueError, TypeError, AssertionError):
        return 0  # a kernel that its formula does not know
