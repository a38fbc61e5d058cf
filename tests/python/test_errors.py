# SPDX-License-Identifier: Apache-2.0
"""What a trace cannot follow is said with the line, the reason, and advice that can be followed."""

import inspect

import pytest
import remat_studio
import torch
from support import refused, without_data
from torch import manual_seed, nn
from torch.nn.attention.flex_attention import flex_attention
from torch.random import fork_rng
from training import planner

__all__ = ["planner"]


class Model(nn.Module):
    """A linear layer followed by what the test gives."""

    def __init__(self, body):
        super().__init__()
        self.layer = nn.Linear(4, 4)
        self.scale = nn.Parameter(torch.ones(4))
        self.body = body

    def forward(self, x):
        return self.body(self, self.layer(x), x)


def branch(model, y, x):
    if y.sum() > 0:  # here
        return y
    return -y


def loop(model, y, x):
    while y.norm() > 1:  # here
        y = y / 2
    return y


def item(model, y, x):
    return y * y.max().item()  # here


def python_float(model, y, x):
    return y * float(y.max())  # here


def boolean_mask(model, y, x):
    return y[y > 0]  # here


def nonzero(model, y, x):
    return y.sum() + y.nonzero().sum()  # here


class Tagged(torch.Tensor):
    """A class of a user's own."""


def own_class(model, y, x):
    return torch.sin(y.as_subclass(Tagged)).as_subclass(torch.Tensor)  # here


def unique(model, y, x):
    return y.sum() + torch.unique(x).sum()  # here


def numpy(model, y, x):
    return y * float(y.detach().numpy().sum())  # here


def leaf_in_place(model, y, x):
    model.scale.mul_(2)  # here
    return y * model.scale


def parameter_in_place(model, y, x):
    with torch.no_grad():
        model.scale.mul_(2)  # here
    return y * model.scale


def own_backward(model, y, x):
    y.sum().backward()  # here
    return y


@torch.library.custom_op("test_errors::add_to", mutates_args=("total",))
def add_to(total: torch.Tensor, y: torch.Tensor) -> None:
    total.add_(y)


def writing_operator(model, y, x):
    total = torch.zeros(2, 4)
    add_to(total, y.detach())  # here
    return y * total


def out_of_memory(model, y, x):
    raise MemoryError  # here


def wrong_shapes(model, y, x):
    return y @ torch.ones(5, 5)  # here


def own_mistake(model, y, x):
    return y.no_such_method()  # here


def line_of(body):
    """The line with the mark in a function of this file."""
    lines, first = inspect.getsourcelines(body)
    return first + next(i for i, line in enumerate(lines) if "# here" in line)


@pytest.mark.parametrize(
    ("body", "meaning"),
    [
        (branch, "torch.where"),
        (loop, "torch.where"),
        (item, "Python number"),
        (python_float, "Python number"),
        (boolean_mask, "shape of the result of aten.nonzero depends on values"),
        (nonzero, "shape of the result of aten.nonzero depends on values"),
        (unique, "how many values torch.unique finds depends on the values"),
        (numpy, "numpy"),
        (own_class, "tensors of a class of its own"),
        (leaf_in_place, "in place"),
        (parameter_in_place, "the parameter scale in place"),
        (own_backward, "backward"),
        (writing_operator, "test_errors::add_to writes to its arguments"),
        (out_of_memory, "not enough memory for the model"),
        (wrong_shapes, "[2, 4] X [5, 5]"),
        (own_mistake, "'Tensor' object has no attribute 'no_such_method'"),
    ],
)
def test_names_the_line_and_the_reason(body, meaning, tmp_path):
    sentence = refused(tmp_path, without_data(lambda: Model(body)))
    assert f"test_errors.py:{line_of(body)}: `" in sentence
    assert "# here" not in sentence
    assert meaning in sentence


def seeded_by_name(model, y, x):
    manual_seed(5)  # here
    return nn.functional.dropout(y, 0.2)


def forked_by_name(model, y, x):
    with fork_rng(devices=[]):  # here
        z = nn.functional.dropout(y, 0.2)
    return z + nn.functional.dropout(y, 0.2)


@pytest.mark.parametrize("body", [seeded_by_name, forked_by_name])
def test_the_line_that_sets_the_generator_is_named_however_it_was_imported(body, tmp_path):
    sentence = refused(tmp_path, Model(body))
    assert f"test_errors.py:{line_of(body)}: `" in sentence and "sets PyTorch's generator" in sentence


def test_a_seed_of_the_generator_itself_is_refused_and_one_that_nothing_follows_is_not(tmp_path):
    def seeded(model, y, x):
        torch.default_generator.manual_seed(5)
        return nn.functional.dropout(y, 0.2)

    def forked_last(model, y, x):
        with fork_rng(devices=[]):
            return nn.functional.dropout(y, 0.2)

    assert "sets PyTorch's generator" in refused(tmp_path, Model(seeded))
    model, before = Model(forked_last), torch.get_rng_state()
    remat_studio.trace(model, (torch.ones(2, 4),), path=tmp_path / "model.pt2")
    assert torch.get_rng_state().equal(before), "a trace draws no numbers"


def overwrite(model, y, x):
    z = y.exp()
    y = z * y
    z.add_(1)
    return y


def reentrant(model, y, x):
    return torch.utils.checkpoint.checkpoint(torch.sin, y, use_reentrant=True)


def masked_assignment(model, y, x):
    y = y.clone()
    y[x > 0] = model.scale.sum()
    return y


def condition(model, y, x):
    return torch.cond(y.sum() > 0, torch.abs, torch.neg, (y,))


def flex(model, y, x):
    rows, never = y[None, None], -float("inf")
    return flex_attention(rows, rows, rows, score_mod=lambda score, b, h, q, k: torch.where(q >= k, score, never))


def masked(model, y, x):
    rows = y[None, None]
    return nn.functional.scaled_dot_product_attention(rows, rows, rows, torch.ones(2, 2, dtype=torch.bool).tril())


def experts(model, y, x):
    chosen = (y.argmax(-1) == 0).nonzero().squeeze(-1)
    return y.index_add(0, chosen, model.layer(x[chosen]))


# What each sentence advises, done once.
FOLLOWED = {
    flex: masked,
    experts: lambda model, y, x: y + torch.where((y.argmax(-1) == 0)[:, None], model.layer(x), 0),
    condition: lambda model, y, x: torch.where(y.sum() > 0, y.abs(), -y),
    branch: lambda model, y, x: torch.where(y.sum() > 0, y, -y),
    loop: lambda model, y, x: torch.where(y.norm() > 1, y / 2, y),
    item: lambda model, y, x: y * y.max(),
    python_float: lambda model, y, x: y * y.max(),
    boolean_mask: lambda model, y, x: torch.where(y > 0, y, 0),
    nonzero: lambda model, y, x: y.masked_fill(y == 0, 1).sum(),
    numpy: lambda model, y, x: y * y.detach().sum(),
    leaf_in_place: lambda model, y, x: y * (model.scale * 2),
    parameter_in_place: lambda model, y, x: y * (model.scale.clone() * 2),
    own_backward: lambda model, y, x: y,
    overwrite: lambda model, y, x: y.exp() * y,
    masked_assignment: lambda model, y, x: torch.where(x > 0, model.scale.sum(), y),
    wrong_shapes: lambda model, y, x: y @ torch.ones(4, 4),
    own_mistake: lambda model, y, x: y.abs(),
    reentrant: lambda model, y, x: torch.utils.checkpoint.checkpoint(torch.sin, y, use_reentrant=False),
}


@pytest.mark.parametrize("body", FOLLOWED, ids=lambda body: body.__name__)
def test_advice_can_be_followed(body, tmp_path):
    assert "; " in refused(tmp_path, without_data(lambda: Model(body)))
    remat_studio.trace(Model(FOLLOWED[body]), (torch.ones(2, 4),), path=tmp_path / "model.pt2")


@pytest.mark.parametrize("body", [branch, loop, item, python_float, boolean_mask, nonzero, experts])
def test_what_goes_by_values_trains_in_parts_as_the_sentence_says(body, tmp_path):
    torch.manual_seed(0)
    assert 'train with torch.compile(step, backend="remat")' in refused(tmp_path, without_data(lambda: Model(body)))
    model, x, begin = Model(body), torch.ones(2, 4), len(remat_studio.records())

    def step(x):
        return model(x).square().mean()

    results = []
    for run in (step, torch.compile(step, backend="remat", options={"budget": "100%", "time_limit": 0.2})):
        model.zero_grad()
        run(x).backward()
        results.append([p.grad.clone() for p in model.parameters() if p.grad is not None])
    assert all(map(torch.equal, *results)) and len(results[0]) == len(results[1]) > 0
    assert len(remat_studio.records()) > begin, "no part is planned"


def test_advice_about_kinds_of_models_and_tensors_can_be_followed(tmp_path):
    path = tmp_path / "model.pt2"
    ones = (torch.ones(2, 4),)

    class Adjacent(nn.Linear):
        def forward(self, x):
            return super().forward(self.graph.to_dense() @ x)

    class Padded(nn.Linear):
        def forward(self, x, mask):
            return super().forward(x) * mask

    class InPlace(nn.Linear):
        def forward(self, x):
            return super().forward(x.clone().add_(1))

    adjacent = Adjacent(4, 4)
    adjacent.register_buffer("graph", torch.eye(2).to_sparse())
    assert ".to_dense()" in refused(tmp_path, adjacent)
    adjacent.graph = adjacent.graph.to_dense()
    remat_studio.trace(adjacent, ones, path=path)
    rows = torch.tensor([1, 0])
    for multiply in (
        lambda model, y, x: torch.zeros_like(y).index_add_(0, rows, y),
        lambda model, y, x: torch.zeros_like(y).scatter_add_(0, rows[:, None].expand(2, 4), y),
    ):
        remat_studio.trace(Model(multiply), ones, path=path)
    nested = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
    padded = torch.nested.to_padded_tensor(nested, 0.0)
    remat_studio.trace(Padded(4, 4), (padded, (padded != 0).any(-1, keepdim=True)), path=path)
    remat_studio.trace(InPlace(4, 4), ones, path=path)
    remat_studio.trace(nn.Embedding(10, 4, sparse=False), (torch.zeros(3, dtype=torch.long),), path=path)
    remat_studio.trace(torch.compile(nn.Linear(4, 4)), ones, path=path)


def test_what_the_backward_needs_stays_as_it_is(tmp_path):
    assert "changed in place" in refused(tmp_path, Model(overwrite))


def test_a_model_without_floating_output_needs_a_loss(tmp_path):
    class Output:
        def __init__(self, value):
            self.value = value

    model = Model(lambda model, y, x: Output(y))
    assert "give a loss function" in refused(tmp_path, model)
    remat_studio.trace(model, (torch.ones(2, 4),), lambda out: out.value.sum(), tmp_path / "model.pt2")


def test_what_torch_unique_finds_can_be_an_argument(tmp_path):
    class Counted(nn.Linear):
        def forward(self, x, distinct):
            return super().forward(x).sum() + distinct.sum()

    assert "give it as an argument" in refused(tmp_path, without_data(lambda: Model(unique)))
    x = torch.ones(2, 4)
    remat_studio.trace(Counted(4, 4), (x, torch.unique(x)), path=tmp_path / "model.pt2")


def test_the_models_own_checkpointing_is_refused_where_it_cannot_be_traced(tmp_path):
    sentence = refused(tmp_path, Model(reentrant))
    assert "use_reentrant=False" in sentence and "turn that off" in sentence


def test_a_failed_trace_leaves_the_model_as_it_was(tmp_path):
    model = Model(numpy)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    refused(tmp_path, model)
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())
    assert type(model(torch.ones(2, 4))) is torch.Tensor
