"""Will it fit? What a training step needs in memory, for each device there is a file of; nothing is computed."""

import dataclasses
import json
import os
import subprocess
import tempfile

from . import tracing
from .optimizer_memory import needs_of
from .train import costs, planner
from .train.errors import PlanError

RESERVE = 0.05  # of a device's memory: fragmentation, the driver's context, workspaces of libraries
_GIB = 2**30
_ALL_PLANS = (
    "every-plan",
    "no-offloads",
)  # bounds for these are proofs: training with a plan copies nothing to the host


@dataclasses.dataclass(frozen=True)
class DeviceFit:
    """What one device says: ``fits``, ``fits with a plan``, ``cannot fit`` (proven) or ``no plan found``."""

    device: str
    title: str
    memory_bytes: int
    verdict: str
    reason: str = ""
    overhead: float | None = None  # of the plan, as a share of the time without one
    budget_bytes: int = 0  # what is left for activations and gradients of the step

    def __str__(self):
        said = f"{self.verdict} at {100 * self.overhead:.1f} % overhead" if self.overhead else self.verdict
        return f"{self.title} ({self.memory_bytes / _GIB:.1f} GiB): {said}{'. ' + self.reason if self.reason else ''}"


@dataclasses.dataclass(frozen=True)
class Fits:
    """The parts of what is needed, in bytes, and each device."""

    resident_bytes: int  # parameters, buffers, inputs
    parameters_bytes: int
    gradients_bytes: int  # of all parameters, as the update reads them
    optimizer_bytes: int  # states
    update_bytes: int  # what the optimizer's step holds beside all that
    step_bytes: int  # activations and gradients at the peak of forward and backward when everything is kept
    workspace_bytes: int  # of that, what kernels need for themselves at the peak; known where it was measured, else 0
    devices: tuple

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
        return "\n".join([*(f"{name}: {size / _GIB:.2f} GiB" for name, size in parts), *map(str, self.devices)])


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
):
    """What training the model takes and where it fits; a model under ``torch.device("meta")`` needs no weights.

    ``args`` and ``loss_fn`` are those of ``remat_studio.trace``. ``optimizer`` is ``"adamw"``, ``"adam"``, ``"sgd"``,
    ``"momentum"``, an optimizer, a function from parameters to one, or None. ``devices`` are names of device files (all
    of them), ``memory_bytes`` caps what each has, ``reserve`` is the share of it that is left free. ``time_limit`` are
    seconds for the plan on each device that needs one.
    """
    needs = needs_of(model, optimizer)
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        path = tracing.trace(model, args, loss_fn, os.path.join(folder, "model.pt2"), weights=False)
        measured = ["--profile", os.fspath(profile)] if profile else []
        info = _ask("info", path, *measured)
        bare = _ask("info", path)["keep_all"]["peak_bytes"] if profile else info["keep_all"]["peak_bytes"]
        made = Fits(
            resident_bytes=info["resident_bytes"],
            parameters_bytes=needs.parameters_bytes,
            gradients_bytes=needs.gradients_bytes,
            optimizer_bytes=needs.state_bytes,
            update_bytes=needs.update_bytes,
            step_bytes=info["keep_all"]["peak_bytes"],
            workspace_bytes=info["keep_all"]["peak_bytes"] - bare,
            devices=(),
        )
        judged = [
            _judge(
                made,
                path,
                device,
                memory_bytes,
                reserve,
                ["--solver", solver, "--time-limit", str(time_limit)],
                measured,
            )
            for device in _devices(devices)
        ]
    return dataclasses.replace(made, devices=tuple(judged))


def _judge(needed, path, device, memory_bytes, reserve, how, measured):
    """What one device says; ``measured`` are flags for costs that were measured, in place of the device's."""
    memory = min(device["memory_bytes"], memory_bytes or device["memory_bytes"])
    budget = memory - int(memory * reserve) - needed.resident_bytes - needed.optimizer_bytes
    said = DeviceFit(device["name"], device["title"], memory, "cannot fit", budget_bytes=max(budget, 0))
    if budget <= 0:
        return dataclasses.replace(said, reason="Parameters, inputs and states alone take more than it has.")
    if _update(needed) > budget:
        return dataclasses.replace(said, reason="The update alone takes more than it has: gradients and temporaries.")
    if needed.step_bytes <= budget:
        return dataclasses.replace(said, verdict="fits", overhead=0.0)
    costs_of = measured or ["--device", device["name"]]
    plan, answer = planner.try_plan(path, f"{budget}B", [*how, *costs_of])
    if plan is not None:
        predicted = plan["predicted"]
        overhead = predicted["time_us"] / predicted["keep_all_time_us"] - 1
        return dataclasses.replace(said, verdict="fits with a plan", overhead=overhead)
    peaks = _ask("bound", path, "--budget", f"{budget}B", "--quick", *costs_of)["peaks"]
    proven = max((peak for peak in peaks if peak["holds_for"] in _ALL_PLANS), key=lambda peak: peak["bytes"])
    if proven["bytes"] <= budget:
        return dataclasses.replace(said, verdict="no plan found", reason=answer.get("message", ""))
    reason = (
        f"Every plan holds {_size(proven['bytes'])} ({proven['method']}), and {_size(budget)} are left for the step."
    )
    return dataclasses.replace(said, reason=reason)


def _size(count):
    return f"{count / _GIB:.2f} GiB" if count >= _GIB else f"{count / 2**20:.2f} MiB"


def _update(needed):
    return needed.gradients_bytes + needed.update_bytes


def _devices(names):
    folder = costs.devices_folder(planner.executable())
    known = sorted(file.stem for file in folder.glob("*.json"))
    for name in names or ():
        if name not in known:
            raise PlanError(f"There is no device {name!r}; there are {', '.join(known)}.")
    return [
        json.loads((folder / f"{name}.json").read_text()) for name in names or known if names or name != "reference"
    ]


def _ask(command, path, *more):
    """What a command of ``remat`` prints as JSON."""
    done = subprocess.run([planner.executable(), command, path, *more, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise PlanError(f"remat {command} ended with {done.returncode}: {(done.stderr or done.stdout).strip()}")
    return json.loads(done.stdout)
