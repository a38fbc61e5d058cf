# SPDX-License-Identifier: Apache-2.0
"""A plan that was made for a trace, applied to the model that was traced."""

import dataclasses
import json
import operator
import os
import pathlib
import tempfile

import torch
from torch.export.graph_signature import OutputKind

from .. import joint, program, torch_private, tracing
from ..losses import Loss
from ..warned import warn
from . import likeness, planner, runner
from .chunks import choose
from .errors import PlanError
from .partition import Partition
from .step_graph import StepGraph
from .telling import tell


@dataclasses.dataclass(frozen=True)
class Plan:
    """A ``remat-plan/1`` for a trace; ``record`` is the file as a dict."""

    record: dict

    def save(self, path):
        """Write the file that the window and ``remat check`` read."""
        pathlib.Path(path).write_text(json.dumps(self.record))

    def apply(self, model, args, loss_fn=None, *, compare="auto"):
        """A function of the model's arguments that computes the loss as planned; its backward gives all gradients.

        ``args`` and ``loss_fn`` are those of the trace; another graph is refused with PlanError. The model keeps its
        parameters, names and hooks. ``compare`` is that of ``trace``: a graph that is not what plain PyTorch computes
        gives a warning, and ``comparison`` of the function is the record.
        """
        with tempfile.TemporaryDirectory(prefix="remat-") as folder:
            trace = os.path.join(folder, "model.pt2")
            how = {"weights": False, "compare": compare, "for_all_batches": True}
            compared = tracing.trace_and_compare(model, args, loss_fn, trace, **how)
            self._check(trace)
            cut = planner.cut_as_planned(trace, self.record) if self.record.get("chunks") else None
            step = PlannedStep(self.record["steps"], model, args, loss_fn, cut, compared)
        if compared["verdict"] == "different":
            warn(f"The graph of the plan is not what PyTorch computes. {compared['why']}")
        return step

    def _check(self, trace):
        fingerprint, ops = planner.fingerprint(trace)
        wanted = self.record["graph"]
        if fingerprint != wanted["fingerprint"]:
            differs = (
                f"it has {wanted['ops']} ops, and this step {ops}"
                if ops != wanted["ops"]
                else f"both have {ops} ops, but other sizes or another order"
            )
            raise PlanError(
                f"The plan is for another graph ({wanted['name']}): {differs}. Trace this model with these arguments, "
                "and plan that."
            )


def plan(trace, budget, *, solver="auto", time_limit=60, device=None, chunk="off"):
    """Plan a trace (the path of a .pt2) under a budget; PlanError says why there is none.

    With ``chunk="auto"`` the plan decides what runs in chunks; ``"head=8"`` runs the loss in eight.
    """
    return Plan(planner.plan_trace(trace, budget, solver, time_limit, device, chunk))


def read_plan(path):
    """A plan that the window or ``remat plan`` wrote."""
    try:
        return Plan(json.loads(pathlib.Path(path).read_text()))
    except OSError as error:
        raise PlanError(f"The plan {path} cannot be read: {error.strerror}.") from None
    except ValueError:
        raise PlanError(f"The plan {path} is no JSON.") from None


class PlannedStep:
    """Computes the loss; not a module, so that the model's own names and hooks stay what they are."""

    def __init__(self, steps, model, args, loss_fn, cut=None, comparison=None):
        self.model = model
        self.comparison = comparison  # a remat-comparison/1: the graph against one step of plain PyTorch
        self._training = model.training
        self._likeness, self._trained = likeness.of(model), _trained(model)
        self._call = joint.Call(model, args)
        self._step = joint.TrainingStep(model, Loss(loss_fn), self._call)
        captured = joint.capture(self._step, self._call)
        for sentence in filter(None, (captured.counted, captured.stepped, captured.kept)):
            tell(sentence)
        self._taken = joint.way_taken(captured, self._call)
        traced = program.build(captured)
        self._inputs = [(item.kind, item.fqn, item.tensor) for item in traced.inputs]
        specs = traced.outputs
        self._buffers = [spec.target for spec in specs if spec.kind is OutputKind.BUFFER_MUTATION]
        places = {(kind, fqn): index for index, (kind, fqn, _) in enumerate(self._inputs)}
        names = {item.node.name: item.fqn for item in traced.inputs}
        self._gradients = [
            places["parameter", spec.target]
            if spec.kind is OutputKind.GRADIENT_TO_PARAMETER
            else places["input", names.get(spec.target, spec.target)]
            for spec in specs
            if spec.kind in (OutputKind.GRADIENT_TO_PARAMETER, OutputKind.GRADIENT_TO_USER_INPUT)
        ]
        graph = StepGraph.of_program(traced)
        if cut:
            graph, steps = choose.of_plan(graph, cut, steps)
        forward, backward = Partition(graph, steps).modules()
        self._forward = runner.boxed(forward, "forward")
        self._backward = runner.boxed(backward, "backward")

    def __call__(self, *args, **kwargs):
        if self.model.training != self._training:
            mode = "training" if self._training else "evaluation"
            raise PlanError(f"The plan is for the model in {mode} mode; plan the other mode, or run the model itself.")
        self._check_model()
        given = joint.Call(self.model, kwargs or args).tensors
        expected = self._call.tensors
        if [(t.shape, t.dtype, t.device) for t in given] != [(t.shape, t.dtype, t.device) for t in expected]:
            raise PlanError(
                f"The arguments are {_shapes(given)}, and the plan is for {_shapes(expected)}; plan these shapes too."
            )
        other = self._taken.other(given)
        if other is not None:
            raise PlanError(
                f"The model goes by the values of {self._call.names[other]}, and the plan is for other values than "
                "these; plan with these arguments too."
            )
        values = iter(given)
        tensors = [
            next(values) if kind == "input" else tensor if kind == "constant" else self._state(fqn)
            for kind, fqn, tensor in self._inputs
        ]
        return _Function.apply(self, *tensors)

    def _check_model(self):
        if _trained(self.model) != self._trained:
            raise PlanError(
                "Other parameters have gradients now than when the plan was applied (requires_grad); plan the model as it "
                "is now."
            )
        change = likeness.since(self.model, self._likeness)
        if change and change.is_note:
            tell(f"The step runs as it was planned, with {change.what} of {change.where} as it was then.", self)
        elif change:
            raise PlanError(f"The {change.what} of {change.where} changed since the plan was applied; plan it anew.")

    def __getstate__(self):
        raise PlanError(
            "A planned step cannot be pickled; keep the model's state_dict and the plan, and apply it again."
        )

    def _state(self, fqn):
        """The parameter or buffer as it is now, of the model or of its loss function."""
        try:
            return operator.attrgetter(joint.MODEL_PREFIX + fqn)(self._step)
        except AttributeError:
            return operator.attrgetter(fqn)(self._step)

    def forward(self, tensors):
        """The loss and what the backward needs; writes the new values of buffers."""
        count = len(self._buffers) + 1
        with torch_private.without_autocast():  # the graph has the casts
            outputs = self._forward(tensors)
        buffers = [self._state(name) for name in self._buffers]
        saved = [value.clone() if any(value is b for b in buffers) else value for value in outputs[count:]]
        for buffer, value in zip(buffers, outputs, strict=False):
            buffer.copy_(value)
        return outputs[count - 1], saved

    def backward(self, given):
        """The gradient of each input of the graph, or None."""
        gradients = [None] * len(self._inputs)
        for index, value in zip(self._gradients, self._backward(given), strict=True):
            gradients[index] = value
        return gradients


class _Function(torch.autograd.Function):
    @staticmethod
    def forward(ctx, step, *tensors):
        loss, saved = step.forward(list(tensors))
        ctx.step = step
        ctx.save_for_backward(*saved)
        return loss

    @staticmethod
    def backward(ctx, gradient):
        if torch.is_grad_enabled():  # create_graph=True: what comes out would count as constant
            raise PlanError("A planned step has no gradients of gradients; compute those with the model itself.")
        given = [*ctx.saved_tensors, gradient]
        ctx.maybe_clear_saved_tensors()
        return (None, *ctx.step.backward(given))


def _trained(model):
    return [parameter.requires_grad for parameter in model.parameters()]


def _shapes(tensors):
    return ", ".join(f"{str(t.dtype).removeprefix('torch.')} {tuple(t.shape)}" for t in tensors)
