"""Makes the traces that tests and benchmarks need beyond the samples: ``python make_traces.py``.

``gpt2`` and ``tiny_gpt2`` are the samples of these names with the attention of the CPU, which keeps every score matrix.
``length_64`` and ``length_96`` are one model at two lengths of its input.
``bfloat16`` and ``autocast`` are one small language model: all of it in bfloat16, with a GPU's flash attention; and in
float32 under autocast, with the CPU's.
"""

import pathlib
import sys

import torch
from torch import nn
from torch.nn.functional import cross_entropy, scaled_dot_product_attention
from torch.utils.checkpoint import checkpoint
from torchvision.models.inception import BasicConv2d, InceptionA, InceptionE

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "resources" / "samples"))

from make_samples import TINY_GPT2, gpt2, remat_studio  # noqa: E402


def mean_of_squares(output):
    """A loss without labels, whose gradient is as large as the logits."""
    return output.logits.square().mean()


class Head(nn.Module):
    """One head of attention, written out."""

    def __init__(self, width, size):
        super().__init__()
        self.key = nn.Linear(width, size, bias=False)
        self.query = nn.Linear(width, size, bias=False)
        self.value = nn.Linear(width, size, bias=False)

    def forward(self, x):
        key, query, value = self.key(x), self.query(x), self.value(x)
        weights = (query @ key.transpose(-2, -1) * key.shape[-1] ** -0.5).softmax(-1)
        return weights @ value


class Attention(nn.Module):
    """Heads as modules of their own, all of the same input."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = nn.ModuleList(Head(width, width // heads) for _ in range(heads))
        self.out = nn.Linear(width, width)

    def forward(self, x):
        return self.out(torch.cat([h(x) for h in self.heads], -1))


class Experts(nn.Module):
    """Experts of different size, mixed by a gate."""

    def __init__(self, width, hidden):
        super().__init__()
        self.gate = nn.Linear(width, len(hidden))
        self.experts = nn.ModuleList(
            nn.Sequential(nn.Linear(width, inner), nn.GELU(), nn.Linear(inner, width)) for inner in hidden
        )

    def forward(self, x):
        gates = self.gate(x).softmax(-1)
        return sum(gates[..., i : i + 1] * expert(x) for i, expert in enumerate(self.experts))


class Branches(nn.Module):
    """What has branches: two inception cells, heads, experts."""

    def __init__(self):
        super().__init__()
        self.stem = BasicConv2d(3, 16, kernel_size=3, stride=2)
        self.mixed_a = InceptionA(16, 8)
        self.mixed_e = InceptionE(232)
        self.pool = nn.AdaptiveAvgPool2d(4)
        self.proj = nn.Linear(2048, 32)
        self.attention = Attention(32, 4)
        self.experts = Experts(32, (64, 96, 128))
        self.head = nn.Linear(32, 10)

    def forward(self, image, target):
        x = self.mixed_e(self.mixed_a(self.stem(image)))
        x = self.proj(self.pool(x).flatten(2).transpose(1, 2))
        x = x + self.attention(x)
        x = x + self.experts(x)
        return cross_entropy(self.head(x.mean(1)), target)


class Checkpointed(nn.Module):
    """Layers that the model itself computes again in the backward pass, all but the last."""

    def __init__(self, layers=6, width=64):
        super().__init__()
        self.layers = nn.ModuleList(
            nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.1))
            for _ in range(layers)
        )
        self.head = nn.Linear(width, 10)

    def forward(self, x, target):
        for layer in self.layers[:-1]:
            x = x + checkpoint(layer, x, use_reentrant=False)
        return cross_entropy(self.head(self.layers[-1](x)), target)


class Block(nn.Module):
    """A transformer's layer; dropout in attention, too, where it is asked for."""

    def __init__(self, width, heads, attention_dropout):
        super().__init__()
        self.heads, self.attention_dropout = heads, attention_dropout
        self.first_norm, self.second_norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.projections, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.1))

    def forward(self, x):
        parts = self.projections(self.first_norm(x)).chunk(3, -1)
        query, key, value = (part.unflatten(-1, (self.heads, -1)).transpose(1, 2) for part in parts)
        mixed = scaled_dot_product_attention(query, key, value, dropout_p=self.attention_dropout, is_causal=True)
        x = x + self.out(mixed.transpose(1, 2).flatten(2))
        return x + self.mlp(self.second_norm(x))


class Language(nn.Module):
    """A small language model, under autocast where it is asked for."""

    def __init__(self, autocast, attention_dropout, layers=2, width=32, heads=2, words=64):
        super().__init__()
        self.autocast = autocast
        self.embedding = nn.Embedding(words, width)
        self.blocks = nn.Sequential(*(Block(width, heads, attention_dropout) for _ in range(layers)))
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, words)

    def forward(self, tokens, target):
        with torch.autocast("cpu", torch.bfloat16, enabled=self.autocast):
            logits = self.head(self.norm(self.blocks(self.embedding(tokens))))
        return cross_entropy(logits.float().flatten(0, 1), target.flatten())


LENGTHS = {"length_64": 64, "length_96": 96}  # one model, whose steps differ in nothing else


def save(name, title, model, args, loss_fn=None, weights=False, target="cpu"):
    """Trace one model, as the CPU runs it where nothing else is said."""
    path = HERE / f"{name}.pt2"
    options = {"weights": weights, "name": title, "source_root": HERE, "target": target}
    remat_studio.trace(model.train(), args, loss_fn, path, **options)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    torch.manual_seed(0)
    save("gpt2", "GPT-2 small", *gpt2())
    torch.manual_seed(0)
    save("tiny_gpt2", "Tiny GPT-2", *gpt2(**TINY_GPT2), weights=True)
    for name, tokens in LENGTHS.items():
        longer = {**TINY_GPT2, "positions": max(LENGTHS.values()), "tokens": tokens}
        save(name, f"Tiny GPT-2, {tokens} tokens", *gpt2(**longer))
    torch.manual_seed(0)
    small, small_args = gpt2(tied=False)
    save("gpt2_squared", "GPT-2 small, squared logits", small, {"input_ids": small_args["input_ids"]}, mean_of_squares)
    save("gpt2_24", "GPT-2 with 24 layers", *gpt2(layers=24))
    images = {"image": torch.randn(4, 3, 32, 32), "target": torch.randint(0, 10, (4,))}
    save("branches", "Branches", Branches(), images)
    rows = {"x": torch.randn(128, 64), "target": torch.randint(0, 10, (128,))}
    save("checkpointed", "Checkpointed layers", Checkpointed(), rows)
    words = {key: torch.randint(0, 64, (4, 48)) for key in ("tokens", "target")}
    half = Language(autocast=False, attention_dropout=0.1).to(torch.bfloat16)
    save("bfloat16", "Language model in bfloat16", half, words, weights=True, target="cuda")
    mixed = Language(autocast=True, attention_dropout=0.0)
    save("autocast", "Language model under autocast", mixed, words, weights=True)
