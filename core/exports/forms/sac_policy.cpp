// SPDX-License-Identifier: Apache-2.0
// A plan as policies for PyTorch's selective activation checkpointing.
#include "core/exports/python_again.h"
#include "core/exports/python_calls.h"
#include "core/exports/quoted.h"
#include "core/exports/regions.h"

#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <map>
#include <string_view>

namespace remat {

namespace {

/// Saves all of each op that makes what the plan keeps. The generator is set back to the beginning of the region,
/// so random ops draw the same again only where all of them draw again.
void saveOps(const Graph &graph, const KeptChoice &choice, const Region &region, std::vector<char> &saved)
{
    bool drawsAgain = false;
    for (const OpId op : region.ops) {
        const auto isKept = [&](StorageId output) { return choice.kept[output.index()] != 0; };
        const std::vector<StorageId> &outputs = graph.op(op).outputs;
        if (std::any_of(outputs.begin(), outputs.end(), isKept)) saved[op.index()] = 1;
        drawsAgain |= graph.op(op).random && saved[op.index()] == 0;
    }
    if (!drawsAgain) return;
    for (const OpId op : region.ops)
        if (graph.op(op).random) saved[op.index()] = 0;
}

constexpr std::array<std::string_view, 7> kBatchNorms = {
    "native_batch_norm", "_native_batch_norm_legit", "_native_batch_norm_legit_functional", "cudnn_batch_norm",
    "miopen_batch_norm", "_batch_norm_with_update",  "_batch_norm_with_update_functional"};

/// The operator under the name that the file looks it up by: a trace has functional forms that eager mode never calls,
/// and each kind of device has a batch norm of its own. `operator_name` in the file does the same.
std::string eagerName(const std::string &operatorName)
{
    const std::size_t begin = operatorName.find('.') + 1, end = operatorName.find('.', begin);
    if (begin == 0 || end == std::string::npos) return operatorName;
    const std::string_view base = std::string_view(operatorName).substr(begin, end - begin);
    if (std::find(kBatchNorms.begin(), kBatchNorms.end(), base) != kBatchNorms.end())
        return operatorName.substr(0, begin) + "native_batch_norm.default";
    constexpr std::string_view kFunctional = "_functional";
    if (!base.ends_with(kFunctional)) return operatorName;
    return operatorName.substr(0, end - kFunctional.size()) + operatorName.substr(end);
}

/// The names as a Python set.
std::string batchNorms()
{
    std::string text = "\n# One operator under the names that devices and traces have for it.\nBATCH_NORMS = {\n";
    for (const std::string_view name : kBatchNorms)
        text += fmt::format("    {},\n", pythonQuoted(std::string(name)));
    return text + "}\n";
}

/// Per node that makes a value.
std::vector<const Node *> producers(const Program &program)
{
    std::vector<const Node *> found(program.values.size(), nullptr);
    for (const Node &node : program.nodes)
        for (const ValueId output : node.outputs)
            if (output) found[output.index()] = &node;
    return found;
}

/// The first tensor that a node reads, which its in-place form writes to; none where it reads no tensor.
ValueId firstTensor(const Node &node)
{
    for (const NamedArgument &argument : node.arguments)
        if (const auto *value = std::get_if<ValueId>(&argument.value)) return *value;
    return {};
}

/// Per op whether eager mode may write what it makes into a buffer: from a buffer to its new value each node reads the
/// one before first.
std::vector<char> opsThatMayWriteBuffers(const Model &model)
{
    const Program &program = *model.program;
    const auto producer = producers(program);
    std::vector<char> found(model.graph.ops.size(), 0);
    for (const ProgramOutput &output : program.outputs) {
        if (output.kind != OutputKind::BufferMutation) continue;
        std::vector<OpId> way;
        ValueId value = output.value;
        while (value && producer[value.index()]) {
            if (const OpId op = producer[value.index()]->op) way.push_back(op);
            value = firstTensor(*producer[value.index()]);
        }
        const bool beginsAtTheBuffer =
            std::any_of(program.inputs.begin(), program.inputs.end(),
                        [&](const ProgramInput &input) { return input.value == value && input.fqn == output.target; });
        for (const OpId op : way)
            if (beginsAtTheBuffer) found[op.index()] = 1;
    }
    return found;
}

/// Modules that save what they read, so that they copy it first where they write over it. The file has them do neither.
constexpr std::array<std::string_view, 4> kCopyingInPlace = {"SiLU", "Mish", "Hardswish", "Hardsigmoid"};

bool isCopyBeforeWriting(const Op &op, const ForwardCall &call)
{
    return call.operatorName == "aten.clone.default" &&
           std::find(kCopyingInPlace.begin(), kCopyingInPlace.end(), op.moduleClass) != kCopyingInPlace.end();
}

std::string sacTable(const Model &model, const RegionPlan &plan, const std::vector<ForwardCall> &calls)
{
    std::string text = "\n# Per module the calls of each operator in order, 1: saved, 0: computed again, -: computed "
                       "again, unless it\n# writes to a buffer.\nREGIONS = {\n";
    const auto mayWrite = opsThatMayWriteBuffers(model);
    for (const Region &region : plan.regions) {
        std::map<std::string, std::string> flags;
        for (const OpId op : region.ops) {
            const ForwardCall &call = calls[op.index()];
            if (isCopyBeforeWriting(model.graph.op(op), call)) continue;
            const char flag = mayWrite[op.index()] != 0 ? '-' : plan.saved[op.index()] != 0 ? '1' : '0';
            flags[eagerName(call.operatorName)] += flag;
        }
        text += fmt::format("    {}: {{\n", pythonQuoted(region.module));
        for (const auto &[name, values] : flags)
            text += fmt::format("        {}: {},\n", pythonQuoted(name), pythonQuoted(values));
        text += "    },\n";
    }
    return text + "}\n";
}

Expected<std::string> sacPolicyOfPlan(const ExportInput &input)
{
    auto choice = keptChoice(input.model.graph, input.plan);
    if (!choice) return tl::unexpected(choice.error());
    keepOnDevice(*choice);
    const auto calls = forwardCalls(input.model, *choice);
    if (!calls) return tl::unexpected(calls.error());
    auto plan = bestRegions(input, *choice, saveOps, false);
    if (!plan) return tl::unexpected(plan.error());
    sayWhatRegionsLose(input, *plan, *choice);
    auto head = headOfRoute(
        input, *choice,
        {"Policies for PyTorch's selective activation checkpointing",
         "    from FILE import apply\n"
         "    apply(model)  # once, before training; parameters, state_dict and hooks stay what they are\n\n"
         "For eager mode. Modules with inplace=True, such as ReLU, work out of place from then on, as in the trace.\n"
         "Where other code writes over what is saved (x += y), PyTorch refuses to go on: write x = x + y there.\n",
         {"Where an op is saved, all that it makes is."},
         plan->predicted,
         "import collections\nimport contextlib\nimport functools\n\nimport torch\n"
         "from torch.utils import _pytree as pytree\nfrom torch.utils._python_dispatch import TorchDispatchMode\nfrom "
         "torch.utils.checkpoint import "
         "CheckpointPolicy, checkpoint, create_selective_checkpoint_contexts\n"});
    if (!head) return head;
    return *head + sacTable(input.model, *plan, *calls) + batchNorms() + R"python(

def apply(model):
    """Checkpoint the modules of REGIONS, each with its policy; returns the model."""
    for path in REGIONS:
        module = model.get_submodule(path)
        out_of_place(module)
        module.forward = functools.wraps(module.forward)(functools.partial(checkpointed, path, module, module.forward))
    return model


def checkpointed(path, module, forward, *args, **kwargs):
    """The forward of a module, of which the backward pass computes again what is not saved."""
    if not torch.is_grad_enabled():
        return forward(*args, **kwargs)
    seen = collections.Counter()
    contexts = functools.partial(contexts_of, path, module, seen)
    args, kwargs = as_given(args, kwargs)
    result = checkpoint(forward, *args, use_reentrant=False, context_fn=contexts, **kwargs)
    expected = {name: len(flags) for name, flags in REGIONS[path].items()}
    if seen != expected:
        name = next(name for name in expected if seen[name] != expected[name])
        raise RuntimeError(
            f"The module {path!r} called {name} {seen[name]} times, and {expected[name]} times in the trace: trace "
            "the model as it is trained here, on this kind of device, and plan again."
        )
    return result


def contexts_of(path, module, seen):
    """The contexts of forward and recomputation; counts what the forward calls."""
    counts = {False: seen, True: collections.Counter()}
    flags = REGIONS[path]
    buffers = storages_of_buffers(module)

    def policy(context, op, *args, **_kwargs):
        name = operator_name(op)
        if name not in flags:
            if torch.Tag.nondeterministic_seeded in op.tags:
                raise RuntimeError(
                    f"The module {path!r} draws with {name}, which the trace does not. Trace it for the device that it "
                    "is trained on, and plan again; for dropout on a CPU, export the plan as torch-remat."
                )
            return CheckpointPolicy.PREFER_RECOMPUTE
        number = counts[context.is_recompute][name]
        flag = flags[name][number : number + 1]
        if flag != "-" and writes_to(buffers, op, args):  # a count of steps, say, which is no call of the trace
            return CheckpointPolicy.PREFER_RECOMPUTE
        counts[context.is_recompute][name] += 1
        return CheckpointPolicy.MUST_SAVE if flag == "1" else CheckpointPolicy.PREFER_RECOMPUTE

    forward, recomputation = create_selective_checkpoint_contexts(policy)
    return forward, both(RunningAgain(module), recomputation)


@contextlib.contextmanager
def both(first, second):
    """One context in the other."""
    with first, second:
        yield


def operator_name(op):
    """aten.relu.default, for aten.relu_.default too; batch norms of all devices have one name."""
    parts = str(op).split(".")
    if len(parts) == 3 and parts[1] in BATCH_NORMS:
        return parts[0] + ".native_batch_norm.default"
    if len(parts) == 3 and parts[1].endswith("_") and not parts[1].endswith("__"):
        parts[1] = parts[1][:-1]
    return ".".join(parts)
)python" + python::kRunningAgain;
}

} // namespace

namespace exporter {

const ExportFormat &sac_policy()
{
    static const ExportFormat format = {
        .name = "sac-policy",
        .title = "Selective checkpointing policy",
        .order = 80,
        .suffix = "py",
        .sentence = "PyTorch's selective activation checkpointing in eager mode; says what is lost of the plan",
        .write = sacPolicyOfPlan,
        .needsOperators = true,
    };
    return format;
}

} // namespace exporter

} // namespace remat
