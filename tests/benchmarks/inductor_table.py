#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plans against PyTorch's own ratio with Inductor's kernels in all: predicted and measured peak, time; prints a table.

Each step is compiled with PyTorch's partitioner at some of its ratios, a share of saved bytes, and with plans at some
budgets, in percent of what plain Inductor holds; "1%" gives the least that is found. Predicted is the peak before any
kernel was compiled, measured the one that the allocator saw in a step. GF are floating-point operations of matrix
products, convolutions and attention beyond plain Inductor's. Times are over plain Inductor's, of the fastest of some
rounds in which both take turns; without a GPU they are the processor's, which other work on the machine changes least.
In brackets they are counted, from operations and bytes of all kernels by the rates of a device, as plans count them. Each row is printed, and added to a file, as soon as it is measured. The last line of a
model has the lowest peaks. It ends with 1 where a measured peak is not the predicted one, or over its budget.

    .venv/bin/python tests/benchmarks/inductor_table.py [--only gpt2,llama] [--budgets 80%,60%] [--ratios 0.5] [--quick]

``--quick`` has kernels compiled for one number at a time and leaves out times: peaks are the same. ``--no-kernels``
does not compile them at all: the steps allocate what they do, call libraries, and their fused kernels do nothing, which
the allocator does not see. Values are wrong then. ``--device cuda`` takes larger models. With ``--lock FILE`` several of
these programs, each with other models, share a device: they plan and compile side by side, and one at a time measures.
"""

import argparse
import fcntl
import gc
import os
import pathlib
import sys
import tempfile
import time
import warnings
from contextlib import contextmanager, nullcontext
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources" / "python"), str(pathlib.Path(__file__).parent)]
os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))
# Else the allocator gives out blocks that are up to 1 MiB larger than what is asked for, and counts them whole.
os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")

import torch  # noqa: E402
import train_measure  # noqa: E402
from remat_studio import torch_private  # noqa: E402
from remat_studio.train import costs, records  # noqa: E402
from remat_studio.train.inductor_peak import inductor_peak  # noqa: E402
from remat_studio.train.step_graph import StepGraph  # noqa: E402
from torch._functorch import config as functorch_config  # noqa: E402
from torch._functorch.partitioners import min_cut_rematerialization_partition  # noqa: E402
from torch._inductor import config  # noqa: E402
from torch._inductor.async_compile import AsyncCompile  # noqa: E402
from torch._inductor.custom_graph_pass import CustomPartitionerFn  # noqa: E402
from train_models import MODELS  # noqa: E402

_WORDS = {"rows": 8, "length": 64}
_WIDE_WORDS = {"rows": 8, "length": 512, "vocabulary": 1009}
_GPT2 = {"n_embd": 768, "n_head": 12, "n_positions": 512}
SIZES = {
    "cpu": {
        "gpt2": _WORDS | {"n_layer": 4},
        "llama": _WORDS | {"num_hidden_layers": 2},
        "vit": {"num_hidden_layers": 2},
        "resnet18": {"rows": 16, "size": 128},
        "t5": _WORDS,
        "convnext": {"blocks": 4},
        "tiny_unet": {},
        "lora_gpt2": _WORDS | {"n_layer": 2},
    },
    "cuda": {
        "gpt2": _WIDE_WORDS | _GPT2,
        "llama": _WIDE_WORDS | {"hidden_size": 1024, "intermediate_size": 2816, "num_attention_heads": 16},
        "vit": {"rows": 32, "image_size": 224, "patch_size": 16, "hidden_size": 768, "intermediate_size": 3072},
        "resnet18": {"rows": 32, "size": 224},
        "t5": _WIDE_WORDS | {"d_model": 512, "d_kv": 64, "d_ff": 2048, "num_heads": 8},
        "convnext": {"rows": 32, "size": 224, "width": 96},
        "tiny_unet": {"width": 32, "batch": 8, "size": 128},
        "lora_gpt2": _WIDE_WORDS | _GPT2,
    },
}
QUICK = {"cpp.simdlen": 1, "cpp.vec_isa_ok": True, "compile_threads": 1}
ALLOWED = 0.001  # share of the predicted peak
MIB = 2**20


class Ratio(CustomPartitionerFn):
    """PyTorch's partitioner, and what its cut holds."""

    def __call__(self, module, joint_inputs, **arguments):
        raw = StepGraph.of_joint_graph(torch_private.copied(module), arguments["num_fwd_outputs"])
        halves = min_cut_rematerialization_partition(module, joint_inputs, **arguments)
        self.predicted = inductor_peak(*halves, arguments["num_fwd_outputs"])
        self.time_us = costs.device(None, raw).time_of(raw)(self.predicted)
        return halves

    def __reduce__(self):
        return str, ("ratio",)

    def uuid(self):
        return "ratio"


def main():
    options = parser().parse_args()
    begin = time.monotonic()
    folder = tempfile.TemporaryDirectory(prefix="remat-")
    os.environ["XDG_CACHE_HOME"] = folder.name
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(pathlib.Path(folder.name) / "inductor"))
    table = Table(options.out)
    options.quick |= options.no_kernels
    with config.patch(QUICK if options.quick else {}), without_kernels() if options.no_kernels else nullcontext():
        for name in options.only or SIZES[options.device]:
            rows_of(name, options, table, begin + 60 * options.minutes)
    return 1 if table.defects else 0


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--only", type=lambda text: text.split(","), help="names of models, from train_models.py")
    shares = ["90%", "80%", "70%", "60%", "50%", "1%"]
    made.add_argument("--budgets", type=lambda text: text.split(",") if text else [], default=shares)
    ratios = [0.75, 0.5, 0.25, 0.0]
    made.add_argument("--ratios", type=lambda text: [float(part) for part in text.split(",")], default=ratios)
    made.add_argument("--rounds", type=int, default=10)
    made.add_argument("--time-limit", type=float, default=5)
    made.add_argument("--device", choices=list(SIZES), default="cpu")
    made.add_argument("--minutes", type=float, default=1e9, help="after these no further row is begun")
    made.add_argument("--out", help="a file that rows are added to")
    made.add_argument("--lock", help="a file that programs which share a device hold while they measure")
    made.add_argument("--quick", action="store_true", help="no times, and kernels that compile sooner")
    made.add_argument("--no-kernels", action="store_true", help="no times, and fused kernels that do nothing; for CPUs")
    return made


def without_kernels():
    """A context in which Inductor gets functions that do nothing for its C++ kernels."""
    return mock.patch.object(AsyncCompile, "cpp_pybinding", lambda *_: lambda *_: None)


@contextmanager
def alone(path):
    """A context that one program at a time is in, of all that are given the same file."""
    if path is None:
        yield
        return
    with open(path, "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


class Table:
    """Rows, as they come."""

    def __init__(self, path):
        self._path = path
        self.defects = 0
        self.line("| model | way | budget, MiB | predicted, MiB | measured, MiB | off by, B | GF more | time | cuts |")
        self.line("|---|---|---|---|---|---|---|---|---|")

    def line(self, text):
        print(text, flush=True)
        if self._path:
            with open(self._path, "a") as file:
                file.write(text + "\n")

    def row(self, name, way, asked, predicted, held, flops, time, cuts):
        remarks = []
        if abs(held - predicted) > ALLOWED * predicted:
            remarks.append(f"**off by {100 * (held / predicted - 1):+.2f} %**")
        if asked and predicted > asked:
            remarks.append("not met")
        elif asked and held > (1 + ALLOWED) * asked:
            remarks.append("**over its budget**")
        self.defects += any("*" in remark for remark in remarks)
        within = " ".join([f"{asked / MIB:.2f}" if asked else "–", *remarks])
        self.line(
            f"| {name.replace('_', ' ')} | {way} | {within} | {predicted / MIB:.2f} | {held / MIB:.2f} | "
            f"{held - predicted:+d} | {flops / 1e9:.3f} | {time} | {cuts} |"
        )


def rows_of(name, options, table, end):
    """Measures one model in all ways; none is begun after the moment ``end``."""
    torch._dynamo.reset()
    torch._dynamo.config.recompile_limit = 64
    lowest = {"PyTorch's": float("inf"), "ours": float("inf")}
    model = None
    for way in (1.0, *options.ratios, *options.budgets):
        if time.monotonic() > end:
            break
        try:
            model = model or Model(name, options)
            side, held = model.row_of(way, table)
        except Exception as error:  # the next way may go
            said = " ".join(str(error).splitlines()[:2])
            table.line(f"| {name} | {way} | {type(error).__name__}: {said[:150]} |" + " |" * 6)
            table.defects += 1
            continue
        lowest[side] = min(lowest[side], held)
    texts = [f"{side} {held / MIB:.2f} MiB" for side, held in lowest.items() if held < float("inf")]
    if texts:
        table.line(f"| {name.replace('_', ' ')} | lowest measured: {', '.join(texts)} |" + " |" * 7)


class Model:
    """A model of the table, its batch, and its plain step after that was measured."""

    def __init__(self, name, options):
        torch.manual_seed(0)
        model, batch, self._loss = MODELS[name](**SIZES[options.device][name])
        self._name = name
        self._options = options
        self._model = model.to(options.device)
        self._given = [value.to(options.device) for value in batch(0)]
        self._plain = self._plain_flops = self._plain_us = None

    def row_of(self, way, table):
        """Print the row of a ratio of PyTorch's, a number, or of a budget of ours; whose way it is, and what it held."""
        model, options, is_own = self._model, self._options, isinstance(way, str)
        step, asked, predicted, flops, counted_us, cuts = made(
            lambda: self._loss(model, *self._given), model, way, options
        )
        ratio, is_plain = "–", way == 1.0
        with alone(options.lock):
            held = peak(step, model, options.device)
            if self._plain and not is_plain:
                ratio = f"({counted_us / self._plain_us:.3f})"
                if not options.quick:
                    best = fastest({"plain": self._plain, "own": step}, model, options)
                    ratio = f"{best['own'] / best['plain']:.2f} {ratio}"
        if is_plain:
            self._plain, self._plain_flops, self._plain_us = step, flops, counted_us
        label = way if is_own else "plain" if is_plain else f"ratio {way:g}"
        table.row(self._name, label, asked, predicted, held, flops - (self._plain_flops or 0), ratio, cuts)
        return "ours" if is_own else "PyTorch's", held


def made(step, model, way, options):
    """A compiled step after its first call, its budget or None, its predicted peak, work and time, cuts tried."""
    if isinstance(way, str):
        settings = {"budget": way, "codegen": "inductor", "time_limit": options.time_limit}
        compiled = torch.compile(step, backend="remat", fullgraph=True, options=settings)
        compiled = train_measure.fresh(model, compiled)
        record = records()[-1]
        predicted = record["predicted"]
        asked = record["budget_bytes"]
        return compiled, asked, predicted["peak_bytes"], predicted["flops"], predicted["time_us"], len(record["tried"])
    partitioner = Ratio()
    with functorch_config.patch(activation_memory_budget=way, enable_autograd_cache=False):
        compiled = torch.compile(step, fullgraph=True, options={"custom_partitioner_fn": partitioner})
        compiled = train_measure.fresh(model, compiled)
    found = partitioner.predicted
    return compiled, None, found.step_bytes, found.flops, partitioner.time_us, 1


def peak(step, model, device):
    """The peak of one step; no gradients are left."""
    gc.collect()
    if device == "cuda":
        torch.cuda.synchronize()
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        step().backward()
        torch.cuda.synchronize()
        held = torch.cuda.max_memory_allocated() - before
    else:
        held = train_measure.peak(step)
    model.zero_grad(set_to_none=True)
    return held


def fastest(steps, model, options):
    """Seconds of each way."""
    clock = time.process_time
    if options.device == "cuda":
        clock = time.perf_counter
        steps = {name: OnCuda(step) for name, step in steps.items()}
    best = train_measure.fastest(steps, model, options.rounds, clock)
    model.zero_grad(set_to_none=True)
    return best


class OnCuda:
    """A step whose backward waits for the GPU."""

    def __init__(self, step):
        self._step = step

    def __call__(self):
        torch.cuda.synchronize()
        self._loss = self._step()
        return self

    def backward(self):
        self._loss.backward()
        del self._loss
        torch.cuda.synchronize()


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sys.exit(main())
