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


@pytest.mark.rotates(days=3)
@pytest.mark.parametrize("name", zoo.EXACT)
def test_loss_gradients_and_buffers_equal_eager(name, traced_zoo):
    if name == "recurrent":
        torch._C._set_mkldnn_enabled(False)  # a trace holds no fused layers of oneDNN
    case = traced_zoo(name)
    assert_same(run_archive(case.program, case.args), run_eager(case.model, case.args, case.loss_fn))


@pytest.mark.parametrize("name", ["gpt2", "t5", "encoder_decoder"])
def test_dropout_draws_the_same_numbers_as_eager(name, traced_zoo):
    case = traced_zoo(name, dropout=0.2)
    assert any(record.get("random") for record in records(case.program).values())
    expected = run_eager(case.model, case.args, case.loss_fn, seed=7, python_dispatcher=True)
    assert_same(run_archive(case.program, case.args, seed=7), expected)


@pytest.mark.parametrize(("p", "training"), [(0.0, True), (0.5, False)])
def test_dropout_that_drops_nothing_is_no_op(p, training, tmp_path):
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(p), torch.nn.Linear(4, 4)).train(training)
    program = traced(model, (torch.ones(2, 4),), tmp_path / "model.pt2", torch.sum)
    assert not [name for name in records(program) if "clone" in name or "dropout" in name]
