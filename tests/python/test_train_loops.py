# SPDX-License-Identifier: Apache-2.0
"""Training with a plan in the loops of other libraries: they take the backend by its name, or a planned module.

Each runs with the loss in the model or outside of it, in bfloat16, with gradients that add up over two batches.
"""

import accelerate
import lightning
import pytest
import remat_studio
import torch
import transformers
from remat_studio.train import records
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from training import assert_equal_runs, batches, chain, ended, one_rank, planner

__all__ = ["one_rank", "planner"]

pytestmark = pytest.mark.rotates(days=4, group="loops")
ROWS = torch.cat(batches(2))  # two batches of 64


@pytest.fixture(autouse=True)
def budget(monkeypatch):
    """The loops have no place for options."""
    monkeypatch.setenv("REMAT_BUDGET", "60%")


class Model(nn.Module):
    """Returns its loss, as models of transformers do."""

    def __init__(self):
        super().__init__()
        self.inner = chain()

    def forward(self, x, labels=None):
        return {"loss": self.inner(x).float().square().mean()}


class WithoutLoss(Model):
    """Returns what a loss is computed of."""

    def forward(self, x, labels=None):
        return {"output": self.inner(x)}


def loss_of(given):
    """The loss of what a model returned."""
    return given["loss"] if "loss" in given else given["output"].float().square().mean()


def as_planned(model):
    """The model as a planned module."""
    return remat_studio.planned(model, {"x": ROWS[:64]}, budget="60%", time_limit=0.2)


@pytest.fixture(params=[Model, WithoutLoss], ids=["loss_in_the_model", "loss_outside"])
def kind(request):
    """The class of the model."""
    return request.param


@pytest.fixture(params=["compiled", "planned"])
def way(request):
    """How the plan comes into the loop."""
    return request.param


def assert_held(steps):
    """What was planned last holds the budget of the step, all of its graphs together."""
    assert steps
    last = steps[-1]
    step = last.get("step") or {"peak_bytes": last["predicted"]["peak_bytes"], "budget_bytes": last["budget_bytes"]}
    assert step["peak_bytes"] <= 1.001 * step["budget_bytes"], step


def assert_all_equal(own, expected, steps):
    """Parts were planned, hold the budget, and trained as without a plan."""
    assert_held(steps)
    assert_equal_runs(own, expected)


def test_a_loop_of_ones_own(kind, way):
    """Autocast, a scaler, accumulation and clipping, as tutorials have them."""

    def run(wrap=lambda model: model, around=lambda forward: forward):
        model = kind()
        forward = around(wrap(model))
        update, scaler = torch.optim.AdamW(model.parameters(), 0.01), torch.amp.GradScaler("cpu")
        for index, x in enumerate(ROWS.split(64)):
            with torch.autocast("cpu", torch.bfloat16):
                loss = loss_of(forward(x)) / 2
            scaler.scale(loss).backward()
            if index % 2:
                scaler.unscale_(update)
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                scaler.step(update)
                scaler.update()
                update.zero_grad()
        return ended(model)

    before = len(records())
    if way == "compiled":
        own = run(around=lambda forward: torch.compile(forward, backend="remat"))
    else:
        own = run(as_planned)
    assert_all_equal(own, run(), records()[before:])


def arguments_of_trainer(folder, **more):
    """Settings for transformers.Trainer: bfloat16, two batches a step, and nothing written."""
    return transformers.TrainingArguments(
        output_dir=str(folder),
        gradient_accumulation_steps=2,
        bf16=True,
        learning_rate=0.01,
        report_to=[],
        save_strategy="no",
        logging_strategy="no",
        disable_tqdm=True,
        use_cpu=True,
        **more,
    )


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_trainer_of_transformers(tmp_path, kind, way):
    class Trainer(transformers.Trainer):
        """Computes the loss by itself where the model has none."""

        def compute_loss(self, model, inputs, return_outputs=False, **_):
            loss = loss_of(model(**inputs))
            return (loss, {}) if return_outputs else loss

    def run(wrap=lambda model: model, **more):
        torch.manual_seed(3)
        arguments = arguments_of_trainer(tmp_path, max_steps=2, per_device_train_batch_size=64, **more)
        trainer = Trainer(model=wrap(kind()), args=arguments, train_dataset=[{"x": row} for row in ROWS])
        trainer.train()
        return ended(trainer.model)

    before = len(records())
    own = run(torch_compile_backend="remat") if way == "compiled" else run(as_planned)
    assert_all_equal(own, run(), records()[before:])


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_accelerate(kind, way):
    def run(wrap=lambda model: model, **more):
        accelerate.state.AcceleratorState._reset_state(True)
        loop = accelerate.Accelerator(cpu=True, gradient_accumulation_steps=2, mixed_precision="bf16", **more)
        model = kind()
        update = torch.optim.AdamW(model.parameters(), 0.01)
        prepared, update, loader = loop.prepare(wrap(model), update, DataLoader(ROWS, batch_size=64))
        for x in loader:
            with loop.accumulate(prepared):
                loop.backward(loss_of(prepared(x)))
                loop.clip_grad_norm_(prepared.parameters(), 1.0)
                update.step()
                update.zero_grad()
        return ended(model)

    before = len(records())
    own = run(dynamo_backend="remat") if way == "compiled" else run(as_planned)
    assert_all_equal(own, run(), records()[before:])


class Lit(lightning.LightningModule):
    """A model of Lightning: the loss is computed in its step."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def training_step(self, x, index):
        return loss_of(self.inner(x))

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), 0.01)


def lightning_trainer(folder, **more):
    """One epoch as above, and nothing written."""
    return lightning.Trainer(
        max_epochs=1,
        accelerator="cpu",
        precision="bf16-mixed",
        accumulate_grad_batches=2,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        default_root_dir=folder,
        **more,
    )


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_lightning(tmp_path, kind, way):
    def run(compiled, wrap=lambda model: model):
        model = Lit(wrap(kind()))
        lightning_trainer(tmp_path).fit(compiled(model), DataLoader(ROWS, batch_size=64))
        return ended(model)

    before = len(records())
    by_name = way == "compiled"
    if by_name:
        own = run(lambda model: torch.compile(model, backend="remat"))
    else:
        own = run(lambda model: model, as_planned)
    assert_all_equal(own, run(lambda model: model), records()[before:])


@pytest.mark.parametrize("spread", [DistributedDataParallel, fully_shard], ids=["ddp", "fsdp2"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_what_spreads_a_model_over_ranks(one_rank, kind, way, spread):
    def run(wrap, around=lambda step: step):
        torch.manual_seed(3)
        model = spread(wrap(kind()))
        step = around(lambda x: loss_of(model(x)))
        # Added up; twice, as the second step shows what is gathered beside the graphs, and the third is planned for that.
        # Rows are repeated, since a plan changes nothing about what gradients take at the end.
        for x in ROWS.split(64) * 2:
            with torch.autocast("cpu", torch.bfloat16):
                loss = step(x.repeat(8, 1))
            loss.backward()
        return [getattr(p.grad, "full_tensor", lambda p=p: p.grad)().clone() for p in model.parameters()]

    before = len(records())
    if way == "compiled":
        own = run(lambda model: model, lambda step: torch.compile(step, backend="remat"))
    else:
        own = run(as_planned)
    assert_held(records()[before:])
    assert all(map(torch.equal, own, run(lambda model: model)))
