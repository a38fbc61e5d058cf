# SPDX-License-Identifier: Apache-2.0
"""Multiplies by the gradient of the loss what chunks of it have made in the forward."""

import torch

from ..errors import PlanError


def unused():
    """A number that says of one value of one forward whether a backward has used it up."""
    return torch.zeros((), dtype=torch.int8)


def in_place(value, gradient, uses):
    """``value`` times the gradient, where it lies; ``uses`` is what ``unused`` gave in its forward."""
    if uses.item():
        raise PlanError(
            "A second backward through a loss in chunks would use gradients that the first one has used up; call the "
            'step again, or leave out retain_graph=True, or compile with {"chunk": "off"}.'
        )
    uses.data.fill_(1)  # autograd would refuse it first, in other words
    return value.mul_(gradient)
