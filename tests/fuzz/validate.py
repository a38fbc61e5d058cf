# SPDX-License-Identifier: Apache-2.0
"""Real runs of traces whose arguments were changed: ``python validate.py --remat build/bin/remat``.

``remat validate`` must end with a verdict or a sentence, whatever operators are called with: not by a signal, not
without an end, and without a file written anywhere. Every run is a process of its own and loads LibTorch, so these are
counted apart from the readers' inputs.
"""

import argparse
import io
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
LONGEST_SECONDS = 120

ODD_NUMBERS = [0, -1, 1, 2, 3, 7, 64, 1 << 20, (1 << 31) - 1, 1 << 31, 1 << 40, (1 << 63) - 1, -(1 << 63), 0.5, -0.5, 1e300]
ODD_TEXTS = ["", "mean", "none", "tanh", "../x", "/tmp/x", "%s", "a" * 1000]
# Operators that must not run from a file, beside those that a model may have.
TARGETS = ["from_file.default", "save.default", "_print.default", "fill_.Scalar", "resize_.default", "set_.source_Storage",
           "as_strided.default", "native_dropout.default", "empty.memory_format", "mm.default", "index.Tensor",
           "_foobar.default", "set_data.default", "record_stream.default", "to_dense.default", "system.default"]


def read(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist()}


def packed(entries):
    result = io.BytesIO()
    with zipfile.ZipFile(result, "w", zipfile.ZIP_STORED) as archive:
        for name, content in entries.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return result.getvalue()


def places(value):
    """Every (holder, key) in a tree whose value is no structure."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        if isinstance(inner, (dict, list)):
            yield from places(inner)
        else:
            yield value, key


def odd(value, rng):
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return rng.choice(ODD_NUMBERS)
    if isinstance(value, str):
        return rng.choice(ODD_TEXTS)
    return rng.choice([None, 0, True, ""])


def change(model, rng):
    """One change of what one node is called with, or of how one tensor is said to be."""
    graph = model["graph_module"]["graph"]
    node = rng.choice(graph["nodes"])
    what = rng.random()
    if what < 0.6 and node["inputs"]:
        argument = rng.choice(node["inputs"])["arg"]
        found = list(places(argument))
        if not found:
            return
        holder, key = rng.choice(found)
        if key == "name":  # a tensor: another one
            holder[key] = rng.choice(list(graph["tensor_values"]))
        else:
            holder[key] = odd(holder[key], rng)
    elif what < 0.75:
        node["target"] = "torch.ops.aten." + rng.choice(TARGETS)
    elif what < 0.85 and node["inputs"]:
        del node["inputs"][rng.randrange(len(node["inputs"]))]
    else:
        meta = rng.choice(list(graph["tensor_values"].values()))
        holder, key = rng.choice(list(places(meta)))
        holder[key] = rng.choice([3, 5, 7, 1, 13]) if key == "dtype" else odd(holder[key], rng)


def changed(data, rng):
    entries = read(data)
    name = next(n for n in entries if n.endswith("models/model.json"))
    model = json.loads(entries[name])
    for _ in range(rng.randint(1, 3)):
        change(model, rng)
    entries[name] = json.dumps(model).encode()
    return packed(entries)


def call(remat, *arguments, folder):
    return subprocess.run([remat, *map(str, arguments)], cwd=folder, capture_output=True, timeout=LONGEST_SECONDS,
                          errors="replace", text=True)


def broken(remat, data):
    """What is wrong with how a trace was run, or nothing; and whether it was run at all."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        trace, plan = folder / "trace.pt2", folder / "plan.json"
        trace.write_bytes(data)
        try:
            made = call(remat, "plan", trace, "--budget", "100%", "--solver", "keep-all", "-o", plan, folder=folder)
            if made.returncode not in (0, 1, 2):
                return f"plan ends with {made.returncode}: {made.stderr[-300:]}", False
            if made.returncode != 0:
                return None, False
            before = set(folder.iterdir())
            run = call(remat, "validate", trace, plan, folder=folder)
        except subprocess.TimeoutExpired as late:
            return f"{late.cmd[1]} has no end", False
        if run.returncode not in (0, 1, 2):
            return f"validate ends with {run.returncode}: {run.stderr[-300:]}", True
        if not (run.stdout + run.stderr).strip():
            return "validate says nothing", True
        left = set(folder.iterdir()) - before
        if left:
            return f"validate leaves files: {sorted(p.name for p in left)}", True
        return None, True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--remat", required=True, type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--runs", type=int, default=10**9, help="at most")
    parser.add_argument("--seconds", type=float, default=60, help="at most, after the files that ever failed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("fuzz-work/validate"))
    flags = parser.parse_args()

    rng = random.Random(flags.seed)
    good = [p.read_bytes() for p in sorted((HERE / "corpus" / "trace").glob("good-*.pt2"))]
    once_failed = [p.read_bytes() for p in sorted((HERE / "failures" / "validate").glob("*.pt2"))]
    end = time.monotonic() + flags.seconds
    figures = {"inputs": 0, "run": 0}
    failures = {}
    while figures["inputs"] < len(once_failed) or (time.monotonic() < end and figures["inputs"] < flags.runs):
        number = figures["inputs"]
        data = once_failed[number] if number < len(once_failed) else changed(rng.choice(good), rng)
        fault, ran = broken(flags.remat, data)
        figures["inputs"] += 1
        figures["run"] += ran
        if fault and fault not in failures:
            flags.keep.mkdir(parents=True, exist_ok=True)
            failures[fault] = flags.keep / f"{flags.seed}-{number}.pt2"
            failures[fault].write_bytes(data)
    print(f"validate        {figures['inputs']} inputs, {figures['run']} of them run, {len(failures)} failures")
    for fault, path in failures.items():
        print(f"  {fault}\n  kept in {path}")
    return 1 if failures or not figures["inputs"] else 0


if __name__ == "__main__":
    sys.exit(main())
