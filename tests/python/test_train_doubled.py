# SPDX-License-Identifier: Apache-2.0
"""Gradients of gradients, of planned modules and of compiled ones, are those of plain PyTorch."""

import gc
import importlib
import linecache
import pathlib
import re
import subprocess
import sys
import warnings
import weakref

import pytest
import remat_studio
import torch
from remat_studio import frames
from remat_studio.train import asks, once_more, records
from torch import nn
from torch.autograd import grad
from torch.nn import functional as F
from test_train_backend import measured_peak
from training import batches, chain, planner

__all__ = ["planner"]

OPTIONS = {"budget": "80%", "time_limit": 0.2}


class Critic(nn.Module):
    """Draws numbers, moves averages, and counts its calls in a number that it uses."""

    def __init__(self, drop=0.5):
        super().__init__()
        torch.manual_seed(0)
        layers = nn.Linear(8, 16), nn.BatchNorm1d(16), nn.Tanh(), nn.Dropout(drop), nn.Linear(16, 16), nn.SiLU()
        self.net = nn.Sequential(*layers, nn.Linear(16, 1))
        self.register_buffer("count", torch.zeros(1))

    def forward(self, x):
        self.count += 1
        return self.net(x) * torch.exp(-self.count / 100)


def penalty(call, _model, x):
    """The loss of WGAN-GP's critic."""
    middle = (x / 2).detach().requires_grad_()
    (slope,) = grad(call(middle).sum(), middle, create_graph=True)
    return call(x).mean() - call(-x).mean() + 10 * (slope.norm(dim=1) - 1).square().mean()


def inner_step(call, model, x):
    """The loss after an inner step of MAML, on weights that depend on the first gradient."""
    weights = list(model.parameters())
    slopes = grad(call(x).square().mean(), weights, create_graph=True)
    return sum((weight - 0.1 * slope).square().mean() for weight, slope in zip(weights, slopes, strict=True))


def product_with_hessian(call, model, x):
    """Its gradient is the Hessian times a vector."""
    slopes = grad(call(x).sin().mean(), list(model.parameters()), create_graph=True)
    return sum((slope * torch.randn_like(slope)).sum() for slope in slopes)


def plain(model):
    return model


def as_module(model):
    return remat_studio.planned(model, (batches(1)[0].requires_grad_(),), **OPTIONS)


def compiled(model):
    return torch.compile(model, backend="remat", options=dict(OPTIONS))


def train(model, wrap, loss_of, steps=3):
    """Losses, gradients, weights and buffers of some steps; and what comes from the generator afterwards."""
    call, found = wrap(model), []
    update = torch.optim.SGD(model.parameters(), 0.05)
    torch.manual_seed(5)
    for x in batches(steps, rows=16):
        update.zero_grad()
        loss = loss_of(call, model, x)
        loss.backward()
        found += [loss.detach(), *(p.grad.clone() for p in model.parameters() if p.grad is not None)]
        update.step()
    return [*found, *(value.clone() for value in model.state_dict().values()), torch.rand(1)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrap", [as_module, compiled])
@pytest.mark.parametrize("drop", [0.0, 0.5])
def test_a_penalty_on_gradients_has_the_bits_of_plain_pytorch(wrap, drop):
    expected = train(Critic(drop), plain, penalty)
    found = train(Critic(drop), wrap, penalty)
    assert all(map(torch.equal, found, expected)) and len(found) == len(expected)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrap", [as_module, compiled])
def test_a_product_with_the_hessian_has_the_bits_of_plain_pytorch(wrap):
    found, expected = train(Critic(), wrap, product_with_hessian), train(Critic(), plain, product_with_hessian)
    assert all(map(torch.equal, found, expected)) and len(found) == len(expected)


@pytest.fixture
def in_float64():
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrap", [as_module, compiled])
def test_an_inner_step_differs_by_the_order_of_sums_alone(wrap, in_float64):
    for value, wanted in zip(train(Critic(), wrap, inner_step), train(Critic(), plain, inner_step), strict=True):
        torch.testing.assert_close(value, wanted, rtol=1e-11, atol=1e-14)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrap", [as_module, compiled])
def test_third_derivatives_are_those_of_plain_pytorch(wrap, in_float64):
    def bends(call, _model, x):
        x = x.clone().requires_grad_()
        (slope,) = grad(call(x).sin().sum(), x, create_graph=True)
        return sum(grad(slope[:, i].sum(), x, create_graph=True)[0][:, i].square().mean() for i in range(3))

    for value, wanted in zip(train(Critic(), wrap, bends), train(Critic(), plain, bends), strict=True):
        torch.testing.assert_close(value, wanted, rtol=1e-11, atol=1e-14)


def test_a_graph_that_is_retained_is_differentiated_twice():
    model, (x,) = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 4)), batches(1)
    loss = compiled(model)(x).sum()
    once, twice = (grad(loss, [*model.parameters()], retain_graph=True) for _ in range(2))
    assert all(map(torch.equal, once, twice))


@pytest.mark.parametrize("way", ["planned", "compiled"])
def test_it_is_said_that_these_are_computed_without_the_plan(way):
    sentence = "its forward runs once more, and holds what it does without a plan"
    with pytest.warns(UserWarning, match=sentence) as said:
        call = (as_module if way == "planned" else compiled)(Critic())
        for rows in (16, 24):  # each is planned by itself
            penalty(call, None, torch.randn(rows, 8)).backward()
    assert len([each for each in said if sentence in str(each.message)]) == 1


def penalty_on_an_output(call, x):
    """A loss of an output and of its slope."""
    out = call(x)
    (slope,) = grad(out.sum(), x, create_graph=True)
    return slope.square().mean() + out.mean()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrap", [as_module, compiled])
def test_the_plan_holds_nothing_beside_the_second_run(wrap):
    model, x = chain(64), torch.randn(1024, 8, requires_grad=True)
    plain_bytes, own_bytes = [], []
    for call, peaks in ((model, plain_bytes), (wrap(model), own_bytes)):
        for _ in range(2):
            model.zero_grad()
            peaks.append(measured_peak(lambda call=call: penalty_on_an_output(call, x).backward()))
    assert own_bytes[-1] < 1.15 * plain_bytes[-1], "1.4 times with what the plan keeps"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrap", [as_module, compiled])
def test_a_graph_that_is_retained_has_other_gradients_after_the_second_run(wrap):
    model, x = chain(), torch.randn(16, 8, requires_grad=True)
    found = []
    for call in (model, wrap(model)):
        loss = penalty_on_an_output(call, x)
        found.append([grad(loss, [x, *model.parameters()], retain_graph=keeps) for keeps in (True, True, False)])
        with pytest.raises(RuntimeError, match="a second time"):
            loss.backward()
    assert all(torch.equal(*pair) for one, other in zip(*found, strict=True) for pair in zip(one, other, strict=True))


@pytest.mark.filterwarnings("ignore")
def test_a_second_call_moves_averages_that_the_first_one_saved():
    x, found = torch.randn(24, 8), []  # with so many rows, averages are the last that is saved
    for wrap in (plain, as_module):
        model = Critic()
        call = wrap(model)
        torch.manual_seed(5)
        penalty(call, model, x).backward()
        found.append([*(p.grad for p in model.parameters()), *model.buffers()])
    assert all(map(torch.equal, *found))


@pytest.mark.filterwarnings("ignore")
def test_views_and_several_outputs_lead_to_the_same_gradients():
    class Halves(nn.Module):
        def __init__(self):
            super().__init__()
            torch.manual_seed(1)
            self.inner = nn.Linear(8, 8)

        def forward(self, x):
            y = self.inner(x).tanh()
            return y[:, :4], y[:, 4:], x, y.detach()

    def slopes(call, _model, x):
        x = x.clone().requires_grad_()
        first, second, same, _ = call(x)
        (slope,) = grad((first * second).sum() + same.sum(), x, create_graph=True)
        return slope.square().sum()

    expected = train(Halves(), plain, slopes)
    assert all(map(torch.equal, train(Halves(), compiled, slopes), expected))


def by_inductor(model):
    return torch.compile(model, backend="remat", options=OPTIONS | {"codegen": "inductor"})


@pytest.mark.filterwarnings("ignore")
def test_inductors_kernels_have_them():
    expected = train(Critic(0.0), plain, penalty, steps=1)
    found = train(Critic(0.0), by_inductor, penalty, steps=1)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


class Drawing(nn.Module):
    """Draws by Inductor's kernels, or in ways that it leaves to operators, too; gives what it drew, or takes it."""

    def __init__(self, by_operators):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.last = nn.Linear(8, 16), nn.Linear(16, 4)
        self.by_operators = by_operators

    def forward(self, x, drawn=None):
        h = self.first(x).tanh()
        is_first = drawn is None
        if is_first:
            ones = torch.ones_like(h)
            drawn = [F.dropout(ones, 0.3), torch.rand_like(h), torch.randn_like(h)]
            drawn += [torch.bernoulli(ones / 2), torch.randint(1, 3, h.shape), torch.rand(16)]
            drawn += [F.dropout(ones.bfloat16(), 0.5), torch.empty_like(h).exponential_(2)]
            if self.by_operators:
                drawn += [F.dropout1d(ones[None], 0.5)[0], torch.empty_like(h).uniform_(1, 2)]
                drawn += [torch.empty_like(h).normal_(1, 0.1), torch.poisson(3 * h.detach().exp()) / 3]
                drawn += [torch.multinomial((h * drawn[2]).softmax(1), 16) / 8, torch.empty_like(h).uniform_(1, 2)]
                drawn += [torch.randperm(16) / 8, F.dropout1d(ones[None], 0.5)[0]]
        for number in drawn[:16]:
            h = (h * number + 0.1 * h).sin()
        if self.by_operators:
            bent = F.rrelu(h, training=True) if is_first else h * drawn[16]
            drawn = [*drawn, (bent / h).detach()]
            h = bent
        return self.last(h), drawn


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("breaks", [False, True], ids=["one_graph", "two_graphs"])
@pytest.mark.parametrize("by_operators", [False, True], ids=["by_kernels", "by_operators"])
def test_with_inductors_kernels_they_are_those_of_the_numbers_that_were_drawn(breaks, by_operators):
    model = Drawing(by_operators)

    def step(x):
        if breaks:
            x = F.dropout(x, 0.0).sin()
            torch._dynamo.graph_break()
        return model(x)

    def gradients(call, x):
        out, drawn = call(x)
        (slope,) = grad(out.square().sum(), x, create_graph=True)
        return [slope, *grad(slope.square().sum(), [x, *model.first.parameters(), model.last.weight])], drawn

    call = by_inductor(step)
    for _ in range(3):
        x = batches(1)[0].requires_grad_()
        found, drawn = gradients(call, x)
        values = [number.detach() for number in drawn]
        expected, _ = gradients(lambda x, values=values: model(x.sin() if breaks else x, values), x)
        torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.filterwarnings("ignore")
def test_what_gradients_go_on_through_is_not_held_for_scripts_that_do_not_ask(monkeypatch):
    monkeypatch.setattr(asks, "place", lambda: None)  # this file does ask
    for wrap in (as_module, compiled):
        model = nn.Sequential(nn.Tanh(), nn.Linear(8, 4))
        call, leaf = wrap(model), batches(1)[0].requires_grad_()
        for _ in range(once_more._PATIENCE):
            call(leaf * 1).sum().backward()
        x = leaf * 1
        seen, loss = weakref.ref(x), call(x).sum()
        del x
        assert seen() is None
        loss.backward()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrap", [as_module, compiled])
def test_a_temporary_that_nobody_holds_is_there_for_the_second_run(wrap):
    model = nn.Sequential(nn.Tanh(), nn.Linear(8, 4), nn.Tanh())

    def slopes(call):
        x = batches(1)[0].requires_grad_()
        call(x * 2).sum().backward()  # the script asks in its second call
        (slope,) = grad(call(x * 1).sum(), x, create_graph=True)
        return grad(slope.square().sum(), [x, *model.parameters()], allow_unused=True)

    call, wanted = wrap(model), slopes(model)
    for _ in range(2):
        found = slopes(call)
        assert all(own is other or torch.equal(own, other) for own, other in zip(found, wanted, strict=True))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrap", [as_module, compiled])
def test_a_first_question_late_in_training_finds_the_batch_that_was_made_for_the_call(wrap):
    model = nn.Sequential(nn.Tanh(), nn.Linear(8, 4), nn.Tanh())
    numbers, weights = (127 * batches(1)[0]).to(torch.uint8), list(model.parameters())

    def product(call):
        slopes = grad(call(numbers.float() / 255).sin().sum(), weights, create_graph=True)
        return grad(sum(slope.square().sum() for slope in slopes), weights)

    call = remat_studio.planned(model, (numbers.float(),), **OPTIONS) if wrap is as_module else wrap(model)
    for _ in range(once_more._PATIENCE):
        call(numbers.float() / 255).sum().backward()
    assert all(map(torch.equal, product(call), product(model)))


@pytest.mark.parametrize("wrap", [as_module, compiled])
def test_a_script_with_a_line_that_asks_holds_what_gradients_go_on_through_and_says_so(wrap, monkeypatch):
    monkeypatch.setattr(asks, "place", lambda: f"{wrap.__name__}.py:3")
    model = nn.Sequential(nn.Tanh(), nn.Linear(8, 4), nn.Tanh())
    call, x = wrap(model), batches(1)[0].requires_grad_()

    def slopes(call):
        (slope,) = grad(call(x * 1).sum(), x, create_graph=True)
        return grad(slope.square().sum(), [x, *model.parameters()], allow_unused=True)

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for _ in range(once_more._PATIENCE + 2):
            call(x * 1).sum().backward()
        found, expected = slopes(call), slopes(model)
    assert all(own is other or torch.equal(own, other) for own, other in zip(found, expected, strict=True))
    sentence = f"{wrap.__name__}.py:3 may ask.*holds what gradients go on through, {x.nbytes} bytes"
    assert len([each for each in said if re.search(sentence, str(each.message))]) == 1


class Queue(nn.Module):
    """Uses keys of before, more than 1 MiB, and writes new ones over them, as MoCo does."""

    def __init__(self):
        super().__init__()
        self.net = nn.Linear(8, 64)
        self.register_buffer("keys", torch.randn(5000, 64))

    def forward(self, x):
        key = self.net(x)
        logits = key.tanh() @ self.keys.clone().T
        with torch.no_grad():
            self.keys[: len(key)] = key
        return logits


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrap", [as_module, compiled])
def test_a_script_with_a_line_that_asks_keeps_large_buffers_of_before(wrap):
    torch.manual_seed(0)
    found = []
    for each in (plain, wrap):
        torch.manual_seed(0)
        model = Queue()
        call, x = each(model), batches(1)[0].requires_grad_()
        for _ in range(2):
            (slope,) = grad(call(x).logsumexp(1).sum(), x, create_graph=True)
        found.append([slope, *grad(slope.square().sum(), list(model.parameters()), allow_unused=True)])
    assert all(one is other or torch.equal(one, other) for one, other in zip(*found, strict=True))


def test_lines_that_ask_are_found_in_all_that_is_imported(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(frames, "is_user_file", lambda file: file.startswith(str(tmp_path)))
    (tmp_path / "loop_of_a_user.py").write_text("def run(call):\n    return call()\n")
    importlib.import_module("loop_of_a_user")
    assert asks.place() is None
    (tmp_path / "penalty_of_a_user.py").write_text("import torch\n\nORDER = dict(create_graph=True)\n")
    importlib.import_module("penalty_of_a_user")
    assert asks.place() == f"{tmp_path / 'penalty_of_a_user.py'}:3"
    asks._place.cache_clear()


def test_what_a_cell_of_a_notebook_asks_is_found(monkeypatch):
    monkeypatch.setattr(frames, "is_user_file", lambda _file: False)
    cell = "<ipython-input-7-remat>"
    monkeypatch.setitem(linecache.cache, cell, (12, None, ["\n", "grad(loss, x, create_graph=True)\n"], cell))
    assert asks.place() == f"{cell}:2"
    asks._place.cache_clear()


def test_libraries_that_pytorch_imports_do_not_ask():
    where = pathlib.Path(remat_studio.__file__).parents[1]
    script = f"import sys\nsys.path.insert(0, {str(where)!r})\n"
    script += "import torch, sympy.printing, torch._inductor.compile_fx, transformers, accelerate, peft\n"
    script += "from remat_studio.train import asks\nprint(asks.place())"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "None"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrap", [as_module, compiled])
def test_a_gradient_by_the_one_that_was_given_leaves_nothing_behind(wrap):
    model = nn.Sequential(nn.Linear(8, 4), nn.Tanh())
    call, x = wrap(model), batches(1)[0].requires_grad_()

    def forward_derivative(call, x):
        out = call(x)
        given = torch.ones_like(out).requires_grad_()
        (slope,) = grad(out, x, given, create_graph=True)
        return out, grad(slope, given, torch.ones_like(x), retain_graph=True)[0], slope

    out, found, slope = forward_derivative(call, x)
    assert torch.equal(found, forward_derivative(model, x)[1])
    assert torch.equal(grad(slope.sum(), x)[0], grad(forward_derivative(model, x)[2].sum(), x)[0])
    seen = weakref.ref(out)
    del out, slope, found
    gc.collect()
    assert seen() is None


@pytest.mark.filterwarnings("ignore")
def test_what_is_gone_is_said_and_left_to_pytorch(monkeypatch):
    monkeypatch.setattr(once_more, "_PATIENCE", 0)
    monkeypatch.setattr(asks, "place", lambda: None)
    model = nn.Sequential(nn.Tanh(), nn.Linear(8, 4))
    call, x = compiled(model), batches(1)[0].requires_grad_()
    out = call(x * 1).sum()  # a value that neither autograd nor the script keeps
    with pytest.warns(UserWarning, match="freed or changed in place since.*differentiated no further"):
        (slope,) = grad(out, x, create_graph=True)
    torch.testing.assert_close(slope, grad(model(x).sum(), x)[0])


def test_autocast_around_a_compiled_function_is_around_its_second_run():
    torch.manual_seed(0)
    model, x = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1)), torch.randn(4, 8, requires_grad=True)
    found = []
    for call in (model, torch.compile(model, backend="remat", options=OPTIONS)):
        with torch.autocast("cpu", torch.bfloat16):
            (slope,) = grad(call(x).float().sum(), x, create_graph=True)
        found.append(grad(slope.square().sum(), [*model.parameters()][:3]))
    assert all(map(torch.equal, *found))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("wrap", [as_module, compiled])
def test_a_call_that_eager_mode_differentiates_is_no_part_of_the_sum(wrap):
    def held_by(call):
        for index in range(8):  # until nothing is planned any more; there can be one profiler only
            model.zero_grad()
            x, real, fake = (torch.randn(512, 8).requires_grad_() for _ in range(3))

            def step(x=x, real=real, fake=fake):
                ends = call(fake).mean() - call(real).mean()
                (slope,) = grad(call(x).sum(), x, create_graph=True)
                (ends + (slope.norm(dim=1) - 1).square().mean()).backward()

            if index < 7:
                step()
        return measured_peak(step)

    model = chain(64)
    plain_bytes, own_bytes = held_by(model), held_by(wrap(model))
    found = records()[-1]["step"]
    assert found["keep_all_peak_bytes"] == pytest.approx(plain_bytes, rel=0.04)
    assert found["peak_bytes"] == pytest.approx(own_bytes, rel=0.005)
