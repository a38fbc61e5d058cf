# SPDX-License-Identifier: Apache-2.0
"""``examples/train_gpt2.py`` trains both ways as a user runs it."""

import os
import re
import subprocess
import sys

from conftest import ROOT


def test_gpt2_trains_the_same_with_a_plan_in_the_memory_that_was_predicted():
    package = ROOT / "resources" / "python"
    sizes = {"steps": 3, "layers": 2, "width": 32, "batch": 4, "length": 32, "budget": "80%"}
    arguments = [f"--{name}={value}" for name, value in sizes.items()]
    ran = subprocess.run(
        [sys.executable, package / "examples" / "train_gpt2.py", *arguments],
        env=os.environ | {"PYTHONPATH": str(package), "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert "the losses are equal" in ran.stdout
    plain, planned = map(float, re.findall(r"peak ([\d.]+) MiB beside", ran.stdout))
    assert planned <= 0.8 * plain + 0.1
    assert f"predicted: {planned:.1f} of" in ran.stdout
