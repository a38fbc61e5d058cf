#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far Kusumoto's planners reduce the peak of networks, beside the published table, as Markdown.

Unit costs as in the paper: a convolution takes 10, all else 1. Parameters and what else lies beside the plan count, as they do in
measured peaks. Traced as for CUDA on stand-in tensors, without a GPU.

    .venv/bin/python tests/benchmarks/lower_set_table.py [--only vgg19,resnet50] [--time-limit 60] [--bin build/bin]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

_ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(_ROOT / "resources" / "python"), str(_ROOT / "resources" / "samples")]

# Name: batch, size of the pictures, and the published reductions in percent, approximate and exact.
_NETWORKS = {
    "unet": (8, 576, 45, 48),
    "resnet50": (96, 224, 62, 62),
    "resnet152": (48, 224, 75, 75),
    "vgg19": (64, 224, 36, 36),
    "pspnet": (2, 713, 71, 70),
    "densenet161": (32, 224, 81, 80),
    "torchvision_densenet161": (32, 224, 81, 80),
    "googlenet": (256, 224, 39, 39),
    "chainer_googlenet": (256, 224, 39, 39),
    "torchvision_googlenet": (256, 224, 39, 39),
}


def main():
    options = _options()
    print("| network | forward ops | keep-all | approximate | published | exact | published |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        for name in options.only or _NETWORKS:
            trace = pathlib.Path(folder) / f"{name}.pt2"
            _trace(name, options.batch, trace)
            costs = _unit_costs(options.bin, trace)
            info = _said(options.bin, "info", trace)
            beside, keep_all = info["resident_bytes"], info["keep_all"]["peak_bytes"]
            cells = [_reduction(options, trace, costs, planner, beside, keep_all) for planner in ("approx", "exact")]
            approximate, exact = (f"{published} %" for published in _NETWORKS[name][2:])
            total = f"{(keep_all + beside) / 2**30:.2f} GiB"
            row = [name, info["forward_ops"], total, cells[0], approximate, cells[1], exact]
            print("| " + " | ".join(map(str, row)) + " |", flush=True)


def _options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", type=lambda text: text.split(","), help=", ".join(_NETWORKS))
    parser.add_argument("--batch", type=int, help="pictures in a batch; default: by network, 8 to 256")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds a plan")
    parser.add_argument("--bin", type=pathlib.Path, default=_ROOT / "build" / "bin", help="where remat is")
    return parser.parse_args()


def _trace(name, batch, path):
    import lower_set_networks
    import models
    import remat_studio
    import torch
    import torchvision
    from torch.nn.functional import cross_entropy

    rows, size = batch or _NETWORKS[name][0], _NETWORKS[name][1]
    pictures = torch.zeros(rows, 3, size, size)
    label, labels = torch.zeros(rows, dtype=torch.long), torch.zeros(rows, size, size, dtype=torch.long)
    with_loss = {"unet": lambda: (models.UNet(classes=21, width=64, depth=4), labels),
                 "pspnet": lambda: (lower_set_networks.PspNet(), labels),
                 "googlenet": lambda: (lower_set_networks.GoogLeNet(), label),
                 "chainer_googlenet": lambda: (lower_set_networks.GoogLeNet(as_chainer=True), label)}
    if name in with_loss:
        model, target = with_loss[name]()
        args, loss = (pictures, target), None
    else:
        of_torchvision = name.removeprefix("torchvision_")
        settings = {"aux_logits": False, "init_weights": False} if of_torchvision == "googlenet" else {}
        make = lower_set_networks.DenseNet161 if name == "densenet161" else getattr(torchvision.models, of_torchvision)
        model, args = make(**settings), (pictures,)

        def loss(out):
            return cross_entropy(out, label)

    remat_studio.trace(model.train(), args, loss, path, weights=False, target="cuda")


def _said(programs, *command):
    """What `remat` says as JSON; none where it fails, which it explains."""
    done = subprocess.run([programs / "remat", *command, "--json"], stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout) if done.stdout else None


def _unit_costs(programs, trace):
    """A file of costs beside the trace: a convolution takes 10 µs, all else 1."""
    costs = _said(programs, "costs", trace)
    costs["time_us"] = {op: 10 if op.startswith("convolution") else 1 for op in costs["time_us"]}
    path = trace.with_suffix(".json")
    path.write_text(json.dumps(costs))
    return path


def _reduction(options, trace, costs, planner, beside, keep_all):
    settings = ["--set", "aim=smallest", "--set", "time-steps=10000", "--time-limit", str(options.time_limit)]
    command = ["plan", trace, "--solver", f"kusumoto-{planner}", "--budget", "100%", "--profile", costs, *settings]
    plan = _said(options.bin, *command)
    if not plan or "peak_bytes" not in plan:
        return "no plan"
    peak = 100 * (1 - (plan["peak_bytes"] + beside) / (keep_all + beside))
    stopped = ", stopped" if plan["seconds"] >= options.time_limit else ""
    return f"{peak:.0f} % (time +{100 * plan['overhead']:.0f} %{stopped})"


if __name__ == "__main__":
    main()
