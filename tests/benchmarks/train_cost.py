#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the runtime costs: a plan that keeps everything against eager PyTorch and torch.compile's aot_eager, on three sizes.

    .venv/bin/python tests/benchmarks/train_cost.py [--rounds 10] [--sizes small,middle,large]
"""

import argparse
import os
import pathlib
import sys
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources" / "python"), str(pathlib.Path(__file__).parent)]
os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))
os.environ.setdefault("HF_HUB_OFFLINE", "1")

import remat_studio  # noqa: E402, F401 (makes the backend known)
import torch  # noqa: E402
import transformers  # noqa: E402
from torch.nn.functional import cross_entropy  # noqa: E402
from train_measure import fastest, fresh  # noqa: E402

SIZES = {"small": (2, 64, 2, 32), "middle": (4, 256, 4, 128), "large": (6, 512, 8, 256)}  # layers, width, rows, length


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--rounds", type=int, default=10)
    made.add_argument("--sizes", type=lambda text: text.split(","), default=list(SIZES))
    return made


def gpt2(layers, width, rows, length):
    """A model without dropout, and a function that gives the loss of a batch."""
    config = transformers.GPT2Config(
        n_layer=layers, n_embd=width, n_head=width // 64, resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0
    )
    torch.manual_seed(0)
    model = transformers.GPT2LMHeadModel(config).train()
    ids = torch.randint(0, 50257, (rows, length))

    def step():
        logits = model(input_ids=ids).logits
        return cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())

    return model, step


def compiled(step, backend, **options):
    return torch.compile(step, backend=backend, fullgraph=True, **({"options": options} if options else {}))


def main():
    options = parser().parse_args()
    print("| size | eager, ms | aot_eager | keep-all plan |")
    print("|---|---|---|---|")
    for size in options.sizes:
        torch._dynamo.reset()
        model, step = gpt2(*SIZES[size])
        ways = {
            "eager": step,
            "aot_eager": fresh(model, compiled(step, "aot_eager")),
            "plan": fresh(model, compiled(step, "remat", budget="100%", time_limit=1.0, cache=False)),
        }
        best = fastest(ways, model, options.rounds)
        shares = [f"{100 * (best[way] / best['eager'] - 1):+.1f} %" for way in ("aot_eager", "plan")]
        print(f"| {size} | {1000 * best['eager']:.1f} | {' | '.join(shares)} |", flush=True)


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    sys.exit(main())
