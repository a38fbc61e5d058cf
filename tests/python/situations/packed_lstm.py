# SPDX-License-Identifier: Apache-2.0
"""Seen: pytorch/pytorch#171978: export fails on packed sequences before an LSTM, the most common recurrent classifier.

Right: traced for these lengths, which is said; torch.compile takes the parts around it.
"""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(50, 24), nn.Linear(64, 5)
        self.rnn = nn.LSTM(24, 32, batch_first=True, bidirectional=True)

    def forward(self, ids, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.embed(ids), lengths, batch_first=True, enforce_sorted=True)
        out, _ = nn.utils.rnn.pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        return self.head(out)


def make():
    torch.manual_seed(0)
    return Tagger(), (torch.randint(50, (4, 9)), torch.tensor([9, 7, 7, 4])), lambda y: y.square().mean()
