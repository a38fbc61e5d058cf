# SPDX-License-Identifier: Apache-2.0
"""Sixty-two models of many kinds with random weights, at sizes where activations weigh megabytes: for deviation.py."""

import torch
import torch.utils.checkpoint
import torchvision
import transformers
from deviation_models_timm import *  # noqa: F403
from torch import nn
from torch.nn.functional import cross_entropy

_VISION = torchvision.models


def _ids(*shape, high=999):
    return torch.randint(1, high, shape)


def _language(kind, config, rows=2, length=256, mask=False, attention=None, **settings):
    options = {"attn_implementation": attention} if attention else {}
    common = {"vocab_size": 1000, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
    model = getattr(transformers, kind)._from_config(getattr(transformers, config)(**common, **settings), **options)
    ids = _ids(rows, length)
    args = {"input_ids": ids, "labels": ids.clone()}
    return model.train(), args | ({"attention_mask": torch.ones_like(ids)} if mask else {})


_LLAMA = {"hidden_size": 128, "intermediate_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4}
_WITH_GROUPS = _LLAMA | {"num_key_value_heads": 2}


def gpt2():
    return _language("GPT2LMHeadModel", "GPT2Config", n_layer=2, n_embd=128, n_head=4)


def gpt2_eager_attention():
    return _language("GPT2LMHeadModel", "GPT2Config", n_layer=2, n_embd=128, n_head=4, attention="eager")


def gpt2_without_dropout():
    none = {"attn_pdrop": 0.0, "embd_pdrop": 0.0, "resid_pdrop": 0.0}
    return _language("GPT2LMHeadModel", "GPT2Config", n_layer=2, n_embd=128, n_head=4, attention="eager", **none)


def llama():
    return _language("LlamaForCausalLM", "LlamaConfig", **_LLAMA)


def llama_grouped_masked():
    return _language("LlamaForCausalLM", "LlamaConfig", mask=True, **_WITH_GROUPS)


def llama_bfloat16_masked():
    model, args = llama_grouped_masked()
    return model.to(torch.bfloat16), args


def llama_checkpointed():
    model, args = llama()
    model.gradient_checkpointing_enable({"use_reentrant": False})
    return model, args


def gemma2():
    return _language("Gemma2ForCausalLM", "Gemma2Config", head_dim=32, attention="eager", mask=True, **_WITH_GROUPS)


def qwen3_masked():
    return _language("Qwen3ForCausalLM", "Qwen3Config", head_dim=32, mask=True, **_WITH_GROUPS)


def mixtral():
    return _language("MixtralForCausalLM", "MixtralConfig", num_local_experts=4, **_WITH_GROUPS)


def mamba():
    return _language("MambaForCausalLM", "MambaConfig", length=32, hidden_size=128, num_hidden_layers=2, state_size=16)


def bert_masked():
    sizes = {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 256}
    model = transformers.BertForMaskedLM(transformers.BertConfig(vocab_size=1000, **sizes))
    ids = _ids(4, 128)
    return model.train(), {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": ids.clone()}


_BERT = {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 256}


def _masked_words(kind, rows=4, length=128, **settings):
    config = getattr(transformers, f"{kind}Config")(vocab_size=1000, pad_token_id=0, **(_BERT | settings))
    model = getattr(transformers, f"{kind}ForMaskedLM")(config)
    ids = _ids(rows, length)
    return model.train(), {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": ids.clone()}


_RELATIVE = {"relative_attention": True, "pos_att_type": ["c2p", "p2c"], "max_relative_positions": 64}


def deberta():
    return _masked_words("Deberta", **_RELATIVE)


def deberta_v2():
    return _masked_words("DebertaV2", **_RELATIVE, position_buckets=32, share_att_key=True)


def albert():
    return _masked_words("Albert", embedding_size=64)


def electra():
    return _masked_words("Electra", embedding_size=64)


def xlnet():
    sizes = {"d_model": 128, "n_layer": 2, "n_head": 4, "d_inner": 256, "vocab_size": 1000}
    ids = _ids(4, 128)
    return transformers.XLNetLMHeadModel(transformers.XLNetConfig(**sizes)).train(), {"input_ids": ids, "labels": ids}


def bloom():
    return _language("BloomForCausalLM", "BloomConfig", hidden_size=128, n_layer=2, n_head=4)


def gpt_neox():
    return _language("GPTNeoXForCausalLM", "GPTNeoXConfig", **_LLAMA)


def wav2vec2():
    sound = {"conv_dim": (32, 32), "conv_kernel": (10, 8), "conv_stride": (5, 4), "num_conv_pos_embeddings": 16}
    still = {"mask_time_prob": 0.0, "mask_feature_prob": 0.0, "layerdrop": 0.0}
    sizes = {**_BERT, "num_feat_extract_layers": 2, "num_conv_pos_embedding_groups": 4}
    model = transformers.Wav2Vec2Model(transformers.Wav2Vec2Config(**sizes, **sound, **still))
    return model.train(), (torch.randn(2, 8000),), lambda out: out.last_hidden_state.square().mean()


def t5_masked():
    sizes = {"vocab_size": 1000, "d_model": 128, "d_kv": 32, "d_ff": 256, "num_layers": 2, "num_heads": 4}
    model = transformers.T5ForConditionalGeneration(transformers.T5Config(decoder_start_token_id=0, **sizes))
    ids = _ids(4, 128)
    return model.train(), {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": _ids(4, 96)}


def whisper():
    layers = {"encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 4, "decoder_attention_heads": 4}
    sizes = {"vocab_size": 1000, "d_model": 128, "encoder_ffn_dim": 256, "decoder_ffn_dim": 256, "num_mel_bins": 40}
    tokens = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1}
    config = transformers.WhisperConfig(max_source_positions=200, **sizes, **layers, **tokens)
    model = transformers.WhisperForConditionalGeneration(config)
    return model.train(), {"input_features": torch.randn(2, 40, 400), "labels": _ids(2, 64)}


def vit():
    sizes = {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 256}
    model = transformers.ViTForImageClassification(transformers.ViTConfig(image_size=96, patch_size=8, **sizes))
    return model.train(), {"pixel_values": torch.randn(4, 3, 96, 96), "labels": torch.tensor([0, 1, 1, 0])}


def swin():
    model = transformers.SwinForImageClassification(
        transformers.SwinConfig(
            image_size=64, patch_size=4, embed_dim=48, depths=[2, 2], num_heads=[2, 4], window_size=4
        )
    )
    return model.train(), {"pixel_values": torch.randn(4, 3, 64, 64), "labels": torch.tensor([0, 1, 1, 0])}


def _classifier(model, size=96, rows=4):
    target = torch.arange(rows)
    return model.train(), (torch.randn(rows, 3, size, size),), lambda out: cross_entropy(out, target)


def resnet50():
    return _classifier(_VISION.resnet50(num_classes=10))


def densenet121():
    return _classifier(_VISION.densenet121(num_classes=10))


def mobilenet_v3():
    return _classifier(_VISION.mobilenet_v3_large(num_classes=10))


def efficientnet():
    return _classifier(_VISION.efficientnet_b0(num_classes=10))


def convnext():
    return _classifier(_VISION.convnext_tiny(num_classes=10))


def vgg11():
    return _classifier(_VISION.vgg11_bn(num_classes=10), size=64)


def swin_v2():
    return _classifier(_VISION.swin_v2_t(num_classes=10), size=64)


def squeezenet():
    return _classifier(_VISION.squeezenet1_1(num_classes=10))


def shufflenet():
    return _classifier(_VISION.shufflenet_v2_x0_5(num_classes=10))


def regnet():
    return _classifier(_VISION.regnet_y_400mf(num_classes=10))


def deeplab():
    model = _VISION.segmentation.deeplabv3_mobilenet_v3_large(weights_backbone=None, num_classes=4)
    target = torch.randint(0, 4, (2, 64, 64))
    return model.train(), (torch.randn(2, 3, 64, 64),), lambda out: cross_entropy(out["out"], target)


class _Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(64, 128, num_layers=2, batch_first=True)
        self.head = nn.Linear(128, 10)

    def forward(self, x):
        return self.head(self.lstm(x)[0])


def lstm():
    return _Recurrent().train(), (torch.randn(8, 32, 64),)


class _Tagger(nn.Module):
    """Recurrent layers over sequences of unequal lengths, packed."""

    def __init__(self, kind, **settings):
        super().__init__()
        self.rnn = getattr(nn, kind)(64, 128, num_layers=2, batch_first=True, **settings)
        self.head = nn.Linear(256 if self.rnn.bidirectional else 128, 10)

    def forward(self, x, lengths=None):
        if lengths is None:
            return self.head(self.rnn(x)[0])
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True)
        return self.head(nn.utils.rnn.pad_packed_sequence(self.rnn(packed)[0], batch_first=True)[0])


def gru():
    return _Tagger("GRU").train(), (torch.randn(8, 32, 64),)


def lstm_bidirectional():
    return _Tagger("LSTM", bidirectional=True, dropout=0.2).train(), (torch.randn(8, 32, 64),)


def lstm_packed():
    return _Tagger("LSTM").train(), (torch.randn(8, 32, 64), torch.tensor([32, 30, 21, 20, 16, 9, 9, 4]))


class _Scattering(nn.Module):
    """Messages along edges, summed where they arrive, as graph networks do."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(128, 64) for _ in range(3))

    def forward(self, x, edges):
        source, target = edges
        for layer in self.layers:
            messages = layer(torch.cat([x[source], x[target]], 1)).relu()
            index = target.unsqueeze(1).expand_as(messages)
            x = x + torch.zeros_like(x).scatter_add_(0, index, messages)
        return x


def graph_network():
    return _Scattering().train(), {"x": torch.randn(500, 64), "edges": torch.randint(0, 500, (2, 4000))}


class _Fourier(nn.Module):
    """A Fourier neural operator: a linear map of the lowest frequencies beside one of the channels."""

    def __init__(self, width=32, modes=12):
        super().__init__()
        self.modes = modes
        self.into, self.out = nn.Conv2d(1, width, 1), nn.Conv2d(width, 1, 1)
        self.local = nn.ModuleList(nn.Conv2d(width, width, 1) for _ in range(3))
        self.global_ = nn.ParameterList(torch.randn(width, width, modes, modes, dtype=torch.cfloat) for _ in range(3))

    def forward(self, x):
        x = self.into(x)
        for local, weight in zip(self.local, self.global_, strict=True):
            low = torch.fft.rfft2(x)
            kept = torch.zeros_like(low)
            kept[:, :, : self.modes, : self.modes] = torch.einsum(
                "bixy,ioxy->boxy", low[:, :, : self.modes, : self.modes], weight
            )
            x = nn.functional.gelu(torch.fft.irfft2(kept, s=x.shape[-2:]) + local(x))
        return self.out(x)


def fourier_operator():
    return _Fourier().train(), (torch.randn(4, 1, 64, 64),)


class _Swish(torch.autograd.Function):
    """Keeps its input and computes the rest again, as hand-written functions do."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        gate = torch.sigmoid(x)
        return gradient * gate * (1 + x * (1 - gate))


class _Custom(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(256, 256) for _ in range(6))

    def forward(self, x):
        for layer in self.layers:
            x = _Swish.apply(layer(x))
        return x


def custom_function():
    return _Custom().train(), (torch.randn(512, 256),)


class _InPlace(nn.Module):
    """Writes into parts of its activations."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(256, 256) for _ in range(6))

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
            x[:, :128].mul_(0.5)
            x[:, 128:] += 1.0
            x = torch.relu_(x)
        return x


def in_place_on_views():
    return _InPlace().train(), (torch.randn(512, 256),)


def unet():
    import models

    return models.UNet(classes=5, width=16, depth=3).train(), {
        "image": torch.randn(2, 3, 64, 64),
        "target": torch.randint(0, 5, (2, 64, 64)),
    }


MODELS = tuple(name for name, value in list(globals().items()) if callable(value) and not name.startswith("_"))
MODELS = tuple(name for name in MODELS if name != "cross_entropy")
