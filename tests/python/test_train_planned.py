# SPDX-License-Identifier: Apache-2.0
"""Planned modules: they compute, train, save and load what the model does, and hold what was planned."""

import copy
import dataclasses
import inspect
import warnings

import pytest
import remat_studio
import torch
import zoo
from remat_studio import TraceError
from remat_studio.train import PlanError, records
from test_train_backend import measured_peak
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.utils.checkpoint import checkpoint
from training import assert_equal_runs, assert_planned, batches, chain, mean_square, one_rank, planner, train

__all__ = ["one_rank", "planner"]

QUICK = {"time_limit": 0.2}


def planned(model, example, budget="60%", **options):
    """The model with a plan that is found quickly."""
    return remat_studio.planned(model, example, budget=budget, **{**QUICK, **options})


def train_planned(model, inputs, budget="60%", loss=mean_square, **more):
    """As ``train``, of a planned module."""
    example = inputs[0] if isinstance(inputs[0], tuple | dict) else (inputs[0],)

    def run(copied, *given):
        if not hasattr(copied, "made"):
            copied.__dict__["made"] = planned(copied, example, budget)
        return loss(copied.__dict__["made"], *given)

    return train(model, inputs, loss=run, **more)


def test_a_planned_module_trains_as_the_model_does_in_the_memory_of_the_plan():
    model, inputs = chain(width=64), batches(2, rows=256)
    own = train_planned(model, inputs)
    assert_planned()
    assert_equal_runs(own, train(model, inputs))
    made = planned(model, (inputs[0],))
    mean_square(made, inputs[0]).backward()
    model.zero_grad()
    peak = measured_peak(lambda: mean_square(made, inputs[0]).backward())
    outside = 3 * inputs[0].shape[0] * 4 * 4  # the loss and its gradient are computed beside the plan
    assert abs(peak - records()[-1]["predicted"]["peak_bytes"]) <= outside


def test_it_is_the_module_in_all_but_its_forward(tmp_path):
    model, x = nn.Sequential(chain(), nn.BatchNorm1d(4)), batches(1)[0]
    made = planned(model, (x,))
    assert isinstance(made, nn.Sequential) and made.state_dict().keys() == model.state_dict().keys()
    assert inspect.signature(made.forward) == inspect.signature(model.forward)
    assert [id(p) for p in made.parameters()] == [id(p) for p in model.parameters()]
    seen = []
    hook = made.register_forward_hook(lambda *_: seen.append("after"))
    made(x).sum().backward()
    assert seen == ["after"]
    hook.remove()
    torch.save(made.state_dict(), tmp_path / "planned.pt")
    other = nn.Sequential(chain(), nn.BatchNorm1d(4))
    other.load_state_dict(torch.load(tmp_path / "planned.pt"))
    assert torch.equal(other.eval()(x), made.eval()(x))
    with torch.no_grad():
        other[0][0].weight.add_(1)
    made.load_state_dict(other.state_dict())
    assert torch.equal(model[0][0].weight, other[0][0].weight)
    torch.save(made, tmp_path / "whole.pt")
    whole = torch.load(tmp_path / "whole.pt", weights_only=False)
    assert torch.equal(whole(x), made(x)) and whole[0][0].weight is not made[0][0].weight
    made.double()
    assert made(x.double()).dtype is torch.float64


def test_a_copy_is_planned_for_its_own_parameters():
    x = batches(1)[0]
    made = planned(chain(), (x,))
    copied = copy.deepcopy(made)
    with torch.no_grad():
        copied[0].weight.zero_()
    copied(x).sum().backward()
    assert made[0].weight.abs().sum() > 0 and made[0].weight.grad is None and copied[0].weight.grad is not None


@pytest.mark.parametrize("with_labels", [True, False])
def test_models_of_transformers_with_and_without_labels(with_labels):
    torch.manual_seed(1)
    model, args = zoo.gpt2()
    given = dict(args) if with_labels else {"input_ids": args["input_ids"]}

    def loss(model):
        output = model(**given)
        assert output.logits.shape[:2] == given["input_ids"].shape
        return output.loss if with_labels else output.logits.square().mean()

    def run(wrap):
        copied = copy.deepcopy(model).train()
        step = wrap(copied)
        value = loss(step)
        value.backward()
        return value.detach(), [p.grad for p in copied.parameters()]

    own, plain = run(lambda copied: planned(copied, given, "80%")), run(lambda copied: copied)
    assert_planned()
    assert torch.equal(own[0], plain[0]) and all(map(torch.equal, own[1], plain[1]))


def test_calls_of_a_frozen_model_run_as_it_does():
    model, x = chain(), batches(1)[0]
    made = planned(model, (x,))
    before = len(records())
    model.requires_grad_(False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of a plan for a graph without a backward, which has no smaller one
        assert torch.equal(made(x), model(x))
    assert len(records()) == before
    mean_square(made, x.clone().requires_grad_()).backward()
    assert len(records()) > before


@dataclasses.dataclass
class Pair:
    """An output that PyTorch's trees do not know."""

    first: torch.Tensor
    second: torch.Tensor
    note: str = ""


class Several(nn.Module):
    """Gives two tensors and a text, draws random numbers, and may be called by position and by name."""

    def __init__(self):
        super().__init__()
        self.inner, self.drop, self.norm = chain(depth=2), nn.Dropout(0.3), nn.BatchNorm1d(4)

    def forward(self, x, *, scale=1.0):
        y = self.norm(self.inner(x))
        return Pair(self.drop(y) * scale, y.detach(), "pair")


def test_dataclasses_dropout_buffers_and_arguments_by_name():
    torch.manual_seed(3)
    model, x = Several(), batches(1)[0]
    made = planned(model, (x,), "80%")
    before = model.norm.num_batches_tracked.clone()
    outputs = [made(x, scale=scale) for scale in (1.0, 2.0)]
    assert [type(output) for output in outputs] == [Pair] * 2 and outputs[0].note == "pair"
    assert outputs[0].first.requires_grad and not outputs[0].second.requires_grad
    assert model.norm.num_batches_tracked == before + 2
    assert not torch.equal(outputs[0].first, outputs[1].first / 2)  # drawn anew
    with torch.random.fork_rng():
        torch.manual_seed(5)
        kept = made(x).first != 0
        torch.manual_seed(5)
        value = made(x).first
    value.sum().backward()
    assert torch.equal(value != 0, kept)


def test_evaluation_and_calls_without_gradients_run_as_the_model():
    model, x = nn.Sequential(chain(), nn.Dropout(0.5)), batches(1)[0]
    made, before = planned(model, (x,)), len(records())
    with torch.no_grad():
        assert made(x).shape == (64, 4)
    assert len(records()) == before
    made.eval()
    assert not made.training and torch.equal(made(x), model.eval()(x))


def test_other_shapes_are_planned_up_to_a_limit_and_said(recwarn):
    model = chain()
    before = len(records())
    made = planned(model, (batches(1, 64)[0],), shapes=2)
    for rows in (64, 48, 40, 32, 64):
        assert torch.equal(made(batches(1, rows)[0]), model(batches(1, rows)[0]))
    assert len(records()) == before + 2
    said = [str(warning.message) for warning in recwarn if "more than 2 shapes" in str(warning.message)]
    assert len(said) == 1 and "run without a plan" in said[0]


class ByValue(nn.Module):
    """Goes another way where its mask is not all ones."""

    def __init__(self):
        super().__init__()
        self.inner = chain(depth=2)

    def forward(self, x, mask):
        return self.inner(x) if mask.all() else self.inner(x) * mask[:, None]


def test_settings_of_modules_may_change():
    model = nn.Sequential(nn.Linear(8, 32), nn.Dropout(0.5), nn.Linear(32, 8))
    x = torch.randn(16, 8)
    made = planned(model, (x,), "100%")
    for share in (0.5, 0.1, 0.9, 0.1):
        model[1].p = share
        results = []
        for run in (model, made):
            model.zero_grad()
            torch.manual_seed(3)
            run(x).square().mean().backward()
            results.append([parameter.grad for parameter in model.parameters()])
        assert all(map(torch.equal, *results)), share


def test_a_model_that_looks_at_values_is_planned_for_each_way():
    model, x = ByValue(), batches(1)[0]
    ones, half = torch.ones(64), torch.ones(64)
    half[:32] = 0
    before = len(records())
    made = planned(model, (x, ones), "80%")
    for mask in (ones, half, ones):
        assert torch.equal(made(x, mask), model(x, mask))
    assert len(records()) == before + 2


def gradients(model, step):
    model.zero_grad()
    step().sum().backward()
    return [parameter.grad for parameter in model.parameters()]


def test_masks_that_lead_the_same_way_share_a_plan():
    model, x = ByValue(), batches(1)[0]
    made, before = planned(model, (x, torch.ones(64)), "100%"), len(records())
    for kept in range(1, 64, 7):
        mask = (torch.arange(64) < kept).float()
        wanted = gradients(model, lambda given=mask: model(x, given))
        assert all(map(torch.equal, gradients(model, lambda given=mask: made(x, given)), wanted)), kept
    assert len(records()) == before + 1


class ByCount(ByValue):
    """Goes by a number that it computes of its mask, in place."""

    def forward(self, x, mask):
        count = mask.sum()
        count += 1
        return self.inner(x) * int(count)


def test_each_number_that_values_lead_to_is_a_way_of_its_own():
    model, x = ByCount(), batches(1)[0]
    first, second = (torch.arange(64) < 8).float(), (torch.arange(64) < 9).float()
    made = planned(model, (x, first), "100%")
    for mask in (first, second, first.flip(0)):
        assert torch.equal(made(x, mask), model(x, mask))


class Attends(nn.Module):
    """Ends in attention, which a CPU computes in several ops of which autocast casts none."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 24)

    def forward(self, x):
        q, k, v = self.layer(x).view(4, 16, 3, 8).transpose(1, 2).unbind(1)
        return nn.functional.scaled_dot_product_attention(q, k, v)


@pytest.mark.parametrize("make", [chain, Attends])
def test_autocast_around_the_call(make):
    torch.manual_seed(0)
    model, x = make(), batches(1)[0]
    made = planned(model, (x,))
    grads = []
    for each in (made, model):
        model.zero_grad()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            value = each(x)
        value.float().sum().backward()
        assert value.dtype is torch.bfloat16
        grads.append([p.grad.clone() for p in model.parameters()])
    assert all(map(torch.equal, *grads))


class Odd(nn.Module):
    """Looks at a value that follows from a parameter, amid what can be planned."""

    def __init__(self):
        super().__init__()
        self.inner = chain(width=64)
        self.last = nn.Linear(4, 4)

    def forward(self, x):
        y = self.inner(x)
        return self.last(y if float(y.detach().sum()) > 1e9 else -y)


def test_what_cannot_be_traced_is_planned_in_parts_and_said():
    torch.manual_seed(0)
    model, inputs = Odd(), batches(2, rows=256)
    begin = len(records())
    with pytest.warns(UserWarning, match="Odd is planned in parts.*turned into a Python number") as warned:
        own = train_planned(model, inputs)
    assert_equal_runs(own, train(model, inputs))
    names = {record["graph"]["name"] for record in records()[begin:]}
    assert len(names) >= 2, "the parts around it have plans"
    assert not [each for each in warned if "cannot be planned" in str(each.message)]


def test_what_cannot_be_traced_is_refused_where_that_is_wanted():
    with pytest.raises(remat_studio.TraceError, match="turned into a Python number"):
        planned(Odd(), (batches(1)[0],), strict=True)


def test_a_certificate_of_a_planned_module_says_that_bits_agree():
    model, x = chain(), batches(1)[0]
    planned(model, (x,), verify=True)(x).sum().backward()
    assert records()[-1]["certificate"]["equal"] is True


def test_it_runs_with_the_kernels_of_eager_mode():
    with pytest.raises(PlanError, match="leave out codegen"):
        planned(chain(), (batches(1)[0],), codegen="inductor")


def test_gradients_of_gradients_need_the_weights_of_the_call():
    model, x = chain(width=32), batches(1)[0].requires_grad_()
    out = planned(model, (x,), "100%")(x).sum()
    with torch.no_grad():
        model[0].weight.mul_(2)
    with pytest.raises(PlanError, match="freed or changed in place since"):
        torch.autograd.grad(out, x, create_graph=True)


def test_a_lazy_module_is_refused_in_a_sentence():
    with pytest.raises(TraceError, match="0.weight has no shape yet .a lazy module.; run the model once"):
        remat_studio.planned(nn.Sequential(nn.LazyLinear(8)), (torch.randn(2, 4),), budget="60%")


def test_what_leads_to_a_result_that_nobody_uses_has_no_gradient():
    """Zeros would let weight decay move it, which it does not in plain PyTorch."""

    class Heads(nn.Module):
        def __init__(self):
            super().__init__()
            self.body, self.used, self.unused = (nn.Linear(4, 4) for _ in range(3))

        def forward(self, x):
            h = self.body(x).relu()
            return self.used(h), self.unused(h)

    model, x = Heads(), torch.randn(8, 4)
    module = remat_studio.planned(model, (x,), budget="100%", time_limit=0.2)
    module(x)[0].square().mean().backward()
    assert model.unused.weight.grad is None and model.unused.bias.grad is None
    own = [parameter.grad for parameter in (*model.body.parameters(), *model.used.parameters())]
    model.zero_grad()
    model(x)[0].square().mean().backward()
    assert all(map(torch.equal, own, (p.grad for p in (*model.body.parameters(), *model.used.parameters()))))
    model.zero_grad()
    sum(each.square().mean() for each in module(x)).backward()
    assert model.unused.weight.grad.any()


def test_a_batch_norm_is_computed_again_though_it_gives_new_statistics():
    layers = [layer for _ in range(4) for layer in (nn.Linear(32, 32), nn.BatchNorm1d(32), nn.Tanh())]
    model, inputs = nn.Sequential(nn.Linear(8, 32), *layers), batches(2, rows=512)
    own = train_planned(model, inputs, "55%")
    predicted = records()[-1]["predicted"]
    assert predicted["peak_bytes"] <= 0.55 * predicted["keep_all_peak_bytes"]
    assert_equal_runs(own, train(model, inputs))


@pytest.mark.parametrize("holds_outputs", [False, True])
def test_a_budget_that_no_plan_holds_is_said_once_and_where_a_step_shows_that(holds_outputs, recwarn):
    """Outputs count to the end of the backward, until a step shows that the script lets go of them."""
    model, x = nn.Sequential(chain(depth=2), nn.Linear(4, 256)), batches(1, rows=512)[0]
    planned(model, (x,), "1KiB")
    step = planned(model, (x,), f"{records()[-1]['predicted']['peak_bytes'] - 2**18}B")  # half of the outputs
    for _ in range(4):
        output = step(x)
        loss = output.sum()
        if not holds_outputs:
            del output
        loss.backward()
    said = [str(each.message) for each in recwarn if "budget" in str(each.message)]
    assert [sentence.startswith("No plan within the budget") for sentence in said] == [True] * holds_outputs, said


def test_a_setting_that_changes_is_no_other_size_in_what_is_said_of_budgets(recwarn):
    model, x = nn.Sequential(chain(), nn.Dropout(0.5)), batches(1)[0]
    step = planned(model, (x,), "1KiB")
    for is_training in (True, False):
        step.train(is_training)
        for _ in range(4):
            step(x).square().mean().backward()
    said = [str(each.message) for each in recwarn if "budget" in str(each.message)]
    assert said and not any("Other sizes" in sentence for sentence in said)


def test_batches_whose_entries_come_in_another_order_share_a_plan():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = chain()

        def forward(self, x, scale, **more):
            return self.inner(x) * scale + sum(more.values())

    model = Model()
    batch = {"scale": torch.ones(4), "x": batches(1)[0], "b": torch.ones(4), "a": torch.zeros(4)}
    step = planned(model, batch)
    count = len(records())
    for names in (["scale", "x", "b", "a"], ["x", "b", "scale", "a"]):
        given = {name: batch[name] for name in names}
        assert torch.equal(step(**given), model(**given))
    assert len(records()) == count


@pytest.mark.parametrize("example", [(), {"x": torch.ones(2, 8)}, (torch.ones(2, 8), 1)])
def test_an_example_that_is_no_call_of_the_model_is_refused_in_a_sentence(example):
    with pytest.raises(PlanError, match="The example is no call of Sequential .* a dict that is itself an argument"):
        planned(chain(), example)


def test_a_scripted_model_is_refused_in_a_sentence():
    with pytest.warns(DeprecationWarning):
        model = torch.jit.script(chain())
    with pytest.raises(PlanError, match="plan the model it was made of"):
        planned(model, (torch.ones(2, 8),))


@pytest.mark.parametrize("tangent_of", [torch.func.jvp, torch.autograd.functional.jvp])
def test_forward_mode_runs_as_the_model(tangent_of, recwarn):
    model, x = chain(), batches(1)[0]
    step = planned(model, (x,))
    for function in (model, step):
        value, tangent = tangent_of(function, (x,), (x,))
        assert torch.equal(value, model(x)) and tangent.abs().sum() > 0
    is_said = any("runs without a plan inside of torch.func" in str(each.message) for each in recwarn)
    assert is_said == (tangent_of is torch.func.jvp)


def test_checkpoints_of_the_older_kind_are_told_in_one_sentence(recwarn):
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = chain(depth=1), nn.Linear(4, 4)

        def forward(self, x):
            return self.second(checkpoint(self.first, x, use_reentrant=True))

    planned(Model(), (torch.ones(64, 8, requires_grad=True),), "100%")
    (said,) = (str(each.message) for each in recwarn if each.category is not DeprecationWarning)
    assert "is planned in parts" in said and "say use_reentrant=False" in said


def test_a_model_whose_class_needs_arguments_may_be_sharded(one_rank):
    class Widened(nn.Module):
        """Is made for a width, as models of transformers are for a configuration."""

        def __init__(self, width):
            super().__init__()
            self.layers = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 8))

        def forward(self, x):
            return self.layers(x).square().mean()

    torch.manual_seed(3)
    model, x = Widened(64), torch.randn(256, 8)
    wanted = model(x).detach()
    planned = fully_shard(remat_studio.planned(model, (x,), budget="90%", time_limit=0.2))
    loss = planned(x)
    loss.backward()
    assert torch.equal(loss, wanted)
