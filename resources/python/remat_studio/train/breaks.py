# SPDX-License-Identifier: Apache-2.0
"""Says once where Dynamo breaks a step, why, and the way out: what runs there is in no plan."""

import re

from .. import torch_private
from .telling import tell

_TOLD = 2  # reasons that are said of one step; others are of the same kinds mostly
_WAYS_OUT = {  # by what Dynamo says
    r"copy\.deepcopy\(UserDefinedObjectVariable\(\w*Config\)\)": (
        " Models of transformers copy their configuration for a cache of keys and values, which training has no use "
        "for: give the model use_cache=False."
    ),
    r"\bReducer\b|_inside_ddp_forward|set_runtime_stats_and_log": (
        " Compile the model first, and give DistributedDataParallel what is compiled."
    ),
    r"requires_grad_\(\) call|setattr\(\) on Tensor\.requires_grad": (
        " Give the script remat_studio.planned(model, example): that traces the model without Dynamo."
    ),
}
_OF_UPDATE = re.compile(r"\btorch\W+optim\W")  # a compiled optimizer breaks its own step, which is no part of ours
_shown = set()  # ways out that were told
_known = set(torch_private.graph_breaks())  # those before there was a step of ours, and those that were told


def say_for(asker):
    """Say what is new since the last call."""
    new = {reason: place for reason, place in torch_private.graph_breaks().items() if reason not in _known}
    _known.update(new)
    told = 0
    for reason, place in new.items():
        way_out = next((way for pattern, way in _WAYS_OUT.items() if re.search(pattern, reason)), "")
        if told == _TOLD or way_out in _shown or _is_of_update(reason, place):
            continue
        told += 1
        _shown.update([way_out] if way_out else [])
        where = f" at {place}" if place else ""
        tell(f"Dynamo breaks the step{where}, and what runs there is in no plan: {reason}{way_out}", asker)


def _is_of_update(reason, place):
    """Whether a break is one of the optimizer's, which Dynamo may give no line for."""
    return bool(_OF_UPDATE.search(place)) if place else torch_private.BREAK_BY_HAND in reason
