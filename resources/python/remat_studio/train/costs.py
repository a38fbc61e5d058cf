# SPDX-License-Identifier: Apache-2.0
"""How long each op takes on a device: the roofline of its floating-point operations and its bytes."""

import json
import pathlib

import torch
from torch.utils._pytree import tree_map
from torch.utils.flop_counter import flop_registry

from .errors import PlanError

_PACKAGE = pathlib.Path(__file__).resolve().parents[1]


def device_costs(name, step_graph, executable):
    """A function from an op of the graph to microseconds, for a device file of this name or the usual one."""
    device = _device(name, step_graph, executable)
    return lambda op: _time_us(op, device)


def time_of_work(name, step_graph, executable):
    """A function from the work of fused kernels, an ``inductor_peak.Peak``, to microseconds."""
    device = _device(name, step_graph, executable)
    values = [node.meta.get("val") for node in step_graph.tangents]
    rate = _rate(device, next((value for value in values if isinstance(value, torch.Tensor)), None))
    return lambda work: (work.flops / rate + work.moved_bytes / device["bytes_per_second"]) * 1e6


def _device(name, step_graph, executable):
    folder = devices_folder(executable)
    if name is None:
        name = _usual_device(step_graph, folder)
    path = folder / f"{name}.json"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in folder.glob("*.json")))
        raise PlanError(f"There is no device {name!r}; there are {known}.")
    return json.loads(path.read_text())


def devices_folder(executable):
    """The folder of device files, which lies beside the executable or in the source tree."""
    beside = pathlib.Path(executable).resolve().parents[1] / "share" / "remat-studio" / "devices"
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


def _time_us(op, device):
    value = op.node.meta.get("val")
    first = next((v for v in (value if isinstance(value, list | tuple) else [value]) if v is not None), None)
    flops = sum(map(_flops, op.nodes))
    seconds = max(flops / _rate(device, first), op.moved_bytes / device["bytes_per_second"])
    return round(seconds * 1e6 + op.launches * device["launch_us"], 3)


def _rate(device, value):
    rates = device["flops_per_second"]
    kind = str(value.dtype).removeprefix("torch.") if isinstance(value, torch.Tensor) else "default"
    return rates.get(kind, rates["default"])


def _flops(node):
    count = flop_registry.get(getattr(node.target, "overloadpacket", None))
    if count is None:
        return 0

    def value(argument):
        return argument.meta["val"] if isinstance(argument, torch.fx.Node) else argument

    args, kwargs = tree_map(value, (node.args, node.kwargs))
    return int(count(*args, **kwargs, out_val=node.meta["val"]))
