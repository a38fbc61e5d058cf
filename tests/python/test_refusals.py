# SPDX-License-Identifier: Apache-2.0
"""Models, losses, arguments and files that no trace can be of are refused in a sentence, and stay as they are."""

import os

import pytest
import remat_studio
import torch
from remat_studio.loading import call_factory
from support import refused
from torch import nn


def test_inputs_stay_as_they_are(tmp_path):
    class InPlace(nn.Linear):
        def forward(self, x):
            return super().forward(x.add_(1))

    assert "the input x in place; clone it first" in refused(tmp_path, InPlace(4, 4))


@pytest.mark.parametrize(
    ("loss_fn", "meaning"),
    [
        (lambda out: out, "shape (2, 4)"),
        (lambda out: 1.0, "not a tensor but float"),
        (lambda out: out.sum().long(), "torch.int64, but a loss must be floating-point; compute it so"),
        (lambda out: out.detach().sum(), "does not depend on any parameter"),
        (lambda out: out["loss"], "test_refusals.py"),
    ],
)
def test_a_loss_must_be_a_differentiable_number(loss_fn, meaning, tmp_path):
    assert meaning in refused(tmp_path, nn.Linear(4, 4), loss_fn=loss_fn)
    ones = (torch.ones(2, 4),)
    remat_studio.trace(nn.Linear(4, 4), ones, lambda out: out.mean(), tmp_path / "model.pt2")  # what they advise


def test_modules_that_are_no_python_code_are_refused(tmp_path):
    linear = nn.Linear(4, 4)
    assert "TorchScript" in refused(tmp_path, torch.jit.script(linear))
    assert "must be a torch.nn.Module" in refused(tmp_path, abs)
    remat_studio.trace(linear, (torch.ones(2, 4),), path=tmp_path / "model.pt2")


def test_a_model_on_the_meta_device_needs_no_memory(tmp_path):
    def make(width):
        return nn.Linear(width, width), (torch.ones(1, width),)

    def make_on_meta(width=1 << 24):
        with torch.device("meta"):
            return make(width)

    with pytest.raises(remat_studio.TraceError, match="not enough memory for the model; .* on the meta device"):
        call_factory(lambda: make(1 << 24), "make")
    model, args, _ = call_factory(make_on_meta, "make_on_meta")
    remat_studio.trace(model, args, path=tmp_path / "model.pt2", weights=False)


def test_buffers_that_get_a_gradient_are_parameters(tmp_path):
    class Scaled(nn.Linear):
        def forward(self, x):
            return super().forward(x) * self.scale

    model, scale = Scaled(4, 4), torch.ones(4, requires_grad=True)
    model.register_buffer("scale", scale)
    assert "The buffer scale requires a gradient; make it a parameter" in refused(tmp_path, model)
    del model.scale
    model.scale = nn.Parameter(scale.detach())
    remat_studio.trace(model, (torch.ones(2, 4),), path=tmp_path / "model.pt2")


def test_targets_and_kernels_have_names(tmp_path):
    def trace(**options):
        return remat_studio.trace(nn.Linear(4, 4), (torch.ones(2, 4),), path=tmp_path / "model.pt2", **options)

    with pytest.raises(remat_studio.TraceError, match="no target 'tpu'; there are cuda and cpu"):
        trace(target="tpu")
    with pytest.raises(remat_studio.TraceError, match="no attention kernel 'fast'; there are flash, efficient"):
        trace(attention_kernel="fast")
    trace(target="cuda", attention_kernel="efficient")


def test_sparse_gradients_are_refused(tmp_path):
    embedding = nn.Embedding(10, 4, sparse=True)
    assert "gradient of weight is sparse" in refused(tmp_path, embedding, (torch.zeros(3, dtype=torch.long),))


def test_arguments_must_fit_the_forward(tmp_path):
    assert "do not fit Linear.forward" in refused(tmp_path, nn.Linear(4, 4), (torch.ones(2, 4), 1, 2))
    assert "tuple" in refused(tmp_path, nn.Linear(4, 4), "x")


def test_output_must_be_a_pt2_file_in_a_folder_that_exists(tmp_path):
    assert "must end in .pt2" in refused(tmp_path, nn.Linear(4, 4), path="model.onnx")
    assert "no folder" in refused(tmp_path, nn.Linear(4, 4), path="missing/model.pt2")
    (tmp_path / "missing").mkdir()
    remat_studio.trace(nn.Linear(4, 4), (torch.ones(2, 4),), path=tmp_path / "missing" / "model.pt2")


def test_a_folder_must_be_one_to_write_to(tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    may = os.access
    monkeypatch.setattr("os.access", lambda path, *mode: path != str(tmp_path) and may(path, *mode))
    assert "choose another output" in refused(tmp_path, nn.Linear(4, 4))
    remat_studio.trace(nn.Linear(4, 4), (torch.ones(2, 4),), path=tmp_path / "other" / "model.pt2")


class CountsBackwards(nn.Module):
    """Counts in a buffer how often a gradient came by: in a hook, or when those of two tensors are there."""

    def __init__(self, of_two):
        super().__init__()
        self.first, self.second, self.of_two = nn.Linear(4, 4), nn.Linear(4, 4), of_two
        self.register_buffer("count", torch.zeros(()))

    def forward(self, x):
        y, z = self.first(x), self.second(x)
        if self.of_two:
            torch.autograd.graph.register_multi_grad_hook((y, z), lambda _: self.count.add_(1))
        else:
            y.register_hook(lambda _: self.count.add_(1) and None)
        return y * z


@pytest.mark.parametrize("of_two", [True, False])
def test_a_buffer_that_the_backward_changes_is_said_and_left_as_it_is(of_two, tmp_path):
    model = CountsBackwards(of_two)
    assert "the backward pass changes a tensor of the model in place" in refused(tmp_path, model)
    assert model.count == 0


def test_a_buffer_that_becomes_longer_is_there_after_one_run(tmp_path):
    class Longer(nn.Linear):
        def forward(self, x):
            if len(x) > len(self.waves):
                self.waves = torch.arange(float(len(x))).cos()[:, None]
            return super().forward(x) * self.waves

    model = Longer(4, 4)
    model.register_buffer("waves", torch.ones(1, 1))
    assert "replaces the buffer waves by one of another shape (2 × 1 for 1 × 1)" in refused(tmp_path, model)
    model(torch.ones(2, 4))
    remat_studio.trace(model, (torch.ones(2, 4),), torch.sum, tmp_path / "model.pt2")


def test_tensors_that_no_plan_can_hold_are_refused_by_name(tmp_path):
    linear = nn.Linear(4, 4)
    linear.register_buffer("graph", torch.eye(4).to_sparse())
    assert "The buffer graph is sparse" in refused(tmp_path, linear)
    nested = torch.nested.nested_tensor([torch.ones(2, 4), torch.ones(3, 4)], layout=torch.jagged)
    assert "The argument x is a nested tensor; pad it" in refused(tmp_path, nn.Linear(4, 4), {"x": nested})
    assert "The argument 0 is sparse" in refused(tmp_path, nn.Linear(4, 4), (torch.eye(4).to_sparse(),))


def test_lazy_modules_trace_after_one_run(tmp_path):
    lazy = nn.LazyLinear(3)
    assert "run the model once" in refused(tmp_path, lazy)
    lazy(torch.ones(2, 4))
    remat_studio.trace(lazy, (torch.ones(2, 4),), path=tmp_path / "model.pt2")


@pytest.fixture
def one_process(tmp_path):
    torch.distributed.init_process_group("gloo", init_method=f"file://{tmp_path}/store", rank=0, world_size=1)
    yield torch.distributed.init_device_mesh("cpu", (1,))
    torch.distributed.destroy_process_group()


def test_models_spread_over_processes_are_traced_before(one_process, tmp_path):
    from torch.distributed.fsdp import FullyShardedDataParallel, fully_shard
    from torch.distributed.tensor import Replicate, distribute_tensor

    linear = nn.Linear(4, 4)
    remat_studio.trace(linear, (torch.ones(2, 4),), path=tmp_path / "model.pt2")  # what the sentences advise
    remat_studio.trace(nn.parallel.DistributedDataParallel(linear), (torch.ones(2, 4),), path=tmp_path / "model.pt2")
    (tmp_path / "model.pt2").unlink()
    for parameter in ("weight", "bias"):
        tensor = distribute_tensor(getattr(linear, parameter).detach(), one_process, [Replicate()])
        setattr(linear, parameter, nn.Parameter(tensor))
    assert "The parameter weight is spread over processes" in refused(tmp_path, linear)
    sharded = nn.Sequential(nn.Linear(4, 4))
    fully_shard(sharded, mesh=one_process)
    assert "The model is sharded by fully_shard" in refused(tmp_path, sharded)
    wrapped = nn.Sequential(FullyShardedDataParallel(nn.Linear(4, 4), device_id=torch.device("cpu")))
    assert "The module 0 is sharded by FullyShardedDataParallel" in refused(tmp_path, wrapped)


def test_talk_between_processes_is_refused(one_process, tmp_path):
    class Reduced(nn.Linear):
        def forward(self, x):
            y = super().forward(x)
            torch.distributed.all_reduce(y)
            return y

    sentence = refused(tmp_path, Reduced(4, 4))
    assert "`torch.distributed.all_reduce(y)`" in sentence and "trace what one process computes" in sentence
    remat_studio.trace(nn.Linear(4, 4), (torch.ones(2, 4),), path=tmp_path / "model.pt2")


def test_parts_that_are_compiled_are_traced_as_written(tmp_path, capsys):
    class Parts(nn.Sequential):
        def forward(self, x):
            return twice(super().forward(x))

    @torch.compile
    def twice(y):
        return y * 2

    model = Parts(torch.compile(nn.Linear(4, 4)), nn.ReLU(), nn.Linear(4, 4))
    model[2].compile()
    path = remat_studio.trace(model, (torch.ones(2, 4),), path=tmp_path / "model.pt2")
    kinds = [node.target for node in torch.export.load(path).graph.nodes if node.op == "call_function"]
    assert kinds.count(torch.ops.aten.addmm.default) == 2 and torch.ops.aten.relu.default in kinds
    assert "only known when it runs" not in capsys.readouterr().err
