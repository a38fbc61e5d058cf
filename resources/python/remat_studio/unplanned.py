# SPDX-License-Identifier: Apache-2.0
"""Training without plans, in place of ``train`` where PyTorch is outside of the range of versions: scripts run on."""


def install(budget, **_options):
    """Leaves ``torch.compile`` as it is, and returns None."""


def compile_blocks(blocks, budget, **_options):
    """Compiles each block by itself, as PyTorch does."""
    for block in blocks:
        block.compile()


def planned(model, *_args, **_options):
    """The model itself."""
    return model


def records():
    """Nothing was planned."""
    return []


def remat(module, _example_inputs, **_options):
    """The backend: the graph runs as it is."""
    return module.forward
