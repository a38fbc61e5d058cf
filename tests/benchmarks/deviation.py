#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How far the predicted peak of a trace lies from the peak of eager PyTorch, for 62 models; prints a table.

Predicted is what `remat info` says of today: keep-all, or what checkpoints of the model and autograd make of it.

Eager mode runs on stand-in tensors under a dispatch mode that counts storages: those that hold parameters, buffers and
arguments aside, each rounded up to 512 bytes as CUDA's allocator does, until the last reference is gone.

    .venv/bin/python tests/benchmarks/deviation.py [--only gpt2,llama] [--before OLDER/resources/python]
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import weakref

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_PACKAGE = _ROOT / "resources" / "python"
_BLOCK = 512


def main():
    options = _options()
    if options.traces:
        return _trace(options.only, options.traces)
    _import_from(_PACKAGE)
    from deviation_models import MODELS

    names = options.only or MODELS
    packages = [options.before, _PACKAGE] if options.before else [_PACKAGE]
    predicted = [_predicted(names, package, options.bin) for package in packages]
    headings = ["before", "now"][-len(packages) :]
    print("| model | eager, MiB |" + "".join(f" {heading} |" for heading in headings))
    print("|---|---|" + "---|" * len(packages))
    worst = 0.0
    for name in names:
        eager = _eager_peak(name)
        cells = [f"{100 * (peaks[name] / eager - 1):+.1f} %" if name in peaks else "refused" for peaks in predicted]
        print(f"| {name.replace('_', ' ')} | {eager / 2**20:.2f} | " + " | ".join(cells) + " |", flush=True)
        worst = max(worst, abs(predicted[-1].get(name, 0) / eager - 1))
    return 0 if options.most is None or 100 * worst <= options.most else 1


def _options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", type=lambda text: text.split(","), help="names of models, from deviation_models.py")
    parser.add_argument("--before", metavar="FOLDER", help="an older resources/python, for a column of its own")
    parser.add_argument("--bin", default=_ROOT / "build" / "bin", help="where remat is")
    parser.add_argument("--most", type=float, help="exit with 1 where a deviation is larger, in percent")
    parser.add_argument("--traces", help=argparse.SUPPRESS)
    return parser.parse_args()


def _import_from(package):
    sys.path[:0] = [str(package), str(_ROOT / "resources" / "samples"), str(pathlib.Path(__file__).parent)]


def _made(name):
    import deviation_models
    import torch

    torch.manual_seed(0)
    model, args, *loss = getattr(deviation_models, name)()
    return model, args, loss[0] if loss else None


def _predicted(names, package, programs):
    """Keep-all peaks of traces made with a package, in bytes by name; without those that are refused."""
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        command = [sys.executable, __file__, "--only", ",".join(names), "--traces", folder]
        subprocess.run(command, check=True, env=os.environ | {"PYTHONPATH": str(package)})
        peaks = {}
        for path in pathlib.Path(folder).glob("*.pt2"):
            said = subprocess.run(
                [f"{programs}/remat", "info", path, "--json"], capture_output=True, text=True, check=True
            )
            figures = json.loads(said.stdout)
            peaks[path.stem] = (figures.get("today") or figures["keep_all"])["peak_bytes"]
        return peaks


def _trace(names, folder):
    """Write the trace of each model to a folder, with the package that PYTHONPATH names."""
    import remat_studio

    _import_from(pathlib.Path(remat_studio.__file__).parents[1])
    for name in names:
        try:
            remat_studio.trace(*_made(name), f"{folder}/{name}.pt2", weights=False, target="cuda")
        except remat_studio.TraceError as error:
            print(f"{name}: {error}", file=sys.stderr)
    return 0


def _eager_peak(name):
    """What an eager step holds at most beside parameters, buffers and arguments, in bytes."""
    import torch
    from remat_studio import attention
    from remat_studio.joint import Call
    from remat_studio.kernels import as_in_eager_mode
    from remat_studio.losses import Loss
    from remat_studio.values import KnownValues
    from torch._dispatch.python import enable_python_dispatcher

    model, args, loss_fn = _made(name)
    call = Call(model, args)
    stand_ins = KnownValues({}).mode
    state = {key: stand_ins.from_tensor(t) for key, t in [*model.named_parameters(), *model.named_buffers()]}
    args, kwargs = call.arguments([stand_ins.from_tensor(tensor) for tensor in call.tensors])
    torch._subclasses.FakeTensor = type(None)  # libraries ask whether a tensor is a stand-in, and go another way then
    held = _counting_mode()([*state.values(), *torch.utils._pytree.tree_leaves((args, kwargs))])
    with enable_python_dispatcher(), as_in_eager_mode(), attention.as_on("cuda"), stand_ins, held:
        Loss(loss_fn)(torch.func.functional_call(model, state, args, kwargs)).backward()
    return held.peak_bytes


def _counting_mode():
    import torch
    from torch.utils._python_dispatch import TorchDispatchMode

    class Held(TorchDispatchMode):
        """Counts the bytes of storages from the operator that makes them until nothing refers to them."""

        def __init__(self, resident):
            super().__init__()
            self.held_bytes = self.peak_bytes = 0
            self._seen = {id(s): s for s in (t.untyped_storage() for t in resident if isinstance(t, torch.Tensor))}

        def __torch_dispatch__(self, func, _types, args=(), kwargs=None):
            out = func(*args, **(kwargs or {}))
            for tensor in torch.utils._pytree.tree_leaves(out):
                if isinstance(tensor, torch.Tensor):
                    self._add(tensor.untyped_storage())
            self.peak_bytes = max(self.peak_bytes, self.held_bytes)
            return out

        def _add(self, storage):
            if id(storage) not in self._seen:
                size = -(-storage.nbytes() // _BLOCK) * _BLOCK
                self._seen[id(storage)] = None
                self.held_bytes += size
                weakref.finalize(storage, self._drop, id(storage), size)

        def _drop(self, key, size):
            del self._seen[key]
            self.held_bytes -= size

    return Held


if __name__ == "__main__":
    sys.exit(main())
