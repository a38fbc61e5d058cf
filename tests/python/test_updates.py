# SPDX-License-Identifier: Apache-2.0
"""The updates that `remat validate` runs are those of torch.optim: after one step, the same bits."""

import copy
import json
import subprocess

import numpy
import pytest
import remat_studio
import torch
from remat_studio.executable import find
from support import needs_libtorch
from torch import nn


class Fixed(nn.Module):
    """Reads numbers of its own, so that a run without the caller's inputs computes the same."""

    def __init__(self):
        super().__init__()
        self.register_buffer("images", torch.randn(3, 2, 8, 8))
        self.convolution = nn.Conv2d(2, 5, 3, bias=False)
        self.norm = nn.BatchNorm2d(5)
        self.inner = nn.Linear(5 * 36, 33)
        self.outer = nn.Linear(33, 7)

    def forward(self, scale):
        rows = self.norm(self.convolution(self.images * scale)).flatten(1)
        return self.outer(torch.nn.functional.gelu(self.inner(rows)))


OPTIMIZERS = {
    "sgd": lambda parameters, **how: torch.optim.SGD(parameters, lr=1e-3, **how),
    "momentum": lambda parameters, **how: torch.optim.SGD(parameters, lr=1e-3, momentum=0.9, **how),
    "adam": torch.optim.Adam,
    "adamw": torch.optim.AdamW,
}


@pytest.fixture(scope="module")
def traced(tmp_path_factory):
    torch.manual_seed(3)
    model = Fixed().train()
    path = tmp_path_factory.mktemp("updates") / "model.pt2"
    remat_studio.trace(copy.deepcopy(model), (torch.ones(()),), torch.sum, path)
    return model, path


@needs_libtorch
@pytest.mark.parametrize("place", ["device", "host"])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_one_step_is_torch_optims(name, place, traced, tmp_path):
    model, path = traced
    plan, settings = tmp_path / "plan.json", ["--optimizer", name, "--optimizer-on", place]
    weights = ["--set", "parameters=on", "--solver", "offload-greedy-star", "--budget", "95%"]
    _remat("plan", path, *settings, *weights, "-o", plan)
    run = json.loads(_remat("validate", path, plan, "--device", "simulated", "--json"))
    assert run["updated_equal"] == run["updated"] > 0
    sums = run["checksums"]

    model = copy.deepcopy(model)
    # What the trace's kernels compute, by torch.optim's fused ones: bit for bit.
    optimizer = OPTIMIZERS[name](model.parameters(), fused=True)
    model(torch.ones(())).sum().backward()
    gradients = [parameter.grad.clone() for parameter in model.parameters()]
    before = [parameter.detach().clone() for parameter in model.parameters()]
    optimizer.step()
    compared = 0
    for target, parameter in model.named_parameters():
        assert sums[f"new {target}"] == _checksum(parameter), target
        for key, state in optimizer.state[parameter].items():
            if key != "step" and state is not None:
                assert sums[f"{key} of {target}"] == _checksum(state), f"{key} of {target}"
                compared += 1
        compared += 1
    assert compared == run["updated"]

    # PyTorch's loop over tensors rounds in another order: SGD comes to the same bits, Adam to the last ones.
    looped = [nn.Parameter(tensor) for tensor in before]
    for parameter, gradient in zip(looped, gradients, strict=True):
        parameter.grad = gradient
    OPTIMIZERS[name](looped, fused=False, foreach=False).step()
    for parameter, other in zip(model.parameters(), looped, strict=True):
        if "adam" in name:
            torch.testing.assert_close(parameter, other, rtol=1e-6, atol=1e-9)
        else:
            assert torch.equal(parameter, other)


def _remat(*arguments):
    command = [find(), *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _checksum(tensor):
    """As gpu/engine/storage_checks.h makes it."""
    data = tensor.detach().contiguous().numpy().tobytes()
    words = numpy.frombuffer(data + b"\0" * (-len(data) % 8), dtype="<u8").copy()
    with numpy.errstate(over="ignore"):
        z = words + numpy.arange(1, len(words) + 1, dtype=numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
        z ^= z >> numpy.uint64(31)
        return str((int(z.sum(dtype=numpy.uint64)) + len(data)) % 2**64)
