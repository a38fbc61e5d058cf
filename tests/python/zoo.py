# SPDX-License-Identifier: Apache-2.0
"""Small models of many kinds, each with its arguments: random weights, no downloads."""

import models
import torch
import torchvision
import transformers
from torch import nn
from torch.nn.functional import cross_entropy


def _ids(*shape, high=99):
    return torch.randint(1, high, shape)


def gpt2(dropout=0.0):
    config = transformers.GPT2Config(
        n_layer=2,
        n_embd=32,
        n_head=2,
        vocab_size=99,
        n_positions=32,
        bos_token_id=1,
        eos_token_id=1,
        attn_pdrop=dropout,
        embd_pdrop=dropout,
        resid_pdrop=dropout,
    )
    ids = _ids(2, 16)
    return transformers.GPT2LMHeadModel(config), {"input_ids": ids, "labels": ids.clone()}


def t5(dropout=0.0):
    config = transformers.T5Config(
        vocab_size=99,
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=2,
        num_heads=4,
        dropout_rate=dropout,
        decoder_start_token_id=0,
        tie_word_embeddings=True,
    )
    args = {"input_ids": _ids(2, 12), "attention_mask": torch.ones(2, 12, dtype=torch.long), "labels": _ids(2, 9)}
    return transformers.T5ForConditionalGeneration(config), args


def bert():
    config = transformers.BertConfig(
        vocab_size=99,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        max_position_embeddings=32,
        num_labels=3,
    )
    mask = torch.ones(2, 16, dtype=torch.long)
    mask[1, 10:] = 0
    args = {
        "input_ids": _ids(2, 16),
        "attention_mask": mask,
        "token_type_ids": torch.zeros(2, 16, dtype=torch.long),
        "labels": torch.tensor([0, 2]),
    }
    return transformers.BertForSequenceClassification(config), args


def vit():
    config = transformers.ViTConfig(
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        image_size=32,
        patch_size=8,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )
    return transformers.ViTForImageClassification(config), {"pixel_values": torch.randn(2, 3, 32, 32)}


def llama():
    config = transformers.LlamaConfig(
        vocab_size=99,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=32,
        bos_token_id=1,
        eos_token_id=2,
    )
    ids = _ids(2, 16)
    return transformers.LlamaForCausalLM(config), {"input_ids": ids, "labels": ids}


def bart():
    config = transformers.BartConfig(
        vocab_size=99,
        d_model=32,
        encoder_layers=2,
        decoder_layers=2,
        encoder_attention_heads=4,
        decoder_attention_heads=4,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_position_embeddings=32,
        dropout=0.0,
        attention_dropout=0.0,
        activation_dropout=0.0,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        forced_eos_token_id=2,
    )
    return transformers.BartForConditionalGeneration(config), {"input_ids": _ids(2, 12), "labels": _ids(2, 9)}


def resnet18():
    target = torch.tensor([1, 3, 0, 2])
    return (
        torchvision.models.resnet18(num_classes=5),
        (torch.randn(4, 3, 32, 32),),
        lambda out: cross_entropy(out, target),
    )


def segmentation():
    model = torchvision.models.segmentation.lraspp_mobilenet_v3_large(weights_backbone=None, num_classes=4)
    target = torch.randint(0, 4, (2, 64, 64))
    return model, (torch.randn(2, 3, 64, 64),), lambda out: cross_entropy(out["out"], target)


def segmentation_with_aux():
    model = torchvision.models.segmentation.deeplabv3_mobilenet_v3_large(
        weights_backbone=None, num_classes=4, aux_loss=True
    )
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    return model, (torch.randn(2, 3, 32, 32),)


def unet():
    args = {"image": torch.randn(2, 3, 32, 32), "target": torch.randint(0, 5, (2, 32, 32))}
    return models.UNet(classes=5, width=4, depth=2), args


def encoder_decoder(dropout=0.0):
    model = models.Transformer(vocabulary=50, width=16, heads=2, layers=2, hidden=32, length=12, dropout=dropout)
    return model, {"source": _ids(2, 12, high=50), "target": _ids(2, 12, high=50), "expected": _ids(2, 12, high=50)}


def torch_transformer():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.net = nn.Transformer(16, 2, 2, 2, 32, dropout=0.0, batch_first=True)

        def forward(self, source, target):
            return self.net(
                source,
                target,
                tgt_mask=nn.Transformer.generate_square_subsequent_mask(target.shape[1]),
                tgt_is_causal=True,
            )

    return Model(), (torch.randn(2, 6, 16), torch.randn(2, 5, 16))


class Autocast(nn.Module):
    """Mixed precision in the forward, with a frozen part, a constant and a part without gradients."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(8, 16)
        self.norm = nn.BatchNorm1d(16)
        self.second = nn.Linear(16, 4)
        self.unused = nn.Linear(2, 2)
        self.frozen = nn.Parameter(torch.ones(16), requires_grad=False)
        self.register_buffer("scale", torch.full((16,), 0.5), persistent=False)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.first(x)
            with torch.no_grad():
                shift = y * 2
        y = self.norm(y.float()) + shift + torch.arange(16.0) * self.scale * self.frozen
        y[:, 0] += torch.tensor([1.0, 2.0, 3.0, 4.0])
        a, b, _ = y.split([4, 4, 8], dim=1)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.second(y) + a * b


def autocast():
    return Autocast(), (torch.randn(4, 8),), lambda out: out.float().square().sum()


class AutocastAround(nn.Module):
    """A whole library model under autocast."""

    def __init__(self):
        super().__init__()
        self.model, self.args = llama()

    def forward(self, input_ids):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.model(input_ids, labels=input_ids)


def autocast_around():
    return AutocastAround(), (_ids(2, 8),)


def recurrent():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(6, 8, num_layers=2, batch_first=True)
            self.head = nn.Linear(8, 3)

        def forward(self, x):
            return self.head(self.lstm(x)[0])

    return Model(), (torch.randn(2, 5, 6),)


EXACT = {
    f.__name__: f
    for f in (
        gpt2,
        t5,
        bert,
        vit,
        llama,
        bart,
        resnet18,
        segmentation,
        segmentation_with_aux,
        unet,
        encoder_decoder,
        torch_transformer,
        autocast,
        autocast_around,
        recurrent,
    )
}
