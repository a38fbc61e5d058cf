# SPDX-License-Identifier: Apache-2.0
"""The rules by which calls run in pieces, each held against real values: the call whole, and the call piece by piece."""

import collections
import json
import os
import subprocess

import pytest
import remat_studio
import support
import torch
import zoo

REMAT = os.path.join(os.environ["REMAT_BIN"], "remat")
CHUNKS = 2
# Repeats of what an output is large; a piece has to say its own.
SIZES = {"view": 1, "_unsafe_view": 1, "expand": 1, "slice_backward": 1, "select_backward": 1}
BIAS_SIZES = 3  # an argument of convolution_backward
TAKES_GAPS = {"mm", "addmm", "bmm", "t", "transpose", "permute"}
RANDOM = {"native_dropout"}
MODELS = ("gpt2", "llama", "t5", "vit", "resnet18", "unet", "torch_transformer")


def piece(tensor, dim, chunks, chunk):
    """The chunk-th of so many blocks that follow each other in memory behind ``dim``."""
    size = tensor.shape[dim]
    if size == 1:
        return piece(tensor, dim + 1, chunks, chunk)
    if size >= chunks:
        step = -(-size // chunks)
        return tensor.narrow(dim, chunk * step, min(step, size - chunk * step))
    rest = chunks // size
    return piece(tensor.narrow(dim, chunk // rest, 1), dim + 1, rest, chunk % rest)


def run_in_pieces(call, args, kwargs, mode, whole, rules):
    """The outputs of the call for each piece."""
    name = call._schema.name.removeprefix("aten::")
    results = []
    for chunk in range(rules["chunks"]):
        ways = iter(mode["ins"])

        def cut(value, chunk=chunk, ways=ways):
            if not isinstance(value, torch.Tensor):
                return value
            dim = next(ways)
            if dim == rules["whole"]:
                return value
            part = piece(value, dim, rules["chunks"], chunk)
            return part if name in TAKES_GAPS else part.contiguous()

        own = [[cut(item) for item in arg] if isinstance(arg, (list, tuple)) else cut(arg) for arg in args]
        named = {key: cut(value) for key, value in kwargs.items()}
        sizes = [
            list(piece(out, dim, rules["chunks"], chunk).shape if dim >= 0 else out.shape) if out is not None else None
            for out, dim in zip(whole, mode["outs"], strict=True)
        ]
        if name in SIZES:
            own[SIZES[name]] = sizes[0]
        if name == "convolution_backward" and sizes[2]:
            own[BIAS_SIZES] = sizes[2]
        first = chunk == 0 or name != "addmm" or mode["outs"] != [rules["sum"]]
        # What is added to a product is in the first piece.
        results.append(outputs_of(call(*own, **named) if first else call(*own, beta=0)))
    return results


def outputs_of(result):
    return list(result) if isinstance(result, (list, tuple)) else [result]


def contradiction(whole, pieces, mode, rules):
    """What the pieces give that the whole does not, as a word; none where they agree."""
    for output, (expected, way) in enumerate(zip(whole, mode["outs"], strict=True)):
        if expected is None or not isinstance(expected, torch.Tensor):
            continue
        if way == rules["sum"]:
            got = sum(result[output] for result in pieces)
            if not close(got, expected):
                return f"output {output} is no sum"
        elif way == rules["whole"]:
            if not all(close(result[output], expected) for result in pieces):
                return f"output {output} is not the same in each piece"
        else:
            for chunk, result in enumerate(pieces):
                part = piece(expected, way, rules["chunks"], chunk)
                if result[output].shape != part.shape or not close(result[output], part):
                    return f"piece {chunk} of output {output} differs"
    return None


def close(got, expected):
    if not expected.is_floating_point():
        return torch.equal(got, expected)
    largest = expected.abs().max().item() if expected.numel() else 0
    return torch.allclose(got, expected, rtol=1e-4, atol=1e-5 * max(largest, 1e-6), equal_nan=True)


def rules_of(path):
    printed = subprocess.run(
        [REMAT, "chunk", path, "--rules", str(CHUNKS)], check=True, capture_output=True, text=True
    ).stdout
    return json.loads(printed)


class Prober(torch.fx.Interpreter):
    """Runs a graph, and each call of it in pieces as well."""

    def __init__(self, module, rules):
        super().__init__(module)
        self.rules = rules
        self.modes = {call["node"]: call["modes"] for call in rules["calls"]}
        self.seen, self.agreed, self.wrong = set(), collections.Counter(), []

    def run_node(self, node):
        result = super().run_node(node)
        if node.op == "call_function" and isinstance(node.target, torch._ops.OpOverload):
            args, kwargs = self.fetch_args_kwargs_from_env(node)
            self.probe(node.name, node.target, args, kwargs)
        return result

    def probe(self, name, call, args, kwargs):
        kind = call._schema.name.removeprefix("aten::")
        if kind in RANDOM:
            return
        args = list(args)
        if kind.startswith("nll_loss") and kind.endswith("_forward"):
            args[3] = 2  # the rules are of the sum: the mean is a sum that is divided
        for mode in self.modes.get(name, []):
            tensors = [arg for arg in args if isinstance(arg, torch.Tensor)]
            key = (kind, str(mode), str([t.shape for t in tensors]), str([a for a in args if isinstance(a, int)]))
            if key in self.seen:
                continue
            self.seen.add(key)
            whole = outputs_of(call(*args, **kwargs))
            pieces = run_in_pieces(call, args, kwargs, mode, whole, self.rules)
            if problem := contradiction(whole, pieces, mode, self.rules):
                self.wrong.append(f"{kind} {mode}: {problem}")
            else:
                self.agreed[kind] += 1


def probed(traced):
    """A prober that has run the model's trace."""
    program = traced.program
    prober = Prober(program.graph_module, rules_of(str(traced.path)))
    inputs = support.archive_inputs(program, traced.args)
    torch.manual_seed(0)
    with torch.no_grad():
        prober.run(*inputs)
    return prober


@pytest.mark.rotates(days=3)
@pytest.mark.parametrize("name", MODELS)
def test_pieces_give_what_the_whole_gives(traced_zoo, name):
    prober = probed(traced_zoo(name))
    assert not prober.wrong
    assert sum(prober.agreed.values()) > 50
    assert len(prober.agreed) > 8


def test_a_wrong_rule_is_found():
    rules = {"chunks": 2, "whole": -1, "sum": -2, "calls": []}
    scores = torch.randn(4, 6)
    softmax = torch.ops.aten._log_softmax.default
    whole = [softmax(scores, 1, False)]
    right, wrong = {"ins": [0], "outs": [0]}, {"ins": [1], "outs": [1]}
    assert contradiction(whole, run_in_pieces(softmax, [scores, 1, False], {}, right, whole, rules), right, rules) is None
    assert contradiction(whole, run_in_pieces(softmax, [scores, 1, False], {}, wrong, whole, rules), wrong, rules)
    mean = torch.ops.aten.mean.dim
    whole = [mean(scores, [0])]
    sums = {"ins": [0], "outs": [-2]}
    assert contradiction(whole, run_in_pieces(mean, [scores, [0]], {}, sums, whole, rules), sums, rules)


@pytest.mark.rotates(days=3)
@pytest.mark.parametrize(("name", "chunks"), [("gpt2", 4), ("llama", 2), ("t5", 4)])
def test_a_step_in_chunks_is_the_step_but_for_the_order_of_sums(traced_zoo, tmp_path, name, chunks):
    traced = traced_zoo(name)
    path = tmp_path / "chunked.pt2"
    subprocess.run([REMAT, "chunk", traced.path, "--by", f"head={chunks}", "-o", path], check=True)
    whole = support.run_archive(traced.program, traced.args)
    pieces = support.run_archive(support.loaded(path), traced.args)
    assert pieces.gradients.keys() == whole.gradients.keys()
    pairs = {name: (pieces.gradients[name], gradient) for name, gradient in whole.gradients.items()}
    pairs["loss"] = pieces.loss, whole.loss
    for tensor, (got, expected) in pairs.items():
        allowed = 8 * chunks * torch.finfo(expected.dtype).eps * expected.abs().max()
        assert (got - expected).abs().max() <= allowed, tensor


def test_vit_runs_in_sixteen_micro_batches(tmp_path):
    model, _ = zoo.vit()
    args = {"pixel_values": torch.randn(16, 3, 32, 32), "labels": torch.arange(16) % 2}
    trace, plan = tmp_path / "vit.pt2", tmp_path / "plan.json"
    remat_studio.trace(model, args, path=trace, compare="never")
    chunk = ["--chunk", "batch=16", "--budget", "60%", "--time-limit", "2"]
    subprocess.run([REMAT, "plan", trace, *chunk, "-o", plan], check=True)
    assert json.loads(plan.read_text())["chunks"][0]["k"] == 16
    done = subprocess.run([REMAT, "validate", trace, plan, "--json"], check=True, capture_output=True)
    run = json.loads(done.stdout)
    assert run["loss_equal"] and run["gradients_equal"] == run["gradients"] and run["chunks"]["near"]
