// SPDX-License-Identifier: Apache-2.0
#include "core/exports/kept_choice.h"

#include "core/base/memory_units.h"
#include "core/base/units.h"
#include "core/exports/python_literals.h"
#include "core/exports/quoted.h"

#include <algorithm>
#include <fmt/core.h>
#include <set>
#include <utility>

namespace remat {

namespace {

constexpr double kSavesNothing = 0.98; ///< a share of the keep-all peak: what is above it is no saving

std::string times(std::size_t count, const std::string &one, const std::string &many)
{
    return count == 1 ? "One " + one : fmt::format("{} {}", formatCount(static_cast<std::int64_t>(count)), many);
}

void sayWhatIsLost(const Graph &graph, const Plan &plan, KeptChoice &choice)
{
    std::vector<int> computed(graph.ops.size(), 0);
    std::size_t early = 0, often = 0, last = 0;
    bool begun = false, reordered = false;
    for (const Step &step : plan.steps) {
        if (step.kind != StepKind::Compute) continue;
        const std::size_t at = step.op.index();
        begun |= at >= choice.border;
        if (++computed[at] == 1) {
            reordered |= at < last;
            last = std::max(last, at);
        } else {
            if (!begun) ++early;
            if (computed[at] == 3) ++often;
        }
    }
    if (often > 0)
        choice.lost.push_back(
            times(often, "op is", "ops are") +
            " computed three times or more in the plan; here a value is computed again once, and held "
            "until its last use.");
    if (early > 0)
        choice.lost.push_back(times(early, "computation is", "computations are") +
                              " repeated before the backward pass begins in the plan; here nothing is.");
    if (reordered)
        choice.lost.emplace_back("The plan has an order of its own; here ops run in the order of the model.");
    if (plan.parametersPlanned)
        choice.lost.emplace_back("The plan moves parameters to host memory; here they stay on the device.");
}

/// Keeps all that these forward ops make, and returns how many storages that are more.
template <typename Rule>
std::size_t keepWhatIsMadeBy(const Graph &graph, const Rule &applies, KeptChoice &choice)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < choice.border; ++i) {
        if (!applies(OpId(i))) continue;
        for (const StorageId output : graph.ops[i].outputs) {
            if (choice.onHost[output.index()] != 0 || choice.kept[output.index()] != 0) continue;
            choice.kept[output.index()] = 1;
            ++count;
        }
    }
    return count;
}

/// Per op whether it reads a buffer that has another value after the step.
std::vector<char> readersOfWrittenBuffers(const Program &program, std::size_t opCount)
{
    std::set<std::string> written;
    for (const ProgramOutput &output : program.outputs)
        if (output.kind == OutputKind::BufferMutation) written.insert(output.target);
    std::vector<char> isWritten(program.values.size(), 0), found(opCount, 0);
    for (const ProgramInput &input : program.inputs)
        if (written.count(input.fqn) != 0) isWritten[input.value.index()] = 1;
    for (const Node &node : program.nodes)
        for (const NamedArgument &argument : node.arguments)
            if (const auto *value = std::get_if<ValueId>(&argument.value))
                if (node.op && *value && isWritten[value->index()] != 0) found[node.op.index()] = 1;
    return found;
}

} // namespace

Expected<KeptChoice> keptChoice(const Graph &graph, const Plan &plan)
{
    KeptChoice choice;
    const auto first =
        std::find_if(graph.ops.begin(), graph.ops.end(), [](const Op &op) { return op.phase == Phase::Backward; });
    if (first == graph.ops.end())
        return fail(graph.name +
                    " has no backward pass, so there is nothing to keep for one. Trace a training step, or "
                    "export the plan in another form.");
    choice.border = static_cast<std::size_t>(first - graph.ops.begin());
    choice.kept.assign(graph.storages.size(), 0);
    choice.onHost.assign(graph.storages.size(), 0);
    for (const Step &step : plan.steps) {
        if (step.kind == StepKind::Compute) {
            if (step.op.index() >= choice.border) break;
            for (const StorageId output : graph.op(step.op).outputs)
                choice.kept[output.index()] = 1;
        } else if (step.kind == StepKind::Free) {
            choice.kept[step.storage.index()] = 0;
        } else {
            choice.onHost[step.storage.index()] = 1;
            if (step.kind == StepKind::Prefetch) choice.kept[step.storage.index()] = 1;
        }
    }
    for (std::size_t i = 0; i < graph.storages.size(); ++i) {
        const Storage &storage = graph.storages[i];
        const bool isForward = storage.producer && storage.producer.index() < choice.border;
        choice.kept[i] = isForward && (choice.kept[i] != 0 || storage.isOutput) ? 1 : 0;
        choice.onHost[i] = isForward && choice.onHost[i] != 0 && choice.kept[i] == 0 ? 1 : 0;
    }
    sayWhatIsLost(graph, plan, choice);
    return choice;
}

void drawOnce(const Graph &graph, KeptChoice &choice)
{
    const auto draws = [&](OpId op) { return graph.op(op).random; };
    const std::size_t count = keepWhatIsMadeBy(graph, draws, choice);
    if (count > 0)
        choice.lost.push_back(times(count, "result", "results") +
                              " of random ops that the plan computes again stay, since none is drawn again here.");
}

void readBuffersOnce(const Model &model, KeptChoice &choice)
{
    if (!model.program) return;
    const std::vector<char> readers = readersOfWrittenBuffers(*model.program, model.graph.ops.size());
    const auto reads = [&](OpId op) { return readers[op.index()] != 0; };
    const std::size_t count = keepWhatIsMadeBy(model.graph, reads, choice);
    if (count > 0)
        choice.lost.push_back(times(count, "result", "results") +
                              " of norms and others that read what the step overwrites, such as running averages, "
                              "stay; the plan computes them again.");
}

void keepOnDevice(KeptChoice &choice)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < choice.kept.size(); ++i) {
        if (choice.onHost[i] == 0) continue;
        choice.onHost[i] = 0;
        choice.kept[i] = 1;
        ++count;
    }
    if (count > 0)
        choice.lost.push_back(times(count, "value that goes", "values that go") +
                              " to host memory in the plan stay on the device.");
}

std::vector<OpId> sequenceOf(const Graph &graph, const KeptChoice &choice)
{
    std::vector<char> present(choice.kept.size(), 0);
    for (std::size_t i = 0; i < present.size(); ++i)
        present[i] = choice.kept[i] != 0 || choice.onHost[i] != 0;
    const auto isMissing = [&](StorageId storage) {
        const OpId producer = graph.storage(storage).producer;
        return producer && producer.index() < choice.border && present[storage.index()] == 0;
    };
    std::vector<OpId> sequence;
    for (std::size_t i = 0; i < graph.ops.size(); ++i) {
        if (i >= choice.border) {
            std::vector<OpId> again, open = {OpId(i)};
            while (!open.empty()) {
                const Op &op = graph.op(open.back());
                open.pop_back();
                for (const StorageId input : op.inputs) {
                    if (!isMissing(input)) continue;
                    const OpId producer = graph.storage(input).producer;
                    for (const StorageId output : graph.op(producer).outputs)
                        present[output.index()] = 1;
                    again.push_back(producer);
                    open.push_back(producer);
                }
            }
            std::sort(again.begin(), again.end());
            sequence.insert(sequence.end(), again.begin(), again.end());
        }
        sequence.emplace_back(i);
    }
    return sequence;
}

std::vector<Step> withCopies(const Graph &graph, const KeptChoice &choice, const std::vector<Step> &steps)
{
    const auto border = std::find_if(steps.begin(), steps.end(), [&](const Step &step) {
        return step.kind == StepKind::Compute && step.op.index() >= choice.border;
    });
    std::vector<char> readLater(graph.storages.size(), 0);
    for (auto step = border; step != steps.end(); ++step)
        if (step->kind == StepKind::Compute)
            for (const StorageId input : graph.op(step->op).inputs)
                readLater[input.index()] = 1;
    std::vector<std::size_t> lastUse(graph.storages.size(), 0);
    for (std::size_t i = 0; i < choice.border; ++i)
        for (const std::vector<StorageId> &used : {graph.ops[i].inputs, graph.ops[i].outputs})
            for (const StorageId storage : used)
                lastUse[storage.index()] = i;

    std::vector<Step> result;
    const auto leave = [&](const std::vector<StorageId> &used, OpId op) {
        for (const StorageId storage : used) {
            const std::size_t s = storage.index();
            if (choice.onHost[s] == 0 || readLater[s] == 0 || lastUse[s] != op.index()) continue;
            result.push_back(Step::offload(storage));
            result.push_back(Step::free(storage));
            readLater[s] = 2; // away
        }
    };
    for (auto step = steps.begin(); step != steps.end(); ++step) {
        const bool computes = step->kind == StepKind::Compute;
        if (computes && step >= border)
            for (const StorageId input : graph.op(step->op).inputs)
                if (std::exchange(readLater[input.index()], 1) == 2) result.push_back(Step::prefetch(input));
        result.push_back(*step);
        if (!computes || step >= border) continue;
        leave(graph.op(step->op).inputs, step->op);
        leave(graph.op(step->op).outputs, step->op);
    }
    return result;
}

Expected<std::string> headOfRoute(const ExportInput &input, const KeptChoice &choice, const RouteText &text)
{
    auto planned = simulatePlan(input.model.graph, input.costs, input.plan);
    if (!planned) return tl::unexpected(planned.error());
    auto keepAll = simulate(input.model.graph, input.costs, keepAllPlan(input.model.graph).steps);
    if (!keepAll) return tl::unexpected(keepAll.error());
    const auto overhead = [&](double timeUs) { return keepAll->timeUs > 0 ? timeUs / keepAll->timeUs - 1 : 0.0; };
    const auto figures = [&](const Simulation &of) {
        return fmt::format("{} at {} overhead", formatMemory(of.peakBytes), formatShare(overhead(of.timeUs)));
    };
    const auto entry = [&](const char *name, const Simulation &of) {
        return fmt::format("    \"{}\": {{\"peak_bytes\": {}, \"overhead\": {}}},\n", name, of.peakBytes,
                           python::number(overhead(of.timeUs)));
    };
    std::vector<std::string> lost = choice.lost;
    lost.insert(lost.end(), text.lost.begin(), text.lost.end());
    const bool savesNothing =
        static_cast<double>(text.predicted.peakBytes) > kSavesNothing * static_cast<double>(keepAll->peakBytes);
    if (savesNothing)
        lost.insert(
            lost.begin(),
            fmt::format(
                "This file saves nothing: with it the step holds {}, without it {}. Export the plan in another form.",
                formatMemory(text.predicted.peakBytes), formatMemory(keepAll->peakBytes)));
    std::string head = fmt::format("\"\"\"{} for {}.\n\n", text.title, inDocstring(input.model.graph.name));
    head += fmt::format("The plan of {} takes {}, what this file makes of it {},\nby the simulator; without a plan it "
                        "is {}. LOST says what of the plan is lost.\n\n{}{}\"\"\"\n\n{}\n",
                        inDocstring(input.plan.origin.solver), figures(*planned), figures(text.predicted),
                        formatMemory(keepAll->peakBytes),
                        savesNothing ? inDocstring(lost.front()) + "\n\n" : std::string(), text.use, text.imports);
    head +=
        fmt::format("FINGERPRINT = {}  # of the graph that was planned\n", pythonQuoted(input.model.graph.fingerprint));
    head += fmt::format("PREDICTED = {{\n{}{}{}}}\n", entry("plan", *planned), entry("here", text.predicted),
                        entry("keep_all", *keepAll));
    head += "LOST = (\n";
    if (input.figures) *input.figures = {text.predicted.peakBytes, overhead(text.predicted.timeUs), lost};
    for (const std::string &sentence : lost)
        head += fmt::format("    {},\n", pythonQuoted(sentence));
    return head + ")\n";
}

} // namespace remat
