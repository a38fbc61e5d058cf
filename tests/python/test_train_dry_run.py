# SPDX-License-Identifier: Apache-2.0
"""What is counted of tensors without data: each storage by itself, though PyTorch makes new ones where old ones lay."""

import pytest
import torch
from remat_studio.torch_private import Lowered
from remat_studio.train.dry_run import BrokenText, Meter, function_of
from torch._subclasses import FakeTensorMode


def test_a_storage_where_a_watched_one_lay_is_not_watched():
    meter = Meter()
    with FakeTensorMode(), meter:
        tangents = [torch.empty(8, dtype=torch.uint8) for _ in range(50)]
        meter.watch(tangents)
        while tangents:
            tangents.pop(0)
        for _ in range(50):  # some of them lie where the tangents lay
            torch.empty(1000, dtype=torch.uint8)
    assert [(part.freed_bytes, part.positions) for part in meter.parts] == [*((8, (i,)) for i in range(50)), (0, ())]
    assert [part.most_bytes for part in meter.parts] == [*range(400, 0, -8), 1000]


def test_values_that_share_a_storage_end_together():
    meter = Meter()
    with FakeTensorMode(), meter:
        whole, other = torch.empty(8, dtype=torch.uint8), torch.empty(4, dtype=torch.uint8)
        half = whole[:4]
        meter.watch([whole, None, half, other])
        del whole
        assert len(meter.parts) == 1
        del other, half
        torch.empty(100, dtype=torch.uint8)
    assert [(part.most_bytes, part.positions) for part in meter.parts] == [(12, (3,)), (8, (0, 2)), (100, ())]
    assert [part.positions for part in meter.begin_part()] == [(3,), (0, 2)] and len(meter.parts) == 1


def test_a_text_that_reads_what_it_has_not_made_yet_is_told_from_other_errors():
    """As Inductor writes it where a kernel fills a buffer that takes the place of another one further down."""
    for text, wanted in (("    len(buf)\n    buf = args[0]\n", BrokenText), ("    fused(args[0])\n", NameError)):
        with pytest.raises(wanted):
            function_of(Lowered(f"def call(args):\n{text}", {}, 0, ()), FakeTensorMode())([1])
