# SPDX-License-Identifier: Apache-2.0
"""The versions of PyTorch that this package works with; parts of what it calls are private there."""

import importlib.metadata

OLDEST = (2, 11)
BEFORE = (2, 12)  # the first version that was not tried


def check_torch():
    """Raise ImportError with a sentence where PyTorch is missing or outside of the range."""
    sentence = outside()
    if sentence:
        raise ImportError(sentence, name="torch")


def outside():
    """A sentence where the PyTorch that is installed is outside of the range, else None; ImportError without any."""
    wanted = f"{_text(OLDEST)} or newer, below {_text(BEFORE)}"
    try:
        version = importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        raise ImportError(f"remat_studio needs PyTorch {wanted}; none is installed here.", name="torch") from None
    numbers = tuple(int(part) for part in version.split("+")[0].split(".")[:2])
    if OLDEST <= numbers < BEFORE:
        return None
    return f"remat_studio works with PyTorch {wanted}, and this is {version}; install one of those."


def _text(version):
    return ".".join(str(number) for number in version)
