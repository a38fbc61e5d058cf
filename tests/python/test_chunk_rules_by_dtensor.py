# SPDX-License-Identifier: Apache-2.0
"""The rules by which calls run in pieces, each held against DTensor: how PyTorch runs the call on pieces on two ranks.

A rule is *confirmed* where DTensor takes the same pieces and gives the same ones. It is *refused* where DTensor would
first bring the pieces into another form, and *contradicted* where it gives others. Calls that DTensor has no strategy
for say nothing: convolutions, norms of batches, pools.
"""

import collections

import pytest
import torch
from test_chunk_rules import CHUNKS, MODELS, rules_of

# Limits of DTensor's, each looked at; the slices say yes.
REFUSED = {"constant_pad_nd": "pads whole tensors only", "addmm": "wants the bias in parts that add up, too"}
CONTRADICTED = {"expand": "leaves what is repeated whole, where each rank could repeat it less often"}
LOSSES = {torch.ops.aten.nll_loss_forward, torch.ops.aten.nll_loss2d_forward}
SUM = 2  # reduction of a loss: the rules are for the sum, since the mean is a sum that is divided


@pytest.fixture(scope="module")
def strategies():
    """DTensor's strategies on two ranks, none of which exists."""
    distributed = pytest.importorskip("torch.distributed")
    from torch.testing._internal.distributed.fake_pg import FakeStore

    distributed.init_process_group("fake", store=FakeStore(), rank=0, world_size=CHUNKS)
    try:
        yield Strategies()
    finally:
        distributed.destroy_process_group()


class Strategies:
    """What DTensor makes of a call on pieces. Its own parts are private: another version may name them differently."""

    def __init__(self):
        from torch.distributed.device_mesh import DeviceMesh
        from torch.distributed.tensor import DTensor

        self._mesh = DeviceMesh("cpu", list(range(CHUNKS)))
        self._functions = DTensor._op_dispatcher.sharding_propagator.op_strategy_funcs

    def judge(self, node, mode, rules):
        """A word on the rule; none where DTensor has no strategy for the call."""
        from torch.distributed.tensor._op_schema import OpSchema, TupleStrategy

        function = self._functions.get(node.target)
        if function is None:
            return None
        given = [self._placement(way, rules) for way in mode["ins"]]
        ways = iter(given)

        def wrapped(value):
            if isinstance(value, (list, tuple)) and any(isinstance(item, torch.fx.Node) for item in value):
                return TupleStrategy([wrapped(item) for item in value])
            if not isinstance(value, torch.fx.Node):
                return value
            return self._spec(value.meta["val"], next(ways))

        args = [wrapped(arg) for arg in node.args]
        if node.target.overloadpacket in LOSSES:
            args[3] = SUM
        schema = OpSchema(node.target, tuple(args), dict(node.kwargs))
        taken = [way for way in function(schema).strategies if self._takes(way, given)]
        wanted = [self._placement(way, rules) for way in mode["outs"]]
        if not taken:
            return "refused"
        return "confirmed" if any(self._gives(way, wanted) for way in taken) else "contradicted"

    def _placement(self, way, rules):
        from torch.distributed.tensor import Partial, Replicate, Shard

        if way == rules["whole"]:
            return Replicate()
        return Partial() if way == rules["sum"] else Shard(way)

    def _spec(self, tensor, placement):
        from torch.distributed.tensor._dtensor_spec import DTensorSpec, TensorMeta
        from torch.distributed.tensor._op_schema import OpSpec, OpStrategy

        meta = TensorMeta(tensor.shape, tensor.stride(), tensor.dtype)
        return OpStrategy([OpSpec(DTensorSpec(self._mesh, (placement,), meta))])

    def _takes(self, way, given):
        """Without first bringing the pieces into another form."""
        specs = way.input_specs if way.input_specs is not None else [way.output_specs] * len(given)
        return len(specs) == len(given) and all(
            spec.placements == (placement,) for spec, placement in zip(specs, given, strict=True)
        )

    def _gives(self, way, wanted):
        specs = way.output_specs if isinstance(way.output_specs, (list, tuple)) else [way.output_specs]
        pairs = zip(specs, wanted, strict=False)  # it may know the first of several outputs only
        return all(spec is None or spec.placements == (placement,) for spec, placement in pairs)


def judged(strategies, program, rules):
    """How many rules of each operator got which word."""
    modes = {call["node"]: call["modes"] for call in rules["calls"]}
    words, seen = collections.defaultdict(collections.Counter), set()
    for node in program.graph.nodes:
        if node.op != "call_function" or not isinstance(node.target, torch._ops.OpOverload):
            continue
        kind = node.target._schema.name.removeprefix("aten::")
        for mode in modes.get(node.name, []):
            key = (kind, str(mode), str([arg.meta["val"].shape for arg in node.all_input_nodes]))
            if key in seen:
                continue
            seen.add(key)
            if word := strategies.judge(node, mode, rules):
                words[word][kind] += 1
    return words


@pytest.mark.rotates(days=3)
@pytest.mark.parametrize("name", MODELS)
def test_dtensor_contradicts_no_rule(strategies, traced_zoo, name):
    traced = traced_zoo(name)
    words = judged(strategies, traced.program, rules_of(str(traced.path)))
    assert not words["contradicted"].keys() - CONTRADICTED.keys()
    assert not words["refused"].keys() - REFUSED.keys()
    assert words["confirmed"].total() > 20


def test_a_wrong_rule_is_found_by_dtensor(strategies):
    """Each of the planted rules says too much: a softmax along its own dim, a product whose sum is not summed up."""
    rules = {"chunks": CHUNKS, "whole": -1, "sum": -2}
    graph = torch.fx.Graph()

    def call(target, *args):
        return graph.call_function(target, args)

    def tensor(name, *sizes):
        node = graph.placeholder(name)
        node.meta["val"] = torch.empty(sizes, device="meta")
        return node

    left, right = tensor("left", 4, 6), tensor("right", 6, 8)
    softmax = call(torch.ops.aten._log_softmax.default, left, 1, False)
    product = call(torch.ops.aten.mm.default, left, right)
    assert strategies.judge(softmax, {"ins": [0], "outs": [0]}, rules) == "confirmed"
    assert strategies.judge(softmax, {"ins": [1], "outs": [1]}, rules) == "refused"
    assert strategies.judge(product, {"ins": [1, 0], "outs": [-2]}, rules) == "confirmed"
    assert strategies.judge(product, {"ins": [1, 0], "outs": [-1]}, rules) == "contradicted"
    assert strategies.judge(product, {"ins": [0, -1], "outs": [1]}, rules) == "contradicted"
