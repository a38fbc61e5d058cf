# SPDX-License-Identifier: Apache-2.0
"""What ops ask of a device: the engine says how long that takes. And how long lowered kernels take by its rates."""

import dataclasses
import json
import pathlib

import torch
from torch.utils.flop_counter import flop_registry

from ..torch_private import pytree
from . import planner
from .errors import PlanError

_PACKAGE = pathlib.Path(__file__).resolve().parents[1]


@dataclasses.dataclass(frozen=True)
class Work:
    """What takes the time of kernels."""

    flops: int
    moved_bytes: int


@dataclasses.dataclass(frozen=True)
class Device:
    """A device by its name for ``--device``, and the rates that lowered kernels are ranked by."""

    name: str
    flops_per_second: dict  # dtype or "default" -> rate
    bytes_per_second: float

    def time_of(self, step_graph):
        """A function from the work of fused kernels, a Work or an ``inductor_peak.Peak``, to microseconds."""
        values = [node.meta.get("val") for node in step_graph.tangents]
        first = next((value for value in values if isinstance(value, torch.Tensor)), None)
        default = self.flops_per_second["default"]
        rate = default if first is None else self.flops_per_second.get(_dtype(first), default)
        return lambda work: (work.flops / rate + work.moved_bytes / self.bytes_per_second) * 1e6


def device(name, step_graph):
    """The device of this name, or the usual one for a graph; PlanError where there is none."""
    name = name or _usual_device(step_graph, _devices_folder())
    read = json.loads(device_file(name).read_text())
    return Device(name, read["flops_per_second"], read["bytes_per_second"])


def device_file(name):
    """The path of the file of a device; PlanError where there is none of this name."""
    files = {file.stem: file for file in sorted(_devices_folder().glob("*.json"))}
    if str(name) not in files:
        raise PlanError(f"There is no device {name!r}; there are {', '.join(files)}.")
    return files[str(name)]


def work_of(op):
    """What an op asks of a device, in the words of ``remat-graph/1``."""
    work = {"moved_bytes": op.moved_bytes, "launches": op.launches}
    flops = flops_of(op)
    if flops:
        value = op.node.meta.get("val")
        first = next((v for v in (value if isinstance(value, list | tuple) else [value]) if v is not None), None)
        work |= {"flops": flops, "dtype": _dtype(first)}
    return work


def flops_of(op):
    """Operations of matrix products, convolutions and attention."""
    return sum(map(_flops, op.nodes))


def _devices_folder():
    """The folder of device files, which lies beside the executable or in the source tree."""
    beside = pathlib.Path(planner.executable()).resolve().parents[1] / "share" / "remat-studio" / "devices"
    for folder in (beside, _PACKAGE.parents[1] / "devices"):
        if folder.is_dir():
            return folder
    raise PlanError(f"The folder of devices is missing; it belongs to {beside}. Install Remat Studio again.")


def _usual_device(step_graph, folder):
    if not step_graph.has_cuda:
        return "laptop-cpu"
    title = torch.cuda.get_device_name().lower()
    names = (file.stem for file in sorted(folder.glob("*.json")))
    return next((name for name in names if name in title.replace(" ", "")), "reference")


def _dtype(value):
    return str(value.dtype).removeprefix("torch.")


def _flops(node):
    count = flop_registry.get(getattr(node.target, "overloadpacket", None))
    if count is None:
        return 0

    def value(argument):
        return argument.meta["val"] if isinstance(argument, torch.fx.Node) else argument

    args, kwargs = pytree.tree_map(value, (node.args, node.kwargs))
    return int(count(*args, **kwargs, out_val=node.meta["val"]))
