# SPDX-License-Identifier: Apache-2.0
"""What a script holds whose model checkpoints its activations itself, before any plan of ours."""

from torch.utils.checkpoint import CheckpointPolicy

from ..scopes import CHECKPOINT
from . import memory

_SAVED = (CheckpointPolicy.MUST_SAVE, CheckpointPolicy.PREFER_SAVE)


def own_steps(graph):
    """Steps of the script as it is: each checkpointed part runs again in the backward; None without such a part.

    The parts are those that ``torch.utils.checkpoint`` marks in the joint graph, or our own trace does.
    """
    parts = {}  # op name -> number of its part
    for op in graph.ops:
        number = _part_of(op.node.meta)
        if op.is_forward and number is not None:
            parts[op.name] = number
    if not parts:
        return None
    made_in = {storage: parts[op.name] for op in graph.ops if op.name in parts for storage in op.makes}
    for op in graph.ops:  # what leaves a part is held as ever
        for storage in op.reads if op.is_forward else ():
            if made_in.get(storage) != parts.get(op.name):
                made_in.pop(storage, None)
    for storage in graph.held_outputs:
        made_in.pop(storage, None)
    order, again = [], set()
    for op in graph.in_planned_order():
        if op and not op.is_forward:
            for number in dict.fromkeys(made_in[storage] for storage in op.reads if storage in made_in):
                if number not in again:
                    again.add(number)
                    order += [name for name, part in parts.items() if part == number and not _is_once(graph, name)]
        order.append(op.name if op else graph.border)
    return memory.freed_after_use(graph, order)


def _part_of(meta):
    if meta.get("recompute") is not None and meta.get("ac_graph_id") is not None:
        return meta["ac_graph_id"]
    return None if meta.get("recompute") in _SAVED else meta.get(CHECKPOINT)


def _is_once(graph, name):
    return graph.by_name[name].is_once
