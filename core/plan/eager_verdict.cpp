// SPDX-License-Identifier: Apache-2.0
#include "core/plan/eager_verdict.h"

#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>
#include <fmt/core.h>

namespace remat {

namespace {

constexpr int kDigits = 3;
constexpr double kNoNumber = 1e30; ///< what the tracer writes for a difference that is no number

std::string sizeOf(double relative, const Words &words)
{
    return relative < kNoNumber ? shortNumber(relative, kDigits) : words("PlanVerdict", "beyond numbers");
}

std::string nameOf(const EagerTensor &tensor, const Words &words)
{
    const std::string name = quotedName(tensor.name);
    if (tensor.kind == "gradient") return filled(words("PlanVerdict", "gradient of %1"), {name});
    if (tensor.kind == "buffer") return filled(words("PlanVerdict", "buffer %1"), {name});
    return tensor.name == "loss" ? words("PlanVerdict", "loss") : name;
}

/// The tensor of the largest difference, without an explanation or with one.
const EagerTensor *worst(const EagerComparison &comparison, bool explained)
{
    const EagerTensor *found = nullptr;
    for (const EagerTensor &tensor : comparison.tensors) {
        if (tensor.equal || tensor.explainedBy.empty() == explained) continue;
        // What is no number differs more than any number.
        if (!found || !(tensor.relative <= found->relative)) found = &tensor;
    }
    return found;
}

std::string different(const EagerComparison &comparison, const Words &words)
{
    std::string text = words("PlanVerdict", "The graph is not what PyTorch computes");
    if (const auto &op = comparison.firstOp) {
        text += filled(words("PlanVerdict", ": op %1 (%2)"), {quotedName(op->name), op->operatorName});
        if (!op->module.empty()) text += filled(words("PlanVerdict", " in %1"), {quotedName(op->module)});
        if (!op->line.empty()) text += fmt::format(" [{}]", op->line);
    }
    if (const EagerTensor *tensor = worst(comparison, false))
        text += filled(words("PlanVerdict", ", %1, relative difference %2"),
                       {nameOf(*tensor, words), sizeOf(tensor->relative, words)});
    return text + words("PlanVerdict", ". Do not train with a plan of it.");
}

std::string explained(const EagerComparison &comparison, const Words &words)
{
    std::string text = words("PlanVerdict", "The graph is what PyTorch computes, but for what is explained");
    if (const EagerTensor *tensor = worst(comparison, true))
        text += filled(words("PlanVerdict", ": %1 (%2, relative difference %3)"),
                       {nameOf(*tensor, words), tensor->explainedBy, sizeOf(tensor->relative, words)});
    return text + ".";
}

std::string equal(const EagerComparison &comparison, const Words &words)
{
    return filled(
        words("PlanVerdict", "The graph is what PyTorch computes: all %1 tensors of one step are equal, bit for bit."),
        {formatCount(static_cast<std::int64_t>(comparison.tensors.size()))});
}

/// What the tracer has to add, such as numbers of plain PyTorch's next step that are not finite.
std::string added(const EagerComparison &comparison)
{
    return comparison.why.empty() ? std::string() : " " + comparison.why;
}

std::string verdictSentence(const Model &model, const Words &words)
{
    switch (model.eager.verdict) {
    case EagerVerdict::Different:
        return different(model.eager, words);
    case EagerVerdict::Explained:
        return explained(model.eager, words) + added(model.eager);
    case EagerVerdict::Equal:
        return equal(model.eager, words) + added(model.eager);
    case EagerVerdict::NotCompared:
        break;
    }
    if (!model.eager.why.empty())
        return fmt::format("{} {}", words("PlanVerdict", "No comparison with plain PyTorch stands behind this graph."),
                           model.eager.why);
    return words("PlanVerdict", "Nobody has compared this graph with plain PyTorch; "
                                "`python -m remat_studio.trace --compare always` does.");
}

} // namespace

std::string eagerSentence(const Model &model, const Words &given)
{
    if (!model.program) return {};
    const std::string verdict = verdictSentence(model, orEnglish(given));
    return model.eager.batch.empty() ? verdict : fmt::format("{} {}", verdict, model.eager.batch);
}

bool eagerDiffers(const Model &model)
{
    return model.program && model.eager.verdict == EagerVerdict::Different;
}

} // namespace remat
