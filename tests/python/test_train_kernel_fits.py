# SPDX-License-Identifier: Apache-2.0
"""Will it fit, with Inductor's kernels: the compiler's own code says what a step holds, without weights."""

import json
import subprocess

import pytest
import remat_studio
import torch
from remat_studio.executable import find
from training import chain, planner

__all__ = ["planner"]

FACTORY = """
import torch
from torch import nn

def make():
    with torch.device("meta"):
        return {model}, (torch.empty(4096, 8),), lambda y: y.square().mean()
"""
OPTIONS = {"devices": ["h100"], "time_limit": 1, "reserve": 0.0, "codegen": "inductor"}


def asked(model, memory_bytes=None, **options):
    """What an H100 says that has so much memory."""
    x = torch.empty(4096, 8, device="meta")
    options = {"optimizer": None, **OPTIONS, **options}
    return remat_studio.fits(model, (x,), lambda y: y.square().mean(), memory_bytes=memory_bytes, **options)


@pytest.mark.rotates(group="inductor")
def test_the_compilers_kernels_are_asked_without_weights():
    with torch.device("meta"):
        model = chain(depth=3)
    whole = asked(model)
    (device,) = whole.devices
    assert (device.verdict, device.overhead) == ("fits", 0.0) and device.budget_bytes > whole.step_bytes
    eager = asked(model, codegen=None)
    assert whole.resident_bytes == eager.resident_bytes
    assert 0 < whole.step_bytes < eager.step_bytes  # kernels that are fused keep less
    assert all(parameter.is_meta for parameter in model.parameters())

    (planned,) = asked(model, whole.needed_bytes - 1).devices
    assert planned.verdict == "fits with a plan" and 0 <= planned.overhead < 0.5
    (small,) = asked(model, whole.resident_bytes + 100_000).devices
    assert small.verdict == "no plan found" and "smallest exact peak that was found is" in small.reason


@pytest.mark.rotates(group="inductor")
def test_the_command_says_the_same(tmp_path):
    layers = "nn.Sequential(nn.Linear(8, 32), nn.GELU(), nn.Linear(32, 4))"
    (tmp_path / "model.py").write_text(FACTORY.format(model=layers))
    command = [find(), "fits", "--codegen", "inductor", f"{tmp_path}/model.py:make"]
    flags = ["--devices", "h100,t4", "--optimizer", "none", "--reserve", "0", "--json"]
    done = subprocess.run([*command, *flags], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [device["device"] for device in told["devices"]] == ["h100", "t4"]
    with torch.device("meta"):
        model = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.GELU(), torch.nn.Linear(32, 4))
    assert told["step_bytes"] == asked(model).step_bytes


def test_what_does_not_go_together_is_said(tmp_path):
    with torch.device("meta"):
        model = chain(depth=1)
    with pytest.raises(remat_studio.PlanError, match="leave out profile, chunk, solver"):
        asked(model, chunk="auto")
    with pytest.raises(remat_studio.PlanError, match="it is 'inductor', or left out"):
        asked(model, codegen="triton")
    done = subprocess.run(
        [find(), "fits", "--codegen", "inductor", "--chunk", "auto", "m.py:make"], capture_output=True, text=True
    )
    assert done.returncode == 2 and "only --optimizer, --devices" in done.stderr
    done = subprocess.run(
        [find(), "fits", "--codegen", "inductor", "--memory", "50%", "m.py:make"], capture_output=True, text=True
    )
    assert done.returncode == 2 and "--memory takes bytes" in done.stderr
    (tmp_path / "model.py").write_text(FACTORY.format(model="nn.Flatten()"))
    done = subprocess.run(
        [find(), "fits", "--codegen", "inductor", f"{tmp_path}/model.py:make"], capture_output=True, text=True
    )
    assert done.returncode == 2 and "Nothing of this step is trained" in done.stderr, done.stderr
