"""Makes the package and the samples' models importable from the source tree."""

import functools
import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources" / "python"), str(ROOT / "resources" / "samples")]
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads that wait for each other's tiny pieces cost more than they give
os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))


@pytest.fixture(scope="session")
def traced_zoo(tmp_path_factory):
    """A function of a model's name in the zoo, and how to build it, that gives the model and its trace, made once."""
    from support import traced_model

    return functools.cache(lambda name, **how: traced_model(name, tmp_path_factory.mktemp(name), **how))
