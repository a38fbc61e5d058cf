# SPDX-License-Identifier: Apache-2.0
"""Whether a module still is what it was when it was planned: its kinds, settings, functions, hooks and own tensors."""

from collections.abc import Hashable

import torch

from .outputs import PLAIN

_HOOKS = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")


def of(root):
    """What the forward of a module goes by beside its parameters and buffers, for each module in it: a key of a dict.

    Not in it is what other objects hold (a dict, a configuration): a loop may note something there in each step.
    """
    everywhere = tuple(hook for name in _HOOKS for hook in getattr(torch.nn.modules.module, f"_global{name}", {}).values())
    return everywhere, tuple(map(_of, root.modules()))


def _of(module):
    own = vars(module)
    hooks = tuple(hook for name in _HOOKS if own[name] for hook in own[name].values())
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
