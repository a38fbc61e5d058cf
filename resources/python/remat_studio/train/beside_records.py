# SPDX-License-Identifier: Apache-2.0
"""What the record of a graph says of the step around it: what lies beside the graph, and what is held with that."""

import dataclasses

from .beside import Beside
from .inductor_peak import Peak
from .session import TOLERANCE


def is_of(record, held_bytes, lies, or_less):
    """Whether a record is of a graph whose forward held so much, planned with this Beside, or ``or_less`` predicted."""
    if "exact" not in record or planned_with(record) != lies:
        return False
    more = held_bytes - forward_bytes(record)
    return (0 if or_less and more > 0 else abs(more)) <= (TOLERANCE - 1) * forward_bytes(record)


def planned_with(record):
    """The Beside that it was planned with, also after a step has shown another one."""
    return Beside.of_json(record.setdefault("planned_beside", record["beside"]))


def peaks_of(record):
    """The Peak of the cut that was taken, and of the one without a plan."""
    return [Peak(**record["exact"][which]) for which in ("cut", "plain")]


def write(found, record, budget):
    """Have a record say what lies beside its graph, as it is known now, and what the step holds with that."""
    planned_with(record)
    cut, plain = peaks_of(record)
    before = found.peak_with(plain)
    record["predicted"] |= {"peak_bytes": found.peak_with(cut), "keep_all_peak_bytes": before}
    record |= {"beside": dataclasses.asdict(found), "beside_bytes": found.at_peak(cut)}
    record |= {"budget_bytes": budget.of(before), "before_bytes": before}


def forward_bytes(record):
    """What the forward of the cut holds, without what lies beside it."""
    return record["exact"]["cut"]["forward_bytes"]
