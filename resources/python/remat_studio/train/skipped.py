# SPDX-License-Identifier: Apache-2.0
"""Says what Dynamo leaves out as a whole: no graph of it comes to a backend, which could say it."""

import sys

import torch
from torch.optim.optimizer import register_optimizer_step_post_hook

from . import torch_private
from .telling import tell

_TOLD = 3  # functions that are said; more of them are helpers of these mostly
_LAYERS = "The break is in a loop: take it out of there, or compile what the loop calls, layer by layer."
_SHARDED = "fully_shard gathers each layer of the loop when it is called: compile each before it is sharded."

_backends = {}  # name -> codes of functions that were said
_waits = None  # for the first update, while no graph came


def say_for(backend):
    """From now on say it of what ``backend`` should compile, once for each function, and where no graph comes at all."""
    global _waits
    _backends.setdefault(backend, set())
    torch_private.when_skipped(_say)
    if _waits is None:
        _waits = register_optimizer_step_post_hook(_updated)


def silent_for(backend):
    """Say no more of it."""
    _backends.pop(backend, None)
    came()


def came():
    """Something is compiled, so that what is left out is a part of it."""
    global _waits
    if _waits is not None:
        _waits.remove()
        _waits = None


def _updated(*_):
    came()
    if not any(_backends.values()):
        tell(
            "The first update is done, and nothing was planned: Dynamo gave no graph to a backend. Under fully_shard "
            "modules of your own classes are compiled, and those of torch.nn are not."
        )


def _say(skipped):
    told = _backends.get(skipped.backend)
    if told is None or len(told) == _TOLD or not torch.is_grad_enabled():
        return
    told.add(skipped.code)
    way_out = ""
    if skipped.is_in_loop:
        way_out = f" {_SHARDED if _has_sharded(skipped.of) else _LAYERS}"
    where = f"{skipped.code.co_qualname} ({skipped.code.co_filename}:{skipped.code.co_firstlineno})"
    tell(f"Dynamo leaves out {where}, without a plan: {skipped.reason.rstrip('.')}.{way_out}")


def _has_sharded(module):
    fsdp = sys.modules.get("torch.distributed.fsdp")
    parts = module.modules() if fsdp and isinstance(module, torch.nn.Module) else ()
    return any(isinstance(part, fsdp.FSDPModule) for part in parts)
