# SPDX-License-Identifier: Apache-2.0
"""Attention as GPUs run it: which kernel is traced, what it keeps, and that such a trace runs on a CPU as math does."""

import json
import math
import subprocess

import pytest
import remat_studio
import torch
import torch.nn.functional as F
from remat_studio import attention
from remat_studio.executable import find
from remat_studio.trace import main
from support import graph_record, loaded, needs_libtorch, records, traced
from torch import nn

PREFIX = "_scaled_dot_product_"


class Attention(nn.Module):
    """One layer of attention, in any of its forms."""

    def __init__(self, dtype=torch.float32, width=32, heads=4, keys=4, mask=None, causal=True, dropout=0.0):
        super().__init__()
        self.heads, self.keys, self.causal, self.dropout, self.mask = heads, keys, causal, dropout, mask
        self.size = width // heads
        self.into = nn.Linear(width, (heads + 2 * keys) * self.size, dtype=dtype)
        self.out = nn.Linear(width, width, dtype=dtype)

    def forward(self, x):
        rows, length, width = x.shape
        parts = [self.heads, self.keys, self.keys]
        q, k, v = self.into(x).view(rows, length, -1, self.size).transpose(1, 2).split(parts, 1)
        mask = None
        if self.mask == "bool":
            mask = torch.ones(length, length, dtype=torch.bool).tril()
        elif self.mask == "float":
            mask = torch.zeros(length, length, dtype=x.dtype)
        y = F.scaled_dot_product_attention(
            q, k, v, mask, self.dropout, self.causal and mask is None, enable_gqa=self.heads != self.keys
        )
        return self.out(y.transpose(1, 2).reshape(rows, length, width))


def square(y):
    """The loss."""
    return y.float().square().mean()


def kernels_of(program):
    """The kernels of attention in a trace, forward ones, by name."""
    names = [name.removesuffix("_default") for name in records(program) if name.startswith(PREFIX)]
    return [name.removeprefix(PREFIX) for name in names if "backward" not in name]


def trace_of(folder, length=20, kernel=None, target="cuda", **form):
    """The trace of such a layer, and the path of its file."""
    torch.manual_seed(4)
    model = Attention(**form).train()
    x = torch.randn(2, length, model.out.in_features, dtype=model.out.weight.dtype)
    path = folder / "model.pt2"
    program = traced(model, (x,), path, square, target=target, attention_kernel=kernel)
    return program, path, model, x


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ({}, ["efficient_attention"]),
        ({"dtype": torch.bfloat16}, ["flash_attention"]),
        ({"dtype": torch.float16, "dropout": 0.2}, ["flash_attention"]),
        ({"dtype": torch.bfloat16, "mask": "bool"}, ["efficient_attention"]),
        ({"dtype": torch.bfloat16, "keys": 2}, ["flash_attention"]),
        ({"keys": 2}, []),
        ({"dtype": torch.float64}, []),
        ({"width": 24, "heads": 4}, []),
        ({"dtype": torch.bfloat16, "width": 24}, ["flash_attention"]),
        ({"dtype": torch.bfloat16, "width": 1056}, ["efficient_attention"]),
    ],
)
def test_the_kernel_is_the_one_that_a_gpu_would_take(form, expected, tmp_path):
    program, *_ = trace_of(tmp_path, length=8, **form)
    assert kernels_of(program) == expected
    assert graph_record(program)["for"] == "cuda"
    if not expected:  # math, op by op, keeps every score
        assert any("softmax" in name for name in records(program))


def test_what_the_kernels_keep_is_no_scores(tmp_path):
    def peak(**form):
        _, path, *_ = trace_of(tmp_path, length=512, dropout=0.1, **form)
        done = subprocess.run([find(), "info", path, "--json"], capture_output=True, text=True)
        return json.loads(done.stdout)["keep_all"]["peak_bytes"]

    scores = 2 * 4 * 512 * 512 * 4
    assert peak(target="cpu") > 2 * scores
    assert peak() < scores / 4
    assert peak(dtype=torch.bfloat16) < scores / 8


@pytest.mark.parametrize(
    ("form", "kernel"),
    [
        ({"dropout": 0.2}, None),
        ({"mask": "bool"}, None),
        ({"mask": "float", "dropout": 0.1}, None),
        ({"dtype": torch.bfloat16, "dropout": 0.2}, None),
        ({"dtype": torch.bfloat16, "keys": 2}, None),
        ({"dtype": torch.bfloat16, "dropout": 0.2}, "cudnn"),
    ],
)
@needs_libtorch
def test_such_a_trace_runs_on_a_cpu(form, kernel, tmp_path):
    _, path, *_ = trace_of(tmp_path, kernel=kernel, **form)
    plan = tmp_path / "plan.json"
    made = subprocess.run([find(), "plan", path, "--budget", "95%", "--solver", "chen-sqrt", "-o", plan])
    if made.returncode:
        subprocess.run([find(), "plan", path, "--budget", "100%", "--solver", "keep-all", "-o", plan], check=True)
    done = subprocess.run([find(), "validate", path, plan, "--json"], capture_output=True, text=True)
    said = json.loads(done.stdout)
    said = said.get("validated", said)
    assert "equal bit for bit" in said["sentence"], done.stdout


def test_a_kernel_by_name_and_what_refuses_it(tmp_path, capsys):
    program, *_ = trace_of(tmp_path, kernel="math", dropout=0.2)
    assert kernels_of(program) == []
    with pytest.raises(remat_studio.TraceError, match="flash cannot run an attention of this model: its tensors are"):
        trace_of(tmp_path, kernel="flash")
    with pytest.raises(remat_studio.TraceError, match="it has a mask"):
        trace_of(tmp_path, kernel="flash", dtype=torch.bfloat16, mask="bool")
    with pytest.raises(remat_studio.TraceError, match="is one of GPUs"):
        trace_of(tmp_path, kernel="flash", target="cpu")
    capsys.readouterr()
    trace_of(tmp_path)
    assert "in bfloat16 or float16 it would take flash attention" in capsys.readouterr().err
    trace_of(tmp_path, mask="bool")
    assert "flash" not in capsys.readouterr().err


def test_the_command_traces_for_gpus_unless_told_otherwise(tmp_path, monkeypatch):
    (tmp_path / "layer.py").write_text(
        "import torch\nfrom test_attention import Attention\n"
        "def make():\n    return Attention().train(), (torch.ones(2, 8, 32),), lambda y: y.square().mean()\n"
    )
    monkeypatch.chdir(tmp_path)
    for flags, expected in (
        ([], ["efficient_attention"]),
        (["--for", "cpu"], ["flash_attention_for_cpu"]),
        (["--attention", "math"], []),
    ):
        assert main(["layer.py:make", "-o", "out.pt2", *flags]) == 0
        assert kernels_of(loaded("out.pt2")) == expected
    assert main(["layer.py:make", "-o", "out.pt2", "--attention", "cudnn"]) == 2


def test_nothing_stays_behind():
    overload = torch.ops.aten.scaled_dot_product_attention.default
    before = dict(overload.py_kernels)
    with pytest.raises(ZeroDivisionError), attention.as_on("cuda"):
        math.floor(1 / 0)
    assert overload.py_kernels == before
