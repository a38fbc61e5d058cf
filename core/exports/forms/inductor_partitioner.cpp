// SPDX-License-Identifier: Apache-2.0
// A plan as a partitioner for Inductor.
#include "core/exports/python_calls.h"

namespace remat {

namespace {

Expected<std::string> partitionerOfPlan(const ExportInput &input)
{
    const Graph &graph = input.model.graph;
    auto choice = keptChoice(graph, input.plan);
    if (!choice) return tl::unexpected(choice.error());
    keepOnDevice(*choice);
    drawOnce(graph, *choice);
    readBuffersOnce(input.model, *choice);
    const auto calls = forwardCalls(input.model, *choice);
    if (!calls) return tl::unexpected(calls.error());
    auto predicted = simulate(graph, input.costs, withEarliestFrees(graph, sequenceOf(graph, *choice)));
    if (!predicted) return tl::unexpected(predicted.error());
    auto head = headOfRoute(
        input, *choice,
        {"A partitioner for torch.compile",
         "    from FILE import Partitioner\n"
         "    step = torch.compile(step, options={\"custom_partitioner_fn\": Partitioner()})\n\n"
         "`step` is model and loss in one function, so that there is one graph. Other backends of AOTAutograd take "
         "`partition_fn=Partitioner()`.\n",
         {"Inductor orders and fuses ops by itself, so peak and time are not those predicted, and no budget is "
          "promised.",
          "Inductor's kernels round otherwise than eager's: values agree to rounding, not to the bit."},
         *predicted,
         "import hashlib\nimport operator\nimport warnings\n\nimport torch\nfrom torch._functorch.partitioners import "
         "default_partition\nfrom torch._inductor.custom_graph_pass import CustomPartitionerFn\nfrom "
         "torch.utils.checkpoint import CheckpointPolicy\n"});
    if (!head) return head;
    return *head + pythonTags(*calls) + R"python(

class Partitioner(CustomPartitionerFn):
    """Cuts a joint graph as the plan says."""

    def __call__(self, module, joint_inputs, *, num_fwd_outputs, static_lifetime_input_indices=None, **_):
        tag(module)
        return default_partition(
            module,
            joint_inputs,
            num_fwd_outputs=num_fwd_outputs,
            static_lifetime_input_indices=static_lifetime_input_indices,
        )

    def uuid(self):
        """What Inductor's cache tells plans apart by."""
        return "remat " + hashlib.sha256(repr(CALLS).encode()).hexdigest()
)python";
}

} // namespace

namespace exporter {

const ExportFormat &inductor_partitioner()
{
    static const ExportFormat format = {
        .name = "inductor-partitioner",
        .title = "Inductor partitioner",
        .order = 70,
        .suffix = "py",
        .sentence = "what torch.compile with Inductor keeps for the backward pass; says what is lost of the plan",
        .write = partitionerOfPlan,
        .needsOperators = true,
    };
    return format;
}

} // namespace exporter

} // namespace remat
