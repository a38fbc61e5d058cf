# SPDX-License-Identifier: Apache-2.0
"""``fits`` for Inductor's kernels: their code says what a step holds before one is compiled."""

import argparse
import copy
import dataclasses
import json
import sys

import torch

from . import torch_private
from .errors import TraceError, one_line
from .joint import Call
from .loading import call_factory, load_factory
from .losses import mean_of_squares, own_loss
from .sizes import size_text
from .torch_private import pytree
from .train import inductor_plan, options
from .train.errors import PlanError
from .train.step_graph import CUDA_ROUNDING


class _EndedError(Exception):
    """Ends a compilation where it has said enough."""


class _Capture(torch_private.CustomPartitionerFn):
    """Keeps what a partitioner is given; code for tensors without data is never made, since it would be run."""

    def __init__(self):
        self.given = None
        self.has_no_backward = False

    def __call__(self, module, joint_inputs, **arguments):
        self.given = torch_private.copied(module), joint_inputs, arguments
        raise _EndedError

    def __reduce__(self):
        return str, (self.uuid(),)

    def uuid(self):
        return "remat fits"

    def compile(self, *_given, **_settings):
        """In place of Inductor's inner compiler, which a graph comes to that no partitioner was asked about."""
        self.has_no_backward = True
        raise _EndedError


class Kernels:
    """A step under ``torch.compile``: its peak without a plan, and plans for budgets."""

    def __init__(self, model, args, loss_fn, time_limit):
        self._given, self.resident_bytes = _captured(model, args, loss_fn)
        self._options = {"codegen": "inductor", "time_limit": time_limit}
        self._found = []
        self.plain = self._fit("100%").plain

    def within(self, budget_bytes):
        """The cut of a plan for this budget; where it is over, none that holds it was found."""
        known = [cut for cut in self._found if cut.bytes <= budget_bytes]
        if known:
            return min(known, key=lambda cut: cut.time_us)
        self._found.append(self._fit(f"{budget_bytes}B").cut)
        return self._found[-1]

    def _fit(self, budget):
        return inductor_plan.fit(*self._given, options.read({"budget": budget, **self._options}), "step")


def step_graph(kernels):
    """The step as one op with one result, as ``remat-graph/1``: what ``remat fits`` needs to know of it."""
    op = {"name": "step", "inputs": ["held"], "outputs": [{"name": "made", "bytes": kernels.plain.bytes}]}
    held = {"name": "held", "bytes": kernels.resident_bytes, "kind": "parameter"}
    return {"format": "remat-graph/1", "name": "step", "inputs": [held], "ops": [op]}


def with_plans(said, kernels):
    """The answer of ``remat fits`` for that op, with plans for the devices that need one, the largest first."""
    for device in sorted(said["devices"], key=lambda each: -each["budget_bytes"]):
        if device["verdict"] == "fits" or device["budget_bytes"] <= 0:
            continue
        cut = kernels.within(device["budget_bytes"])
        device["reason"], device["overhead"] = "", None
        if cut.bytes <= device["budget_bytes"]:
            device["verdict"] = "fits with a plan"
            device["overhead"] = max(cut.time_us / kernels.plain.time_us - 1, 0)
        else:
            device["verdict"] = "no plan found"
            device["reason"] = f"The smallest exact peak that was found is {size_text(cut.bytes)}."
    return said


def _captured(model, args, loss_fn):
    """What Inductor's partitioner is given for a step without numbers, and the bytes of all tensors that are given."""
    mode = torch_private.fake_mode()
    device = "cuda" if torch.cuda.is_available() else "cpu"

    def fake(value):
        made = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device=device)
        return made.requires_grad_(value.requires_grad)

    capture = _Capture()
    with mode:
        tensors = {id(buffer): fake(buffer) for buffer in model.buffers()}
        tensors |= {id(p): torch.nn.Parameter(fake(p.detach()), p.requires_grad) for p in model.parameters()}
        stand_in = copy.deepcopy(model, dict(tensors))
        call = Call(stand_in, pytree.tree_map_only(torch.Tensor, fake, args))
        given, named = call.arguments(call.tensors)

        def step():
            output = stand_in(*given, **named)
            return loss_fn(output) if loss_fn else _loss_of(output)

        def compiler(module, inputs):
            settings = {"custom_partitioner_fn": capture}
            with torch_private.aot_settings(enable_autograd_cache=False):  # what it has would be run
                return torch_private.compile_fx(module, inputs, capture.compile, config_patches=settings)

        try:
            torch.compile(step, backend=compiler, fullgraph=True)()
        except Exception as error:
            if capture.has_no_backward:
                raise PlanError("Nothing of this step is trained, so Inductor makes no backward of it.") from error
            if capture.given is None:
                raise PlanError(f"Inductor does not take this step as one graph: {one_line(error)}.") from error
        finally:
            torch.compiler.reset()
    held = {value.untyped_storage()._cdata: value for value in (*tensors.values(), *call.tensors)}
    sizes = (value.untyped_storage().nbytes() for value in held.values())
    return capture.given, sum(-(-size // CUDA_ROUNDING) * CUDA_ROUNDING for size in sizes)


def _loss_of(output):
    """As ``losses.Loss`` finds it, in what Dynamo can read."""
    if isinstance(output, torch.Tensor) and output.dim() == 0:
        return output
    own = own_loss(output)
    return mean_of_squares(output) if own is None else own


def main(arguments=None):
    """``remat fits --codegen inductor MODEL.py:make``; returns the exit code: 1 where it fits on no device."""
    from .fitting import fits

    parser = argparse.ArgumentParser(prog="remat fits", description="What training with Inductor's kernels takes.")
    parser.add_argument("--codegen", choices=["inductor"], required=True)
    parser.add_argument("--optimizer", default="adamw")
    parser.add_argument("--devices", action="append", default=[], help="device files, with commas; default all")
    parser.add_argument("--memory", type=int, help="count at most so many bytes of each device")
    parser.add_argument("--reserve", type=float, default=5, help="percent of each device that stay free")
    parser.add_argument("--time-limit", type=float, default=5, help="seconds a plan")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("factory", metavar="FILE.py:FUNCTION")
    given = parser.parse_args(arguments)
    try:
        model, args, loss_fn = call_factory(load_factory(given.factory), given.factory)
        answer = fits(
            model,
            args,
            loss_fn,
            optimizer=None if given.optimizer == "none" else given.optimizer,
            devices=[name for names in given.devices for name in names.split(",")] or None,
            memory_bytes=given.memory,
            reserve=given.reserve / 100,
            time_limit=given.time_limit,
            codegen="inductor",
        )
    except (TraceError, PlanError) as error:
        print(f"remat fits: {error}", file=sys.stderr)
        return 2
    print(json.dumps(dataclasses.asdict(answer), indent=2) if given.json else answer)
    return 0 if any(device.verdict.startswith("fits") for device in answer.devices) else 1
