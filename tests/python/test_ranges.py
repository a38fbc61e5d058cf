# SPDX-License-Identifier: Apache-2.0
"""Inputs say which values they may take, so that a graph runs without the user's data."""

import torch
from support import graph_record, traced
from torch import nn
from torch.nn.functional import cross_entropy


def inputs_of(path, model, args, *loss):
    return graph_record(traced(model.train(), args, path / "model.pt2", *loss))["inputs"]


def bounds(entry):
    return entry["low"], entry["high"]


def test_tokens_and_labels(traced_zoo):
    found = graph_record(traced_zoo("gpt2").program)["inputs"]
    assert bounds(found["input_ids"]) == bounds(found["labels"]) == (0, 99)


def test_masks_types_and_classes(traced_zoo):
    found = graph_record(traced_zoo("bert").program)["inputs"]
    assert bounds(found["input_ids"]) == (0, 99)
    assert bounds(found["attention_mask"]) == (0, 2)
    assert bounds(found["token_type_ids"]) == (0, 2)
    assert bounds(found["labels"]) == (0, 3)


def test_a_mask_of_ones_stays_one(traced_zoo):
    found = graph_record(traced_zoo("t5").program)["inputs"]
    assert bounds(found["attention_mask"]) == (1, 2)
    assert bounds(found["labels"]) == (0, 99)  # also goes to the decoder, shifted


def test_targets_in_the_loss_function(traced_zoo):
    found = graph_record(traced_zoo("segmentation").program)["inputs"]
    target = next(entry for entry in found.values() if entry["kind"] == "constant")
    assert bounds(target) == (0, 4)


def test_other_integers_keep_their_observed_range(tmp_path):
    class Shift(nn.Linear):
        def forward(self, x, steps, flags):
            return super().forward(x) * steps * flags

    args = (torch.randn(3, 4), torch.tensor([[3], [7], [5]]), torch.tensor([[True], [False], [True]]))
    found = inputs_of(tmp_path, Shift(4, 4), args)
    assert bounds(found["steps"]) == (3, 8)
    assert bounds(found["flags"]) == (0, 2)


def test_where_bags_begin_is_in_order(tmp_path):
    class Bags(nn.EmbeddingBag):
        def forward(self, rows, begins):
            return super().forward(rows, begins)

    found = inputs_of(tmp_path, Bags(9, 4), (torch.tensor([1, 2, 3]), torch.tensor([0, 2])))
    assert bounds(found["rows"]) == (0, 9) and bounds(found["begins"]) == (0, 1)


def test_indices(tmp_path):
    class Pick(nn.Linear):
        def forward(self, x, rows, columns):
            return super().forward(x)[rows].gather(1, columns)

    args = (torch.randn(5, 4), torch.tensor([1, 2]), torch.tensor([[0, 1], [2, 1]]))
    found = inputs_of(tmp_path, Pick(4, 6), args)
    assert bounds(found["rows"]) == (0, 5)
    assert bounds(found["columns"]) == (0, 6)


def test_statistics_of_floating_inputs(tmp_path):
    model = nn.Linear(4, 4)
    nn.init.constant_(model.weight, 2.0)
    found = inputs_of(tmp_path, model, (torch.tensor([[1.0, 3.0, 1.0, 3.0]]),))
    assert found["p_weight"] == {"kind": "parameter", "fqn": "weight", "mean": 2.0, "std": 0.0, "min": 2.0, "max": 2.0}
    assert found["input_1"]["mean"] == 2.0 and found["input_1"]["std"] == 1.0


def test_infinite_values_are_left_out_of_statistics(tmp_path):
    class Masked(nn.Linear):
        def forward(self, x, mask):
            return (super().forward(x) + mask).softmax(-1)

    mask = torch.tensor([0.0, 0.0, 1.0, float("-inf")])
    found = inputs_of(tmp_path, Masked(4, 4), (torch.randn(2, 4), mask), lambda out: cross_entropy(out, out.detach()))
    assert found["mask"]["min"] == 0.0 and found["mask"]["max"] == 1.0


def test_statistics_of_huge_values_are_numbers(tmp_path):
    found = inputs_of(tmp_path, nn.Linear(4, 4), (torch.tensor([[3e38, -3e38, 3e38, 1.0]]),))
    assert found["input_1"]["max"] > 2.9e38 and 2e38 < found["input_1"]["std"] < 3e38
