# SPDX-License-Identifier: Apache-2.0
"""Says what is left out as a whole: by Dynamo, of which no graph comes to a backend, or by who calls a planned module."""

import functools
import sys
import sysconfig
import weakref

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

from .. import torch_private
from .telling import tell

_TOLD = 3  # functions that are said; more of them are helpers of these mostly
_LAYERS = "The break is in a loop: take it out of there, or compile what the loop calls, layer by layer."
_SHARDED = "fully_shard gathers each layer of the loop when it is called: compile each before it is sharded."

_STANDARD = ("<frozen", sysconfig.get_paths()["stdlib"])  # where Python's own library lies

_backends = {}  # name -> codes of functions that were said
_planned = []  # (planned module, its forward) until the first update of it, both as weak references
_is_seen = False  # Dynamo looked at something
_is_over = False  # a graph came, or the first update is done


def say_for(backend):
    """From now on say it of what ``backend`` should compile, once for each function, and where no graph comes at all."""
    _backends.setdefault(backend, set())
    torch_private.when_seen(_say)
    _hear_of_updates()


def silent_for(backend):
    """Say no more of it."""
    _backends.pop(backend, None)


def came(module):
    """A graph came, so that what is left out is a part of the step; says where it has its gradients inside."""
    global _is_over
    _is_over = True
    if torch_private.takes_gradients(module):
        tell(
            "torch.func.grad inside of what is compiled makes its forward and backward one graph, which "
            "without a backward() from outside runs without a plan; compile the loss alone, and call backward() on it."
        )


def say_if_not_called(module, forward):
    """Say it where a planned module is updated, and ``forward`` never ran: libraries put one of their own in its place."""
    _planned.append((weakref.ref(module), weakref.ref(forward)))
    _hear_of_updates()


@functools.cache
def _hear_of_updates():
    register_optimizer_step_post_hook(_updated)  # for good: hooks cannot be removed while they run


def _updated(optimizer, *_):
    global _is_over
    if _is_seen and not _is_over and not any(_backends.values()):
        tell(
            "The first update is done, and nothing was planned: Dynamo gave no graph to a backend. Under fully_shard "
            "modules of your own classes are compiled, and those of torch.nn are not."
        )
    _is_over = _is_over or _is_seen
    if _planned:
        _look_for_calls({id(value) for group in optimizer.param_groups for value in group["params"]})


def _look_for_calls(updated):
    waiting, _planned[:] = _planned[:], []
    for module, forward in waiting:
        made = module()
        if made is None or not any(id(parameter) in updated for parameter in made.parameters()):
            _planned.extend([] if made is None else [(module, forward)])
        elif not getattr(forward(), "is_called", False):
            tell(
                f"{type(made).__name__} is planned, and its first update came without a call of its forward: a library "
                "may have put one of its own there. Plan the module that this one calls, such as model.model."
            )


def _say(seen):
    global _is_seen
    told = _backends.get(seen.backend)
    if told is None or not torch.is_grad_enabled():
        return
    _is_seen = True
    if not seen.skipped or len(told) == _TOLD or not _counts(seen.code):
        return
    told.add(seen.code)
    way_out = ""
    if seen.is_in_loop:
        way_out = f" {_SHARDED if _has_sharded(seen.of) else _LAYERS}"
    where = torch_private.place_of(seen.code)
    what = f"Dynamo leaves out {where}, which has no plan as a whole"
    if "recompile limit" in seen.skipped:  # what was compiled keeps its plan
        what = f"Dynamo compiles {where} for no further shapes or settings, which eager mode runs without a plan"
    tell(f"{what}: {seen.skipped.rstrip('.')}.{way_out}")


def _counts(code):
    """True for a forward, and for what the user wrote; not for what libraries wrap around a forward."""
    is_of_user = not code.co_name.startswith("<") and not code.co_filename.startswith(_STANDARD)
    return code.co_name == "forward" or (is_of_user and "site-packages" not in code.co_filename)


def _has_sharded(module):
    fsdp = sys.modules.get("torch.distributed.fsdp")
    parts = module.modules() if fsdp and isinstance(module, torch.nn.Module) else ()
    return any(isinstance(part, fsdp.FSDPModule) for part in parts)
