# SPDX-License-Identifier: Apache-2.0
"""``python -m remat_studio``: commands of this package, and all others of ``remat``."""

import importlib.util
import os
import sys


def main(arguments=None):
    """Run a command, of this process unless one is given; returns its exit code."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["trace"]:
        from .trace import main as trace

        return trace(arguments[1:])
    if arguments[:1] == ["sweep"] and any(argument.split("=")[0] == "--dask" for argument in arguments):
        from .sweeps.command import main as sweep

        return sweep(arguments[1:])
    if arguments[:1] == ["doctor"] and any(argument.split("=")[0] == "--against" for argument in arguments):
        from .peers import main as peers

        return peers(arguments[1:])
    if arguments[:1] == ["fits"] and any(argument.split("=")[0] == "--codegen" for argument in arguments):
        from .kernel_fits import main as fits

        return fits(arguments[1:])
    from .executable import find

    try:
        program = find()
    except FileNotFoundError as error:
        print(f"remat_studio: {error}", file=sys.stderr)
        return 2
    # Plans run with the PyTorch that this package trains with.
    os.environ.setdefault("REMAT_TORCH_DIR", os.path.dirname(importlib.util.find_spec("torch").origin))
    return os.execv(program, [program, *arguments])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
