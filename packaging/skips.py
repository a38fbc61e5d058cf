# SPDX-License-Identifier: Apache-2.0
"""Says which tests of a run looked away, and why. Argument: CTest's LastTest.log."""

import re
import sys
from collections import Counter
from pathlib import Path

# What Qt Test and pytest (-rs) print for a test that was skipped, and CTest for a whole program.
PATTERNS = (
    r"^SKIP\s*: (?P<test>\S+?\)?) (?P<why>.+)$",
    r"^SKIPPED \[(?P<times>\d+)\] (?P<test>\S+): (?P<why>.+)$",
    r"^(?P<why>skipped): (?P<test>.+)$",
)


def main() -> None:
    reasons: Counter[str] = Counter()
    for line in Path(sys.argv[1]).read_text(errors="replace").splitlines():
        for pattern in PATTERNS:
            if match := re.match(pattern, line):
                found = match.groupdict()
                reasons[f"{found['test']}: {found['why']}"] += int(found.get("times") or 1)
                break
    print(f"{reasons.total() or 'No'} skipped test{'' if reasons.total() == 1 else 's'}{':' if reasons else '.'}")
    for what, times in sorted(reasons.items()):
        print(f"  {what}{f' ({times} times)' if times > 1 else ''}")


if __name__ == "__main__":
    main()
