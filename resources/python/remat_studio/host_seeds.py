# SPDX-License-Identifier: Apache-2.0
"""Generators of Python and NumPy, from which models draw masks and layers to leave out."""

import contextlib
import random
import sys

SEED = 0  # of a trace, and of the step that it is held against


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
