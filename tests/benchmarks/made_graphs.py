# SPDX-License-Identifier: Apache-2.0
"""Large graphs in the format remat-graph/1, for measurements: chains, transformer-like layers, U-nets, random layers."""

import random


class _Step:
    """A forward pass that is written down op by op; its backward pass is added at the end, as autograd would."""

    def __init__(self, name):
        self.name = name
        self.layers = []  # (inputs, bytes, µs)

    def add(self, inputs, size, time_us):
        self.layers.append((inputs, size, time_us))
        return len(self.layers) - 1

    def graph(self):
        ops = []
        for number, (inputs, size, time_us) in enumerate(self.layers):
            ops.append({"name": f"f{number}", "kind": "layer", "time_us": time_us, "phase": "forward",
                        "inputs": [f"a{each}" for each in inputs] or ["x"],
                        "outputs": [{"name": f"a{number}", "bytes": size}]})
        incoming = [[] for _ in self.layers]  # gradients that readers have made, per layer
        for number in range(len(self.layers) - 1, -1, -1):
            inputs, size, time_us = self.layers[number]
            outputs = [{"name": f"g{number}_{each}", "bytes": self.layers[each][1]} for each in inputs]
            for each, made in zip(inputs, outputs):
                incoming[each].append(made["name"])
            ops.append({"name": f"b{number}", "kind": "layer_backward", "time_us": 2 * time_us, "phase": "backward",
                        "forward_op": f"f{number}", "outputs": outputs or [{"name": "gx", "bytes": size}],
                        "inputs": incoming[number] + [f"a{number}"] + [f"a{each}" for each in inputs]})
        return {"format": "remat-graph/1", "name": self.name, "outputs": ["gx"],
                "inputs": [{"name": "x", "bytes": 4096, "kind": "input"}], "ops": ops}


def chain(ops):
    """Stages of uneven size, one after the other."""
    step, draw, last = _Step(f"chain-{ops}"), random.Random(1), []
    for _ in range(ops // 2):
        last = [step.add(last, draw.randint(100, 1900) << 10, draw.randint(5, 20))]
    return step.graph()


def layers(ops):
    """Residual blocks with attention-like branches: twelve ops forward, as many backward."""
    step = _Step(f"layers-{ops}")
    x = step.add([], 1 << 20, 5)
    while len(step.layers) < ops // 2:
        normed = step.add([x], 1 << 20, 6)
        query, key, value = (step.add([normed], 1 << 20, 30) for _ in range(3))
        scores = step.add([query, key], 4 << 20, 25)
        weights = step.add([scores], 4 << 20, 8)
        mixed = step.add([weights, value], 1 << 20, 25)
        x = step.add([x, step.add([mixed], 1 << 20, 30)], 1 << 20, 5)
        wide = step.add([step.add([x], 1 << 20, 6)], 4 << 20, 90)
        x = step.add([x, step.add([wide], 1 << 20, 90)], 1 << 20, 5)
    return step.graph()


def u(ops):
    """Eight levels down and up again, joined across."""
    step, levels = _Step(f"u-{ops}"), 8
    blocks = max(1, ops // 2 // (2 * levels + 1))

    def convolutions(x, level):
        for _ in range(blocks):
            x = step.add([x], 1 << (22 - level), 40)
        return x

    x, skips = step.add([], 1 << 22, 5), []
    for level in range(levels):
        skips.append(convolutions(x, level))
        x = step.add([skips[-1]], 1 << (21 - level), 5)
    x = convolutions(x, levels)
    for level in range(levels - 1, -1, -1):
        x = convolutions(step.add([skips[level], x], 1 << (22 - level), 5), level)
    return step.graph()


def random_layers(ops):
    """Each op reads a few of the hundred before it, now and then one from far back."""
    step, draw = _Step(f"random-{ops}"), random.Random(7)
    step.add([], 1 << 20, 5)
    for number in range(1, ops // 2):
        near = {draw.randint(max(0, number - 100), number - 1) for _ in range(draw.randint(1, 3))} | {number - 1}
        if draw.random() < 0.1:
            near.add(draw.randint(0, number - 1))
        step.add(sorted(near), draw.randint(10, 1000) * draw.randint(10, 1000), draw.randint(5, 50))
    return step.graph()


def wide(ops):
    """One op that reads what all others made."""
    made = [{"name": f"f{number}", "kind": "layer", "time_us": 10, "inputs": ["x"],
             "outputs": [{"name": f"a{number}", "bytes": 1024}]} for number in range(ops - 1)]
    last = {"name": "sum", "kind": "sum", "time_us": 10, "inputs": [f"a{number}" for number in range(ops - 1)],
            "outputs": [{"name": "gx", "bytes": 1024}]}
    return {"format": "remat-graph/1", "name": f"wide-{ops}", "outputs": ["gx"],
            "inputs": [{"name": "x", "bytes": 4096, "kind": "input"}], "ops": made + [last]}


MAKERS = {"chain": chain, "layers": layers, "u": u, "random": random_layers, "wide": wide}
