# SPDX-License-Identifier: Apache-2.0
"""Makes the good files of corpus/: ``python make_corpus.py path/to/remat``.

Small files of every kind, from which the fuzzer makes its inputs. What fuzzing found to reach more code may stand
beside them under any name that does not begin with ``good``.
"""

import io
import json
import pathlib
import struct
import subprocess
import sys
import zipfile

import torch
from torch import nn

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "resources" / "python"))

import remat_studio  # noqa: E402


def write(name, content):
    path = HERE / "corpus" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def storage(name, size):
    return {"name": name, "bytes": size}


def chain():
    """The graph that plans, profiles and decisions of the corpus are for."""
    ops = [
        {"name": f"f{i}", "kind": "linear", "time_us": 1 + i, "inputs": ["x", "w"] if i == 0 else [f"a{i - 1}", "w"],
         "outputs": [storage(f"a{i}", 100 + 10 * i)], "module": f"layers.{i}", "phase": "forward"}
        for i in range(4)
    ]
    ops[1]["random"] = True
    ops[2]["workspace_bytes"] = 16
    ops.append({"name": "loss", "kind": "mse", "time_us": 1, "inputs": ["a3"], "outputs": [storage("l", 8)], "phase": "loss"})
    for i in reversed(range(4)):
        ops.append({"name": f"b{i}", "kind": "linear_backward", "time_us": 2 + i,
                    "inputs": ["l" if i == 3 else f"g{i + 1}", f"a{i}"], "phase": "backward", "forward_op": f"f{i}",
                    "module": f"layers.{i}", "outputs": [storage(f"g{i}", 100), storage(f"w{i}", 40)]})
    return {"format": "remat-graph/1", "name": "chain", "ops": ops,
            "inputs": [{"name": "x", "bytes": 64, "kind": "input"}, {"name": "w", "bytes": 40, "kind": "parameter"}],
            "outputs": ["l", "w0", "w1", "w2", "w3"]}


def odd():
    """Two outputs of one op, nothing read, nothing made that is read, no bytes, no time, in place, a buffer."""
    return {"format": "remat-graph/1", "name": "odd é", "outputs": ["s", "t"],
            "inputs": [{"name": "b", "bytes": 8, "kind": "buffer"}, {"name": "x", "bytes": 0, "kind": "input"}],
            "ops": [{"name": "a", "inputs": [], "outputs": [storage("p", 0), storage("q", 1 << 33)], "time_us": 0},
                    {"name": "c", "inputs": ["b", "x", "p"], "outputs": [storage("s", 5)], "compute_once": True},
                    {"name": "d", "inputs": ["q", "s"], "outputs": [storage("t", 7), storage("u", 9)], "module": "m"}]}


class Small(nn.Module):
    """A convolution, a norm with buffers, dropout, a linear layer: what archives are made of."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, padding=1)
        self.norm = nn.BatchNorm2d(2)
        self.out = nn.Linear(2 * 16, 3)

    def forward(self, image, target):
        hidden = nn.functional.dropout(torch.relu(self.norm(self.conv(image))), 0.5)
        return nn.functional.cross_entropy(self.out(hidden.flatten(1)), target)


class Tied(nn.Module):
    """Attention over an embedding whose weight is the head's, too."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(7, 4)

    def forward(self, ids):
        x = self.embed(ids)
        a, b = x.split(2, dim=-1)
        x = x + torch.softmax(a @ b.transpose(1, 2), -1) @ x
        return nn.functional.cross_entropy((x @ self.embed.weight.t()).flatten(0, 1), ids.flatten())


def stored(archive, rename=lambda name: name):
    """The archive with nothing packed, so that its text can be changed in place; without sample inputs."""
    result = io.BytesIO()
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(result, "w", zipfile.ZIP_STORED) as target:
        for entry in source.infolist():
            if "sample_inputs" not in entry.filename:
                target.writestr(zipfile.ZipInfo(rename(entry.filename)), source.read(entry))
    return result.getvalue()


def traces():
    for name, model, inputs in [
        ("small", Small(), {"image": torch.randn(2, 1, 4, 4), "target": torch.tensor([0, 2])}),
        ("tied", Tied(), {"ids": torch.randint(0, 7, (2, 3))}),
    ]:
        packed = HERE / "corpus" / "trace" / f"good-{name}-packed.pt2"
        packed.parent.mkdir(parents=True, exist_ok=True)
        remat_studio.trace(model, inputs, path=packed)
        write(f"trace/good-{name}.pt2", stored(packed))


def plans(remat):
    graph = write("graph/good-chain.json", json.dumps(chain(), indent=1))
    write("graph/good-odd.json", json.dumps(odd()))
    made = {}
    for name, arguments in {"keep-all": [], "chen-sqrt": [], "search": [], "offload-greedy": ["--set", "parameters=on"]}.items():
        path = HERE / "corpus" / "plan" / f"good-{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        budget = "100%" if name == "keep-all" else "85%"
        subprocess.run([remat, "plan", graph, "--budget", budget, "--solver", name, "--time-limit", "2", "--device", "h100",
                        *arguments, "-o", path], check=True, stdout=subprocess.DEVNULL)
        made[name] = json.loads(path.read_text())
    ran = dict(made["chen-sqrt"])
    ran["validated"] = {"passed": True, "sentence": "Equal.", "device": "cpu", "device_title": "x", "torch_version": "2.11",
                        "loss_equal": True, "gradients": 4, "gradients_equal": 3, "buffers": 1, "buffers_equal": 1,
                        "largest_difference": 0.5, "differences": [{"name": "w", "largest_difference": 0.5}],
                        "measured_peak_bytes": 5, "measured_keep_all_peak_bytes": 6, "predicted_peak_bytes": 5,
                        "peak_reasons": ["r"], "measured_time_us": 1.5, "measured_keep_all_time_us": 1}
    write("plan/ran.json", json.dumps(ran))
    header = made["keep-all"]["graph"]
    measured = {
        "format": "remat-profile/1", "graph": header, "device": "cpu", "device_title": "Xeon", "torch_version": "2.11.0",
        "repeats": 5, "alias_mismatches": ["v"],
        "ops": [{"op": op["name"], "time_us": 1.5, "spread_us": 0.25, "workspace_bytes": 64} for op in chain()["ops"]]}
    write("profile/good-measured.json", json.dumps(measured))
    write("profile/good-trusted.json", json.dumps(measured | {
        "distinct_ops": 9, "spread_limit": 0.02, "step": {"time_us": 14.5, "spread_us": 0.5, "between_us": 1},
        "link": [{"bytes": 4096, "to_host_us": 2, "to_device_us": 3.5}, {"bytes": 65536, "to_host_us": 9, "to_device_us": 8}],
        "clocks": {"governor": "performance", "least_mhz": 1200, "most_mhz": 3400.5, "memory_mhz": 2619},
        "ops": [op | {"samples": 5, "outliers": 1} for op in measured["ops"]]}))
    write("story/good-story.json", json.dumps({
        "format": "remat-story/1", "title": "é", "planner": "rotor", "graph": header, "budget_bytes": 500,
        "frames": [{"text": "one", "ops": ["f0"], "storages": ["a0"],
                    "table": {"columns": ["a", "b"], "rows": [["1", "2"]], "marked": [[0, 1]]},
                    "chart": {"title": "t", "x": "x", "y": "y", "x_unit": "bytes", "y_unit": "us",
                              "series": [{"name": "s", "points": [[0, 1.5], [2, 1e300]]}]}},
                   {"text": "two"}]}))
    write("session/good-session.json", json.dumps({
        "format": "remat-session/1", "saved_ms": 1700000000123, "budget_bytes": 500, "current_plan": 2, "compared": [2, 1],
        "model": {"path": "/m/chain.json", "relative_path": "../chain.json", "title": "é", "fingerprint": header["fingerprint"]},
        "by_hand": {"keep": ["a1"], "recompute": ["f2"], "never_recompute": ["f3"]},
        "solves": [{"planner": "search", "options": [{"name": "rounds", "value": "3"}], "time_limit_s": 2.5, "threads": 2,
                    "budget_bytes": 400, "by_hand": {"keep": ["a1"], "recompute": [], "never_recompute": []},
                    "state": "done", "optimal": True, "seconds": 0.5, "plan": 2, "time_us": 12.5, "bound_us": 12,
                    "sentence": "s"}],
        "selection": {"op": "f1", "storage": "a1"},
        "time": {"axis": "steps", "cursor_us": 0.3, "seen": [0.5, 2.5], "range": None},
        "costs": {"device": "h100", "profile_title": "", "profile": None}, "views": {"graph": {"expanded": ["a"]}},
        "window": {"docks": "AAAA"},
        "plans": [{"id": 1, "title": "Keep-all", "quick": False, "plan": made["keep-all"]},
                  {"id": 2, "title": "Search", "quick": True, "plan": made["search"]}]}))


def teaching():
    graph = chain()
    choices = {"choices": ["One", "Two"], "answer": 1, "because": "It is {peak}."}
    write("lesson/good-all.json", json.dumps({
        "format": "remat-lesson/1", "number": 3, "title": "é", "goal": "g", "remember": "r", "minutes": 6,
        "words": [{"word": "budget", "means": "A limit.", "step": 1, "everyday": True}],
        "figures": {"peak": {"shown": "540 B", "of": "peak"},
                    "extra": {"shown": "2.00 ms", "of": "extra time", "planner": "search", "budget": "85%",
                              "options": {"rounds": "3"}}},
        "steps": [
            {"title": "a", "text": ["A **budget**: {peak}, {extra}.", "`f1`"], "predict": {"text": "?", **choices},
             "scene": {"model": "chain", "budget": "100%", "views": ["graph", "memory", "plan"], "select": "f1",
                       "cursor": "peak", "player": True, "clear_pins": True}},
            {"title": "b", "text": "t", "scene": {"budget": "60%", "planner": "rotor", "options": {"slots": "9"}, "story": "rotor"},
             "task": {"text": "Do.", "hints": ["One."], "solution": ["select=f2", "decide.recompute"],
                      "done": {"recompute": ["f2"], "keep": ["a1"], "never": ["f3"], "budget_at_most": "400B",
                               "budget_at_least": "10%", "peak_at_most": "90%", "peak_at_least": "1B", "cursor_at": "f1",
                               "overhead_at_most": 0.5, "planner": "search", "selected": "a2", "view": "matrix"}}},
            {"title": "c", "text": "t", "question": {"text": "?", **choices}}],
        "recall": [{"text": "?", **choices}]}))
    write("texts/good-three.json", json.dumps({"format": "remat-texts/1", "texts": [
        {"source": "Keep-all needs {peak}.", "text": "Keep-all braucht {peak}."},
        {"source": "A **budget** is a limit.", "text": "Ein **Budget** ist eine Grenze."},
        {"source": "Select `f1`.", "text": "Wählen Sie `f1`."}]}))
    head = {"format": "remat-puzzle/1", "title": "é", "text": "t", "translations": {"de": {"title": "ü", "text": "t"}},
            "graph": graph, "budget_bytes": 700, "moves": {"again": True}}
    write("puzzle/good-open.json", json.dumps(head))
    plain = chain()  # with copies or addresses every op makes one storage and needs no workspace
    for op in plain["ops"]:
        op.pop("workspace_bytes", None)
        del op["outputs"][1:]
    plain["outputs"] = ["l", "g0"]
    once = [{"do": "compute", "op": op["name"]} for op in plain["ops"]]
    solved = {**head, "graph": plain, "number": 2, "budget_bytes": 2000, "par_extra_us": 4.5,
              "optimum": {"peak_bytes": 1000, "extra_us": 0, "copied_bytes": 0}}
    copied = [*once[:5], {"do": "offload", "storage": "a0"}, {"do": "free", "storage": "a0"},
              {"do": "prefetch", "storage": "a0"}, *once[5:]]
    write("puzzle/good-copies.json", json.dumps(
        {**solved, "moves": {"copies": {"bytes_per_second": 1e9, "latency_us": 2}}, "solution": copied}))
    write("puzzle/good-places.json", json.dumps(
        {**solved, "moves": {"addresses": True}, "solution": [*once[:-1], {**once[-1], "top": True}]}))


def doubles(*values):
    return struct.pack(f"<Q{len(values)}d", len(values), *values)


def messages():
    """As solvers/ilp/helper_messages.cpp packs them."""
    infinity = float("inf")
    terms = struct.pack("<Q", 2) + struct.pack("<id", 0, 1.5) + struct.pack("<id", 1, -2)
    request = struct.pack("<Q", 0x72656D61742D0002) + doubles(1, 2) + doubles(0, 0) + doubles(1, 1)
    request += struct.pack("<Q2B", 2, 1, 0) + struct.pack("<Q2i", 2, 0, 2) + terms + doubles(-infinity) + doubles(1)
    request += struct.pack("<dqddi", 5.0, 1 << 40, 1e-7, 1e-9, 1) + doubles() + struct.pack("<di", infinity, 7)
    write("solve-request/good-small", request)
    write("solve-reply/good-progress", struct.pack("<cdd", b"p", 3.5, -infinity))
    reply = struct.pack("<ci", b"x", 0) + doubles(0, 1, 0.5) + struct.pack("<ddq", 3.5, 3, 1234)
    write("solve-reply/good-solution", reply)
    write("frames/good-two", b"".join(struct.pack("<Q", len(m)) + m for m in (b"", reply)))
    write("frames/cut-off", struct.pack("<Q", 1 << 40) + b"rest")
    write("layout-request/good-three.json", json.dumps({
        "id": 7, "nodes": [{"id": n, "width": 120, "height": 26} for n in "abc"], "edges": [["a", "b"], ["b", "c"]],
        "options": {"rank_gap": 20, "node_gap": 4}}))
    places = [(0, 0), (1, 0), (1, 1), (2, 0)]
    write("layout-answer/good-four.json", json.dumps({
        "id": 7, "width": 300.0, "height": 90.5,
        "nodes": [{"id": str(row), "x": 1, "y": 2, "rank": rank, "order": order} for row, (rank, order) in enumerate(places)]}))
    write("layout-answer/error.json", json.dumps({"id": 7, "error": "The clusters of this file are too many."}))


def words():
    for name, text in {"size": "4GiB", "share": "60%", "below": "-500MiB", "range": "90%:20%:-10", "list": "90%,1.5 GB,123456789"}.items():
        write(f"amounts/good-{name}", text)
    write("settings/good-all", "parameters=on\nrounds=12\nbelow=-3\nshare=0.25\nwide=1e18\norder=best first")
    write("pins/good-three", "keep a1\nrecompute f2\nnever f0")
    write("pins/good-module", "keep layers.1\nnever layers.3")
    write("filter/good-many", "kind:addmm -module:h.11 size>10MiB time<=1.5ms times=2 recomputed attn")
    write("table/good-row", 'a|b,c|d"e"|f\ng|=1+1|')
    for name in ("h100", "reference"):
        write(f"device/good-{name}.json", (ROOT / "resources" / "devices" / f"{name}.json").read_text())


if __name__ == "__main__":
    words()
    messages()
    teaching()
    plans(sys.argv[1])
    traces()
