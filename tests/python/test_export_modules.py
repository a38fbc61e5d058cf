# SPDX-License-Identifier: Apache-2.0
"""Modules that an export computes again leave behind what they do without it: gradients, and each buffer once."""

import copy

import pytest
import remat_studio
import torch
from test_export import remat
from test_export_routes import mean_square, with_partition, written
from torch import nn
from torch._functorch.partitioners import default_partition

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


class Residual(nn.Module):
    """Blocks of convolutions and norms, each added to what it read; or one block, called four times."""

    def __init__(self, shared, activation):
        super().__init__()
        blocks = [self._block(activation) for _ in range(1 if shared else 4)]
        self.blocks = nn.ModuleList(blocks * 4 if shared else blocks)

    @staticmethod
    def _block(activation):
        norms = nn.BatchNorm2d(32), nn.BatchNorm2d(8)
        return nn.Sequential(nn.Conv2d(8, 32, 1), norms[0], activation(inplace=True), nn.Conv2d(32, 8, 1), norms[1])

    def forward(self, x):
        for block in self.blocks:
            x = x + block(x)
        return x


class Averaging(nn.Module):
    """A block with an average of what it sees and a count of its steps, written in one of four ways."""

    def __init__(self, way):
        super().__init__()
        self.up, self.down, self.way = nn.Linear(32, 64), nn.Linear(64, 32), way
        self.register_buffer("average", torch.zeros(64))
        self.register_buffer("steps", torch.zeros((), dtype=torch.long))

    def forward(self, x):
        inner = torch.tanh(self.up(x))
        mean = inner.detach().mean(0)
        if self.way == "in place":
            self.average.mul_(0.9).add_(mean, alpha=0.1)
        elif self.way == "interpolated":
            self.average.lerp_(mean, 0.1)
        elif self.way == "copied":
            self.average.copy_(self.average * 0.9 + mean * 0.1)
        else:
            self.average = 0.9 * self.average + 0.1 * mean
        self.steps += 1
        return x + self.down(inner * 2)


class Growing(nn.Module):
    """Layers that read the list of all before them, as in a DenseNet; the norms are computed again."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(GrowingLayer(8 * (i + 1)) for i in range(6))

    def forward(self, x):
        made = [x]
        for layer in self.layers:
            made.append(layer(made))
        return torch.cat(made, 1)


class GrowingLayer(nn.Module):
    """One of them."""

    def __init__(self, width):
        super().__init__()
        self.norm, self.convolution = nn.BatchNorm2d(width), nn.Conv2d(width, 8, 3, padding=1)

    def forward(self, made):
        return self.convolution(torch.relu(self.norm(torch.cat(made, 1))))


IMAGES, ROWS = (4, 8, 16, 16), (128, 32)
MODELS = {
    "residual": (lambda: Residual(False, nn.ReLU), IMAGES),
    "residual shared": (lambda: Residual(True, nn.ReLU), IMAGES),
    "residual that copies": (lambda: Residual(False, nn.Hardswish), IMAGES),
    "growing": (Growing, IMAGES),
    **{
        f"average {way}": (lambda way=way: nn.Sequential(*[Averaging(way) for _ in range(4)]), ROWS)
        for way in ("in place", "interpolated", "copied", "set anew")
    },
}


@pytest.mark.parametrize("form", ["sac-policy", "torch-remat"])
@pytest.mark.parametrize("name", MODELS)
def test_gradients_and_buffers_are_those_of_the_model(name, form, tmp_path):
    model, batch, module = exported(name, form, tmp_path)
    own = module["apply"](copy.deepcopy(model))
    assert module["REGIONS"] or name == "residual shared", "the export computes no module again"
    assert_trained_alike(model, own, batch, lambda x: mean_square(own(x)))


@pytest.mark.parametrize("form", ["inductor-partitioner", "torchtitan-policy"])
@pytest.mark.parametrize("name", ["residual", "growing", "average interpolated", "average set anew"])
def test_a_partition_leaves_buffers_that_the_step_overwrites_to_the_forward(name, form, tmp_path):
    model, batch, module = exported(name, form, tmp_path)

    def partition(graph, inputs, **options):
        if form == "inductor-partitioner":
            return module["Partitioner"]()(graph, inputs, compiler="inductor", **options)
        return default_partition(module["policy"](graph), inputs, **options)

    own = copy.deepcopy(model)
    assert any("0" in flags for _, _, flags in module["CALLS"]), "the export computes nothing again"
    assert_trained_alike(model, own, batch, with_partition(partition)(lambda x: mean_square(own(x))))


def exported(name, form, tmp_path):
    """A model, its batch, and what the export of a plan for it defines."""
    torch.manual_seed(4)
    make, shape = MODELS[name]
    model, batch = make().train(), torch.randn(shape)
    archive, plan = tmp_path / "model.pt2", tmp_path / "plan.json"
    remat_studio.trace(copy.deepcopy(model), (batch,), mean_square, archive, weights=False)
    remat("plan", archive, "--budget", "70%", "--chunk", "off", "--time-limit", "3", "-o", plan)
    return model, batch, written((archive, plan), form)


def assert_trained_alike(plain, own, batch, step):
    """Two steps of the model and two of ``step``, which trains ``own``, leave the same buffers and gradients."""
    for _ in range(2):
        mean_square(plain(batch)).backward()
        step(batch).backward()
    buffers = dict(own.named_buffers())
    assert buffers and [key for key, buffer in plain.named_buffers() if not buffer.equal(buffers[key])] == []
    assert all(a.grad.equal(b.grad) for a, b in zip(own.parameters(), plain.parameters(), strict=True))


def test_a_policy_says_what_to_do_where_dropout_draws_otherwise(tmp_path):
    torch.manual_seed(5)
    blocks = [nn.Sequential(nn.Linear(32, 64), nn.Tanh(), nn.Dropout(0.5), nn.Linear(64, 32)) for _ in range(4)]
    model, batch = nn.Sequential(*blocks), torch.randn(64, 32)
    archive, plan = tmp_path / "model.pt2", tmp_path / "plan.json"
    remat_studio.trace(copy.deepcopy(model), (batch,), mean_square, archive, weights=False)
    remat("plan", archive, "--budget", "70%", "--chunk", "off", "--time-limit", "3", "-o", plan)
    with pytest.raises(RuntimeError, match="for dropout on a CPU, export the plan as torch-remat"):
        written((archive, plan), "sac-policy")["apply"](copy.deepcopy(model))(batch)
    written((archive, plan), "torch-remat")["apply"](model)(batch).sum().backward()
