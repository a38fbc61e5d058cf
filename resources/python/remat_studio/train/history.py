# SPDX-License-Identifier: Apache-2.0
"""What was planned in this process, one record for each graph."""

import threading

from . import measuring

_lock = threading.Lock()
_records = []


def add(record):
    """Keep the record of a graph."""
    with _lock:
        _records.append(record)


def latest():
    """The record that was added last, while a measurement goes on; None before the first one."""
    with _lock:
        return _records[-1] if _records else None


def records():
    """One dict for each planned graph, in the order of planning: budget, predicted peak and time, and where from."""
    measuring.finish()
    with _lock:
        return list(_records)
