# SPDX-License-Identifier: Apache-2.0
"""A graph that cannot be planned for Inductor's kernels: it runs as Inductor compiles it without a plan."""

from .. import torch_private
from ..errors import one_line
from .errors import PlanError
from .telling import tell


def compiled(error, module, example_inputs, patches, asker, strict):
    """Inductor's function without a plan, after this error. What PyTorch cannot compile either raises its own error.

    The caller's error goes on where it is the user's to mend, or ``strict``.
    """
    if strict or isinstance(error, PlanError | torch_private.RestartAnalysis):
        raise error
    patches = {**(patches or {}), "custom_partitioner_fn": None}
    # With a function to compile with, a compile_fx that plans is passed by.
    run = torch_private.compile_fx(module, example_inputs, torch_private.compile_fx_inner, config_patches=patches)
    tell(f"A graph of the step cannot be planned ({one_line(error)}): it runs as Inductor compiles it.", asker)
    return run
