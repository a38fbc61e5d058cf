# SPDX-License-Identifier: Apache-2.0
"""Training with a plan what other libraries make of a model: adapters of peft, checkpointing that is already on."""

import peft
import pytest
import remat_studio
import torch
import transformers
import zoo
from remat_studio.train import records
from test_train_backend import logits_loss, measured_peak
from training import assert_equal_runs, assert_planned, compiled, planner, train

__all__ = ["planner"]

SMALL_LLAMA = {
    "vocab_size": 99,
    "hidden_size": 32,
    "intermediate_size": 96,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "bos_token_id": 1,
    "eos_token_id": 2,
}


@pytest.fixture
def gpt2():
    """A tiny GPT-2 and its token numbers."""
    torch.manual_seed(1)
    model, args = zoo.gpt2()
    return model.train(), args["input_ids"]


def same_as_plain(model, ids, budget):
    """Two steps of training both ways; returns the planned run."""
    own = train(model, [ids] * 2, lambda step: compiled(step, budget), loss=logits_loss)
    assert_planned()
    assert_equal_runs(own, train(model, [ids] * 2, loss=logits_loss))
    return own


def test_adapters_of_peft(gpt2):
    model, ids = gpt2
    config = peft.LoraConfig(
        r=2, target_modules=["c_attn"], lora_dropout=0.0, fan_in_fan_out=True, init_lora_weights=False
    )
    own = same_as_plain(peft.get_peft_model(model, config), ids, "80%")
    trained = [name for name, gradient in own.gradients.items() if gradient is not None]
    assert trained and all("lora_" in name for name in trained)


def test_gradient_checkpointing_that_the_model_has_on(gpt2):
    model, ids = gpt2
    model.gradient_checkpointing_enable()
    model.config.use_cache = False
    same_as_plain(model, ids, "80%")


@pytest.mark.parametrize("way", ["compiled", "planned"])
def test_percent_is_of_what_the_models_own_checkpoints_hold(way):
    torch.manual_seed(1)
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**SMALL_LLAMA)).train()
    model.gradient_checkpointing_enable({"use_reentrant": False})
    ids = torch.randint(1, 99, (4, 32))
    batch = {"input_ids": ids, "labels": ids, "use_cache": False}

    def step(forward=model):
        return forward(**batch).loss

    plain = peak_of_second(model, step)
    if way == "compiled":
        planned = peak_of_second(model, compiled(step, "90%"))
    else:
        whole = remat_studio.planned(model, batch, budget="90%", time_limit=0.5)
        peak_of_second(model, lambda: step(whole))  # shows that the logits are not held
        planned = peak_of_second(model, lambda: step(whole))
    record = records()[-1]
    before, budget = record["before_bytes"], record["budget_bytes"]
    if way == "planned":
        before, budget = record["step"]["keep_all_peak_bytes"], record["step"]["budget_bytes"]
    assert before == pytest.approx(plain, rel=0.01)
    assert planned <= 1.01 * budget <= 0.91 * plain  # what lies beside the graph is small


def test_a_plan_that_holds_more_than_the_models_own_checkpoints_says_so():
    torch.manual_seed(1)
    model = transformers.LlamaForCausalLM(transformers.LlamaConfig(**SMALL_LLAMA)).train()
    model.gradient_checkpointing_enable({"use_reentrant": False})
    ids = torch.randint(1, 99, (4, 32))
    step = compiled(lambda: model(input_ids=ids, labels=ids, use_cache=False).loss, "1GiB")
    with pytest.warns(UserWarning, match="checkpoints its activations itself and holds"):
        step().backward()


def peak_of_second(model, step):
    """The peak of a step after one that compiles."""
    step().backward()
    model.zero_grad()
    peak = measured_peak(lambda: step().backward())
    model.zero_grad()
    return peak
