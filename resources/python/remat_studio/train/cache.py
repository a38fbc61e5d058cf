# SPDX-License-Identifier: Apache-2.0
"""Plans on disk, by what they were made for."""

import hashlib
import json
import os
import pathlib
import tempfile


class PlanCache:
    """One plan in one file, named after the graph and all that decides about its plan."""

    def __init__(self, *parts):
        text = json.dumps(parts, sort_keys=True)
        self.path = folder() / f"{hashlib.sha256(text.encode()).hexdigest()}.json"

    def read(self):
        """The plan, or None where there is none that can be read."""
        return read_json(self.path)

    def write(self, plan):
        """Keep the plan; where the disk refuses, the next start plans again."""
        write_json(self.path, plan)


def read_json(path):
    """What a file holds, or None where it cannot be read."""
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def write_json(path, value):
    """Write a file in one piece, or leave it as it was where the disk refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        with os.fdopen(handle, "w") as file:
            json.dump(value, file)
        os.replace(name, path)
    except OSError:
        pass


def folder():
    """Where plans lie: below $XDG_CACHE_HOME, or ~/.cache."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(base) / "remat-studio" / "plans"
