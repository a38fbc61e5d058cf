# SPDX-License-Identifier: Apache-2.0
"""Which session a graph belongs to that Dynamo compiles."""

import threading


class _Flight(threading.local):
    session = None


_flight = _Flight()
_sessions = {}
_replanned = {}  # code -> the session that has it compiled again
_lock = threading.Lock()


def flies(session):
    """The forward of a part ran on this thread, of a step of this session."""
    _flight.session = session


def replans(code, session):
    """A function is compiled once more, by this session."""
    _replanned[code] = session


def of(given, compiled, make):
    """The session of a call of torch.compile with these options, or of a step that is under way without any.

    ``make(given)`` gives a new one.
    """
    with _lock:
        again = _replanned.get(compiled.code)
        if again is not None and again.is_of(given):  # other models may be of the same class
            return _replanned.pop(compiled.code)
        flying = _flight.session
        is_part = flying is not None and flying.given == given and flying.is_in_flight
        if given is not None:
            known = _sessions.get(id(given))
            if known is None or not known.is_of(given):
                is_part = is_part and _sessions.get(id(flying.given)) is flying  # and no planned module's
                known = _sessions[id(given)] = flying.joined_by(given) if is_part else make(given)
            return known
        if is_part:
            _sessions[compiled.code] = flying
            return flying
        known = _sessions.get(compiled.code)
        if known is None or compiled.is_first:
            known = _sessions[compiled.code] = make(None)
        return known
