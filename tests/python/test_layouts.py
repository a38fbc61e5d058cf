# SPDX-License-Identifier: Apache-2.0
"""Stand-ins are laid out as a CPU's kernels lay out what they make of transposed tensors."""

import pytest
import torch
from remat_studio.kernels import as_in_eager_mode
from torch._dispatch.python import enable_python_dispatcher
from torch._subclasses import FakeTensorMode
from torch.nn import functional

INPUTS = {
    "in_order": torch.randn(4, 8, 10),
    "transposed": torch.randn(4, 10, 8).transpose(1, 2),
    "turned": torch.randn(4, 8, 6, 10).transpose(2, 3),
    "channels_last": torch.randn(4, 8, 6, 6).contiguous(memory_format=torch.channels_last),
}
FUNCTIONS = {
    "batch_norm": lambda x: functional.batch_norm(x, None, None, training=True),
    "batch_norm_of_statistics": lambda x: functional.batch_norm(x, torch.zeros(8), torch.ones(8)),
    "channel_shuffle": lambda x: functional.channel_shuffle(x, 2),
    "cross_entropy": lambda x: functional.cross_entropy(x.flatten(1).T, torch.arange(x[0].numel()) % 4, reduction="none"),
    "dropout": lambda x: torch.native_dropout(x, 0.5, True)[0],
    "fft": lambda x: torch.fft.fft(x, dim=1).real,
    "fft_of_all": lambda x: torch.fft.fftn(x).real,
    "fft_and_back": lambda x: torch.fft.irfft(torch.fft.rfft(x, dim=1), n=8, dim=1),
    "fft_of_two_and_back": lambda x: torch.fft.irfft2(torch.fft.rfft2(x, dim=(2, 1)), dim=(2, 1)),
    "fft_of_real_of_two": lambda x: torch.fft.rfft2(x, dim=(0, 1)).real,
    "fft_hermitian": lambda x: torch.fft.hfft(x, dim=0),
    "glu": lambda x: functional.glu(x, 1),
    "hardswish": functional.hardswish,
    "huber_loss": lambda x: functional.huber_loss(x, x.detach() * 2, reduction="none"),
    "layer_norm": lambda x: functional.layer_norm(x, x.shape[1:], torch.ones(x.shape[1:])),
    "logit": lambda x: torch.logit(x.sigmoid()),
    "logsigmoid": functional.logsigmoid,
    "mse_loss": lambda x: functional.mse_loss(x, x.detach() * 2, reduction="none"),
    "pad": lambda x: functional.pad(x, (1, 1)),
    "roll": lambda x: x.roll((1, 2), (0, 1)),
    "roll_flat": lambda x: x.roll(3),
    "relu6": functional.relu6,
    "softplus": functional.softplus,
    "smooth_l1_loss": lambda x: functional.smooth_l1_loss(x, x.detach() * 2, reduction="none"),
}


def strides(function, x):
    """Of the result, and of the gradient of the input for gradients of the result that lie as it does, or turned."""
    x = x.detach().requires_grad_()
    y = function(x)
    turned = torch.ones_like(y.transpose(0, -1), memory_format=torch.contiguous_format).transpose(0, -1)
    givens = (torch.ones_like(y), turned)
    return y.stride(), *(torch.autograd.grad(y, x, given, retain_graph=True)[0].stride() for given in givens)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("kind", INPUTS)
def test_stand_ins_lie_as_what_kernels_make(name, kind):
    function, x = FUNCTIONS[name], INPUTS[kind]
    with enable_python_dispatcher(), as_in_eager_mode(), FakeTensorMode(allow_non_fake_inputs=True) as mode:
        found = strides(function, mode.from_tensor(x))
    assert found == strides(function, x)


def test_one_image_made_of_tokens_is_no_tensor_with_channels_last():
    tokens, weight = torch.randn(1, 16, 8), torch.randn(8, 8, 3, 3)

    def convolved(tokens, weight):
        return functional.conv2d(tokens.transpose(1, 2).view(1, 8, 4, 4), weight, padding=1)

    with enable_python_dispatcher(), as_in_eager_mode(), FakeTensorMode(allow_non_fake_inputs=True) as mode:
        found = convolved(mode.from_tensor(tokens), mode.from_tensor(weight))
    assert found.stride() == convolved(tokens, weight).stride()


NORMS = {
    "layer": lambda x, w: functional.layer_norm(x, (8,), w, w),
    "group": lambda x, w: functional.group_norm(x, 2, w, w),
    "batch": lambda x, w: functional.batch_norm(x, w * 0, w + 0, w, w, training=True),
    "batch_without_weights": lambda x, w: functional.batch_norm(x, w * 0, w + 0, training=True),
}


@pytest.mark.parametrize("name", NORMS)
@pytest.mark.parametrize("weights", [torch.float32, torch.bfloat16])
def test_statistics_of_norms_have_the_type_that_kernels_keep(name, weights):
    def types(x, w):
        y = NORMS[name](x.requires_grad_(), w)
        saved = [getattr(y.grad_fn, found, None) for found in ("_saved_result1", "_saved_result2")]
        return [None if each is None else each.dtype for each in (y, *saved)]

    x, w = torch.randn(4, 8, 6, 8).to(torch.bfloat16), torch.ones(8, dtype=weights)
    with enable_python_dispatcher(), as_in_eager_mode(), FakeTensorMode(allow_non_fake_inputs=True) as mode:
        found = types(mode.from_tensor(x), mode.from_tensor(w))
    assert found == types(x, w) and found[1] is not None


@pytest.mark.parametrize("function", [lambda x: x / 2, lambda x: 2 * x, lambda x: x + 1, lambda x: x - 1])
def test_one_image_lies_as_a_kernel_makes_it_of_a_number(function):
    x = torch.empty_strided((1, 8, 6, 10), (8, 1, 80, 8)).normal_()  # as attention over its places leaves it
    with enable_python_dispatcher(), as_in_eager_mode(), FakeTensorMode(allow_non_fake_inputs=True) as mode:
        found = function(mode.from_tensor(x))
    assert (found.stride(), found.dtype) == (function(x).stride(), x.dtype)
