# SPDX-License-Identifier: Apache-2.0
"""Steps in chunks with Inductor's kernels: what no cut of whole ops holds, at the peak that is predicted."""

import pytest
import torch
from remat_studio.train import records
from support import quick_inductor
from torch import nn
from torch.nn.functional import cross_entropy
from training import compiled, planner

__all__ = ["planner"]

_WORDS = 1000


@pytest.fixture(autouse=True)
def inductor(tmp_path):
    """Kernels of this file lie in a folder of their own."""
    with quick_inductor(tmp_path):
        yield


def gradients(model, step, *given):
    """What a step gives each parameter, where the gradient of the loss is three."""
    model.zero_grad()
    step(*given).backward(torch.tensor(3.0))
    return [p.grad.clone() for p in model.parameters()]


@pytest.mark.parametrize("bias", [False, True])
def test_a_head_over_many_words_in_chunks_holds_what_no_cut_of_whole_ops_does(bias):
    torch.manual_seed(3)
    model = nn.Sequential(nn.Embedding(_WORDS, 16), nn.Linear(16, 16), nn.GELU(), nn.Linear(16, _WORDS, bias=bias))
    words = torch.randint(_WORDS, (8, 33))
    given = words[:, :-1], words[:, 1:].flatten()

    def run(words, wanted):
        return cross_entropy(model(words).flatten(0, 1), wanted)

    how = {"codegen": "inductor", "time_limit": 1}
    with pytest.warns(UserWarning, match="No plan for Inductor holds"):
        compiled(run, "60%", search_seconds=5, **how)(*given).backward()
    assert records()[-1]["chunks"] is None
    torch._dynamo.reset()
    own = gradients(model, compiled(run, "60%", chunk="auto", verify=True, **how), *given)
    record = records()[-1]
    assert "chunks" in record["chunks"] and record["cut"].startswith("a plan on chunks")
    assert record["measured"]["peak_bytes"] == record["predicted"]["peak_bytes"] <= record["budget_bytes"]
    torch.testing.assert_close(own, gradients(model, run, *given))
