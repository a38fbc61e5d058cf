# SPDX-License-Identifier: Apache-2.0
"""Takes every view of the window in every look, on contact sheets to be looked at before a release.

    python make_sheets.py FOLDER                       all sheets, one for each size, scale and theme
    python make_sheets.py FOLDER --looks 1280x800-dark only that one

Needs a built remat-studio, Pillow, and no display. The sheets are no part of the repository.
"""

import argparse
import pathlib
import sys
import tempfile

from make_pictures import ROOT, take

# Name: sample, budget, what is done before the picture is taken. Each shows views that no other does.
SCENES = {
    "start": ("", "", []),
    "graph": ("tiny_gpt2", "60%", ["planner=hiremate", "solve", "select=h.0.attn"]),
    "curve": ("tiny_gpt2", "60%", ["sweep", "showDecisions"]),
    "compare": ("tiny_gpt2", "60%", ["planner=rotor", "solve", "planner=hiremate", "solve", "preset.compare"]),
    "lanes": ("tiny_unet", "60%", ["planner=pofo", "solve", "show.lanes", "showExplain"]),
    "addresses": ("tiny_gpt2", "60%", ["show.addresses", "select=h.0.attn"]),
    "solves": ("tiny_gpt2", "60%", ["planner=rotor", "solve", "showJobs", "showSummary"]),
    "matrix": ("tiny_gpt2", "60%", ["show.matrix"]),
    "results": ("tiny_gpt2", "60%", ["find", "type=kind:addmm", "showResults"]),
    "fits": ("tiny_gpt2", "60%", ["show.fits"]),
    "tensors": ("tiny_gpt2", "60%", ["show.tensors", "show.source"]),
    "below": ("tiny_gpt2", "20%", ["show.range"]),
    "learn": ("tiny_gpt2", "60%", ["preset.learn"]),
    "palette": ("tiny_gpt2", "60%", ["palette", "type=@h.1"]),
}

# Size in logical pixels, percent of text and controls: a screen of 1920 x 1080 at 200 % has room for 960 x 540.
SIZES = {
    "1280x800": ("1280x800", 100),
    "1920x1080": ("1920x1080", 100),
    "150%": ("1280x720", 150),
    "200%": ("960x540", 200),
}
THEMES = ("light", "dark", "contrast")
COLUMNS, WIDTH = 3, 960  # of a sheet, in pictures; of a picture, in pixels


def sheet(pictures):
    """All pictures in rows, none made larger."""
    from PIL import Image

    small = []
    for path in pictures:
        picture = Image.open(path).convert("RGB")
        picture.thumbnail((WIDTH, WIDTH))
        small.append(picture)
    width, height = max(each.width for each in small), max(each.height for each in small)
    whole = Image.new("RGB", (COLUMNS * (width + 8), -(-len(small) // COLUMNS) * (height + 8)), "grey")
    for i, picture in enumerate(small):
        whole.paste(picture, (i % COLUMNS * (width + 8), i // COLUMNS * (height + 8)))
    return whole


def main():
    looks = [f"{size}-{theme}" for size in SIZES for theme in THEMES]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="for the sheets")
    parser.add_argument("--looks", nargs="+", default=looks, choices=looks, metavar="LOOK", help=", ".join(looks).replace("%", "%%"))
    parser.add_argument("--scenes", nargs="+", default=list(SCENES), choices=list(SCENES), metavar="SCENE")
    parser.add_argument("--single", type=pathlib.Path, help="folder for the pictures by themselves, too")
    parser.add_argument("--studio", default=str(ROOT / "build/bin/remat-studio"), help="the program")
    options = parser.parse_args()
    for folder in filter(None, (options.folder, options.single)):
        folder.mkdir(parents=True, exist_ok=True)
    for look in options.looks:
        size, scale = SIZES[look.rsplit("-", 1)[0]]
        with tempfile.TemporaryDirectory() as folder:
            pictures = []
            for name in options.scenes:
                sample, budget, steps = SCENES[name]
                pictures.append(pathlib.Path(options.single or folder) / f"{look}-{name}.png")
                take(options.studio, look, pictures[-1], sample, budget, steps, size, scale)
            path = options.folder / f"{look}.png"
            sheet(pictures).save(path)
        print(path, flush=True)


if __name__ == "__main__":
    sys.exit(main())
