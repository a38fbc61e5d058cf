# SPDX-License-Identifier: Apache-2.0
"""Holds a plan to what its first step takes at the allocator: ``options={"hold": "measured"}``."""

from . import certificate
from .telling import tell


def on_first_call(run, planned, part, step):
    """The forward function; its first call measures the planned step, which ``step`` may have planned once more."""
    waiting = [planned]

    def call(given):
        if waiting:
            _hold(waiting.pop(), given, part, step)
        return run(given)

    call._boxed_call = True
    return call


def leave_room(graph, workspaces):
    """Give the ops of a StepGraph the workspaces that their kernels took in a step, where these are larger."""
    for op in graph.ops:
        made = sum(storage.bytes for storage in op.makes)
        name = getattr(op.node.target, "name", str)  # what writes out zeros is a plain function
        taken = workspaces.get((name().split(".")[0], made), 0)
        op.workspace_bytes = max(op.workspace_bytes, taken)


def _hold(planned, given, part, step):
    """Write the measured peak into the record, and ask for another plan where that is over the budget."""
    record = part.record
    measured = certificate.measure(planned, given)
    held, allowed = measured["peak_bytes"], record["budget_bytes"] + record["outside_bytes"]
    record["hold"] = {"measured_bytes": held, "allowed_bytes": allowed, "planned_again": part.is_held}
    if held <= allowed:
        return
    if part.is_held:
        tell(
            f"The step holds {held} bytes at the allocator, {held - allowed} more than its budget, although it was "
            "planned again for what its kernels take; give a smaller budget.",
            step,
        )
    elif "workspaces" in measured:
        step.hold(part, measured["workspaces"])
