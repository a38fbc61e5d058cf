# SPDX-License-Identifier: Apache-2.0
"""Plans on disk, by what they were made for."""

import hashlib
import json
import os
import pathlib
import tempfile

from .telling import tell

_REFUSED = (
    "{} cannot be written ({}): training goes on, and the next start plans again. Set XDG_CACHE_HOME to a folder with "
    "room that can be written."
)


class PlanCache:
    """One plan in one file, named after the graph and all that decides about its plan."""

    def __init__(self, *parts):
        text = json.dumps(parts, sort_keys=True)
        self.path = folder() / f"{hashlib.sha256(text.encode()).hexdigest()}.json"

    def read(self):
        """The plan, or None where there is none that can be read."""
        return read_json(self.path)

    def write(self, plan):
        """Keep the plan."""
        write_json(self.path, plan)


def read_json(path):
    """What a file holds, or None where it cannot be read."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def write_json(path, value):
    """Write a file in one piece; where the disk refuses, leave it as it was and say so, once in a process."""
    name = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "w") as file:
            json.dump(value, file)
        os.replace(name, path)
    except OSError as error:
        if name:
            pathlib.Path(name).unlink(missing_ok=True)  # a part of a file would fill the disk further
        tell(_REFUSED.format(folder().parent, error.strerror))


def folder():
    """Where plans lie: below $XDG_CACHE_HOME, or ~/.cache."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(base) / "remat-studio" / "plans"
