# SPDX-License-Identifier: Apache-2.0
"""Where Dynamo breaks a step, and the way out, is said under plain compile too."""

import warnings

import pytest
import remat_studio
import torch
from remat_studio.train import breaks
from torch.nn.parallel import DistributedDataParallel
from training import batches, chain, compiled, mean_square, one_rank, planner

__all__ = ["one_rank", "planner"]


@pytest.mark.rotates(group="inductor")
@pytest.mark.filterwarnings("ignore:No plan|The step")
@pytest.mark.parametrize("way", ["eager", "install"])
def test_a_break_is_said_once_with_its_line(monkeypatch, way):
    monkeypatch.setattr(breaks, "_known", set())
    torch._dynamo.utils.counters.clear()
    weights = [torch.randn(64, 64, requires_grad=True) for _ in range(2)]

    def step(x):
        x = (x @ weights[0]).sin()
        torch._dynamo.graph_break(msg=f"for the test of {way}")
        return (x @ weights[1]).sin().square().mean()

    try:
        if way == "install":
            remat_studio.install("1GiB", time_limit=0.2)
        call = torch.compile(step) if way == "install" else compiled(step, "1GiB")
        with pytest.warns(UserWarning, match=rf"Dynamo breaks the step at {__file__}:\d+, and what runs there .* no plan") as said:
            for _ in range(4):
                call(torch.randn(256, 64)).backward()
    finally:
        remat_studio.install(None)
    assert sum("Dynamo breaks" in str(each.message) for each in said) == 1


def test_a_compiled_update_is_no_break_of_the_step(monkeypatch):
    monkeypatch.setattr(breaks, "_known", set())
    torch._dynamo.utils.counters.clear()
    model, x = chain(), batches(1)[0]
    step = compiled(lambda x: mean_square(model, x))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    update = torch.compile(optimizer.step, backend="eager")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for _ in range(2):
            step(x).backward()
            update()
            optimizer.zero_grad()
    assert not [each for each in said if "Dynamo breaks" in str(each.message)]


class Own(torch.nn.Module):
    """Of a class that is no one of PyTorch's, which Dynamo does not look into."""

    def __init__(self):
        super().__init__()
        self.inner = chain()

    def forward(self, x):
        return self.inner(x)


@pytest.mark.filterwarnings("ignore:The step")
def test_one_way_out_of_several_breaks_is_said_once(monkeypatch, one_rank):
    monkeypatch.setattr(breaks, "_known", set())
    monkeypatch.setattr(breaks, "_shown", set())
    torch._dynamo.utils.counters.clear()
    step = compiled(DistributedDataParallel(Own()), "1GiB")
    with pytest.warns(UserWarning, match="Dynamo breaks the step") as said:
        for _ in range(3):
            step(torch.randn(64, 8)).square().mean().backward()
    told = [str(each.message) for each in said if "Dynamo breaks" in str(each.message)]
    assert len(told) == 1 and told[0].endswith("give DistributedDataParallel what is compiled.")


@pytest.mark.filterwarnings("ignore:No plan")
def test_inputs_of_checkpoints_that_are_made_to_need_gradients_have_a_way_out(monkeypatch, recwarn):
    """As transformers makes them where embeddings are frozen."""
    monkeypatch.setattr(breaks, "_known", set())
    monkeypatch.setattr(breaks, "_shown", set())
    torch._dynamo.utils.counters.clear()
    model, x = chain(), batches(1)[0]
    model[0].requires_grad_(False).register_forward_hook(lambda _module, _given, made: made.requires_grad_(True))
    call = remat_studio.planned(model, (x,), budget="60%", time_limit=0.2)
    for _ in range(2):
        call(x).square().mean().backward()
    assert not [each for each in recwarn if "in parts" in str(each.message)]
    step = compiled(lambda x: mean_square(model, x))
    for _ in range(2):
        step(x).backward()
    (said,) = [str(each.message) for each in recwarn if "Dynamo breaks" in str(each.message)]
    assert said.endswith("Give the script remat_studio.planned(model, example): that traces the model without Dynamo.")
