# SPDX-License-Identifier: Apache-2.0
"""A trace is held against one step of plain PyTorch, and the archive has the outcome."""

import copy
import gc
import json
import random
import sys
import zipfile

import pytest
import remat_studio
import torch
from remat_studio import joint, program
from remat_studio.comparison import estimate, first_op, steps, traced
from remat_studio.comparison.held import measured
from remat_studio.comparison.steps import PlainStep
from remat_studio.losses import Loss
from remat_studio.trace import main
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from training import planner

__all__ = ["planner"]

CALLS = [0]


class Forgetful(nn.Module):
    """Depends on what no graph can know: how often it was called."""

    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 4)

    def forward(self, x):
        CALLS[0] += 1
        return self.second(torch.tanh(self.first(x)) * CALLS[0])


class Autocast(nn.Module):
    """Uses one weight again and again, in lower precision."""

    def __init__(self, **how):
        super().__init__()
        self.mix, self.how = nn.Linear(16, 16), how

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16, **self.how):
            for _ in range(5):
                x = torch.tanh(self.mix(x))
        return x.float()


class Summed(torch.autograd.Function):
    """Adds in another order where values are real, as kernels with atomic adds do."""

    @staticmethod
    def forward(ctx, x):
        return x.flip(0).sum(0) if type(x.data).__name__ == "Tensor" else x.sum(0)

    @staticmethod
    def backward(ctx, gradient):
        return gradient.expand(1000, 8)


class Sums(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(1000, 8))

    def forward(self, x):
        return Summed.apply(self.weight * x).square().mean()


class Steep(nn.Module):
    """Its gradients are finite in the first step, and throw the weight so far that the second one overflows."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4))

    def forward(self, x):
        return 1e12 * (self.weight * x).pow(4).sum()


class Unruly(nn.Module):
    """Changes what it holds, and takes numbers from the generator."""

    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)
        self.register_buffer("last", torch.zeros(4))
        self.count = 0

    def forward(self, x):
        self.count += 1
        self.last = x.mean(0).detach()
        return self.norm(x + torch.rand_like(x))


def compare(model, *args, loss_fn=None):
    """The record of a trace that is not written."""
    call = joint.Call(model, args)
    graph = program.build(joint.capture(joint.TrainingStep(model, Loss(loss_fn), call), call))
    return traced.compare_trace(PlainStep(model, args, loss_fn, 0), graph)


def written(path):
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("archive/extra/remat_comparison.json"))


def trace(tmp_path, model, args, **options):
    return written(remat_studio.trace(model, args, path=tmp_path / "model.pt2", **options))


def test_a_graph_that_computes_the_same_is_equal(tmp_path):
    record = trace(tmp_path, nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4)), (torch.randn(8, 4),))
    assert record["format"] == "remat-comparison/1" and record["verdict"] == "equal", record
    kinds = [row["kind"] for row in record["tensors"]]
    assert kinds.count("loss") == 1 and kinds.count("gradient") == 4 and kinds.count("buffer") == 3
    assert all(row["equal"] and row["relative"] == 0 for row in record["tensors"])


def test_a_graph_that_computes_something_else_is_different_from_a_named_op_on():
    CALLS[0] = 0
    record = compare(Forgetful(), torch.randn(3, 4))
    assert record["verdict"] == "different"
    first = record["first_op"]
    assert first["operator"] == "aten.mul" and "* CALLS[0])" in first["line"] and first["relative"] > 0.1
    unequal = {row["name"] for row in record["tensors"] if not row["equal"]}
    assert {"loss", "first.weight", "second.weight"} <= unequal
    assert not any(row["explained_by"] for row in record["tensors"])


def test_the_command_ends_with_1_and_still_writes_the_archive(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wrong.py").write_text(
        "import torch\nfrom torch import nn\nCALLS = [0]\nclass M(nn.Linear):\n    def forward(self, x):\n"
        "        CALLS[0] += 1\n        return super().forward(x) * CALLS[0]\n"
        "def make():\n    return M(4, 4), (torch.ones(2, 4),)\n"
    )
    assert main(["wrong.py:make", "-o", "out.pt2"]) == 1
    said = capsys.readouterr().err
    assert "The graph is not what PyTorch computes" in said and "wrong.py:7" in said and "aten.mul" in said
    assert written("out.pt2")["verdict"] == "different"
    assert main(["wrong.py:make", "-o", "out.pt2", "--compare", "never"]) == 0
    assert written("out.pt2")["verdict"] == "not compared"


def test_sums_in_another_order_are_explained():
    torch.manual_seed(0)
    record = compare(Sums(), torch.randn(1000, 8))
    assert record["verdict"] == "explained", record
    unequal = [row for row in record["tensors"] if not row["equal"]]
    assert unequal and all(row["explained_by"] == "order of a sum" and 0 < row["relative"] < 1e-4 for row in unequal)


def test_kernels_that_only_eager_mode_has_on_a_cpu_are_explained():
    torch.manual_seed(0)
    dropping = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.1), nn.Linear(8, 8)).train()
    record = compare(dropping, torch.randn(64, 8))
    assert record["verdict"] in ("equal", "explained"), record

    class First(nn.LSTM):
        def forward(self, x):
            return super().forward(x)[0]

    record = compare(First(8, 8, 2), torch.randn(5, 3, 8))
    assert record["verdict"] in ("equal", "explained"), record


@pytest.mark.parametrize("product", [torch.prod, lambda x: torch.cumprod(x, 0)], ids=["prod", "cumprod"])
def test_formulas_that_autograd_takes_while_it_is_looked_at_are_explained(product):
    class Product(nn.Linear):
        def forward(self, x):
            return product(super().forward(x).flatten() + 2).sum()

    torch.manual_seed(0)
    record = compare(Product(16, 16), torch.randn(2, 16))
    assert record["verdict"] == "explained" and "another formula" in record["why"], record


def casts_of_weights(model, x):
    call = joint.Call(model, (x,))
    graph = program.build(joint.capture(joint.TrainingStep(model, Loss(), call), call))
    weights = {item.node for item in graph.inputs if item.kind == "parameter"}
    casts = graph.graph.find_nodes(op="call_function", target=torch.ops.aten._to_copy.default)
    return sum(node.args[0] in weights for node in casts)


def test_autocast_casts_a_weight_once_where_eager_mode_does():
    torch.manual_seed(0)
    x = torch.randn(8, 16)
    for how, expected in (({}, 2), ({"cache_enabled": False}, 10)):
        assert compare(Autocast(**how), x)["verdict"] == "equal"
        assert casts_of_weights(Autocast(**how), x) == expected
    plain = Autocast(enabled=False)
    with torch.autocast("cpu", dtype=torch.bfloat16):  # around the trace
        assert casts_of_weights(plain, x) == 0 and compare(plain, x)["verdict"] == "equal"
        loop = nn.Sequential(*[nn.Linear(16, 16)] * 4)
        assert casts_of_weights(loop, x) == 2 and compare(loop, x)["verdict"] == "equal"


def test_the_model_is_left_as_it_was():
    model, x = Unruly(), torch.randn(6, 4)
    model.norm.weight.grad = kept = torch.full((4,), 7.0)
    state, last = copy.deepcopy(model.state_dict()), model.last
    torch.manual_seed(5)
    assert compare(model, x)["verdict"] == "equal"
    drawn = torch.rand(3)
    torch.manual_seed(5)
    assert torch.equal(drawn, torch.rand(3))
    assert model.norm.weight.grad is kept and model.norm.bias.grad is None and model.count == 0 and model.last is last
    for name, value in model.state_dict().items():
        assert torch.equal(value, state[name]), name


def test_what_is_not_compared_says_why(tmp_path, monkeypatch, capsys):
    with torch.device("meta"):
        model, x = nn.Linear(4, 4), torch.zeros(2, 4)
    record = trace(tmp_path, model, (x,))
    assert record["verdict"] == "not compared" and "meta device" in record["why"]
    hooked = nn.Linear(4, 4)
    hooked.weight.register_post_accumulate_grad_hook(lambda p: p.data.zero_())
    assert trace(tmp_path, hooked, (torch.ones(2, 4),))["verdict"] == "equal"
    assert hooked.weight.any(), "the step that is compared set off a hook"
    monkeypatch.setattr(estimate, "MOST_SECONDS", 0.0)
    capsys.readouterr()
    record = trace(tmp_path, nn.Linear(4, 4), (torch.ones(2, 4),))
    assert "--compare always" in record["why"] and "--compare always" in capsys.readouterr().err
    assert trace(tmp_path, nn.Linear(4, 4), (torch.ones(2, 4),), compare="always")["verdict"] == "equal"
    with pytest.raises(remat_studio.TraceError, match="auto, always, never"):
        trace(tmp_path, nn.Linear(4, 4), (torch.ones(2, 4),), compare="sometimes")


def test_a_graph_with_kernels_of_gpus_is_compared_by_its_twin_for_the_cpu(tmp_path):
    class Attends(nn.Module):
        def __init__(self):
            super().__init__()
            self.q = nn.Linear(16, 16)

        def forward(self, x):
            q = self.q(x).unflatten(-1, (2, 8)).transpose(1, 2)
            return nn.functional.scaled_dot_product_attention(q, q, q)

    record = trace(tmp_path, Attends(), (torch.randn(2, 8, 16),), target="cuda")
    assert record["verdict"] in ("equal", "explained"), record


def test_numbers_that_are_not_finite_are_said():
    class Root(nn.Linear):
        def forward(self, x):
            return torch.sqrt(super().forward(x) * 0)

    record = compare(Root(4, 4), torch.ones(2, 4))
    assert record["verdict"] == "not compared" and "not finite" in record["why"]  # no proof of anything


def test_a_next_step_that_is_not_finite_is_said_on_all_routes():
    model, x = Steep(), torch.ones(4)
    before, version = model.weight.detach().clone(), model.weight._version
    record = compare(model, x)
    assert record["verdict"] == "equal" and "after one update" in record["next_step"], record
    assert record["next_step"] in record["why"]
    with pytest.warns(UserWarning, match="after one update.*not finite.*its loss"):
        remat_studio.certify(model, x, budget="100%", time_limit=0.1)
    assert torch.equal(model.weight, before) and model.weight._version == version
    assert "after one update" not in compare(nn.Linear(4, 4), torch.ones(2, 4))["why"]


class Asked(TorchDispatchMode):
    """Operators for which an error is asked for where they have no fixed order."""

    def __init__(self):
        super().__init__()
        self.names = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if not torch.is_deterministic_algorithms_warn_only_enabled():
            self.names.add(func.overloadpacket.__name__)
        return func(*args, **(kwargs or {}))


def test_attention_on_a_gpu_adds_up_its_gradients_in_one_order(monkeypatch):
    monkeypatch.setattr(steps, "has_gpu", lambda: True)
    query = torch.randn(1, 2, 4, 8, requires_grad=True)
    with Asked() as asked, steps.repeatable():
        nn.functional.scaled_dot_product_attention(query, query, query).sum().backward()
    assert asked.names == {"_scaled_dot_product_flash_attention_for_cpu_backward"}
    assert not torch.are_deterministic_algorithms_enabled()


def test_states_that_attention_never_writes_are_not_compared():
    graph = torch.fx.Graph()
    ops = torch.ops.aten
    for op, numbers in (
        (ops._scaled_dot_product_efficient_attention, 2),
        (ops._scaled_dot_product_flash_attention, 6),
        (ops._scaled_dot_product_cudnn_attention, 6),
    ):
        node = graph.call_function(op.default)
        count = len(op.default._schema.returns)
        assert [first_op._is_state(node, index) for index in range(count)] == [False] * numbers + [True] * (count - numbers)


@pytest.mark.parametrize("compiles", ["whole", "in parts"])
def test_what_python_draws_is_no_other_kernel(compiles, planner):
    model = torch.nn.Linear(8, 8)

    def step(x):
        scale = random.uniform(0.5, 1.5)
        if compiles == "in parts":
            torch._dynamo.graph_break()
        return (model(x) * scale).square().mean()

    (*_, record) = remat_studio.certify(step, torch.randn(4, 8), budget="100%", time_limit=0.2, cache=False)
    found = record["certificate"]["pytorch"]
    assert found["verdict"] == "equal" or "draws from the generator of Python" in found["why"], found["why"]
    assert compiles == "whole" or found["verdict"] == "equal"


def test_what_python_draws_for_nothing_is_compared(planner):
    class Drops(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(8, 8)

        def forward(self, x):
            return x if random.uniform(0, 1) < 0 else nn.functional.dropout(self.layer(x), 0.1)

    model, x, begin = Drops().bfloat16(), torch.randn(4, 8).bfloat16(), len(remat_studio.records())
    remat_studio.planned(model, (x,), budget="100%", time_limit=0.2, cache=False, verify=True)(x).sum().backward()
    (record,) = remat_studio.records()[begin:]
    assert record["certificate"]["pytorch"]["verdict"] == "explained", record["certificate"]["pytorch"]["why"]


def test_what_an_earlier_step_left_in_a_cycle_is_not_taken_off_a_peak(request):
    request.addfinalizer(gc.enable)
    gc.disable()
    peaks, left = [], nn.Module()
    with measured(peaks):
        left.itself, left.held = [left], torch.ones(4096)
        del left
    with measured(peaks):
        _, _, _ = torch.ones(1024), gc.collect(), torch.ones(1024)
    assert peaks == [16384, 8192]


def test_what_was_there_before_is_not_taken_off_a_peak():
    """PyTorch's allocator gives it the size of what lay at its address in an earlier profile."""
    peaks, found = [], []
    with measured(peaks):
        earlier = [torch.ones(1024) for _ in range(100)]
    del earlier
    there = [torch.ones(1000) for _ in range(100)]
    with measured(peaks):
        found.append(torch.ones(1024))
        there.clear()
        found.append(torch.ones(1024))
    assert peaks == [409600, 8192]
