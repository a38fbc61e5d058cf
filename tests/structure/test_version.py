# SPDX-License-Identifier: Apache-2.0
"""The version stands in one place: the C++ programs take it from the project's CMake file, the Python package agrees."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def found(file: str, pattern: str) -> str:
    match = re.search(pattern, (ROOT / file).read_text())
    return match.group(1) if match else f"no version in {file}"


if __name__ == "__main__":
    project = found("CMakeLists.txt", r"project\(remat-studio VERSION ([0-9.]+)")
    package = found("resources/python/remat_studio/__init__.py", r'__version__ = "([^"]+)"')
    print(f"CMake {project}, Python {package}")
    sys.exit(0 if project == package else 1)
