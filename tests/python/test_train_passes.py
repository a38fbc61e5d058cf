# SPDX-License-Identifier: Apache-2.0
"""Regions of a step whose backwards come between forwards, as where models train each other."""

import itertools
import random

import pytest
from remat_studio.train import regions
from remat_studio.train.passes import Passes
from training import planner

__all__ = ["planner"]

F, B = True, False
GAN = [(F, 0), (F, 1), (B, 1), (F, 2), (B, 2), (B, 0)]  # it makes; the judge sees that twice


def option(rng):
    """Sizes and a time that are not related."""
    sizes = [rng.randint(1, 9) for _ in range(3)]
    return regions.Option("any", *sizes, 1, rng.random(), 1)


def random_order(rng, count):
    """Passes as parentheses are opened and closed."""
    order, waiting, begun = [], [], 0
    while begun < count or waiting:
        if begun < count and (not waiting or rng.random() < 0.5):
            order.append((F, begun))
            waiting.append(begun)
            begun += 1
        else:
            order.append((B, waiting.pop()))
    return order


def held(order, picks, beside):
    """The most that is held at once, pass by pass."""
    kept, gradients, peak = {}, 0, 0
    for is_forward, index in order:
        pick = picks[index]
        if is_forward:
            peak = max(peak, sum(kept.values()) + gradients + pick.forward_bytes + beside[index][0])
            kept[index] = pick.kept_bytes
        else:
            del kept[index]
            peak = max(peak, sum(kept.values()) + gradients + pick.backward_bytes + beside[index][1])
            gradients += pick.gradient_bytes
    return peak


@pytest.mark.parametrize("seed", range(40))
def test_the_choice_is_the_best_of_all(seed):
    rng = random.Random(seed)
    count = rng.randint(1, 5)
    order, chain = random_order(rng, count), [[option(rng) for _ in range(3)] for _ in range(count)]
    beside = [(rng.randint(0, 3), rng.randint(0, 3)) for _ in range(count)]
    passes = Passes(order)
    ways = [(held(order, picks, beside), picks) for picks in itertools.product(*chain)]
    assert all(regions.peak_of(picks, beside, passes) == peak for peak, picks in ways)
    assert regions.smallest(chain, beside, passes).peak_bytes == min(peak for peak, _ in ways)
    for budget in range(max(peak for peak, _ in ways) + 2):
        times = [sum(pick.time_us for pick in picks) for peak, picks in ways if peak <= budget]
        chosen = regions.choose(chain, budget, beside, passes)
        assert (chosen is None) == (not times)
        assert chosen is None or (chosen.time_us == pytest.approx(min(times)) and chosen.peak_bytes <= budget)


def test_a_judge_that_is_called_twice_is_held_once():
    maker, judge = regions.Option("maker", 10, 8, 12, 1, 1.0, 1), regions.Option("judge", 20, 15, 30, 2, 1.0, 1)
    picks, beside = [maker, judge, judge], [(0, 0)] * 3
    assert regions.peak_of(picks, beside, Passes(GAN)) == 8 + 2 + 30
    assert regions.peak_of(picks, beside) == 8 + 15 + 30


def test_places_lie_around_the_passes_of_their_regions():
    order = Passes(GAN).with_places().order
    assert order[:4] == [(F, 0), (F, 1), (F, 2), (F, 3)] and order[4:6] == [(B, 3), (B, 2)]
    assert order[6:] == [(F, 4), (F, 5), (F, 6), (B, 6), (B, 5), (B, 4), (B, 1), (B, 0)]
    nested = Passes.nested(2).with_places().order
    assert nested == [*((F, index) for index in range(5)), *((B, index) for index in reversed(range(5)))]


@pytest.mark.parametrize("order", [[(F, 0), (F, 1), (B, 0), (B, 1)], [(F, 0), (F, 1), (B, 1)]])
def test_of_other_orders_the_nested_one_is_taken(order):
    assert Passes.of(order).order == Passes.nested(2).order
