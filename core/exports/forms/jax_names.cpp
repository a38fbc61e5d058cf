// SPDX-License-Identifier: Apache-2.0
// A plan as names for JAX's checkpoint policies.
#include "core/exports/kept_choice.h"
#include "core/exports/quoted.h"

#include <fmt/core.h>
#include <map>

namespace remat {

namespace {

std::string nameTable(const char *title, const std::vector<std::pair<std::string, std::string>> &names)
{
    std::string text = std::string(title) + " = {\n";
    for (const auto &[name, place] : names)
        text += fmt::format("    {}: {},\n", pythonQuoted(name), pythonQuoted(place));
    return text + "}\n";
}

Expected<std::string> namesOfPlan(const ExportInput &input)
{
    const Graph &graph = input.model.graph;
    auto choice = keptChoice(graph, input.plan);
    if (!choice) return tl::unexpected(choice.error());
    const std::vector<OpId> sequence = sequenceOf(graph, *choice);
    std::vector<char> isRead(graph.storages.size(), 0);
    bool begun = false;
    for (const OpId op : sequence) {
        begun |= op.index() >= choice->border;
        if (!begun) continue;
        for (const StorageId read : graph.op(op).inputs)
            isRead[read.index()] = 1;
    }
    std::vector<std::pair<std::string, std::string>> saved, offloaded;
    std::map<std::string, int> taken;
    for (std::size_t i = 0; i < choice->border; ++i) {
        const Op &op = graph.ops[i];
        for (const StorageId output : op.outputs) {
            const bool onHost = choice->onHost[output.index()] != 0;
            if ((choice->kept[output.index()] == 0 && !onHost) || isRead[output.index()] == 0) continue;
            const Storage &storage = graph.storage(output);
            std::string name = (op.module.empty() ? "" : op.module + ".") + (op.kind.empty() ? op.name : op.kind);
            if (const int count = ++taken[name]; count > 1) name += "_" + std::to_string(count);
            const std::string type = storage.type.empty() ? "" : ", " + storage.type;
            (onHost ? offloaded : saved)
                .emplace_back(name, op.name + type + (op.source.empty() ? "" : ", " + op.source));
        }
    }
    auto predicted = simulate(graph, input.costs, withCopies(graph, *choice, withEarliestFrees(graph, sequence)));
    if (!predicted) return tl::unexpected(predicted.error());
    auto head = headOfRoute(
        input, *choice,
        {"Names for JAX's checkpoint policies",
         "    from jax.ad_checkpoint import checkpoint_name\n"
         "    from FILE import policy\n\n"
         "    x = checkpoint_name(x, \"NAME\")  # in your model, at each place that SAVED and OFFLOADED name\n"
         "    loss = jax.checkpoint(loss, policy=policy())\n",
         {"The names are those of the model in PyTorch; put them where your model in JAX computes the same values.",
          "XLA orders and fuses ops by itself, so peak and time are not those predicted, and no budget is promised."},
         *predicted});
    if (!head) return head;
    return fmt::format("{}\n# What is kept for the backward pass, and where the trace makes it.\n{}\n# What waits for "
                       "it in host memory.\n{}",
                       *head, nameTable("SAVED", saved), nameTable("OFFLOADED", offloaded)) +
           R"python(

def policy():
    """What jax.checkpoint keeps; everything else is computed again."""
    from jax import checkpoint_policies

    if not OFFLOADED:
        return checkpoint_policies.save_only_these_names(*SAVED)
    return checkpoint_policies.save_and_offload_only_these_names(
        names_which_can_be_saved=list(SAVED),
        names_which_can_be_offloaded=list(OFFLOADED),
        offload_src="device",
        offload_dst="pinned_host",
    )
)python";
}

} // namespace

namespace exporter {

const ExportFormat &jax_names()
{
    static const ExportFormat format = {
        .name = "jax-names",
        .title = "Names for JAX",
        .order = 110,
        .suffix = "py",
        .sentence = "names for jax.checkpoint's policies: what is kept and what is copied to the host; says what is "
                    "lost of the plan",
        .write = namesOfPlan,
    };
    return format;
}

} // namespace exporter

} // namespace remat
