# SPDX-License-Identifier: Apache-2.0
"""Trains with a plan: the ``torch.compile`` backend ``remat``.

``torch.compile(step, backend="remat", options={"budget": "8GiB"})`` plans the training step under a budget of dynamic
memory and runs it in the planned order with eager's kernels. ``records()`` says what was planned.
"""

from ..supported import check_torch

check_torch()

from .applied import Plan, plan, read_plan
from .blocks import compile_blocks
from .certificate import certify
from .errors import PlanError
from .history import records
from .installed import install
from .planned_module import planned

__all__ = ["Plan", "PlanError", "certify", "compile_blocks", "install", "plan", "planned", "read_plan", "records"]
