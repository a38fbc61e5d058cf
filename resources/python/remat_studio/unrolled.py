# SPDX-License-Identifier: Apache-2.0
"""Traces loops and branches of higher order (scan, while_loop, map, cond) as the operators that they run."""

import contextlib

import torch

from . import torch_private
from .torch_private import pytree


@contextlib.contextmanager
def unrolled():
    """While this is open, PyTorch's loops run step by step; gives the set of the names of those that ran."""
    ran = set()
    kernels = {"scan": _scan, "while_loop": _while_loop, "map": _map, "cond": _cond}
    with torch_private.loops_as({name: _noted(name, kernel, ran) for name, kernel in kernels.items()}):
        yield ran


def sentence_of(ran):
    """What a person should know of loops that were traced step by step, if any were."""
    if not ran:
        return None
    names = " and ".join(sorted(ran))
    return f"The steps that {names} makes are traced one by one, as a loop in Python would: a plan decides about each."


def _noted(name, kernel, ran):
    def run(*args, **kwargs):
        ran.add(name)
        return kernel(*args, **kwargs)

    return run


def _scan(combine, init, xs, additional_inputs):
    carry, made = init, []
    for step in range(xs[0].shape[0]):
        carry, out = combine(*pytree.tree_leaves(carry), *(x[step] for x in xs), *additional_inputs)
        made.append(out)
    return carry, _stacked(made)


def _while_loop(condition, body, carried, additional_inputs):
    while condition(*carried, *additional_inputs):
        carried = body(*carried, *additional_inputs)
    return carried


def _map(function, xs, additional_inputs):
    return _stacked([function(*(x[step] for x in xs), *additional_inputs) for step in range(xs[0].shape[0])])


def _stacked(made):
    return pytree.tree_map(lambda *each: torch.stack(each), *made)


def _cond(condition, on_true, on_false, operands):
    return (on_true if condition else on_false)(*operands)
