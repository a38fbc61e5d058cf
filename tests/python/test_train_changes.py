# SPDX-License-Identifier: Apache-2.0
"""What a script changes between steps: the next one is compiled again, where plain ``torch.compile`` takes the old one."""

import pytest
import remat_studio
import torch
from remat_studio.train import records
from support import quick_inductor
from training import batches, chain, mean_square, planner

__all__ = ["planner"]

ROWS = batches(2)


@pytest.fixture(params=["remat", "install", "planned"])
def wrap(request, tmp_path):
    """A function that makes a planned step of a model."""

    def step_of(model):
        options = {"budget": "100%", "time_limit": 1}
        if request.param == "planned":
            return remat_studio.planned(model, ROWS[0], **options)
        if request.param == "remat":
            return torch.compile(model, backend="remat", options=options)
        remat_studio.install(search_seconds=1, **options)
        return torch.compile(model)

    with quick_inductor(tmp_path):
        yield step_of
        remat_studio.install(None)
    torch._dynamo.reset()


def gradients(step, model):
    """Of one batch, by name."""
    model.zero_grad()
    mean_square(step, ROWS[0]).backward()
    return {name: p.grad for name, p in model.named_parameters() if p.grad is not None}


def assert_as_plain(step, model):
    """The same tensors have gradients, with the same values."""
    own, plain = gradients(step, model), gradients(model, model)
    assert list(own) == list(plain)
    for name, gradient in plain.items():
        torch.testing.assert_close(own[name], gradient, msg=name)


def test_what_is_unfrozen_later_has_gradients(wrap):
    model = chain()
    model.requires_grad_(False)
    model[-1].requires_grad_(True)
    step = wrap(model)
    assert_as_plain(step, model)
    model.requires_grad_(True)
    assert_as_plain(step, model)


def test_a_model_that_was_only_evaluated_trains_when_it_is_unfrozen(wrap):
    model = chain().requires_grad_(False)
    step = wrap(model)
    torch.testing.assert_close(step(ROWS[0]), model(ROWS[0]))
    model.requires_grad_(True)
    assert_as_plain(step, model)


def test_a_hook_that_comes_later_runs_until_it_goes(wrap):
    model = chain()
    step = wrap(model)
    assert_as_plain(step, model)
    hook = model[0].register_forward_hook(lambda module, given, out: out * 2)
    assert_as_plain(step, model)
    hook.remove()
    assert_as_plain(step, model)
    assert records()


class Scaled(torch.nn.Module):
    """A model that goes by attributes of its own."""

    def __init__(self):
        super().__init__()
        self.inner = chain()
        self.scale = torch.tensor(2.0)
        self.last = torch.sin

    def forward(self, x):
        return self.last(self.inner(x)) * self.scale


CHANGES = {
    "a module of another kind": lambda model: model.inner.__setitem__(2, torch.nn.Sigmoid()),
    "a forward of its own": lambda model: setattr(model.inner[2], "forward", lambda x: x * 5),
    "a hook of the backward": lambda model: model.inner[3].register_full_backward_pre_hook(lambda module, g: (2 * g[0],)),
    "a tensor": lambda model: setattr(model, "scale", torch.tensor(3.0)),
    "a function": lambda model: setattr(model, "last", torch.cos),
    "a tied weight": lambda model: setattr(model.inner[5], "weight", model.inner[3].weight),
}


@pytest.mark.rotates
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("wrap", ["remat", "planned"], indirect=True)
def test_what_a_model_goes_by_may_change(wrap, change):
    model = Scaled()
    step = wrap(model)
    assert_as_plain(step, model)
    CHANGES[change](model)
    if step is not model and change in ("a tensor", "a function"):
        CHANGES[change](step)  # a planned module has its own attributes
    assert_as_plain(step, model)


class Noted(Scaled):
    """A model that asks for what may be noted on it."""

    factor = 1.0

    def forward(self, x):
        return super().forward(x) * self.factor * getattr(self.inner, "extra", 1.0)


def test_what_a_library_notes_on_a_planned_module_is_no_news_where_it_does_not_ask_for_it():
    model = Noted()
    step = remat_studio.planned(model, ROWS[0], budget="100%", time_limit=1)
    plans = len(records())
    step._is_accelerate_prepared = model.inner.noted = True
    assert_as_plain(step, model)
    assert len(records()) == plans
    model.inner.extra = 3.0
    assert_as_plain(step, model)
    model.factor = step.factor = 2.0
    assert_as_plain(step, model)
    assert len(records()) == plans + 2


class Counting(torch.nn.Module):
    """A model that counts its calls."""

    def __init__(self):
        super().__init__()
        self.inner = chain()
        self.steps = 0

    def forward(self, x):
        self.steps += 1
        return self.inner(x) * min(1.0, self.steps / 4)


def test_a_planned_module_says_that_its_forward_counts():
    model = Counting()
    with pytest.warns(UserWarning, match="forward changes steps of the model, of which a plan has nothing"):
        step = remat_studio.planned(model, ROWS[0], budget="100%", time_limit=1)
    step(ROWS[0])
    assert step.steps == 0
    with torch.no_grad():
        step(ROWS[0])
    assert step.steps == 1  # the model runs by itself then


def test_a_plan_that_is_applied_says_that_the_forward_counts(tmp_path):
    model = Counting()
    path = tmp_path / "model.pt2"
    plan = remat_studio.plan(remat_studio.trace(model, (ROWS[0],), None, path), "100%", time_limit=1)
    with pytest.warns(UserWarning, match="forward changes steps of the model"):
        plan.apply(model, (ROWS[0],))
    assert model.steps == 0


def test_a_forward_that_was_put_on_a_model_is_the_one_that_is_planned():
    model = chain()
    given = model.forward
    model.forward = lambda x: 3 * given(x)
    step = remat_studio.planned(model, ROWS[0], budget="100%", time_limit=1)
    assert torch.equal(step(ROWS[0]), model(ROWS[0]))
    with torch.no_grad():
        assert torch.equal(step(ROWS[0]), model(ROWS[0]))


class Deciding(Counting):
    """One that is planned in parts, since it decides by a value."""

    def forward(self, x):
        self.steps += 1
        x = self.inner(x)
        return x if x.sum().item() > 1e9 else 2 * x


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_model_in_parts_counts():
    step = remat_studio.planned(Deciding(), ROWS[0], budget="100%", time_limit=1)
    for _ in range(2):
        step(ROWS[0])
    assert step.steps == 2
    torch._dynamo.reset()


class Averaging(torch.nn.Module):
    """A model that keeps a mean of what it gives, and goes by it in its next call."""

    def __init__(self, where):
        super().__init__()
        self.inner, self.where = chain(depth=1), where
        self.register_buffer("mean", torch.zeros(4))
        self.own, self.kept = torch.zeros(4), {"mean": torch.zeros(4)}

    def forward(self, x):
        y = self.inner(x)
        if self.where == "data":
            self.mean.data = (self.mean / 2 + y.mean(0)).detach()
        if self.where == "attribute":
            self.own = (self.own / 2 + y.mean(0)).detach()
        if self.where == "dict":
            self.kept["mean"] = (self.kept["mean"] / 2 + y.mean(0)).detach()
        self.last = y
        return y + self.mean + self.own + self.kept["mean"]


@pytest.mark.filterwarnings("ignore:No plan|The step")
@pytest.mark.parametrize("where", ["data", "attribute", "dict"])
def test_tensors_that_the_forward_leaves_in_the_model_are_those_of_the_call(where):
    expected, model = Averaging(where), Averaging(where)
    with pytest.warns(UserWarning, match="is planned in parts.* leaves tensors in .*last.* of the model"):
        step = remat_studio.planned(model, ROWS[0], budget="100%", time_limit=1)
    for x in ROWS:
        own, plain = mean_square(step, x), mean_square(expected, x)
        own.backward(), plain.backward()
        assert torch.equal(own, plain)
    assert torch.equal(step.last, expected.last)


@pytest.mark.parametrize("gives", ["tensor", "view"])
def test_a_buffer_that_the_forward_gives_other_data_has_it_in_a_planned_call(gives, recwarn):
    class Model(Averaging):
        def forward(self, x):
            y = self.inner(x)
            self.mean.data = (self.mean + y.detach().mean(0)) if gives == "tensor" else y.data[0]
            return y + self.mean

    expected, model = Model(gives), Model(gives)
    step = remat_studio.planned(model, ROWS[0], budget="100%", time_limit=1)
    for x in ROWS:
        assert torch.equal(mean_square(step, x), mean_square(expected, x))
    assert torch.equal(model.mean, expected.mean)
    assert not any("planned in parts" in str(each.message) for each in recwarn)
