# SPDX-License-Identifier: Apache-2.0
"""A trace computes what eager PyTorch computes, to the bit."""

import json
import subprocess

import pytest
import remat_studio
import torch
import zoo
from remat_studio.executable import find
from support import assert_same, needs_libtorch, records, run_archive, run_eager, traced


@pytest.fixture(autouse=True)
def onednn_as_before():
    before = torch._C._get_mkldnn_enabled()
    yield
    torch._C._set_mkldnn_enabled(before)


@pytest.mark.rotates(days=3)
@pytest.mark.parametrize("name", zoo.EXACT)
def test_loss_gradients_and_buffers_equal_eager(name, traced_zoo):
    if name == "recurrent":
        torch._C._set_mkldnn_enabled(False)  # a trace holds no fused layers of oneDNN
    case = traced_zoo(name)
    assert_same(run_archive(case.program, case.args), run_eager(case.model, case.args, case.loss_fn))


@pytest.mark.rotates(group="long")
@pytest.mark.parametrize("name", ["gpt2", "t5", "encoder_decoder"])
def test_dropout_draws_the_same_numbers_as_eager(name, traced_zoo):
    case = traced_zoo(name, dropout=0.2)
    assert any(record.get("random") for record in records(case.program).values())
    expected = run_eager(case.model, case.args, case.loss_fn, seed=7, python_dispatcher=True)
    assert_same(run_archive(case.program, case.args, seed=7), expected)


@pytest.mark.parametrize(("p", "training"), [(0.0, True), (0.5, False)])
def test_dropout_that_drops_nothing_is_no_op(p, training, tmp_path):
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(p), torch.nn.Linear(4, 4)).train(training)
    program = traced(model, (torch.ones(2, 4),), tmp_path / "model.pt2", torch.sum)
    assert not [name for name in records(program) if "clone" in name or "dropout" in name]


@pytest.mark.rotates(group="long")
@needs_libtorch
def test_a_plan_over_its_budget_on_this_machine_is_made_again(tmp_path, monkeypatch):
    """A machine whose kernels nobody measured: convolutions take workspaces that no device file knows."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    torch.manual_seed(0)
    layers = [layer for _ in range(16) for layer in (torch.nn.Conv2d(4, 4, 3, padding=1), torch.nn.Tanh())]
    model, plan = torch.nn.Sequential(*layers), tmp_path / "plan.json"
    path = remat_studio.trace(model, (torch.randn(4, 4, 32, 32),), path=tmp_path / "model.pt2", compare="never")
    made = [find(), "plan", path, "--budget", "80%", "--device", "laptop-cpu", "--time-limit", "2", "-o", plan]
    subprocess.run(made, check=True, capture_output=True)
    budget = json.loads(plan.read_text())["budget_bytes"]

    def validate(*flags):
        done = subprocess.run([find(), "validate", path, plan, *flags, "--json"], capture_output=True, text=True)
        return done.returncode, json.loads(done.stdout)

    code, first = validate()
    assert code == 1 and first["verdict"] == "over budget" and first["measured_peak_bytes"] > budget
    code, second = validate("--again")
    assert code == 0 and second["passed"] and second["measured_peak_bytes"] <= budget
    written = json.loads(plan.read_text())
    assert written["budget_bytes"] == budget and written["predicted"]["peak_bytes"] <= budget
