"""Training with a plan what other libraries make of a model: adapters of peft, checkpointing that is already on."""

import peft
import pytest
import torch
import zoo
from test_train_backend import logits_loss
from training import assert_equal_runs, assert_planned, compiled, planner, train

__all__ = ["planner"]


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
