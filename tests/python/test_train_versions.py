# SPDX-License-Identifier: Apache-2.0
"""Versions of PyTorch: private names stand in one file, and outside of the range scripts run on without plans."""

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT
from remat_studio import supported, torch_private

PACKAGE = ROOT / "resources" / "python"
PRIVATE = re.compile(
    r"\b(torch|distributed\w*)\.(?!ops\b)([a-z]\w*\.)*_[a-zA-Z]"  # also in a string: a module to patch, say
    r"|from torch\S* import (\w+, )*_\w|from torch[\w.]*\._\w"
)
SCRIPT = """
import importlib.metadata, sys, warnings
real = importlib.metadata.version
importlib.metadata.version = lambda name: sys.argv[1] if name == "torch" else real(name)
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    import remat_studio
    installed = remat_studio.install("50%")
print(*(str(each.message) for each in said if "remat_studio" in str(each.message)), sep="|")
import torch
from torch._inductor import config
model = torch.nn.Linear(3, 3)
planned = torch.compile(remat_studio.planned(model, torch.ones(2, 3), budget="50%"), backend="remat")
planned(torch.ones(2, 3)).sum().backward()
print(installed, config.custom_partitioner_fn, model.weight.grad.sum().item(), remat_studio.records())
for name in ("trace", "plan"):
    try:
        getattr(remat_studio, name)
    except ImportError as error:
        print(error)
"""


def test_private_names_of_pytorch_stand_in_one_file():
    files = {file.relative_to(PACKAGE).as_posix(): file.read_text().splitlines() for file in PACKAGE.rglob("*.py")}
    found = {name: lines for name, text in files.items() if (lines := [line for line in text if PRIVATE.search(line)])}
    assert list(found) == ["remat_studio/torch_private.py"], found


@pytest.mark.parametrize("name", sorted(torch_private._NAMES))
def test_pytorch_has_the_names(name):
    assert getattr(torch_private, name) is not None


def _beside(version, step):
    return f"{version[0]}.{version[1] + step}.0"


@pytest.mark.rotates(group="long")
@pytest.mark.parametrize("version", [_beside(supported.OLDEST, -1), _beside(supported.BEFORE, 0)])
def test_outside_of_the_range_one_sentence_is_said_and_training_is_plain(version):
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, version],
        env=os.environ | {"PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    said, plain, *refused = ran.stdout.splitlines()
    wanted = "remat_studio works with PyTorch 2.11 or newer, below 2.12"
    sentence = f"{wanted}, and this is {version}; install one of those."
    assert said == f"{sentence} Until then nothing is planned, and training runs as without it."
    assert plain == "None None 18.0 []"
    assert refused == [sentence, sentence]
