# SPDX-License-Identifier: Apache-2.0
"""Orders near a known one: what is computed again so that less is held, and what is not where there is room."""

import types

import pytest
from remat_studio.train import memory, nearby as looking
from remat_studio.train.nearby import Nearby
from remat_studio.train.step_graph import Op, Storage


def of_chain(costs):
    """A chain of ops, each with a backward that reads what the op has made and the gradient behind it."""
    node = lambda name: types.SimpleNamespace(name=name)  # noqa: E731
    given = Storage("given", 100, is_resident=True)
    values = [Storage(f"value{i}", 10) for i in range(len(costs))]
    gradients = [Storage(f"gradient{i}", 1) for i in range(len(costs))]
    tangent = Storage("tangent", 1)
    forward = [Op(node(f"op{i}"), [values[i - 1] if i else given], [values[i]], True) for i in range(len(costs))]
    backward = [
        Op(node(f"back{i}"), [values[i], gradients[i + 1] if i + 1 < len(costs) else tangent], [gradients[i]], False)
        for i in reversed(range(len(costs)))
    ]
    ops = [*forward, *backward]
    graph = types.SimpleNamespace(
        ops=ops,
        storages=[given, *values, *gradients, tangent],
        border="border",
        border_workspace_bytes=0,
        held_outputs=[],
        tangent_storages=[tangent],
        ends=[tangent, gradients[0]],
        gradients=[gradients[0]],
        parameter_gradients=[gradients[0]],
        in_planned_order=lambda: [*forward, None, *backward],
    )
    times = {op.name: cost for op, cost in zip(forward, costs, strict=True)}
    return graph, Nearby(graph, lambda op: times.get(op.name, 1))


@pytest.fixture
def chain():
    return of_chain([5, 1, 5, 5, 1, 5])


def kept(graph):
    return [op.name if op else graph.border for op in graph.in_planned_order()]


def test_what_an_order_holds_is_what_the_rules_of_plans_say(chain):
    graph, nearby = chain
    for order in (kept(graph), nearby.fastest(kept(graph), 45)):
        assert nearby.peak(order) == memory.use_of(graph, memory.freed_after_use(graph, order)).peak_bytes


def test_the_cheapest_is_computed_again_where_it_is_read(chain):
    graph, nearby = chain
    order = kept(graph)
    made = nearby.fastest(order, nearby.peak(order) - 10)
    assert nearby.peak(made) == nearby.peak(order) - 10
    assert made == [*order[: order.index("back1")], "op1", "back1", "back0"]


def test_room_is_used_for_what_takes_the_most_time(chain):
    graph, nearby = chain
    order = kept(graph)
    small = nearby.fastest(order, 40)
    assert nearby.peak(small) <= 40 and nearby.time_us(small) >= nearby.time_us(order) + 7
    room = nearby.fastest(small, nearby.peak(order) - 10)
    assert nearby.peak(room) <= nearby.peak(order) - 10 and nearby.time_us(room) == nearby.time_us(order) + 1
    assert nearby.fastest(small, nearby.peak(order)) == order


def test_what_is_to_run_once_is_not_computed_again_nor_left_out(chain):
    graph, nearby = chain
    for op in graph.ops:
        op.is_once = op.name in ("op1", "op4")
    nearby = Nearby(graph, lambda op: 1)
    made = nearby.fastest(kept(graph), 1)
    assert nearby.peak(made) < nearby.peak(kept(graph))
    assert made.count("op1") == made.count("op4") == 1


def test_where_nothing_holds_the_target_the_smallest_that_is_found_is_given(chain):
    graph, nearby = chain
    made = nearby.fastest(kept(graph), 1)
    assert 1 < nearby.peak(made) <= 40
    assert set(made) == set(kept(graph))


def test_it_looks_at_so_many_orders_and_takes_the_best_of_these(monkeypatch):
    graph, nearby = of_chain([5, 1, 5, 5, 1, 5] * 5)
    order, looks, lives = kept(graph), [], Nearby._lives
    monkeypatch.setattr(Nearby, "_lives", lambda self, given: looks.append(given) or lives(self, given))
    wanted = nearby.fastest(order, nearby.peak(order) // 2)
    assert nearby.peak(wanted) <= nearby.peak(order) // 2 and len(looks) > 200
    looks.clear()
    monkeypatch.setattr(looking, "_LOOKS", 100)
    monkeypatch.setattr(looking, "_VISITS", 0)
    made = nearby.fastest(order, nearby.peak(order) // 2)
    assert len(looks) < 120
    assert nearby.peak(made) <= nearby.peak(order) // 2 and nearby.time_us(made) >= nearby.time_us(wanted)
