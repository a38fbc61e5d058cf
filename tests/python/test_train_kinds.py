# SPDX-License-Identifier: Apache-2.0
"""Steps in a chain of regions, of one kind or several: each has a plan, holds its budget, or is told to hold more."""

import warnings

import pytest
import remat_studio
import torch
from remat_studio.comparison.held import measured
from remat_studio.train import PlanError, between, options, records, regions
from remat_studio.train.chains import Chain
from remat_studio.train.session import TRIES
from remat_studio.train.untold import Untold
from support import quick_inductor
from torch import nn
from torch.nn.functional import softplus

ROWS, WIDTH = 512, 64


def network(inputs, outputs):
    """Layers in one graph."""
    layers = [layer for _ in range(3) for layer in (nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH), nn.GELU())]
    return nn.Sequential(nn.Linear(inputs, WIDTH), *layers, nn.Linear(WIDTH, outputs))


def trained_in_turn(steps):
    """What the last step of either model of a GAN held, each with the other one frozen, and their losses."""
    torch.manual_seed(0)
    models = network(16, 32), network(32, 1)
    makes, judges = (torch.compile(model) for model in models)
    held, losses = {}, []
    for index in range(steps):
        noise, real = torch.randn(ROWS, 16), torch.randn(ROWS, 32)
        for own, other in (models, models[::-1]):
            other.requires_grad_(False)
            own.requires_grad_(True).zero_grad()
            found = []
            with measured(found) if index == steps - 1 else torch.enable_grad():
                if own is models[0]:
                    loss = softplus(-judges(makes(noise))).mean()
                else:
                    loss = softplus(-judges(real)).mean() + softplus(judges(makes(noise).detach())).mean()
                loss.backward()
            losses.append(loss.item())
            del loss
            held[own is models[0]] = found and found[0]
            with torch.no_grad():
                for parameter in own.parameters():
                    parameter -= 1e-3 * parameter.grad
    return held, losses


@pytest.mark.rotates(group="inductor")
def test_models_that_train_in_turn_have_a_plan_each(tmp_path):
    with quick_inductor(tmp_path):
        before, wanted = trained_in_turn(2)
        torch._dynamo.reset()
        remat_studio.install("70%", time_limit=0.2)
        try:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                held, losses = trained_in_turn(6)
        finally:
            remat_studio.install(None)
    found = {record["before_bytes"]: record for record in records() if record["graph"]["name"] == "graphs"}
    for kind, size in before.items():
        assert held[kind] == found[size]["predicted"]["peak_bytes"] == found[size]["measured"]["peak_bytes"]
        assert held[kind] <= found[size]["budget_bytes"]
    assert losses[: len(wanted)] == pytest.approx(wanted)
    assert not [str(each.message) for each in said if "over" in str(each.message) or "No plan" in str(each.message)]


class Pair(nn.Module):
    """Two graphs of operators that have no sizes in their arguments."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(3)
        self.first, self.second = (nn.Sequential(*[nn.Linear(WIDTH, WIDTH), nn.ReLU()] * 3) for _ in range(2))

    def forward(self, x):
        x = self.first(x)
        torch._dynamo.graph_break()
        return self.second(x)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.rotates(group="inductor")
def test_a_larger_batch_is_a_kind_of_its_own_and_a_second_start_explores_none(tmp_path, monkeypatch):
    explored, explore = [], regions.explore

    def counted(*given):
        explored.append(given)
        return explore(*given)

    def train():
        torch._dynamo.reset()
        begin = len(records())
        remat_studio.install("60%", time_limit=0.2)
        try:
            step = torch.compile(Pair())
            for rows in [ROWS] * 3 + [2 * ROWS] * 3:
                step(torch.randn(rows, WIDTH)).square().mean().backward()
        finally:
            remat_studio.install(None)
        found = [record for record in records()[begin:] if record["graph"]["name"] == "graphs"]
        return found[0], found[-1]

    monkeypatch.setattr(regions, "explore", counted)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with quick_inductor(tmp_path / "inductor"):
        first = train()
        count = len(explored)
        second = train()
    assert count == 4 and len(explored) == count
    for small, large in (first, second):
        assert small["before_bytes"] < 0.6 * large["before_bytes"]
        assert large["predicted"]["peak_bytes"] <= large["budget_bytes"]
    assert [each["predicted"]["peak_bytes"] for each in first] == [each["predicted"]["peak_bytes"] for each in second]


def option(name, forward, kept, backward, time_us):
    """One way to cut a region."""
    return regions.Option(name, forward, kept, backward, 0, time_us, 1 if name == "plain" else 0)


def chain_of(budget, **given):
    """A chain whose graphs have an option without a plan, and one that keeps less, and what its steps end with."""
    ends = []
    chain = Chain(options.read({"budget": budget, "codegen": "inductor", **given}), "graphs", lambda: ends.append(True))
    for digest, size in (("body", 40), ("head", 20), ("large head", 60)):
        chain.known[digest] = [option("plain", size, size, size, 1.0), option("cut", size, size // 4, size, 2.0)]
    return chain, ends


def step(chain, *digests):
    """Run graphs forward, and backward in the opposite order."""
    for digest in digests:
        chain._enters(digest)
        chain._ran(digest, digest, lambda: chain)
    for digest in reversed(digests):
        chain._enters(digest)
        chain._went_back(digest)


def picked(chain):
    """The cut of each graph that runs once."""
    return {place: own.name for place, cuts in chain.picks.items() for (own,) in cuts.values()}


def test_a_graph_of_two_kinds_of_steps_has_a_cut_that_fits_both():
    chain, ends = chain_of("80B")
    step(chain, "body", "head")
    assert chain.solve() and picked(chain) == {"body": "plain", "head": "plain"}
    step(chain, "body", "large head")  # 40 of the body leave the large head no room, whichever cut it has
    assert len(ends) == 2
    assert chain.solve()
    assert picked(chain) == {"body": "cut", "head": "plain", "large head": "plain"}
    peaks = [record["predicted"]["peak_bytes"] for record in records()[-2:]]
    assert peaks == [40, 70]
    step(chain, "body", "head")
    step(chain, "body", "large head")
    assert len(ends) == 2


def test_a_kind_of_step_that_runs_by_cuts_of_others_is_not_compiled_again():
    chain, _ = chain_of("80B")
    step(chain, "body", "head")
    chain.solve()
    for digests in (("body", "head", "head"), ("head", "body")):
        step(chain, *digests)
        assert not chain.solve()
        assert records()[-1]["predicted"]["peak_bytes"] == 20 * len(digests) + 20


def test_kinds_of_steps_without_a_plan_are_said():
    chain, ends = chain_of("80B", shapes=1)
    step(chain, "body", "head")
    chain.solve()
    with pytest.warns(UserWarning, match="more than 1 kinds, .* that keep least; one holds 100 B, and its budget is 80 B"):
        step(chain, "body", "large head")
    with pytest.warns(UserWarning, match="more than 1 kinds, .* that keep least. Give batches of one shape"):
        step(chain, "head")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        step(chain, "body", "large head")
    assert len(ends) == 1


def test_a_kind_of_step_that_no_cuts_hold_is_said_with_the_least():
    chain, _ = chain_of("60B", strict=True)
    step(chain, "head")
    chain.solve()
    step(chain, "body", "large head")
    with pytest.raises(PlanError, match=r"No plan for these graphs holds 60 bytes \(60 B\); .* found is 70 bytes"):
        chain.solve()


@pytest.mark.parametrize("more", [0, -5, -20, None])
def test_a_missed_budget_is_said_when_a_step_has_shown_it(more):
    """With the least that was measured; at the end where no step was, and not where a step held the budget."""
    chain, _ = chain_of("60B")
    step(chain, "body", "large head")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        chain.solve()
        step(chain, "body", "large head")
        assert not said
        if more is None:
            del chain
        else:
            graphs = [(True, "body"), (True, "large head"), (False, "large head"), (False, "body")]
            peaks = zip(graphs, (40, 70 + more, 70 + more, 40), strict=True)
            chain._has_measured([(None, 0), *(each for piece in peaks for each in (piece, (None, 0)))])
            step(chain, "body", "large head")
    found = [str(each.message) for each in said]
    assert [f'"{70 + (more or 0)}B"' in each for each in found] == ([] if more == -20 else [True])


@pytest.mark.parametrize("budget", ["60B", "60%"])
@pytest.mark.parametrize(("less", "older"), [(0, 0), (5, 0), (5, 5)])
def test_a_step_in_parts_that_holds_less_than_was_predicted_has_that_in_its_record(budget, less, older):
    """But not where so much of what its first graph is given was there before the call that is measured."""
    chain, ended = Chain(options.read({"budget": budget, "codegen": "inductor"}), "graphs", lambda: None), []
    plain, least = (regions.Option("", *sizes, 1, 1.0, ratio) for *sizes, ratio in ((60, 50, 100, 1), (50, 40, 59, 0)))
    chain.known["graph"] = [plain, least]
    chain._enters("graph")
    chain._ran(0, "graph", lambda: ended)
    chain._went_back("graph")
    chain.solve()
    record = records()[-1]
    assert (record["predicted"]["peak_bytes"], record["before_bytes"]) == (59, 100)
    chain._ends = lambda: ended.append(True)
    order = [None, (True, "graph"), None, (False, "graph"), None]
    chain._has_measured([*zip(order, (0, 50 - older, 40 - older, 59 - less, 1), strict=True)])
    less -= older
    assert (record["predicted"]["peak_bytes"], record["before_bytes"]) == (59 - less, 100 - less)
    assert record["budget_bytes"] == (60 if budget == "60B" else int(0.6 * (100 - less)))
    assert not ended


def test_steps_in_another_order_are_measured_a_few_times_and_no_more(monkeypatch):
    begun = []

    class Step:
        """A step of which nothing can be said."""

        def __init__(self, then, _meter):
            begun.append(self)
            self.has_all = lambda: then([])

        def begins(self):
            """A graph begins."""

        def ends(self, *_):
            """It is over."""

        def give_up(self):
            """Nothing of it is left."""

    monkeypatch.setattr(between, "MeasuredStep", Step)
    chain = Chain(options.read({"budget": "1GiB", "codegen": "inductor"}), "graphs", lambda: None)
    chain.known["graph"] = [regions.Option("plain", 10, 5, 12, 1, 1.0, 1)]

    def step():
        for _ in range(2):
            chain._enters("graph")
            chain._ran(0, "graph", lambda: step)
        for _ in range(2):
            chain._enters("graph")
            chain._went_back("graph")

    step()
    chain.solve()
    for _ in range(9):
        step()
    assert len(begun) == TRIES
    pieces = [((is_forward, "graph"), 100) for is_forward in (True, False, True, False)]
    with pytest.warns(UserWarning, match="holds 100 B, and 17 B were predicted: its graphs do not all run backward"):
        chain._has_measured([each for piece in pieces for each in (piece, (None, 50))])
    assert records()[-1]["measured"] == {"peak_bytes": 100} and records()[-1]["between_bytes"] == 83
    chain.options = options.read({"budget": "60B", "codegen": "inductor"})
    chain._step.measured, ended = 0, []
    chain._ends = lambda: ended.append(chain.is_solved)
    chain._step.tries = TRIES
    with pytest.warns(UserWarning, match="which adds 84 B; the budget is 60 B. The graphs are planned once more"):
        chain._has_measured([each for piece in pieces for each in (piece, (None, 101))])
    assert ended == [False] and chain._step.tries == 0


def test_plans_that_miss_their_budgets_are_said_at_the_end_in_one_sentence_but_for_those_that_never_ran():
    untold = Untold()
    for name, size in (("small", 2048), ("large", 9000), ("middle", 4096), ("never", 1024)):
        untold.add(name, f"The {name} one.", size)
    untold.ran({"small", "large", "middle"})
    with pytest.warns(UserWarning) as said:
        untold.say_all()
    further = "Further plans miss their budgets, too: 2, of 2.00 KiB and more; records() has them."
    assert [str(each.message) for each in said] == [f"The large one. {further}"]
