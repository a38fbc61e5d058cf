#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plan and proven bound on networks with long skips and on random layered graphs, as Markdown.

DeepLab v3+, U-Net++ and a diffusion U-Net (skip_networks.py) are traced as for CUDA on stand-in tensors, without a GPU;
`random-250` and `random-500` are graphs of made_graphs.py.

    .venv/bin/python tests/benchmarks/skip_table.py [--only unetpp,random-250] [--budgets 60% 40%] [--bin build/bin]
"""

import argparse
import json
import pathlib
import sys
import tempfile

import made_graphs
import plan_table

_ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(_ROOT / "resources" / "python")]

_NAMES = ["deeplab", "unetpp", "diffusion", "random-250", "random-500"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", type=lambda text: text.split(","), default=_NAMES, help=", ".join(_NAMES))
    parser.add_argument("--budgets", nargs="+", default=["60%", "50%", "40%"])
    parser.add_argument("--solver", default="auto")
    parser.add_argument("--time-limit", type=float, default=10, help="seconds a plan")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bin", type=pathlib.Path, default=_ROOT / "build" / "bin", help="where remat is")
    options = parser.parse_args()
    print("| model | budget | peak | overhead | lower bound | seconds | checked |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        for name in options.only:
            model = _made(name, pathlib.Path(folder))
            print(f"| **{name}** | | | | | | |", flush=True)
            for budget in options.budgets:
                print(plan_table.row(options.bin, str(model), budget, options)[0], flush=True)


def _made(name, folder):
    kind, _, ops = name.partition("-")
    if ops:
        path = folder / f"{name}.json"
        path.write_text(json.dumps(made_graphs.MAKERS[kind](int(ops))))
        return path
    import remat_studio
    import skip_networks

    path = folder / f"{name}.pt2"
    model, args = skip_networks.NETWORKS[name]()
    remat_studio.trace(model.train(), args, None, path, weights=False, target="cuda")
    return path


if __name__ == "__main__":
    main()
