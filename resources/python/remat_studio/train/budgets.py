# SPDX-License-Identifier: Apache-2.0
"""A budget as people write it: bytes, or a share of what the step holds without a plan.

It reads what ``core/base/budget.cpp`` reads; tests/data/budgets has the cases that both are held to.
"""

import dataclasses
import math
import re

from .errors import PlanError

_NUMBER = re.compile(r"(\d+(?:_\d+)*(?:[.,]\d*)?)([eE][+-]?\d+)?\s*", re.ASCII)
_GROUPED = re.compile(r"0*[1-9]\d{0,2},\d{3}", re.ASCII)  # 1,500 may be a thousand and a half, or one and a half
_UNITS = {"": 1, "b": 1, "bytes": 1} | {f"{p}b": 1000 ** (i + 1) for i, p in enumerate("kmgt")}
_UNITS |= {f"{p}ib": 1024 ** (i + 1) for i, p in enumerate("kmgt")}
_MOST = 1 << 63
_MOST_EXPONENT = 1000


@dataclasses.dataclass(frozen=True)
class Budget:
    """Bytes of dynamic memory, or a share of the peak without a plan; ``text`` is what was given."""

    text: str
    bytes: int | None = None
    share: float | None = None
    under: int | None = None  # bytes below that peak
    beside: int = 0  # bytes that the step holds all along beside what is planned, and that the budget is for as well

    def of(self, peak_bytes):
        """The budget in bytes where what is planned holds ``peak_bytes`` without a plan."""
        if self.share is not None:
            return max(math.floor(self.share * (peak_bytes + self.beside) + 1e-6) - self.beside, 1)
        if self.under is None:
            return max(self.bytes - self.beside, 1)
        if self.under >= peak_bytes:
            raise PlanError(f"The budget {self.text!r} leaves nothing: the step holds {peak_bytes} bytes.")
        return peak_bytes - self.under


def read(given):
    """A Budget from ``"8GiB"``, ``"60%"``, ``0.6`` or ``8 * 2**30``; PlanError where it is none, or may mean two."""
    if not isinstance(given, str | int | float) or isinstance(given, bool):
        _refuse(given)
    text = str(given).strip()
    is_under = text.startswith("-")
    number, is_computed, is_fraction, unit = _amount(given, text.removeprefix("-").strip())
    if unit == "%":
        if is_under or is_computed or not 0 < number < _MOST:
            _refuse(given)
        return Budget(str(given), share=number / 100)
    if unit in list("kmgt"):
        _refuse_two_meanings(given, f"'{number:g}{unit.upper()}B'", f"'{number:g}{unit.upper()}iB'")
    if unit == "" and not is_computed and is_fraction and 0 < number <= 1 and not is_under:
        return Budget(str(given), share=number)
    if unit == "" and not is_computed and number <= 100:
        if number > 0:
            _refuse_two_meanings(given, f"'{number:g}GiB'", f"'{number:g}%'")
        _refuse(given)
    if unit not in _UNITS or not 0 < number * _UNITS[unit] < _MOST:
        _refuse(given)
    amount = number * _UNITS[unit]
    amount = amount if isinstance(amount, int) else math.floor(amount + 1e-6)
    return Budget(str(given), under=amount) if is_under else Budget(str(given), bytes=amount)


def _amount(given, rest):
    """The number that a text begins with, whether it is computed and whether it has a point, and the unit behind it."""
    number, is_computed, is_fraction, rest = _factor(given, rest)
    while rest.startswith("*"):
        factor, _, _, rest = _factor(given, rest[1:].lstrip())
        number, is_computed = number * factor, True
    return number, is_computed, is_fraction, rest.lower()


def _factor(given, rest):
    number, is_fraction, rest = _number(given, rest)
    sign = rest[:2]
    if sign not in ("**", "<<"):
        return number, False, is_fraction, rest
    exponent, _, rest = _number(given, rest[2:].lstrip())
    if not isinstance(exponent, int) or exponent > _MOST_EXPONENT:
        _refuse(given)
    return (number**exponent if sign == "**" else number * 2**exponent), True, False, rest


def _number(given, rest):
    match = _NUMBER.match(rest)
    if not match or _GROUPED.fullmatch(match[1]):
        _refuse(given)
    digits, exponent = match[1].replace("_", ""), match[2] or ""
    is_whole = digits.isdigit() and not exponent
    number = int(digits) if is_whole else float(digits.replace(",", ".") + exponent)
    return number, not digits.isdigit() and not exponent, rest[match.end() :]


def _refuse(given):
    raise PlanError(f"The budget {given!r} is neither bytes, as in '8GiB', nor a share, as in '60%'.")


def _refuse_two_meanings(given, one, other):
    raise PlanError(f"The budget {given!r} may mean {one} or {other}; write the one that is meant.")
