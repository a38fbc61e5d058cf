# SPDX-License-Identifier: Apache-2.0
"""Several planners over many budgets and models, as one table; on this machine, or on many with Dask."""

from .planning import SweepError, sweep

__all__ = ["SweepError", "sweep"]
