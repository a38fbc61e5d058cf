# SPDX-License-Identifier: Apache-2.0
"""Sizes as sentences say them."""


def size_text(size):
    """Bytes in the largest unit that leaves a whole number before the point: ``"1.50 MiB"``."""
    for power, unit in ((3, "GiB"), (2, "MiB"), (1, "KiB")):
        if abs(size) >= 1024**power:
            return f"{size / 1024**power:.2f} {unit}"
    return f"{size} B"


def exact_text(size):
    """Bytes to the last one, and what they are about: ``"1572864 bytes (1.50 MiB)"``."""
    return f"{size} bytes ({size_text(size)})"
