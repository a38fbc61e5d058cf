# SPDX-License-Identifier: Apache-2.0
"""Ways to cut the regions of a step that were explored before, on disk: a second start explores none of them."""

import dataclasses
import hashlib

from .. import __version__, torch_private
from . import cache
from .regions import Option


class KnownOptions:
    """The options of one joint graph, by its digest and all that decides about them.

    ``read`` is an ``options.Options``, whose ``cache`` says whether the disk is used.
    """

    def __init__(self, digest, read):
        how = [__version__, read.device, read.solver, read.time_limit, torch_private.inductor_settings()]
        self._path = cache.folder().parent / "regions" / f"{hashlib.sha256(f'{digest}{how}'.encode()).hexdigest()}.json"
        self._is_on = read.cache

    def read(self):
        """A list of regions.Option; None where they are not known."""
        try:
            return [Option(**each) for each in cache.read_json(self._path)] if self._is_on else None
        except TypeError:  # there is no file, or none of this version
            return None

    def write(self, found):
        """Keep them for later processes."""
        if self._is_on:
            cache.write_json(self._path, [dataclasses.asdict(option) for option in found])
