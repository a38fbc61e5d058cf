"""Writes the small graphs of the lessons: round numbers (100 MiB, 1 ms), so that sums can be done in the head.

A layer reads what the layer before made. Its backward op reads the same, and the gradient that comes back, and takes
twice as long.
"""

import json
from pathlib import Path

UNIT = 100 * 1024 * 1024
HERE = Path(__file__).parent / "graphs"


class Net:
    """Forward layers in order; the backward pass follows from what each of them reads."""

    def __init__(self, name: str):
        self.name = name
        self.layers = []

    def layer(self, name: str, *reads: str, units: float = 1, ms: float = 1, random: bool = False):
        self.layers.append({"name": name, "reads": reads, "units": units, "ms": ms, "random": random})
        return name

    def graph(self) -> dict:
        ops = []
        units = {layer["name"]: layer["units"] for layer in self.layers}

        def act(name):
            return "x" if name == "x" else f"act_{name}"

        def storage(name, size):
            return {"name": name, "bytes": round(size * UNIT)}

        for layer in self.layers:
            ops.append(
                {
                    "name": layer["name"],
                    "kind": "layer",
                    "time_us": layer["ms"] * 1000,
                    "inputs": [act(r) for r in layer["reads"]],
                    "outputs": [storage(act(layer["name"]), layer["units"])],
                    "module": layer["name"],
                    "phase": "forward",
                }
                | ({"random": True} if layer["random"] else {})
            )
        last = self.layers[-1]["name"]
        ops.append(
            {
                "name": "loss",
                "kind": "loss",
                "time_us": 1000,
                "inputs": [act(last)],
                "outputs": [storage(f"grad_{last}", units[last])],
                "module": "loss",
                "phase": "loss",
            }
        )
        arrived = {last: [f"grad_{last}"]}  # gradients that reach what a layer made, one for each reader
        ends = []
        for layer in reversed(self.layers):
            name = layer["name"]
            makes = []
            for read in layer["reads"]:
                grad = f"grad_{read}"
                if read == "x":
                    grad = f"grad_x_{name}"
                    ends.append(grad)
                elif read in arrived:
                    grad = f"grad_{read}_from_{name}"
                if read != "x":
                    arrived.setdefault(read, []).append(grad)
                makes.append(storage(grad, 0.01 if read == "x" else units[read]))
            ops.append(
                {
                    "name": f"back_{name}",
                    "kind": "layer_backward",
                    "time_us": 2 * layer["ms"] * 1000,
                    "inputs": [act(r) for r in layer["reads"]] + arrived[name],
                    "outputs": makes,
                    "module": name,
                    "phase": "backward",
                    "forward_op": name,
                }
            )
        return {
            "format": "remat-graph/1",
            "name": self.name,
            "inputs": [{"name": "x", "bytes": UNIT, "kind": "input"}],
            "ops": ops,
            "outputs": ends,
        }


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
    HERE.mkdir(exist_ok=True)
    for net in NETS:
        graph = net.graph()
        head = {key: value for key, value in graph.items() if key != "ops"}
        lines = [json.dumps(op) for op in graph["ops"]]
        text = json.dumps(head)[:-1] + ', "ops": [\n' + ",\n".join(lines) + "\n]}\n"
        (HERE / f"{net.name}.json").write_text(text)


if __name__ == "__main__":
    main()
