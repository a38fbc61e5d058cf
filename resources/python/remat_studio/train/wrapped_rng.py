# SPDX-License-Identifier: Apache-2.0
"""Wrappers that PyTorch puts around random ops of a model's own checkpoints: they keep a generator's state, or set it."""

import operator

from torch import fx

from . import step_graph

_SAVES = "run_and_save_rng_state"  # gives the state of the generator, and what the op gives
_TAKES = ("run_with_rng_state", "graphsafe_run_with_rng_state")


def parts(func, args, kwargs):
    """The operator inside of a wrapper, its arguments, and whether the wrapper gives a state, too; None for others."""
    name = getattr(func, "__name__", "")
    if name != _SAVES and name not in _TAKES:
        return None
    place = next(index for index, value in enumerate(args) if hasattr(value, "overloadpacket"))
    given = {key: value for key, value in kwargs.items() if key != "rng_state"}
    return args[place], args[place + 1 :], given, name == _SAVES


def draws(node):
    """True for a wrapper in a graph whose op takes random numbers: attention that drops nothing takes none."""
    found = parts(node.target, node.args, node.kwargs)
    return found is not None and step_graph.draws(*found[:3])


def without(graph, node, made):
    """What stands for a wrapper, or for an item of one that gives a state, in a graph without any; None for other nodes.

    ``made`` has the copies of nodes before. The state is left out: nothing reads it then.
    """
    if node.target is operator.getitem and getattr(node.args[0].target, "__name__", "") == _SAVES:
        return made[node.args[0]]
    found = parts(node.target, node.args, node.kwargs)
    if found is None:
        return None
    func, args, kwargs, _ = found
    args, kwargs = fx.map_arg((args, kwargs), lambda source: made[source])
    new = graph.call_function(func, args, kwargs)
    args, kwargs = fx.map_arg((args, kwargs), lambda source: source.meta["val"])
    new.meta = {**node.meta, "val": func(*args, **kwargs)}  # some wrappers carry nothing
    return new
