"""Will it fit: what a step takes in memory, part by part, and what each device says."""

import pytest
import remat_studio
import torch
from remat_studio.optimizer_memory import needs_of
from training import chain, planner

__all__ = ["planner"]


@pytest.fixture(scope="module")
def model():
    """Without weights."""
    with torch.device("meta"):
        return chain(width=256, depth=6)


def asked(model, memory_bytes=None, **options):
    """What an H100 says that has so much memory."""
    x = torch.empty(512, 8, device="meta")
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

    (small,) = asked(model, whole.resident_bytes + 1_700_000).devices
    assert small.verdict == "cannot fit" and small.reason.startswith("Every plan holds 2.50 MiB")
    (between,) = asked(model, whole.resident_bytes + 2_700_000).devices
    assert between.verdict == "no plan found" and "the smallest peak reached is" in between.reason
    (smaller,) = asked(model, whole.resident_bytes + 1_000_000).devices
    assert smaller.verdict == "cannot fit" and smaller.reason.startswith("The update alone")
    (least,) = asked(model, whole.resident_bytes).devices
    assert least.verdict == "cannot fit" and least.reason.startswith("Parameters, inputs and states")


def test_all_devices_and_what_is_printed(model):
    whole = asked(model, devices=None, optimizer="adamw")
    assert {"h100", "t4", "rtx4090"} <= {device.device for device in whole.devices}
    assert all(device.verdict == "fits" for device in whole.devices)
    assert "in all: 0.0" in str(whole) and "NVIDIA T4 16 GB (15.0 GiB): fits" in str(whole)
    with pytest.raises(remat_studio.PlanError, match="no device 'abacus'; there are a100"):
        asked(model, devices=["abacus"])
