# SPDX-License-Identifier: Apache-2.0
"""The samples that the program ships are as their manifest says, and run here too."""

import json
import subprocess
import zipfile

import pytest
import torch
from conftest import ROOT
from remat_studio.executable import find
from support import loaded, needs_libtorch, records

SAMPLES = ROOT / "resources" / "samples"
ENTRIES = json.loads((SAMPLES / "samples.json").read_text(encoding="utf-8"))["samples"]


def test_the_manifest_lists_every_archive():
    assert {entry["file"] for entry in ENTRIES} == {path.name for path in SAMPLES.glob("*.pt2")}
    assert sum(entry["tiny"] for entry in ENTRIES) == 4


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["file"])
def test_samples_are_small_and_hold_no_op_of_cpus(entry):
    path = SAMPLES / entry["file"]
    assert path.stat().st_size < (300_000 if entry["tiny"] else 600_000)
    with zipfile.ZipFile(path) as file:
        graph = json.loads(file.read("archive/models/model.json"))["graph_module"]["graph"]
    assert not [node["target"] for node in graph["nodes"] if "for_cpu" in node["target"] or "mkldnn" in node["target"]]
    text = json.dumps(graph)
    assert str(ROOT) not in text and "site-packages" not in text


@pytest.mark.parametrize("entry", [e for e in ENTRIES if e["tiny"]], ids=lambda entry: entry["file"])
@needs_libtorch
def test_tiny_samples_run_in_the_program(entry, tmp_path):
    model, plan = SAMPLES / entry["file"], tmp_path / "plan.json"
    subprocess.run([find(), "plan", model, "--budget", "70%", "--solver", "chen-sqrt", "-o", plan], check=True)
    done = subprocess.run([find(), "validate", model, plan], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


# Attention of GPUs runs in the program only, as plain math.
ANYWHERE = [e for e in ENTRIES if e["tiny"] and e["file"] != "tiny_gpt2.pt2"]


@pytest.mark.parametrize("entry", ANYWHERE, ids=lambda entry: entry["file"])
def test_tiny_samples_run_on_made_up_inputs(entry):
    program = loaded(SAMPLES / entry["file"])
    described = next(iter(records(program).values()))["graph"]["inputs"]
    torch.manual_seed(0)
    values = []
    for node in program.graph.find_nodes(op="placeholder"):
        meta, known = node.meta["val"], described[node.name]
        if meta.is_floating_point():
            values.append(torch.randn(meta.shape, dtype=meta.dtype) * known["std"] + known["mean"])
        else:
            values.append(torch.randint(known["low"], known["high"], meta.shape).to(meta.dtype))
    with torch.no_grad():
        outputs = torch.fx.Interpreter(program.graph_module).run(*values)
    assert all(value.isfinite().all() for value in outputs)
