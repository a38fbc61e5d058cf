# SPDX-License-Identifier: Apache-2.0
"""Values that are known while a model is traced: of arguments, buffers and constants, and what follows from them.

Models look at them to choose their way (is this mask all ones?), and eager mode's way is the one to trace.
"""

import sys

import torch

from .packed import PACK, pack
from .questions import Asked, Recipe, copied
from .torch_private import FakeTensor, FakeTensorMode, in_kernel_invocation_manager, no_dispatch, pytree

MOST_NUMBERS = 1 << 22  # size of a tensor whose values are followed
_UNWRITTEN = ("aten::empty", "aten::new_empty")  # what begins so has no values yet


class KnownValues:
    """Stand-in tensors, of ``mode``, and the values of those that depend on no parameter, gradient or random number."""

    def __init__(self, names, on_run=lambda: None, replay=None):
        """``names`` has the names of the call's tensors by their id; ``on_run`` is called for each operator.

        ``replay`` answers where values decide, see decisions.py.
        """
        self.mode = FakeTensorMode(allow_non_fake_inputs=True)
        self._stand_in, self._dispatch = self.mode.from_tensor, self.mode.dispatch
        # Not by a class of our own: PyTorch's rules for operators of higher order go by the mode's type.
        self.mode.from_tensor, self.mode.dispatch = self._from_tensor, self._run
        self._cached = self.mode._get_output_tensor_from_cache_entry
        self.mode._get_output_tensor_from_cache_entry = self._from_cache
        self._names = names
        self._on_run = on_run
        self._replay = replay
        self._overwritten = set()  # storages of values that are known no more
        self.decided_by = set()  # names of tensors whose values were looked at
        self.questions = []  # what was asked of values, each an Asked
        self.packed = []  # lengths of sequences, for each call that packs them

    def _from_tensor(self, tensor, **options):
        """A stand-in for a real tensor."""
        fake = self._stand_in(tensor, **options)
        name = self._names.get(id(tensor))
        if _is_followed(tensor):
            with no_dispatch():
                fake.remat_known = Recipe(copied(tensor.detach()), name), frozenset((name,) if name else ())
        return fake

    def _from_cache(self, state, entry, key, func, args):
        """A result that PyTorch 2.11 kept of an equal call.

        PyTorch forgets where in a storage of its own a result begins (``aten.copy`` of a slice does not begin at 0), so
        that the second trace of a model in one process would not equal the first.
        """
        out = self._cached(state, entry, key, func, args)
        made = entry.metadata  # none for what is no new tensor
        if made is None or not isinstance(made.storage_offset, int) or made.storage_offset == out.storage_offset():
            return out
        with in_kernel_invocation_manager(self.mode):
            whole = torch.empty(made.storage_bytes, dtype=torch.uint8, device="meta")
            out.set_(whole.untyped_storage(), made.storage_offset, out.shape, out.stride())
        return out

    def _run(self, func, types, args=(), kwargs=None):
        """Run an operator on stand-ins, and on values where all are known."""
        self._on_run()
        kwargs = kwargs or {}
        if func is PACK:
            return self._pack(*args)
        answer = self._replay.answer(func, args, self.mode) if self._replay else None
        if answer is not None:
            return answer
        known, sources, recipes = (None, (), ()) if self._is_unknown(args) else self._known((args, kwargs))
        if known is None or torch.Tag.nondeterministic_seeded in func.tags:
            self._forget_written(func, args)
            return self._dispatch(func, types, args, kwargs)
        if torch.Tag.data_dependent_output in func.tags:
            answer = _compute(func, known)
            if not _is_for_a_warning():
                self.decided_by |= sources
                if sources:
                    self.questions.append(Asked(func, recipes, answer))
            return answer
        out = self._dispatch(func, types, args, kwargs)
        if not func.name().startswith(_UNWRITTEN) and _is_small(out):
            call = Asked(func, recipes) if sources else None
            _remember(out, _compute(func, known), sources, call)
        return out

    def _pack(self, data, lengths, batch_first):
        """Pack a sequence; PyTorch would keep the result for calls with other lengths."""
        self.packed.append(lengths.tolist())
        out, sizes = pack(self.mode, data, self.packed[-1], batch_first)
        out[1].remat_known = Recipe(sizes), getattr(lengths, "remat_known", (None, frozenset()))[1]
        return out

    @staticmethod
    def _is_unknown(args):
        """True if one argument is: most are, which is quickly seen."""
        return any(isinstance(leaf, FakeTensor) and not hasattr(leaf, "remat_known") for leaf in args)

    def _known(self, arguments):
        """The arguments with values in place of stand-ins, whose they are, and with recipes; None if one is unknown."""
        sources = set()
        leaves, spec = pytree.tree_flatten(arguments)
        recipes = list(leaves)
        for index, leaf in enumerate(leaves):
            if isinstance(leaf, FakeTensor):
                recipe, names = getattr(leaf, "remat_known", (None, ()))
                if recipe is None or recipe.value.untyped_storage()._cdata in self._overwritten:
                    return None, sources, ()
                leaves[index], recipes[index] = recipe.value, recipe
                sources.update(names)
            elif isinstance(leaf, torch.Tensor):
                if not _is_followed(leaf):
                    return None, sources, ()
                with no_dispatch():
                    leaves[index] = leaf.cpu()
                recipes[index] = Recipe(leaves[index])
            elif isinstance(leaf, torch.device):
                leaves[index] = recipes[index] = torch.device("cpu")
            elif isinstance(leaf, torch.SymInt | torch.SymFloat | torch.SymBool):
                return None, sources, ()
        return pytree.tree_unflatten(leaves, spec), sources, pytree.tree_unflatten(recipes, spec)

    def _forget_written(self, func, args):
        if func._schema.is_mutable:
            for leaf in pytree.tree_leaves(args):
                recipe, _ = getattr(leaf, "remat_known", (None, ()))
                if recipe is not None:
                    self._overwritten.add(recipe.value.untyped_storage()._cdata)


def _is_followed(tensor):
    """Parameters are what training changes, and nobody should decide by what has no values."""
    return (
        not isinstance(tensor, torch.nn.Parameter | FakeTensor)
        and not (tensor.requires_grad or tensor.is_meta)
        and tensor.layout is torch.strided
        and tensor.numel() <= MOST_NUMBERS
    )


def _is_for_a_warning():
    """Libraries look at values to warn, which changes no way."""
    frame = sys._getframe(2)
    while frame is not None and not frame.f_code.co_name.startswith("warn"):
        frame = frame.f_back
    return frame is not None


def _is_small(out):
    return all(leaf.numel() <= MOST_NUMBERS for leaf in pytree.tree_leaves(out) if isinstance(leaf, torch.Tensor))


def _compute(func, known):
    args, kwargs = known
    with no_dispatch():
        return func(*args, **kwargs)


def _remember(out, values, sources, call):
    for place, (fake, value) in enumerate(zip(pytree.tree_leaves(out), pytree.tree_leaves(values), strict=True)):
        if isinstance(fake, FakeTensor) and not value.is_meta:
            fake.remat_known = Recipe(value, call=call, place=place), frozenset(sources)
