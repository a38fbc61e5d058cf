#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Training a Llama whose weights, gradients and states do not fit, as a Markdown table: plan, time, and what limits it.

Traced as for CUDA on the meta device: neither a GPU nor memory for the parameters is needed. The budget is the device's
memory less a share for fragmentation, the driver and the context.

    .venv/bin/python tests/benchmarks/weights_that_do_not_fit.py [--layers 32] [--device rtx4090] [--bin build/bin]
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
    memory = json.loads((_ROOT / "resources" / "devices" / f"{options.device}.json").read_text())["memory_bytes"]
    budget = int(memory * options.scale * (1 - options.free / 100) / 1024) * 1024
    missing = 0
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        trace = pathlib.Path(folder) / "llama.pt2"
        parameters = _trace(options, trace)
        print(f"{parameters:,} parameters, {options.batch} × {options.length} tokens, {options.dtype}, adamw, ", end="")
        print(f"{options.device}: a budget of {_size(budget)}\n")
        print("| updates on | planner | keep-all peak | peak | time | overhead | out, back | limited by | seconds |")
        print("|---|---|---|---|---|---|---|---|---|")
        for place in options.on:
            for planner in options.planners:
                cells = _plan(options, trace, budget, place, planner)
                missing += planner == "offmate" and cells[1] == "no plan"
                print("| " + " | ".join([place, planner, *cells]) + " |", flush=True)
    return 1 if missing else 0


def _options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layers", type=int, default=32)
    parser.add_argument("--hidden", type=int, default=4096)
    parser.add_argument("--inner", type=int, default=11008)
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--words", type=int, default=32000, help="of the vocabulary")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--length", type=int, default=2048, help="of each sequence")
    parser.add_argument("--dtype", default="bfloat16", help="of parameters and states")
    parser.add_argument("--device", default="rtx4090")
    parser.add_argument("--free", type=float, default=5, help="percent of the device's memory left free; default: 5")
    parser.add_argument("--scale", type=float, default=1, help="of the device's memory, for smaller models; default: 1")
    parser.add_argument("--on", nargs="+", default=["device", "host"], help="where updates run")
    parser.add_argument("--planners", nargs="+", default=["offload-greedy-star", "pofo", "offmate"])
    parser.add_argument("--time-limit", type=int, default=120, help="seconds a plan")
    parser.add_argument("--bin", type=pathlib.Path, default=_ROOT / "build" / "bin", help="where remat is")
    return parser.parse_args()


def _trace(options, path):
    import remat_studio
    import torch
    import transformers

    config = transformers.LlamaConfig(
        num_hidden_layers=options.layers,
        hidden_size=options.hidden,
        intermediate_size=options.inner,
        num_attention_heads=options.heads,
        vocab_size=options.words,
        use_cache=False,
    )
    with torch.device("meta"):
        model = transformers.LlamaForCausalLM(config).to(getattr(torch, options.dtype))
        ids = torch.zeros(options.batch, options.length, dtype=torch.long)
    remat_studio.trace(model.train(), {"input_ids": ids, "labels": ids}, None, path, weights=False, target="cuda")
    return sum(parameter.numel() for parameter in model.parameters())


def _size(count):
    return f"{count / 1024**3:.1f} GiB" if count >= 1024**3 else f"{count / 1024**2:.1f} MiB"


def _both(out, back):
    """Two sizes, with their unit once where it is the same."""
    (first, unit), second = _size(out).split(), _size(back)
    return f"{first}, {second}" if second.endswith(unit) else f"{first} {unit}, {second}"


def _time(us):
    return f"{us / 1e6:.2f} s" if us >= 1e6 else f"{us / 1e3:.2f} ms"


def _plan(options, trace, budget, place, planner):
    settings = ["--optimizer", "adamw", "--optimizer-on", place, "--set", "parameters=on", "--device", options.device]
    limits = ["--budget", str(budget), "--time-limit", str(options.time_limit), "--threads", "2"]
    command = [options.bin / "remat", "plan", trace, "--solver", planner, *settings, *limits, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    plan = json.loads(done.stdout) if done.stdout else {}
    if "peak_bytes" not in plan:
        return [_size(plan.get("keep_all_peak_bytes", 0)), "no plan", "", "", "", "", ""]
    limit = "nothing: it copies nothing"
    if "lanes_us" in plan:
        busy = {lane: f"{us / plan['time_us']:.0%}" for lane, us in plan["lanes_us"].items()}
        limit = f"{plan['limited_by']}: device {busy['compute']}, "
        limit += f"link {busy['to_host']} and {busy['from_host']}, host {busy['host']}"
    return [
        _size(plan["keep_all_peak_bytes"]),
        _size(plan["peak_bytes"]),
        _time(plan["time_us"]),
        f"{plan['overhead']:.1%}",
        _both(plan["offloaded_bytes"], plan["prefetched_bytes"]),
        limit,
        f"{plan['seconds']:.0f}",
    ]


if __name__ == "__main__":
    sys.exit(main())
