"""Models of the samples: ResNet with its loss, a classic U-Net, and an encoder-decoder Transformer."""

import math
from itertools import pairwise

import torch
import torchvision
from torch import nn
from torch.nn.functional import cross_entropy


class ResNet(torchvision.models.ResNet):
    """A torchvision ResNet that computes its own loss, so that the target is an input of the graph."""

    def __init__(self, block, layers, num_classes=1000, narrower=1, dropout=0.0):
        self.narrower = narrower  # _make_layer, called by the base class, reads it
        super().__init__(block, layers, num_classes=num_classes)
        if narrower > 1:
            stem = 64 // narrower
            self.conv1, self.bn1 = nn.Conv2d(3, stem, 7, stride=2, padding=3, bias=False), nn.BatchNorm2d(stem)
            self.fc = nn.Linear(self.fc.in_features // narrower, num_classes)
        if dropout:
            self.fc = nn.Sequential(nn.Dropout(dropout), self.fc)

    def _make_layer(self, block, planes, *rest, **options):
        if planes == 64:
            self.inplanes //= self.narrower
        return super()._make_layer(block, planes // self.narrower, *rest, **options)

    def forward(self, image, target):
        return cross_entropy(super().forward(image), target)


class DoubleConv(nn.Sequential):
    """Two 3×3 convolutions, each with BatchNorm and ReLU."""

    def __init__(self, channels_in, channels_out):
        super().__init__(
            nn.Conv2d(channels_in, channels_out, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels_out),
            nn.ReLU(),
            nn.Conv2d(channels_out, channels_out, 3, padding=1, bias=False),
            nn.BatchNorm2d(channels_out),
            nn.ReLU(),
        )


class Up(nn.Module):
    """Doubles the resolution, joins the skip connection, and convolves."""

    def __init__(self, channels_in, channels_out):
        super().__init__()
        self.up = nn.ConvTranspose2d(channels_in, channels_out, 2, stride=2)
        self.conv = DoubleConv(2 * channels_out, channels_out)

    def forward(self, x, skip):
        return self.conv(torch.cat([skip, self.up(x)], dim=1))


class UNet(nn.Module):
    """U-Net (Ronneberger et al., 2015) with BatchNorm; the width doubles at each of ``depth`` levels."""

    def __init__(self, channels=3, classes=21, width=64, depth=4, dropout=0.0):
        super().__init__()
        widths = [width << level for level in range(depth + 1)]
        self.stem = DoubleConv(channels, widths[0])
        self.down = nn.ModuleList(DoubleConv(a, b) for a, b in pairwise(widths))
        self.pool = nn.MaxPool2d(2)
        self.dropout = nn.Dropout2d(dropout)
        self.up = nn.ModuleList(Up(b, a) for a, b in reversed(list(pairwise(widths))))
        self.head = nn.Conv2d(width, classes, 1)

    def forward(self, image, target):
        x = self.stem(image)
        skips = []
        for level in self.down:
            skips.append(x)
            x = level(self.pool(x))
        x = self.dropout(x)
        for level in self.up:
            x = level(x, skips.pop())
        return cross_entropy(self.head(x), target)


class MultiHeadAttention(nn.Module):
    """Scaled dot-product attention written out, so that every op of it is in the graph on any device."""

    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.out = nn.Linear(width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, mask=None):
        query, key, value = self.split(self.query(x)), self.split(self.key(memory)), self.split(self.value(memory))
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        mixed = self.dropout(scores.softmax(dim=-1)) @ value
        return self.out(mixed.transpose(1, 2).flatten(2))

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class FeedForward(nn.Sequential):
    """Two linear layers with ReLU and dropout between them."""

    def __init__(self, width, hidden, dropout):
        super().__init__(nn.Linear(width, hidden), nn.ReLU(), nn.Dropout(dropout), nn.Linear(hidden, width))


class EncoderLayer(nn.Module):
    """Self-attention and feed-forward, each with residual and LayerNorm after it."""

    def __init__(self, width, heads, hidden, dropout):
        super().__init__()
        self.attention = MultiHeadAttention(width, heads, dropout)
        self.feed_forward = FeedForward(width, hidden, dropout)
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        x = self.norm1(x + self.dropout(self.attention(x, x)))
        return self.norm2(x + self.dropout(self.feed_forward(x)))


class DecoderLayer(nn.Module):
    """Masked self-attention, attention to the encoder, and feed-forward."""

    def __init__(self, width, heads, hidden, dropout):
        super().__init__()
        self.self_attention = MultiHeadAttention(width, heads, dropout)
        self.cross_attention = MultiHeadAttention(width, heads, dropout)
        self.feed_forward = FeedForward(width, hidden, dropout)
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)
        self.norm3 = nn.LayerNorm(width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, mask):
        x = self.norm1(x + self.dropout(self.self_attention(x, x, mask)))
        x = self.norm2(x + self.dropout(self.cross_attention(x, memory)))
        return self.norm3(x + self.dropout(self.feed_forward(x)))


class Transformer(nn.Module):
    """The encoder-decoder of "Attention Is All You Need", with one embedding for source, target and output."""

    def __init__(self, vocabulary=32000, width=512, heads=8, layers=6, hidden=2048, length=128, dropout=0.1):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, width)
        self.position = nn.Embedding(length, width)
        self.dropout = nn.Dropout(dropout)
        self.encoder = nn.ModuleList(EncoderLayer(width, heads, hidden, dropout) for _ in range(layers))
        self.decoder = nn.ModuleList(DecoderLayer(width, heads, hidden, dropout) for _ in range(layers))
        self.generator = nn.Linear(width, vocabulary, bias=False)
        self.generator.weight = self.embedding.weight
        nn.init.normal_(self.embedding.weight, std=width**-0.5)
        length_mask = torch.ones(length, length, dtype=torch.bool).triu(1)
        self.register_buffer("future", length_mask, persistent=False)

    def forward(self, source, target, expected):
        memory = self.embed(source)
        for layer in self.encoder:
            memory = layer(memory)
        x = self.embed(target)
        mask = self.future[: target.shape[1], : target.shape[1]]
        for layer in self.decoder:
            x = layer(x, memory, mask)
        return cross_entropy(self.generator(x).flatten(0, 1), expected.flatten())

    def embed(self, tokens):
        positions = torch.arange(tokens.shape[1], device=tokens.device)
        scale = math.sqrt(self.embedding.embedding_dim)
        return self.dropout(self.embedding(tokens) * scale + self.position(positions))
