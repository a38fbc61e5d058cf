# SPDX-License-Identifier: Apache-2.0
"""The backend ``remat`` of torch.compile: what it plans, and what it holds in memory."""

import copy
import errno
import json
import os
import re
import warnings

import pytest
import remat_studio
import torch
import zoo
from remat_studio.comparison.held import measured
from remat_studio.train import PlanError, cache, records
from torch import nn
from torch.nn.functional import cross_entropy, mse_loss, smooth_l1_loss, soft_margin_loss
from training import assert_equal_runs, assert_planned, batches, chain, compiled, ended, mean_square, planner, train

__all__ = ["planner"]


def measured_peak(step):
    """The most bytes that a step held beyond what was there before, by the profiler."""
    found = []
    with measured(found):
        step()
    return found[0]


def test_the_measured_peak_is_the_predicted_one():
    model, x = chain(width=128), batches(1, rows=512)[0]
    step = compiled(lambda x: mean_square(model, x), "50%")
    step(x).backward()
    model.zero_grad()
    peak = measured_peak(lambda: step(x).backward())
    predicted = records()[-1]["predicted"]
    assert predicted["peak_bytes"] <= 0.5 * predicted["keep_all_peak_bytes"]
    assert predicted["peak_bytes"] - 64 <= peak <= predicted["peak_bytes"] + 64
    model.zero_grad()
    plain = measured_peak(lambda: mean_square(model, x).backward())
    assert records()[-1]["before_bytes"] == pytest.approx(plain, abs=64)


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


def test_a_folder_that_cannot_be_written_is_said_once_and_training_goes_on(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    model = chain()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for rows in (64, 48):
            compiled(lambda x: mean_square(model, x))(batches(1, rows)[0]).backward()
    (only,) = (str(each.message) for each in said if "cannot be written" in str(each.message))
    assert only.startswith(f"{tmp_path / 'file' / 'remat-studio'} cannot be written (Not a directory): training goes on")
    assert model[0].weight.grad is not None


def test_a_full_disk_leaves_no_part_of_a_file(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "full"))
    monkeypatch.setattr(json, "dump", refuse)
    with pytest.warns(UserWarning, match="full/remat-studio cannot be written .No space left on device"):
        cache.write_json(cache.folder() / "plan.json", {})
    assert not [*cache.folder().iterdir()]


@pytest.mark.filterwarnings("ignore:The step came in more than 2 shapes")
def test_shapes_beyond_the_limit_leave_their_plans_to_others():
    model = chain(width=64)
    step, held = compiled(lambda x: mean_square(model, x), shapes=2), {}
    for rows in (64, 96) * 2 + (64, 96, 128, 160) * 2:
        model.zero_grad()
        x = torch.ones(rows, 8)
        held.setdefault(rows, []).append(measured_peak(lambda x=x: step(x).backward()))
    for rows in (64, 96):
        del held[rows][0]  # what compiles takes a little by itself
    assert all(len(set(each)) == 1 for each in held.values())
    assert held[128][0] > 2 * held[96][0]  # it has no plan


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
    model, inputs = chain(width=64), batches(6, rows=256)  # what compiles takes a little by itself: all is settled then
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

    with pytest.warns(UserWarning, match=r"in no plan: copy.deepcopy.*\. Models of .* give the model use_cache=False"):
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


def test_one_sentence_on_a_budget_says_why_and_what_to_write(recwarn):
    """Four layers that are planned one by one miss theirs alike: it is said once, in two sentences."""
    x = torch.randn(16, 8)
    layers = [remat_studio.planned(Layer(), x, budget="5%", time_limit=0.2) for _ in range(4)]
    for layer in 3 * layers:
        layer(x).square().mean().backward()
    said = [str(warning.message) for warning in recwarn if "No plan within" in str(warning.message)]
    assert len(said) == 1 and re.search(r"alone needs?.*holds (\d+) bytes .*\"\1B\"\. The step runs with that", said[0])
    assert said[0].count(". ") == 1


def test_what_is_compiled_again_for_no_other_shape_is_not_said_to_have_one(recwarn):
    model, x, notes = chain(), batches(1)[0], []
    step = compiled(lambda x: mean_square(model, x) * (1 + len(notes)), "100%", shapes=2)
    for _ in range(4):
        step(x).backward()
        notes.append(0)
    (said,) = (str(each.message) for each in recwarn if "without a plan" in str(each.message))
    assert "was planned 2 times, and not for shapes alone (TORCH_LOGS=recompiles" in said


def test_many_shapes_within_one_step_are_not_said_to_be_of_many_steps():
    layer, inputs = torch.nn.Linear(8, 8), [torch.randn(rows, 8, requires_grad=True) for rows in (4, 5, 6)]
    one = compiled(lambda x: layer(x).tanh(), "100%", shapes=2)
    with pytest.warns(UserWarning, match=r"One step runs .*test_train_backend.py:\d+\) in more than 2 shapes"):
        torch.cat([one(x) for x in inputs]).sum().backward()


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
