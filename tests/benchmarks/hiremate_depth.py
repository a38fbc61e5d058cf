#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""HiRemate on deep transformers: one chain of blocks against a hierarchy of clusters, as a Markdown table.

GPT-2 with ever more layers, traced as for CUDA on the meta device: neither a GPU nor memory for its parameters is needed.

    .venv/bin/python tests/benchmarks/hiremate_depth.py [--layers 48,195] [--time-limits 30,120] [--budgets 50%,40%] [--bin build/bin]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

_ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(_ROOT / "resources" / "python")]


def main():
    options = _options()
    print("| layers | ops | budget | depth | overhead | lower bound | seconds |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        for layers, seconds in zip(options.layers, options.time_limits):
            trace = pathlib.Path(folder) / f"gpt2_{layers}.pt2"
            _trace(layers, options.width, trace)
            ops = _said(options.bin, "info", trace)["ops"]
            for budget in options.budgets:
                for depth in options.depths:
                    cells = _plan(options, trace, budget, depth, seconds)
                    print("| " + " | ".join(map(str, [layers, ops, budget, *cells])) + " |", flush=True)


def _options():
    def numbers(text):
        return [int(part) for part in text.split(",")]

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layers", type=numbers, default=[48, 195], help="of each transformer; default: 48,195")
    parser.add_argument("--time-limits", type=numbers, default=[30, 120], help="seconds a plan, of each transformer")
    parser.add_argument("--budgets", type=lambda text: text.split(","), default=["50%", "40%"])
    parser.add_argument("--depths", type=numbers, default=[1, 0], help="levels of clusters; 0: as many as needed")
    parser.add_argument("--width", type=int, default=768, help="of the transformers; default: 768")
    parser.add_argument("--bin", type=pathlib.Path, default=_ROOT / "build" / "bin", help="where remat is")
    return parser.parse_args()


def _trace(layers, width, path):
    import remat_studio
    import torch
    import transformers

    config = transformers.GPT2Config(n_layer=layers, n_embd=width, use_cache=False)
    with torch.device("meta"):
        model = transformers.GPT2LMHeadModel(config)
        ids = torch.zeros(8, 512, dtype=torch.long)
    remat_studio.trace(model.train(), {"input_ids": ids, "labels": ids}, None, path, weights=False, target="cuda")


def _said(programs, *command):
    """What `remat` says as JSON; none where it fails, which it explains."""
    done = subprocess.run([programs / "remat", *command, "--json"], stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout) if done.stdout else None


def _plan(options, trace, budget, depth, seconds):
    settings = ["--solver", "hiremate", "--set", f"depth={depth}", "--set", "rounds=0", "--device", "reference", "--threads", "2"]
    plan = _said(options.bin, "plan", trace, "--budget", budget, *settings, "--time-limit", str(seconds))
    if not plan or "peak_bytes" not in plan:
        return [depth or "by itself", "no plan", "", ""]
    bound = plan["lower_bound_overhead"]
    return [depth or "by itself", f"{plan['overhead']:.2%}", f"{bound:.2%}", f"{plan['seconds']:.0f}"]


if __name__ == "__main__":
    main()
