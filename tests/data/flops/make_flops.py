"""Makes flops.json, the FLOPs that PyTorch itself counts: ``python make_flops.py > flops.json`` (PyTorch 2.11).

``cases`` are single operator calls with what the formula of torch.utils.flop_counter gives for them. ``traces`` are whole
training steps of the samples, run on fake tensors under FlopCounterMode, by operator. ``--cases`` prints the cases only,
which takes no sample.
"""

import json
import pathlib
import sys

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils.flop_counter import FlopCounterMode, flop_registry

SAMPLES = pathlib.Path(__file__).resolve().parents[3] / "resources" / "samples"
aten = torch.ops.aten


def tensor(*shape):
    return torch.empty(shape, device="meta")


def calls():
    """Operators with arguments in schema order."""
    yield aten.mm, (tensor(3, 5), tensor(5, 7)), None
    yield aten.addmm, (tensor(7), tensor(3, 5), tensor(5, 7)), None
    yield aten.bmm, (tensor(2, 3, 5), tensor(2, 5, 7)), None
    yield aten.baddbmm, (tensor(2, 3, 7), tensor(2, 3, 5), tensor(2, 5, 7)), None
    yield aten._scaled_mm, (tensor(16, 32), tensor(32, 48), tensor(1), tensor(1)), [tensor(16, 48)]
    yield from convolutions()
    q, k, v = tensor(2, 3, 11, 8), tensor(2, 3, 13, 8), tensor(2, 3, 13, 16)
    out = tensor(2, 3, 11, 16)
    for name in ("flash", "efficient", "cudnn"):
        forward = getattr(aten, f"_scaled_dot_product_{name}_attention")
        yield forward, (q, k, v), [out]
        yield getattr(aten, f"{forward.__name__}_backward"), (out, q, k, v), [q, k, v]
    yield aten._flash_attention_forward, (q, k, v, None, None, 11, 13), [out]
    yield aten._flash_attention_backward, (out, q, k, v, out, tensor(2, 3, 11), None, None, 11, 13), [q, k, v]
    packed = tensor(20, 3, 8)
    starts = tensor(4)
    yield aten._flash_attention_forward, (packed, packed, packed, starts, starts, 9, 10), [packed]
    one = tensor(1, 20, 3, 8)
    yield aten._efficient_attention_forward, (one, one, one, None, starts, starts, 9, 10), [one]
    yield aten._efficient_attention_forward, (q, k, v, None, None, None, 11, 13), [out]
    yield aten._efficient_attention_backward, (one, one, one, one, None, one, starts, starts, 9, 10), [one, one, one]


def convolutions():
    """Plain, strided, grouped and transposed, in one to three dimensions, with every useful output mask."""
    for shape, weight, stride, transposed, groups in (
        ((2, 4, 9), (6, 4, 3), [1], False, 1),
        ((2, 4, 9, 10), (6, 4, 3, 5), [2, 1], False, 1),
        ((2, 4, 9, 10), (6, 2, 3, 3), [1, 1], False, 2),
        ((2, 4, 9, 10), (4, 6, 3, 2), [2, 2], True, 1),
        ((1, 2, 5, 6, 7), (3, 2, 2, 2, 2), [1, 1, 1], False, 1),
    ):
        n = len(stride)
        bias = weight[1] if transposed else weight[0]
        where = (stride, [1] * n, [1] * n, transposed, [0] * n, groups)
        call = (tensor(*shape), tensor(*weight), tensor(bias), *where)
        yield aten.convolution, call, None
        out = aten.convolution(*call)
        for mask in ([True, True, True], [False, True, False], [True, False, False]):
            made = [x if m else None for x, m in zip((call[0], call[1], tensor(bias)), mask)]
            yield aten.convolution_backward, (out, call[0], call[1], [bias], *where, mask), made


def written(value):
    return {"tensor": list(value.shape)} if isinstance(value, torch.Tensor) else value


def cases():
    """Each call with its FLOPs."""
    for op, args, made in calls():
        made = [op(*args)] if made is None else made
        flops = flop_registry[op](*args, out_val=made[0] if len(made) == 1 else tuple(made))
        outputs = [None if m is None else list(m.shape) for m in made]
        yield {"op": f"aten::{op.__name__}", "args": [written(a) for a in args], "outputs": outputs, "flops": flops}


def traces():
    """FLOPs of one training step by operator."""
    sys.path.insert(0, str(SAMPLES))
    import make_samples

    for name, (_, _, factory, sizes, _) in make_samples.SAMPLES.items():
        with FakeTensorMode(allow_non_fake_inputs=True):
            model, args = factory(**sizes)
            model.train()
            with FlopCounterMode(display=False) as counter:
                out = model(**args)
                (out["loss"] if isinstance(out, dict) else out).backward()
        counts = counter.get_flop_counts()["Global"]
        yield name, {str(op).removeprefix("aten."): flops for op, flops in counts.items()}


if __name__ == "__main__":
    result = {"torch": torch.__version__.split("+")[0], "cases": list(cases())}
    if "--cases" not in sys.argv:
        result["traces"] = dict(traces())
    lines = ",\n  ".join(json.dumps(case) for case in result.pop("cases"))
    rest = json.dumps(result, indent=1).removesuffix("\n}")
    print(f'{rest},\n "cases": [\n  {lines}\n ]\n}}')
