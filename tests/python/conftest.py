"""Makes the package and the samples' models importable from the source tree."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources" / "python"), str(ROOT / "resources" / "samples")]
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))
