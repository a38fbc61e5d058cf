# SPDX-License-Identifier: Apache-2.0
"""Compiled steps leave out the masks that eager mode leaves out for their values, batch by batch."""

import pytest
import torch
import transformers
from remat_studio.train import records
from training import compiled, planner

__all__ = ["planner"]

_LENGTH = 16
_SIZES = {"hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 50}


def language_model(kind="Llama", **settings):
    """A tiny model with grouped heads."""
    torch.manual_seed(0)
    config = getattr(transformers, f"{kind}Config")(**_SIZES, num_key_value_heads=2, use_cache=False, **settings)
    return getattr(transformers, f"{kind}Model")(config).train()


def batch(rows=2, padding=0, is_left=False):
    """Words, and a mask of those that count."""
    ids = torch.randint(1, 50, (rows, _LENGTH), generator=torch.Generator().manual_seed(rows + padding))
    mask = torch.ones_like(ids)
    if padding:
        mask[0, slice(None, padding) if is_left else slice(-padding, None)] = 0
    return ids, mask


def step_of(model):
    """The step as a function of words and mask, or of one of these batches."""

    def step(ids, mask):
        hidden = model(input_ids=ids, attention_mask=mask).last_hidden_state
        return hidden.square().mean()

    return step


def values(step, model, given):
    """Loss and gradients of a step."""
    model.zero_grad()
    loss = step(*given)
    loss.backward()
    return [loss.detach(), *(None if p.grad is None else p.grad.clone() for p in model.parameters())]


def assert_as_plain(model, batches, make_step=step_of, **options):
    """A compiled step has the bits of plain PyTorch for each of the batches."""
    plain, ours = make_step(model), compiled(make_step(model), "100%", **options)
    for number, given in enumerate(batches):
        found = zip(values(plain, model, given), values(ours, model, given), strict=True)
        assert all(one is other is None or torch.equal(one, other) for one, other in found), f"batch {number}"


def names():
    """Names of the graphs that were planned since the last call of ``records.clear``."""
    return [record["graph"]["name"] for record in records()]


@pytest.fixture(autouse=True)
def since():
    """How many graphs other tests planned."""
    return len(records())


@pytest.mark.parametrize("order", ["fplf", "pffp"])
def test_batches_with_and_without_padding_are_as_in_eager_mode(order, since):
    given = {"f": batch(), "p": batch(padding=3), "l": batch(padding=3, is_left=True)}
    assert_as_plain(language_model(), [given[letter] for letter in order])
    assert sorted(names()[since:]) == ["step", "step_masked"]


def test_a_batch_without_padding_holds_what_one_without_a_mask_does(since):
    model, (ids, mask) = language_model(), batch()
    values(compiled(step_of(model), "100%"), model, (ids, mask))
    values(compiled(lambda ids: step_of(model)(ids, None), "100%"), model, (ids,))
    masked, plain = (record["before_bytes"] for record in records()[since:])
    assert masked == plain


def test_masks_in_both_directions_are_left_out(since):
    config = transformers.AlbertConfig(**_SIZES, embedding_size=16, hidden_dropout_prob=0, attention_probs_dropout_prob=0)
    model = transformers.AlbertModel(config, add_pooling_layer=False).train()
    assert_as_plain(model, [batch(), batch(padding=2), batch()])
    assert sorted(names()[since:]) == ["step", "step_masked"]


@pytest.mark.parametrize("order", ["pf", "fp"])
def test_checkpoints_of_the_model_go_the_same_way(order, since):
    model = language_model()
    model.gradient_checkpointing_enable({"use_reentrant": False})
    given = {"f": batch(), "p": batch(padding=3)}
    assert_as_plain(model, [given[letter] for letter in order])
    assert sorted(names()[since:]) == ["step", "step_masked"]


def test_sizes_that_change_have_both_ways_each(since):
    assert_as_plain(language_model(), [batch(count, padding) for count in (2, 3, 4, 3) for padding in (0, 3)])
    parts = ["step", "step_shape2", "step_shape3"]
    assert sorted(names()[since:]) == sorted([*parts, *(f"{part}_masked" for part in parts)])


@pytest.mark.parametrize(("window", "ways"), [(_LENGTH + 1, 2), (_LENGTH, 1), (4, 1)])
def test_a_window_leaves_masks_as_the_library_does(window, ways, since):
    model = language_model("Mistral", sliding_window=window)
    assert_as_plain(model, [batch(), batch(padding=3)])
    assert len(names()[since:]) == ways


def test_positions_of_packed_sequences_count(since):
    def make_step(model):
        return lambda ids, positions: model(input_ids=ids, position_ids=positions).last_hidden_state.square().mean()

    ids, _ = batch()
    one = torch.arange(_LENGTH).repeat(2, 1)
    assert_as_plain(language_model(), [(ids, one), (ids, one % 5), (ids, one)], make_step)
    assert sorted(names()[since:]) == ["step", "step_masked"]


def test_a_mask_that_is_written_to_stays(since):
    def make_step(model):
        def step(ids, mask):
            mask = mask.clone()
            mask[0, -3:] = 0
            return step_of(model)(ids, mask)

        return step

    assert_as_plain(language_model(), [batch(), batch(padding=3)], make_step)
    assert names()[since:] == ["step"]


def test_a_mask_that_the_model_has_anyhow_stays(since):
    model = torch.nn.Linear(32, 96)

    def make_step(model):
        def step(x, mask):
            query, key, value = model(x).unflatten(-1, (3, 4, 8)).transpose(1, 3).unbind(2)
            return torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask).square().mean()

        return step

    mask = torch.ones(_LENGTH, _LENGTH, dtype=torch.bool).tril()
    x = torch.randn(2, _LENGTH, 32)
    assert_as_plain(model, [(x, mask), (x, torch.ones_like(mask))], make_step)
    assert names()[since:] == ["step"]


def test_both_ways_are_certified_against_plain_pytorch(since):
    assert_as_plain(language_model(), [batch(), batch(padding=3)], verify=True)
    found = [record["certificate"] for record in records()[since:]]
    assert [each["equal"] for each in found] == [True, True]
    assert [each["pytorch"]["verdict"] for each in found] == ["equal", "equal"]
    assert found[0]["pytorch"]["peak_bytes"] < found[1]["pytorch"]["peak_bytes"]


@pytest.mark.parametrize("order", ["pf", "fp"])
def test_budgets_hold_both_ways(order, since):
    given = {"f": batch(), "p": batch(padding=3)}
    model = language_model()
    plain, ours = step_of(model), compiled(step_of(model), "70%")
    for letter in order:
        found = zip(values(plain, model, given[letter]), values(ours, model, given[letter]), strict=True)
        assert all(one is other is None or torch.equal(one, other) for one, other in found)
    for record in records()[since:]:
        assert record["predicted"]["peak_bytes"] <= record["budget_bytes"] < record["before_bytes"]


def test_a_graph_in_a_file_is_for_all_batches(tmp_path, since):
    assert_as_plain_in_values = [batch(), batch(padding=3)]
    model = language_model()
    ours = compiled(step_of(model), "100%", graph=str(tmp_path / "step.json"))
    for given in assert_as_plain_in_values:
        for one, other in zip(values(step_of(model), model, given), values(ours, model, given), strict=True):
            torch.testing.assert_close(one, other)
    assert names()[since:] == ["step"]
