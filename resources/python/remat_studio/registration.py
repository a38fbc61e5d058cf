# SPDX-License-Identifier: Apache-2.0
"""Makes the backend ``remat`` known where backends are listed, without loading Dynamo, which takes seconds."""

import functools
import importlib.abc
import importlib.machinery
import sys

_NAME = "remat"


def register(module):
    """Add the backend, which a module of this package has, to the lists that are loaded, and to others once they are.

    Of an installed package Dynamo finds the entry point by itself; from the source tree there is none.
    """
    for package, name_in, add in (
        ("torch", _registry, functools.partial(_to_dynamo, module)),
        ("accelerate", lambda: "accelerate.utils.dataclasses", _to_accelerate),
    ):
        if package in sys.modules and name_in() in sys.modules:
            add(sys.modules[name_in()])
        else:
            sys.meta_path.insert(0, _WhenLoaded(package, name_in, add))


def _registry():
    from .torch_private import BACKENDS  # not before PyTorch is loaded, which that file does

    return BACKENDS


def _to_dynamo(module, registry):
    from . import torch_private

    torch_private.add_backend(registry, _NAME, f"remat_studio.{module}:remat")


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

    def __init__(self, package, name_in, call):
        """``name_in()`` is the name of the module, which is asked for once a part of the package is loaded."""
        self.package = package
        self.name_in = name_in
        self.call = call

    def find_spec(self, name, path, target=None):
        if not name.startswith(f"{self.package}.") or name != self.name_in():
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
