"""Makes the traces that benchmarks need beyond the samples: ``python make_traces.py``."""

import pathlib
import sys

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "resources" / "samples"))

from make_samples import gpt2, remat_studio  # noqa: E402


def mean_of_squares(output):
    """A loss without labels, whose gradient is as large as the logits."""
    return output.logits.square().mean()


def save(name, title, model, args, loss_fn=None):
    """Trace one model without its weights."""
    path = HERE / f"{name}.pt2"
    remat_studio.trace(model.train(), args, loss_fn, path, weights=False, name=title, source_root=HERE)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    torch.manual_seed(0)
    small, small_args = gpt2(tied=False)
    save("gpt2_squared", "GPT-2 small, squared logits", small, {"input_ids": small_args["input_ids"]}, mean_of_squares)
    save("gpt2_24", "GPT-2 with 24 layers", *gpt2(layers=24))
