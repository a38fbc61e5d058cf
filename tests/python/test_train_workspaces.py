# SPDX-License-Identifier: Apache-2.0
"""What a kernel takes while it runs, where the values that it is given decide about that."""

import pytest
import torch
from remat_studio.comparison.held import measured
from remat_studio.train import telling, workspaces
from training import planner

__all__ = ["planner"]


def test_the_most_that_a_matrix_exponential_takes_counts_and_that_is_said(monkeypatch):
    monkeypatch.setattr(telling, "_told_of_all", set())
    exponential, held = torch.ops.aten.linalg_matrix_exp.default, []
    with pytest.warns(UserWarning, match="What aten::linalg_matrix_exp takes while it runs depends on its values"):
        counted = workspaces.peak_inside(exponential, (torch.zeros(64, 64),), {})
    for value in (torch.full((64, 64), size) for size in (0.0, 0.001, 0.1, 100.0)):
        with measured(held):
            exponential(value)
    assert held[0] < held[-1] == max(held) == counted
