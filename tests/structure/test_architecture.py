# SPDX-License-Identifier: Apache-2.0
"""The picture of parts in core/README.md is what CMake's targets say (packaging/cmake/Architecture.cmake)."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main(made: Path) -> int:
    drawn = re.search(r"```mermaid\n(.*?)```", (ROOT / "core/README.md").read_text(), re.DOTALL)
    is_so = made.read_text()
    if drawn and drawn[1] == is_so:
        print("the picture is true")
        return 0
    print(f"The picture in core/README.md is not what the targets say. Between ```mermaid and ``` should stand:\n{is_so}")
    return 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
