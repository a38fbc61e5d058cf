# SPDX-License-Identifier: Apache-2.0
"""Blocks of a model that are compiled one by one, and share a budget: ``remat_studio.compile_blocks``."""

import weakref
from collections.abc import Iterable

import torch
from torch import nn

from .. import torch_private
from . import options
from .chains import Chain
from .errors import PlanError
from .telling import tell

_OPTIONS = ("time_limit", "device", "solver", "cache", "strict")
_NONE = (
    "The first block ran, and nothing was planned: Dynamo gave no graph of it. It compiles blocks of your own classes, "
    "and leaves out those of torch.nn; call them in the forward of a class of your own."
)


def compile_blocks(blocks, budget, **given):
    """Compile each module of ``blocks`` by Inductor, so that all together hold ``budget`` in a step.

    The blocks run one after the other. The first step runs with the least that each can keep, and shows their order;
    the next one has the fastest choice within the budget, which differs along the chain. Equal blocks are explored
    once. What runs between them is measured in a step, and planned for if it takes too much. Percent is of what they
    hold without a plan. Options are ``time_limit``, ``device``, ``solver``, ``cache`` and ``strict`` of
    ``backend="remat"``.
    """
    options.only(_OPTIONS, given, "compile_blocks")
    modules = list(blocks) if isinstance(blocks, Iterable) else [blocks]
    if modules == [blocks] or not all(isinstance(module, nn.Module) for module in modules):
        raise PlanError(f"The blocks are {type(blocks).__name__}; give a list of modules, such as model.layers.")
    if not modules:
        raise PlanError("There are no blocks in the list; give modules, such as model.layers.")
    made = _Blocks(modules, options.read({"budget": budget, "codegen": "inductor", **given}))
    for index in range(len(made.modules)):
        made.compile(index, made.first)


class _Blocks:
    """The blocks, and which of them runs now."""

    def __init__(self, modules, read):
        self.modules = [weakref.ref(module) for module in modules]
        self.chain = Chain(read, "blocks", self._ends)
        self.first = self._backend({})
        self._current = None
        self._has_graph = False
        self._is_over = False

    def compile(self, index, backend):
        """Have a block run by what a backend makes of it."""
        module = self.modules[index]()
        compiled = torch_private.compiled_call(module, backend)

        def call(*args, **kwargs):
            run = self._enter(index) or compiled
            outputs = run(*args, **kwargs)
            if not self._has_graph and torch.is_grad_enabled() and not torch.compiler.is_compiling():
                tell(_NONE, self.chain)
            return outputs

        torch_private.set_call(module, call)

    def _backend(self, picks):
        """What ``torch.compile`` calls for a block; one for all whose picks are the same, so that they share code."""

        def compile_graph(module, inputs):
            self._has_graph = True
            return self.chain.compile(lambda: self._current, picks, module, inputs)

        return compile_graph

    def _ends(self):
        self._is_over = True

    def _enter(self, index):
        """Before a block runs; its new function, where this call begins the step after the first one."""
        self._current = index
        if self.chain.is_solved or not self._is_over:
            return None
        self.chain.solve()
        self._compile_as_picked()
        return torch_private.call_of(self.modules[index]())

    def _compile_as_picked(self):
        picks = self.chain.picks
        torch_private.allow_shapes(self.chain.options.shapes * (1 + len(picks)))  # each pick counts for each shape
        made = {}
        for index, one in picks.items():
            key = tuple(sorted((digest, *(option.name for option in options)) for digest, options in one.items()))
            self.compile(index, made.setdefault(key, self._backend(one)))
