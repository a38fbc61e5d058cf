# SPDX-License-Identifier: Apache-2.0
"""Training with a plan beside other threads and processes: loaders of data, and models that train at the same time."""

import os
import pathlib
import subprocess
import sys
import threading

import pytest
import remat_studio
import torch
from remat_studio.train import generators, records
from torch.utils.data import DataLoader, Dataset
from training import assert_equal_runs, assert_planned, chain, compiled, ended, mean_square, planner

__all__ = ["planner"]


class Noisy(Dataset):
    """Rows that are drawn when they are asked for, as augmentations of data are."""

    def __len__(self):
        return 96

    def __getitem__(self, index):
        return torch.randn(8) + index


def test_workers_of_a_data_loader():
    def run(wrap):
        torch.manual_seed(8)
        model = chain()
        step = wrap(lambda x: mean_square(model, x))
        update = torch.optim.SGD(model.parameters(), 0.05)
        losses = []
        for x in DataLoader(Noisy(), batch_size=32, shuffle=True, num_workers=2, prefetch_factor=2):
            update.zero_grad()
            losses.append(step(x))
            losses[-1].backward()
            update.step()
        return ended(model, [loss.detach() for loss in losses])

    own = run(compiled)
    assert_planned()
    assert len(own.losses) == 3
    assert_equal_runs(own, run(lambda step: step))


def test_models_that_train_in_threads_of_their_own():
    def run(wrap):
        models = [chain(), chain(depth=4)]
        steps = [wrap(lambda x, m=m: mean_square(m, x)) for m in models]
        inputs = [torch.randn(64, 8, generator=torch.Generator().manual_seed(n)) for n in range(3)]
        for step in steps:
            step(inputs[0])  # Dynamo compiles in one thread at a time

        def loop(step):
            for x in inputs:
                step(x).backward()

        threads = [threading.Thread(target=loop, args=(step,)) for step in steps]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert not any(thread.is_alive() for thread in threads)
        return [ended(model) for model in models]

    for own, plain in zip(run(compiled), run(lambda step: step), strict=True):
        assert_equal_runs(own, plain)


def test_modules_that_are_planned_in_threads_of_their_own():
    """A capture changes settings of the process: after two at once, steps ran without plans."""
    models, x = [chain(depth=depth) for depth in (2, 3)], torch.randn(64, 8)
    made = {}
    def plan(index):
        made[index] = remat_studio.planned(models[index], (x,), budget="80%", time_limit=0.2)

    before = len(records())
    threads = [threading.Thread(target=plan, args=(index,)) for index in range(len(models))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    for index, model in enumerate(models):
        mean_square(made[index], x).backward()
        own = [p.grad.clone() for p in model.parameters()]
        model.zero_grad()
        mean_square(model, x).backward()
        assert all(map(torch.equal, own, (p.grad for p in model.parameters())))
    assert len(records()) == before + len(models)
    compiled(lambda x: mean_square(models[0], x))(x).backward()
    assert len(records()) == before + len(models) + 1


@pytest.mark.parametrize("way", ["planned", "compiled"])
def test_threads_that_are_first_and_end(way):
    """PyTorch keeps an object of the first one, and ended the process at the next."""
    program = f"""
import threading, torch, remat_studio
model, x = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Tanh()), torch.ones(4, 8)
options = dict(budget="100%", time_limit=0.2)

def plan():
    if "{way}" == "planned":
        remat_studio.planned(model, (x,), **options)
    else:
        torch.compile(lambda x: model(x).sum(), backend="remat", options=options)(x).backward()

for _ in range(3):
    thread = threading.Thread(target=plan)
    thread.start()
    thread.join()
"""
    folder = pathlib.Path(remat_studio.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", program], env=os.environ | {"PYTHONPATH": str(folder)}, timeout=600)
    assert done.returncode == 0


def test_random_ops_are_computed_again_with_their_own_numbers_while_other_threads_do_so():
    x = torch.ones(200)
    args = (torch.ops.aten.native_dropout.default, (x, 0.5, True), {})
    different = []

    def draw():
        for _ in range(400):
            recorded = generators.state("cpu", None)
            first = generators.record(recorded, "cpu", None, *args)
            again = generators.replay(recorded, "cpu", None, *args)
            different.append(not torch.equal(first[1], again[1]))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(different) == 1600 and not any(different)
