# SPDX-License-Identifier: Apache-2.0
"""Training with a plan keeps the semantics of the model: what a step does besides its gradients."""

import contextlib
import copy
import gc
import pickle
import weakref

import pytest
import torch
from remat_studio.train import records
from torch import nn
from torch.utils.checkpoint import checkpoint
from training import assert_equal_runs, assert_planned, batches, chain, compiled, ended, mean_square, planner, train

__all__ = ["planner"]


class Normed(nn.Module):
    """Batch normalization, dropout and a counter that the forward changes and reads."""

    def __init__(self, dropout=0.0):
        super().__init__()
        torch.manual_seed(2)
        self.inner = nn.Sequential(*(self._block(8 if i == 0 else 24, dropout) for i in range(3)))
        self.head = nn.Linear(24, 3)
        self.register_buffer("count", torch.zeros(1))

    @staticmethod
    def _block(width, dropout):
        return nn.Sequential(nn.Linear(width, 24), nn.BatchNorm1d(24), nn.GELU(), nn.Dropout(dropout))

    def forward(self, x):
        self.count += 1
        return self.head(self.inner(x)) * torch.exp(-self.count / 100)


def same_as_plain(model, inputs=None, **more):
    """Train both ways and compare; returns the planned run."""
    inputs = inputs or batches()
    own = train(model, inputs, compiled, **more)
    assert_planned()
    assert_equal_runs(own, train(model, inputs, **more))
    return own


def test_dropout_draws_fresh_each_step_and_the_same_again():
    torch.manual_seed(6)
    model = nn.Sequential(*(f for _ in range(4) for f in (nn.Linear(8, 8), nn.Tanh(), nn.Dropout(0.5))))
    inputs, still = [batches(1)[0]] * 3, {"optimizer": lambda parameters: torch.optim.SGD(parameters, 0.0)}
    own = train(model, inputs, lambda step: compiled(step, "55%"), **still)
    assert_planned()
    assert records()[-1]["outside_bytes"] > 0  # states of generators
    assert len({float(loss) for loss in own.losses}) == 3
    torch._dynamo.reset()
    assert_equal_runs(own, train(model, inputs, lambda step: compiled(step, "100%"), **still))


def test_generator_states_are_within_the_budget():
    torch.manual_seed(6)
    model = nn.Sequential(*(f for _ in range(6) for f in (nn.Linear(64, 64), nn.Tanh(), nn.Dropout(0.5))))
    budget = "65%"
    for _ in range(2):
        torch._dynamo.reset()
        compiled(lambda x: mean_square(model, x), budget)(torch.randn(512, 64))
        record = records()[-1]
        budget = record["predicted"]["peak_bytes"]  # which leaves no room beside the plan
    assert record["outside_bytes"] > 0
    assert record["predicted"]["peak_bytes"] + record["outside_bytes"] <= record["budget_bytes"]


def test_batch_norm_buffers_and_counters():
    own = same_as_plain(Normed())
    assert own.state["count"] == 3
    assert own.state["inner.0.1.num_batches_tracked"] == 3


def test_tied_frozen_and_unused_parameters():
    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = nn.ModuleList(chain()[:-1])
            self.layers[3].weight = self.layers[1].weight
            self.layers[5].weight.requires_grad_(False)
            self.unused = nn.Linear(2, 2)

        def forward(self, x):
            for layer in self.layers:
                x = layer(x)
            return x

    own = same_as_plain(Tied())
    assert own.gradients["unused.weight"] is None and own.gradients["layers.5.weight"] is None


def test_gradient_accumulation_and_two_forwards_before_a_backward():
    model = Normed(dropout=0.2)

    def accumulated(budget):
        torch._dynamo.reset()
        own = copy.deepcopy(model)
        step = compiled(lambda x: mean_square(own, x), budget)
        torch.manual_seed(1)
        losses = []
        for x in batches(2):
            losses.append(step(x))
            losses[-1].backward()
        first, second = (step(x) for x in batches(2))
        second.backward()
        first.backward()
        return ended(own, losses)

    own = accumulated("50%")
    assert_planned()
    assert_equal_runs(own, accumulated("100%"))


@pytest.mark.parametrize("to_none", [True, False])
def test_zero_grad_and_clipping(to_none):
    def run(wrap):
        model = chain()
        step = wrap(lambda x: mean_square(model, x))
        update = torch.optim.AdamW(model.parameters(), 1e-2)
        for x in batches():
            update.zero_grad(set_to_none=to_none)
            step(x).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.01)
            update.step()
        return ended(model)

    assert_equal_runs(run(compiled), run(lambda step: step))
    assert_planned()


@pytest.mark.parametrize("inside", [True, False])
def test_autocast_bf16(inside):
    def loss(model, x):
        with torch.autocast("cpu", torch.bfloat16) if inside else contextlib.nullcontext():
            return mean_square(model, x)

    def around(step):
        def call(x):
            with contextlib.nullcontext() if inside else torch.autocast("cpu", torch.bfloat16):
                return step(x)

        return call

    own = train(chain(), batches(2), lambda step: around(compiled(step)), loss=loss)
    assert_planned()
    assert_equal_runs(own, train(chain(), batches(2), around, loss=loss))


def test_grad_scaler():
    def run(wrap):
        model = chain()
        scaler = torch.amp.GradScaler("cpu", init_scale=2.0**10, growth_interval=2)
        update = torch.optim.SGD(model.parameters(), 0.1)

        def step(x):
            with torch.autocast("cpu", torch.float16):
                return mean_square(model, x)

        step = wrap(step)
        for number, x in enumerate(batches(4)):
            update.zero_grad()
            scaler.scale(step(x * float("inf") if number == 1 else x)).backward()
            scaler.step(update)
            scaler.update()
        return ended(model, [torch.tensor(scaler.get_scale())])

    assert_equal_runs(run(compiled), run(lambda step: step))
    assert_planned()


def test_eval_and_no_grad_between_steps():
    def run(wrap):
        model = Normed()
        step = wrap(lambda x: mean_square(model, x))
        seen = []
        for x in batches(2):
            step(x).backward()
            model.eval()
            with torch.no_grad():
                seen.append(step(x))
                assert not seen[-1].requires_grad
            model.train()
        return ended(model, seen)

    assert_equal_runs(run(compiled), run(lambda step: step))


def test_hooks_on_modules_and_tensors():
    def run(wrap):
        model = chain()
        model[2].register_forward_hook(lambda module, given, out: out * 2)
        model[3].register_forward_pre_hook(lambda module, given: (given[0] + 1,))
        model[1].weight.register_hook(lambda gradient: gradient * 3)
        after = []
        model[1].bias.register_post_accumulate_grad_hook(lambda parameter: after.append(parameter.grad.sum()))
        step = wrap(lambda x: mean_square(model, x))
        for x in batches(2):
            step(x).backward()
        return ended(model, after)

    own = run(compiled)
    assert len(own.losses) == 2
    assert_planned()
    assert_equal_runs(own, run(lambda step: step))


def test_hooks_on_what_the_model_computes():
    class Watched(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = chain()

        def forward(self, x):
            half = self.inner[:7](x)
            half.register_hook(lambda gradient: gradient * 2)
            return self.inner[7:](half)

    def run(wrap):
        model = Watched()
        seen = []
        model.inner[4].register_full_backward_hook(lambda module, given, made: seen.append(made[0].sum()))
        step = wrap(lambda x: mean_square(model, x))
        for x in batches(2):
            step(x).backward()
        return ended(model, seen)

    own = run(compiled)
    assert len(own.losses) == 2
    assert_equal_runs(own, run(lambda step: step))


def test_gradient_checkpointing_in_the_model():
    class Checkpointed(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = chain()

        def forward(self, x):
            for layer in self.inner:
                x = checkpoint(layer, x, use_reentrant=False)
            return x

    same_as_plain(Checkpointed())


def test_retain_graph_runs_the_backward_twice():
    model = chain()
    loss = compiled(lambda x: mean_square(model, x))(batches(1)[0])
    loss.backward(retain_graph=True)
    once = [p.grad.clone() for p in model.parameters()]
    with pytest.warns(UserWarning, match="call backward once to hold the budget"):
        loss.backward()
    assert all(torch.equal(p.grad, 2 * g) for p, g in zip(model.parameters(), once, strict=True))


def test_a_warning_stands_at_the_users_own_line():
    """A planned step warns while it is compiled, and in a backward that it does not know of."""
    model = chain()
    with pytest.warns(UserWarning, match="No plan") as told:
        loss = compiled(lambda x: mean_square(model, x), "1%")(batches(1)[0])
    loss.backward(retain_graph=True)
    with pytest.warns(UserWarning, match="ran a second time") as told_of_backward:
        loss.backward()
    assert {each.filename for each in (*told, *told_of_backward)} == {__file__}


def test_an_exception_in_mid_step_leaves_nothing_behind():
    class Indexed(Normed):
        def forward(self, x, index):
            return super().forward(x)[index]

    def run(wrap):
        model = Indexed(dropout=0.2)
        step = wrap(lambda x, index: mean_square(model, x, index))
        x = batches(1)[0]
        step(x, torch.tensor([0, 1])).backward()
        torch.manual_seed(4)
        state = torch.get_rng_state()
        with pytest.raises(IndexError):
            step(x, torch.tensor([0, 1000]))
        torch.set_rng_state(state)
        step(x, torch.tensor([0, 1])).backward()
        return ended(model)

    torch.manual_seed(4)
    own = run(lambda step: compiled(step, "60%"))
    torch.manual_seed(4)
    torch._dynamo.reset()
    assert_equal_runs(own, run(lambda step: compiled(step, "100%")))


def test_an_exception_in_a_hook_of_the_backward_frees_everything():
    model = chain()
    step = compiled(lambda x: mean_square(model, x))

    def stop(gradient):
        raise ValueError("stop here")

    step(batches(1)[0]).backward()
    handle = model[0].weight.register_hook(stop)
    x = batches(1)[0]
    seen = weakref.ref(x)
    loss = step(x)
    with pytest.raises(ValueError, match="stop here"):
        loss.backward()
    handle.remove()
    del x, loss
    gc.collect()
    assert seen() is None
    model.zero_grad()
    step(batches(1)[0]).backward()
    plain = train(chain(), batches(1))
    assert_equal_runs(ended(model), type(plain)(None, [], {}, plain.gradients))


def test_several_models_in_one_process():
    models = [chain(), Normed()]
    own = [copy.deepcopy(model) for model in models]
    steps = [compiled(lambda x, m=m: mean_square(m, x), budget) for m, budget in zip(own, ("60%", "70%"), strict=True)]
    for x in batches(2):
        losses = [step(x) for step in steps]
        for loss in losses:
            loss.backward()
    for model, planned in zip(models, own, strict=True):
        for x in batches(2):
            mean_square(model, x).backward()
        assert_equal_runs(ended(planned), ended(model))


def test_a_compiled_model_keeps_its_names_and_pickles():
    model, x = chain(), batches(1)[0]
    planned = compiled(model)
    expected = planned(x)
    expected.sum().backward()
    assert [name.removeprefix("_orig_mod.") for name in planned.state_dict()] == list(model.state_dict())
    again = pickle.loads(pickle.dumps(planned))
    again.zero_grad()
    again(x).sum().backward()
    assert torch.equal(again(x), expected)
    pairs = zip(again.parameters(), model.parameters(), strict=True)
    assert all(torch.equal(own.grad, wanted.grad) for own, wanted in pairs)


def test_attention_that_drops_nothing_is_computed_again_without_a_generator():
    """Its tag says that it draws; PyTorch's partitioner, which keeps no state for it, would hold less."""
    torch.manual_seed(0)
    into, out = nn.Linear(16, 48), nn.Linear(16, 16)

    def step(x):
        for _ in range(3):
            q, k, v = (part.unflatten(-1, (2, 8)).transpose(1, 2) for part in into(x).chunk(3, -1))
            x = out(nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        return x.square().mean()

    torch.compile(step, backend="remat", options={"budget": "50%", "time_limit": 1, "verify": True})(torch.randn(4, 8, 16))
    record = records()[-1]
    assert_planned()
    assert record["outside_bytes"] == 0
    assert record["certificate"]["measured"]["peak_between_ops_bytes"] <= record["predicted"]["peak_bytes"]
