// SPDX-License-Identifier: Apache-2.0
// A plan as policies for PyTorch's selective activation checkpointing.
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

std::string sacTable(const RegionPlan &plan, const std::vector<ForwardCall> &calls)
{
    std::string text =
        "\n# Per module the calls of each operator in order, 1: saved, 0: computed again.\nREGIONS = {\n";
    for (const Region &region : plan.regions) {
        std::map<std::string, std::string> flags;
        for (const OpId op : region.ops)
            flags[eagerName(calls[op.index()].operatorName)] += plan.saved[op.index()] != 0 ? '1' : '0';
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
         "For eager mode. Modules that work in place, such as ReLU(inplace=True), may not follow what is saved.\n",
         {"Where an op is saved, all that it makes is."},
         plan->predicted,
         "import collections\nimport functools\n\nimport torch\nfrom torch.utils.checkpoint import CheckpointPolicy, "
         "checkpoint, create_selective_checkpoint_contexts\n"});
    if (!head) return head;
    return *head + sacTable(*plan, *calls) + batchNorms() + R"python(

def apply(model):
    """Checkpoint the modules of REGIONS, each with its policy; returns the model."""
    for path in REGIONS:
        module = model.get_submodule(path)
        module.forward = functools.wraps(module.forward)(functools.partial(checkpointed, path, module.forward))
    return model


def checkpointed(path, forward, *args, **kwargs):
    """The forward of a module, of which the backward pass computes again what is not saved."""
    if not torch.is_grad_enabled():
        return forward(*args, **kwargs)
    seen = collections.Counter()
    contexts = functools.partial(contexts_of, path, seen)
    result = checkpoint(forward, *args, use_reentrant=False, context_fn=contexts, **kwargs)
    expected = {name: len(flags) for name, flags in REGIONS[path].items()}
    if seen != expected:
        name = next(name for name in expected if seen[name] != expected[name])
        raise RuntimeError(
            f"The module {path!r} called {name} {seen[name]} times, and {expected[name]} times in the trace: trace "
            "the model as it is trained here, on this kind of device, and plan again."
        )
    return result


def contexts_of(path, seen):
    """The contexts of forward and recomputation; counts what the forward calls."""
    counts = {False: seen, True: collections.Counter()}
    flags = REGIONS[path]

    def policy(context, op, *_args, **_kwargs):
        name = operator_name(op)
        if name not in flags:
            if torch.Tag.nondeterministic_seeded in op.tags:
                raise RuntimeError(
                    f"The module {path!r} draws with {name}, which the trace does not: trace it for the device that "
                    "it is trained on, and plan again."
                )
            return CheckpointPolicy.PREFER_RECOMPUTE
        number = counts[context.is_recompute][name]
        counts[context.is_recompute][name] += 1
        saved = number < len(flags[name]) and flags[name][number] == "1"
        return CheckpointPolicy.MUST_SAVE if saved else CheckpointPolicy.PREFER_RECOMPUTE

    return create_selective_checkpoint_contexts(policy)


def operator_name(op):
    """aten.relu.default, for aten.relu_.default too; batch norms of all devices have one name."""
    parts = str(op).split(".")
    if len(parts) == 3 and parts[1] in BATCH_NORMS:
        return parts[0] + ".native_batch_norm.default"
    if len(parts) == 3 and parts[1].endswith("_") and not parts[1].endswith("__"):
        parts[1] = parts[1][:-1]
    return ".".join(parts)
)python";
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
