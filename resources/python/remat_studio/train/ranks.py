# SPDX-License-Identifier: Apache-2.0
"""One plan for all ranks of a distributed run: rank 0 plans, and the others take its plan."""

import collections
import datetime
import hashlib
import json

from torch import distributed

from .. import torch_private
from ..warned import warn
from .errors import PlanError

_PATIENCE = 60.0  # seconds beyond the time limit that a rank waits for rank 0
_asked = collections.Counter()  # how often answers that change were asked for


def is_first():
    """True on rank 0, and where there are no ranks."""
    return not (distributed.is_available() and distributed.is_initialized()) or distributed.get_rank() == 0


def are_several():
    """Whether more than one rank trains."""
    return distributed.is_available() and distributed.is_initialized() and distributed.get_world_size() > 1


def shared(parts, time_limit, make):
    """What ``make`` returns on rank 0, a plan and whether it came from the disk, or its PlanError; on every rank.

    ``parts`` is what decides about the plan. It goes through the store of the process group and not by a collective,
    so that a rank whose graph rank 0 never has plans for itself in the end, and does not hang.
    """
    if not are_several():
        return make()
    key = hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
    store = distributed.PrefixStore("remat", torch_private.default_store())
    if distributed.get_rank() == 0:
        return _planned(store, key, make)
    try:
        store.wait([key], datetime.timedelta(seconds=time_limit + _PATIENCE))
    except distributed.DistStoreError:
        warn(
            f"Rank 0 has no plan for this graph after {time_limit + _PATIENCE:.0f} s, so rank "
            f"{distributed.get_rank()} plans for itself; give all ranks batches of the same shape."
        )
        return make()
    answer = json.loads(store.get(key))
    if "error" in answer:
        raise PlanError(answer["error"])
    return answer["plan"], False


def shared_now(parts, time_limit, make):
    """As ``shared``, for what the same ``parts`` may give another answer to each time; without its PlanError."""
    key = json.dumps(parts, sort_keys=True)
    _asked[key] += 1
    return shared([*parts, _asked[key]], time_limit, lambda: (make(), False))[0]


def _planned(store, key, make):
    try:
        plan, cached = make()
    except PlanError as error:
        store.set(key, json.dumps({"error": str(error)}))
        raise
    store.set(key, json.dumps({"plan": plan}))
    return plan, cached
