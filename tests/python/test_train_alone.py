# SPDX-License-Identifier: Apache-2.0
"""What a measured step of one graph shows to lie beside it, and whether the graph is planned once more with that."""

import dataclasses
import warnings

import pytest
from remat_studio.train import options
from remat_studio.train.alone import Alone
from remat_studio.train.beside import Beside, seen
from remat_studio.train.inductor_peak import Peak
from remat_studio.train.step_parts import Parts


def cut_of(forward, backward, kept, saved=(), unsaved=(), gradients=5):
    """The Peak of a cut with outputs of 10 bytes each at these positions; ``backward`` has what it holds without them.

    Of those that it saves it lets go in this order, each after another one of these numbers.
    """
    ends = [*((10, (i,)) for i in saved), (0, ())]
    pieces = tuple((most, *end) for most, end in zip(backward, ends, strict=True))
    more = {"unsaved": tuple((10, (i,)) for i in unsaved), "pieces": pieces}
    cut = Peak(forward, 0, kept + 10 * len(unsaved), gradients, 0, 0, 0, kept, **more)
    return dataclasses.replace(cut, backward_bytes=cut.backward_bytes_with(frozenset([*saved, *unsaved])))


def peaks(forward, kept, backward):
    """The peaks of a cut with outputs of 10,000 bytes that it does not save, and gradients of 5,000."""
    more = {"unsaved": ((10_000, (0,)),), "pieces": ((backward - 10_000, 0, ()),)}
    return dataclasses.asdict(Peak(forward, backward, kept + 10_000, 5_000, 0, 0, 0, kept, **more))


KEY = "code", "sizes"


def alone_with(record, lies, held=(0,), peak_at=None):
    """One that knows this graph, whose script holds these outputs; a planned step has 16 rows. And what it forgets."""
    forgotten, read = [], options.read({"budget": "60%"})
    alone = Alone(Parts(read, None), read, lambda: [record], forgotten.append)
    alone._beside[KEY], alone._unknown[KEY], alone._gathered[KEY], alone._record_of[KEY] = lies, [], 0, record
    alone._alive[KEY], alone._freed_bytes[KEY] = [held], 0 if held else 10_000
    alone.has_open(KEY, [16], peak_at)
    return alone, forgotten


def pieces_of(places):
    """A step that held so much in its four places."""
    order = [None, None, (True, "code"), None, (False, "code"), None]
    return [*zip(order, (0, 0, *places), strict=True)]


def has_measured(record, lies, places, held=(0,)):
    """The codes that are to be compiled anew after a step that held so much in its four places, and these outputs."""
    alone, forgotten = alone_with(record, lies, held)
    alone._has_measured(KEY, pieces_of(places), {})
    return forgotten, alone._seen.get(KEY)


def record_of(lies, missed=None):
    """A cut that holds 100,000 bytes in its backward, of 150,000 without a plan."""
    exact = {"cut": peaks(60_000, 40_000, 100_000), "plain": peaks(90_000, 80_000, 150_000)}
    found = {"exact": exact, "beside": dataclasses.asdict(lies), "budget_bytes": 90_000, "before_bytes": 150_000}
    return found | {"predicted": {"peak_bytes": lies.peak_with(Peak(**exact["cut"]))}, "missed": missed}


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_plan_that_misses_the_budget_is_not_made_again_for_a_few_bytes_beside_it():
    for more, wanted in ((8, []), (2_000, ["code"])):
        record = record_of(Beside())
        forgotten, seen = has_measured(record, Beside(), (60_000, 50_000, 100_000 + more, 5_000))
        assert forgotten == wanted and record["measured"] == {"peak_bytes": 100_000 + more}
        assert record["predicted"]["peak_bytes"] == 100_000 + more
        assert record["before_bytes"] == 150_000 + more and record["budget_bytes"] == int(0.6 * (150_000 + more))
        assert seen == (Beside(0, (((0,), 0),), more, 0, is_measured=True, held=(0,)) if wanted else None)


def test_outputs_that_the_script_frees_leave_room_for_another_plan():
    with pytest.warns(UserWarning, match="it is known now what is held around its graph"):
        forgotten, seen = has_measured(record_of(Beside()), Beside(), (60_000, 60_000, 90_000, 5_000), held=())
    assert forgotten == ["code"] and seen == Beside(0, (((), 20_000),), 0, 0, is_measured=True, held=())


def test_outputs_count_between_forward_and_backward_until_the_script_lets_go_of_them():
    # With output 0 and without it the script holds 30 and then 35 bytes beside the graph.
    saves, saves_not = cut_of(60, [100, 90], 50, saved=[0]), cut_of(60, [90], 40, unsaved=[0])
    for measured, between in ((saves, (80, 85)), (saves_not, (80, 75))):
        found = seen([60, *between, 100, 30], measured, [(0,), ()], Beside())
        assert found.between == (((0,), 30), ((), 35))
        assert found.places(saves)[1] == 85 and found.places(saves_not)[1] == 80
        assert found.at_peak(cut_of(0, [0], 40, unsaved=[0], gradients=0)) == 30
        assert found.scaled(2).between == (((0,), 60), ((), 70)) and Beside.of_json(dataclasses.asdict(found)) == found


@pytest.mark.parametrize("measured", [0, 1, 2])
def test_each_output_counts_in_all_cuts_as_long_as_the_script_holds_it(measured):
    """Of outputs 0 and 1 the script holds the first, and the step 7 bytes more in each place."""
    cuts = [
        (cut_of(60, [70, 95, 80], 50, saved=[0, 1]), [67, 57, 112, 12]),  # 95 when 0 stays, which the text let go of
        (cut_of(60, [90, 70], 40, saved=[1], unsaved=[0]), [67, 57, 107, 12]),
        (cut_of(60, [90], 30, unsaved=[0, 1]), [67, 47, 107, 12]),
    ]
    found = seen(cuts[measured][1], cuts[measured][0], [(0,)], Beside())
    assert [found.places(cut) for cut, _ in cuts] == [wanted for _, wanted in cuts]


@pytest.mark.parametrize("held", [(0,), ()])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_percentage_is_of_a_step_without_outputs_that_the_script_let_go_of(held):
    record = record_of(Beside())
    record["budget_bytes"] = 100_000
    forgotten, known = has_measured(record, Beside(), (60_000, 40_000, 100_000 if held else 90_000, 5_000), held)
    assert record["before_bytes"] == (150_000 if held else 140_000)
    assert forgotten == ["code"] and known.held == held


@pytest.mark.parametrize("holds", [True, False])
def test_a_step_of_a_smaller_size_than_the_planned_one_shows_what_that_holds(holds):
    record, held, sizes = record_of(Beside()), (0,) * holds, []
    quarter = Peak(15_000, 25_000, 12_500, 4_000, 0, 0, 0, unsaved=((2_500, (0,)),), pieces=((22_500, 0, ()),))
    # Beside the graph it holds 1,500, 3,000 and 500 bytes.
    places = 15_000, 14_000 if holds else 11_500, 28_000 if holds else 25_500, 4_500
    alone, forgotten = alone_with(record, Beside(), held, lambda came: sizes.append(came) or quarter)
    with pytest.warns(UserWarning) as said:
        alone._has_measured_smaller(KEY, [4], pieces_of(places))
    assert sizes == [[4]] and forgotten == ["code"]
    assert alone._seen[KEY] == Beside(0, ((held, 6_000),), 12_000, 2_000, held=held)
    takes, before = (112_000, 162_000) if holds else (102_000, 152_000)
    assert record["predicted"]["peak_bytes"] == takes and record["before_bytes"] == before
    assert record["budget_bytes"] == int(0.6 * before) and "measured" not in record
    (sentence,) = said
    shows = f"A step of the sizes that the plan is for (16) holds about {takes / 1024:.2f} KiB, as one with 4 shows, "
    assert str(sentence.message).startswith(shows)


@pytest.mark.parametrize("more", [0, 2_000])
def test_that_the_budget_is_missed_is_said_again_only_where_a_step_of_the_planned_size_holds_more(more):
    lies = Beside(0, (((0,), 0),), 12_000, 0, held=(0,))
    record = record_of(lies)
    alone, forgotten = alone_with(record, lies, peak_at=lambda _: Peak(**peaks(30_000, 20_000, 50_000)))
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        alone._has_measured_smaller(KEY, [8], pieces_of((30_000, 30_000, 56_000, 5_000)))
        assert ["about 109.38 KiB, as one with 8 shows, 11.72 KiB" in str(each.message) for each in said] == [True]
        alone._has_measured(KEY, pieces_of((60_000, 50_000, 112_000 + more, 5_000)), {})
    assert len(said) == 1 + bool(more) and forgotten == ["code"] * bool(more)


def test_steps_of_which_one_holds_more_outputs_are_planned_with_all_of_these():
    cut = cut_of(60, [80, 70], 50, saved=[0])
    first, other = seen([60, 50, 80, 5], cut, [()], Beside()), seen([60, 50, 84, 5], cut, [(0,)], Beside())
    assert first.or_more(other).places(cut) == other.or_more(first).places(cut)
    assert first.or_more(other).held == (0,) and first.or_more(Beside()).held == ()
    assert first.or_more(Beside.all_along(7)).between == (((), 7),)


def test_a_step_planned_for_what_lies_around_its_graph_is_said_to_miss_its_budget_only_where_it_does():
    lies = Beside(0, (((), 30_000),), 12_000, 0, is_measured=True, held=())
    for more, sentences in ((-20_000, 0), (0, 1)):
        record = record_of(lies, "No plan")
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            forgotten, _ = has_measured(record, lies, (60_000, 70_000, 102_000 + more, 5_000), held=())
        assert len(said) == sentences and not forgotten
        assert not said or "holds 99.61 KiB, 11.72 KiB of that beside its graph, and its budget is" in str(said[0].message)
        assert record["predicted"]["peak_bytes"] == 102_000  # as it was planned, and not as it was measured
