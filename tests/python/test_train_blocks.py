# SPDX-License-Identifier: Apache-2.0
"""Blocks that are compiled one by one share a budget: predicted, measured, and chosen along the chain."""

import copy
import warnings

import pytest
import remat_studio
import torch
from remat_studio.comparison import held
from remat_studio.train import PlanError, records
from support import quick_inductor
from torch import nn
from torch.nn.functional import cross_entropy

WIDTH = 32


class Block(nn.Module):
    """A residual block of a transformer, without attention."""

    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.up = nn.Linear(WIDTH, 4 * WIDTH)
        self.down = nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x):
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm(x))))


class Head(nn.Module):
    """A classification and its loss."""

    def __init__(self):
        super().__init__()
        self.out = nn.Linear(WIDTH, 8)

    def forward(self, x):
        return cross_entropy(self.out(x), torch.arange(len(x)) % 8)


@pytest.fixture(scope="module", autouse=True)
def inductor(tmp_path_factory):
    """Kernels that one test compiled are there for the others."""
    with quick_inductor(tmp_path_factory.mktemp("inductor")):
        yield


def chain():
    torch.manual_seed(2)
    return nn.Sequential(*[Block() for _ in range(6)], Head())


def measured(model, x):
    """The peak of one step, and its gradients."""
    model.zero_grad()
    found = []
    with held.measured(found):
        model(x).backward()
    return found[0], [p.grad.clone() for p in model.parameters()]


@pytest.mark.rotates(group="inductor")
def test_six_blocks_hold_what_is_predicted_and_take_less_than_by_any_uniform_choice():
    plain, x = chain(), torch.randn(512, WIDTH)
    model = copy.deepcopy(plain)
    _, wanted = measured(plain, x)
    remat_studio.compile_blocks(model, "50%", time_limit=1)
    assert model.state_dict().keys() == plain.state_dict().keys()
    for _ in range(2):  # the first step shows the order, in the second one the choice is compiled
        model(x).backward()
    held, own = measured(model, x)
    record = records()[-1]
    predicted = record["predicted"]
    assert held == predicted["peak_bytes"] <= record["budget_bytes"] < record["before_bytes"]
    cuts = [choice["cut"] for choice in record["choices"]]
    assert len(cuts) == 7 and len(set(cuts[:6])) > 1
    assert predicted["time_us"] < predicted["uniform_time_us"]
    torch.testing.assert_close(own, wanted)
    assert measured(model, x)[0] == held
    for _ in range(2):  # a smaller batch has cuts of its own
        model(x[:256]).backward()
    smaller = measured(model, x[:256])[0]
    assert smaller == records()[-1]["predicted"]["peak_bytes"] <= records()[-1]["budget_bytes"] < record["budget_bytes"]
    count = len(records())
    for _ in range(2):  # compiled once more, since sizes have cuts of their own now, and not planned once more
        model(x).backward()
    assert copy.deepcopy(model)(x).item() == pytest.approx(model(x).item())
    assert measured(model, x)[0] == held and len(records()) == count


@pytest.mark.rotates(group="inductor")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_equal_layers_of_plain_compile_have_one_code_and_cuts_of_their_own():
    plain, x = chain(), torch.randn(512, WIDTH)
    model = copy.deepcopy(plain)
    _, wanted = measured(plain, x)
    torch._dynamo.reset()
    remat_studio.install("50%", time_limit=1)
    try:
        for layer in model:
            layer.compile()
        for _ in range(6):  # what runs between the layers is measured, and they may be planned once more for that
            model.zero_grad()
            model(x).backward()
        held, own = measured(model, x)
    finally:
        remat_studio.install(None)
    record = records()[-1]
    assert held == record["predicted"]["peak_bytes"] <= record["budget_bytes"] < record["before_bytes"]
    chosen = {}
    for choice in record["choices"]:
        chosen.setdefault(choice["block"], []).append(choice["cut"])
    assert any(len(set(cuts)) > 1 for cuts in chosen.values())
    torch.testing.assert_close(own, wanted)


@pytest.mark.rotates(group="inductor")
def test_a_first_part_that_misses_the_budget_alone_is_not_said_to_miss_it():
    """Its step shares the budget from the second time on, and holds it."""
    model, x = nn.Sequential(*[Block() for _ in range(3)]), torch.randn(256, WIDTH)
    torch._dynamo.reset()
    remat_studio.install("60%", time_limit=0.5)
    try:
        for layer in model:
            layer.compile()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            for _ in range(3):
                model(x).square().mean().backward()
    finally:
        remat_studio.install(None)
    first, last = records()[-2:]
    assert first["missed"] and last["predicted"]["peak_bytes"] <= last["budget_bytes"]
    assert not [each for each in said if "No plan" in str(each.message)]
    assert any("The step runs 3 graphs" in str(each.message) for each in said)


@pytest.mark.rotates(group="long")
def test_blocks_that_dynamo_leaves_out_are_said():
    model = nn.Sequential(*(nn.Sequential(nn.Linear(8, 8), nn.GELU()) for _ in range(3)))
    remat_studio.compile_blocks(model, "60%")
    with pytest.warns(UserWarning, match="nothing was planned: Dynamo gave no graph"):
        model(torch.ones(4, 8))


def test_what_no_choice_holds_is_said_with_the_least():
    model, x = chain(), torch.randn(512, WIDTH)
    torch._dynamo.reset()
    remat_studio.compile_blocks(model, "1%", time_limit=1, strict=True)
    model(x).backward()
    with pytest.raises(PlanError, match=r"No plan for these blocks holds .* exact peak that was found is \d+ bytes"):
        model(x)
    with pytest.raises(PlanError, match="compile_blocks takes no option 'shapes'"):
        remat_studio.compile_blocks(model, "60%", shapes=3)
