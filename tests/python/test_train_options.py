# SPDX-License-Identifier: Apache-2.0
"""What the backend ``remat`` is given and says of it: budgets, options, its name, and the PyTorch beside it."""

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
from conftest import ROOT
from remat_studio import supported
from remat_studio.train import PlanError, budgets, records
from torch import nn
from training import assert_equal_runs, batches, chain, compiled, mean_square, planner, train

__all__ = ["planner"]

PACKAGE = ROOT / "resources" / "python"


def test_a_budget_that_cannot_be_met_names_the_smallest_that_can():
    model, x = chain(), batches(1)[0]
    with pytest.raises(PlanError, match="the least one holds") as error:
        compiled(lambda x: mean_square(model, x), "1%", strict=True)(x)
    smallest = int(re.search(r"holds (\d+) bytes", str(error.value)).group(1))
    torch._dynamo.reset()
    compiled(lambda x: mean_square(model, x), f"{smallest}B")(x).backward()
    assert records()[-1]["predicted"]["peak_bytes"] == smallest == records()[-1]["budget_bytes"]
    assert records()[-1]["from_cache"]  # that very plan: a search anew might not find one


def test_a_budget_that_cannot_be_met_is_said_and_the_step_runs_with_the_least():
    """A first try with a small batch, where the gradients alone need more than the budget."""
    model, x = chain(width=64), batches(1, rows=4)[0]
    with pytest.warns(UserWarning, match="the least one holds .* The step runs with that"):
        own = train(model, [x], lambda step: compiled(step, "10%"))
    assert records()[-1]["predicted"]["peak_bytes"] > records()[-1]["budget_bytes"]
    assert_equal_runs(own, train(model, [x]))


def test_budgets_are_read_as_the_program_reads_them():
    listed = json.loads((ROOT / "tests" / "data" / "budgets" / "budgets.json").read_text())
    for text, expected in listed["cases"]:
        try:
            found = budgets.read(text).of(listed["peak_bytes"])
        except PlanError as refused:
            found = str(refused)
        assert found == expected, text


@pytest.mark.parametrize(("given", "of_200"), [(0.6, 120), (1.0, 200), (2 << 20, 2097152), (3e9, 3000000000)])
def test_budgets_are_numbers_too(given, of_200):
    assert budgets.read(given).of(200) == of_200
    for bad in (True, None, float("nan"), -0.5, 8):
        with pytest.raises(PlanError):
            budgets.read(bad)


def test_a_missing_planner_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("REMAT_BIN", str(tmp_path))
    with pytest.raises(PlanError, match="remat, which plans, is not at .*; set REMAT_BIN"):
        compiled(lambda x: x.square().mean())(batches(1)[0].requires_grad_())


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
        ({"budget": 60}, "could mean 60GiB or 60%"),
        ({"budget": "much"}, "does not start with a number. Write it like 4GiB"),
        ({"budget": "60%", "bugdet": 3}, "no option 'bugdet'; the backend remat takes budget, solver"),
        ({"budget": "60%", "time_limit": 0}, "no number of seconds above 0"),
        ({"budget": "60%", "shapes": 0}, "whole number above 0"),
        ({"budget": "60%", "buckets": 0.5}, "a number from 1 on"),
        ({"budget": "60%", "buckets": 2, "chunk": "auto"}, "leave out buckets"),
        ({"budget": "60%", "solver": "none"}, "There is no planner 'none'; there are auto, search"),
        ({"budget": "60%", "device": "abacus"}, "no device 'abacus'; there are a100"),
        ({"budget": "60%", "codegen": "triton"}, "codegen is 'triton'; it is 'inductor', or left out"),
        ({"plan": "plan.json", "codegen": "inductor"}, "leave out plan or codegen"),
        ({"plan": "missing.json"}, "missing.json cannot be read"),
    ],
)
def test_wrong_options_are_said_in_a_sentence(options, sentence):
    with pytest.raises(PlanError, match=sentence):
        torch.compile(lambda x: x.sin().sum(), backend="remat", options=options)(torch.ones(3, requires_grad=True))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("60%", "they are a dict"),
        ([("budget", "60%")], "they are a dict"),
        ({"budget": "60%", "strict": "no"}, "True or False"),
        ({"budget": "60%", "cache": "no"}, "The option cache is 'no'; it is True or False"),
        ({"budget": "60%", "codegen": "inductor", "search_seconds": -1}, "it is a number from 0 on"),
        ({"budget": "60%", "verify": "/not/there/certificate.json"}, "whose folder is not there; make it first"),
        ({"budget": "60%", "graph": 5}, "graph is 5; it is the path of a file"),
        ({"budget": "60%", "graph": pathlib.Path("/not/there/step.json")}, "whose folder is not there; make it first"),
        ({"budget": "60%", "optoin": 1}, "There is no option 'optoin'"),
    ],
)
def test_options_that_are_none_are_refused(given, sentence):
    with pytest.raises(PlanError, match=sentence):
        torch.compile(nn.Linear(8, 8), backend="remat", options=given)(batches(1)[0])


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"device": "abacus"}, "no device 'abacus'; there are a100"),
        ({"device": ["a100"]}, "no device .'a100'.; there are a100"),
        ({"solver": "none"}, "no planner 'none'; there are auto, search"),
        ({"solver": 3}, "no planner 3; there are auto, search"),
    ],
)
def test_names_that_nothing_has_are_refused_before_the_first_step(given, sentence):
    with pytest.raises(PlanError, match=sentence):
        remat_studio.install("60%", **given)
    with pytest.raises(PlanError, match=sentence):
        remat_studio.compile_blocks([nn.Linear(8, 8)], "60%", **given)


def test_a_planned_module_without_a_budget_says_what_to_give():
    with pytest.raises(PlanError, match='No budget is given; add budget="60%"'):
        remat_studio.planned(nn.Linear(8, 8), batches(1)[0])


def test_no_blocks_are_refused():
    with pytest.raises(PlanError, match="There are no blocks in the list; give modules, such as model.layers"):
        remat_studio.compile_blocks([], "60%")


@pytest.mark.parametrize("blocks", [nn.Linear(8, 8), nn.ModuleDict({"one": nn.Linear(8, 8)}), None])
def test_blocks_that_are_no_list_of_modules_are_refused(blocks):
    with pytest.raises(PlanError, match="give a list of modules, such as model.layers"):
        remat_studio.compile_blocks(blocks, "60%")


def test_the_budget_may_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("REMAT_BUDGET", "100%")
    torch.compile(lambda x: x.sin().exp().sum(), backend="remat")(torch.ones(300, requires_grad=True)).backward()
    assert records()[-1]["budget"] == "100%"


def test_the_name_is_known_to_torch_compile():
    assert "remat" in torch._dynamo.list_backends()
    project = _settings()["project"]
    assert project["entry-points"]["torch_dynamo_backends"] == {"remat": "remat_studio.train.backend:remat"}
    oldest, before = (".".join(map(str, version)) for version in (supported.OLDEST, supported.BEFORE))
    assert project["dependencies"] == [f"torch>={oldest},<{before}"]


def test_what_is_installed_from_the_sources_is_the_whole_package():
    there = {file.parent.relative_to(PACKAGE) for file in (PACKAGE / "remat_studio").rglob("*.py")}
    assert _settings()["tool"]["setuptools"]["packages"] == sorted(".".join(folder.parts) for folder in there)


def _settings():
    return tomllib.loads((PACKAGE / "pyproject.toml").read_text())


def run_script(script, **environment):
    """What a script prints that runs in a process of its own, as a user's does."""
    package = {"PYTHONPATH": str(PACKAGE), **environment}
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


def test_the_backend_is_known_where_a_file_of_the_package_loads_pytorch_first():
    script = """
import remat_studio.torch_private
import torch._dynamo
print(torch._dynamo.lookup_backend("remat").__module__)
"""
    assert run_script(script) == "remat_studio.train.backend\n"


def test_the_backend_is_known_where_dynamo_was_there_first():
    script = """
import torch._dynamo
assert "remat" not in torch._dynamo.list_backends()
import remat_studio
print(torch._dynamo.lookup_backend("remat").__module__)
"""
    assert run_script(script) == "remat_studio.train.backend\n"


@pytest.mark.parametrize("version", ["2.10.1", "2.12.0+cu130", "3.0"])
def test_another_pytorch_is_refused_with_a_sentence(version, monkeypatch):
    monkeypatch.setattr("importlib.metadata.version", lambda name: version)
    with pytest.raises(ImportError, match=rf"PyTorch 2.11 or newer, below 2.12, and this is {re.escape(version)}"):
        supported.check_torch()


def test_nothing_is_said_when_all_is_well():
    model = chain()
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        compiled(lambda x: mean_square(model, x))(batches(1)[0]).backward()


def test_the_example_of_both_readmes_runs_as_it_stands():
    text = (PACKAGE / "README.md").read_text()
    example = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    assert len(example.splitlines()) == 10
    assert example in (ROOT / "README.md").read_text()
    predicted = ast.literal_eval(run_script(example))
    assert predicted["peak_bytes"] <= 0.6 * predicted["keep_all_peak_bytes"]
    assert predicted["time_us"] > predicted["keep_all_time_us"]


@pytest.mark.rotates(group="long")
def test_the_example_of_what_fits_runs_as_it_stands():
    text = (PACKAGE / "README.md").read_text()
    _, example = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    said = run_script(example)
    assert "NVIDIA T4 16 GB (15.00 GiB): fits with a plan at" in said and ": cannot fit. " in said


def test_budgets_that_many_shapes_miss_are_said_twice(recwarn):
    step = compiled(lambda x, model=chain(): mean_square(model, x), budget="1KiB")
    for rows in (64, 48, 40, 32):
        step(batches(1, rows)[0]).backward()
    said = [str(warning.message) for warning in recwarn if "budget" in str(warning.message)]
    assert len(said) == 2 and "No plan within the budget of 1.00 KiB" in said[0] and "Other sizes of the step" in said[1], said
