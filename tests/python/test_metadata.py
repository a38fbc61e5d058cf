# SPDX-License-Identifier: Apache-2.0
"""Every op carries what the planner needs to know of it."""

import operator

import pytest
import remat_studio
import torch
from support import graph_record, records, traced
from torch import nn

KEYS = {
    "phase",
    "module",
    "module_class",
    "seq",
    "forward_op",
    "accumulate",
    "alias",
    "random",
    "mutates",
    "graph",
    "checkpoint",
    "formula",
    "holds",
}


@pytest.fixture(scope="module", params=["gpt2", "t5", "segmentation", "autocast", "encoder_decoder"])
def case(request, traced_zoo):
    made = traced_zoo(request.param)
    return made.model, made.program


@pytest.fixture(scope="module")
def gpt2(traced_zoo):
    made = traced_zoo("gpt2", dropout=0.2)
    return made.model, made.program


def ops(program):
    return [n for n in program.graph.nodes if n.op == "call_function" and n.target is not operator.getitem]


def test_every_record_is_complete(case):
    model, program = case
    modules = {name: type(module).__name__ for name, module in model.named_modules()}
    forward = {name for name, r in records(program).items() if r["phase"] != "backward"}
    for name, record in records(program).items():
        assert set(record) <= KEYS
        assert record["phase"] in ("forward", "loss", "backward")
        assert isinstance(record["seq"], int)
        if record["module_class"]:
            assert modules[record["module"]] == record["module_class"], name
        if record["phase"] == "backward":
            assert record["forward_op"] in forward, name
        else:
            assert not {"forward_op", "accumulate", "formula"} & set(record)


def test_phases_stand_in_order(case):
    order = ["forward", "loss", "backward"]
    phases = [order.index(record["phase"]) for record in records(case[1]).values()]
    backward = phases.index(2)
    assert set(phases[:backward]) <= {0, 1} and set(phases[backward:]) == {2}
    assert 1 in phases


def test_backward_ops_lie_where_their_forward_op_lies(case):
    known = records(case[1])
    for record in known.values():
        if record["phase"] == "backward":
            assert record["module"] == known[record["forward_op"]]["module"]


def test_stack_traces_show_only_the_models_code(case):
    model, program = case
    for node in ops(program):
        trace = node.meta["stack_trace"]
        assert 1 <= trace.count("File ") <= 24, node.name
        assert "torch/" not in trace.replace("torchvision/", "") and "remat_studio" not in trace


def test_stack_traces_are_whole(traced_zoo):
    """From the model's forward down to the line of the layer, each call within the one before."""
    deepest = max(ops(traced_zoo("gpt2").program), key=lambda node: node.meta["stack_trace"].count("File "))
    functions = [line.rsplit(", in ", 1)[1] for line in deepest.meta["stack_trace"].splitlines() if "File " in line]
    assert len(functions) > 3 and functions.count("forward") >= 3, functions


def test_aliases_are_what_shares_storage(case):
    """Real storages decide: run every op and compare data pointers. New values of buffers may lie in the old ones."""
    program = case[1]
    written = {s.arg.name for s in program.graph_signature.output_specs if s.kind.name == "BUFFER_MUTATION"}
    seen = {}

    class Watch(torch.fx.Interpreter):
        def run_node(self, node):
            seen[node.name] = value = super().run_node(node)
            return value

    values = [
        torch.ones(n.meta["val"].shape, dtype=n.meta["val"].dtype) for n in program.graph.find_nodes(op="placeholder")
    ]
    with torch.no_grad():
        Watch(program.graph_module).run(*values)
    for node in ops(program):
        alias = node.meta["custom"]["remat"].get("alias", {})
        outputs = [node.name] if isinstance(seen[node.name], torch.Tensor) else [u.name for u in node.users]
        for output in outputs:
            if seen[output] is None or seen[output].numel() == 0 or (output in written and output in alias):
                continue
            own = seen[output].untyped_storage().data_ptr()
            sharing = {i.name for i in node.all_input_nodes if seen[i.name].untyped_storage().data_ptr() == own}
            assert alias.get(output) in (sharing or {None}), node.name


def test_gpt2_ops_lie_in_its_modules(gpt2):
    known = records(gpt2[1])
    assert known["addmm"]["module"] == "transformer.h.0.attn.c_attn"
    assert known["addmm"]["module_class"] == "Conv1D"
    assert known["nll_loss_forward"]["phase"] == "loss"
    assert known["nll_loss_forward"]["module"] == ""
    lm_head = [r for r in known.values() if r["module"] == "lm_head"]
    assert {r["phase"] for r in lm_head} == {"forward", "backward"}
    assert known["ones_like"]["phase"] == "backward"


def test_sums_of_gradients_lie_where_the_last_gradient_came_from(gpt2):
    known = records(gpt2[1])
    sums = {name: record for name, record in known.items() if record.get("accumulate")}
    assert {record["module"] for record in sums.values()} >= {"transformer.wte", "transformer.h.1.ln_2"}
    assert all(known[r["forward_op"]]["seq"] == r["seq"] for r in sums.values())


def test_random_ops_are_marked(gpt2):
    for name, record in records(gpt2[1]).items():
        assert record.get("random", False) == name.startswith("native_dropout") * ("backward" not in name)


def test_the_first_op_describes_the_graph(gpt2):
    program = gpt2[1]
    record = graph_record(program)
    assert record["format"] == "remat-trace/1"
    assert record["written_by"] == f"remat-studio {remat_studio.__version__}"
    assert record["name"] == "GPT2LMHeadModel"
    assert record["torch"] == torch.__version__
    assert record["device"] == "cpu"
    assert record["training"] is True
    assert record["loss"] == "The loss is the one that the model returns."
    placeholders = [n.name for n in program.graph.find_nodes(op="placeholder")]
    assert list(record["inputs"]) == placeholders
    assert all("graph" not in r for r in list(records(program).values())[1:])


def test_a_tied_parameter_is_one_input_with_one_gradient(gpt2):
    signature = gpt2[1].graph_signature
    weights = [s.target for s in signature.input_specs if s.target and ("wte" in s.target or "lm_head" in s.target)]
    gradients = [s.target for s in signature.output_specs if s.target and ("wte" in s.target or "lm_head" in s.target)]
    assert weights == gradients == ["transformer.wte.weight"]


def test_kinds_of_inputs_and_outputs(traced_zoo):
    program = traced_zoo("autocast").program
    kinds = {name: entry["kind"] for name, entry in graph_record(program)["inputs"].items()}
    assert kinds["p_frozen"] == kinds["p_unused_weight"] == "parameter"
    assert kinds["b_scale"] == kinds["b_norm_num_batches_tracked"] == "buffer"
    assert kinds["x"] == "input"
    assert list(kinds.values()).count("constant") == 1
    changed = {s.target for s in program.graph_signature.output_specs if s.kind.name == "BUFFER_MUTATION"}
    assert changed == {"norm.running_mean", "norm.running_var", "norm.num_batches_tracked"}
    gradients = {s.target for s in program.graph_signature.output_specs if s.kind.name == "GRADIENT_TO_PARAMETER"}
    assert "frozen" not in gradients and "unused.weight" not in gradients and "first.weight" in gradients


def test_an_input_that_requires_a_gradient_gets_one(tmp_path):
    x = torch.randn(2, 4, requires_grad=True)
    program = traced(nn.Linear(4, 4), (x,), tmp_path / "model.pt2")
    gradients = [s for s in program.graph_signature.output_specs if s.kind.name == "GRADIENT_TO_USER_INPUT"]
    assert [s.target for s in gradients] == ["input_1"]  # a plain "input" is a function of Python


def test_a_loss_outside_the_model_is_the_loss_phase(tmp_path):
    program = traced(nn.Linear(4, 4), (torch.randn(2, 4),), tmp_path / "model.pt2", lambda out: out.square().sum())
    phases = {name: record["phase"] for name, record in records(program).items()}
    assert phases["addmm"] == "forward" and phases["pow_1"] == phases["sum_1"] == "loss"
    assert "lambda" in graph_record(program)["loss"]


def test_a_loss_module_brings_its_parameters(tmp_path):
    class Weighted(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(4))

        def forward(self, out):
            return (out * self.weight).sum()

    program = traced(nn.Linear(4, 4), (torch.randn(2, 4),), tmp_path / "model.pt2", Weighted())
    assert "loss_fn.weight" in {s.target for s in program.graph_signature.output_specs}
    assert records(program)["mul"]["phase"] == "loss"


def test_buffers_that_a_forward_replaces_are_outputs(tmp_path):
    class Average(nn.Linear):
        def __init__(self):
            super().__init__(4, 4)
            self.register_buffer("mean", torch.zeros(4))

        def forward(self, x):
            y = super().forward(x)
            self.mean = 0.9 * self.mean + 0.1 * y.detach().mean(0)
            return y

    program = traced(Average(), (torch.randn(2, 4),), tmp_path / "model.pt2")
    assert {s.target for s in program.graph_signature.output_specs if s.kind.name == "BUFFER_MUTATION"} == {"mean"}
