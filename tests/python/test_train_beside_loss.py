# SPDX-License-Identifier: Apache-2.0
"""Outputs that a planned module gives beside its loss: how long they count, and gradients that come for them."""

import pytest
import torch
from remat_studio.comparison.held import measured
from remat_studio.train import PlanError, records
from test_train_planned import planned
from torch import nn
from training import batches, chain, planner

__all__ = ["planner"]


class Labelled(nn.Module):
    """Gives a loss, and what it is of; drops, so that a run once more needs the same numbers."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.layers = nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Dropout(0.2), nn.Linear(32, 4))

    def forward(self, x, labels):
        logits = self.layers(x)
        return {"loss": nn.functional.cross_entropy(logits, labels), "logits": logits}


def _by_both(model, out):
    """Gradients of a loss of one's own, in which the model's may be."""
    (out["loss"] + out["logits"].exp().mean()).backward()
    return [p.grad for p in model.parameters()]


def _again_by_both(model, out):
    """The same by way of gradients that are differentiated again."""
    loss = out["loss"] + out["logits"].exp().mean()
    first = torch.autograd.grad(loss, list(model.parameters()), create_graph=True)
    (loss + sum(each.square().sum() for each in first)).backward()
    return [p.grad for p in model.parameters()]


@pytest.mark.parametrize("gradients", [_by_both, _again_by_both])
def test_a_gradient_for_what_stands_beside_the_loss_is_that_of_the_model(gradients, recwarn):
    def run(wrap):
        model = Labelled()
        call, found = wrap(model), []
        for index in range(6):  # of which the last ones are not known to come so
            model.zero_grad()
            torch.manual_seed(index)
            x = torch.randn(64, 8, requires_grad=True) * 2  # nothing but the call holds it
            found += gradients(model, call(x, torch.arange(64) % 4))
        return found

    example = torch.randn(64, 8) * 2, torch.arange(64) % 4
    plain = run(lambda model: model)
    own = run(lambda model: planned(model, example, "90%"))
    assert all(map(torch.equal, own, plain))
    (said,) = [str(each.message) for each in recwarn if "its forward runs once more" in str(each.message)]
    assert "beside the loss" in said and "Call the planned module without labels" in said


def test_with_strict_a_gradient_for_what_stands_beside_the_loss_is_refused():
    x, labels = torch.randn(64, 8), torch.arange(64) % 4
    made = planned(Labelled(), (x, labels), "90%", strict=True)
    with pytest.raises(PlanError, match="without labels"):
        made(x, labels)["logits"].sum().backward()


class Judged(nn.Module):
    """Gives a loss, and what that is of, as models of transformers do."""

    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(chain(depth=2), nn.Linear(4, 256))

    def forward(self, x):
        scores = self.layers(x)
        return {"loss": scores.exp().mean(), "scores": scores * 2}


@pytest.mark.parametrize("holds_outputs", [False, True])
def test_outputs_beside_a_loss_count_as_long_as_the_script_holds_them(holds_outputs):
    model, x = Judged(), batches(1, rows=512)[0]
    step, found = planned(model, (x,), "100%"), []
    for index in range(4):
        model.zero_grad()
        with measured(found) if index == 3 else torch.enable_grad():
            outputs = step(x)
            loss = outputs["loss"]
            if not holds_outputs:
                outputs.clear()
            loss.backward()
        del loss, outputs
    known = records()[-1]["step"]
    assert found == [known["measured_bytes"]] == [known["peak_bytes"]] == [known["keep_all_peak_bytes"]]
    assert (found[0] < records()[-1]["before_bytes"]) != holds_outputs
