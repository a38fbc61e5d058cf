# SPDX-License-Identifier: Apache-2.0
"""``remat doctor --against PEER MODEL.py:make``: what another way to train makes of the user's own model.

One step runs in plain PyTorch and one as the peer has it, from the same seed. Gradients, buffers, peak and time of both
are held against each other.
"""

import argparse
import contextlib
import functools
import json
import sys
import time

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

from . import torch_private
from .comparison.held import measured
from .comparison.record import rows
from .comparison.steps import PlainStep
from .errors import TraceError, one_line
from .loading import call_factory, load_factory
from .sizes import size_text
from .unsuited import check_shapes

_SEED = 0
_REPEATS = 3
_ROUNDING = {torch.float64: 1e-9, torch.float32: 1e-4}  # relative; what another order of sums may change
_COARSE = 3e-2  # for the types of fewer digits
EQUAL, ROUNDED, DIFFERENT = "equal", "rounded", "different"


def main(arguments=None):
    """The command line; returns the exit code: 1 where the peer computes something else."""
    parser = argparse.ArgumentParser(prog="remat doctor", description="One step of a model, plainly and by a peer.")
    parser.add_argument("--against", required=True, metavar="PEER", help="inductor, aot_eager, checkpoint or budget=0.5")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("factory", metavar="MODULE_OR_FILE:FACTORY")
    options = parser.parse_args(arguments)
    try:
        report = against(options.factory, options.against)
    except TraceError as error:
        print(f"remat doctor: {error}", file=sys.stderr)
        return 2
    print(json.dumps(report, indent=2) if options.json else _text(report))
    return 1 if report["verdict"] == DIFFERENT else 0


def against(factory, peer):
    """The report: verdict, tensors that are not equal, peak and seconds of both."""
    apply = _peer(peer)
    model, args, loss_fn = call_factory(load_factory(factory), factory)
    check_shapes(model)
    before = {name: b.detach().clone() for name, b in PlainStep(model, args, loss_fn, _SEED).buffers()}
    with _failures_said("Plain PyTorch"):
        plain, plain_figures = _measured(PlainStep(model, args, loss_fn, _SEED))
    with _failures_said(peer), apply(model):
        other, peer_figures = _measured(PlainStep(model, args, loss_fn, _SEED))
    tensors = rows(plain, other, before)
    unequal = sorted((t for t in tensors if not t["equal"]), key=lambda t: -t["relative"])
    limit = _ROUNDING.get(plain.outputs["loss"].dtype, _COARSE)
    beyond = any(min(t["relative"], _share_of_all(t, plain, other)) > limit for t in unequal)
    verdict = DIFFERENT if beyond else ROUNDED if unequal else EQUAL
    return {
        "peer": peer,
        "torch": torch.__version__,
        "verdict": verdict,
        "rounding_limit": limit,
        "draws": any(isinstance(m, nn.modules.dropout._DropoutNd) and m.training and m.p > 0 for m in model.modules()),
        "compared": len(tensors),
        "unequal": unequal,
        "plain": plain_figures,
        "with_peer": peer_figures,
    }


def _share_of_all(row, plain, other):
    """A gradient's largest difference over the largest number of all: one that is zero but for rounding has no scale."""
    expected, value = plain.gradients.get(row["name"]), other.gradients.get(row["name"])
    if row["kind"] != "gradient" or expected is None or value is None:
        return row["relative"]
    largest = max((float(g.abs().max()) for g in plain.gradients.values() if g.numel()), default=0.0)
    return float((value - expected).abs().max()) / largest if largest > 0 else row["relative"]


def _peer(name):
    """A context manager that has a model's step run as the peer does."""
    if name in ("inductor", "aot_eager"):
        return lambda model: _Compiled(model, name)
    if name == "checkpoint":
        return _Checkpointed
    kind, _, share = name.partition("=")
    if kind == "budget" and _is_share(share):
        return lambda model: _Compiled(model, "aot_eager_decomp_partition", float(share))
    raise TraceError(
        f"There is no peer {name!r}; there are inductor, aot_eager, checkpoint, and budget=0.5 for the partitioner of "
        "torch.compile with that share of its saved bytes."
    )


def _is_share(text):
    try:
        return 0 <= float(text) <= 1
    except ValueError:
        return False


class _Compiled:
    """The model's forward under torch.compile, with the random numbers of eager mode."""

    def __init__(self, model, backend, share=None):
        self._model, self._backend = model, backend
        self._patches = [torch_private.draws_kept()]
        if share is not None:
            self._patches.append(torch_private.aot_settings(activation_memory_budget=share))

    def __enter__(self):
        torch.compiler.reset()
        for patch in self._patches:
            patch.__enter__()
        self._model.compile(backend=self._backend)

    def __exit__(self, *error):
        self._model._compiled_call_impl = None
        for patch in self._patches:
            patch.__exit__(*error)


class _Checkpointed:
    """Every module of the model's outermost lists, or else each of its children, runs within a checkpoint."""

    def __init__(self, model):
        lists = [m for m in model.modules() if isinstance(m, nn.ModuleList | nn.Sequential) and len(m)]
        self._modules = list(lists[0].children()) if lists else list(model.children()) or [model]

    def __enter__(self):
        for module in self._modules:
            module.forward = _within_checkpoint(module.forward)

    def __exit__(self, *_error):
        for module in self._modules:
            del module.forward


def _within_checkpoint(forward):
    return lambda *args, **kwargs: checkpoint(forward, *args, use_reentrant=False, **kwargs)


@contextlib.contextmanager
def _failures_said(by):
    try:
        yield
    except TraceError:  # of the loss, in words of ours
        raise
    except Exception as error:
        raise TraceError(f"{by} does not run this model: {one_line(error)}.") from error


def _measured(step):
    """What a step gives, after one that warms up, and the most it held and the median of its seconds."""
    run = functools.partial(step.run, contextlib.nullcontext)
    run()
    peaks = []
    with measured(peaks):
        outcome = run()
    seconds = []
    for _ in range(_REPEATS):
        begin = time.perf_counter()
        run()
        _wait()
        seconds.append(time.perf_counter() - begin)
    return outcome, {"peak_bytes": peaks[0], "seconds": sorted(seconds)[_REPEATS // 2]}


def _wait():
    if torch.cuda.is_initialized():
        torch.cuda.synchronize()


def _text(report):
    first = report["unequal"][0] if report["unequal"] else None
    where = f"{first['kind']} of {first['name']}, relative difference {first['relative']:.3g}" if first else ""
    said = {
        EQUAL: f"All {report['compared']} tensors of the step are equal, bit for bit.",
        ROUNDED: f"{len(report['unequal'])} of {report['compared']} tensors differ as rounding does: the most in {where}.",
        DIFFERENT: f"{len(report['unequal'])} of {report['compared']} tensors differ by more than rounding does: the "
        f"most in {where}.",
    }[report["verdict"]]
    lines = [f"{report['peer']} against plain PyTorch {report['torch']}", f"  {said}"]
    if report["verdict"] == DIFFERENT and report["draws"]:
        lines.append("  The model has dropout: a peer that draws other numbers differs by that alone. Try it with p=0.")
    for name, key in (("plain", "plain"), (report["peer"], "with_peer")):
        figures = report[key]
        lines.append(f"  {name:<12} peak {size_text(figures['peak_bytes'])}, {figures['seconds'] * 1e3:.1f} ms a step")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
