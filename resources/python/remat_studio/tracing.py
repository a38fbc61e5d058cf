# SPDX-License-Identifier: Apache-2.0
"""The whole way from a model to an archive."""

import contextlib
import functools
import gc
import os
import sys

import torch
from torch.export.graph_signature import OutputKind

from .supported import check_torch

check_torch()

from . import __version__, archive, attention, joint, program
from .comparison import traced as comparison
from .comparison.record import not_compared
from .comparison.recorded import decisions_of
from .comparison.steps import PlainStep
from .describe import checkpointed_parts, describe
from .errors import TraceError, explain, one_line
from .host_seeds import SEED
from .losses import Loss
from .progress import Progress
from .ranges import describe_inputs
from .sizes import size_text
from .unsuited import check_arguments, check_model

FORMAT = "remat-trace/1"
_WORTH_SAYING = 16 << 20  # bytes of outputs


def trace(
    model,
    args,
    loss_fn=None,
    path="model.pt2",
    *,
    weights=True,
    name=None,
    source_root=None,
    target=None,
    attention_kernel=None,
    keep_outputs=False,
    compare="auto",
):
    """Write the joint forward and backward graph of ``model`` on ``args`` to ``path`` and return the path.

    ``args`` is a tuple (by position) or a dict (by name). ``loss_fn`` takes the model's output and returns a scalar;
    without it the model's own loss is used, or the mean of squares of its outputs. ``weights=False`` leaves the
    parameters out. Files below ``source_root`` are named relative to it in the archive. ``target`` is the kind of device
    that the graph is for, ``"cuda"`` or ``"cpu"``: its attention kernels are traced (of the device that the model is on, if
    None). ``attention_kernel`` takes ``"flash"``, ``"efficient"``, ``"cudnn"`` or ``"math"`` in place of CUDA's own choice.
    ``keep_outputs`` holds the model's outputs to the end of the step, as a training loop does that has a name for them.
    ``compare`` runs a step plainly and one of the graph, and writes into the archive whether they compute the same:
    ``"always"``, ``"never"``, or ``"auto"``: where both take seconds and half of the free memory, by an estimate.
    A model that goes by values of parameters or activations is traced for this batch with these weights, where a step
    may be run by the same estimate. What cannot be traced raises TraceError with one sentence.
    """
    options = {"weights": weights, "name": name, "source_root": source_root, "target": target}
    options |= {"attention_kernel": attention_kernel, "keep_outputs": keep_outputs, "compare": compare}
    compared = trace_and_compare(model, args, loss_fn, path, **options)
    if compared["verdict"] == "different":
        _say(f"The graph is not what PyTorch computes. {compared['why']}")
    return os.fspath(path)


def trace_and_compare(
    model,
    args,
    loss_fn,
    path,
    *,
    weights=True,
    name=None,
    source_root=None,
    target=None,
    attention_kernel=None,
    keep_outputs=False,
    compare="auto",
    for_all_batches=False,
):
    """The same, but returns the record of the comparison, of which a difference is not said yet.

    ``for_all_batches`` refuses a model whose graph would be for the given batch or for one draw alone.
    """
    if compare not in comparison.WAYS:
        raise TraceError(f"compare is {compare!r}; it must be one of {', '.join(comparison.WAYS)}.")
    path = _checked_path(path)
    model = _python_model(model)
    target = _target(model, target, attention_kernel)
    if not model.training:
        _say("The model is in evaluation mode and is traced so; call model.train() first for a training step.")
    check_model(model)
    check_arguments(args)
    try:
        loss = Loss(loss_fn)
        call = joint.Call(model, args)
        step = joint.TrainingStep(model, loss, call, keep_outputs)
        decide = (lambda: None) if for_all_batches else _Decided(model, args, loss_fn, compare)
        with Progress() as progress, _without_collections(), _without_code():
            with attention.as_on(target, attention_kernel) as kernels:
                captured = joint.capture(step, call, progress.ran, decide)
                if for_all_batches and captured.drawn:
                    raise TraceError(captured.drawn)
                traced = program.build(captured)
            record = {
                "format": FORMAT,
                "written_by": f"remat-studio {__version__}",
                "name": name or type(model).__name__,
                "torch": torch.__version__,
                "device": _device(traced),
                "for": target,
                "training": model.training,
                "loss": loss.sentence,
                "outputs": "kept" if keep_outputs else "let go",
                "inputs": describe_inputs(traced),
            }
            parts = len(checkpointed_parts(traced))
        compared = _compared(model, args, loss_fn, step, traced, bool(kernels), compare, decide)
        compared["batch"] = traced.batch
        with Progress() as progress, _without_collections(), _without_code():
            describe(traced, loss, record, source_root)
            progress.writes()
            archive.save(traced, path, weights, compared)
    except OSError:
        raise  # the output cannot be written: the command says so
    except Exception as error:
        if os.environ.get("REMAT_STUDIO_DEBUG"):
            raise
        raise explain(error) from error
    for sentence in (
        loss.sentence if loss.is_stand_in else None,
        *captured.sentences,
        captured.batch,
        captured.drawn,
        captured.counted,
        captured.stepped,
        captured.kept,
        _about_outputs(0 if keep_outputs else loss.other_bytes),
        attention.sentence_of(kernels),
        _about_checkpoints(parts),
        compared["why"] if _is_worth_saying(compared) else None,
    ):
        if sentence:
            _say(sentence)
    return compared


def _is_worth_saying(compared):
    """False where the graph is what PyTorch computes and nothing else is to say, or the comparison was not wanted."""
    asks = any(part in compared["why"] for part in ("--compare always", "after one update", "not finite"))
    return asks or compared["verdict"] == "explained"


class _Decided:
    """What a plain step of this batch decides by values: asked for where a trace needs it, and found once."""

    def __init__(self, model, args, loss_fn, way):
        self._step = model, args, loss_fn, SEED
        self._is_limited = way != "always"

    def __call__(self):
        tensors = (*self._plain.call.tensors, *(tensor for _, tensor in self._plain.parameters()))
        buffers = (tensor for _, tensor in self._plain.buffers())
        return self._found if all(map(comparison.has_numbers, (*tensors, *buffers))) else None

    @functools.cached_property
    def _plain(self):
        names = (name for name, _ in PlainStep(*self._step).parameters())
        return PlainStep(*self._step, frozenset(names))  # it may write to any of them

    @functools.cached_property
    def _found(self):
        try:
            with attention.as_on("cpu"):  # kernels of GPUs, which a trace may be for, do not run here
                return decisions_of(self._plain, self._is_limited)
        except Exception:
            if os.environ.get("REMAT_STUDIO_DEBUG"):
                raise
            return None  # it does not run plainly either: the trace is refused for what it saw


def _compared(model, args, loss_fn, step, traced, has_kernels_of_gpus, way, decide):
    """The record of a plain step against one of the graph, or of why there is none."""
    written = {spec.target for spec in traced.outputs if spec.kind is OutputKind.BUFFER_MUTATION}
    plain = PlainStep(model, args, loss_fn, SEED, written)
    reason = comparison.reason_not_to(plain.call.tensors, traced, way)
    if reason:
        return not_compared(reason)
    if has_kernels_of_gpus and _device(traced) == "cpu":  # which do not run here: compare a graph with the CPU's own
        with _without_collections(), _without_code():
            traced = program.build(joint.capture(step, plain.call, decide=decide))
    try:
        return comparison.compare_trace(plain, traced)
    except Exception as error:
        if os.environ.get("REMAT_STUDIO_DEBUG"):
            raise
        return not_compared(f"A step for comparison did not run ({one_line(error)}).")


@contextlib.contextmanager
def _without_collections():
    """A graph is many small objects that live until the end: to look for garbage among them takes much of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextlib.contextmanager
def _without_code():
    """PyTorch writes and compiles Python code for every graph that it makes or changes; here only for one that runs."""
    compiled = torch.fx.GraphModule.recompile

    def run(module, *args, **kwargs):
        compiled(module)
        return type(module).forward(module, *args, **kwargs)

    def later(module):
        type(module).forward = run  # each graph has a class of its own

    torch.fx.GraphModule.recompile = later
    try:
        yield
    finally:
        torch.fx.GraphModule.recompile = compiled


def _about_outputs(other_bytes):
    if other_bytes < _WORTH_SAYING:
        return None
    return (
        f"Beside the loss the model gives {size_text(other_bytes)}, let go before the backward pass here, as by "
        "model(**batch).loss.backward(); for a loop that holds them (out = model(**batch); out.loss.backward()) "
        "trace with --keep-outputs."
    )


def _about_checkpoints(parts):
    if not parts:
        return None
    return (
        f"The model checkpoints its activations itself, in {parts} part{'s' if parts > 1 else ''}. Plans decide anew "
        "what to compute again, keep-all is the model without that; what it does today stands beside them as a plan of "
        "its own (remat info --today FILE)."
    )


def _target(model, target, kernel):
    """The kind of device that is traced for; on a GPU PyTorch chooses by itself."""
    on_gpu = any(tensor.is_cuda for tensor in model.parameters())
    if target not in (None, *attention.TARGETS):
        raise TraceError(f"There is no target {target!r}; there are {' and '.join(attention.TARGETS)}.")
    if kernel not in (None, *attention.KERNELS):
        raise TraceError(f"There is no attention kernel {kernel!r}; there are {', '.join(attention.KERNELS)}.")
    if kernel and (target or ("cuda" if on_gpu else "cpu")) == "cpu":
        raise TraceError(f"The attention kernel {kernel} is one of GPUs; trace for them with --for cuda.")
    return target or ("cuda" if on_gpu else "cpu")


def _python_model(model):
    """The module whose forward is the user's Python code."""
    if isinstance(model, torch.jit.ScriptModule):
        raise TraceError("The model is a TorchScript module; trace the Python module that it was made from.")
    if isinstance(model, torch.nn.Module):
        return getattr(model, "_orig_mod", model)  # what torch.compile() wraps
    raise TraceError(f"The model is {type(model).__name__}; it must be a torch.nn.Module.")


def _checked_path(path):
    path = os.fspath(path)
    folder = os.path.dirname(os.path.abspath(path))
    if not path.endswith(".pt2"):
        raise TraceError(f"The output {path} must end in .pt2.")
    if not os.path.isdir(folder):
        raise TraceError(f"There is no folder {folder} to write {os.path.basename(path)} to; make it first.")
    if not os.access(folder, os.W_OK):
        raise TraceError(f"The folder {folder} cannot be written to; choose another output with -o.")
    return path


def _device(traced):
    """The device type that the model computes on."""
    types = [item.tensor.device.type for item in traced.inputs]
    return next((t for t in types if t != "cpu"), "cpu")


def _say(sentence):
    print(f"remat_studio.trace: {sentence}", file=sys.stderr)
