# SPDX-License-Identifier: Apache-2.0
"""Whether a module still is what it was when it was planned: its kinds, settings, functions, hooks and own tensors."""

import contextlib
import dataclasses
from collections.abc import Hashable
from unittest import mock

import torch

from .outputs import PLAIN

_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")


def of(root, is_called=True):
    """What a module goes by beside its parameters and buffers, for each module in it: a key of a dict.

    Its own hooks count where it ``is_called``, and not its forward alone. Not in it is what other objects hold (a dict, a
    configuration): a loop may note something there in each step.
    """
    everywhere = (getattr(torch.nn.modules.module, f"_global{name}", {}) for name in _HOOKS)
    everywhere = tuple(hook for hooks in everywhere for hook in [*hooks.values()] if not _is_ours(hook))
    return everywhere, tuple(_of(module, is_called or module is not root) for module in root.modules())


@contextlib.contextmanager
def asked_in_vain():
    """A set that gets the names that modules are asked for here, and do not have."""
    names, find = set(), torch.nn.Module.__getattr__

    def found(module, name):
        try:
            return find(module, name)
        except AttributeError:
            names.add(name)
            raise

    with mock.patch.object(torch.nn.Module, "__getattr__", found):
        yield names


def is_as(now, before, names):
    """Whether a module still is what it was, but for settings that came since, of other names than were asked in vain.

    Libraries note things on a model when training begins; code that ran through without asking for them goes on so.
    """
    if now == before:
        return True
    (everywhere, modules), (everywhere_before, modules_before) = now, before
    return (
        everywhere == everywhere_before
        and len(modules) == len(modules_before)
        and all(_is_as(*pair, names) for pair in zip(modules, modules_before, strict=True))
    )


def _is_as(now, before, names):
    if now == before:
        return True
    names = names.union(key for key, _ in before[2])
    counted = (item for item in now[2] if item[0] in names or hasattr(now[0], item[0]))  # a class has what stood for it
    return now[:2] == before[:2] and tuple(counted) == before[2]


@dataclasses.dataclass(frozen=True)
class Change:
    """What of a module is another now."""

    where: str  # the module's name
    what: str  # "kind", "hooks", "modules", or names of attributes
    is_note: bool  # an attribute, which the forward may not read


def since(root, before):
    """The first Change since ``of`` gave ``before``, a note where all are; or None."""
    everywhere, modules = before
    now_everywhere, now = of(root)
    if now_everywhere != everywhere:
        return Change("every module", "hooks", False)
    if len(now) != len(modules):
        return Change("the model", "modules", False)
    note = None
    for (name, _), (kind, hooks, own), is_now in zip(root.named_modules(), modules, now, strict=True):
        where = f"the module {name}" if name else "the model"
        if (kind, hooks) != is_now[:2]:
            return Change(where, "hooks" if kind == is_now[0] else "kind", False)
        others = {key for key, _ in {*own} ^ {*is_now[2]}}
        if others and not note:
            note = Change(where, ", ".join(sorted(others)), True)
    return note


def _is_ours(hook):
    """True for one that stands while another thread traces."""
    return str(getattr(hook, "__module__", "")).startswith(__package__.partition(".")[0])


def _of(module, is_called):
    own = vars(module)
    hooks = tuple(hook for name in _HOOKS if is_called and own[name] for hook in own[name].values())
    return type(module), hooks, tuple(item for item in own.items() if _is_setting(item[1]))


def _is_setting(value):
    is_function = callable(value) and not isinstance(value, torch.nn.Module) and isinstance(value, Hashable)
    return is_function or isinstance(value, PLAIN)


class OwnTensors:
    """The tensors among a module's attributes, no parameter or buffer, that a graph has as constants."""

    def __init__(self, root, graph_module):
        constants = {_place(getattr(graph_module, node.target)) for node in graph_module.graph.find_nodes(op="get_attr")}
        self._held = [
            (module, name, value)
            for module in root.modules()
            for name, value in vars(module).items()
            if isinstance(value, torch.Tensor) and _place(value) in constants
        ]

    def stand(self):
        """True where no other tensor stands in the place of one."""
        return all(vars(module).get(name) is value for module, name, value in self._held)


def _place(value):
    return value.untyped_storage().data_ptr() if isinstance(value, torch.Tensor) else None
