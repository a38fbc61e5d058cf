"""A budget as people write it: bytes, or a share of what the step holds without a plan."""

import dataclasses
import re

from .errors import PlanError

_TEXT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*(%|[KMGT]i?B|B|)\s*", re.IGNORECASE)
_UNITS = {"": 1, "b": 1} | {f"{p}b": 1000 ** (i + 1) for i, p in enumerate("kmgt")}
_UNITS |= {f"{p}ib": 1024 ** (i + 1) for i, p in enumerate("kmgt")}
_LEAST = 1 << 20  # below that a number without a unit may be a share as well as bytes


@dataclasses.dataclass(frozen=True)
class Budget:
    """Bytes of dynamic memory, or a share of the peak without a plan; ``text`` is what was given."""

    text: str
    bytes: int | None = None
    share: float | None = None

    def of(self, peak_bytes):
        """The budget in bytes where the step holds ``peak_bytes`` without a plan."""
        return self.bytes if self.share is None else int(self.share * peak_bytes)


def read(given):
    """A Budget from ``"8GiB"``, ``"60%"``, ``0.6`` or ``8 * 2**30``; PlanError where it is none, or may mean two."""
    match = _TEXT.fullmatch(str(given)) if isinstance(given, str | int | float) and given is not True else None
    if match is None or float(match[1]) == 0:
        raise PlanError(f"The budget {given!r} is neither bytes, as in '8GiB', nor a share, as in '60%'.")
    number, unit, text = float(match[1]), match[2].lower(), str(given)
    if unit == "%":
        return Budget(text, share=number / 100)
    if unit == "" and number < 1:
        return Budget(text, share=number)
    if unit == "" and number < _LEAST:
        share = f"'{number:g}%'" if number > 1 else "'100%'"
        raise PlanError(f"The budget {given!r} may mean {share} or '{number:g}B'; write the one that is meant.")
    return Budget(text, bytes=int(number * _UNITS[unit]))
