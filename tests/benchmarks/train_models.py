# SPDX-License-Identifier: Apache-2.0
"""Small models that people train, each with a loss and batches of its own: random weights, no downloads.

Each function returns the model, a function of a seed that makes a batch, and ``loss(model, *batch)``. Some take other
sizes.
"""

import pathlib
import sys

import torch
from torch.nn.functional import cross_entropy


def _images(make, size=64, rows=4, classes=10):
    import torchvision

    model = getattr(torchvision.models, make)(num_classes=classes).train()
    return model, *_classified(size, rows, classes)


def _classified(size, rows, classes):
    def batch(seed):
        generator = torch.Generator().manual_seed(seed)
        pictures = torch.randn(rows, 3, size, size, generator=generator)
        return pictures, torch.randint(0, classes, (rows,), generator=generator)

    return batch, lambda model, pictures, wanted: cross_entropy(model(pictures), wanted)


def _words(kind, rows=2, length=32, vocabulary=199, wrap=None, **settings):
    import transformers

    config = getattr(transformers, f"{kind}Config")(vocab_size=vocabulary, **settings)
    names = {"Bert": "BertForMaskedLM", "DistilBert": "DistilBertForMaskedLM", "GPT2": "GPT2LMHeadModel"}
    model = getattr(transformers, names.get(kind, f"{kind}ForCausalLM"))(config).train()

    def batch(seed):
        generator = torch.Generator().manual_seed(seed)
        return (torch.randint(2, vocabulary, (rows, length), generator=generator),)

    def loss(model, ids):
        logits = model(input_ids=ids).logits
        return cross_entropy(logits[:, :-1].flatten(0, 1).float(), ids[:, 1:].flatten())

    return wrap(model) if wrap else model, batch, loss


_LLAMA = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 3, "num_attention_heads": 4}
_GPT2 = {"n_layer": 3, "n_embd": 64, "n_head": 4, "n_positions": 64, "bos_token_id": 1, "eos_token_id": 1}
_STILL = {"resid_pdrop": 0.0, "embd_pdrop": 0.0, "attn_pdrop": 0.0}


def resnet18(**sizes):
    return _images("resnet18", **sizes)


def squeezenet():
    return _images("squeezenet1_1")


def mobilenet_v2():
    return _images("mobilenet_v2")


def shufflenet():
    return _images("shufflenet_v2_x0_5")


def mnasnet():
    return _images("mnasnet0_5")


def regnet():
    return _images("regnet_x_400mf")


def gpt2(**sizes):
    return _words("GPT2", **(_STILL | _GPT2 | sizes))


def gpt2_dropout():
    return _words("GPT2", **_GPT2)


def llama(**sizes):
    return _words("Llama", **(_LLAMA | {"num_key_value_heads": 2} | sizes))


def qwen2():
    return _words("Qwen2", **_LLAMA, num_key_value_heads=4)


def opt():
    sizes = {"hidden_size": 64, "ffn_dim": 128, "num_hidden_layers": 3, "num_attention_heads": 4}
    return _words("OPT", **sizes, word_embed_proj_dim=64, dropout=0.0, max_position_embeddings=64)


def vit(rows=4, image_size=64, **sizes):
    import transformers

    still = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    sizes = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 3, "num_attention_heads": 4} | sizes
    config = transformers.ViTConfig(**({"patch_size": 8} | sizes), **still, image_size=image_size, num_labels=10)
    model = transformers.ViTForImageClassification(config).train()
    batch, _ = _classified(image_size, rows, 10)
    return model, batch, lambda model, pictures, wanted: cross_entropy(model(pictures).logits, wanted)


def t5(rows=2, length=32, vocabulary=199, **sizes):
    import transformers

    sizes = {"d_model": 64, "d_kv": 16, "d_ff": 128, "num_layers": 2, "num_heads": 4, "dropout_rate": 0.0} | sizes
    config = transformers.T5Config(vocab_size=vocabulary, decoder_start_token_id=0, use_cache=False, **sizes)
    model = transformers.T5ForConditionalGeneration(config).train()

    def batch(seed):
        generator = torch.Generator().manual_seed(seed)
        return tuple(torch.randint(2, vocabulary, (rows, length), generator=generator) for _ in range(2))

    def loss(model, ids, wanted):
        logits = model(input_ids=ids, decoder_input_ids=wanted).logits
        return cross_entropy(logits[:, :-1].flatten(0, 1).float(), wanted[:, 1:].flatten())

    return model, batch, loss


def convnext(size=64, rows=4, width=24, blocks=2):
    from torchvision.models import convnext as made

    widths = ((width, 2 * width), (2 * width, 4 * width), (4 * width, None))
    setting = [made.CNBlockConfig(*stage, blocks) for stage in widths]
    return made.ConvNeXt(setting, num_classes=10).train(), *_classified(size, rows, 10)


def bert():
    still = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    return _words("Bert", **_LLAMA, **still, max_position_embeddings=64)


def distilbert():
    sizes = {"dim": 64, "hidden_dim": 128, "n_layers": 3, "n_heads": 4, "max_position_embeddings": 64}
    return _words("DistilBert", **sizes, dropout=0.0, attention_dropout=0.0)


def _sample(name, **changed):
    """A tiny sample of the program, as its trace is made, with other values in each batch."""
    folder = str(pathlib.Path(__file__).resolve().parents[2] / "resources" / "samples")
    if folder not in sys.path:
        sys.path.append(folder)
    from make_samples import SAMPLES

    factory, sizes = SAMPLES[name][2:4]
    sizes = sizes | changed
    model, given = factory(**sizes)
    names = [name for name in given if name != "labels"]

    def batch(seed):
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            made = factory(**sizes)[1]
        return tuple(made[name] for name in names)

    def loss(model, *given):
        output = model(**dict(zip(names, given, strict=True)))
        if "input_ids" not in names:
            return output
        return cross_entropy(output.logits[:, :-1].flatten(0, 1), given[0][:, 1:].flatten())

    return model.train(), batch, loss


def tiny_gpt2():
    return _sample("tiny_gpt2")


def tiny_resnet():
    return _sample("tiny_resnet")


def tiny_unet(**sizes):
    return _sample("tiny_unet", **sizes)


def tiny_transformer():
    return _sample("tiny_transformer")


def _lora(targets):
    def wrap(model):
        import peft

        return peft.get_peft_model(model, peft.LoraConfig(r=4, target_modules=targets, lora_dropout=0.0))

    return wrap


def lora_gpt2(**sizes):
    return _words("GPT2", wrap=_lora(["c_attn"]), **(_STILL | _GPT2 | sizes))


def lora_llama():
    return _words("Llama", wrap=_lora(["q_proj", "v_proj"]), **_LLAMA, num_key_value_heads=4)


def _timm(name, size=64):
    import timm

    model = timm.create_model(name, num_classes=10, **({"img_size": size} if "vit" in name else {}))
    return model.train(), *_classified(size, 4, 10)


def timm_vit():
    return _timm("vit_tiny_patch16_224")


def timm_convnext():
    return _timm("convnext_atto")


MODELS = {name: made for name, made in list(globals().items()) if callable(made) and not name.startswith("_")}
del MODELS["cross_entropy"]
