# SPDX-License-Identifier: Apache-2.0
"""Pages that people read first can be read: short lines, paragraphs and sentences.

No line of prose is over 120 characters, no paragraph over five lines, no sentence over 30 words. Tables, pictures, headings
and code are left out; a span of code counts as one word.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LONGEST_LINE, LONGEST_PARAGRAPH, LONGEST_SENTENCE = 120, 5, 30
# Pages that do not keep the rules yet, and may not be forgotten.
NOT_YET = set()


def pages() -> list:
    found = [ROOT / "README.md", *sorted((ROOT / ".github").glob("*.md"))]
    for top in ("core", "solvers", "gpu", "app", "resources", "tests", "packaging"):
        found += sorted((ROOT / top).rglob("*.md"))
    return [page for page in found if page.relative_to(ROOT).as_posix() not in NOT_YET]


def paragraphs(text: str):
    """(line number, lines) of each paragraph or list item of prose."""
    lines, start, code = [], 0, False
    for number, line in enumerate(text.split("\n") + [""], 1):
        stripped = line.strip()
        if stripped.startswith("```"):
            code = not code
        prose = stripped and not code and not stripped.startswith(("```", "|", "!", "<", "#", ">"))
        if lines and (not prose or re.match(r"([-*]|\d+\.) ", stripped)):
            yield start, lines
            lines = []
        if prose:
            start = start if lines else number
            lines = [*lines, line]


def faults(page: Path):
    name = page.relative_to(ROOT)
    for number, lines in paragraphs(page.read_text()):
        for offset, line in enumerate(lines):
            if len(line) > LONGEST_LINE:
                yield f"{name}:{number + offset}: a line of {len(line)} characters"
        if len(lines) > LONGEST_PARAGRAPH:
            yield f"{name}:{number}: a paragraph of {len(lines)} lines"
        words = re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "x", " ".join(line.strip() for line in lines)))
        for sentence in re.split(r"(?<=[.!?:;])\s+", words):
            if len(sentence.split()) > LONGEST_SENTENCE:
                yield f"{name}:{number}: a sentence of {len(sentence.split())} words: {sentence[:60]}…"


if __name__ == "__main__":
    found = [fault for page in pages() for fault in faults(page)]
    print("\n".join(found) or "every page can be read")
    sys.exit(1 if found else 0)
