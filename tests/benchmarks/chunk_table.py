#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plans with and without chunks at small budgets, as a Markdown table.

    .venv/bin/python tests/benchmarks/chunk_table.py [--bin build/bin] [--time-limit 20] [--threads 2] [MODEL ...]

Models: gpt2 and unet are the samples; the others are traced first, on the meta device: llama (Llama-3.2-1B), qwen and
gemma (as Qwen2.5-0.5B and Gemma-2-2B, four layers each), all bfloat16; t5 (T5-small), vit (ViT-B/16) and deeplab
(DeepLab v3+ of skip_networks.py). Budgets are of the keep-all peak without chunks, times of its time; in brackets what
is proven for plans of the same chunked graph. Each plan is written to a file and passed through `remat check` before
its cell is printed.
"""

import argparse
import dataclasses
import json
import pathlib
import subprocess
import sys
import tempfile

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_SAMPLES = _ROOT / "resources" / "samples"
sys.path[:0] = [str(_ROOT / "resources" / "python")]


@dataclasses.dataclass(frozen=True)
class Subject:
    """A model, the device that its times are of, and the optimizer in its step."""

    title: str
    device: str = "reference"
    optimizer: str = "adamw"


_SUBJECTS = {
    "gpt2": Subject("GPT-2 small, 8×512"),
    "llama": Subject("Llama-3.2-1B bf16, 2×2048", device="h100"),
    "qwen": Subject("Qwen-2.5-like bf16, 4 layers, 2×2048, 151,936 words", device="h100"),
    "gemma": Subject("Gemma-2-like bf16, 4 layers, 2×1024, 256,000 words", device="h100"),
    "t5": Subject("T5-small, 8×512"),
    "vit": Subject("ViT-B/16, 64 images"),
    "unet": Subject("U-Net, 8×256²", optimizer="none"),
    "deeplab": Subject("DeepLab v3+, 8×512²", optimizer="none"),
}


def main():
    options = _options()
    print(f"| model | chunks | {' | '.join(options.budgets)} |\n|---|---|{'---|' * len(options.budgets)}")
    unchecked = 0
    with tempfile.TemporaryDirectory(prefix="remat-") as folder:
        for name in options.models or ["gpt2", "llama"]:
            trace = _trace_of(name, options.traces or pathlib.Path(folder))
            for chunk in ("off", "auto"):
                cells = []
                for budget in options.budgets:
                    cell, checked = _plan(options, _SUBJECTS[name], trace, budget, chunk, pathlib.Path(folder))
                    cells.append(cell)
                    unchecked += not checked
                print(f"| {_SUBJECTS[name].title} | {chunk} | {' | '.join(cells)} |", flush=True)
    return 1 if unchecked else 0


def _options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", help=f"of {', '.join(_SUBJECTS)}; gpt2 and llama when left out")
    parser.add_argument("--budgets", nargs="+", default=["40%", "30%", "20%", "10%"])
    parser.add_argument("--time-limit", type=float, default=20, help="seconds a plan")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--sums-as-they-are", action="store_true", help="bfloat16 sums are added up in bfloat16")
    parser.add_argument("--traces", type=pathlib.Path, help="folder where traces are looked for, and kept")
    parser.add_argument("--bin", type=pathlib.Path, default=_ROOT / "build" / "bin", help="where remat is")
    return parser.parse_args()


def _trace_of(name, folder):
    sample = _SAMPLES / f"{name}.pt2"
    path = folder / f"{name}.pt2"
    if not sample.exists() and not path.exists():
        _TRACES[name](path)
    return sample if sample.exists() else path


def _trace_llama(path):
    import transformers

    config = transformers.LlamaConfig(
        vocab_size=128256,
        hidden_size=2048,
        intermediate_size=8192,
        num_hidden_layers=16,
        num_attention_heads=32,
        num_key_value_heads=8,
        head_dim=64,
        tie_word_embeddings=True,
        max_position_embeddings=131072,
        use_cache=False,
    )
    _trace_causal(transformers.LlamaForCausalLM, config, 2048, path)


def _trace_qwen(path):
    import transformers

    config = transformers.Qwen2Config(
        vocab_size=151936,
        hidden_size=896,
        intermediate_size=4864,
        num_hidden_layers=4,
        num_attention_heads=14,
        num_key_value_heads=2,
        tie_word_embeddings=True,
        use_cache=False,
    )
    _trace_causal(transformers.Qwen2ForCausalLM, config, 2048, path)


def _trace_gemma(path):
    import transformers

    config = transformers.Gemma2Config(
        vocab_size=256000,
        hidden_size=2304,
        intermediate_size=9216,
        num_hidden_layers=4,
        num_attention_heads=8,
        num_key_value_heads=4,
        head_dim=256,
        use_cache=False,
        attn_implementation="eager",
    )
    _trace_causal(transformers.Gemma2ForCausalLM, config, 1024, path)


def _trace_causal(kind, config, length, path):
    import remat_studio
    import torch

    with torch.device("meta"):
        model = kind(config).to(torch.bfloat16).train()
        ids = torch.zeros(2, length, dtype=torch.long)
    batch = {"input_ids": ids, "labels": ids}
    remat_studio.trace(model, batch, path=path, weights=False, target="cuda", compare="never")


def _trace_t5(path):
    import remat_studio
    import torch
    import transformers

    config = transformers.T5Config(
        vocab_size=32128,
        d_model=512,
        d_kv=64,
        d_ff=2048,
        num_layers=6,
        num_heads=8,
        dropout_rate=0.0,
        decoder_start_token_id=0,
        use_cache=False,
    )
    with torch.device("meta"):
        model = transformers.T5ForConditionalGeneration(config).train()
        ids = torch.zeros(8, 512, dtype=torch.long)
    batch = {"input_ids": ids, "labels": ids}
    remat_studio.trace(model, batch, path=path, weights=False, target="cuda", compare="never")


def _trace_vit(path):
    import remat_studio
    import torch
    import transformers

    with torch.device("meta"):
        model = transformers.ViTForImageClassification(transformers.ViTConfig(num_labels=1000)).train()
        batch = {"pixel_values": torch.zeros(64, 3, 224, 224), "labels": torch.zeros(64, dtype=torch.long)}
    remat_studio.trace(model, batch, path=path, weights=False, target="cuda", compare="never")


def _trace_deeplab(path):
    import remat_studio
    import skip_networks

    model, args = skip_networks.NETWORKS["deeplab"]()
    remat_studio.trace(model.train(), args, None, path, weights=False, target="cuda")


_TRACES = {
    "llama": _trace_llama,
    "qwen": _trace_qwen,
    "gemma": _trace_gemma,
    "t5": _trace_t5,
    "vit": _trace_vit,
    "deeplab": _trace_deeplab,
}


def _plan(options, subject, trace, budget, chunk, folder):
    """What the table says of one plan, and whether the checker took it."""
    file = folder / "plan.json"
    file.unlink(missing_ok=True)
    command = [options.bin / "remat", "plan", trace, "--budget", budget, "--chunk", chunk, "--device", subject.device]
    command += ["--optimizer", subject.optimizer, "--time-limit", options.time_limit, "--threads", options.threads]
    command += ["--chunk-sums-as-they-are"] if options.sums_as_they_are else []
    ended = subprocess.run([*map(str, command), "--json", "-o", file], check=False, capture_output=True, text=True)
    if ended.returncode > 1:
        sys.exit(ended.stderr)
    plan = json.loads(ended.stdout)
    if ended.returncode == 1:
        return "none found" if plan["status"] == "stopped" else "impossible", True
    checked = subprocess.run([options.bin / "remat", "check", trace, file], check=False, capture_output=True)
    figures = f"{100 * plan['overhead']:.2f} ({100 * plan['lower_bound_overhead']:.2f})"
    chunks = f", {plan['chunks']}" if "chunks" in plan else ""
    return figures + chunks + ("" if checked.returncode == 0 else " REFUSED"), checked.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
