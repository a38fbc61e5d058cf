# SPDX-License-Identifier: Apache-2.0
"""The command line, and the two ways to reach ``remat_studio.trace``."""

import io
import os
import subprocess
import sys

import pytest
import remat_studio
import remat_studio.progress
import torch
from conftest import ROOT
from remat_studio.progress import Progress
from remat_studio.trace import main
from torch import nn

GOOD = """
import torch
from torch import nn

def make():
    return nn.Linear(4, 4).train(), (torch.ones(2, 4),)

def with_loss():
    return nn.Linear(4, 4), (torch.ones(2, 4),), lambda out: out.sum()

def by_name():
    return nn.Linear(4, 4), {"input": torch.ones(2, 4)}

def evaluation():
    return nn.Linear(4, 4).eval(), (torch.ones(2, 4),)

def nothing():
    pass

def no_model():
    return 1, 2

def no_loss():
    return nn.Linear(4, 4), (torch.ones(2, 4),), 3

def broken():
    return nn.Linear(4, 4)(torch.ones(3))

class Branch(nn.Linear):
    def forward(self, x):
        y = super().forward(x)
        return y if y.sum() > 0 else -y

def branch():
    return Branch(4, 4).to("meta"), (torch.ones(2, 4),)

number = 3
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "good.py").write_text(GOOD)
    (tmp_path / "wrong.py").write_text("def make(:\n")
    (tmp_path / "failing.py").write_text("import no_such_package\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path


@pytest.mark.parametrize("factory", ["make", "with_loss", "by_name"])
def test_writes_the_archive_and_prints_its_path(factory, folder, capsys):
    assert main([f"good.py:{factory}", "-o", "out.pt2"]) == 0
    assert capsys.readouterr().out == "out.pt2\n"
    assert torch.export.load("out.pt2").graph_signature.parameters == ("weight", "bias")


class Terminal(io.StringIO):
    """Somebody looks."""

    def isatty(self):
        return True


def test_progress_is_shown_from_the_third_second_on():
    now, stream = [100.0], Terminal()
    with Progress(stream, lambda: now[0]) as progress:
        progress.ran()
        now[0] += 2.9
        progress.ran()
        assert stream.getvalue() == ""
        now[0] += 0.1
        progress.ran()
        assert stream.getvalue().startswith("\rremat_studio.trace: 3 operators of forward and backward, 3 s")
        shown = stream.getvalue()
        progress.ran()  # not at every operator
        assert stream.getvalue() == shown
        now[0] += 1
        progress.writes()
        assert "writing the trace, 4 s" in stream.getvalue()
    assert stream.getvalue().endswith("\r") and "\n" not in stream.getvalue()
    quiet = io.StringIO()
    with Progress(quiet, lambda: now[0]) as progress:
        now[0] += 60
        progress.ran()
    assert quiet.getvalue() == ""


def test_a_trace_tells_its_progress(folder, monkeypatch, capsys):
    monkeypatch.setattr(remat_studio.progress, "PATIENCE_SECONDS", 0.0)
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    assert main(["good.py:make", "-o", "out.pt2"]) == 0
    assert "operators of forward and backward" in stream.getvalue()


def test_no_weights(folder):
    assert main(["good.py:make", "-o", "out.pt2", "--no-weights"]) == 0
    assert not torch.export.load("out.pt2").state_dict["weight"].any()


def test_says_what_the_user_may_not_expect(folder, capsys):
    assert main(["good.py:evaluation", "-o", "out.pt2"]) == 0
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert "evaluation mode" in said[0] and "mean of squares" in said[1]


@pytest.mark.parametrize(
    ("target", "meaning"),
    [
        ("good.py", "names no factory"),
        ("missing.py:make", "There is no file missing.py"),
        ("missing_module:make", "There is no Python module 'missing_module'"),
        ("good.py:absent", "has no function 'absent'; it has make, with_loss"),
        ("good.py:number", "not a function"),
        ("good.py:nothing", "returned NoneType"),
        ("good.py:no_model", "returned int as model"),
        ("good.py:no_loss", "returned int as loss"),
        ("good.py:broken", "good.py:27: `return nn.Linear(4, 4)(torch.ones(3))`: the factory"),
        ("good.py:branch", "good.py:32: `return y if y.sum() > 0 else -y`: the model decides"),
        ("wrong.py:make", "wrong.py:1"),
        ("failing.py:make", "failing.py:1: `import no_such_package`"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(target, meaning, folder, capsys):
    assert main([target, "-o", "out.pt2"]) == 2
    said = capsys.readouterr()
    assert meaning in said.err
    assert said.err.startswith("remat_studio.trace: ") and said.err.count("\n") == 1 and "Traceback" not in said.err
    assert not (folder / "out.pt2").exists()


@pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without CUDA")
def test_a_missing_device_is_said(folder, capsys):
    assert main(["good.py:make", "--device", "cuda"]) == 2
    assert "no CUDA device" in capsys.readouterr().err
    assert main(["good.py:make", "--device", "cuda:1"]) == 2
    assert "no CUDA device" in capsys.readouterr().err
    assert main(["good.py:make", "--device", "cpu"]) == 0


@pytest.mark.parametrize("device", ["cuda:", "cuda:x", "cuda:-1", "gpu"])
def test_a_wrong_device_is_said(device, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["good.py:make", "--device", device])
    assert "is no device" in capsys.readouterr().err


def test_a_gpu_that_is_not_there_is_said(folder, capsys, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    assert main(["good.py:make", "--device", "cuda:1"]) == 2
    assert "There is no cuda:1 here" in capsys.readouterr().err


def test_runs_as_a_module(folder):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "resources" / "python")}
    command = [sys.executable, "-m", "remat_studio.trace"]
    done = subprocess.run([*command, "good:make", "-o", "out.pt2"], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "out.pt2\n")
    assert done.stderr.count("\n") == 1, done.stderr
    failed = subprocess.run([*command, "good:absent"], env=environment, capture_output=True, text=True)
    assert failed.returncode == 2 and "Traceback" not in failed.stderr
    with pytest.raises(SystemExit) as wrong_call:
        main([])
    assert wrong_call.value.code == 2


def test_the_module_is_the_function(tmp_path):
    path = tmp_path / "model.pt2"
    assert remat_studio.trace(nn.Linear(4, 4), (torch.ones(2, 4),), path=path) == str(path)
    from remat_studio import trace

    assert trace is remat_studio.trace is sys.modules["remat_studio.trace"]
    assert trace.trace(nn.Linear(4, 4), torch.ones(2, 4), path=path) == str(path)
