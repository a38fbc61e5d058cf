#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A head over many words in chunks: by this project, by torchtune's chunked loss, and whole. Peak and time, as a table.

    .venv/bin/python tests/benchmarks/chunk_peers.py [--torchtune FOLDER] [--chunks 8]

FOLDER is where torchtune's wheel was unpacked; without it that row is left out. Each way runs in a process of its own
on one thread: *peak* is what the process grew by during a step, *time* the least CPU time of three. The loss is
float32, of 2,048 tokens of width 512 over 32,000 words. Liger's fused loss and TRL, which calls it, are kernels for
GPUs and do not run here; PyTorch 2.11 has no `linear_cross_entropy`.
"""

import argparse
import gc
import importlib.util
import os
import pathlib
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOKENS, WIDTH, WORDS = 2048, 512, 32_000
WAYS = ("whole", "torchtune", "remat")
SETTLED = 1 << 20  # larger blocks go back to the system as soon as they are free


def main():
    options = parser().parse_args()
    if options.way:
        return measure(options)
    print("| way | peak, MiB | time, s | loss |\n|---|---|---|---|")
    for way in WAYS:
        if way == "torchtune" and not options.torchtune:
            continue
        environment = os.environ | {"MALLOC_MMAP_THRESHOLD_": str(SETTLED)}
        subprocess.run([sys.executable, __file__, *sys.argv[1:], "--way", way], check=True, env=environment)
    return 0


def parser():
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--torchtune", type=pathlib.Path, help="folder of its unpacked wheel")
    made.add_argument("--chunks", type=int, default=8)
    made.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    return made


def measure(options):
    import torch

    torch.set_num_threads(1)
    torch.manual_seed(0)
    network, head = torch.nn.Linear(WIDTH, WIDTH), torch.nn.Linear(WIDTH, WORDS, bias=False)
    hidden, targets = torch.randn(2, TOKENS // 2, WIDTH), torch.randint(0, WORDS, (2, TOKENS // 2))

    def whole():
        return torch.nn.functional.cross_entropy(head(network(hidden)).flatten(0, 1), targets.flatten())

    def by_torchtune():
        return loss([head(piece) for piece in network(hidden).chunk(options.chunks, dim=1)], targets)

    step = whole
    if options.way == "torchtune":
        loss, step = chunked_loss(options), by_torchtune
    if options.way == "remat":
        os.environ.setdefault("REMAT_BIN", str(ROOT / "build" / "bin"))
        sys.path[:0] = [str(ROOT / "resources" / "python")]
        import remat_studio.train  # noqa: F401

        chunked = {"budget": "100%", "chunk": f"head={options.chunks}", "cache": False}
        step = torch.compile(whole, backend="remat", options=chunked)
    step().backward()
    peaks, times = [], []
    for _ in range(3):
        network.zero_grad(set_to_none=True)
        head.zero_grad(set_to_none=True)
        gc.collect()
        with Growth() as growth:
            began = time.process_time()
            value = step()
            value.backward()
            times.append(time.process_time() - began)
        peaks.append(growth.peak)
    print(f"| {options.way} | {max(peaks) / 2**20:.0f} | {min(times):.2f} | {value.item():.6f} |", flush=True)
    return 0


def chunked_loss(options):
    """From its file alone: the package wants more than is installed."""
    path = options.torchtune / "torchtune" / "modules" / "loss" / "ce_chunked_output_loss.py"
    spec = importlib.util.spec_from_file_location("chunked", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.CEWithChunkedOutputLoss(options.chunks)


class Growth:
    """By how many bytes the process grows, at most, meanwhile."""

    def __enter__(self):
        self._begin, self.peak, self._ended = self._resident(), 0, threading.Event()
        self._watch = threading.Thread(target=self._look)
        self._watch.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._watch.join()

    def _look(self):
        while not self._ended.wait(0.001):
            self.peak = max(self.peak, self._resident() - self._begin)

    @staticmethod
    def _resident():
        pages = int(pathlib.Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    sys.exit(main())
