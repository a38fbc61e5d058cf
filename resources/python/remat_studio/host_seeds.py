# SPDX-License-Identifier: Apache-2.0
"""Generators of Python and NumPy, from which models draw masks and layers to leave out; code that sets PyTorch's."""

import contextlib
import functools
import random
import sys
import threading
from unittest import mock

import torch
from torch.fx.experimental.proxy_tensor import get_proxy_mode
from torch.utils import checkpoint

from . import frames

SEED = 0  # of a trace, and of the step that it is held against

_SETTERS = [
    *((owner, name) for owner in (torch, torch.random) for name in ("manual_seed", "seed", "set_rng_state")),
    *((torch.cuda, name) for name in ("manual_seed", "manual_seed_all", "set_rng_state", "set_rng_state_all")),
]
_SETTING = ("seed", "setstate", "set_state")
_LOOKING = ("getstate", "get_state")
_OURS = 0x5EED_0F_7ACE  # PyTorch's seed while a forward is looked at, which no model sets


def seed_host(seed):
    """Seed both, NumPy's where it is loaded."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)


@contextlib.contextmanager
def host_kept():
    """Put both back afterwards."""
    states = host_states()
    try:
        yield
    finally:
        put_host_back(states)


def host_states():
    """Whose generator is in which state; NumPy's where it is loaded."""
    numpy = sys.modules.get("numpy")
    return {"Python": random.getstate()} | ({"NumPy": numpy.random.get_state()} if numpy is not None else {})


def put_host_back(states):
    """Put generators into these ``host_states``."""
    random.setstate(states["Python"])
    if "NumPy" in states:
        sys.modules["numpy"].random.set_state(states["NumPy"])


def drawn_since(states):
    """Whose generators are in another state by now."""
    return [owner for owner, state in host_states().items() if owner in states and repr(state) != repr(states[owner])]


class Noted:
    """What the forward does with generators, by the lines of the model's code; of its last pass."""

    def __init__(self):
        self.setters = []  # (line, or nothing where it is not known; how many ops of the graph drew before it)
        self._first = {}  # whose generator: the name and the line of the first call to it
        self.names = set()  # of all functions called
        self._begin = {}
        self._thread = threading.get_ident()

    def begin(self):
        """A pass over the forward begins, with generators of Python and NumPy as they are now."""
        self._first.clear()
        self.names.clear()
        self._begin = host_states()
        torch.default_generator.manual_seed(_OURS)

    def end(self):
        """The pass has ended."""
        if not self.setters and torch.initial_seed() != _OURS:
            self.set_by("", 0)

    def drawn(self):
        """Whose generator drew what the graph now has as constants, and the line; one that was set first repeats itself."""
        for owner in drawn_since(self._begin):
            name, line = self._first.get(owner, ("", ""))
            if not name.startswith(_SETTING):
                return owner, line
        return None

    def set_by(self, line, drawn_before=None):
        mode = get_proxy_mode()
        if mode is not None:  # other passes make no graph
            count = sum(map(draws, mode.tracer.graph.nodes)) if drawn_before is None else drawn_before
            self.setters.append((line, count))

    def called(self, owner, name, line):
        if threading.get_ident() == self._thread:  # others may prepare data meanwhile
            self._first.setdefault(owner, (name, line))
            self.names.add(name if owner == "Python" else f"{owner}.{name}")


def draws(node):
    """True for a node whose operator takes random numbers."""
    return torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ())


@contextlib.contextmanager
def generators_noted():
    """While this is open, calls to generators are noted in what it gives; PyTorch's end where they were before.

    A function that was imported by its name reaches PyTorch's generator as ``torch.random`` knows it.
    """
    noted = Noted()
    with contextlib.ExitStack() as stack:
        _put_back_later(stack)
        for owner, name in _SETTERS:
            original = getattr(owner, name)
            stack.enter_context(mock.patch.object(owner, name, _noting(original, noted.set_by)))
        generator = _Generator(torch.default_generator, noted.set_by)
        stack.enter_context(mock.patch.object(torch.random, "default_generator", generator))
        for owner, module, name in _host_functions():
            note = functools.partial(noted.called, owner, name)
            stack.enter_context(mock.patch.object(module, name, _noting(getattr(module, name), note)))
        yield noted


BOUNDED = {"random", "uniform"}  # functions of Python's that ``at_bounds`` stands for


@contextlib.contextmanager
def at_bounds(end):
    """While this is open, Python draws the least numbers that it can, or the largest (``end`` is min or max)."""
    with (
        mock.patch.object(random, "random", lambda: end(0.0, 1 - 2**-53)),
        mock.patch.object(random, "uniform", lambda low, high: end(low, high)),
    ):
        yield


class _Generator:
    """Stands for a generator, and notes the calls that set it."""

    def __init__(self, generator, note):
        self._generator = generator
        self._note = note

    def __getattr__(self, name):
        found = getattr(self._generator, name)
        return _noting(found, self._note) if name in ("manual_seed", "seed", "set_state") else found


def _noting(original, note):
    def run(*args, **kwargs):
        frame = sys._getframe(1)
        while frame.f_back and not frames.is_user_file(frame.f_code.co_filename):
            if frame.f_code.co_filename == checkpoint.__file__:  # which has its numbers drawn again
                return original(*args, **kwargs)
            frame = frame.f_back
        if frames.is_user_file(frame.f_code.co_filename):
            note(frames.place([(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)]))
        return original(*args, **kwargs)

    return run


def _host_functions():
    """Functions of modules that call the one generator of Python, or of NumPy."""
    numpy = sys.modules.get("numpy")
    of_numpy = [("NumPy", numpy.random, numpy.random.mtrand._rand)] if numpy is not None else []
    for owner, module, generator in [("Python", random, random._inst), *of_numpy]:
        for name, value in list(vars(module).items()):
            if name == "seed" or (getattr(value, "__self__", None) is generator and name not in _LOOKING):
                yield owner, module, name


def _put_back_later(stack):
    stack.callback(torch.set_rng_state, torch.get_rng_state())
    if torch.cuda.is_initialized():
        stack.callback(torch.cuda.set_rng_state_all, torch.cuda.get_rng_state_all())
