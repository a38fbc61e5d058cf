# SPDX-License-Identifier: Apache-2.0
"""Sweeps on a Dask cluster give the table of the local sweep, also when a worker dies."""

import csv
import json
import os
import subprocess
import sys

import pytest
import remat_studio
from conftest import ROOT
from distributed import Client, LocalCluster

MODELS = [str(ROOT / "resources" / "samples" / f"{name}.pt2") for name in ("tiny_gpt2", "tiny_resnet")]
REMAT = os.path.join(os.environ["REMAT_BIN"], "remat")
DEADLY = """#!/bin/sh
# Kills the worker that calls it first, in the middle of its task.
mkdir {folder}/died 2>/dev/null && kill -9 $PPID
exec {remat} "$@"
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Two workers, one of which dies at its first plan."""
    folder = tmp_path_factory.mktemp("cluster")
    program = folder / "remat"
    program.write_text(DEADLY.format(folder=folder, remat=REMAT))
    program.chmod(0o755)
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with LocalCluster(**options, env={"REMAT_BIN": str(program)}) as running:
        running.has_lost_a_worker = (folder / "died").is_dir
        yield running


def without_clocks(rows):
    """All columns that do not say how long something took."""
    return [{key: value for key, value in row.items() if key != "planning_seconds"} for row in rows]


def local_table(model, *arguments):
    """What ``remat sweep`` writes."""
    command = [REMAT, "sweep", model, *arguments, "-o", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return list(csv.DictReader(done.stdout.splitlines()))


def test_the_table_is_that_of_the_local_sweep_though_a_worker_dies(cluster):
    arrived = []
    planners, budgets = ["chen-sqrt", "dtr"], "90%:30%:-20"
    with Client(cluster) as client:
        rows = remat_studio.sweep(MODELS, budgets, planners, client=client, time_limit=5, on_row=arrived.append)
    assert cluster.has_lost_a_worker()
    assert len(arrived) == len(rows) == 16 and {row["status"] for row in rows} == {"feasible", "infeasible"}
    expected = [
        row
        for model in MODELS
        for row in local_table(model, "--budgets", budgets, "--solver", ",".join(planners), "--time-limit", "5")
    ]
    assert without_clocks(rows) == without_clocks(expected)
    assert without_clocks(remat_studio.sweep(MODELS, budgets, planners, time_limit=5)) == without_clocks(expected)


def test_the_command_writes_what_remat_sweep_writes(cluster, tmp_path):
    def run(program, *more):
        package = os.environ | {"PYTHONPATH": str(ROOT / "resources" / "python")}
        arguments = [
            "sweep",
            MODELS[0],
            "--budgets",
            "80%,50%",
            "--solver",
            "chen-sqrt,chen-greedy",
            "--time-limit",
            "5",
        ]
        table, plans = tmp_path / "table.csv", tmp_path / "plans"
        command = [*program, *arguments, *more, "--json", "-o", table, "--plans", plans]
        done = subprocess.run(command, env=package, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        said = json.loads(done.stdout)
        for point in said["points"]:
            point.pop("planning_seconds")
        written = {file.name: json.loads(file.read_text()) for file in sorted(plans.iterdir())}
        for plan in written.values():
            plan["solver"].pop("seconds")
        return said, without_clocks(csv.DictReader(table.open(newline=""))), written

    local = run([REMAT])
    assert run([sys.executable, "-m", "remat_studio"], "--dask", cluster.scheduler_address) == local
    assert run([REMAT], "--dask", cluster.scheduler_address) == local


def test_remat_passes_on_all_that_it_was_asked_for(cluster, tmp_path):
    kept = ["--keep", "transformer.h.0.mlp", "--never", "transformer.h.1.mlp"]
    asked = ["--budgets", "80%,900KB", "--solver", "chen-greedy,rotor", "--set", "rotor.slots=100", "--device", "h100"]
    limits = ["--time-limit", "2.5", "--threads", "1", "--seed", "7"]

    def run(*more):
        command = [REMAT, "sweep", MODELS[0], *asked, *kept, *limits, *more, "-o", "table.csv"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return without_clocks(csv.DictReader((tmp_path / "table.csv").open(newline="")))

    assert run("--dask", cluster.scheduler_address) == run()


def test_plans_run_in_chunks_on_other_machines_too(cluster, tmp_path):
    command = [REMAT, "sweep", MODELS[0], "--budgets", "90%,60%", "--solver", "chen-sqrt,search", "--chunk", "head=4"]
    command += ["--chunk-sums-as-they-are", "--never", "tanh", "--plans", "plans", "-o", "table.csv"]

    def run(*more):
        folder = tmp_path / f"run{len(more)}"
        folder.mkdir()
        done = subprocess.run([*command, *more], capture_output=True, text=True, cwd=folder)
        assert done.returncode == 0, done.stderr
        plans = {file.name: json.loads(file.read_text()) for file in sorted((folder / "plans").iterdir())}
        for plan in plans.values():
            plan["solver"].pop("seconds")
        return without_clocks(csv.DictReader((folder / "table.csv").open(newline=""))), plans

    rows, plans = run("--dask", cluster.scheduler_address)
    assert (rows, plans) == run()
    assert len(plans) > 1 and all(plan["chunks"][0]["k"] == 4 for plan in plans.values())
    never = subprocess.run([*command, "--never-chunk", "mm"], capture_output=True, text=True, cwd=tmp_path)
    assert never.returncode == 2 and "head" in never.stderr


def test_each_plan_is_a_line_as_it_arrives(cluster):
    command = [REMAT, "sweep", MODELS[0], "--budgets", "80%,1%", "--solver", "chen-sqrt,dtr", "--lines"]

    def run(*more):
        done = subprocess.run([*command, *more], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        for line in lines:
            plan = json.loads(line["plan"]) if line["plan"] else None
            if plan:
                plan["solver"].pop("seconds")
            line["plan"] = plan
        return sorted(lines, key=lambda line: (line["planner"], line["budget_bytes"]))

    here = run()
    assert [line["status"] for line in here] == ["infeasible", "feasible"] * 2
    assert all((line["plan"] is None) == bool(line["message"]) for line in here)
    assert run("--dask", cluster.scheduler_address) == here
    for where in ([], ["--dask", cluster.scheduler_address]):
        both = subprocess.run([*command, *where, "-o", "-"], capture_output=True, text=True)
        assert both.returncode == 2 and "--lines and -o - both want" in both.stderr


def test_remat_says_what_it_needs_to_sweep_elsewhere():
    call = [REMAT, "sweep", MODELS[0], "--budgets", "60%", "--dask", "tcp://127.0.0.1:1"]
    missing = subprocess.run(call, capture_output=True, text=True)
    assert missing.returncode == 2 and "There is no Dask scheduler at tcp://127.0.0.1:1" in missing.stderr


def test_what_is_wrong_is_said(cluster, tmp_path):
    with (
        Client(cluster) as client,
        pytest.raises(remat_studio.SweepError, match="There is no planner 'none'; there are"),
    ):
        remat_studio.sweep(MODELS, "50%", "none", client=client)
    with pytest.raises(remat_studio.SweepError, match="There is no model"):
        remat_studio.sweep("missing.pt2", "50%")
    with pytest.raises(remat_studio.SweepError, match="much"):
        remat_studio.sweep(MODELS[0], "much")
    with pytest.raises(remat_studio.SweepError, match="The setting effort=1 is for none of the planners dtr"):
        remat_studio.sweep(MODELS[0], "50%", "dtr", settings=["effort=1"])
