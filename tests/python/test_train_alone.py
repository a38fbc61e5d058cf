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


def peaks(forward, kept, backward):
    """The peaks of a cut with outputs of 10,000 bytes that it does not save, and gradients of 5,000."""
    return dataclasses.asdict(Peak(forward, backward, kept + 10_000, 5_000, 0, 0, 0, kept))


def has_measured(record, lies, pieces, holds_outputs=None):
    """The codes that are to be compiled anew after a step that held so much in its four places."""
    forgotten, read = [], options.read({"budget": "60%"})
    alone = Alone(Parts(read, None), read, lambda: [record], forgotten.append)
    alone._beside["code", "sizes"], alone._unknown["code", "sizes"] = lies, []
    alone._holds["code", "sizes"] = holds_outputs
    order = [None, None, (True, "code"), None, (False, "code"), None]
    alone._has_measured(("code", "sizes"), [*zip(order, (0, 0, *pieces), strict=True)])
    return forgotten, alone._seen.get(("code", "sizes"))


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
        assert seen == (Beside(0, 10_000, 10_000 + more, 0, 10_000, is_measured=True) if wanted else None)


def test_outputs_that_the_script_frees_leave_room_for_another_plan():
    with pytest.warns(UserWarning, match="it is known now what is held around its graph, and where"):
        forgotten, seen = has_measured(record_of(Beside()), Beside(), (60_000, 60_000, 90_000, 5_000))
    assert forgotten == ["code"] and seen == Beside(0, 20_000, 0, 0, 10_000, is_measured=True)


def test_outputs_that_the_measured_cut_saved_are_taken_to_be_held_where_another_does_not():
    saves, saves_not = Peak(60, 100, 50, 5, 0, 0, 0, 50), Peak(60, 100, 50, 5, 0, 0, 0, 40)
    found = seen([60, 80, 100, 30], saves)
    assert found.places(saves) == found.places(saves_not) == [60, 80, 100, 30]
    assert seen([60, 80, 100, 30], saves_not).places(saves) == [60, 90, 110, 30]  # more, if the script holds them


def test_outputs_that_the_script_held_to_the_end_count_once_in_cuts_that_save_them():
    saves, saves_not = Peak(60, 100, 50, 5, 0, 0, 0, 50), Peak(60, 100, 50, 5, 0, 0, 0, 40)
    for cut in (saves, saves_not):
        found = seen([60, 50, 100, 15], cut, holds_outputs=True)
        assert found.places(saves) == found.places(saves_not) == [60, 50, 100, 15]


def test_outputs_are_let_go_of_where_a_step_shows_that():
    cut, other = Peak(60, 100, 50, 5, 0, 0, 0, 50, 80), Peak(60, 120, 50, 5, 0, 0, 0, 50, 110)
    assert seen([60, 50, 84, 5], cut).places(other) == [60, 50, 114, 5]
    assert seen([60, 50, 104, 5], cut).places(other) == [60, 50, 124, 5]


def test_outputs_that_the_script_let_go_of_lie_beside_no_cut_where_the_measured_one_would_hold_as_much_with_them():
    cut, other = Peak(60, 100, 50, 5, 0, 0, 0, 50, 100), Peak(60, 120, 50, 5, 0, 0, 0, 50, 110)
    assert seen([60, 50, 100, 5], cut).places(other) == [60, 50, 120, 5]
    assert seen([60, 50, 100, 5], cut, holds_outputs=False).places(other) == [60, 50, 110, 5]


@pytest.mark.parametrize("holds_outputs", [True, False])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_percentage_is_of_a_step_without_outputs_that_the_script_let_go_of(holds_outputs):
    record = record_of(Beside())
    record["budget_bytes"] = 100_000
    record["exact"]["cut"]["freed_bytes"], record["exact"]["plain"]["freed_bytes"] = 100_000, 120_000
    forgotten, known = has_measured(record, Beside(), (60_000, 40_000, 100_000, 5_000), holds_outputs)
    assert record["before_bytes"] == (150_000 if holds_outputs else 120_000)
    assert forgotten == ["code"] and known.frees_outputs != holds_outputs


def test_outputs_that_one_step_let_go_of_are_let_go_of_in_a_further_one_that_may_have_held_them():
    first, cut = seen([60, 50, 84, 5], Peak(60, 100, 50, 5, 0, 0, 0, 50, 80)), Peak(60, 120, 50, 5, 0, 0, 0, 50, 80)
    found = seen([60, 50, 121, 5], cut).or_more(first)
    assert found == first.or_more(seen([60, 50, 121, 5], cut))
    assert found.places(cut) == [60, 50, 121, 5]
    assert found.places(Peak(60, 130, 50, 5, 0, 0, 0, 50, 70)) == [60, 50, 111, 5]


def test_a_step_planned_for_what_lies_around_its_graph_is_said_to_miss_its_budget_only_where_it_does():
    lies = Beside(0, 30_000, 12_000, 0, 10_000, is_measured=True)
    for more, sentences in ((-20_000, 0), (0, 1)):
        record = record_of(lies, "No plan")
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            forgotten, _ = has_measured(record, lies, (60_000, 70_000, 102_000 + more, 5_000))
        assert len(said) == sentences and not forgotten
        assert not said or "holds 99.61 KiB, and 11.72 KiB of that beside its graph" in str(said[0].message)
        assert record["predicted"]["peak_bytes"] == 102_000  # as it was planned, and not as it was measured
