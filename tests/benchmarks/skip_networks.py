# SPDX-License-Identifier: Apache-2.0
"""Networks with long skips, in plain PyTorch, for skip_table.py: DeepLab v3+, U-Net++, a diffusion U-Net."""

from itertools import pairwise

import torch
import torchvision
from torch import nn
from torch.nn.functional import cross_entropy, interpolate, mse_loss, scaled_dot_product_attention


def _convolved(channels_in, channels_out, kernel=3):
    convolution = nn.Conv2d(channels_in, channels_out, kernel, padding=kernel // 2, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(channels_out), nn.ReLU())


class DeepLabV3Plus(nn.Module):
    """DeepLab v3+ (Chen et al., ECCV 2018) on a dilated ResNet-50: the first stage goes round the whole encoder."""

    def __init__(self, classes=21):
        super().__init__()
        dilate = [False, False, True]
        backbone = torchvision.models.resnet50(weights=None, replace_stride_with_dilation=dilate)
        self.stem = nn.Sequential(backbone.conv1, backbone.bn1, backbone.relu, backbone.maxpool)
        self.low, self.high = backbone.layer1, nn.Sequential(backbone.layer2, backbone.layer3, backbone.layer4)
        self.pyramid = torchvision.models.segmentation.deeplabv3.ASPP(2048, [6, 12, 18])
        self.skip = _convolved(256, 48, 1)
        self.decoder = nn.Sequential(_convolved(304, 256), _convolved(256, 256), nn.Conv2d(256, classes, 1))

    def forward(self, image, target):
        low = self.low(self.stem(image))
        high = interpolate(self.pyramid(self.high(low)), size=low.shape[-2:], mode="bilinear")
        labels = self.decoder(torch.cat([self.skip(low), high], dim=1))
        return cross_entropy(interpolate(labels, size=image.shape[-2:], mode="bilinear"), target)


class UNetPlusPlus(nn.Module):
    """U-Net++ (Zhou et al., 2018): every skip is a dense block of its own."""

    def __init__(self, classes=21, width=32, depth=4):
        super().__init__()
        widths = [width << level for level in range(depth + 1)]
        self.pool = nn.MaxPool2d(2)
        self.first = nn.ModuleList(self._block(a, b) for a, b in pairwise([3, *widths]))
        self.nested = nn.ModuleList(
            nn.ModuleList(
                self._block(column * widths[level] + widths[level + 1], widths[level])
                for level in range(depth + 1 - column)
            )
            for column in range(1, depth + 1)
        )
        self.head = nn.Conv2d(width, classes, 1)

    @staticmethod
    def _block(channels_in, channels_out):
        return nn.Sequential(_convolved(channels_in, channels_out), _convolved(channels_out, channels_out))

    def forward(self, image, target):
        columns = [[]]
        for level, block in enumerate(self.first):
            columns[0].append(block(self.pool(columns[0][-1]) if level else image))
        for blocks in self.nested:
            made = []
            for level, block in enumerate(blocks):
                beside = [column[level] for column in columns]
                made.append(block(torch.cat([*beside, interpolate(columns[-1][level + 1], scale_factor=2)], dim=1)))
            columns.append(made)
        return cross_entropy(self.head(columns[-1][0]), target)


class _Residual(nn.Module):
    """GroupNorm, SiLU, convolution, twice, with the time step added in between."""

    def __init__(self, channels_in, channels_out, time):
        super().__init__()
        self.norm1, self.norm2 = nn.GroupNorm(32, channels_in), nn.GroupNorm(32, channels_out)
        self.conv1 = nn.Conv2d(channels_in, channels_out, 3, padding=1)
        self.conv2 = nn.Conv2d(channels_out, channels_out, 3, padding=1)
        self.time = nn.Linear(time, channels_out)
        same = channels_in == channels_out
        self.shortcut = nn.Identity() if same else nn.Conv2d(channels_in, channels_out, 1)
        self.act = nn.SiLU()

    def forward(self, x, time):
        h = self.conv1(self.act(self.norm1(x))) + self.time(self.act(time))[:, :, None, None]
        return self.shortcut(x) + self.conv2(self.act(self.norm2(h)))


class _Attention(nn.Module):
    """Self-attention over all positions."""

    def __init__(self, channels, head=64):
        super().__init__()
        self.heads = channels // head
        self.norm = nn.GroupNorm(32, channels)
        self.qkv, self.out = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)

    def forward(self, x):
        rows = self.norm(x).flatten(2).transpose(1, 2)
        query, key, value = self.qkv(rows).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = scaled_dot_product_attention(query, key, value).transpose(1, 2).flatten(2)
        return x + self.out(mixed).transpose(1, 2).reshape(x.shape)


class DiffusionUNet(nn.Module):
    """A U-Net as in denoising diffusion (Ho et al., 2020; as in diffusers): every block has a skip of its own."""

    def __init__(self, widths=(128, 256, 384, 512), blocks=2, attention_from=2):
        super().__init__()
        time = 4 * widths[0]
        self.embed = nn.Sequential(nn.Linear(widths[0], time), nn.SiLU(), nn.Linear(time, time))
        self.into = nn.Conv2d(3, widths[0], 3, padding=1)
        self.down, self.up, skips, at = nn.ModuleList(), nn.ModuleList(), [widths[0]], widths[0]
        for level, width in enumerate(widths):
            attend = level >= attention_from
            for _ in range(blocks):
                self.down.append(self._pair(at, width, time, attend))
                at = width
                skips.append(at)
            if level + 1 < len(widths):
                self.down.append(nn.ModuleList([nn.Conv2d(at, at, 3, stride=2, padding=1)]))
                skips.append(at)
        self.middle = nn.ModuleList([_Residual(at, at, time), _Attention(at), _Residual(at, at, time)])
        for level, width in reversed(list(enumerate(widths))):
            for _ in range(blocks + 1):
                self.up.append(self._pair(at + skips.pop(), width, time, level >= attention_from))
                at = width
            if level:
                self.up.append(nn.ModuleList([nn.Conv2d(at, at, 3, padding=1)]))
        self.out = nn.Sequential(nn.GroupNorm(32, at), nn.SiLU(), nn.Conv2d(at, 3, 3, padding=1))

    @staticmethod
    def _pair(channels_in, width, time, attend):
        return nn.ModuleList([_Residual(channels_in, width, time), _Attention(width) if attend else nn.Identity()])

    def forward(self, noisy, step, noise):
        time = self.embed(step)
        x = self.into(noisy)
        skips = [x]
        for block in self.down:
            x = block[0](x) if len(block) == 1 else block[1](block[0](x, time))
            skips.append(x)
        x = self.middle[2](self.middle[1](self.middle[0](x, time)), time)
        for block in self.up:
            if len(block) == 1:
                x = block[0](interpolate(x, scale_factor=2))
            else:
                x = block[1](block[0](torch.cat([x, skips.pop()], dim=1), time))
        return mse_loss(self.out(x), noise)


def _segmented(model, rows, size):
    return model, (torch.zeros(rows, 3, size, size), torch.zeros(rows, size, size, dtype=torch.long))


def deeplab():
    return _segmented(DeepLabV3Plus(), 8, 512)


def unetpp():
    return _segmented(UNetPlusPlus(), 8, 256)


def diffusion():
    pictures = torch.zeros(8, 3, 128, 128)
    return DiffusionUNet(), (pictures, torch.zeros(8, 128), pictures)


NETWORKS = {"deeplab": deeplab, "unetpp": unetpp, "diffusion": diffusion}
