"""Makes the backend ``remat`` known to torch.compile without loading torch._dynamo, which takes seconds."""

import importlib.abc
import importlib.machinery
import sys
from importlib.metadata import EntryPoint

_BACKEND = EntryPoint("remat", "remat_studio.train.backend:remat", "torch_dynamo_backends")
_REGISTRY = "torch._dynamo.backends.registry"


def register():
    """Add the backend to Dynamo's list now where that is loaded, else as soon as it is.

    Of an installed package Dynamo finds the entry point by itself; from the source tree there is none.
    """
    if _REGISTRY in sys.modules:
        _add(sys.modules[_REGISTRY])
    else:
        sys.meta_path.insert(0, _WhenLoaded())


def _add(registry):
    registry._BACKENDS.setdefault(_BACKEND.name, _BACKEND)


class _WhenLoaded(importlib.abc.MetaPathFinder):
    """Loads the registry as ever, adds the backend, and is gone."""

    def find_spec(self, name, path, target=None):
        if name != _REGISTRY:
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        load = spec.loader.exec_module

        def load_and_add(module):
            load(module)
            _add(module)

        spec.loader.exec_module = load_and_add
        return spec
