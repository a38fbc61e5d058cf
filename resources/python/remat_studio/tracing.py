"""The whole way from a model to an archive."""

import os
import sys

import torch

from . import __version__, archive, attention, joint, program
from .describe import describe
from .errors import TraceError, explain
from .losses import Loss
from .ranges import describe_inputs
from .scopes import checkpoints_counted
from .unsuited import check_arguments, check_model

FORMAT = "remat-trace/1"


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
):
    """Write the joint forward and backward graph of ``model`` on ``args`` to ``path`` and return the path.

    ``args`` is a tuple (by position) or a dict (by name). ``loss_fn`` takes the model's output and returns a scalar;
    without it the model's own loss is used, or the mean of squares of its outputs. ``weights=False`` leaves the
    parameters out. Files below ``source_root`` are named relative to it in the archive. ``target`` is the kind of device
    that the graph is for, ``"cuda"`` or ``"cpu"``: its attention kernels are traced (of the device that the model is on, if
    None). ``attention_kernel`` takes ``"flash"``, ``"efficient"``, ``"cudnn"`` or ``"math"`` in place of CUDA's own choice.
    What cannot be traced raises TraceError with one sentence.
    """
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
        step = joint.TrainingStep(model, loss, call)
        with checkpoints_counted() as checkpoints, attention.as_on(target, attention_kernel) as kernels:
            traced = program.build(joint.capture(step, call))
        record = {
            "format": FORMAT,
            "written_by": f"remat-studio {__version__}",
            "name": name or type(model).__name__,
            "torch": torch.__version__,
            "device": _device(traced),
            "for": target,
            "training": model.training,
            "loss": loss.sentence,
            "inputs": describe_inputs(traced),
        }
        describe(traced, loss, record, source_root)
        archive.save(traced, path, weights)
    except OSError:
        raise  # the output cannot be written: the command says so
    except Exception as error:
        if os.environ.get("REMAT_STUDIO_DEBUG"):
            raise
        raise explain(error) from error
    if loss.is_stand_in:
        _say(loss.sentence)
    if attention.sentence_of(kernels):
        _say(attention.sentence_of(kernels))
    if checkpoints[0]:
        _say(
            "The model checkpoints its activations itself, which saves memory today; the trace leaves that out, "
            "since what to compute again is for the plan to decide. Keep-all is the model without it."
        )
    return path


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
