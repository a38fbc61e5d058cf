#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far rounded plans of Checkmate's relaxation are from the best ones, beside the published ratios, as Markdown.

Counted as the authors' sweep does (`experiment_budget_sweep.py`): each method is run at several budgets, the relaxation also at
smaller ones than that of the plan, and what a method has at a budget is its fastest plan of all those runs that fits; a ratio is that time over the least one, as a geometric mean over the budgets for
which the method has a plan. The least time is that of the best plan known, by any method here or `auto`; behind it stands the ratio
to the proven bound, which the true ratio does not exceed. Traced as for CUDA on stand-in tensors, without a GPU; costs of the
device `reference`. With `--keep` a run that was interrupted goes on where it was, and budgets may be run one by one first.

    .venv/bin/python tests/benchmarks/checkmate_rounding.py [--only vgg16,unet] [--time-limit 60] [--bin build/bin] [--keep FOLDER]
"""

import argparse
import hashlib
import json
import math
import pathlib
import subprocess
import sys
import tempfile

_ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(_ROOT / "resources" / "python"), str(_ROOT / "resources" / "samples")]

# As the paper calls them, with the planner here. The first is what the table is about.
_METHODS = {
    "two-phase rounding": ["checkmate-lp", "max-ops=2000", "every=on", "allowance=0", "step=1"],
    "AP √n": ["chen-sqrt", "points=articulation"],
    "AP greedy": ["chen-greedy", "points=articulation"],
    "Griewank log n": ["revolve", "points=articulation"],
}

# Name: batch, size of the pictures, and the published ratio of each method. The batches are those of the authors' artifact.
_NETWORKS = {
    "mobilenet": (512, (224, 224), (1.06, 1.14, 1.07, 7.07)),
    "vgg16": (256, (224, 224), (1.01, 1.28, 1.06, 1.44)),
    "vgg16_layers": (256, (224, 224), (1.01, 1.28, 1.06, 1.44)),
    "vgg19": (256, (224, 224), (1.00, 1.54, 1.39, 1.75)),
    "vgg19_layers": (256, (224, 224), (1.00, 1.54, 1.39, 1.75)),
    "unet": (32, (416, 608), (1.03, 1.27, 1.23, None)),
    "resnet50": (256, (224, 224), (1.05, 1.20, 1.25, None)),
}


def main():
    options = _options()
    print("| network | ops | budgets | " + " | ".join(f"{method} | published" for method in _METHODS) + " |")
    print("|---|---|---|" + "---|---|" * len(_METHODS))
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        options.keep = options.keep or pathlib.Path(folder)
        options.keep.mkdir(parents=True, exist_ok=True)
        for name in options.only or _NETWORKS:
            trace = options.keep / f"{name}_{options.batch or _NETWORKS[name][0]}.pt2"
            if not trace.exists():
                _trace(name, options.batch, trace)
            ops = _said(options, "info", trace)["ops"]
            ratios, budgets = _ratios(options, name, trace)
            published = ["–" if ratio is None else f"{ratio:.2f}" for ratio in _NETWORKS[name][2]]
            cells = [cell for method, known in zip(_METHODS, published) for cell in (_mean(ratios[method]), known)]
            span = f"{budgets[0]}–{budgets[-1]} %" if budgets else "none"
            print("| " + " | ".join([name, str(ops), span, *cells]) + " |", flush=True)


def _options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", type=lambda text: text.split(","), help=", ".join(_NETWORKS))
    parser.add_argument("--batch", type=int, help="pictures in a batch; default: by network, 32 to 512")
    parser.add_argument("--budgets", type=lambda text: [int(each) for each in text.split(",")],
                        default=[90, 80, 70, 60, 50, 40], help="compared at, in percent of keep-all's peak")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds a plan; a sixth of it for `auto`")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for traces and answers; what stands there is not made again")
    parser.add_argument("--bin", type=pathlib.Path, default=_ROOT / "build" / "bin", help="where remat is")
    return parser.parse_args()


def _mobilenet():
    """The first MobileNet, which torchvision does not have: thirteen depthwise and pointwise convolutions."""
    from torch import nn

    layers, channels = [], 3

    def add(to, kernel, stride, groups=1):
        nonlocal channels
        layers.append(nn.Conv2d(channels, to, kernel, stride, kernel // 2, groups=groups, bias=False))
        layers.extend([nn.BatchNorm2d(to), nn.ReLU6()])
        channels = to

    add(32, 3, 2)
    for to, stride in [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2), (1024, 1)]:
        add(channels, 3, stride, groups=channels)
        add(to, 1, 1)
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 1000))


def _network(name):
    import torchvision

    if name == "mobilenet":
        return _mobilenet()
    return _vgg(name) if name.startswith("vgg") else getattr(torchvision.models, name)()


def _vgg(name):
    """As the authors' networks, whose nodes are layers, `_layers` has no activations of their own: in Keras they are part of the
    convolution, which holds their result instead of its own."""
    import torchvision
    from torch import nn

    model = getattr(torchvision.models, name.removesuffix("_layers"))()
    if name.endswith("_layers"):
        for part in (model.features, model.classifier):
            for index, layer in enumerate(part):
                if isinstance(layer, nn.ReLU):
                    part[index] = nn.Identity()
    return model


def _trace(name, batch, path):
    import models
    import remat_studio
    import torch
    import torchvision
    from torch.nn.functional import cross_entropy

    rows, size = batch or _NETWORKS[name][0], _NETWORKS[name][1]
    pictures = torch.zeros(rows, 3, *size)
    if name == "unet":
        target = torch.zeros(rows, *size, dtype=torch.long)
        model, args, loss = models.UNet(classes=21, width=64, depth=4), (pictures, target), None
    else:
        model, args = _network(name), (pictures,)
        target = torch.zeros(rows, dtype=torch.long)

        def loss(out):
            return cross_entropy(out, target)

    remat_studio.trace(model.train(), args, loss, path, weights=False, target="cuda")


def _said(options, *command):
    """What `remat` says as JSON; none where it fails or has no plan."""
    kept = options.keep / (hashlib.sha256(" ".join(map(str, command)).encode()).hexdigest()[:16] + ".json")
    if not kept.exists():
        done = subprocess.run([options.bin / "remat", *command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        kept.write_text(done.stdout)
    said = kept.read_text()
    return json.loads(said) if said else None


def _ratios(options, name, trace):
    """Per method the ratios to the best plan and to the bound, one pair a budget, and the budgets that have a plan."""
    keep_all = _said(options, "info", trace)["keep_all"]["peak_bytes"]
    sweeps = {method: [_plan(options, trace, percent, call) for percent in options.budgets] for method, call in _METHODS.items()}
    ratios = {method: [] for method in _METHODS}
    budgets = []
    for percent in options.budgets:
        best = _plan(options, trace, percent, ["auto"], options.time_limit / 6)
        if not best:
            continue
        fitting = {method: [plan["time_us"] for plan in plans if plan and 100 * plan["peak_bytes"] <= percent * keep_all]
                   for method, plans in sweeps.items()}
        least = min([best["time_us"], *(min(times) for times in fitting.values() if times)])
        bound = min(best["lower_bound_time_us"], least)
        budgets.append(percent)
        for method, times in fitting.items():
            if times:
                ratios[method].append((min(times) / least, min(times) / bound))
        said = ", ".join(f"{method} {min(times) / least:.3f}" if times else f"{method} none" for method, times in fitting.items())
        print(f"{name} at {percent} %: {least / 1000:.1f} ms, bound {bound / least:.3f} of it; {said}", file=sys.stderr)
    return ratios, budgets


def _plan(options, trace, percent, call, seconds=None):
    """What `remat plan --json` says of a plan; none where there is none."""
    solver, *settings = call
    limit = ["--time-limit", str(seconds or options.time_limit)]
    command = ["plan", trace, "--solver", solver, "--budget", f"{percent}%", *limit]
    plan = _said(options, *command, *[word for setting in settings for word in ("--set", setting)])
    return plan if plan and "time_us" in plan else None


def _mean(pairs):
    """`1.02 (≤ 1.03)`: geometric means of both ratios; with the number of budgets in square brackets."""
    if not pairs:
        return "no plan"
    to_best, to_bound = (math.exp(sum(map(math.log, ratios)) / len(pairs)) for ratios in zip(*pairs))
    return f"{to_best:.2f} (≤ {to_bound:.2f}) [{len(pairs)}]"


if __name__ == "__main__":
    main()
