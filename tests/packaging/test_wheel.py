# SPDX-License-Identifier: Apache-2.0
"""The wheel of a build tree installs beside a PyTorch that is there, runs from its own place, and trains.

test_wheel.py BUILD: with the Python that has PyTorch; nothing is downloaded. packaging/check-wheel has what is looked at.
"""

import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import unittest
import zipfile
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
BUILD = Path(sys.argv.pop() if len(sys.argv) > 1 else "build").resolve()


def make(out, moment="1700000000"):
    made = subprocess.run([sys.executable, PACKAGING / "make_wheel.py", BUILD, out], capture_output=True, text=True,
                          env=os.environ | {"SOURCE_DATE_EPOCH": moment})
    assert made.returncode == 0, made.stderr
    return Path(made.stdout.strip())


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.wheel = make(Path(cls.folder.name))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_installed_beside_pytorch_it_plans_runs_and_trains(self):
        packages = sysconfig.get_path("purelib")
        done = subprocess.run([sys.executable, PACKAGING / "check-wheel", self.wheel, "--link", packages],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("the README's example trains under its budget", done.stdout)

    def test_its_tag_and_what_it_holds(self):
        self.assertRegex(self.wheel.name, r"^remat_studio-[\d.]+-py3-none-manylinux_2_\d+_\w+\.whl$")
        names = zipfile.ZipFile(self.wheel).namelist()
        for name in ("bin/remat", "bin/remat-cbc", "bin/remat-run", "share/remat-studio/devices/h100.json"):
            self.assertIn(f"remat_studio/{name}", names)
        self.assertFalse([name for name in names if re.search(r"__pycache__|libtorch|libc10|libQt|libc\.so", name)])

    def test_the_same_bytes_again(self):
        with tempfile.TemporaryDirectory() as other:
            self.assertEqual(make(Path(other)).read_bytes(), self.wheel.read_bytes())


if __name__ == "__main__":
    unittest.main()
