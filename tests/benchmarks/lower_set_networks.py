# SPDX-License-Identifier: Apache-2.0
"""Networks of Kusumoto's table that torchvision lacks or arranges otherwise, as the authors' scripts have them."""

import functools

import torch
from torch import nn
from torch.nn import functional as F


def _conv(taken, made, kernel, stride=1, dilation=1, relu=True):
    """A convolution without bias that keeps the size (but for its stride), normalised over the batch."""
    layers = [nn.Conv2d(taken, made, kernel, stride, dilation * (kernel // 2), dilation, bias=False), nn.BatchNorm2d(made)]
    return nn.Sequential(*layers, nn.ReLU()) if relu else nn.Sequential(*layers)


class _Bottleneck(nn.Module):
    def __init__(self, taken, middle, made, stride, dilation):
        super().__init__()
        self.body = nn.Sequential(
            _conv(taken, middle, 1), _conv(middle, middle, 3, stride, dilation), _conv(middle, made, 1, relu=False))
        self.skip = _conv(taken, made, 1, stride, relu=False) if taken != made else nn.Identity()

    def forward(self, x):
        return F.relu(self.body(x) + self.skip(x))


class PspNet(nn.Module):
    """ChainerCV's PSPNet on a dilated ResNet-101, with the authors' second loss after its fourth stage; returns the loss."""

    def __init__(self, classes=17):
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 64, 3, 2), _conv(64, 64, 3), _conv(64, 128, 3), nn.MaxPool2d(3, 2, 1))
        stages, taken = [], 128
        for blocks, middle, stride, dilation in [(3, 64, 1, 1), (4, 128, 2, 1), (23, 256, 1, 2), (3, 512, 1, 4)]:
            layers = [_Bottleneck(taken if b == 0 else 4 * middle, middle, 4 * middle, stride if b == 0 else 1, dilation)
                      for b in range(blocks)]
            stages.append(nn.Sequential(*layers))
            taken = 4 * middle
        self.early, self.late = nn.Sequential(*stages[:3]), stages[3]
        self.pyramid = nn.ModuleDict({str(parts): _conv(2048, 512, 1) for parts in (6, 3, 2, 1)})
        self.head = nn.Sequential(_conv(4096, 512, 3), nn.Dropout(0.1), nn.Conv2d(512, classes, 1))
        self.second = nn.Sequential(_conv(1024, 512, 3), nn.Dropout(0.1), nn.Conv2d(512, classes, 3, padding=1))

    def forward(self, pictures, target):
        early = self.early(self.stem(pictures))
        late = self.late(early)
        pooled = [late]
        for parts, layer in self.pyramid.items():
            part = layer(F.adaptive_avg_pool2d(late, int(parts)))
            pooled.append(F.interpolate(part, late.shape[2:], mode="bilinear", align_corners=True))
        outputs = [self.second(early), self.head(torch.cat(pooled, 1))]
        sized = [F.interpolate(out, pictures.shape[2:], mode="bilinear", align_corners=True) for out in outputs]
        second, first = (F.cross_entropy(out, target) for out in sized)
        return first + 0.4 * second


class DenseNet161(nn.Module):
    """Each layer joins what it makes to all that it takes: one tensor crosses from layer to layer, where torchvision's
    layers take a list of all tensors before them and join it anew."""

    class _Layer(nn.Module):
        def __init__(self, taken, growth):
            super().__init__()
            self.body = nn.Sequential(nn.BatchNorm2d(taken), nn.ReLU(), _conv(taken, 4 * growth, 1),
                                      nn.Conv2d(4 * growth, growth, 3, padding=1, bias=False))

        def forward(self, x):
            return torch.cat([x, self.body(x)], 1)

    def __init__(self, growth=48):
        super().__init__()
        channels = 2 * growth
        stem = nn.Conv2d(3, channels, 7, 2, 3, bias=False)
        layers = [stem, nn.BatchNorm2d(channels), nn.ReLU(), nn.MaxPool2d(3, 2, 1)]
        for block, count in enumerate((6, 12, 36, 24)):
            if block > 0:
                halved = nn.Conv2d(channels, channels // 2, 1, bias=False)
                layers += [nn.BatchNorm2d(channels), nn.ReLU(), halved, nn.AvgPool2d(2)]
                channels //= 2
            for _ in range(count):
                layers.append(self._Layer(channels, growth))
                channels += growth
        layers += [nn.BatchNorm2d(channels), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, 1000)]
        self.body = nn.Sequential(*layers)

    def forward(self, x):
        return self.body(x)


class _ChainerNorm(nn.Module):
    """Holds what Chainer's local response normalisation holds, with other values: one function that keeps its input, its result and
    the scale between them, and whose backward part has room for two more."""

    class _Function(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            scale = torch.square(x)
            y = torch.mul(x, scale)
            ctx.save_for_backward(x, y, scale)
            return y

        @staticmethod
        def backward(ctx, gradient):
            x, y, scale = ctx.saved_tensors
            two = torch.stack([y, gradient])
            return torch.lerp(two[0], x, scale)

    def forward(self, x):
        return self._Function.apply(x)


class GoogLeNet(nn.Module):
    """The first GoogLeNet: normalised over neighbouring channels instead of batches, with its two side losses; returns the
    sum of the losses. With `as_chainer` functions hold what Chainer's do: `_ChainerNorm`, and pools that keep no indices, which
    PyTorch's have in eight bytes each (means instead of maxima, so values are others)."""

    class _Inception(nn.Module):
        def __init__(self, pool, taken, one, reduced3, three, reduced5, five, pooled):
            super().__init__()
            self.one = nn.Conv2d(taken, one, 1)
            self.three = nn.Sequential(nn.Conv2d(taken, reduced3, 1), nn.ReLU(), nn.Conv2d(reduced3, three, 3, padding=1))
            self.five = nn.Sequential(nn.Conv2d(taken, reduced5, 1), nn.ReLU(), nn.Conv2d(reduced5, five, 5, padding=2))
            self.pooled = nn.Sequential(pool(3, 1, 1), nn.Conv2d(taken, pooled, 1))

        def forward(self, x):
            return F.relu(torch.cat([self.one(x), self.three(x), self.five(x), self.pooled(x)], 1))

    def __init__(self, as_chainer=False):
        super().__init__()
        kind = nn.AvgPool2d if as_chainer else nn.MaxPool2d
        inception, pool = functools.partial(self._Inception, kind), kind(3, 2, ceil_mode=True)

        def norm():
            return _ChainerNorm() if as_chainer else nn.LocalResponseNorm(5, 2e-5 * 5)

        self.early = nn.Sequential(
            nn.Conv2d(3, 64, 7, 2, 3), nn.ReLU(), pool, norm(), nn.Conv2d(64, 64, 1), nn.ReLU(),
            nn.Conv2d(64, 192, 3, padding=1), nn.ReLU(), norm(), pool,
            inception(192, 64, 96, 128, 16, 32, 32), inception(256, 128, 128, 192, 32, 96, 64), pool,
            inception(480, 192, 96, 208, 16, 48, 64))
        self.middle = nn.Sequential(inception(512, 160, 112, 224, 24, 64, 64), inception(512, 128, 128, 256, 24, 64, 64),
                                    inception(512, 112, 144, 288, 32, 64, 64))
        self.late = nn.Sequential(
            inception(528, 256, 160, 320, 32, 128, 128), pool, inception(832, 256, 160, 320, 32, 128, 128),
            inception(832, 384, 192, 384, 48, 128, 128), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Dropout(0.4), nn.Linear(1024, 1000))
        self.sides = nn.ModuleList(
            nn.Sequential(nn.AvgPool2d(5, 3), nn.Conv2d(taken, 128, 1), nn.ReLU(), nn.Flatten(), nn.Linear(2048, 1024),
                          nn.ReLU(), nn.Linear(1024, 1000)) for taken in (512, 528))

    def forward(self, pictures, target):
        early = self.early(pictures)
        middle = self.middle(early)
        outputs = [self.late(middle), self.sides[0](early), self.sides[1](middle)]
        return sum(F.cross_entropy(out, target) for out in outputs)
