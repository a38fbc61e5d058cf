// SPDX-License-Identifier: Apache-2.0
#include "core/exports/python_calls.h"

#include "core/exports/python_literals.h"
#include "core/exports/quoted.h"

#include <fmt/core.h>

namespace remat {

namespace {

/// Whether it is kept, or is no memory of the plan's, such as a new value of a buffer.
bool isThere(const Graph &graph, const KeptChoice &choice, StorageId storage)
{
    return !storage || !graph.storage(storage).producer || choice.kept[storage.index()] != 0;
}

} // namespace

Expected<std::vector<ForwardCall>> forwardCalls(const Model &model, const KeptChoice &choice)
{
    if (!model.program)
        return fail(model.graph.name +
                    " is a graph without operators, which a program of PyTorch cannot be told about. "
                    "Open the trace (.pt2) it was made from, or export the plan in another form.");
    const std::string prefix = "torch.ops.";
    std::vector<ForwardCall> calls;
    for (std::size_t i = 0; i < choice.border; ++i) {
        const Op &op = model.graph.ops[i];
        const Node &node = model.program->nodes[op.node.index()];
        const auto name = python::operatorName(node.opName, node.overload);
        if (!name)
            return fail(
                fmt::format("The op {} calls {}, which is no operator that a trace may call. Trace the model again.",
                            node.name, node.opName));
        ForwardCall call{OpId(i), name->substr(prefix.size()), {}, {}, op.module};
        for (const ValueId output : node.outputs) {
            call.shapes.push_back(output ? python::tuple(model.program->value(output).sizes) : "None");
            const StorageId storage = output ? model.program->value(output).storage : StorageId();
            if (storage && choice.onHost[storage.index()] != 0)
                call.kept += 'h';
            else
                call.kept += isThere(model.graph, choice, storage) ? '1' : '0';
        }
        calls.push_back(std::move(call));
    }
    return calls;
}

std::string pythonTags(const std::vector<ForwardCall> &calls)
{
    std::string text = "\n# Each forward call of the trace: operator, shapes of its outputs, and for each of them 1: "
                       "kept, 0: computed\n"
                       "# again, h: in host memory meanwhile.\nCALLS = (\n";
    for (const ForwardCall &call : calls) {
        text += fmt::format("    ({}, (", pythonQuoted(call.operatorName));
        for (const std::string &shape : call.shapes)
            text += shape + ", ";
        text += fmt::format("), {}),  # {}\n", pythonQuoted(call.kept), inDocstring(call.module));
    }
    return text + R"python()

POLICY = {
    "1": CheckpointPolicy.MUST_SAVE,
    "0": CheckpointPolicy.MUST_RECOMPUTE,
    "h": getattr(CheckpointPolicy, "MUST_CPU_OFFLOAD", CheckpointPolicy.MUST_SAVE),
}


def tag(module):
    """Mark each value of the forward pass in a joint graph: kept, or computed again.

    Calls are found by operator, order and shape; what the trace does not have is kept. Returns how many calls of the
    graph and of the trace were not found in the other.
    """
    known = {}
    for call in CALLS:
        known.setdefault(call[0], []).append(call)
    unknown = 0
    for name, nodes in forward_calls(module.graph):
        members = set(nodes)
        results = [node for node in nodes if is_value(node) and leaves(node, members)]
        shapes = [tuple(node.meta["val"].shape) for node in results]
        call = next((call for call in known.get(name, ()) if set(shapes) & set(call[1])), None)
        if call:
            known[name].remove(call)
        unknown += call is None
        for node in nodes:
            node.meta["recompute"] = POLICY["0"]
        for node, shape in zip(results, shapes):
            kept = "1"
            if call and node.target is operator.getitem and operator_name(node.args[0].target) == name:
                kept = call[2][node.args[1]]
            elif call and shape in call[1]:
                kept = call[2][call[1].index(shape)]
            node.meta["recompute"] = POLICY[kept]
    missing = sum(map(len, known.values()))
    if unknown or missing:
        warnings.warn(
            f"{unknown} calls of this graph are not in the trace, and {missing} of the trace not in this graph: it is "
            "another model, another shape, or was changed by the compiler; what is not in the trace is kept.",
            stacklevel=2,
        )
    return unknown, missing


def forward_calls(graph):
    """Each forward call with its nodes: several where the compiler took it apart."""
    calls = []
    group = None
    for node in graph.nodes:
        if node.op != "call_function" or is_backward(node):
            continue
        if is_view(node):  # made again from what it is a view of
            node.meta["recompute"] = POLICY["0"]
            continue
        source = node.args[0] if node.target is operator.getitem else node
        origin = operator_name(source.meta.get("original_aten") or source.target)
        whole = operator_name(node.target) == origin
        key = (origin, node.meta.get("seq_nr"))
        if node.target is operator.getitem and calls and node.args[0] in calls[-1][1]:
            calls[-1][1].append(node)
        elif not whole and group == key:
            calls[-1][1].append(node)
        else:
            calls.append((origin, [node]))
            group = None if whole else key
    return calls


def operator_name(target):
    """aten.relu.default, for aten.relu_.default too."""
    parts = str(target).split(".")
    if len(parts) == 3 and parts[1].endswith("_") and not parts[1].endswith("__"):
        parts[1] = parts[1][:-1]
    return ".".join(parts)


def is_backward(node):
    tag_of_aot = node.meta.get("partitioner_tag")
    return tag_of_aot in ("is_backward", "must_be_in_backward") or bool(node.meta.get("autograd_backward"))


def is_value(node):
    return isinstance(node.meta.get("val"), torch.Tensor)


def is_view(node):
    schema = getattr(node.target, "_schema", None)
    if node.target is torch.ops.aten._unsafe_view.default:
        return True
    return schema is not None and any(r.alias_info and not r.alias_info.is_write for r in schema.returns)


def leaves(node, members):
    """Whether something outside of its call reads a value."""
    return any(leaves(user, members) if is_view(user) else user not in members for user in node.users)
)python";
}

} // namespace remat
