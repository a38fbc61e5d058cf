# SPDX-License-Identifier: Apache-2.0
"""Traces go the way that eager mode goes: libraries that look at values, or ask whether they are compiled, hear it."""

import json
import subprocess

import pytest
import remat_studio
import torch
import transformers
from remat_studio.executable import find
from support import assert_same, needs_libtorch, records, run_archive, run_eager, traced, without_data
from torch import nn
from torch.utils.checkpoint import checkpoint, create_selective_checkpoint_contexts

SIZES = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 99}


def language(kind, config, **settings):
    torch.manual_seed(1)
    return getattr(transformers, kind)(getattr(transformers, config)(**settings)).train()


def ids(rows=2, length=16):
    return torch.randint(1, 99, (rows, length))


def kernels_of(program):
    return [str(node.target) for node in program.graph.nodes if node.op == "call_function"]


def keep_all(path):
    done = subprocess.run([find(), "info", path, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.rotates(group="long")
@pytest.mark.parametrize("target", ["cpu", "cuda"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_a_mask_of_ones_is_no_mask(target, dtype, tmp_path):
    sizes = SIZES | {"num_hidden_layers": 1, "num_key_value_heads": 2}
    model = language("LlamaForCausalLM", "LlamaConfig", **sizes).to(dtype)
    tokens = ids()
    args = {"input_ids": tokens, "labels": tokens}
    with_mask = args | {"attention_mask": torch.ones_like(tokens)}
    plain = traced(model, args, tmp_path / "plain.pt2", target=target)
    masked = traced(model, with_mask, tmp_path / "masked.pt2", target=target)
    assert kernels_of(masked) == kernels_of(plain)
    with_mask["attention_mask"][0, 12:] = 0
    padded = traced(model, with_mask, tmp_path / "padded.pt2", target=target)
    assert kernels_of(padded) != kernels_of(plain)


def test_a_way_that_values_decide_is_said(tmp_path, capsys):
    class Decides(nn.Linear):
        def forward(self, x, mask):
            y = super().forward(x)
            return y if mask.all() else y * mask

    x = torch.ones(2, 4)
    program = traced(Decides(4, 4), (x, torch.ones(2, 4)), tmp_path / "model.pt2", torch.sum)
    assert not [name for name in records(program) if name == "mul"]
    assert "goes by the values of mask, and is traced for those given" in capsys.readouterr().err
    program = traced(Decides(4, 4), (x, torch.eye(2, 4)), tmp_path / "model.pt2", torch.sum)
    assert [name for name in records(program) if name == "mul"]
    assert "goes by the values of mask" in capsys.readouterr().err
    traced(nn.Linear(4, 4), (x,), tmp_path / "model.pt2")
    assert "goes by the values" not in capsys.readouterr().err


def test_values_that_training_changes_are_not_known(tmp_path):
    class Decides(nn.Linear):
        def forward(self, x):
            return super().forward(x) if self.weight.sum() > 0 else x  # here

    with pytest.raises(remat_studio.TraceError, match="the model decides in Python on a value"):
        args, how = (torch.ones(2, 4),), {"path": tmp_path / "model.pt2"}
        remat_studio.trace(without_data(lambda: Decides(4, 4)), args, **how)


def test_values_are_those_after_a_change_in_place(tmp_path):
    class Counts(nn.Linear):
        def forward(self, x, steps):
            steps = steps.clone()
            part = steps[1:]
            steps += 2
            return super().forward(x) * 2 if int(part.sum()) == 9 else super().forward(x)

    program = traced(Counts(4, 4), (torch.ones(2, 4), torch.tensor([1, 2, 3])), tmp_path / "model.pt2", torch.sum)
    assert any(name.startswith("mul") for name in records(program))


def test_recurrences_run_step_by_step_as_eager_mode_does(tmp_path):
    model = language(
        "MambaForCausalLM", "MambaConfig", hidden_size=32, num_hidden_layers=1, state_size=8, vocab_size=99
    )
    tokens = ids(length=8)
    args = {"input_ids": tokens, "labels": tokens}
    program = traced(model, args, tmp_path / "model.pt2")
    assert_same(run_archive(program, args), run_eager(model, args))


@pytest.mark.rotates(group="long")
@needs_libtorch
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_experts_are_multiplied_by_the_kernel_of_eager_mode(dtype, tmp_path):
    model = language("MixtralForCausalLM", "MixtralConfig", num_key_value_heads=2, num_local_experts=4, **SIZES).to(
        dtype
    )
    tokens = ids()
    path = tmp_path / "model.pt2"
    args = {"input_ids": tokens, "labels": tokens}
    program = traced(model, args, path)
    targets = {str(node.target) for node in program.graph.nodes if node.op == "call_function"}
    assert "aten._grouped_mm.default" in targets
    assert not [target for target in targets if target.startswith("transformers")]
    plan = tmp_path / "plan.json"
    subprocess.run([find(), "plan", path, "--budget", "100%", "--solver", "keep-all", "-o", plan], check=True)
    done = subprocess.run([find(), "validate", path, plan, "--json"], capture_output=True, text=True)
    assert "equal bit for bit" in done.stdout, done.stdout + done.stderr


@pytest.mark.rotates(group="long")
def test_outputs_that_a_loop_holds_are_kept_on_demand(tmp_path, capsys):
    model = language("LlamaForCausalLM", "LlamaConfig", **SIZES)
    tokens = ids(rows=2, length=64)
    args, logits = {"input_ids": tokens, "labels": tokens}, 2 * 64 * 99 * 4
    dropped, kept = tmp_path / "dropped.pt2", tmp_path / "kept.pt2"
    traced(model, args, dropped)
    program = traced(model, args, kept, keep_outputs=True)
    assert [spec.kind.name for spec in program.graph_signature.output_specs].count("USER_OUTPUT") == 1
    more = keep_all(kept)["keep_all"]["peak_bytes"] - keep_all(dropped)["keep_all"]["peak_bytes"]
    assert logits <= more < logits + 512
    assert "--keep-outputs" not in capsys.readouterr().err
    wide = language("LlamaForCausalLM", "LlamaConfig", **{**SIZES, "vocab_size": 40_000})
    remat_studio.trace(wide, {"input_ids": tokens, "labels": tokens}, path=dropped)
    assert "gives 19.53 MiB, let go before the backward pass" in capsys.readouterr().err


class Checkpointed(nn.Module):
    """Two layers, each of which the model computes again by itself."""

    def __init__(self, **how):
        super().__init__()
        self.layers = nn.ModuleList(nn.Sequential(nn.Linear(32, 128), nn.GELU(), nn.Linear(128, 32)) for _ in range(4))
        self.how = how

    def forward(self, x):
        for layer in self.layers:
            x = x + checkpoint(layer, x, use_reentrant=False, **self.how)
        return x


def parts_of(program):
    return {name: record["checkpoint"] for name, record in records(program).items() if "checkpoint" in record}


@needs_libtorch
def test_checkpoints_of_the_model_are_a_plan_of_their_own(tmp_path, capsys):
    path = tmp_path / "model.pt2"
    program = traced(Checkpointed(), (torch.ones(64, 32),), path)
    assert set(parts_of(program).values()) == {0, 1, 2, 3}
    assert "checkpoints its activations itself, in 4 parts" in capsys.readouterr().err
    said = keep_all(path)
    assert said["today"]["peak_bytes"] < 0.8 * said["keep_all"]["peak_bytes"]
    assert said["today"]["time_us"] > said["keep_all"]["time_us"]
    plan = tmp_path / "today.json"
    subprocess.run([find(), "info", path, "--today", plan], check=True, capture_output=True)
    assert subprocess.run([find(), "check", path, plan], capture_output=True).returncode == 0
    done = subprocess.run([find(), "validate", path, plan, "--json"], capture_output=True, text=True)
    assert "equal bit for bit" in done.stdout, done.stdout + done.stderr


def test_a_model_without_checkpoints_has_no_such_plan(tmp_path, capsys):
    path = tmp_path / "model.pt2"
    traced(nn.Linear(4, 4), (torch.ones(2, 4),), path, torch.sum)
    assert "checkpoints" not in capsys.readouterr().err
    assert keep_all(path)["today"] is None
    done = subprocess.run([find(), "info", path, "--today", tmp_path / "p.json"], capture_output=True, text=True)
    assert done.returncode == 2 and "what it does today is keep-all" in done.stderr


def test_what_a_formula_of_autograd_holds_is_said(tmp_path):
    path = tmp_path / "model.pt2"
    program = traced(nn.Linear(64, 64, bias=False), (torch.ones(256, 64),), path, lambda output: output.pow(2).mean())
    assert {"pow_2", "mul", "mul_1"} <= {name for name, record in records(program).items() if record.get("formula")}
    said = keep_all(path)
    block = 256 * 64 * 4
    # x ** 2 gives gradient * (2 * x ** 1): at the last product x and x ** 1 are held too.
    assert said["today"]["peak_bytes"] == said["keep_all"]["peak_bytes"] + 2 * block
    assert not said["today"]["checkpoints"] and said["today"]["time_us"] == said["keep_all"]["time_us"]


class Responses(nn.Module):
    """Responses over the channels, as ConvNeXt v2 has them: a norm, and a sum of a product of three."""

    def __init__(self, width=64):
        super().__init__()
        self.first = nn.Linear(width, width)
        self.scale, self.shift = nn.Parameter(torch.ones(width)), nn.Parameter(torch.zeros(width))

    def forward(self, x):
        x = self.first(x)
        norm = x.norm(p=2, dim=0, keepdim=True)
        return x + torch.addcmul(self.shift, self.scale, x * (norm / norm.mean()))


def test_what_a_formula_makes_for_one_gradient_is_gone_before_the_next(tmp_path):
    path = tmp_path / "model.pt2"
    traced(Responses(), (torch.ones(256, 64),), path, torch.sum)
    # Neither addcmul's products for one gradient nor a norm's quotient before its zeros come to a peak of their own.
    assert keep_all(path)["today"] is None


class Lazy(nn.Module):
    """Makes what it needs at the first call, and keeps it in an attribute, in a dict and in a list."""

    def __init__(self):
        super().__init__()
        self.first, self.angles, self.by_length, self.seen, self.act = nn.Linear(8, 8), None, {}, [], None

    def forward(self, x):
        if self.angles is None:
            self.angles = torch.arange(8.0).cos()
            self.act = nn.Tanh()
        if len(x) not in self.by_length:
            self.by_length[len(x)] = [torch.arange(float(len(x))).sin()[:, None]]
        y = self.act(self.first(x)) * self.angles + self.by_length[len(x)][0]
        self.seen.append(y.detach())
        return y


def test_what_a_model_makes_at_its_first_call_is_made_in_each_trace(tmp_path):
    model, x = Lazy(), torch.randn(4, 8)
    for name in ("first", "second"):
        path = tmp_path / f"{name}.pt2"
        remat_studio.trace(model, (x,), torch.sum, path)
        assert keep_all(path)["eager"]["verdict"] == "equal"
        assert model.angles is None and model.act is None and not model.by_length and not model.seen


def test_what_autograd_keeps_for_its_sizes_alone_is_said(tmp_path):
    path, index = tmp_path / "model.pt2", torch.zeros(256, 1, dtype=torch.int64)
    program = traced(
        nn.Linear(64, 64, bias=False), (torch.ones(256, 64),), path, lambda output: output.gather(1, index).sum()
    )
    assert [r["holds"] for r in records(program).values() if "holds" in r] == [["mm"]]
    said = keep_all(path)
    assert said["today"]["peak_bytes"] == said["keep_all"]["peak_bytes"] + 256 * 64 * 4


def test_what_eager_mode_writes_into_pieces_of_a_block_stays_with_the_block(tmp_path):
    """As the gates of a GRU do: nobody reads the second piece after the forward, but the block is one storage."""

    class Gated(nn.Linear):
        def forward(self, x):
            gate, value = torch.unsafe_chunk(super().forward(x), 2, 1)
            return gate.sigmoid_() + value.mul_(2)

    path = tmp_path / "model.pt2"
    program = traced(Gated(64, 64, bias=False), (torch.ones(256, 64),), path, torch.sum)
    assert {n: r["holds"] for n, r in records(program).items() if "holds" in r} == {"sigmoid_backward": ["mul"]}


def test_what_a_name_holds_after_its_last_reader_is_said(tmp_path):
    """As in residual blocks of diffusers: a sum is divided while names stand for both of its terms."""

    class Block(nn.Linear):
        def forward(self, x):
            wide = super().forward(x)
            halves = wide.view(2, -1)
            total = wide + 1
            del wide
            return (total / 2).sin(), halves.shape

    path = tmp_path / "model.pt2"
    program = traced(Block(64, 64, bias=False), (torch.ones(256, 64),), path, lambda output: output[0].sum())
    assert {n: r["holds"] for n, r in records(program).items() if "holds" in r} == {"sin": ["mm", "add"]}
    said, size = keep_all(path), 256 * 64 * 4
    assert said["today"]["peak_bytes"] >= 4 * size > said["keep_all"]["peak_bytes"]


def test_what_is_written_in_place_is_held_as_it_is_then(tmp_path):
    class Block(nn.Linear):
        def forward(self, x):
            wide = super().forward(x).add_(1)
            return (wide + 1).sin()

    program = traced(Block(64, 64, bias=False), (torch.ones(256, 64),), tmp_path / "model.pt2", torch.sum)
    assert {n: r["holds"] for n, r in records(program).items() if "holds" in r} == {"sin": ["add"]}


def test_what_selective_checkpointing_saves_is_kept(tmp_path):
    def contexts():
        return create_selective_checkpoint_contexts([torch.ops.aten.addmm.default])

    parts = parts_of(traced(Checkpointed(context_fn=contexts), (torch.ones(64, 32),), tmp_path / "model.pt2"))
    assert "gelu" in parts and not [name for name in parts if name.startswith("addmm")]


class Looks(nn.Module):
    """Goes by the values of what it is given."""

    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def forward(self, x, mask):
        rows = mask.view(-1, mask.shape[-1])
        return self.inner(x) if bool(rows.all()) else x


@pytest.mark.parametrize("cut", [lambda wide: wide[:, 1:5], lambda wide: wide[1:2, 1:2].expand(6, 4)])
def test_arguments_that_are_views_of_larger_tensors_are_looked_at(cut, tmp_path):
    wide = torch.zeros(6, 6, dtype=torch.bool)
    wide[:, 1:5] = True
    program = traced(Looks(), (torch.randn(6, 4), cut(wide)), tmp_path / "model.pt2")
    assert "aten.addmm.default" in kernels_of(program)
