#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Energy of POET's plans beside POFO's, Rotor's and Checkmate's at equal memory and time, on devices with energy figures, as Markdown.

Each of the others plans for time; then POET plans for energy and may take no longer than the slowest of them. Ends with 1 where one
of them takes less energy than POET, or where POET has no plan and one of them has.

    tests/benchmarks/poet_table.py [--devices mkr1000,jetson-tx2] [--budgets 60%] [--time-limit 5] [MODEL ...]
"""

import argparse
import json
import pathlib
import subprocess
import sys

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_AUTHORS_DEVICES = ["mkr1000", "nrf52840", "raspberry-pi-4", "jetson-tx2"]
_SAMPLES = ["tiny_gpt2", "tiny_resnet", "tiny_unet", "tiny_transformer", "gpt2", "resnet50", "unet", "transformer"]
_OTHERS = ["pofo", "rotor", "checkmate"]
_SAME = 1 + 1e-9


def main():
    options = _options()
    print("| model | ops | device | budget | keep-all, J | " + " | ".join(_OTHERS) + " | poet | status |")
    print("|---|---|---|---|---|" + "---|" * len(_OTHERS) + "---|---|")
    losses = []
    for model in options.models:
        for device in options.devices:
            for budget in options.budgets:
                losses += _case(options, model, device, budget)
    for loss in losses:
        print(loss, file=sys.stderr)
    sys.exit(1 if losses else 0)


def _options():
    def words(text):
        return text.split(",")

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", help="traces or graphs; the eight samples when left out")
    parser.add_argument("--devices", type=words, default=_AUTHORS_DEVICES, help="names, or `all` that have energy figures")
    parser.add_argument("--budgets", type=words, default=["60%"])
    parser.add_argument("--time-limit", type=float, default=5, help="seconds a plan")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--bin", type=pathlib.Path, default=_ROOT / "build" / "bin", help="where remat is")
    options = parser.parse_args()
    samples = _ROOT / "resources" / "samples"
    options.models = options.models or [str(samples / f"{name}.pt2") for name in _SAMPLES]
    if options.devices == ["all"]:
        files = sorted((_ROOT / "resources" / "devices").glob("*.json"))
        options.devices = [file.stem for file in files if "joules_per_byte" in json.loads(file.read_text())]
    return options


def _said(options, *command):
    """What `remat` says as JSON; none where the planner is not for such a graph."""
    done = subprocess.run([options.bin / "remat", *command, "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return json.loads(done.stdout) if done.stdout else None


def _plan(options, model, device, budget, solver, *settings):
    said = _said(options, "plan", model, "--device", device, "--budget", budget, "--solver", solver, "--threads",
                 str(options.threads), "--time-limit", str(options.time_limit), *settings)
    return said if said and "energy_joules" in said else None


def _case(options, model, device, budget):
    """Prints a row; sentences about what is worse than it may be."""
    others = {name: _plan(options, model, device, budget, name) for name in _OTHERS}
    plans = [plan for plan in others.values() if plan]
    settings = ["--set", "objective=energy"]
    if plans:
        slowest = max(plan["overhead"] for plan in plans)
        settings += ["--set", f"overhead-limit={max(100 * slowest * _SAME, 1e-6):.9f}"]
    poet = _plan(options, model, device, budget, "poet", *settings)
    keep_all = (poet or {}).get("keep_all_energy_joules") or (plans[0]["keep_all_energy_joules"] if plans else 0)

    def cell(plan):
        return f"{100 * (plan['energy_joules'] / keep_all - 1):+.3f} %" if plan else "no plan"

    name = pathlib.Path(model).stem
    ops = _said(options, "info", model)["ops"]
    print("| " + " | ".join([name, str(ops), device, budget, f"{keep_all:.4g}", *[cell(others[each]) for each in _OTHERS], cell(poet),
                             poet["status"] if poet else "–"]) + " |", flush=True)
    losses = []
    for other, plan in others.items():
        if plan and (not poet or poet["energy_joules"] > plan["energy_joules"] * _SAME):
            losses.append(f"{name} on {device} at {budget}: {other} takes {cell(plan)}, POET {cell(poet)}.")
    return losses


if __name__ == "__main__":
    main()
