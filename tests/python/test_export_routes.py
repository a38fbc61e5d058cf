# SPDX-License-Identifier: Apache-2.0
"""Plans for what people already run: each written file runs on a model, computes the same, and keeps what it says."""

import copy
import functools
import json
import re
import warnings

import pytest
import remat_studio
import torch
from support import quick_inductor
from test_export import LiveBytes, remat
from torch import nn
from torch._dynamo.backends.common import aot_autograd
from torch._functorch.aot_autograd import make_boxed_func
from torch._functorch.partitioners import default_partition
from torch.utils.checkpoint import CheckpointPolicy

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")


class Block(nn.Module):
    """A residual block, large inside and small outside."""

    def __init__(self, width):
        super().__init__()
        self.norm, self.up = nn.LayerNorm(width), nn.Linear(width, 4 * width)
        self.act, self.down = nn.GELU(), nn.Linear(4 * width, width)

    def forward(self, x):
        return x + self.down(self.act(self.up(self.norm(x))))


class Blocks(nn.Module):
    """Some blocks and a head."""

    def __init__(self, width=32, depth=4):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width) for _ in range(depth))
        self.head = nn.Linear(width, 4)

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


class FusedDropout(nn.Module):
    """Dropout in one call, as on GPUs."""

    def forward(self, x):
        return torch.native_dropout(x, 0.3, True)[0]


def mean_square(output):
    """The loss."""
    return output.square().mean()


def example():
    """A model, and its batch."""
    torch.manual_seed(1)
    return Blocks().train(), torch.randn(256, 32)


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    """A trace of the example, and a plan that computes again."""
    folder = tmp_path_factory.mktemp("routes")
    archive, plan = folder / "model.pt2", folder / "plan.json"
    model, batch = example()
    remat_studio.trace(model, (batch,), mean_square, archive, weights=False)
    remat("plan", archive, "--budget", "55%", "--solver", "search", "-o", plan)
    return archive, plan


def written(planned, form):
    """What the file defines."""
    module = {"__name__": form}
    exec(compile(remat("export", *planned, "--as", form, "-o", "-"), form, "exec"), module)
    assert all(sentence.endswith(".") for sentence in module["LOST"]) and module["LOST"]
    return module


def saving(planned, form):
    """The same, of a plan that this form can follow."""
    module = written(planned, form)
    figures = module["PREDICTED"]
    assert figures["plan"]["peak_bytes"] <= figures["here"]["peak_bytes"] < figures["keep_all"]["peak_bytes"]
    return module


def step_of(model, batch, wrap=lambda step: step):
    """Loss and gradients of one step, and the peak of what it holds beside parameters and batch."""
    step = wrap(lambda x: mean_square(model(x)))
    step(batch).backward()  # what is compiled is compiled
    model.zero_grad()
    with LiveBytes() as live:
        loss = step(batch)
        loss.backward()
    return loss.detach(), [p.grad for p in model.parameters()], live.peak


def assert_equal_steps(own, expected):
    """Loss and gradients agree to the bit."""
    assert own[0].equal(expected[0])
    assert all(a.equal(b) for a, b in zip(own[1], expected[1], strict=True))


def with_partition(partition, fullgraph=True):
    """A compiler of steps with eager's kernels and this partition."""

    def wrap(step):
        torch._dynamo.reset()
        run = lambda graph, _: make_boxed_func(graph)  # noqa: E731
        backend = aot_autograd(fw_compiler=run, bw_compiler=run, partition_fn=partition, decompositions={})
        return torch.compile(step, backend=backend, fullgraph=fullgraph)

    return wrap


def saved_bytes(step, batch):
    """Bytes that wait for the backward pass, beside parameters and batch."""
    sizes = {}

    def count(tensor):
        if not isinstance(tensor, nn.Parameter):
            sizes[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(count, lambda tensor: tensor):
        loss = step(batch)
    sizes.pop(batch.untyped_storage().data_ptr(), None)
    del loss
    return sum(sizes.values())


def kept_bytes(module):
    """Bytes of what the table says is kept and the backward pass may read."""
    return sum(
        4 * functools.reduce(lambda a, b: a * b, shape, 1)
        for _, shapes, flags in module["CALLS"]
        for shape, flag in zip(shapes, flags, strict=True)
        if flag == "1"
    )


@pytest.mark.parametrize("form", ["inductor-partitioner", "torchtitan-policy"])
def test_a_partition_keeps_what_the_plan_keeps(planned, form):
    module = saving(planned, form)

    def partition(graph, inputs, **options):
        if form == "inductor-partitioner":
            return module["Partitioner"]()(graph, inputs, compiler="inductor", **options)
        return default_partition(module["policy"](graph), inputs, **options)

    model, batch = example()
    expected = step_of(copy.deepcopy(model), batch, with_partition(default_partition))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # every call of the graph is in the trace
        own = step_of(copy.deepcopy(model), batch, with_partition(partition))
    assert_equal_steps(own, expected)
    step = with_partition(partition)(lambda x: mean_square(model(x)))
    plain = with_partition(default_partition)(lambda x: mean_square(model(x)))
    assert 0 < saved_bytes(step, batch) <= kept_bytes(module) < saved_bytes(plain, batch)


def test_a_partition_of_another_model_says_so(planned):
    module = written(planned, "inductor-partitioner")
    other = nn.Sequential(nn.Linear(32, 8), nn.Tanh())
    with pytest.warns(UserWarning, match="not in the trace"):
        step_of(other, torch.randn(4, 32), with_partition(module["Partitioner"]()))


@pytest.mark.rotates(group="inductor")
def test_inductor_takes_the_partition(planned, tmp_path):
    module = written(planned, "inductor-partitioner")
    model, batch = example()
    step = lambda x: mean_square(model(x))  # noqa: E731
    torch._dynamo.reset()
    with quick_inductor(tmp_path):
        compiled = torch.compile(step, options={"custom_partitioner_fn": module["Partitioner"]()})
        assert 0 < saved_bytes(compiled, batch) <= kept_bytes(module)
        torch.testing.assert_close(compiled(batch), step(batch))
    assert len({module["Partitioner"]().uuid(), "remat "}) == 2


@pytest.mark.parametrize("form", ["sac-policy", "torch-remat"])
def test_modules_are_computed_again_in_eager_mode(planned, form):
    module = saving(planned, form)
    model, batch = example()
    names = [*model.state_dict()]
    expected = step_of(copy.deepcopy(model), batch)
    own = step_of(module["apply"](model), batch)
    assert_equal_steps(own, expected)
    assert [*model.state_dict()] == names
    assert own[2] < expected[2]
    # Eager's frames hold what the graph does not; torch_remat holds what it computed again until its module is done.
    allowed = {"sac-policy": 1.1, "torch-remat": 1.2}[form]
    assert own[2] <= allowed * module["PREDICTED"]["here"]["peak_bytes"]
    with torch.no_grad():
        assert mean_square(model(batch)).equal(expected[0])


class Returning(Block):
    """A block whose output is in a container, beside something that is no tensor."""

    def forward(self, x):
        return {"output": super().forward(x), "others": (None, 3)}


class Chain(nn.Module):
    """Such blocks, and what they return beside the output."""

    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Returning(32) for _ in range(4))

    def forward(self, x):
        others = []
        for block in self.blocks:
            made = block(x)
            x = made["output"]
            others.append(made["others"])
        return x, others


@pytest.mark.parametrize("form", ["sac-policy", "torch-remat"])
def test_modules_may_return_more_than_tensors(form, tmp_path):
    torch.manual_seed(3)
    model, batch = Chain(), torch.randn(256, 32)
    archive, plan = tmp_path / "model.pt2", tmp_path / "plan.json"
    given = lambda output: mean_square(output[0])  # noqa: E731
    remat_studio.trace(copy.deepcopy(model), (batch,), given, archive, weights=False)
    remat("plan", archive, "--budget", "45%", "--solver", "search", "-o", plan)
    module = written((archive, plan), form)
    assert "blocks.1" in module["REGIONS"]
    expected, own = copy.deepcopy(model), module["apply"](model)
    given(expected(batch)).backward()
    output = own(batch)
    assert output[1] == [(None, 3)] * 4
    given(output).backward()
    assert all(a.grad.equal(b.grad) for a, b in zip(own.parameters(), expected.parameters(), strict=True))


def test_a_policy_for_another_device_is_refused(planned):
    module = written(planned, "sac-policy")
    model, batch = example()
    model.blocks[0].act = nn.Tanh()
    with pytest.raises(RuntimeError, match=re.escape("called aten.gelu.default 0 times, and 1 times in the trace")):
        module["apply"](model)(batch)


@pytest.mark.parametrize("form", ["sac-policy", "torch-remat"])
def test_dropout_draws_the_same_again_and_fresh_ones_each_step(form, tmp_path):
    torch.manual_seed(2)
    model, batch = Blocks(depth=2).train(), torch.randn(64, 32)
    for block in model.blocks:
        block.act = nn.Sequential(nn.GELU(), FusedDropout())
    archive, plan = tmp_path / "model.pt2", tmp_path / "plan.json"
    remat_studio.trace(copy.deepcopy(model), (batch,), mean_square, archive, weights=False)
    remat("plan", archive, "--budget", "95%", "--solver", "chen-sqrt", "-o", plan)
    module = written((archive, plan), form)
    plain, own = copy.deepcopy(model), module["apply"](copy.deepcopy(model))
    runs = []
    for each in (plain, own):
        torch.manual_seed(7)
        losses = []
        for _ in range(2):
            loss = mean_square(each(batch))
            loss.backward()
            losses.append(loss.detach())
        runs.append((torch.stack(losses), [p.grad for p in each.parameters()]))
    assert runs[0][0][0] != runs[0][0][1]
    assert_equal_steps(*runs)


def test_torchtitan_moves_to_the_host_what_the_plan_moves(planned, tmp_path):
    archive, plan = planned[0], tmp_path / "plan.json"
    remat("plan", archive, "--budget", "70%", "--solver", "pofo", "-o", plan)
    module = written((archive, plan), "torchtitan-policy")
    assert any("h" in flags for _, _, flags in module["CALLS"]), "the plan copies something"
    assert module["POLICY"]["h"] in (getattr(CheckpointPolicy, "MUST_CPU_OFFLOAD", None), CheckpointPolicy.MUST_SAVE)
    keeping = written((archive, plan), "inductor-partitioner")
    assert all("h" not in flags for _, _, flags in keeping["CALLS"])
    assert any("stay on the device" in sentence for sentence in keeping["LOST"])


def test_jax_keeps_the_named_values(planned):
    import jax
    from jax.ad_checkpoint import checkpoint_name

    module = written(planned, "jax-names")
    assert not module["OFFLOADED"]
    kept = [name for name in module["SAVED"] if name.startswith("blocks.0.")]
    assert kept and all(re.fullmatch(r"[\w.]+", name) for name in module["SAVED"])

    def loss(x):
        for name in ("blocks.0.up.addmm", "blocks.0.act.gelu", "blocks.0.down.addmm", "blocks.0.add"):
            x = checkpoint_name(jax.numpy.sin(x), name)
        return x.sum()

    x = jax.numpy.arange(4.0)
    planned_loss = jax.checkpoint(loss, policy=module["policy"]())
    assert jax.numpy.allclose(jax.grad(planned_loss)(x), jax.grad(loss)(x))
    jaxpr = str(jax.make_jaxpr(jax.grad(planned_loss))(x))
    body = jaxpr[: jaxpr.index("remat")] if "remat" in jaxpr else jaxpr
    named = [name for name in ("blocks.0.up.addmm", "blocks.0.act.gelu") if f"name={name}" in body]
    assert named, "names reach JAX"


def test_a_graph_without_operators_has_names_for_jax_only(tmp_path):
    graph = tmp_path / "graph.json"
    ops = [
        {"name": "f", "inputs": ["x"], "outputs": [{"name": "a", "bytes": 8}]},
        {"name": "b", "inputs": ["a"], "outputs": [{"name": "g", "bytes": 8}], "phase": "backward"},
    ]
    whole = {"format": "remat-graph/1", "name": "tiny", "ops": ops, "outputs": ["g"]}
    whole["inputs"] = [{"name": "x", "bytes": 8, "kind": "input"}]
    graph.write_text(json.dumps(whole))
    plan = tmp_path / "plan.json"
    remat("plan", graph, "--budget", "100%", "--solver", "keep-all", "-o", plan)
    assert '"f"' in remat("export", graph, plan, "--as", "jax-names", "-o", "-")
    with pytest.raises(AssertionError, match="graph without operators"):
        remat("export", graph, plan, "--as", "sac-policy", "-o", "-")


class Routed(Block):
    """A block that leaves out what is small, for which it goes by values."""

    def forward(self, x):
        y = super().forward(x)
        if y.square().mean() > 1.5:
            y = torch.tanh(y)
        return y.index_put((y > 2,), y.new_zeros(()))


@pytest.mark.parametrize("form", ["sac-policy", "torch-remat", "torchtitan-policy", "inductor-partitioner"])
def test_a_plan_of_one_batch_is_never_wrong_with_another(form, tmp_path):
    torch.manual_seed(3)
    model, batch = Blocks(), torch.randn(256, 32)
    model.blocks = nn.ModuleList(Routed(32) for _ in range(4))
    archive, plan = tmp_path / "model.pt2", tmp_path / "plan.json"
    remat_studio.trace(copy.deepcopy(model), (batch,), mean_square, archive, weights=False)
    remat("plan", archive, "--budget", "60%", "--chunk", "off", "--solver", "search", "-o", plan)
    module = written((archive, plan), form)
    apply = module.get("apply")
    if form == "inductor-partitioner":
        apply = with_partition(module["Partitioner"](), fullgraph=False)
    elif form == "torchtitan-policy":
        split = lambda graph, inputs, **how: default_partition(module["policy"](graph), inputs, **how)  # noqa: E731
        apply = with_partition(split, fullgraph=False)
    ended = set()
    for other in (batch, batch / 9, batch * 9):
        expected, own = copy.deepcopy(model), copy.deepcopy(model)
        mean_square(expected(other)).backward()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                mean_square(apply(own)(other)).backward()
        except RuntimeError as error:
            assert "times in the trace" in str(error)
            ended.add("refused")
        else:
            assert all(a.grad.equal(b.grad) for a, b in zip(own.parameters(), expected.parameters(), strict=True))
            ended.add("equal")
    assert "equal" in ended
