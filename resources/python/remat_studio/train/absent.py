# SPDX-License-Identifier: Apache-2.0
"""Gradients that never came: zeros that take no memory until an op of the backward graph reads them.

What leaves a graph and gets no gradient, as keys and values for a cache, would have zeros of full size from autograd's
engine, all of them before the backward begins.
"""

import torch

from . import torch_private


def zero(shape, dtype, device):
    """Zeros of which one number is held."""
    found = torch.zeros((), dtype=dtype, device=device).expand(shape)
    found.remat_is_absent = True
    return found


def written_out(tangent, shape, stride):
    """The gradient, with all of its numbers."""
    if not hasattr(tangent, "remat_is_absent"):
        return tangent
    return torch.empty_strided(shape, stride, dtype=tangent.dtype, device=tangent.device).zero_()


def write_out_late(graph):
    """Have a backward graph write out zeros where they are first read."""
    places = {node: place for place, node in enumerate(graph.nodes)}
    for tangent in [node for node in graph.find_nodes(op="placeholder") if torch_private.is_tangent(node)]:
        value = tangent.meta.get("val")
        if not isinstance(value, torch.Tensor) or not tangent.users:
            continue
        with graph.inserting_before(min(tangent.users, key=places.__getitem__)):
            new = graph.call_function(written_out, (tangent, tuple(value.shape), tuple(value.stride())))
        tangent.replace_all_uses_with(new, delete_user_cb=lambda user, new=new: user is not new)
