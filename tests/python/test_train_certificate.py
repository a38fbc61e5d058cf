"""The certificate: a planned step against the plain one, bit for bit, and what it held."""

import json

import pytest
import remat_studio
import torch
from remat_studio.train import generators, records
from torch import nn
from training import batches, chain, compiled, mean_square, planner, train

__all__ = ["planner"]


def test_the_first_step_is_compared_measured_and_written_down(tmp_path):
    file = tmp_path / "step.certificate.json"
    model, inputs = chain(width=128), batches(2, rows=512)
    own = train(model, inputs, lambda step: compiled(step, "50%", verify=str(file)))
    written = json.loads(file.read_text())
    assert written == records()[-1]["certificate"]
    assert written["format"] == "remat-certificate/1" and written["torch"] == torch.__version__
    assert written["equal"] is True and written["different"] == [] and written["compared"] > 16
    measured = written["measured"]
    assert measured["peak_bytes"] <= written["budget_bytes"] + written["outside_bytes"]
    assert abs(measured["peak_bytes"] - written["predicted"]["peak_bytes"]) <= 64
    assert measured["peak_between_ops_bytes"] == measured["peak_bytes"]
    assert measured["plain"]["peak_bytes"] > 1.5 * measured["peak_bytes"]
    assert measured["seconds"] > 0 and written["time_over_bound"] >= 0
    assert [float(loss) for loss in own.losses] == [float(loss) for loss in train(model, inputs).losses]


def test_a_step_that_differs_is_found(monkeypatch):
    monkeypatch.setattr(generators, "replay", lambda state, kind, index, op, args, kwargs: op(*args, **kwargs))
    torch.manual_seed(0)
    model = nn.Sequential(*(layer for _ in range(4) for layer in (nn.Linear(8, 8), nn.Tanh(), nn.Dropout(0.5))))
    with pytest.warns(UserWarning, match="differs from the plain one in"):
        compiled(lambda x: mean_square(model, x), "45%", verify=True)(batches(1)[0])
    assert records()[-1]["certificate"]["equal"] is False


def test_what_kernels_take_is_told_from_what_the_plan_holds():
    torch.manual_seed(0)
    layers = [layer for _ in range(3) for layer in (nn.Conv2d(4, 4, 3, padding=1), nn.Tanh())]
    step = compiled(lambda x: mean_square(nn.Sequential(*layers), x), "100%", verify=True)
    step(torch.randn(2, 4, 32, 32))
    written = records()[-1]["certificate"]
    measured = written["measured"]
    assert measured["peak_between_ops_bytes"] <= written["budget_bytes"] + written["outside_bytes"]
    assert measured["peak_bytes"] > measured["peak_between_ops_bytes"]  # a convolution's own on the CPU


def test_the_step_itself_is_left_as_it_was():
    torch.manual_seed(0)
    model = nn.Sequential(*(layer for _ in range(4) for layer in (nn.Linear(8, 8), nn.BatchNorm1d(8), nn.Dropout(0.5))))
    with_certificate = train(model, batches(2), lambda step: compiled(step, "60%", verify=True))
    torch._dynamo.reset()
    without = train(model, batches(2), lambda step: compiled(step, "60%"))
    assert all(torch.equal(with_certificate.state[name], value) for name, value in without.state.items())
    assert with_certificate.losses == without.losses


def test_certify_from_python():
    model = chain()
    (record,) = remat_studio.certify(lambda x: mean_square(model, x), batches(1)[0], budget="60%", time_limit=1)
    assert record["certificate"]["equal"] is True and record["budget"] == "60%"
    assert all(parameter.grad is not None for parameter in model.parameters())
