"""The backend ``remat`` of torch.compile: what it plans, what it holds in memory, and what it says."""

import ast
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib
import warnings

import pytest
import remat_studio
import torch
import zoo
from conftest import ROOT
from remat_studio import supported
from remat_studio.train import PlanError, cache, records
from torch.nn.functional import cross_entropy
from torch.profiler import ProfilerActivity, profile
from training import assert_equal_runs, assert_planned, batches, chain, compiled, ended, mean_square, planner, train

__all__ = ["planner"]


def measured_peak(step):
    """The most bytes that a step held beyond what was there before, by the profiler's memory events."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True, acc_events=True) as profiler:
        step()
    events = [e for e in profiler.profiler.kineto_results.events() if e.name() == "[memory]"]
    held = peak = 0
    for event in sorted(events, key=lambda e: e.start_ns()):
        held += event.nbytes()
        peak = max(peak, held)
    return peak


def test_the_measured_peak_is_the_predicted_one():
    model, x = chain(width=128), batches(1, rows=512)[0]
    step = compiled(lambda x: mean_square(model, x), "50%")
    step(x).backward()
    model.zero_grad()
    peak = measured_peak(lambda: step(x).backward())
    predicted = records()[-1]["predicted"]
    assert predicted["peak_bytes"] <= 0.5 * predicted["keep_all_peak_bytes"]
    assert predicted["peak_bytes"] - 64 <= peak <= predicted["peak_bytes"] + 64


def logits_loss(model, ids):
    """Loss of a language model in the step: with ``labels`` transformers logs a warning, which breaks the graph."""
    logits = model(input_ids=ids).logits
    return cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())


@pytest.mark.parametrize(("name", "budget"), [("gpt2", "80%"), ("unet", "80%")])
def test_models_of_libraries_train_as_plain_pytorch_does(name, budget):
    torch.manual_seed(1)
    model, args = zoo.EXACT[name]()
    given = (args["input_ids"],) if name == "gpt2" else tuple(args.values())
    loss = logits_loss if name == "gpt2" else lambda model, *values: model(*values)
    more = {"loss": loss, "optimizer": lambda parameters: torch.optim.AdamW(parameters, 1e-3)}
    own = train(model.train(), [given] * 2, lambda step: compiled(step, budget), **more)
    assert_planned()
    assert_equal_runs(own, train(model, [given] * 2, **more))


def test_a_budget_that_cannot_be_met_names_the_smallest_that_can():
    model, x = chain(), batches(1)[0]
    with pytest.raises(PlanError, match="The smallest budget that a plan was found for is") as error:
        compiled(lambda x: mean_square(model, x), "1%")(x)
    smallest = int(re.search(r"is (\d+) bytes", str(error.value)).group(1))
    torch._dynamo.reset()
    compiled(lambda x: mean_square(model, x), f"{smallest}B")(x).backward()
    assert records()[-1]["predicted"]["peak_bytes"] == smallest == records()[-1]["budget_bytes"]
    assert records()[-1]["from_cache"]  # that very plan: a search anew might not find one


def test_a_missing_planner_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("REMAT_BIN", str(tmp_path))
    with pytest.raises(PlanError, match="remat, which plans, is not at .*; set REMAT_BIN"):
        compiled(lambda x: x.square().mean())(batches(1)[0].requires_grad_())


def test_the_second_start_takes_the_plan_from_the_disk():
    def start():
        torch._dynamo.reset()
        model = chain()
        compiled(lambda x: mean_square(model, x))(batches(1)[0]).backward()
        return records()[-1]

    assert not start()["from_cache"]
    assert start()["from_cache"]
    (file,) = cache.folder().glob("*.json")
    file.write_text("{")
    assert not start()["from_cache"]


def test_another_shape_is_planned_again_up_to_a_limit():
    model = chain()
    step = compiled(lambda x: mean_square(model, x), shapes=2)
    before = len(records())
    for rows in (64, 48, 64):
        step(batches(1, rows)[0]).backward()
    names = [record["graph"]["name"] for record in records()[before:]]
    assert names == ["step", "step_shape2"]
    with pytest.raises(PlanError, match="more than 2 shapes"):
        step(batches(1, 40)[0])
    plain = chain()
    for rows in (64, 48, 64):
        mean_square(plain, batches(1, rows)[0]).backward()
    assert_equal_runs(ended(model), ended(plain))


def test_a_graph_break_is_planned_in_parts_and_said():
    def loss(model, x):
        half = model[:7](x)
        torch._dynamo.graph_break()
        return model[7:](half).square().mean()

    before = len(records())
    with pytest.warns(UserWarning, match="in 2 graphs"):
        own = train(chain(), batches(2), lambda step: compiled(step, "80%"), loss=loss)
    assert len(records()) == before + 2
    assert_equal_runs(own, train(chain(), batches(2), loss=loss))


def test_a_part_that_cannot_meet_its_budget_takes_the_least(recwarn):
    def loss(model, x):
        output = model(x)
        torch._dynamo.graph_break()
        return output.square().mean()

    own = train(chain(), batches(2), lambda step: compiled(step, "60%"), loss=loss)
    assert any("A part of the step takes more than its budget" in str(warning.message) for warning in recwarn)
    assert_equal_runs(own, train(chain(), batches(2), loss=loss))


def test_a_loss_outside_of_what_is_compiled():
    def run(wrap):
        model = chain()
        forward = wrap(model.forward)
        for x in batches(2):
            forward(x).square().mean().backward()
        return ended(model)

    own = run(lambda f: compiled(f, "70%"))
    assert_planned()
    assert_equal_runs(own, run(lambda f: f))


def test_a_plan_of_a_file(tmp_path):
    model, x = chain(), batches(1)[0]
    graph, plan = tmp_path / "step.json", tmp_path / "plan.json"
    compiled(lambda x: mean_square(model, x), graph=str(graph))(x)
    remat = pathlib.Path(remat_studio.train.planner.executable())
    command = [remat, "plan", graph, "--budget", "55%", "--time-limit", "1", "-o", plan]
    subprocess.run(command, check=True, capture_output=True)
    torch._dynamo.reset()
    own = train(model, [x], lambda step: torch.compile(step, backend="remat", options={"plan": str(plan)}))
    assert records()[-1]["predicted"] == json.loads(plan.read_text())["predicted"]
    assert_equal_runs(own, train(model, [x]))
    torch._dynamo.reset()
    other = chain(depth=3)
    with pytest.raises(PlanError, match="is not for this step"):
        torch.compile(lambda x: mean_square(other, x), backend="remat", options={"plan": str(plan)})(x)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({}, "No budget is given"),
        ({"budget": "much"}, "neither bytes, as in '8GiB', nor a share"),
        ({"budget": "60%", "bugdet": 3}, "no option 'bugdet'; the backend remat takes budget, solver"),
        ({"budget": "60%", "time_limit": 0}, "no number of seconds above 0"),
        ({"budget": "60%", "shapes": 0}, "whole number above 0"),
        ({"budget": "60%", "solver": "none"}, "none"),
        ({"budget": "60%", "device": "abacus"}, "no device 'abacus'; there are a100"),
        ({"budget": "60%", "codegen": "triton"}, "codegen is 'triton'; it is 'inductor', or left out"),
        ({"budget": "60%", "codegen": "inductor", "verify": True}, "leave out verify or codegen"),
        ({"plan": "missing.json"}, "missing.json cannot be read"),
    ],
)
def test_wrong_options_are_said_in_a_sentence(options, sentence):
    with pytest.raises(PlanError, match=sentence):
        torch.compile(lambda x: x.sin().sum(), backend="remat", options=options)(torch.ones(3, requires_grad=True))


def test_the_budget_may_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("REMAT_BUDGET", "100%")
    torch.compile(lambda x: x.sin().exp().sum(), backend="remat")(torch.ones(300, requires_grad=True)).backward()
    assert records()[-1]["budget"] == "100%"


def test_the_name_is_known_to_torch_compile():
    assert "remat" in torch._dynamo.list_backends()
    project = tomllib.loads((ROOT / "resources" / "python" / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["torch_dynamo_backends"] == {"remat": "remat_studio.train.backend:remat"}
    oldest, before = (".".join(map(str, version)) for version in (supported.OLDEST, supported.BEFORE))
    assert project["dependencies"] == [f"torch>={oldest},<{before}"]


def run_script(script, **environment):
    """What a script prints that runs in a process of its own, as a user's does."""
    package = {"PYTHONPATH": str(ROOT / "resources" / "python"), **environment}
    ran = subprocess.run([sys.executable, "-c", script], env=os.environ | package, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_import_is_quick_and_the_backend_known_after_it():
    script = """
import sys, remat_studio
assert "torch" not in sys.modules, "the import of remat_studio loads PyTorch"
import torch
assert "torch._dynamo" not in sys.modules
torch.compile(lambda x: x.sin().exp().sum(), backend="remat")(torch.ones(9, requires_grad=True)).backward()
print(remat_studio.records()[-1]["budget"])
"""
    assert run_script(script, REMAT_BUDGET="100%") == "100%\n"


def test_the_backend_is_known_where_dynamo_was_there_first():
    script = """
import torch._dynamo
assert "remat" not in torch._dynamo.list_backends()
import remat_studio
print(torch._dynamo.lookup_backend("remat").__module__)
"""
    assert run_script(script) == "remat_studio.train.backend\n"


@pytest.mark.parametrize("version", ["2.10.1", "2.12.0+cu130", "3.0"])
def test_another_pytorch_is_refused_at_import(version, monkeypatch):
    monkeypatch.setattr("importlib.metadata.version", lambda name: version)
    with pytest.raises(ImportError, match=rf"PyTorch 2.11 or newer, below 2.12, and this is {re.escape(version)}"):
        supported.check_torch()


def test_nothing_is_said_when_all_is_well():
    model = chain()
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        compiled(lambda x: mean_square(model, x))(batches(1)[0]).backward()


def test_the_example_of_both_readmes_runs_as_it_stands():
    text = (ROOT / "resources" / "python" / "README.md").read_text()
    example = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    assert len(example.splitlines()) == 10
    assert example in (ROOT / "README.md").read_text()
    predicted = ast.literal_eval(run_script(example))
    assert predicted["peak_bytes"] <= 0.6 * predicted["keep_all_peak_bytes"]
    assert predicted["time_us"] > predicted["keep_all_time_us"]
