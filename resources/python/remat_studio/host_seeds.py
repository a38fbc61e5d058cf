# SPDX-License-Identifier: Apache-2.0
"""Generators of Python and NumPy, from which models draw masks and layers to leave out; code that sets PyTorch's."""

import contextlib
import random
import sys
from unittest import mock

import torch

from . import frames

SEED = 0  # of a trace, and of the step that it is held against

_SETTERS = [
    *((owner, name) for owner in (torch, torch.random) for name in ("manual_seed", "seed", "set_rng_state")),
    *((torch.cuda, name) for name in ("manual_seed", "manual_seed_all", "set_rng_state", "set_rng_state_all")),
]


def seed_host(seed):
    """Seed both, NumPy's where it is loaded."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)


@contextlib.contextmanager
def host_kept():
    """Put both back afterwards."""
    numpy = sys.modules.get("numpy")
    states = random.getstate(), numpy.random.get_state() if numpy is not None else None
    try:
        yield
    finally:
        random.setstate(states[0])
        if numpy is not None:
            numpy.random.set_state(states[1])


@contextlib.contextmanager
def setters_noted():
    """While this is open, gives the lines of the model's code that set PyTorch's generators, as they run.

    Once such a line ran, these generators end where they were before it.
    """
    lines = []
    with contextlib.ExitStack() as stack:

        def noting(original):
            def run(*args, **kwargs):
                frame = sys._getframe(1)
                if frames.is_user_file(frame.f_code.co_filename):
                    if not lines:
                        _put_back_later(stack)
                    lines.append(frames.place([(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)]))
                return original(*args, **kwargs)

            return run

        for owner, name in _SETTERS:
            stack.enter_context(mock.patch.object(owner, name, noting(getattr(owner, name))))
        yield lines


def _put_back_later(stack):
    stack.callback(torch.set_rng_state, torch.get_rng_state())
    if torch.cuda.is_initialized():
        stack.callback(torch.cuda.set_rng_state_all, torch.cuda.get_rng_state_all())
