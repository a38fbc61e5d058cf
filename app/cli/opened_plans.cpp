#include "app/cli/opened_plans.h"

#include "app/cli/output.h"

#include "core/base/text.h"

namespace remat::cli {

namespace {

std::string nameOf(const CostSource &source)
{
    return source.device.empty() ? source.kind : source.kind + ' ' + source.device;
}

tl::expected<std::shared_ptr<const CostedModel>, Error> withCosts(Model model, const std::string &path,
                                                                  const CostFlags &flags, const std::string &deviceName)
{
    auto device = findDevice(deviceName.empty() ? "reference" : deviceName);
    if (!device) return tl::unexpected(device.error());
    auto open = openModel(std::move(model), path, *device);
    if (!open) return tl::unexpected(open.error());
    CostChoice choice{*device, nullptr, {}};
    if (!flags.profile.empty()) {
        auto profile = readProfile(flags.profile, (*open)->model->graph);
        if (!profile) return tl::unexpected(profile.error());
        choice.profile = std::make_shared<const Profile>(std::move(*profile));
    }
    return costModel(std::move(*open), choice);
}

} // namespace

tl::expected<OpenedPlans, PlanRefusal> openPlans(const std::string &modelPath,
                                                 const std::vector<std::string> &planPaths, const CostFlags &flags)
{
    auto model = readModel(modelPath);
    if (!model) return tl::unexpected(PlanRefusal{model.error()});
    std::vector<std::shared_ptr<const Plan>> plans;
    for (const std::string &path : planPaths) {
        auto plan = readPlanOf(model->graph, path);
        if (!plan) return tl::unexpected(plan.error());
        plans.push_back(std::make_shared<const Plan>(std::move(*plan)));
    }
    PlanCosts costs{flags.device, {}};
    if (!plans.empty()) {
        auto own = costsOfPlan(*plans.front(), flags);
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
    auto costed = withCosts(std::move(*model), modelPath, flags, costs.device);
    if (!costed) return tl::unexpected(PlanRefusal{costed.error()});

    OpenedPlans opened{std::move(*costed), {}};
    for (std::size_t i = 0; i < plans.size(); ++i) {
        auto entry = makePlanEntry(*opened.model, plans[i], static_cast<int>(i) + 1, planPaths[i], false);
        const std::string problem = !entry                ? entry.error().message
                                    : (*entry)->check->ok ? ""
                                                          : (*entry)->check->sentence;
        if (!problem.empty()) return tl::unexpected(PlanRefusal{{planPaths[i] + ": " + problem + costs.doubt}, kNo});
        opened.plans.push_back(std::move(*entry));
    }
    return opened;
}

} // namespace remat::cli
