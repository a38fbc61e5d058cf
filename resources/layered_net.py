# SPDX-License-Identifier: Apache-2.0
"""Small training graphs out of layers, for lessons and puzzles: round numbers (100 MiB, 1 ms), so that sums can be done
in the head.

A layer reads what layers before it made. Its backward op reads what the layer saved and the gradients that come back,
and takes twice as long. The results are the gradients of the input `x`.
"""

UNIT = 100 * 1024 * 1024


class Net:
    """Forward layers in order; the backward pass follows from what each of them saves."""

    made, gradient, another = "a_{}", "g_{}", "g_{}_{}"  # names: of what a layer made, of gradients, of further ones
    layer_kind, backward_kind = "layer", "backward"
    of_input = None  # name of a gradient of x by its reader, where it is not as the others
    input_units = 1  # size of a gradient of x
    modules = False  # whether each layer is a module, as blocks of the drawn graph

    def __init__(self, name=""):
        self.name = name
        self.layers = []

    def layer(self, name, *reads, units=1, ms=1, saves=None, mask=0):
        """`saves`: what the backward op reads, by default what the layer reads; `mask`: units of a dropout mask."""
        saves = reads if saves is None else saves
        self.layers.append({"name": name, "reads": reads, "units": units, "ms": ms, "saves": saves, "mask": mask})
        return name

    def graph(self, name=None):
        """As `remat-graph/1`."""
        units = {layer["name"]: layer["units"] for layer in self.layers} | {"x": self.input_units}
        forward = [self._forward(layer) for layer in self.layers]
        last = self.layers[-1]["name"]
        arrived = {last: [self.gradient.format(last)]}  # what reaches what a layer made, one for each reader
        makes = [(self.gradient.format(last), units[last])]
        loss = self._op("loss", "loss", 1, [self._act(last)], makes, "loss", "loss")
        backward = [self._backward(layer, units, arrived) for layer in reversed(self.layers)]
        return {
            "format": "remat-graph/1",
            "name": name or self.name,
            "inputs": [{"name": "x", "bytes": UNIT, "kind": "input"}],
            "ops": [*forward, loss, *backward],
            "outputs": arrived["x"],
        }

    def _act(self, layer):
        return "x" if layer == "x" else self.made.format(layer)

    def _op(self, name, kind, ms, reads, makes, phase, module):
        storages = [{"name": label, "bytes": round(size * UNIT)} for label, size in makes]
        op = {"name": name, "kind": kind, "time_us": ms * 1000, "inputs": reads, "outputs": storages}
        return op | ({"module": module} if self.modules else {}) | {"phase": phase}

    def _forward(self, layer):
        name, mask = layer["name"], layer["mask"]
        makes = [(self._act(name), layer["units"])] + ([(f"mask_{name}", mask)] if mask else [])
        reads = [self._act(read) for read in layer["reads"]]
        op = self._op(name, "dropout" if mask else self.layer_kind, layer["ms"], reads, makes, "forward", name)
        return op | ({"random": True} if mask else {})

    def _backward(self, layer, units, arrived):
        name, makes = layer["name"], []
        for read in layer["reads"]:
            label = self.another.format(read, name) if read in arrived else self.gradient.format(read)
            if read == "x" and self.of_input:
                label = self.of_input.format(name)
            makes.append((label, units[read]))
            arrived.setdefault(read, []).append(label)
        saved = [f"mask_{name}"] if layer["mask"] else [self._act(each) for each in layer["saves"]]
        reads = saved + arrived[name]
        op = self._op(f"back_{name}", self.backward_kind, 2 * layer["ms"], reads, makes, "backward", name)
        return op | {"forward_op": name}
