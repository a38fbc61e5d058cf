"""The partition of a plan with Inductor's kernels: what is kept, what the values are, and what is said to be lost."""

import json

import pytest
import torch
from remat_studio.train import cache, records
from support import quick_inductor
from torch import nn
from training import assert_planned, batches, chain, compiled, planner, train

__all__ = ["planner"]


@pytest.fixture(autouse=True)
def inductor(tmp_path):
    """Nothing compiled before."""
    with quick_inductor(tmp_path / "inductor"):
        yield


def kept_by_plan(graph):
    """Bytes that the plan holds from the forward to the backward."""
    (file,) = cache.folder().glob("*.json")
    steps = json.loads(file.read_text())["steps"]
    sizes = {output["name"]: output["bytes"] for op in graph["ops"] for output in op["outputs"]}
    made = {op["name"]: [output["name"] for output in op["outputs"]] for op in graph["ops"]}
    (border,) = (op for op in graph["ops"] if op["phase"] == "loss")
    held = set()
    for step in steps[: steps.index({"do": "compute", "op": border["name"]})]:
        if step["do"] == "free":
            held.discard(step["storage"])
        else:
            held.update(made[step["op"]])
    return sum(sizes[name] for name in held - set(border["inputs"]))


def test_inductor_keeps_what_the_plan_keeps_and_values_agree_to_rounding(tmp_path):
    model, inputs, file = chain(depth=1), batches(1), tmp_path / "step.json"
    kept = {}

    def count(value):
        kept[value.untyped_storage().data_ptr()] = value.untyped_storage().nbytes()
        return value

    def counting(step):
        step = compiled(step, "80%", codegen="inductor", graph=str(file))

        def call(*given):
            with torch.autograd.graph.saved_tensors_hooks(count, lambda value: value):
                return step(*given)

        return call

    own = train(model, inputs, counting)
    assert_planned()
    residents = [*inputs, *own.model.parameters()]
    for tensor in residents:
        kept.pop(tensor.untyped_storage().data_ptr(), None)
    assert sum(kept.values()) == kept_by_plan(json.loads(file.read_text())) > 0
    assert any("no budget is promised" in sentence for sentence in records()[-1]["lost"])
    plain = train(model, inputs)
    torch.testing.assert_close(own.losses, plain.losses)
    torch.testing.assert_close(own.gradients, plain.gradients)


def test_dropout_is_the_same_in_forward_and_backward():
    layer = nn.Linear(8, 8)
    step = compiled(lambda x: nn.functional.dropout(layer(x).exp(), 0.5).sum(), "100%", codegen="inductor")
    first, second = (step(x) for x in [torch.ones(64, 8)] * 2)
    assert first != second
    first.backward()
    torch.testing.assert_close(layer.bias.grad.sum(), first.detach())
