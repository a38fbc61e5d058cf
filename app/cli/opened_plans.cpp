// SPDX-License-Identifier: Apache-2.0
#include "app/cli/opened_plans.h"

#include "app/cli/here.h"
#include "app/cli/output.h"

#include "core/base/text.h"
#include "core/chunk/rewrite.h"

#include <fmt/core.h>

namespace remat::cli {

namespace {

std::string nameOf(const CostSource &source)
{
    return source.device.empty() ? source.kind : fmt::format("{} {}", source.kind, source.device);
}

tl::expected<std::shared_ptr<const CostedModel>, Error> withCosts(Model model, const std::string &path,
                                                                  const CostFlags &flags, const PlanCosts &costs)
{
    auto device = namedDevice(costs.device);
    if (!device) return tl::unexpected(device.error());
    auto open = openModel(std::move(model), path, *device);
    if (!open) return tl::unexpected(open.error());
    CostChoice choice{*device, nullptr, {}};
    if (!flags.profile.empty() || flags.device == kHere) {
        const Model &opened = *(*open)->model;
        auto profile = flags.device == kHere ? profileHere(opened) : readProfile(flags.profile, opened.graph);
        if (!profile) return tl::unexpected(profile.error());
        choice.profile = std::make_shared<const Profile>(std::move(*profile));
    } else if (costs.remembered) {
        choice.profile = std::make_shared<const Profile>(*costs.remembered);
    }
    return costModel(std::move(*open), choice);
}

/// The model in the chunks of the plans, which must be the same for all: figures of other graphs are not compared.
tl::expected<Model, PlanRefusal> inChunksOf(const std::vector<PlanFile> &files, Model model)
{
    if (files.empty()) return model;
    for (const PlanFile &file : files) {
        if (file.header.chunking == files.front().header.chunking) continue;
        return tl::unexpected(PlanRefusal{Error{fmt::format(
            "{} runs the graph in other chunks than {}, so its ops are others. Compare plans of the same chunks.",
            file.title, files.front().title)}});
    }
    auto chunked = chunkedModel(model, files.front().header.chunking);
    if (!chunked) return tl::unexpected(PlanRefusal{chunked.error(), kNo});
    return std::move(*chunked);
}

} // namespace

tl::expected<OpenedPlans, PlanRefusal> openPlans(const std::string &modelPath,
                                                 const std::vector<std::string> &planPaths, const CostFlags &flags)
{
    auto model = readModel(modelPath);
    if (!model) return tl::unexpected(PlanRefusal{model.error()});
    std::vector<PlanFile> files;
    for (const std::string &path : planPaths) {
        auto file = readPlanFile(path);
        if (!file) return tl::unexpected(PlanRefusal{file.error()});
        files.push_back(std::move(*file));
    }
    const std::string traced = model->graph.fingerprint;
    auto chunked = inChunksOf(files, std::move(*model));
    if (!chunked) return tl::unexpected(chunked.error());
    std::vector<std::shared_ptr<const Plan>> plans;
    for (const PlanFile &file : files) {
        auto plan = planOf(chunked->graph, file, {file.header.chunking, traced});
        if (!plan) return tl::unexpected(plan.error());
        plans.push_back(std::make_shared<const Plan>(std::move(*plan)));
    }
    PlanCosts costs{flags.device, {}, {}};
    if (!plans.empty()) {
        auto own = costsOfPlan(*plans.front(), *chunked, flags);
        if (!own) return tl::unexpected(own.error());
        costs = std::move(*own);
    }
    for (std::size_t i = 1; i < plans.size() && !flags.given(); ++i) {
        const std::string first = nameOf(plans.front()->costSource), other = nameOf(plans[i]->costSource);
        if (first != other)
            say(stderr, "%s was made with other costs (%s): all are judged by those of %s (%s).\n",
                printable(planPaths[i]).c_str(), printable(other).c_str(), printable(planPaths.front()).c_str(),
                printable(first).c_str());
    }
    auto costed = withCosts(std::move(*chunked), modelPath, flags, costs);
    if (!costed) return tl::unexpected(PlanRefusal{costed.error()});

    OpenedPlans opened{std::move(*costed), {}};
    for (std::size_t i = 0; i < plans.size(); ++i) {
        auto entry = makePlanEntry(*opened.model, plans[i], static_cast<int>(i) + 1, planPaths[i], false);
        const std::string problem = !entry                ? entry.error().message
                                    : (*entry)->check->ok ? ""
                                                          : (*entry)->check->sentence;
        if (!problem.empty())
            return tl::unexpected(PlanRefusal{{fmt::format("{}: {}{}", planPaths[i], problem, costs.doubt)}, kNo});
        opened.plans.push_back(std::move(*entry));
    }
    return opened;
}

} // namespace remat::cli
