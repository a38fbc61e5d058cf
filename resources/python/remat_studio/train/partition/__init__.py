# SPDX-License-Identifier: Apache-2.0
"""Cuts a plan into the forward and the backward graph that AOTAutograd runs."""

from .partition import Partition

__all__ = ["Partition"]
