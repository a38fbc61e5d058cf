# SPDX-License-Identifier: Apache-2.0
"""The museum: situations of public bug reports, each in a file that says where it was seen and what is right.

Each is run on five routes and held against plain PyTorch: the trace; its plan in the program (``validate``); training
through ``torch.compile`` with a certificate; the plan of the trace applied to the model; and a planned module, with a
certificate too. A route ends equal, in a
named cause with its size, or in a sentence. What it must never end in is a difference that nobody says.
"""

import importlib
import json
import pathlib
import subprocess
import sys
import warnings
import zipfile

import pytest
import remat_studio
import torch
from remat_studio import TraceError
from remat_studio.executable import find
from remat_studio.host_seeds import seed_host
from remat_studio.losses import Loss

sys.path[:0] = [str(pathlib.Path(__file__).parents[1]), str(pathlib.Path(__file__).parent)]
from support import needs_libtorch  # noqa: E402
from training import planner  # noqa: E402

__all__ = ["planner"]

ROUTES = ("trace", "validate", "compile", "apply", "planned")
EQUAL = ("equal",) * 5
# What each route ends in; a sentence is told by a part of it. "red": the certificate says that the graph is wrong.
NO_CPU = "does not support backward on CPU"
NO_FLEX = "call scaled_dot_product_attention with an attn_mask"
WRITES = "clone it first, and change the clone"
MAX_NORM = "leave out max_norm"
SPARSE = "make it dense (sparse=False)"
OLDER = "say use_reentrant=False there"
TWICE = "the model's own checkpoints write a second time"
LEFT_OUT = "leaves this to eager mode and plans the rest"
NO_NUMBERS = "numbers that are not finite"
FORMULA = "another formula of autograd"
COMPILED = "the other way that code takes when it is compiled"
GENERATOR = "draws numbers from a generator of its own"
NESTED = "the model makes nested tensors; pad them"
OWN_CAPTURE = "InternalTorchDynamoError"
INSIDE = "call torch.autograd.grad instead of backward()"
BACKWARD = "the backward pass changes a tensor of the model in place"
DRAWN = "the forward draws from Python's generator"
SEEDED = "the forward sets PyTorch's generator"
HOOKS = "The first op that differs is"
LOST = "Dynamo loses that gradient when it captures this autograd.Function"
EXPECTED = {
    "annotated_for_profilers": EQUAL,
    "autocast_shared_weight": EQUAL,
    "bags_of_words": EQUAL,
    "batchnorm_called_twice": EQUAL,
    "batchnorm_cumulative": EQUAL,
    "batchnorm_of_sequences": EQUAL,
    "broken_within_autocast": EQUAL,
    "buffer_replaced": EQUAL,
    "cache_made_lazily": EQUAL,
    "checkpoint_inside": (TWICE, "equal", TWICE, TWICE, TWICE),
    "checkpoint_reentrant": (OLDER, OLDER, TWICE, OLDER, TWICE),
    "complex_numbers": EQUAL,
    "complex_spectral": EQUAL,
    "counted_in_hooks": (BACKWARD, BACKWARD, "equal", BACKWARD, "equal"),
    "custom_operator": ("equal", "museum::shifted_relu, which is not on the list", "equal", "equal", "equal"),
    "drawn_by_python": ("equal", "equal", "equal", DRAWN, "equal"),
    "dropout_and_noise": EQUAL,
    "expert_loop": ("equal", "equal", "equal", LEFT_OUT, "equal"),
    "fixed_point": EQUAL,
    "flex_attention": (NO_FLEX, NO_FLEX, NO_CPU, NO_FLEX, NO_CPU),
    "generator_of_its_own": (GENERATOR, GENERATOR, "equal", GENERATOR, "equal"),
    "gradient_of_gradient": EQUAL,
    "halves_of_one_storage": EQUAL,
    "hooks_on_parameters": EQUAL,
    "inplace_in_custom_function": ("equal", "equal", "red", "equal", "equal"),
    "logits_are_the_peak": EQUAL,
    "loss_of_unequal_lengths": EQUAL,
    "moe_ties": EQUAL,
    "no_number_behind_where": (NO_NUMBERS, "equal", "equal", "equal", "equal"),
    "optimizer_within_the_step": ("equal", "equal", COMPILED, "equal", "equal"),
    "packed_lstm": EQUAL,
    "parameter_written": (WRITES, WRITES, "equal", WRITES, "equal"),
    "penalty_on_a_custom_gradient": ("equal", "equal", "Plain PyTorch computes aten.", "equal", "equal"),
    "physics_loss": EQUAL,
    "pinv_under_a_mode": EQUAL,
    "products": (FORMULA, "equal", FORMULA, FORMULA, FORMULA),
    "queue_read_then_overwritten": EQUAL,
    "random_kinds": EQUAL,
    "results_that_share_memory": EQUAL,
    "reversible_block": EQUAL,
    "reversible_block_adding": (INSIDE, INSIDE, "equal", INSIDE, "equal"),
    "rows_in_a_nested_tensor": (NESTED, NESTED, OWN_CAPTURE, NESTED, "equal"),
    "rows_renormed": (MAX_NORM, MAX_NORM, "equal", MAX_NORM, "equal"),
    "saved_in_half": (HOOKS, "equal", "equal", "red", "red"),
    "scan_recurrence": ("comes from PyTorch's own loop", "equal", "equal", "red", "red"),  # the graph is right
    "seed_within_the_step": (SEEDED, SEEDED, "equal", SEEDED, "equal"),
    "softmax_of_its_own": ("equal", "equal", LOST, "equal", "equal"),
    "sparse_embedding": (SPARSE, SPARSE, "equal", SPARSE, "equal"),
    "spectral_norm_twice": EQUAL,
    "teacher_averaged": ("equal", "equal", COMPILED, "equal", "equal"),
    "teacher_in_inference_mode": EQUAL,
    "unread_dropout": EQUAL,
    "vq_codebook": EQUAL,
}


def test_every_situation_is_in_the_table():
    files = {file.stem for file in pathlib.Path(__file__).parent.glob("*.py")} - {"test_situations"}
    assert files == set(EXPECTED)


@pytest.mark.rotates(days=7)
@pytest.mark.parametrize("name", EXPECTED)
@needs_libtorch
def test_each_route_ends_right_or_in_a_true_sentence(name, tmp_path):
    torch.set_num_threads(1)  # sums in one order
    ended = dict.fromkeys(ROUTES, "")
    for route, run in zip(ROUTES, (traced, validated, trained, applied, as_module), strict=True):
        torch._dynamo.reset()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                ended[route] = run(importlib.import_module(name), tmp_path)
            except Exception as error:
                ended[route] = f"{type(error).__name__}: {error}"
    print(f"{name:30}", *(f"{route}: {text.splitlines()[0][:60]}" for route, text in ended.items()), sep=" | ")
    for route, expected in zip(ROUTES, EXPECTED[name], strict=True):
        found = ended[route]
        assert found == expected if expected == "equal" else expected in found, f"{name} by {route}: {found}"


def traced(situation, folder):
    """The verdict of the trace's own comparison."""
    model, args, loss_fn = situation.make()
    path = remat_studio.trace(model, args, loss_fn, folder / "model.pt2")
    with zipfile.ZipFile(path) as archive:
        record = json.loads(archive.read("archive/extra/remat_comparison.json"))
    again = remat_studio.trace(*situation.make()[:2], loss_fn, folder / "again.pt2", compare="never")
    assert fingerprint(path) == fingerprint(again), "two traces of one model are not equal"
    return record["verdict"] if record["verdict"] == "equal" else record["why"]


def fingerprint(path):
    done = subprocess.run([find(), "info", path, "--json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["fingerprint"]


def planned_trace(situation, folder):
    path = folder / "model.pt2"
    if not path.exists():
        remat_studio.trace(*situation.make(), path)
    for budget in ("60%", "75%", "100%"):
        if plan_for_here(path, budget, folder):
            return path, folder / "plan.json"
    raise AssertionError("no plan was found")


def plan_for_here(path, budget, folder):
    """Whether there is a plan for this machine, of which nothing was measured before; chunks would add otherwise.

    Where an op must not run in the program, there is nothing to measure, and its costs are those of a device.
    """
    plan = [find(), "plan", path, "--budget", budget, "--chunk", "off", "--time-limit", "1", "-o", folder / "plan.json"]
    here = subprocess.run([*plan, "--device", "here"], capture_output=True, text=True)
    if "not on the list of operators" in here.stderr:
        return subprocess.run(plan, capture_output=True).returncode == 0
    return here.returncode == 0


def validated(situation, folder):
    """Whether the program's run of the plan gives the bits of keep-all, within the budget."""
    return run_of_plan(*planned_trace(situation, folder))


def run_of_plan(path, plan):
    """``equal``, or what is not, or what it held over the budget."""
    done = subprocess.run([find(), "validate", path, plan, "--json"], capture_output=True, text=True)
    if done.returncode == 2:
        return done.stderr
    answer = json.loads(done.stdout)
    if "within the budget" not in answer["sentence"]:
        return answer["sentence"]
    return "equal" if answer.get("loss_equal") and not answer["differences"] else done.stdout + done.stderr


def trained(situation, _folder):
    """The result of a compiled step, and what its certificate says where it is wrong."""
    model, args, loss_fn = situation.make()

    def step(*given):
        return loss_fn(model(*given))

    return certified(situation, model, lambda: torch.compile(step, backend="remat", options=dict(WAY))(*args))


def as_module(situation, _folder):
    """The same of a planned module with the loss outside."""
    model, args, loss_fn = situation.make()
    loss = Loss(loss_fn)
    return certified(situation, model, lambda: loss(remat_studio.planned(model, args, **WAY)(*args)))


WAY = {"budget": "100%", "time_limit": 0.2, "cache": False, "verify": True}


def certified(situation, model, run):
    """What a step that writes certificates ends in."""
    begin = len(remat_studio.records())
    found = difference(situation, model, run)
    records = remat_studio.records()[begin:]
    pytorch = [record["certificate"]["pytorch"] for record in records if "certificate" in record]  # of those that ran
    if any(record["verdict"] == "different" for record in pytorch):
        return f"red: {[record['why'] for record in pytorch]}"
    return found if found == "equal" else f"{found}; {[record['why'] for record in pytorch]}"


def applied(situation, folder):
    """The result of a step with the plan of the trace."""
    _, plan = planned_trace(situation, folder)
    model, args, loss_fn = situation.make()
    step = remat_studio.read_plan(plan).apply(model, args, loss_fn)
    found = difference(situation, model, lambda: step(*args))
    if step.comparison["verdict"] == "different":
        return f"red: {step.comparison['why']}"
    return found if found == "equal" else f"{found}; {step.comparison['why']}"


def difference(situation, model, run):
    """``equal``, or what is not: loss, gradients or buffers."""
    twin, args, loss_fn = situation.make()
    seed(7)
    wanted = Loss(loss_fn)(twin(*args))
    wanted.backward()
    seed(7)
    loss = run()
    loss.backward()
    pairs = {"loss": (loss, wanted)}
    pairs |= {n: (p.grad, q.grad) for (n, p), q in zip(model.named_parameters(), twin.parameters(), strict=True)}
    pairs |= {n: (b, c) for (n, b), c in zip(model.named_buffers(), twin.buffers(), strict=True)}
    pairs |= {f"value of {n}": (p, q) for (n, p), q in zip(model.named_parameters(), twin.parameters(), strict=True)}
    unequal = [name for name, (value, other) in pairs.items() if not same(value, other)]
    return f"not equal: {', '.join(unequal)}" if unequal else "equal"


def seed(number):
    torch.manual_seed(number)
    seed_host(number)


def same(value, other):
    if value is None or other is None:
        return value is other
    if value.is_sparse:
        value, other = value.to_dense(), other.to_dense()
    if value.is_floating_point():
        value, other = value.nan_to_num(), other.nan_to_num()
    return torch.equal(value, other)


@pytest.mark.parametrize("name", ["tiny_gpt2", "tiny_resnet", "tiny_unet", "tiny_transformer"])
@needs_libtorch
def test_samples_end_within_their_budget_where_nothing_was_measured(name, tmp_path):
    path = pathlib.Path(__file__).parents[3] / "resources" / "samples" / f"{name}.pt2"
    assert plan_for_here(path, "60%", tmp_path)
    assert run_of_plan(path, tmp_path / "plan.json") == "equal"


def test_a_refusal_is_one_sentence(tmp_path):
    with pytest.raises(TraceError) as refused:
        remat_studio.trace(*importlib.import_module("flex_attention").make(), tmp_path / "model.pt2")
    assert "\n" not in str(refused.value) and ";" in str(refused.value), refused.value


def table():
    """The rows of the page beside this file."""
    lines = ["| situation | trace | `validate` | `torch.compile` | `apply` | `planned` |", "|---|---|---|---|---|---|"]
    return [*lines, *(f"| {' | '.join((name.replace('_', ' '), *ends))} |" for name, ends in EXPECTED.items())]


def test_the_page_has_the_table():
    page = (pathlib.Path(__file__).parent / "README.md").read_text().splitlines()
    assert [line for line in page if line.startswith("|")] == table()
