# SPDX-License-Identifier: Apache-2.0
"""Takes the pictures of the window that stand in the README, of the real program and the samples.

    python make_pictures.py                 all of them, into this folder
    python make_pictures.py compare-dark    only that one
    python make_pictures.py --list          what there are, and what each shows

Needs a built remat-studio and no display. With Pillow (pip install Pillow) files get a palette of 256 colours, which
makes them three times smaller.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LONGEST_S = 900
COLOURS, EXACT = 256, 80

# Name, which ends in the theme: what it shows, sample, budget, what is done before the picture is taken.
PICTURES = {
    "window-light": (
        "GPT-2 small at half of its memory: the model's hierarchy, the memory timeline, the plan",
        "gpt2", "50%", ["planner=hiremate", "solve", "select=h.10.ln_1"],
    ),
    "curve-dark": (
        "Trade-off: the plans of a sweep over what is impossible",
        "gpt2", "50%", ["sweep"],
    ),
    "compare-dark": (
        "Two plans over each other: where each holds more, what differs, and which is better",
        "unet", "50%", ["planner=rotor", "solve", "planner=hiremate", "solve", "preset.compare"],
    ),
    "matrix-light": (
        "What is computed and kept in every slot of a plan: the R/S matrix",
        "transformer", "40%", ["show.matrix"],
    ),
    "storages-light": (
        "Memory by the largest storages, each with its name",
        "unet", "60%", ["showMemory", "type=g"],
    ),
    "lanes-dark": (
        "Lanes: what is computed, computed again, and copied to the host and back",
        "unet", "40%", ["planner=pofo", "solve", "show.lanes"],
    ),
    "addresses-light": (
        "Where every storage lies in memory, over time",
        "transformer", "50%", ["show.addresses"],
    ),
    "explain-dark": (
        "Why an op is recomputed, what makes the peak, what more memory would buy",
        "resnet50", "30%", ["showExplain", "select=layer2.1.bn2 batch norm"],
    ),
    "solves-light": (
        "The queue of solves: how each one stands, its bound and its gap",
        "transformer", "50%",
        ["planner=rotor", "solve", "planner=pofo", "solve", "planner=hiremate", "solve", "showJobs"],
    ),
    "learn-dark": (
        "A plan played step by step, each step in a sentence",
        "unet", "50%", ["stepPlayer", "showExplain", "step=210"],
    ),
    "start-light": ("The start page", "", "", []),
    "palette-dark": (
        "Every command, op and storage from the keyboard",
        "gpt2", "50%", ["palette", "type=@h.11 recomputed"],
    ),
}


# Animations, the same way: name: what it shows, size of the window, a sample or a graph of the lessons, budget, steps.
ANIMATIONS = {
    "steps-dark": (
        "GPT-2 small at half of its memory, from the first step to the last",
        "1200x760", "gpt2", "50%", ["planPanelAction", "planner=search", "solve"],
    ),
    "rotor-light": (
        "How Rotor plans eight unequal layers: its table, cell by cell",
        "1600x1000", "uneven8", "60%", ["story.rotor"],
    ),
    "search-dark": (
        "How the search plans two towers: it drops what is large and quick to make, then anneals",
        "1600x1000", "two_towers", "60%", ["story.search"],
    ),
}


def opened(model):
    graph = ROOT / "resources" / "lessons" / "graphs" / f"{model}.json"
    return [str(graph)] if graph.exists() else ["--sample", model]


def take(studio, name, out, model, budget, steps, size, scale=100):
    """Runs the program as a person who has never used it before would see it, with text at ``scale`` percent."""
    call = [studio, "--theme", name.rsplit("-", 1)[1], "--size", size, "--screenshot", str(out)]
    if model:
        call += [*opened(model), "--budget", budget]
    for step in steps:
        call += ["--do", step]
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8", "LANGUAGE": "en"}
        environment |= {f"XDG_{kind}_HOME": home for kind in ("CONFIG", "DATA", "CACHE")}
        settings = pathlib.Path(home) / "remat-studio" / "remat-studio.conf"
        settings.parent.mkdir()
        settings.write_text(f"[General]\nuiScale={scale}\n")
        done = subprocess.run(call, env=environment, capture_output=True, text=True, timeout=LONGEST_S)
    if done.returncode:
        sys.exit(f"{name}: {done.stderr.strip() or done.returncode}")


def shrink(path):
    try:
        from PIL import Image
    except ImportError:
        return
    picture = Image.open(path).convert("RGB")
    # What fills areas keeps its exact colour; edges of letters share what is left.
    often = sorted(picture.getcolors(picture.width * picture.height), reverse=True)[:EXACT]
    edges = picture.quantize(COLOURS - EXACT, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in often for part in colour] + edges.getpalette()[: 3 * (COLOURS - EXACT)])
    picture.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="all when none is given")
    parser.add_argument("--studio", default=str(ROOT / "build/bin/remat-studio"), help="the program")
    parser.add_argument("--out", default=HERE, type=pathlib.Path, help="folder for the pictures")
    parser.add_argument("--size", default="1600x1000", help="of the window")
    parser.add_argument("--sample", help="takes this sample in place of each picture's own")
    parser.add_argument("--list", action="store_true", help="names and what each picture shows")
    options = parser.parse_args()
    if options.list:
        for name, (shows, *_) in (PICTURES | ANIMATIONS).items():
            print(f"{name}.png: {shows}")
        return
    for name in options.names or [*PICTURES, *ANIMATIONS]:
        path = options.out / f"{name}.png"
        if name in PICTURES:
            _, sample, budget, steps = PICTURES[name]
            take(options.studio, name, path, sample and (options.sample or sample), budget, steps, options.size)
            shrink(path)
        elif name in ANIMATIONS:
            _, size, model, budget, steps = ANIMATIONS[name]
            with tempfile.TemporaryDirectory() as folder:  # the window's last state is of no use here
                last = pathlib.Path(folder) / "last.png"
                take(options.studio, name, last, model, budget, [*steps, f"animation={path.resolve()}"], size)
        else:
            sys.exit(f"There is no picture {name}. There are: {', '.join([*PICTURES, *ANIMATIONS])}.")
        print(f"{path.name}: {path.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
