# SPDX-License-Identifier: Apache-2.0
"""Will it fit: what a step takes in memory, part by part, and what each device says."""

import json
import subprocess

import pytest
import remat_studio
import torch
from remat_studio.executable import find
from remat_studio.optimizer_memory import needs_of
from training import chain, planner

__all__ = ["planner"]


@pytest.fixture(scope="module")
def model():
    """Without weights."""
    with torch.device("meta"):
        return chain(width=256, depth=6)


def asked(model, memory_bytes=None, rows=512, **options):
    """What an H100 says that has so much memory."""
    x = torch.empty(rows, 8, device="meta")
    options = {"devices": ["h100"], "time_limit": 1, "reserve": 0.0, "optimizer": None, **options}
    return remat_studio.fits(model, (x,), lambda y: y.square().mean(), memory_bytes=memory_bytes, **options)


def rounded(tensors, times=1):
    """Bytes as PyTorch's allocator on GPUs counts them."""
    return times * sum(-(-tensor.numel() * tensor.element_size() // 512) * 512 for tensor in tensors)


@pytest.mark.parametrize(
    ("optimizer", "states", "temporaries"),
    [
        (None, 0, 0),
        ("sgd", 0, 0),
        ("momentum", 1, 0),
        ("adamw", 2, 1),
        (torch.optim.Adagrad, 1, 2),
        (lambda parameters: torch.optim.AdamW(parameters, amsgrad=True), 3, 1),
    ],
)
def test_states_and_temporaries_of_optimizers(model, optimizer, states, temporaries):
    needs = needs_of(model, optimizer)
    parameters = list(model.parameters())
    assert needs.parameters_bytes == needs.gradients_bytes == rounded(parameters)
    assert needs.state_bytes == rounded(parameters, states)
    assert needs.update_bytes == rounded(parameters, temporaries)


def test_an_optimizer_that_is_there_and_frozen_parameters():
    model = chain()
    model[1].requires_grad_(False)
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    needs = needs_of(model, torch.optim.SGD(trained, 0.1, momentum=0.5))
    assert needs.gradients_bytes == needs.state_bytes == rounded(trained) < needs.parameters_bytes
    with pytest.raises(remat_studio.PlanError, match="none of adamw, adam, sgd, momentum"):
        needs_of(model, "adamm")
    with pytest.raises(remat_studio.PlanError, match="Adafactor cannot step without numbers"):
        needs_of(model, torch.optim.Adafactor)


@pytest.mark.rotates(group="long")
def test_verdicts_and_their_reasons(model):
    whole = asked(model)
    (device,) = whole.devices
    assert (device.verdict, device.overhead) == ("fits", 0.0)
    assert whole.needed_bytes == whole.resident_bytes + whole.step_bytes

    (exact,) = asked(model, whole.needed_bytes).devices
    assert exact.verdict == "fits"
    (planned,) = asked(model, whole.needed_bytes - 1).devices
    assert planned.verdict == "fits with a plan" and 0 < planned.overhead < 0.5
    assert planned.budget_bytes == whole.step_bytes - 1
    (kept_free,) = asked(model, whole.needed_bytes, reserve=0.05).devices
    assert kept_free.verdict == "fits with a plan"

    (small,) = asked(model, whole.resident_bytes + 1_700_000, chunk="off").devices
    assert small.verdict == "cannot fit" and small.reason.startswith("Every plan holds 2.50 MiB")
    (in_chunks,) = asked(model, whole.resident_bytes + 1_700_000).devices
    assert in_chunks.verdict == "fits with a plan" and in_chunks.reason.startswith("In chunks: ")
    (between,) = asked(model, whole.resident_bytes + 2_700_000, chunk="off").devices
    assert between.verdict == "no plan found" and "the smallest peak reached is" in between.reason
    (smaller,) = asked(model, whole.resident_bytes + 1_000_000).devices
    assert smaller.verdict == "cannot fit" and smaller.reason.startswith("The update alone")
    (least,) = asked(model, whole.resident_bytes).devices
    assert least.verdict == "cannot fit" and least.reason.startswith("Parameters, inputs and states")


def test_all_devices_and_what_is_printed(model):
    whole = asked(model, devices=None, optimizer="adamw")
    assert {"h100", "t4", "rtx4090"} <= {device.device for device in whole.devices}
    small = {"mkr1000", "nrf52840"}  # microcontrollers: not even the parameters fit
    assert all(device.verdict == "fits" for device in whole.devices if device.device not in small)
    assert {device.device for device in whole.devices if device.verdict == "cannot fit"} == small
    assert f"in all: {whole.needed_bytes / 2**20:.2f} MiB" in str(whole)
    assert "NVIDIA T4 16 GB (15.00 GiB): fits" in str(whole)
    with pytest.raises(remat_studio.PlanError, match="no device \"abacus\""):
        asked(model, devices=["abacus"])


@pytest.mark.rotates(group="long")
def test_the_largest_batch_with_a_plan_and_without(model):
    def ask(batch, **options):
        return remat_studio.largest_batch(
            model,
            lambda rows: (torch.empty(rows, 8, device="meta"),),
            lambda y: y.square().mean(),
            device="h100",
            optimizer="sgd",
            reserve=0.0,
            memory_bytes=12_000_000,
            time_limit=0.2,
            start=batch,
            **options,
        )

    rows, said = ask(256, plan=False)
    assert said.devices[0].verdict == "fits" and said.needed_bytes <= 12_000_000
    over = asked(model, 12_000_000, optimizer="sgd", rows=rows + max(1, rows // 50) + 1)
    assert over.needed_bytes > 12_000_000
    assert ask(2 * rows, plan=False)[0] == pytest.approx(rows, rel=0.03), "where one begins does not matter"
    with_plan, said = ask(rows)
    assert with_plan > 1.2 * rows and said.devices[0].verdict == "fits with a plan"


def test_the_command_says_the_same(model, tmp_path):
    x = torch.empty(512, 8, device="meta")
    path = remat_studio.trace(model, (x,), lambda y: y.square().mean(), tmp_path / "model.pt2", weights=False)
    said = asked(model, 5_000_000, optimizer="adamw", time_limit=1)
    flags = ["--devices", "h100", "--memory", "5000000B", "--reserve", "0", "--time-limit", "1", "--json"]
    done = subprocess.run([find(), "fits", path, *flags], capture_output=True, text=True)
    told = json.loads(done.stdout)
    assert done.returncode == {"cannot fit": 1}.get(said.devices[0].verdict, 0)
    for name in ("resident", "parameters", "gradients", "optimizer", "update", "step", "workspace", "needed"):
        assert told[f"{name}_bytes"] == getattr(said, f"{name}_bytes"), name
    (device,) = told["devices"]
    assert (device["verdict"], device["reason"]) == (said.devices[0].verdict, said.devices[0].reason)
    printed = subprocess.run([find(), "fits", path, "--devices", "h100,t4"], capture_output=True, text=True).stdout
    assert "NVIDIA T4 16 GB" in printed and "in all, when everything is kept" in printed
    wrong = subprocess.run([find(), "fits", path, "--optimizer", "adamm"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "There are: adamw, adam, momentum, sgd, none." in wrong.stderr
