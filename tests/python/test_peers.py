# SPDX-License-Identifier: Apache-2.0
"""What other ways to train make of a model: ``remat doctor --against``."""

import json

import pytest
import torch
from remat_studio import peers

MODEL = """
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(nn.Sequential(nn.Linear(16, 64), nn.GELU(), nn.Linear(64, 16)) for _ in range(3))
        self.norm = nn.BatchNorm1d(16)
    def forward(self, x):
        for block in self.blocks:
            x = x + block(x)
        return self.norm(x)

class Forked(nn.Linear):
    def forward(self, x):
        return super().forward(x) * (1.5 if torch.compiler.is_compiling() else 1.0)

class Raises(nn.Linear):
    def forward(self, x):
        raise ValueError("only for pictures")

class TakesAHookBack(nn.Linear):
    def forward(self, x):
        y = super().forward(x)
        y.register_hook(lambda gradient: 2 * gradient).remove()
        return y

def make():
    torch.manual_seed(0)
    return Net(), (torch.randn(32, 16),), lambda y: y.square().mean()

def raises():
    return Raises(4, 4), (torch.randn(3, 4),), lambda y: y.square().mean()

def lazy():
    return nn.LazyLinear(4), (torch.randn(3, 4),), lambda y: y.square().mean()

def takes_a_hook_back():
    return TakesAHookBack(4, 4), (torch.randn(3, 4),), lambda y: y.square().mean()

def forked():
    torch.manual_seed(0)
    return Forked(4, 4), (torch.randn(3, 4),), lambda y: y.square().mean()
"""


@pytest.fixture
def factory(tmp_path):
    """A file with models."""
    path = tmp_path / "peer_models.py"
    path.write_text(MODEL)
    yield lambda name: f"{path}:{name}"
    torch._dynamo.reset()


@pytest.mark.parametrize("peer", ["aot_eager", "checkpoint", "budget=0.5"])
def test_peers_of_eager_kernels_give_the_same_bits(factory, peer, capsys):
    assert peers.main(["--against", peer, "--json", factory("make")]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["verdict"] in ("equal", "rounded") and report["compared"] >= 15
    assert report["plain"]["peak_bytes"] > 0 and report["with_peer"]["seconds"] > 0


def test_a_peer_that_computes_something_else_is_red(factory, capsys):
    assert peers.main(["--against", "aot_eager", factory("forked")]) == 1
    said = capsys.readouterr().out
    assert "3 of 3 tensors differ by more than rounding does: the most in loss of loss" in said


@pytest.mark.parametrize(("peer", "name"), [("tensorflow", "make"), ("budget=2", "make"), ("aot_eager", "missing")])
def test_what_cannot_be_run_is_said(factory, peer, name, capsys):
    assert peers.main(["--against", peer, factory(name)]) == 2
    assert capsys.readouterr().err.startswith("remat doctor: ")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("raises", "Plain PyTorch does not run this model: ValueError: only for pictures."),
        ("lazy", "The parameter weight has no shape yet (a lazy module); run the model once on its arguments first."),
        (
            "takes_a_hook_back",
            "aot_eager does not run this model: AssertionError: at "
            "`y.register_hook(lambda gradient: 2 * gradient).remove()`.",
        ),
    ],
)
def test_a_model_that_does_not_run_is_said_in_a_sentence(factory, name, sentence, capsys):
    assert peers.main(["--against", "aot_eager", factory(name)]) == 2
    assert capsys.readouterr().err == f"remat doctor: {sentence}\n"
