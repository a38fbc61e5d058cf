# SPDX-License-Identifier: Apache-2.0
"""The digest of ``core/base/digest.h``, which ``remat check`` computes again; no protection against forgers."""

_BITS = (1 << 64) - 1


class Digest:
    """Two mixes of 64 bits of all words and texts that were added, in their order."""

    def __init__(self):
        self._a = 0x243F6A8885A308D3
        self._b = 0x13198A2E03707344

    def add_word(self, word):
        """Add a whole number of 64 bits."""
        self._a = _mix(self._a ^ word)
        self._b = _mix((self._b + word * 0x9E3779B97F4A7C15) & _BITS)

    def add_text(self, text):
        """Add the length and the bytes of a text."""
        data = text.encode()
        for word in (len(data), *data):
            self.add_word(word)

    def hex(self):
        """32 hex digits."""
        return f"{self._a:016x}{self._b:016x}"


_KINDS = ("compute", "free", "offload", "prefetch")  # as in core/plan/plan.h


def of_steps(steps):
    """The digest of a plan's steps by the names in its file."""
    digest = Digest()
    for step in steps:
        digest.add_word(_KINDS.index(step["do"]))
        digest.add_text(step["op"] if step["do"] == "compute" else step["storage"])
    return digest.hex()


def of_text(text):
    """The digest of one text."""
    digest = Digest()
    digest.add_text(text)
    return digest.hex()


def _mix(x):
    x = (x + 0x9E3779B97F4A7C15) & _BITS
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & _BITS
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & _BITS
    return x ^ (x >> 31)
