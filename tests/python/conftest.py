# SPDX-License-Identifier: Apache-2.0
"""Makes the package and the samples' models importable from the source tree."""

import functools
import os
import pathlib
import sys
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources" / "python"), str(ROOT / "resources" / "samples")]
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # threads that wait for each other's tiny pieces cost more than they give
os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))


def pytest_configure(config):
    config.addinivalue_line(
        "markers", "rotates(days=7, group=None): one row of so many in a run, another each day; a group has all of its tests as rows"
    )


def pytest_collection_modifyitems(config, items):
    """Rows of tests marked `rotates` that are not today's are left out; REMAT_TEST_ALL looks at all."""
    if os.environ.get("REMAT_TEST_ALL"):
        return
    today = int(os.environ.get("REMAT_TEST_DAY", int(time.time()) // 86400))
    seen, kept, left = {}, [], []
    for item in items:
        mark = item.get_closest_marker("rotates")
        days = mark.kwargs.get("days", 7) if mark else 1
        rows = mark and mark.kwargs.get("group") or (item.originalname, item.fspath)
        row = seen[rows] = seen.get(rows, -1) + 1
        (kept if row % days == today % days else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept


@pytest.fixture(autouse=True)
def nothing_was_said():
    """Sentences of a session are said anew in each test, though those of others are there still."""
    telling = sys.modules.get("remat_studio.train.telling")
    if telling:
        telling._told.clear()


@pytest.fixture(scope="session")
def traced_zoo(tmp_path_factory):
    """A function of a model's name in the zoo, and how to build it, that gives the model and its trace, made once."""
    from support import traced_model

    return functools.cache(lambda name, **how: traced_model(name, tmp_path_factory.mktemp(name), **how))
