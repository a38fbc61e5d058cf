# SPDX-License-Identifier: Apache-2.0
"""Finds the executable ``remat``, which plans."""

import os
import pathlib
import shutil

_PACKAGE = pathlib.Path(__file__).resolve().parent


def find():
    """The path of ``remat``: $REMAT_BIN (a file or its folder), beside the package, or on the path.

    FileNotFoundError says where it was looked for.
    """
    places = []
    if os.environ.get("REMAT_BIN"):
        given = pathlib.Path(os.environ["REMAT_BIN"])
        places.append(given / "remat" if given.is_dir() else given)
    else:
        places.append(_PACKAGE / "bin" / "remat")
        if len(_PACKAGE.parents) > 3:
            places.append(_PACKAGE.parents[3] / "bin" / "remat")  # below share/remat-studio/python
        found = shutil.which("remat")
        places += [pathlib.Path(found)] if found else []
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return str(place)
    raise FileNotFoundError(
        f"The executable remat, which plans, is not at {' nor at '.join(map(str, places))}; set REMAT_BIN to where it "
        "is, or put its folder on PATH."
    )
