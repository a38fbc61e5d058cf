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


NETS = [
    chain("chain5", [1] * 5),
    chain("chain10", [1] * 10),
    chain("chain16", [1] * 16),
    chain("uneven8", [1, 8, 2, 8, 1, 4, 1, 8], [1, 1, 5, 1, 4, 1, 2, 1]),
    skip("skip9"),
    diamond(),
    towers(),
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
