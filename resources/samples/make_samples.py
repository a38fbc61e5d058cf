"""Makes all sample traces and their manifest: ``python make_samples.py [NAME...]``."""

import json
import pathlib
import sys

import torch
from torchvision.models.resnet import Bottleneck
from transformers import GPT2Config, GPT2LMHeadModel

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "python")]

import models  # noqa: E402
import remat_studio  # noqa: E402


def gpt2(layers=12, width=768, heads=12, vocabulary=50257, positions=1024, batch=8, tokens=512, tied=True):
    """GPT-2 with its own language-model loss."""
    config = GPT2Config(
        n_layer=layers,
        n_embd=width,
        n_head=heads,
        vocab_size=vocabulary,
        n_positions=positions,
        bos_token_id=vocabulary - 1,
        eos_token_id=vocabulary - 1,
        use_cache=False,
        tie_word_embeddings=tied,
        attn_implementation="sdpa",
        loss_type="ForCausalLM",
    )
    ids = torch.randint(0, vocabulary, (batch, tokens))
    return GPT2LMHeadModel(config), {"input_ids": ids, "labels": ids.clone()}


def resnet(blocks=(3, 4, 6, 3), classes=1000, batch=64, size=224, **options):
    """A ResNet of bottleneck blocks with cross-entropy."""
    model = models.ResNet(Bottleneck, list(blocks), num_classes=classes, **options)
    return model, {"image": torch.randn(batch, 3, size, size), "target": torch.randint(0, classes, (batch,))}


def unet(width=64, depth=4, classes=21, batch=8, size=256, dropout=0.0):
    """A U-Net with cross-entropy at each pixel."""
    model = models.UNet(classes=classes, width=width, depth=depth, dropout=dropout)
    target = torch.randint(0, classes, (batch, size, size))
    return model, {"image": torch.randn(batch, 3, size, size), "target": target}


def transformer(vocabulary=32000, batch=16, tokens=128, **sizes):
    """An encoder-decoder Transformer for translation."""
    source, target, expected = (torch.randint(0, vocabulary, (batch, tokens)) for _ in range(3))
    model = models.Transformer(vocabulary=vocabulary, length=tokens, **sizes)
    return model, {"source": source, "target": target, "expected": expected}


TINY_GPT2 = {"layers": 2, "width": 32, "heads": 2, "vocabulary": 257, "positions": 64, "batch": 2, "tokens": 64}
TINY_RESNET = {"blocks": (2, 2, 2, 2), "classes": 10, "batch": 16, "size": 64, "narrower": 4, "dropout": 0.2}
TINY_UNET = {"width": 4, "depth": 3, "classes": 5, "batch": 2, "size": 64, "dropout": 0.1}
TINY_TRANSFORMER = {"vocabulary": 257, "width": 32, "heads": 2, "layers": 2, "hidden": 64, "batch": 4, "tokens": 32}

# name: (title, subtitle, factory, its arguments, with weights)
SAMPLES = {
    "gpt2": ("GPT-2 small", "12 blocks, batch 8, 512 tokens", gpt2, {}, False),
    "resnet50": ("ResNet-50", "16 blocks, 64 images of 224²", resnet, {}, False),
    "unet": ("U-Net", "5 levels, 8 images of 256²", unet, {}, False),
    "transformer": ("Transformer", "6 + 6 layers, batch 16, 128 tokens", transformer, {}, False),
    "tiny_gpt2": ("Tiny GPT-2", "2 blocks, batch 2, 64 tokens", gpt2, TINY_GPT2, True),
    "tiny_resnet": ("Tiny ResNet", "8 blocks, 16 images of 64²", resnet, TINY_RESNET, False),
    "tiny_unet": ("Tiny U-Net", "4 levels, 2 images of 64²", unet, TINY_UNET, True),
    "tiny_transformer": ("Tiny Transformer", "2 + 2 layers, batch 4, 32 tokens", transformer, TINY_TRANSFORMER, True),
}


def make(name):
    """Trace one sample into its file."""
    title, _, factory, sizes, weights = SAMPLES[name]
    torch.manual_seed(0)
    model, args = factory(**sizes)
    path = HERE / f"{name}.pt2"
    # Attention as a GPU runs it: that is what people plan for. A step of the large ones takes minutes on a CPU.
    compare = "auto" if name.startswith("tiny_") else "never"
    remat_studio.trace(
        model.train(), args, path=path, weights=weights, name=title, source_root=HERE, target="cuda", compare=compare
    )
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


def write_manifest():
    """List all samples for the start page."""
    entries = [
        {"file": f"{name}.pt2", "title": title, "subtitle": subtitle, "tiny": name.startswith("tiny_")}
        for name, (title, subtitle, *_) in SAMPLES.items()
    ]
    text = json.dumps({"samples": entries}, indent=2, ensure_ascii=False)
    (HERE / "samples.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    for wanted in sys.argv[1:] or SAMPLES:
        make(wanted)
    write_manifest()
