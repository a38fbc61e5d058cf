# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#65537: the older way to checkpoint refuses `torch.autograd.grad`, by which steps are compared.

Right: as in the newer way; a trace is refused with how to get that.
"""

import checkpoint_inside


def make():
    return checkpoint_inside.make(use_reentrant=True)
