#!/usr/bin/env python3
"""Plans against PyTorch's own ratio with Inductor's kernels in all: predicted and measured peak, time; prints a table.

Each step is compiled with PyTorch's partitioner at some of its ratios, a share of saved bytes, and with plans at some
budgets, in percent of what plain Inductor holds. Predicted is the peak before any kernel was compiled, measured the one
that the allocator saw in a step. GF are floating-point operations of matrix products, convolutions and attention
beyond plain Inductor's. Times are over plain Inductor's, of the fastest of some rounds in which all ways take turns.
``--quick`` has kernels compiled for one number at a time and leaves out times: peaks are the same.

    .venv/bin/python tests/benchmarks/inductor_table.py [--only gpt2,llama] [--budgets 80%,60%] [--ratios 0.5] [--quick]
"""

import argparse
import os
import pathlib
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources" / "python"), str(pathlib.Path(__file__).parent)]
os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))

import torch  # noqa: E402
from remat_studio.train import records  # noqa: E402
from remat_studio.train.inductor_peak import inductor_peak  # noqa: E402
from torch._functorch import config as functorch_config  # noqa: E402
from torch._functorch.partitioners import min_cut_rematerialization_partition  # noqa: E402
from torch._inductor import config  # noqa: E402
from torch._inductor.custom_graph_pass import CustomPartitionerFn  # noqa: E402
from train_measure import fastest, fresh, peak  # noqa: E402
from train_models import MODELS  # noqa: E402

MODELS_OF_THE_TABLE = ["gpt2", "llama", "vit", "resnet18", "t5", "convnext", "tiny_unet", "lora_gpt2"]
QUICK = {"cpp.simdlen": 1, "cpp.vec_isa_ok": True, "compile_threads": 1, "cpp_cache_precompile_headers": False}
MIB = 2**20


class Ratio(CustomPartitionerFn):
    """PyTorch's partitioner, and what its cut holds."""

    def __call__(self, module, joint_inputs, **arguments):
        halves = min_cut_rematerialization_partition(module, joint_inputs, **arguments)
        self.predicted = inductor_peak(*halves, arguments["num_fwd_outputs"])
        return halves

    def __reduce__(self):
        return str, ("ratio",)

    def uuid(self):
        return "ratio"


def main():
    options = parser().parse_args()
    folder = tempfile.TemporaryDirectory(prefix="remat-")
    os.environ["XDG_CACHE_HOME"] = folder.name
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(pathlib.Path(folder.name) / "inductor"))
    print("| model | way | budget, MiB | predicted, MiB | measured, MiB | measured − predicted, B | GF more | time |")
    print("|---|---|---|---|---|---|---|---|")
    with config.patch(QUICK if options.quick else {}):
        for name in options.only or MODELS_OF_THE_TABLE:
            table_of(name, options)


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--only", type=lambda text: text.split(","), help="names of models, from train_models.py")
    made.add_argument("--budgets", type=lambda text: text.split(","), default=["90%", "80%", "70%", "60%", "45%"])
    made.add_argument("--ratios", type=lambda text: [float(part) for part in text.split(",")], default=[0.5, 0.3, 0.1])
    made.add_argument("--rounds", type=int, default=10)
    made.add_argument("--time-limit", type=float, default=5)
    made.add_argument("--quick", action="store_true", help="no times, and kernels that compile sooner")
    return made


def table_of(name, options):
    """Prints the rows of one model."""
    torch._dynamo.reset()
    torch._dynamo.config.recompile_limit = 64
    torch.manual_seed(0)
    model, batch, loss = MODELS[name]()
    given = batch(0)

    def step():
        return loss(model, *given)

    steps, rows = {}, []
    for ratio in (1.0, *options.ratios):
        way, partitioner = "plain" if ratio == 1 else f"ratio {ratio:g}", Ratio()
        with functorch_config.patch(activation_memory_budget=ratio, enable_autograd_cache=False):
            settings = {"custom_partitioner_fn": partitioner}
            steps[way] = fresh(model, torch.compile(lambda: step(), fullgraph=True, options=settings))
        made = partitioner.predicted
        rows.append((way, None, made.step_bytes, measured(model, steps[way]), made.flops))
    for budget in options.budgets:
        settings = {"budget": budget, "codegen": "inductor", "time_limit": options.time_limit}
        steps[budget] = fresh(model, torch.compile(lambda: step(), backend="remat", fullgraph=True, options=settings))
        record = records()[-1]
        made = record["predicted"]
        rows.append((budget, record["budget_bytes"], made["peak_bytes"], measured(model, steps[budget]), made["flops"]))
    best = {} if options.quick else fastest(steps, model, options.rounds)
    plain_flops = rows[0][4]
    for way, asked, predicted, held, flops in rows:
        time = f"{best[way] / best['plain']:.2f}" if best else "–"
        within = f"{asked / MIB:.2f}{'' if predicted <= asked else ', not met'}" if asked else "–"
        print(
            f"| {name.replace('_', ' ')} | {way} | {within} | {predicted / MIB:.2f} | {held / MIB:.2f} | "
            f"{held - predicted:+d} | {(flops - plain_flops) / 1e9:.3f} | {time} |",
            flush=True,
        )


def measured(model, step):
    """The peak of one step; no gradients are left."""
    held = peak(step)
    model.zero_grad(set_to_none=True)
    return held


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sys.exit(main())
