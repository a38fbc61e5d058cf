# SPDX-License-Identifier: Apache-2.0
"""What cannot be planned or run, said in one sentence."""

import sys

from ..torch_private import ShortenTraceback


class PlanError(ShortenTraceback):
    """A sentence for the user: where, what, and what to do. Dynamo passes it on as it is, without its own frames."""

    def __init__(self, sentence):
        super().__init__(sentence, first_useful_frame=sys._getframe(1))


class PartError(PlanError):
    """Strict options refuse a graph that may be a part of a step, in which the others leave more to it."""
