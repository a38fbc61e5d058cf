"""Holds a traced graph against one step of the model as its user wrote it, run by plain PyTorch."""

from .compare import SEED, WAYS, compare, reason_not_to
from .record import not_compared
from .steps import PlainStep

__all__ = ["SEED", "WAYS", "PlainStep", "compare", "not_compared", "reason_not_to"]
