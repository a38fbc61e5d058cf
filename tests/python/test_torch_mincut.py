# SPDX-License-Identifier: Apache-2.0
"""The planner ``torch-mincut`` decides what PyTorch's own partitioner decides on the same joint graph.

Compared is the set of storages that are kept from the forward for the backward. PyTorch saves nodes, views among them:
a saved node stands for the storage that its value lies in. Inputs of the training step are always there and do not
count, nor do storages that end as outputs of the graph, which every plan holds at the end, nor what only the backward
ops make. Of the plan, everything made by a forward op and held when the first backward op begins is kept.
"""

import json
import operator
import os
import pathlib
import subprocess
import warnings

import pytest
import torch
from conftest import ROOT
from support import loaded
from torch._functorch import config, partitioners
from torch.export.graph_signature import InputKind, OutputKind
from torch.fx.passes.fake_tensor_prop import FakeTensorProp

warnings.filterwarnings("ignore", message="The given buffer is not writable")

REMAT = pathlib.Path(os.environ.get("REMAT_BIN", ROOT / "build" / "bin")) / "remat"
TINY = ["tiny_gpt2", "tiny_resnet", "tiny_unet", "tiny_transformer"]
TRACED = ["t5", "llama", "recurrent"]
BUDGETS = [1.0, 0.9, 0.5, 0.3, 0.05, 0.0]
FORWARD_OUTPUTS = (OutputKind.LOSS_OUTPUT, OutputKind.BUFFER_MUTATION)

pytestmark = pytest.mark.skipif(not REMAT.exists(), reason="the command line is not built")


class Joint:
    """The archive's graph as PyTorch's partitioner takes it: the gradient of the loss comes in as a tangent."""

    def __init__(self, path):
        program = loaded(path)
        self.module = program.graph_module
        graph = self.module.graph
        placeholders = graph.find_nodes(op="placeholder")
        specs = program.graph_signature.input_specs
        outputs = list(zip(graph.output_node().args[0], program.graph_signature.output_specs, strict=True))
        forward = [node for node, spec in outputs if spec.kind in FORWARD_OUTPUTS]
        backward = [node for node, spec in outputs if spec.kind not in FORWARD_OUTPUTS]
        self.phases = {
            node.name: node.meta["custom"]["remat"]["phase"] for node in graph.nodes if node.op == "call_function"
        }
        self._share_storages(placeholders)
        (loss,) = (node for node, spec in outputs if spec.kind is OutputKind.LOSS_OUTPUT)
        (tangent,) = (
            node for node in loss.users if node.target is torch.ops.aten.ones_like.default and self._is_backward(node)
        )
        with graph.inserting_after(placeholders[-1]):
            incoming = graph.placeholder("tangents_1")
        incoming.meta["val"] = tangent.meta["val"]
        tangent.replace_all_uses_with(incoming)
        graph.erase_node(tangent)
        for index, node in enumerate(placeholders):
            node.target = f"primals_{index + 1}"
            node._rename(node.target)
        graph.output_node().args = (tuple(forward + backward),)
        self.forward_outputs = len(forward)
        self.static = [i for i, spec in enumerate(specs) if spec.kind is not InputKind.USER_INPUT]
        self.inputs = {self._storage(node) for node in placeholders}
        self._name_storages()
        self.output_storages = {self.names.get(self._storage(node)) for node, _ in outputs}

    def _is_backward(self, node):
        return self.phases.get(node.name) == "backward"

    def _share_storages(self, placeholders):
        """An archive gives every view a stand-in of its own; made again, views share storage with what they show."""
        values = [node.meta["val"] for node in placeholders]
        FakeTensorProp(self.module, values[0].fake_mode).propagate_dont_convert_inputs(*values)

    @staticmethod
    def _storage(node):
        value = node.meta["val"]
        return value.untyped_storage()._cdata if isinstance(value, torch.Tensor) else None

    def _name_storages(self):
        """Per storage the name of the node that made it, and per op the storages that it makes."""
        self.names = {}
        self.made = {}
        self.made_forward = set()
        for node in self.module.graph.nodes:
            storage = self._storage(node) if node.op == "call_function" else None
            if storage is None or storage in self.names or storage in self.inputs:
                continue
            self.names[storage] = node.name
            maker = node.args[0] if node.target is operator.getitem else node
            self.made.setdefault(maker.name, []).append(node.name)
            if not self._is_backward(maker):
                self.made_forward.add(node.name)

    def saved(self, budget):
        """Names of the storages that PyTorch saves."""
        chosen = []

        def choose(*args, **kwargs):
            chosen.extend(original(*args, **kwargs))
            raise StopIteration

        original = partitioners.choose_saved_values_set
        partitioners.choose_saved_values_set = choose
        try:
            # Equal calls are not merged first: the plan is for this graph, in which they stand twice.
            with config.patch(activation_memory_budget=budget, cse=False), pytest.raises(StopIteration):
                partitioners.min_cut_rematerialization_partition(
                    self.module,
                    None,
                    num_fwd_outputs=self.forward_outputs,
                    static_lifetime_input_indices=self.static,
                )
        finally:
            partitioners.choose_saved_values_set = original
        storages = {self._storage(node) for node in chosen} - self.inputs
        return {self.names[storage] for storage in storages} & self.made_forward - self.output_storages


def plan(path, budget, out, *more):
    """The plan for one value of the budget."""
    command = [REMAT, "plan", path, "--budget", "1TiB", "--solver", "torch-mincut", "--threads", "1", "-o", out]
    subprocess.run(
        [*command, "--set", f"activation-memory-budget={budget}", *more], check=True, capture_output=True, text=True
    )
    return json.loads(out.read_text())


def kept(plan, joint):
    """Names of the storages that the plan holds when the first backward op begins, outputs of the graph left out."""
    made = joint.made
    held = set()
    for step in plan["steps"]:
        if step["do"] == "free":
            held.discard(step["storage"])
        elif joint.phases[step["op"]] == "backward":
            return held - joint.output_storages
        else:
            held.update(made[step["op"]])
    raise AssertionError("the plan has no backward op")


def compare(path, out, budgets):
    """Both decide the same at every budget; returns how many different decisions there were."""
    joint = Joint(path)
    decisions = set()
    for budget in budgets:
        expected = joint.saved(budget)
        assert kept(plan(path, budget, out), joint) == expected, f"at {budget}"
        decisions.add(frozenset(expected))
    return len(decisions)


@pytest.mark.rotates(group="long")
@pytest.mark.parametrize("sample", TINY)
def test_samples(sample, tmp_path):
    assert compare(ROOT / "resources" / "samples" / f"{sample}.pt2", tmp_path / "plan.json", BUDGETS) > 4


@pytest.mark.parametrize("sample", ["gpt2", "unet"])
def test_samples_of_real_size(sample, tmp_path):
    assert compare(ROOT / "resources" / "samples" / f"{sample}.pt2", tmp_path / "plan.json", [1.0, 0.3, 0.05]) == 3


@pytest.mark.rotates(days=3)
@pytest.mark.parametrize("name", TRACED)
def test_other_models(name, traced_zoo, tmp_path):
    assert compare(traced_zoo(name).path, tmp_path / "plan.json", BUDGETS) > 1


def test_greedy_knapsack(tmp_path):
    path = ROOT / "resources" / "samples" / "tiny_gpt2.pt2"
    joint = Joint(path)
    for budget in (0.5, 0.2, 0.05):
        with config.patch(activation_memory_budget_solver="greedy"):
            expected = joint.saved(budget)
        made = plan(path, budget, tmp_path / "plan.json", "--set", "knapsack=greedy")
        assert kept(made, joint) == expected, f"at {budget}"
