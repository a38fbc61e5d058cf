// SPDX-License-Identifier: Apache-2.0
// A plan as a memory policy of torchtitan's graph_trainer.
#include "core/exports/python_calls.h"

namespace remat {

namespace {

Expected<std::string> titanPolicyOfPlan(const ExportInput &input)
{
    const Graph &graph = input.model.graph;
    auto choice = keptChoice(graph, input.plan);
    if (!choice) return tl::unexpected(choice.error());
    drawOnce(graph, *choice);
    readBuffersOnce(input.model, *choice);
    const auto calls = forwardCalls(input.model, *choice);
    if (!calls) return tl::unexpected(calls.error());
    const std::vector<Step> kept = withEarliestFrees(graph, sequenceOf(graph, *choice));
    auto predicted = simulate(graph, input.costs, withCopies(graph, *choice, kept));
    if (!predicted) return tl::unexpected(predicted.error());
    auto head = headOfRoute(
        input, *choice,
        {"A memory policy for torchtitan's graph_trainer",
         "    import FILE  # where the trainer is configured\n"
         "    --compile.memory_policy remat\n\n"
         "Without torchtitan, `policy(graph_module)` marks any joint graph that AOTAutograd's partitioners cut.\n",
         {"torchtitan orders what is computed again by itself, so peak and time may differ from those predicted.",
          "What is chunked in the loss is planned as one call."},
         *predicted,
         "import operator\nimport warnings\n\nimport torch\nfrom torch.utils.checkpoint import CheckpointPolicy\n\n"
         "try:\n    from torchtitan.experiments.graph_trainer.registry import register_memory_policy\n"
         "except ImportError:\n\n    def register_memory_policy(_name):\n        return lambda policy: policy\n\n"});
    if (!head) return head;
    return *head + pythonTags(*calls) + R"python(

@register_memory_policy("remat")
def policy(module, *, config=None):
    """Mark the joint graph as the plan says."""
    tag(module)
    return module
)python";
}

} // namespace

namespace exporter {

const ExportFormat &torchtitan_policy()
{
    static const ExportFormat format = {
        .name = "torchtitan-policy",
        .title = "torchtitan memory policy",
        .order = 100,
        .suffix = "py",
        .sentence = "what torchtitan's graph_trainer keeps, computes again and copies to the host; says what is lost "
                    "of the plan",
        .write = titanPolicyOfPlan,
        .needsOperators = true,
    };
    return format;
}

} // namespace exporter

} // namespace remat
