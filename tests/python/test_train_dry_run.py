# SPDX-License-Identifier: Apache-2.0
"""What is counted of tensors without data: each storage by itself, though PyTorch makes new ones where old ones lay."""

import torch
from remat_studio.train.dry_run import Meter
from torch._subclasses import FakeTensorMode


def test_a_storage_where_a_lingering_one_lay_does_not_linger():
    meter = Meter()
    with FakeTensorMode(), meter:
        tangents = [torch.empty(8, dtype=torch.uint8) for _ in range(50)]
        meter.linger(tangents)
        tangents.clear()
        for _ in range(50):  # some of them lie where the tangents lay
            torch.empty(1000, dtype=torch.uint8)
    assert meter.lingering == 50 * 8
    assert meter.peak_lingering == 50 * 8 + 1000
