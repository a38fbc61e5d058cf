"""A trace computes what eager PyTorch computes, to the bit."""

import pytest
import torch
import zoo
from support import assert_same, records, run_archive, run_eager, traced


@pytest.fixture(autouse=True)
def onednn_as_before():
    before = torch._C._get_mkldnn_enabled()
    yield
    torch._C._set_mkldnn_enabled(before)


def build(name, **options):
    torch.manual_seed(1)
    model, args, *loss = getattr(zoo, name)(**options)
    return model.train(), args, loss[0] if loss else None


@pytest.mark.parametrize("name", zoo.EXACT)
def test_loss_gradients_and_buffers_equal_eager(name, tmp_path):
    if name == "recurrent":
        torch._C._set_mkldnn_enabled(False)  # a trace holds no fused layers of oneDNN
    model, args, loss_fn = build(name)
    program = traced(model, args, tmp_path / "model.pt2", loss_fn)
    assert_same(run_archive(program, args), run_eager(model, args, loss_fn))


@pytest.mark.parametrize("name", ["gpt2", "t5", "encoder_decoder"])
def test_dropout_draws_the_same_numbers_as_eager(name, tmp_path):
    model, args, loss_fn = build(name, dropout=0.2)
    program = traced(model, args, tmp_path / "model.pt2", loss_fn)
    assert any(record.get("random") for record in records(program).values())
    assert_same(run_archive(program, args, seed=7), run_eager(model, args, loss_fn, seed=7, python_dispatcher=True))


@pytest.mark.parametrize(("p", "training"), [(0.0, True), (0.5, False)])
def test_dropout_that_drops_nothing_is_no_op(p, training, tmp_path):
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(p), torch.nn.Linear(4, 4)).train(training)
    program = traced(model, (torch.ones(2, 4),), tmp_path / "model.pt2", torch.sum)
    assert not [name for name in records(program) if "clone" in name or "dropout" in name]
