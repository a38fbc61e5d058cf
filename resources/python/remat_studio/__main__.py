"""``python -m remat_studio``: ``trace`` and ``sweep`` of this package, and every other command of ``remat``."""

import os
import sys


def main(arguments):
    """Run a command; returns its exit code."""
    if arguments[:1] == ["trace"]:
        from .trace import main as trace

        return trace(arguments[1:])
    if arguments[:1] == ["sweep"] and any(argument.split("=")[0] == "--dask" for argument in arguments):
        from .sweeps.command import main as sweep

        return sweep(arguments[1:])
    from .executable import find

    try:
        program = find()
    except FileNotFoundError as error:
        print(f"remat_studio: {error}", file=sys.stderr)
        return 2
    return os.execv(program, [program, *arguments])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
