# SPDX-License-Identifier: Apache-2.0
"""``python -m remat_studio sweep --dask ADDRESS MODEL…``: the arguments and the output of ``remat sweep``."""

import argparse
import json
import pathlib
import sys

from . import planning, table

DONE, NO, BAD_INPUT = 0, 1, 2
_PASSED_ON = ("keep", "recompute", "never")


def main(arguments):
    """Sweep and print; returns the exit code."""
    options = _parser().parse_args(arguments)
    try:
        if options.lines and options.output == "-":
            raise planning.SweepError("--lines and -o - both want standard output. Name a file with -o.")
        points = _run(options)
        if options.plans:
            planning.write_plans(points, options.plans)
        _write(points, options)
    except (planning.SweepError, OSError) as error:
        print(f"remat sweep: {error}", file=sys.stderr)
        return BAD_INPUT
    return DONE if any(point["plan"] for point in points) else NO


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m remat_studio sweep",
        description="Several planners over many budgets, as one table, planned by the workers of a Dask cluster.",
    )
    add = parser.add_argument
    add("models", metavar="MODEL", nargs="+", type=pathlib.Path, help="trace (.pt2) or graph (.json)")
    add("--dask", metavar="ADDRESS", help="scheduler of the cluster, as in tcp://host:8786; without it, this machine")
    add("--budgets", required=True, help="a range with both ends, 90%%:20%%:-10, or a list, 60%%,4GiB")
    add("--planner", "--solver", dest="solver", default="auto", help="planners, separated by commas, or all (auto)")
    add(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="of all planners that have it; PLANNER.KEY of one",
    )
    for name in _PASSED_ON:
        add(f"--{name}", metavar="NAME", action="append", default=[], help="an op, a storage or a module")
    add("--time-limit", default="60", help="seconds for each plan; default 60")
    add("--threads", help="worker threads of each plan; default all cores")
    add("--seed", default="0", help="the same seed gives the same plan")
    costs = parser.add_mutually_exclusive_group()
    costs.add_argument("--device", help="cost model of this device; default reference")
    costs.add_argument("--profile", metavar="FILE", help="measured costs, made by remat profile")
    add("--chunk", metavar="CHUNKS", help="auto, or as in head=8: ops that run in chunks; default off")
    add("--never-chunk", metavar="NAME", action="append", default=[], help="an op that runs in no chunks")
    add("--chunk-sums-as-they-are", action="store_true", help="half-precision sums of chunks in their own type")
    add("-o", "--output", metavar="FILE", help="table to write, as CSV; - for standard output")
    add("--plans", metavar="FOLDER", help="folder to write every plan into")
    said = parser.add_mutually_exclusive_group()
    said.add_argument("--json", action="store_true", help="print one JSON object for each model")
    said.add_argument("--lines", action="store_true", help="print each plan as it arrives, a line of JSON with its file")
    return parser


def _run(options):
    flags = ["--time-limit", options.time_limit, "--seed", options.seed]
    for name in ("threads", "device"):
        if getattr(options, name):
            flags += [f"--{name}", getattr(options, name)]
    for name in _PASSED_ON:
        for value in getattr(options, name):
            flags += [f"--{name}", value]
    chunks = ["--chunk", options.chunk] if options.chunk else []
    chunks += [part for op in options.never_chunk for part in ("--never-chunk", op)]
    chunks += ["--chunk-sums-as-they-are"] if options.chunk_sums_as_they_are else []
    client = _client(options.dask) if options.dask else None
    try:
        return planning.run(
            options.models,
            options.budgets,
            options.solver,
            client,
            flags,
            options.set,
            options.profile,
            _print_line if options.lines else _say,
            chunks,
        )
    finally:
        if client:
            client.close()


def _client(address):
    try:
        from distributed import Client
    except ImportError:
        raise planning.SweepError("Dask is not installed here; `pip install distributed` brings it.") from None
    try:
        return Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise planning.SweepError(f"There is no Dask scheduler at {address}: {error}.") from None


def _say(point):
    print(table.as_text(point["row"]), file=sys.stderr, flush=True)


def _print_line(point):
    """What ``remat sweep --lines`` prints of a plan."""
    values = point["point"]
    line = {key: values[key] for key in ("planner", "budget_bytes", "status", "message")} | {"plan": point["plan"]}
    print(json.dumps(line), flush=True)


def _write(points, options):
    rows = table.as_csv([point["row"] for point in points])
    if options.output and options.output != "-":
        pathlib.Path(options.output).write_text(rows)
    elif options.output:
        print(rows, end="")
    if options.json:
        for path in dict.fromkeys(point["path"] for point in points):
            own = [point for point in points if point["path"] == path]
            print(json.dumps({**own[0]["model"], "points": [point["point"] for point in own]}, indent=2))
    elif not options.output and not options.lines:
        for point in points:
            print(table.as_text(point["row"]))
