# SPDX-License-Identifier: Apache-2.0
"""The loops of other libraries under ``remat_studio.install``: two lines more, and Inductor's kernels as before.

Each trains by plain ``torch.compile`` first, and then with a budget: the last step holds it, and the values are equal.
"""

import contextlib

import accelerate
import lightning
import pytest
import remat_studio
import torch
import transformers
from remat_studio.comparison.held import measured
from remat_studio.train import records
from support import quick_inductor
from test_train_loops import Lit, Model, WithoutLoss, arguments_of_trainer, lightning_trainer, loss_of
from torch.distributed.fsdp import fully_shard
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from training import batches, ended, one_rank, planner

__all__ = ["one_rank", "planner"]

pytestmark = [pytest.mark.rotates(group="installed"), pytest.mark.filterwarnings("ignore::UserWarning")]
COUNT, SIZE = 8, 256  # batches, of which two make a step of the optimizer; a plan for several graphs takes three
ROWS = torch.cat(batches(COUNT, SIZE))


@pytest.fixture(autouse=True)
def inductor(tmp_path):
    """PyTorch's caches would give the steps of one test to another, which then plans nothing."""
    with quick_inductor(tmp_path / "inductor"):
        yield


@pytest.fixture(params=[Model, WithoutLoss], ids=["loss_in_the_model", "loss_outside"])
def kind(request):
    """The class of the model."""
    return request.param


class Meter:
    """What the last batch holds, from its forward to the update."""

    def __init__(self):
        self.held = []
        self._count = 0
        self._open = contextlib.ExitStack()

    def begins(self):
        """A batch comes."""
        self._count += 1
        if self._count == COUNT:
            self._open.enter_context(measured(self.held))

    def ends(self, *_):
        """The backward of a batch is over."""
        self._open.close()


def assert_same_in_the_budget(run):
    """``run`` takes a Meter, and gives what it trained."""
    plain, own = Meter(), Meter()
    expected = run(plain)
    torch._dynamo.reset()
    begin = len(records())
    try:
        remat_studio.install("60%", time_limit=0.2)
        trained = run(own)
    finally:
        remat_studio.install(None)
    for name, value in expected.items():
        torch.testing.assert_close(trained[name], value)
    record = records()[begin:][-1]
    assert record["budget_bytes"] == int(0.6 * record["before_bytes"])
    assert own.held[0] <= record["budget_bytes"] < plain.held[0]


def values_of(model):
    """Parameters, whole."""
    state = ended(model).state
    return {name: getattr(value, "full_tensor", lambda value=value: value)() for name, value in state.items()}


def test_a_loop_of_ones_own(kind):
    def run(meter):
        model = kind()
        forward = torch.compile(model)
        update, scaler = torch.optim.AdamW(model.parameters(), 0.01), torch.amp.GradScaler("cpu")
        for index, x in enumerate(ROWS.split(SIZE)):
            meter.begins()
            with torch.autocast("cpu", torch.bfloat16):
                loss = loss_of(forward(x)) / 2
            scaler.scale(loss).backward()
            meter.ends()
            if index % 2:
                scaler.unscale_(update)
                torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                scaler.step(update)
                scaler.update()
                update.zero_grad()
        return values_of(model)

    assert_same_in_the_budget(run)


def test_the_trainer_of_transformers(tmp_path, kind):
    class Trainer(transformers.Trainer):
        """Computes the loss by itself where the model has none."""

        def training_step(self, model, inputs, *more, **named):
            self.meter.begins()
            loss = super().training_step(model, inputs, *more, **named)
            self.meter.ends()
            return loss

        def compute_loss(self, model, inputs, return_outputs=False, **_):
            loss = loss_of(model(**inputs))
            return (loss, {}) if return_outputs else loss

    def run(meter):
        torch.manual_seed(3)
        sizes = {"max_steps": COUNT // 2, "per_device_train_batch_size": SIZE}
        arguments = arguments_of_trainer(tmp_path, torch_compile=True, **sizes)
        trainer = Trainer(model=kind(), args=arguments, train_dataset=[{"x": row} for row in ROWS])
        trainer.meter = meter
        trainer.train()
        return values_of(trainer.model)

    assert_same_in_the_budget(run)


def test_accelerate(kind):
    def run(meter):
        accelerate.state.AcceleratorState._reset_state(True)
        loop = accelerate.Accelerator(
            cpu=True, gradient_accumulation_steps=2, mixed_precision="bf16", dynamo_backend="inductor"
        )
        model = kind()
        update = torch.optim.AdamW(model.parameters(), 0.01)
        prepared, update, loader = loop.prepare(model, update, DataLoader(ROWS, batch_size=SIZE))
        for x in loader:
            with loop.accumulate(prepared):
                meter.begins()
                loop.backward(loss_of(prepared(x)))
                meter.ends()
                loop.clip_grad_norm_(prepared.parameters(), 1.0)
                update.step()
                update.zero_grad()
        return values_of(model)

    assert_same_in_the_budget(run)


class Watch(lightning.Callback):
    """Tells a Meter of batches."""

    def __init__(self, meter):
        self.meter = meter

    def on_train_batch_start(self, *_):
        self.meter.begins()

    def on_after_backward(self, *_):
        self.meter.ends()


def test_lightning(tmp_path, kind):
    def run(meter):
        model = Lit(kind())
        lightning_trainer(tmp_path, callbacks=[Watch(meter)]).fit(torch.compile(model), DataLoader(ROWS, batch_size=SIZE))
        return values_of(model)

    assert_same_in_the_budget(run)


@pytest.mark.parametrize("spread", [DistributedDataParallel, fully_shard], ids=["ddp", "fsdp2"])
def test_what_spreads_a_model_over_ranks(one_rank, kind, spread):
    def run(meter):
        torch.manual_seed(3)
        model = spread(kind())
        forward = torch.compile(model)
        for x in ROWS.split(SIZE):
            meter.begins()
            with torch.autocast("cpu", torch.bfloat16):
                loss = loss_of(forward(x))
            loss.backward()
            meter.ends()
        return {name: getattr(p.grad, "full_tensor", lambda p=p: p.grad)() for name, p in model.named_parameters()}

    assert_same_in_the_budget(run)
