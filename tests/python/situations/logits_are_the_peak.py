# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#124480, huggingface/trl#5575: the peak is the loss (logits, their float32 copy, log-softmax and
its gradient), and computing layers again frees almost nothing.

Right: results are equal bit for bit, and a budget below the loss is refused or split in chunks.
"""

import torch
from torch import nn


class Tiny(nn.Module):
    def __init__(self, width=32, vocabulary=8192, depth=4):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))
            for _ in range(depth)
        )
        self.head = nn.Linear(width, vocabulary, bias=False)

    def forward(self, ids):
        x = self.embed(ids)
        for block in self.blocks:
            x = x + block(x)
        return self.head(x).to(torch.bfloat16)


def make():
    torch.manual_seed(0)
    ids = torch.randint(8192, (4, 64))
    labels = ids.roll(-1, 1).flatten()
    return Tiny(), (ids,), lambda logits: torch.nn.functional.cross_entropy(logits.float().flatten(0, 1), labels)
