# SPDX-License-Identifier: Apache-2.0
"""Will it fit? What a training step needs in memory, for each device there is a file of; nothing is computed."""

import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile

from . import tracing
from .optimizer_memory import needs_of
from .sizes import size_text
from .train import planner
from .train.errors import PlanError

RESERVE = 0.05  # share of a device's memory: fragmentation, the driver's context, workspaces of libraries
_LARGEST = 2**20  # batches that are asked about


@dataclasses.dataclass(frozen=True)
class DeviceFit:
    """What one device says: ``fits``, ``fits with a plan``, ``cannot fit`` (proven) or ``no plan found``."""

    device: str
    title: str
    memory_bytes: int
    verdict: str
    reason: str = ""
    overhead: float | None = None  # time that the plan adds, as a share of the time without one
    budget_bytes: int = 0  # what is left for activations and gradients of the step

    def __str__(self):
        said = f"{self.verdict} at {100 * self.overhead:.1f} % overhead" if self.overhead else self.verdict
        return f"{self.title} ({size_text(self.memory_bytes)}): {said}{'. ' + self.reason if self.reason else ''}"


@dataclasses.dataclass(frozen=True)
class Fits:
    """The parts of what is needed, in bytes, and each device."""

    resident_bytes: int  # parameters, buffers, inputs
    parameters_bytes: int
    gradients_bytes: int  # gradients of all parameters, as the update reads them
    optimizer_bytes: int  # states
    update_bytes: int  # what the optimizer's step holds beside all that
    step_bytes: int  # activations and gradients at the peak of forward and backward when everything is kept
    workspace_bytes: int  # its part that kernels need for themselves at the peak; known where it was measured, else 0
    devices: tuple
    step_floor_bytes: int = 0  # no plan of whole ops needs less for the step
    chunks: dict | None = None  # what chunks make of that floor; None where they lower it nowhere

    @property
    def needed_bytes(self):
        """All in all, when everything is kept; without a reserve."""
        moving = max(self.step_bytes, self.gradients_bytes + self.update_bytes)
        return self.resident_bytes + self.optimizer_bytes + moving

    def __str__(self):
        parts = (
            ("parameters, buffers, inputs", self.resident_bytes),
            ("states of the optimizer", self.optimizer_bytes),
            ("activations and gradients, at the peak of the step", self.step_bytes),
            ("gradients and temporaries, in the update", self.gradients_bytes + self.update_bytes),
            ("in all", self.needed_bytes),
        )
        return "\n".join([*(f"{name}: {size_text(size)}" for name, size in parts), *map(str, self.devices)])


def fits(
    model,
    args,
    loss_fn=None,
    *,
    optimizer="adamw",
    devices=None,
    profile=None,
    memory_bytes=None,
    reserve=RESERVE,
    solver="auto",
    time_limit=5,
    chunk=None,
    codegen=None,
):
    """What training the model takes and where it fits; a model under ``torch.device("meta")`` needs no weights.

    ``args`` and ``loss_fn`` are those of ``remat_studio.trace``. ``optimizer`` is ``"adamw"``, ``"adam"``, ``"sgd"``,
    ``"momentum"``, an optimizer, a function from parameters to one, or None. ``devices`` are names of device files (all
    of them), ``memory_bytes`` caps what each has, ``reserve`` is the share of it that is left free. ``time_limit`` are
    seconds for the plan on each device that needs one. ``chunk="off"`` runs all ops whole; without it ops run in chunks
    where no plan fits otherwise, which training does with ``options={"chunk": "auto"}``. ``codegen="inductor"`` asks
    about plain ``torch.compile`` on this machine, and plans of ``remat_studio.install``; then there is no ``profile``,
    ``solver`` or ``chunk``.
    """
    needs = needs_of(model, optimizer)
    flags = ["--optimizer-bytes", needs.state_bytes, "--update-bytes", needs.update_bytes]
    flags += ["--gradients-bytes", needs.gradients_bytes, "--parameters-bytes", needs.parameters_bytes]
    flags += ["--reserve", 100 * reserve, "--solver", solver, "--time-limit", time_limit]
    flags += ["--devices", ",".join(devices)] if devices else []
    flags += ["--profile", os.fspath(profile)] if profile else []
    flags += ["--memory", f"{memory_bytes}B"] if memory_bytes else []
    flags += ["--chunk", chunk] if chunk else []
    if codegen not in (None, "inductor"):
        raise PlanError(f"The option codegen is {codegen!r}; it is 'inductor', or left out for eager's kernels.")
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        if codegen:
            if profile or chunk or solver != "auto":
                raise PlanError("With codegen, Inductor's own cuts are the plans; leave out profile, chunk, solver.")
            from . import kernel_fits  # loads the compiler

            kernels = kernel_fits.Kernels(model, args, loss_fn, time_limit)
            path = pathlib.Path(folder) / "step.json"
            path.write_text(json.dumps(kernel_fits.step_graph(kernels)))
            said = kernel_fits.with_plans(_ask(path, *map(str, flags)), kernels)
        else:
            options = {"weights": False, "target": "cuda", "compare": "never"}
            path = tracing.trace(model, args, loss_fn, os.path.join(folder, "model.pt2"), **options)
            said = _ask(path, *map(str, flags))
    judged = [
        DeviceFit(
            each["name"],
            each["title"],
            each["memory_bytes"],
            each["verdict"],
            each["reason"],
            each["overhead"],
            each["budget_bytes"],
        )
        for each in said.pop("devices")
    ]
    del said["needed_bytes"]
    return Fits(**said, devices=tuple(judged))


def largest_batch(model, args_of, loss_fn=None, *, device, plan=True, start=1, **options):
    """The largest batch whose training step fits on one device, and what ``fits`` says of it; (0, what it says of the
    smallest) where none does.

    ``args_of(batch)`` makes the arguments for so many samples. ``plan=False`` asks for batches that fit as they are.
    ``options`` are those of ``fits``. The batch is found by doubling or halving ``start``, and then what lies between,
    to within two percent.
    """
    wanted = ("fits", "fits with a plan") if plan else ("fits",)

    def ask(batch):
        said = fits(model, args_of(batch), loss_fn, devices=[device], **options)
        return said, said.devices[0].verdict in wanted

    best, high = None, start
    said, is_enough = ask(high)
    while is_enough and high < _LARGEST:
        best, high = (high, said), 2 * high
        said, is_enough = ask(high)
    while best is None and not is_enough and high > 1:
        said, is_enough = ask(high // 2)
        if is_enough:
            best = high // 2, said
        else:
            high //= 2
    if best is None:
        return 0, said
    while high - best[0] > max(1, best[0] // 50):
        middle = (best[0] + high) // 2
        said, is_enough = ask(middle)
        if is_enough:
            best = middle, said
        else:
            high = middle
    return best


def _ask(path, *flags):
    """What ``remat fits`` says as JSON."""
    done = subprocess.run([planner.executable(), "fits", path, *flags, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise PlanError(f"remat fits ended with {done.returncode}: {(done.stderr or done.stdout).strip()}")
    return json.loads(done.stdout)
