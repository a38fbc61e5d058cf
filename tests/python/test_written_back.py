# SPDX-License-Identifier: Apache-2.0
"""New running statistics lie in the old ones, as eager mode has them, and computing their op again writes nothing twice."""

import importlib
import json
import subprocess

import remat_studio
import torch
from conftest import ROOT
from remat_studio.executable import find
from support import needs_libtorch, records, traced
from torch import nn
from training import planner

__all__ = ["planner"]

NORM = "_native_batch_norm_legit_functional"


class Deep(nn.Module):
    """Norms that a plan computes again, and an average that reads what may run again."""

    def __init__(self):
        super().__init__()
        blocks = [nn.Sequential(nn.Conv2d(64, 64, 1), nn.BatchNorm2d(64), nn.Tanh()) for _ in range(6)]
        self.blocks = nn.Sequential(*blocks)
        self.register_buffer("average", torch.zeros(64))

    def forward(self, x):
        x = self.blocks(x)
        self.average = 0.9 * self.average + 0.1 * x.detach().mean((0, 2, 3))
        return x


def make():
    torch.manual_seed(0)
    return Deep(), (torch.randn(8, 64, 8, 8),), lambda y: y.square().mean()


def test_statistics_and_counts_lie_in_their_buffers_and_nothing_else_does(tmp_path):
    model, args, loss_fn = make()
    program = traced(model, args, tmp_path / "model.pt2", loss_fn)
    known = records(program)
    alias = {name: record["alias"] for name, record in known.items() if "b_" in str(record.get("alias"))}
    assert alias[NORM] == {f"{NORM}_out3": "b_blocks_0_1_running_mean", f"{NORM}_out4": "b_blocks_0_1_running_var"}
    assert alias["add"] == {"add": "b_blocks_0_1_num_batches_tracked"}
    assert len(alias) == 2 * 6, "each layer's statistics and count; the average is read by what may run again"


@needs_libtorch
def test_a_plan_that_computes_statistics_again_writes_them_once_in_the_memory_that_it_says(tmp_path):
    path, plan = tmp_path / "model.pt2", tmp_path / "plan.json"
    remat_studio.trace(*make(), path)
    command = [find(), "plan", path, "--budget", "60%", "--device", "here", "--chunk", "off", "--time-limit", "5"]
    subprocess.run([*command, "-o", plan], check=True, capture_output=True)
    computed = [step["op"] for step in json.loads(plan.read_text())["steps"] if step["do"] == "compute"]
    assert len([op for op in computed if op.startswith(NORM)]) > 6, "the plan computes no norm again"
    done = subprocess.run([find(), "validate", path, plan, "--json"], capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    assert answer["loss_equal"] and answer["buffers_equal"] == answer["buffers"] == 19, answer
    assert "within the budget" in answer["sentence"], answer


def test_keep_all_holds_what_eager_mode_holds(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "tests" / "benchmarks")
    deviation = importlib.import_module("deviation")
    monkeypatch.setattr(deviation, "_made", lambda _: make())
    monkeypatch.setattr(torch._subclasses, "FakeTensor", torch._subclasses.FakeTensor)  # which it replaces
    path = tmp_path / "model.pt2"
    remat_studio.trace(*make(), path, target="cuda", compare="never")
    said = subprocess.run([find(), "info", path, "--json"], capture_output=True, text=True, check=True)
    figures = json.loads(said.stdout)
    held = (figures.get("today") or figures["keep_all"])["peak_bytes"]
    assert abs(held - deviation._eager_peak("")) <= 512, "but for the average, which stays beside the old one"


def test_a_plan_applied_to_the_model_leaves_the_buffers_that_plain_pytorch_leaves(tmp_path):
    path = tmp_path / "model.pt2"
    model, args, loss_fn = make()
    remat_studio.trace(model, args, loss_fn, path)
    step = remat_studio.train.applied.plan(path, "60%", time_limit=2).apply(model, args, loss_fn)
    twin = make()[0]
    for _ in range(2):
        step(*args).backward()
        loss_fn(twin(*args)).backward()
    for (name, buffer), other in zip(model.named_buffers(), twin.buffers(), strict=True):
        assert torch.equal(buffer, other), name
    assert all(torch.equal(p.grad, q.grad) for p, q in zip(model.parameters(), twin.parameters(), strict=True))
