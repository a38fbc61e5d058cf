# SPDX-License-Identifier: Apache-2.0
"""A budget as people write it: bytes, or a share of what the step holds without a plan.

It reads what ``core/base/budget.cpp`` reads; tests/data/budgets has the cases that both are held to.
"""

import dataclasses
import math
import re

from ..sizes import size_text
from .beside import Beside
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
    beside: Beside = Beside()  # what the step holds beside its graph, and the budget is for as well

    def of(self, peak_bytes):
        """The budget in bytes where the step holds ``peak_bytes`` without a plan."""
        if self.share is not None:
            return max(math.floor(self.share * peak_bytes + 1e-6), 1)
        if self.under is None:
            return self.bytes
        if self.under >= peak_bytes:
            _refuse(self.text, f"leaves nothing: the keep-all peak is {size_text(peak_bytes)}.")
        return peak_bytes - self.under


def read(given):
    """A Budget from ``"8GiB"``, ``"60%"``, ``0.6`` or ``8 * 2**30``; PlanError where it is none, or may mean two."""
    if not isinstance(given, str | int | float) or isinstance(given, bool):
        _refuse(given, "is neither a number nor a text.")
    text = str(given).strip()
    is_under = text.startswith("-")
    written = text.removeprefix("-").strip()
    number, is_computed, is_fraction, rest = _amount(given, written)
    unit = rest.lower()
    if unit == "%":
        if is_under or is_computed:
            _refuse(given, _NO_SHARE)
        return Budget(str(given), share=_more_than_nothing(given, number, False) / 100)
    digits = written.removesuffix(rest).strip()
    if unit and unit in "kmgt":
        one, other = f"{digits}{unit.upper()}B (powers of 1000)", f"{digits}{unit.upper()}iB (powers of 1024)"
        _refuse_two_meanings(given, one, other)
    if unit not in _UNITS:
        _refuse(given, "has a unit that is not known.")
    if unit == "" and not is_computed and number > 0:
        if is_fraction and number <= 1:
            if is_under:
                _refuse(given, _NO_SHARE)
            return Budget(str(given), share=number)
        if number <= 100:
            _refuse_two_meanings(given, f"{digits}GiB", f"{digits}% of the keep-all peak")
    amount = _more_than_nothing(given, number * _UNITS[unit], is_under)
    amount = amount if isinstance(amount, int) else math.floor(amount + 1e-6)
    return Budget(str(given), under=amount) if is_under else Budget(str(given), bytes=amount)


def _more_than_nothing(given, amount, is_under):
    if amount >= _MOST:
        _refuse(given, "is too large.")
    if amount <= 0:
        _refuse(given, "is nothing under the keep-all peak." if is_under else "must be more than nothing.")
    return amount


def _amount(given, written):
    """The number that a text begins with, whether it is computed and whether it has a point, and the unit behind it."""
    factor = _factor(written)
    if factor is None:
        _refuse(given, _NO_NUMBER if written[:1].isdigit() else "does not start with a number.")
    number, is_computed, is_fraction, rest = factor
    while rest.startswith("*"):
        factor = _factor(rest[1:].lstrip())
        if factor is None:
            _refuse(given, "is a product with a factor that is not a number.")
        number, is_computed, rest = number * factor[0], True, factor[3]
    return number, is_computed, is_fraction, rest


def _factor(rest):
    """A number, whether it is computed and whether it has a point, and what follows it; None where there is none."""
    found = _number(rest)
    if found is None or found[2][:2] not in ("**", "<<"):
        return found and (found[0], False, *found[1:])
    number, _, rest = found
    exponent = _number(rest[2:].lstrip())
    if exponent is None or not isinstance(exponent[0], int) or exponent[0] > _MOST_EXPONENT:
        return None
    return (number ** exponent[0] if rest[:2] == "**" else number * 2 ** exponent[0]), True, False, exponent[2]


def _number(rest):
    match = _NUMBER.match(rest)
    if not match or _GROUPED.fullmatch(match[1]) or rest[match.end(1) : match.end(1) + 1] in (".", ",", "_"):
        return None
    digits, exponent = match[1].replace("_", ""), match[2] or ""
    is_whole = digits.isdigit() and not exponent
    number = int(digits) if is_whole else float(digits.replace(",", ".") + exponent)
    if math.isinf(number):
        return None
    return number, not digits.isdigit() and not exponent, rest[match.end() :]


_NO_NUMBER = "is not a number with a unit, or one that may be read in two ways."
_NO_SHARE = "is not a share of the keep-all peak."


def _refuse(given, why):
    raise PlanError(
        f'The budget "{given}" {why} Write it like 4GiB, 1.5 GB, 123456 (bytes), 60% (of the keep-all peak) or -500MiB '
        "(under it)."
    )


def _refuse_two_meanings(given, one, other):
    raise PlanError(f'The budget "{given}" could mean {one} or {other}: write the one that you mean.')
