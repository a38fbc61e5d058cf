"""Training with a plan in the loops of other libraries: they take the backend by its name as any other."""

import accelerate
import lightning
import pytest
import torch
import transformers
from remat_studio.train import records
from torch import nn
from torch.utils.data import DataLoader
from training import assert_equal_runs, assert_planned, batches, chain, ended, planner

__all__ = ["planner"]

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
        return {"loss": self.inner(x).square().mean()}


def test_the_trainer_of_transformers(tmp_path):
    def run(**more):
        arguments = transformers.TrainingArguments(
            output_dir=str(tmp_path),
            max_steps=2,
            per_device_train_batch_size=64,
            learning_rate=0.01,
            report_to=[],
            save_strategy="no",
            logging_strategy="no",
            disable_tqdm=True,
            use_cpu=True,
            **more,
        )
        trainer = transformers.Trainer(model=Model(), args=arguments, train_dataset=[{"x": row} for row in ROWS])
        trainer.train()
        return ended(trainer.model)

    before = len(records())
    own = run(torch_compile_backend="remat")
    assert len(records()) == before + 1
    assert_planned()
    assert_equal_runs(own, run())


def test_accelerate():
    def run(**more):
        accelerate.state.AcceleratorState._reset_state(True)
        loop = accelerate.Accelerator(cpu=True, **more)
        model = Model()
        update = torch.optim.AdamW(model.parameters(), 0.01)
        prepared, update, loader = loop.prepare(model, update, DataLoader(ROWS, batch_size=64))
        for x in loader:
            update.zero_grad()
            loop.backward(prepared(x)["loss"])
            update.step()
        return ended(model)

    own = run(dynamo_backend="remat")
    assert_planned()
    assert_equal_runs(own, run())


class Lit(lightning.LightningModule):
    """A model of Lightning: the loss is computed in its step."""

    def __init__(self):
        super().__init__()
        self.inner = chain()

    def training_step(self, x, index):
        return self.inner(x).square().mean()

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), 0.01)


def test_lightning(tmp_path):
    def run(wrap):
        model = Lit()
        trainer = lightning.Trainer(
            max_epochs=1,
            accelerator="cpu",
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=False,
            enable_model_summary=False,
            default_root_dir=tmp_path,
        )
        trainer.fit(wrap(model), DataLoader(ROWS, batch_size=64))
        return ended(model)

    own = run(lambda model: torch.compile(model, backend="remat"))
    assert_planned()
    assert_equal_runs(own, run(lambda model: model))
