# SPDX-License-Identifier: Apache-2.0
"""Gradients that come into a backward end after their last use in it, as in eager mode.

A function of autograd is called with them, and so whoever calls it holds them to its end. What comes in place of one has
it in a box, out of which the backward takes it.
"""

import functools

import torch

from .held_outputs import is_large


def watch(node):
    """Have a node of autograd get its gradients in boxes, unless the script has hooks of its own on it."""
    kind = type(node)
    if not hasattr(kind, "remat_hooks"):
        kind.remat_hooks = kind.register_hook, kind.register_prehook
        kind.register_hook, kind.register_prehook = map(_without_boxes, kind.remat_hooks)
    node.remat_boxes = kind.remat_hooks[1](node, _boxed)


def seen(gradients):
    """The same gradients without their boxes, which stay as they are."""
    return tuple(each.remat_box[0] if hasattr(each, "remat_box") else each for each in gradients)


def taken(gradient):
    """A gradient out of its box, which it leaves."""
    return gradient.remat_box.pop() if hasattr(gradient, "remat_box") else gradient


def _without_boxes(register):
    @functools.wraps(register)
    def call(node, hook):
        node.remat_boxes.remove()
        return register(node, hook)

    return call


def _boxed(gradients):
    if torch.is_grad_enabled():  # these are differentiated again
        return None
    return tuple(_in_a_box(each) if type(each) is torch.Tensor and is_large(each) else each for each in gradients)


def _in_a_box(gradient):
    found = _number(gradient.dtype, gradient.device).expand(gradient.shape)
    found.remat_box = [gradient]
    return found


@functools.cache
def _number(dtype, device):
    return torch.zeros((), dtype=dtype, device=device)
