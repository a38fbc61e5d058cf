# SPDX-License-Identifier: Apache-2.0
"""Trains a small GPT-2 on a text, byte by byte, plainly and with a plan, and prints losses, peaks and times.

python train_gpt2.py [--budget 60%] [--steps 20] [--layers 6] [--width 192] [--batch 8] [--length 128] [--text FILE]

Needs torch, transformers and remat_studio. Where there is a GPU, it ends with a limit on the GPU's memory that plain
training does not fit under and the plan does.
"""

import argparse
import pathlib
import time

import remat_studio
import torch
import transformers
from torch.nn.functional import cross_entropy
from torch.profiler import ProfilerActivity, profile

MIB = 2**20


def main():
    options = parser().parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    text = torch.tensor(list(options.text.read_bytes()), device=device)
    print(f"GPT-2 of {options.layers} layers, {options.width} wide, {options.batch} x {options.length} bytes, {device}")
    plain = train(options, text, None)
    show("plain", plain)
    planned = train(options, text, options.budget)
    show(options.budget, planned)
    predicted = remat_studio.records()[-1]["predicted"]
    print(
        f"predicted: {predicted['peak_bytes'] / MIB:.1f} of {predicted['keep_all_peak_bytes'] / MIB:.1f} MiB at "
        f"{100 * (predicted['time_us'] / predicted['keep_all_time_us'] - 1):.1f} % more time"
    )
    print("the losses are equal" if plain["losses"] == planned["losses"] else "THE LOSSES DIFFER")
    if device == "cuda":
        under_a_limit(options, text, (plain["in_all"] + planned["in_all"]) // 2)


def parser():
    """The command line."""
    made = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    made.add_argument("--budget", default="60%", help="of activations and gradients: 60%% or 2GiB")
    for name, usual in (("steps", 20), ("layers", 6), ("width", 192), ("batch", 8), ("length", 128)):
        made.add_argument(f"--{name}", type=int, default=usual)
    made.add_argument("--text", type=pathlib.Path, default=pathlib.Path(__file__).with_name("memory.txt"))
    return made


def train(options, text, budget):
    """Losses of all steps, seconds of a step, and the bytes that one more step holds beyond what is there before."""
    torch.manual_seed(0)
    torch.compiler.reset()
    config = transformers.GPT2Config(
        n_layer=options.layers,
        n_embd=options.width,
        n_head=4,
        vocab_size=256,
        n_positions=options.length,
        bos_token_id=0,
        eos_token_id=0,
        attn_pdrop=0.0,  # eager's dropout on the CPU draws other numbers than native_dropout, which a plan runs
        embd_pdrop=0.0,
        resid_pdrop=0.0,
    )
    model = transformers.GPT2LMHeadModel(config).train().to(text.device)
    optimizer = torch.optim.AdamW(model.parameters(), 1e-3)

    def step(ids):  # model and loss together, so that there is one graph
        logits = model(input_ids=ids, use_cache=False).logits
        return cross_entropy(logits[:, :-1].flatten(0, 1), ids[:, 1:].flatten())

    if budget:
        step = torch.compile(step, backend="remat", options={"budget": budget})

    def whole(ids):
        loss = step(ids)
        loss.backward()
        return loss.item()

    losses, seconds = [], []
    for ids in windows(options, text):
        begin = time.perf_counter()
        losses.append(whole(ids))
        optimizer.step()
        optimizer.zero_grad()
        seconds.append(time.perf_counter() - begin)
    peak, in_all = peak_of(lambda: whole(ids), text.device.type)
    seconds = sorted(seconds[1:] or seconds)  # the first one plans
    return {"losses": losses, "seconds": seconds[len(seconds) // 2], "peak": peak, "in_all": in_all}


def windows(options, text):
    """One batch for each step, the same ones for all that train."""
    generator = torch.Generator().manual_seed(1)
    for _ in range(options.steps):
        starts = torch.randint(len(text) - options.length, (options.batch,), generator=generator)
        yield torch.stack([text[start : start + options.length] for start in starts])


def peak_of(run, device):
    """The most bytes that were held beyond what was there before, and in all (0 on the CPU, where nobody counts)."""
    if device == "cuda":
        before = torch.cuda.memory_allocated()
        torch.cuda.reset_peak_memory_stats()
        run()
        return torch.cuda.max_memory_allocated() - before, torch.cuda.max_memory_allocated()
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True, acc_events=True) as profiler:
        run()
    events = [event for event in profiler.profiler.kineto_results.events() if event.name() == "[memory]"]
    held = peak = 0
    for event in sorted(events, key=lambda event: event.start_ns()):
        held += event.nbytes()
        peak = max(peak, held)
    return peak, 0


def show(name, result):
    """One line."""
    losses = result["losses"]
    print(
        f"{name:>6}: loss {losses[0]:.4f} -> {losses[-1]:.4f}, peak {result['peak'] / MIB:.1f} MiB beside parameters "
        f"and states, {1000 * result['seconds']:.0f} ms a step"
    )


def under_a_limit(options, text, limit):
    """Train both ways where the process may not have more than ``limit`` bytes of the GPU."""
    torch.cuda.empty_cache()
    torch.cuda.set_per_process_memory_fraction(limit / torch.cuda.get_device_properties(0).total_memory)
    for name, budget in (("plain", None), (options.budget, options.budget)):
        try:
            show(name, train(options, text, budget))
        except torch.OutOfMemoryError:
            print(f"{name:>6}: does not fit into {limit / MIB:.0f} MiB")
        torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
