# SPDX-License-Identifier: Apache-2.0
"""Writes the small graphs of the lessons."""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import layered_net  # noqa: E402


class Net(layered_net.Net):
    made, gradient, another = "act_{}", "grad_{}", "grad_{}_from_{}"
    backward_kind = "layer_backward"
    of_input = "grad_x_{}"
    input_units = 0.01
    modules = True


def chain(name: str, sizes, times=None) -> Net:
    net = Net(name)
    before = "x"
    for i, size in enumerate(sizes):
        before = net.layer(f"layer{i + 1}", before, units=size, ms=times[i] if times else 1)
    return net


def skip(name: str) -> Net:
    """A U: what the second layer made is read again by the eighth."""
    net = Net(name)
    before = "x"
    for i in range(1, 8):
        before = net.layer(f"layer{i}", before)
    net.layer("layer8", "layer7", "layer2")
    net.layer("layer9", "layer8")
    return net


def diamond() -> Net:
    net = Net("diamond")
    net.layer("top", "x")
    net.layer("left1", "top")
    net.layer("left2", "left1")
    net.layer("right1", "top")
    net.layer("right2", "right1")
    net.layer("bottom", "left2", "right2")
    net.layer("head", "bottom")
    return net


def towers() -> Net:
    """Two towers over one input that meet at the end."""
    net = Net("two_towers")
    for side in ("a", "b"):
        before = "x"
        for i in range(1, 5):
            before = net.layer(f"{side}{i}", before, units=2 if i == 2 else 1, ms=3 if i == 3 else 1)
    net.layer("join", "a4", "b4")
    net.layer("head", "join")
    return net


def wide_head(name: str) -> Net:
    """A chain that ends in a layer as large as six others, as a language model does."""
    net = chain(name, [1, 1, 1, 1])
    net.layer("logits", "layer4", units=6, ms=3)
    return net


class InChunks(layered_net.Net):
    """The same sums with the last layer, its loss and its gradient in three parts, one after the other."""

    parts = 3

    def graph(self):
        graph = wide_head(self.name).graph()
        parts = range(1, self.parts + 1)
        ops = {op["name"]: op for op in graph["ops"]}
        chunks = []
        for part in parts:
            for name in ("logits", "loss", "back_logits"):
                chunks.append(self._part(ops[name], part))
        adding = {"name": "sum_parts", "kind": "add", "time_us": 100, "module": "logits", "phase": "backward"}
        adding["inputs"] = [f"grad_layer4_{part}" for part in parts]
        adding["outputs"] = ops["back_logits"]["outputs"]
        before, after = graph["ops"][:4], graph["ops"][7:]
        return graph | {"ops": [*before, *chunks, adding, *after]}

    def _part(self, op, part):
        made = {"act_logits", "grad_logits", "grad_layer4"}
        named = lambda name: f"{name}_{part}" if name in made else name  # noqa: E731
        share = 1 if op["name"] == "back_logits" else self.parts  # each part's gradient of layer4 is a whole one
        outputs = [{"name": named(each["name"]), "bytes": each["bytes"] // share} for each in op["outputs"]]
        cut = {"name": f"{op['name']}_{part}", "time_us": round(op["time_us"] / self.parts), "outputs": outputs}
        phase = {} if op["name"] == "logits" and part == 1 else {"phase": "loss"}
        forward = {"forward_op": f"logits_{part}"} if "forward_op" in op else {}
        return op | cut | phase | forward | {"inputs": [named(each) for each in op["inputs"]]}


NETS = [
    chain("chain5", [1] * 5),
    chain("chain10", [1] * 10),
    chain("chain16", [1] * 16),
    chain("uneven8", [1, 8, 2, 8, 1, 4, 1, 8], [1, 1, 5, 1, 4, 1, 2, 1]),
    skip("skip9"),
    diamond(),
    towers(),
    wide_head("head5"),
    InChunks("head5_chunks"),
]


def main():
    for net in NETS:
        graph = net.graph()
        head = {key: value for key, value in graph.items() if key != "ops"}
        lines = [json.dumps(op) for op in graph["ops"]]
        text = json.dumps(head)[:-1] + ', "ops": [\n' + ",\n".join(lines) + "\n]}\n"
        (HERE / "graphs" / f"{net.name}.json").write_text(text)


if __name__ == "__main__":
    main()
