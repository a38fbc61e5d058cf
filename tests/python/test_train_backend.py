# SPDX-License-Identifier: Apache-2.0
"""The backend ``remat`` of torch.compile: what it plans, what it holds in memory, and what it says."""

import ast
import copy
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
from remat_studio.train import PlanError, budgets, cache, records
from torch import nn
from torch.nn.functional import cross_entropy, mse_loss, smooth_l1_loss, soft_margin_loss
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
    assert records()[-1]["before_bytes"] == predicted["keep_all_peak_bytes"]  # two countings by the same rules


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
        except PlanError:
            found = None
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
    with pytest.warns(UserWarning, match="more than 2 shapes.* run without a plan"):
        step(batches(1, 40)[0]).backward()
    assert len(records()) == before + 2
    plain = chain()
    for rows in (64, 48, 64, 40):
        mean_square(plain, batches(1, rows)[0]).backward()
    assert_equal_runs(ended(model), ended(plain))


@pytest.mark.rotates(group="long")
def test_more_shapes_than_dynamo_compiles_by_itself_are_planned():
    model = chain(depth=2)
    step = compiled(lambda x: mean_square(model, x), "90%", shapes=10)
    before = len(records())
    for rows in range(20, 30):
        step(batches(1, rows)[0]).backward()
    assert len(records()) == before + 10
    with pytest.raises(PlanError, match="more than 1 shapes"):
        step = compiled(lambda x: mean_square(model, x), "90%", shapes=1, strict=True)
        for rows in (20, 21):
            step(batches(1, rows)[0])


def test_a_graph_break_is_planned_in_parts_and_said():
    def loss(model, x):
        half = model[:7](x)
        torch._dynamo.graph_break()
        return model[7:](half).square().mean()

    before = len(records())
    with pytest.warns(UserWarning, match="in 2 graphs"):
        own = train(chain(), batches(2), lambda step: compiled(step, "80%"), loss=loss)
    assert len(records()) >= before + 2
    assert_equal_runs(own, train(chain(), batches(2), loss=loss))


def loss_in_two_graphs(model, x):
    """Model and loss, with a break between them."""
    output = model(x)
    torch._dynamo.graph_break()
    return output.square().mean()


@pytest.mark.parametrize("with_options", [True, False])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_parts_share_one_budget_that_holds_for_the_step(with_options, monkeypatch):
    """The first part leaves room for the others, whether or not a library gives the options."""
    model, inputs = chain(width=64), batches(3, rows=256)
    monkeypatch.setenv("REMAT_BUDGET", "60%")
    options = {"budget": "60%", "time_limit": 0.2} if with_options else None
    steps = []

    def wrap(step):
        steps.append(torch.compile(step, backend="remat", options=options))
        return steps[0]

    own = train(model, inputs, wrap, loss=loss_in_two_graphs)
    assert_equal_runs(own, train(model, inputs, loss=loss_in_two_graphs))
    step = records()[-1]["step"]
    assert step["parts"] == 2
    own.model.zero_grad()
    x = batches(1, rows=256)[0]
    plain = measured_peak(lambda: loss_in_two_graphs(own.model, x).backward())
    own.model.zero_grad()
    planned = measured_peak(lambda: steps[0](x).backward())
    assert planned <= step["peak_bytes"] <= step["budget_bytes"]
    assert step["budget_bytes"] <= 0.61 * plain and step["keep_all_peak_bytes"] <= 1.02 * plain


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_strict_refuses_a_step_and_not_the_share_of_a_part():
    """Where the loss is outside of the first graph, it is not known of that whether it is all of the step."""
    model, inputs = chain(width=64), batches(3, rows=256)
    own = train(model, inputs, lambda step: compiled(step, "60%", strict=True), loss=loss_in_two_graphs)
    assert_equal_runs(own, train(model, inputs, loss=loss_in_two_graphs))
    assert records()[-1]["step"]["peak_bytes"] <= records()[-1]["step"]["budget_bytes"]
    with pytest.raises(PlanError, match="The step is in 2 graphs"):
        train(model, inputs, lambda step: compiled(step, "1%", strict=True), loss=loss_in_two_graphs)
    torch._dynamo.reset()
    output = compiled(model, "1%", strict=True)(inputs[0])
    with pytest.raises(PlanError, match="the least one holds"):
        output.sum().backward()


def test_what_dynamo_skips_is_said_with_its_advice():
    class Recurrent(nn.Module):
        """Dynamo leaves its inner module out, so that no graph has it."""

        def __init__(self):
            super().__init__()
            self.inner, self.head = nn.LSTM(8, 16), nn.Linear(16, 4)

        def forward(self, x):
            return self.head(self.inner(x)[0])

    model, x = Recurrent(), torch.randn(5, 3, 8)
    with pytest.warns(UserWarning, match=r"at .*test_train_backend.py:\d+, .*in no plan: .*LSTM.*allow_rnn=True"):
        compiled(lambda x: mean_square(model, x), "100%")(x).backward()


class TinyConfig:
    """Models of transformers copy theirs for a cache of keys and values."""


def test_a_configuration_that_is_copied_is_said_with_its_way_out():
    config, model = TinyConfig(), chain()

    def step(x):
        hidden = model(x)
        copy.deepcopy(config)
        return hidden.square().mean()

    with pytest.warns(UserWarning, match=r"in no plan: copy.deepcopy.*give the model use_cache=False"):
        compiled(step, "100%")(batches(1)[0]).backward()


def test_what_the_parts_hold_together_is_said_once(recwarn):
    train(chain(), batches(4), lambda step: compiled(step, "60%"), loss=loss_in_two_graphs)
    said = [str(warning.message) for warning in recwarn if "in 2 graphs" in str(warning.message)]
    assert len(said) == 1 and "together hold at most" in said[0]


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


class Swish(torch.autograd.Function):
    """Its backward carries no tags, and reads what belongs to the forward."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        s = torch.sigmoid(x)
        return gradient * (s + x * s * (1 - s))


def test_functions_with_a_backward_of_their_own(tmp_path):
    """What such a backward computes is computed there: nothing of it is held from the forward."""

    def loss(model, x):
        for layer in model:
            x = Swish.apply(layer(x))
        return x.square().mean()

    model, inputs, file = chain(depth=2), batches(2), tmp_path / "step.json"
    own = train(model, inputs, lambda step: compiled(step, "80%", graph=str(file)), loss=loss)
    assert_equal_runs(own, train(model, inputs, loss=loss))
    ops = json.loads(file.read_text())["ops"]
    layers = sum(1 for _ in model)
    assert [op["phase"] for op in ops if op["kind"] == "sigmoid"] == ["forward"] * layers + ["backward"] * layers


def test_workspaces_of_kernels_are_within_the_budget():
    torch.manual_seed(0)
    layers = [layer for _ in range(4) for layer in (nn.Conv2d(8, 8, 3, padding=1), nn.Tanh())]
    model, x = nn.Sequential(*layers), torch.randn(2, 8, 32, 32)
    step = compiled(lambda x: mean_square(model, x), "80%")
    step(x).backward()
    record = records()[-1]
    model.zero_grad()
    assert measured_peak(lambda: step(x).backward()) <= record["predicted"]["peak_bytes"] <= record["budget_bytes"]


@pytest.mark.parametrize("kind", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("number", [0.7, 3])
def test_numbers_that_a_kernel_makes_tensors_of_are_within_the_budget(kind, number):
    torch.manual_seed(0)
    weight = nn.Parameter(torch.randn(64, 64, dtype=kind))
    x = torch.randn(64, 64, dtype=kind)
    step = compiled(lambda x: ((weight * x) * number).sum(), "100%")
    step(x).backward()
    weight.grad = None
    assert measured_peak(lambda: step(x).backward()) <= records()[-1]["predicted"]["peak_bytes"]


def test_arguments_that_a_kernel_converts_are_within_the_budget():
    """On a CPU the backward of dropout makes numbers of its mask first."""
    torch.manual_seed(0)
    model = nn.Sequential(*(layer for _ in range(4) for layer in (nn.Linear(64, 64), nn.Dropout(0.5))))
    x = torch.randn(256, 64)
    step = compiled(lambda x: mean_square(model, x), "100%")
    step(x).backward()
    record = records()[-1]
    model.zero_grad()
    assert measured_peak(lambda: step(x).backward()) <= record["predicted"]["peak_bytes"] <= record["budget_bytes"]


def test_forwards_without_a_backward_take_nothing_from_later_ones():
    """Evaluations with gradients on; then another shape, whose plan has the whole budget."""
    model = chain()
    step = compiled(lambda x: mean_square(model, x), "1MiB")
    for _ in range(3):
        step(batches(1)[0])
    step(batches(1, rows=32)[0]).backward()
    assert records()[-1]["budget_bytes"] == 1 << 20


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
        ({"budget": 60}, "may mean '60GiB' or '60%'"),
        ({"budget": "much"}, "neither bytes, as in '8GiB', nor a share"),
        ({"budget": "60%", "bugdet": 3}, "no option 'bugdet'; the backend remat takes budget, solver"),
        ({"budget": "60%", "time_limit": 0}, "no number of seconds above 0"),
        ({"budget": "60%", "shapes": 0}, "whole number above 0"),
        ({"budget": "60%", "buckets": 0.5}, "a number from 1 on"),
        ({"budget": "60%", "buckets": 2, "chunk": "auto"}, "leave out buckets"),
        ({"budget": "60%", "solver": "none"}, "none"),
        ({"budget": "60%", "device": "abacus"}, "no device 'abacus'; there are a100"),
        ({"budget": "60%", "codegen": "triton"}, "codegen is 'triton'; it is 'inductor', or left out"),
        ({"plan": "plan.json", "codegen": "inductor"}, "leave out plan or codegen"),
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
def test_another_pytorch_is_refused_with_a_sentence(version, monkeypatch):
    monkeypatch.setattr("importlib.metadata.version", lambda name: version)
    with pytest.raises(ImportError, match=rf"PyTorch 2.11 or newer, below 2.12, and this is {re.escape(version)}"):
        supported.check_torch()


def test_nothing_is_said_when_all_is_well():
    model = chain()
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        compiled(lambda x: mean_square(model, x))(batches(1)[0]).backward()


def test_one_sentence_on_a_budget_says_why_and_what_to_write(recwarn):
    """Four layers that are planned one by one miss theirs alike: it is said once, in two sentences."""
    x = torch.randn(16, 8)
    layers = [remat_studio.planned(Layer(), x, budget="5%", time_limit=0.2) for _ in range(4)]
    for layer in layers:
        layer(x).square().mean().backward()
    said = [str(warning.message) for warning in recwarn if "No plan within" in str(warning.message)]
    assert len(said) == 1 and re.search(r"alone needs?.*holds (\d+) bytes .*\"\1B\"\. The step runs with that", said[0])
    assert said[0].count(". ") == 1


def test_many_shapes_within_one_step_are_not_said_to_be_of_many_steps():
    layer, inputs = torch.nn.Linear(8, 8), [torch.randn(rows, 8, requires_grad=True) for rows in (4, 5, 6)]
    one = compiled(lambda x: layer(x).tanh(), "100%", shapes=2)
    with pytest.warns(UserWarning, match=r"One step runs .*test_train_backend.py:\d+\) in more than 2 shapes"):
        torch.cat([one(x) for x in inputs]).sum().backward()


def test_the_example_of_both_readmes_runs_as_it_stands():
    text = (ROOT / "resources" / "python" / "README.md").read_text()
    example = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    assert len(example.splitlines()) == 10
    assert example in (ROOT / "README.md").read_text()
    predicted = ast.literal_eval(run_script(example))
    assert predicted["peak_bytes"] <= 0.6 * predicted["keep_all_peak_bytes"]
    assert predicted["time_us"] > predicted["keep_all_time_us"]


def test_budgets_that_many_shapes_miss_are_said_twice(recwarn):
    step = compiled(lambda x, model=chain(): mean_square(model, x), budget="1KiB")
    for rows in (64, 48, 40, 32):
        step(batches(1, rows)[0]).backward()
    said = [str(warning.message) for warning in recwarn if "budget" in str(warning.message)]
    assert len(said) == 2 and "No plan within the budget of 1.00 KiB" in said[0] and "Other sizes of the step" in said[1], said


class Layers(nn.Module):
    """Equal layers, each compiled by itself: one graph, which a step runs several times."""

    def __init__(self, options):
        super().__init__()
        torch.manual_seed(3)
        self.layers = nn.ModuleList(Layer() for _ in range(6))
        for layer in self.layers if options else ():
            layer.compile(backend="remat", options=options)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Layer(nn.Module):
    """Keeps several times of what it gives."""

    def __init__(self):
        super().__init__()
        self.wide, self.narrow = nn.Linear(8, 32), nn.Linear(32, 8)

    def forward(self, x):
        return x + self.narrow(nn.functional.gelu(self.wide(x))).tanh()


def test_equal_layers_share_a_budget_in_bytes():
    x = torch.randn(256, 8)
    plain = peak_of_later(Layers(None), x)
    with pytest.warns(UserWarning, match="The step runs one graph 6 times"):
        planned = peak_of_later(Layers({"budget": str(plain * 2 // 3), "time_limit": 0.2}), x)
    step = records()[-1]["step"]
    assert step["parts"] == 1 and step["budget_bytes"] == plain * 2 // 3
    assert planned <= 1.02 * step["peak_bytes"] and step["peak_bytes"] <= step["budget_bytes"]


@pytest.mark.parametrize("loss", [mse_loss, smooth_l1_loss, soft_margin_loss])
def test_a_loss_that_keeps_the_losses_of_all_numbers_is_within_the_budget(loss):
    model, x = chain(width=128)[:-1], batches(1, rows=512)[0]
    wanted = torch.randn(512, 128).sign()
    step = compiled(lambda x: loss(model(x), wanted), "100%")
    step(x).backward()
    model.zero_grad()
    assert measured_peak(lambda: step(x).backward()) <= records()[-1]["budget_bytes"]


def peak_of_later(model, x):
    """The peak of a step after some that may show that parts hold too much together."""
    for _ in range(4):
        mean_square(model, x).backward()
        model.zero_grad()
    return measured_peak(lambda: mean_square(model, x).backward())
