# SPDX-License-Identifier: Apache-2.0
"""``remat_studio.trace``: a function to call from Python and a command to run from a shell.

The module itself is callable, so that ``remat_studio.trace(model, args)`` works whether or not it was imported as a
module before.
"""

import argparse
import logging
import os
import re
import sys
import types
import warnings

from .attention import KERNELS, TARGETS
from .comparison.traced import WAYS
from .errors import TraceError
from .torch_private import LOGGERS
from .tracing import trace, trace_and_compare

EXIT_DIFFERENT = 1  # from what plain PyTorch computes
EXIT_BAD_INPUT = 2


def main(arguments=None):
    """The command line; returns the exit code."""
    options = _parser().parse_args(arguments)
    debug = bool(os.environ.get("REMAT_STUDIO_DEBUG"))
    if not debug:
        _quiet()
    try:
        return _run(options)
    except TraceError as error:
        if debug:
            raise
        print(f"remat_studio.trace: {error}", file=sys.stderr)
        return EXIT_BAD_INPUT
    except OSError as error:
        if debug:
            raise
        print(f"remat_studio.trace: {options.output} cannot be written: {error.strerror}.", file=sys.stderr)
        return EXIT_BAD_INPUT


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m remat_studio.trace",
        description="Trace forward, loss and backward of a PyTorch model into an archive for Remat Studio.",
        epilog="The factory returns (model, args) or (model, args, loss_fn); args is a tuple or a dict by name.",
    )
    parser.add_argument(
        "factory", metavar="MODULE_OR_FILE:FACTORY", help="e.g. my_model.py:make or package.module:make"
    )
    parser.add_argument("-o", "--output", metavar="FILE.pt2", default="model.pt2", help="default: model.pt2")
    parser.add_argument("--no-weights", action="store_true", help="leave the parameters' values out of the archive")
    parser.add_argument(
        "--for",
        dest="target",
        choices=TARGETS,
        default="cuda",
        help="the kind of device to plan for, whose attention kernels are traced; needs no GPU (default: cuda)",
    )
    parser.add_argument("--attention", choices=KERNELS, help="this kernel, in place of CUDA's own choice")
    parser.add_argument(
        "--keep-outputs",
        action="store_true",
        help="hold the model's outputs during the backward pass, as `out = model(**batch); out.loss.backward()` does",
    )
    parser.add_argument(
        "--compare",
        choices=WAYS,
        default="auto",
        help="run one step plainly and one of the graph, and say where they part: exit code 1 (default: auto, where "
        "both take seconds)",
    )
    parser.add_argument(
        "--device", type=_device, metavar="{cpu,cuda}", help="move model and arguments there first; cuda:1: a second GPU"
    )
    return parser


def _device(text):
    if text == "cpu" or re.fullmatch(r"cuda(:\d{1,3})?", text):
        return text
    raise argparse.ArgumentTypeError(f"{text!r} is no device; use cpu, cuda, or cuda:1 for the second of several GPUs")


def _run(options):
    from .loading import call_factory, load_factory
    from .placing import to_device

    model, args, loss_fn = call_factory(load_factory(options.factory), options.factory)
    if options.device:
        model, args = to_device(model, args, options.device)
    compared = trace_and_compare(
        model,
        args,
        loss_fn,
        options.output,
        weights=not options.no_weights,
        name=None,
        source_root=None,
        target=options.target,
        attention_kernel=options.attention,
        keep_outputs=options.keep_outputs,
        compare=options.compare,
    )
    print(options.output)
    if compared["verdict"] != "different":
        return 0
    sentence = f"The graph is not what PyTorch computes. {compared['why']}"
    print(f"remat_studio.trace: {_in_red(sentence)}", file=sys.stderr)
    return EXIT_DIFFERENT


def _in_red(text):
    return f"\033[31m{text}\033[0m" if sys.stderr.isatty() and "NO_COLOR" not in os.environ else text


def _quiet():
    """Silence what PyTorch says to its own developers; what matters to the user is in our sentences."""
    warnings.filterwarnings("ignore", module=r"torch\b.*")
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL)


class _CallableModule(types.ModuleType):
    def __call__(self, *args, **kwargs):
        return trace(*args, **kwargs)


if __name__ == "__main__":
    sys.exit(main())

sys.modules[__name__].__class__ = _CallableModule
