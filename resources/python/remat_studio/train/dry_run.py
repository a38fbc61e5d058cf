# SPDX-License-Identifier: Apache-2.0
"""Runs the text that Inductor writes on tensors without data, and counts the bytes that it holds."""

import dataclasses
import re
import weakref

import torch
from torch.utils.flop_counter import flop_registry

from ..torch_private import TorchDispatchMode, pytree, without_own_functions
from . import workspaces, wrapped_rng

_BRANCH = re.compile(r"\bif \w+\.item\(\):$", re.M)  # of a condition that is known when the step runs
_COMPILER = re.compile(r"^from \S+ import AsyncCompile$", re.M)


class BrokenText(Exception):
    """Inductor's text reads what it has not made yet: so does its code, and a step with this cut would fail."""


@dataclasses.dataclass
class Part:
    """A run of a text from where it let go of one watched storage to where it lets go of the next."""

    most_bytes: int = 0
    freed_bytes: int = 0  # of the storage with which the part ends
    positions: tuple = ()  # of the values that lay in it


class Meter(TorchDispatchMode):
    """Bytes of all storages that a live tensor lies in, while this is the uppermost mode.

    ``granule`` is what the allocator rounds a block up to: 1 on the CPU, 512 on CUDA.
    """

    supports_higher_order_operators = True

    def __init__(self, granule=1):
        super().__init__()
        self.granule = granule
        self.held = self.flops = 0
        self.parts = [Part()]
        self._watched = {}  # storage -> positions of the values that lie in it
        self._live = {}  # storage -> [bytes, tensors]

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        known = {_key(value) for value in pytree.tree_leaves((args, kwargs)) if isinstance(value, torch.Tensor)}
        before = self.held
        result = func(*args, **kwargs)
        for value in pytree.tree_leaves(result):
            if isinstance(value, torch.Tensor) and (_key(value) not in known or _key(value) in self._live):
                self._hold(value)
        made = result
        inside = wrapped_rng.parts(func, args, kwargs)
        if inside:
            func, args, kwargs, saves = inside
            made = result[1] if saves else result
        if hasattr(func, "overloadpacket") and not workspaces.is_trivial(func):
            count = flop_registry.get(func.overloadpacket)
            self.flops += int(count(*args, **kwargs, out_val=made)) if count else 0
            self._reaches(before + workspaces.peak_inside(func, args, kwargs))
        return result

    def watch(self, values):
        """Begin ``parts`` anew, and a further one wherever the text lets go of a storage of these; None is for no value."""
        self._watched = {}
        for position, value in enumerate(values):
            if isinstance(value, torch.Tensor):
                self._watched.setdefault(_key(value), []).append(position)
        self.parts = [Part(self.held)]

    @property
    def peak(self):
        """The most bytes that were held in ``parts``."""
        return max(part.most_bytes for part in self.parts)

    def begin_part(self):
        """Begin ``parts`` anew; what was watched still is. Returns those that ended."""
        *ended, _ = self.parts
        self.parts = [Part(self.held)]
        return ended

    def _reaches(self, held):
        self.parts[-1].most_bytes = max(self.parts[-1].most_bytes, held)

    def held_of(self, values):
        """Bytes of the storages of some of the tensors that are held."""
        keys = {_key(value) for value in values if isinstance(value, torch.Tensor)}
        return sum(self._live[key][0] for key in keys if key in self._live)

    def _hold(self, value):
        key = _key(value)
        if key not in self._live:
            size = -(-value.untyped_storage().nbytes() // self.granule) * self.granule
            self._live[key] = [size, 0]
            self.held += size
            self._reaches(self.held)
        self._live[key][1] += 1
        weakref.finalize(value, self._drop, key)

    def _drop(self, key):
        entry = self._live[key]
        entry[1] -= 1
        if entry[1] == 0:
            self.held -= entry[0]
            if key in self._watched:
                self.parts[-1].freed_bytes = entry[0]
                self.parts[-1].positions = tuple(self._watched.pop(key))  # a new storage may lie where this one did
                self.parts.append(Part(self.held))
            del self._live[key]


def _key(value):
    return value.untyped_storage()._cdata


class _Kernel:
    """Stands for a fused kernel: it allocates nothing."""

    def __call__(self, *args, **kwargs):
        return None

    run = __call__

    def __getattr__(self, name):
        return self


class _Compiler:
    """Stands for Inductor's compiler of kernels."""

    def __getattr__(self, name):
        return lambda *args, **kwargs: _Kernel()

    def wait(self, _scope):
        """Nothing is under way."""


def _reinterpret(value, size, stride, offset=0):
    return torch.as_strided(value, size, stride, offset + value.storage_offset())


def _empty_on(device):
    return lambda size, stride, dtype: torch.empty_strided(size, stride, dtype=dtype, device=device)


def has_branches(lowered):
    """True where it depends on values which of two branches runs."""
    return _BRANCH.search(lowered.text) is not None


def function_of(lowered, mode, branch=True):
    """The function ``call`` of a lowered half; it takes a list of tensors, which it empties.

    ``branch`` says how all conditions turn out. It raises ``BrokenText``.
    """
    text = without_own_functions(_COMPILER.sub("", _BRANCH.sub(f"if {branch}:", lowered.text)))
    names = {
        "AsyncCompile": _Compiler,
        "empty_strided_cpu": _empty_on("cpu"),
        "empty_strided_cpu_pinned": _empty_on("cpu"),
        "empty_strided_cuda": _empty_on("cuda"),
        "empty_strided_xpu": _empty_on("xpu"),
        "reinterpret_tensor": _reinterpret,
        "assert_size_stride": lambda *_: None,
        "assert_alignment": lambda *_: None,
    }
    scope = {"__name__": "remat_dry_run", **names}
    exec(compile(text, "<remat dry run>", "exec"), scope)
    scope.update({name: _stand_in(value, mode) for name, value in lowered.constants.items()})

    def call(given):
        try:
            return scope["call"](given)
        except UnboundLocalError as error:
            raise BrokenText(str(error)) from None

    return call


def _stand_in(value, mode):
    if not isinstance(value, torch.Tensor):
        return value
    with mode:
        return torch.empty_strided(value.shape, value.stride(), dtype=value.dtype, device=value.device)
