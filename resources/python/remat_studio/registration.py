# SPDX-License-Identifier: Apache-2.0
"""Makes the backend ``remat`` known where backends are listed, without loading torch._dynamo, which takes seconds."""

import functools
import importlib.abc
import importlib.machinery
import sys
from importlib.metadata import EntryPoint

_NAME = "remat"


def register(module):
    """Add the backend, which a module of this package has, to the lists that are loaded, and to others once they are.

    Of an installed package Dynamo finds the entry point by itself; from the source tree there is none.
    """
    for name, add in (
        ("torch._dynamo.backends.registry", functools.partial(_to_dynamo, module)),
        ("accelerate.utils.dataclasses", _to_accelerate),
    ):
        if name in sys.modules:
            add(sys.modules[name])
        else:
            sys.meta_path.insert(0, _WhenLoaded(name, add))


def _to_dynamo(module, registry):
    registry._BACKENDS[_NAME] = EntryPoint(_NAME, f"remat_studio.{module}:remat", "torch_dynamo_backends")


def _to_accelerate(dataclasses):
    """Accelerate, and with it transformers' Trainer, knows backends by an enumeration and refuses all others."""
    kinds = dataclasses.DynamoBackend
    name = _NAME.upper()
    if name not in kinds:
        backend = str.__new__(kinds, name)
        backend._name_ = backend._value_ = name
        kinds._value2member_map_[name] = kinds._member_map_[name] = backend  # copies are looked up by name, or by value


class _WhenLoaded(importlib.abc.MetaPathFinder):
    """Loads a module as ever, calls a function with it, and is gone."""

    def __init__(self, name, call):
        self.name = name
        self.call = call

    def find_spec(self, name, path, target=None):
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        if spec is None:
            return None
        load = spec.loader.exec_module

        def load_and_call(module):
            load(module)
            self.call(module)

        spec.loader.exec_module = load_and_call
        return spec
