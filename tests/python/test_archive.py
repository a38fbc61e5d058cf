# SPDX-License-Identifier: Apache-2.0
"""The file: a standard archive, lean, without weights if wished, and written as a whole or not at all."""

import json
import os
import pathlib
import runpy
import subprocess
import sys
import zipfile

import pytest
import remat_studio
import torch
from remat_studio import archive
from support import assert_same, graph_record, run_archive, run_eager, traced
from torch import nn


def model_json(path):
    with zipfile.ZipFile(path) as file:
        return json.loads(file.read("archive/models/model.json"))


def sizes(path):
    with zipfile.ZipFile(path) as file:
        return {info.filename.removeprefix("archive/"): info.file_size for info in file.infolist()}


def test_without_weights_only_parameters_are_missing(traced_zoo, tmp_path):
    case = traced_zoo("autocast")
    model, whole = case.model, case.program
    lean = traced(model, case.args, tmp_path / "lean.pt2", case.loss_fn, weights=False)
    for name, buffer in model.named_buffers():
        kept = (lean.state_dict | lean.constants)[name]
        assert torch.equal(kept, buffer)
    for name, parameter in model.named_parameters():
        assert torch.equal(whole.state_dict[name], parameter)
        assert lean.state_dict[name].shape == parameter.shape
        assert not lean.state_dict[name].any()
    config = json.loads(zipfile.ZipFile(tmp_path / "lean.pt2").read("archive/data/weights/model_weights_config.json"))
    found = sizes(tmp_path / "lean.pt2")
    for name, entry in config["config"].items():
        assert (found[f"data/weights/{entry['path_name']}"] == 0) == entry["is_param"], name


def test_without_weights_large_buffers_are_missing(tmp_path):
    class Big(nn.Linear):
        def __init__(self):
            super().__init__(4, 4)
            self.register_buffer("big", torch.ones(archive.MAX_KEPT_BYTES // 4 + 1))
            self.register_buffer("small", torch.ones(archive.MAX_KEPT_BYTES // 4))

        def forward(self, x):
            return super().forward(x) * self.big.sum() * self.small.sum()

    program = traced(Big(), (torch.randn(2, 4),), tmp_path / "model.pt2", weights=False)
    assert not program.state_dict["big"].any() and program.state_dict["small"].all()


def test_weights_are_stored_and_the_graph_is_compressed(tmp_path):
    remat_studio.trace(nn.Linear(64, 64), (torch.randn(2, 64),), path=tmp_path / "model.pt2")
    with zipfile.ZipFile(tmp_path / "model.pt2") as file:
        kinds = {info.filename: info.compress_type for info in file.infolist()}
        assert file.testzip() is None
    assert kinds["archive/models/model.json"] == zipfile.ZIP_DEFLATED
    assert kinds["archive/data/weights/weight_0"] == zipfile.ZIP_STORED
    assert sizes(tmp_path / "model.pt2")["data/sample_inputs/model.pt"] == 0


def test_strides_and_views_of_weights_survive(tmp_path):
    class Odd(nn.Module):
        def __init__(self):
            super().__init__()
            storage = torch.randn(8, 8)
            self.transposed = nn.Parameter(storage.t())
            self.part = nn.Parameter(storage[2:6, 1:5])
            self.conv = nn.Conv2d(3, 4, 3).to(memory_format=torch.channels_last)

        def forward(self, x):
            return self.conv(x).sum() + self.transposed.square().sum() + self.part.square().sum()

    model, args = Odd(), (torch.randn(1, 3, 8, 8),)
    program = traced(model, args, tmp_path / "model.pt2")
    assert program.state_dict["transposed"].stride() == (1, 8)
    assert program.state_dict["conv.weight"].is_contiguous(memory_format=torch.channels_last)
    assert_same(run_archive(program, args), run_eager(model, args))


def test_a_model_on_the_meta_device_needs_no_memory(tmp_path):
    with torch.device("meta"):
        model = nn.Sequential(nn.Linear(100_000, 100_000), nn.ReLU(), nn.Linear(100_000, 10))
    remat_studio.trace(model, (torch.randn(2, 100_000),), path=tmp_path / "model.pt2", weights=False)
    devices = {
        v["device"]["type"]
        for v in model_json(tmp_path / "model.pt2")["graph_module"]["graph"]["tensor_values"].values()
    }
    assert devices == {"cpu"}


def test_values_of_tensors_without_data_follow_from_their_names(tmp_path):
    with torch.device("meta"):
        model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4))
    inputs = graph_record(traced(model, (torch.randn(1, 3, 8, 8),), tmp_path / "model.pt2", weights=False))["inputs"]
    assert (inputs["p_0_weight"]["mean"], inputs["p_0_weight"]["std"]) == (0.0, 0.02)
    assert (inputs["p_1_weight"]["mean"], inputs["p_1_weight"]["std"]) == (1.0, 0.0)
    assert inputs["b_1_running_var"]["mean"] == 1.0 and inputs["b_1_running_mean"]["mean"] == 0.0


def test_a_compiled_model_is_traced_as_it_was_before(tmp_path):
    program = traced(torch.compile(nn.Linear(4, 4)), (torch.randn(2, 4),), tmp_path / "model.pt2")
    assert graph_record(program)["name"] == "Linear"


def test_names_in_the_file_agree(traced_zoo):
    """Aliases and inputs are named as the file names them, also outputs that nobody uses."""
    graph = model_json(traced_zoo("gpt2").path)["graph_module"]["graph"]
    for node in graph["nodes"]:
        record = json.loads(node["metadata"]["custom"])["remat"]
        outputs = {t["name"] for o in node["outputs"] for t in o.get("as_tensors", [o.get("as_tensor")]) if t}
        assert set(record.get("alias", {})) <= outputs
        assert {*record.get("alias", {}).values(), *outputs} <= set(graph["tensor_values"])


@pytest.mark.rotates(group="long")
def test_the_same_model_gives_the_same_bytes(traced_zoo, tmp_path):
    case, path = traced_zoo("encoder_decoder"), tmp_path / "model.pt2"
    remat_studio.trace(case.model, case.args, path=path)
    assert case.path.read_bytes() == path.read_bytes()


@pytest.mark.rotates(group="long")
def test_a_second_trace_and_another_machine_give_the_same_bytes(tmp_path):
    """A slice that is written has a storage of its own which does not begin at 0; PyTorch's cache forgets that."""
    file = pathlib.Path(__file__).parent / "situations" / "complex_spectral.py"
    here = [tmp_path / "first.pt2", tmp_path / "second.pt2"]
    other = tmp_path / "other.pt2"
    make = runpy.run_path(str(file))["make"]
    for path in here:
        model, args, loss_fn = make()
        remat_studio.trace(model, args, loss_fn, path, name="Spectral", source_root=file.parent, compare="never")
    program = (
        "import platform, socket; socket.gethostname = platform.node = lambda: 'another';"
        "import runpy, sys, torch, remat_studio; torch.set_num_threads(3);"
        "file, path, root = sys.argv[1:]; m, a, f = runpy.run_path(file)['make']();"
        "remat_studio.trace(m, a, f, path, name='Spectral', source_root=root, compare='never')"
    )
    package = os.environ | {"PYTHONPATH": str(pathlib.Path(remat_studio.__file__).parents[1])}
    machine = {"HOSTNAME": "another", "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path), "OMP_NUM_THREADS": "3"}
    machine |= {"PYTHONHASHSEED": "77", "LC_ALL": "C", "TZ": "Asia/Kathmandu", "USER": "somebody"}
    command = [sys.executable, "-c", program, file, other, file.parent]
    subprocess.run(command, check=True, env=package | machine, cwd=tmp_path)
    assert here[0].read_bytes() == here[1].read_bytes() == other.read_bytes()


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "model.pt2"
    remat_studio.trace(nn.Linear(4, 4), (torch.randn(2, 4),), path=path)
    before = path.read_bytes()

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archive, "_write", fail)
    with pytest.raises(OSError):
        remat_studio.trace(nn.Linear(4, 4), (torch.randn(2, 4),), path=path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["model.pt2"]
