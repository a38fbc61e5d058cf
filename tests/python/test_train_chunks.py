# SPDX-License-Identifier: Apache-2.0
"""Steps whose head and loss run in chunks train as the plain step does, up to the order of additions."""

import contextlib
import copy
import subprocess
import sys

import pytest
import remat_studio
import torch
from conftest import ROOT
from remat_studio.comparison import held
from remat_studio.train import PlanError, records
from remat_studio.train.chunks import add
from torch import nn
from training import compiled, planner

__all__ = ["planner"]

WORDS, WIDTH, CHUNKS = 1003, 32, 4
EPSILONS = 8 * CHUNKS  # a sum over chunks is as near as this many units of the last bit of the largest entry


class Words(nn.Module):
    """A head over many words, after a little of a network; with targets it gives the loss."""

    def __init__(self, tied=False, width=WIDTH, **loss):
        super().__init__()
        torch.manual_seed(3)
        self.embedding = nn.Embedding(WORDS, width)
        self.network = nn.Sequential(nn.Linear(width, 48), nn.GELU(), nn.Linear(48, width))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, WORDS, bias=False)
        if tied:
            self.head.weight = self.embedding.weight
        self._loss = loss

    def forward(self, words, targets=None):
        hidden = self.embedding(words)
        logits = self.head(self.norm(hidden + self.network(hidden)))
        return logits if targets is None else self.loss(logits, targets)

    def loss(self, logits, targets):
        return nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), **self._loss)


def batch(number=0, ignored=0):
    generator = torch.Generator().manual_seed(number)
    words, targets = torch.randint(0, WORDS, (2, 4, 63), generator=generator)
    targets[0, :ignored] = -100
    return words, targets


def near(value, expected):
    largest = expected.abs().max().item()
    return (value - expected).abs().max().item() <= EPSILONS * torch.finfo(expected.dtype).eps * largest


def assert_same_gradients(model, step, backward, given, chunks="head=4", **options):
    """The step in chunks against the model by itself: losses and gradients."""
    plain = copy.deepcopy(model)
    before = len(records())
    run = compiled(lambda *batch: step(model, *batch), budget="60%", chunk=chunks, cache=False, **options)
    for each in given:
        own, expected = run(*each), step(plain, *each)
        assert near(own.detach(), expected.detach())
        backward(own)
        backward(expected)
    whole = f"the step in {CHUNKS} micro-batches" if chunks.startswith("batch") else f"the loss in {CHUNKS} chunks"
    assert [record["chunks"] for record in records()[before:]] == [whole]
    for (name, own), expected in zip(model.named_parameters(), plain.parameters(), strict=True):
        assert near(own.grad, expected.grad), name


def own_loss(model, words, targets):
    return model(words, targets)


def loss_outside(model, words, targets):
    return nn.functional.cross_entropy(model(words).flatten(0, 1), targets.flatten())


def z_loss(model, words, targets):
    """As PaLM's: the sums that the softmax divides by are held near one."""
    logits = model(words).flatten(0, 1)
    sums = torch.logsumexp(logits, dim=-1)
    return nn.functional.cross_entropy(logits, targets.flatten()) + 1e-2 * (sums * sums).mean()


@pytest.mark.parametrize(
    ("model", "step", "scale", "ignored"),
    [
        pytest.param(Words(), own_loss, 1, 0, id="loss in the model"),
        pytest.param(Words(tied=True), loss_outside, 1, 5, id="tied, loss outside, ignored targets"),
        pytest.param(Words(tied=True), own_loss, 65536, 0, id="scaled as by a GradScaler"),
        pytest.param(Words(label_smoothing=0.1), own_loss, 3, 9, id="label smoothing, scaled by three"),
        pytest.param(Words(reduction="sum"), own_loss, 0.01, 0, id="a sum"),
        pytest.param(Words(tied=True), z_loss, 2, 7, id="z-loss outside, tied, ignored targets"),
    ],
)
def test_gradients_are_those_of_the_plain_step(model, step, scale, ignored):
    assert_same_gradients(model, step, lambda loss: (loss * scale).backward(), [batch(ignored=ignored)])


def test_gradients_accumulate():
    given = [batch(number, ignored=3) for number in range(3)]
    assert_same_gradients(Words(tied=True), own_loss, lambda loss: (loss / 3).backward(), given)


@pytest.mark.rotates(group="long")
@pytest.mark.parametrize("chunks", [f"head={CHUNKS}", f"batch={CHUNKS}"])
@pytest.mark.parametrize("kind", ["GPT2", "Llama"])
def test_models_as_people_have_them(kind, chunks):
    """Their graphs split a projection in three, have infinities as arguments, and masks of attention."""
    transformers = pytest.importorskip("transformers")
    sizes = {"vocab_size": WORDS, "hidden_size": WIDTH, "num_hidden_layers": 1, "num_attention_heads": 2}
    ends = {"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 2, "intermediate_size": 48, "n_positions": 64}
    still = {"attn_pdrop": 0, "embd_pdrop": 0, "resid_pdrop": 0} if kind == "GPT2" else {}
    model = getattr(transformers, f"{kind}LMHeadModel" if kind == "GPT2" else f"{kind}ForCausalLM")
    model = model(getattr(transformers, f"{kind}Config")(**sizes, **ends, **still))

    def step(model, words, targets):
        return model(input_ids=words, labels=targets, use_cache=False).loss

    assert_same_gradients(model, step, lambda loss: (loss * 3).backward(), [batch(ignored=3)], chunks)


@pytest.mark.rotates(group="long")
def test_below_the_floor_chunks_come_by_themselves():
    """Budgets that no plan of the whole graph can meet; half precision of autocast is added up in float32."""
    model, (words, targets) = Words(), batch()

    def step(words, targets):
        with torch.autocast("cpu", torch.bfloat16):
            return own_loss(model, words, targets)

    plain = copy.deepcopy(model)
    with torch.autocast("cpu", torch.bfloat16):
        expected = own_loss(plain, words, targets)
    expected.backward()
    loss = compiled(step, budget="40%", chunk="auto", cache=False, time_limit=1, strict=True)(words, targets)
    loss.backward()
    record = records()[-1]
    assert record["predicted"]["peak_bytes"] <= record["budget_bytes"] == int(0.4 * record["before_bytes"])
    assert record["chunks"].startswith("the loss in ")
    assert near(loss.detach(), expected.detach())
    for (name, own), wanted in zip(model.named_parameters(), plain.parameters(), strict=True):
        largest = wanted.grad.abs().max()
        assert (own.grad - wanted.grad).abs().max() <= 4 * torch.finfo(torch.bfloat16).eps * largest, name
    with pytest.raises(PlanError, match="No plan within"):
        compiled(step, budget="40%", cache=False, time_limit=1, strict=True)(*batch(1))


@pytest.mark.parametrize("way", ["compiled", "planned", "applied"])
def test_steps_of_adamw_lead_where_they_led(way, tmp_path):
    """Twenty steps, by torch.compile, by planned() and by a plan of a trace."""
    model, plain = Words(tied=True), Words(tied=True)
    if way == "compiled":
        step = compiled(model, budget="45%", chunk="auto")
    elif way == "planned":
        step = remat_studio.planned(model, batch(), budget="45%", chunk="auto", time_limit=1)
    else:
        trace = remat_studio.trace(model, batch(), path=tmp_path / "words.pt2", compare="never")
        plan = remat_studio.plan(trace, "45%", time_limit=4, chunk="auto")
        assert plan.record["format"] == "remat-plan/2"
        step = plan.apply(model, batch())
    if way != "applied":
        assert step is not None and (way == "compiled" or records()[-1]["chunks"])
    runs = [(step, model), (plain, plain)]
    losses = []
    for run, owner in runs:
        update = torch.optim.AdamW(owner.parameters(), 1e-3)
        losses.append([])
        for number in range(20):
            update.zero_grad()
            loss = run(*batch(number, ignored=number))
            loss.backward()
            update.step()
            losses[-1].append(loss.item())
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)
    assert losses[0][-1] < losses[0][0]
    for (name, own), expected in zip(model.named_parameters(), plain.parameters(), strict=True):
        assert torch.allclose(own, expected, rtol=1e-3, atol=2e-5), name


@pytest.mark.parametrize(
    ("shape", "turned"), [((3, 5), False), ((61, 67), False), ((601, 701), False), ((601, 701), True), ((0, 7), False)]
)
def test_terms_of_half_precision_are_added_in_blocks(shape, turned):
    """The bits of one call, and of the copy of the term only a part."""
    generator = torch.Generator().manual_seed(0)
    total, term = torch.randn(shape, generator=generator), torch.randn(shape, generator=generator).bfloat16()
    if turned:
        total, term = total.t(), term.t()
    for alpha in (1, 0.3):
        expected, whole, own = total.clone().add_(term, alpha=alpha), [], []
        with held.measured(whole):
            total.clone().add_(term, alpha=alpha)
        with held.measured(own):
            made = add.in_blocks(total.clone(), term, alpha)
        assert torch.equal(made, expected)
        copy = 4 * max(1024, -(-total.numel() // 256))
        assert own[0] <= 4 * total.numel() + copy + 64
        assert total.numel() <= 1024 or whole[0] >= 8 * total.numel()


@pytest.mark.filterwarnings("ignore:The graph of the step is not what PyTorch computes")  # the order of sums
@pytest.mark.filterwarnings("ignore:No plan within", "ignore:The step held")  # so that the sums are the peak
def test_sums_of_half_precision_peak_as_predicted():
    """Sums over four chunks are float32, and in place. A copy of a term is not beside them."""
    model = Words(width=256).bfloat16()
    compiled(model, budget="60%", chunk=f"head={CHUNKS}", cache=False, verify=True)(*batch()).backward()
    record = records()[-1]
    measured, outside = record["certificate"]["measured"], record["certificate"]["outside_bytes"]
    assert record["chunks"] == f"the loss in {CHUNKS} chunks"
    copy = 4 * model.head.weight.numel()
    assert record["predicted"]["peak_bytes"] < 2 * copy
    assert measured["peak_bytes"] < record["predicted"]["peak_bytes"] + outside + copy // 16


def test_a_second_backward_is_refused_and_never_wrong():
    loss = compiled(Words(), chunk="head=4", cache=False)(*batch())
    loss.backward(retain_graph=True)
    with pytest.raises(PlanError, match="retain_graph"):
        loss.backward()


@pytest.mark.parametrize(
    ("step", "context", "reason"),
    [
        pytest.param(
            lambda model, *given: (model(given[0]), model(*given)),
            contextlib.nullcontext(),
            "gives gradients through 2 outputs",
            id="two outputs",
        ),
        pytest.param(own_loss, torch.autocast("cpu", torch.float16), "float16", id="float16"),
    ],
)
def test_what_cannot_run_in_chunks_says_so(step, context, reason):
    model = Words()

    def run(*given):
        with context:
            return step(model, *given)

    with pytest.raises(PlanError, match=reason):
        compiled(run, chunk="head=4", cache=False)(*batch())
    with pytest.warns(UserWarning, match=reason):
        compiled(run, budget="100%", chunk="auto", cache=False)(*batch())


def test_options_are_checked():
    wrongs = (({"chunk": 8}, "chunk"), ({"chunk": "head"}, "head=8"), ({"chunk": "auto", "plan": "p"}, "plan"))
    for wrong, reason in wrongs:
        with pytest.raises(PlanError, match=reason):
            compiled(Words(), cache=False, **wrong)(*batch())


@pytest.mark.rotates(group="long")
@pytest.mark.parametrize(("name", "dtype"), [("gpt2", "float32"), ("llama", "bfloat16")])
def test_models_of_the_table_validate_and_train_in_chunks(name, dtype):
    script = ROOT / "tests" / "benchmarks" / "chunk_equal.py"
    command = [sys.executable, script, "--only", name, "--dtypes", dtype, "--steps", "3"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
