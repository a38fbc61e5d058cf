// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"

#include "app/cli/here.h"
#include "app/cli/output.h"

#include "core/base/file.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/chunk/rewrite.h"
#include "core/costs/profile.h"
#include "core/costs/update_costs.h"
#include "core/io/file_kind.h"
#include "core/io/plan_header.h"
#include "core/io/plan_text.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace remat::cli {

int badInput(const Error &error)
{
    say(stderr, "%s\n", printable(error.message).c_str());
    return kBadInput;
}

void printJson(const nlohmann::json &object)
{
    const std::string text = object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
    say(stdout, "%s\n", printableJson(text).c_str());
}

double shareOf(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

void CostFlags::add(CLI::App &command)
{
    auto *deviceFlag = command.add_option("--device", device,
                                          "cost model of this device (a file in resources/devices), or `here`: this "
                                          "machine, whose unknown ops are measured first; default reference");
    auto *profileFlag = command.add_option("--profile", profile, "measured costs, made by `remat profile`");
    deviceFlag->excludes(profileFlag);
}

Expected<Device> namedDevice(const std::string &name)
{
    return findDevice(name.empty() || name == kHere ? "reference" : name);
}

Expected<CostTable> readCosts(const Model &model, const CostFlags &flags, const std::string &deviceName,
                              const std::optional<Profile> &remembered)
{
    auto device = namedDevice(deviceName);
    if (!device) return tl::unexpected(device.error());
    if (!flags.given() && remembered) return profileCosts(model.graph, *remembered, *device);
    if (flags.profile.empty() && flags.device != kHere) return rooflineCosts(model, *device);
    auto profile = flags.device == kHere ? profileHere(model) : readProfile(flags.profile, model.graph);
    if (!profile) return tl::unexpected(profile.error());
    return profileCosts(model.graph, *profile, *device);
}

namespace {

Expected<ModelWithCosts> withCosts(std::unique_ptr<Model> model, const CostFlags &flags, const std::string &deviceName,
                                   const Updates &updates, const std::optional<Profile> &remembered = std::nullopt)
{
    auto costs = readCosts(*model, flags, deviceName, remembered);
    if (!costs) return tl::unexpected(costs.error());
    std::unique_ptr<Model> traced;
    if (updates.given()) {
        auto updated = withUpdates(*model, updates);
        if (!updated) return tl::unexpected(updated.error());
        auto device = namedDevice(deviceName);
        if (!device) return tl::unexpected(device.error());
        *costs = costsWithMore(model->graph, *costs, *updated, *device);
        traced = std::move(model);
        model = std::make_unique<Model>(Model{traced->path, std::move(*updated), std::nullopt});
    }
    auto keepAll = simulate(model->graph, *costs, keepAllPlan(model->graph).steps);
    if (!keepAll) return tl::unexpected(keepAll.error());
    return ModelWithCosts{std::move(model), std::move(*costs), std::move(*keepAll), updates, std::move(traced), {}, {}};
}

/// The model of the model in chunks; `deviceName` as readCosts() takes it.
Expected<ModelWithCosts> chunkedWithCosts(ModelWithCosts subject, const Chunking &chunking, const CostFlags &flags,
                                          const std::string &deviceName)
{
    if (!flags.profile.empty())
        return fail("A profile measured the graph as it is, and knows nothing of its pieces. Write the graph in chunks "
                    "with `remat chunk`, measure that, and plan it; or leave --profile out.");
    auto chunked = chunkedModel(subject.asRead(), chunking);
    if (!chunked) return tl::unexpected(chunked.error());
    chunked->eager = subject.asRead().eager; // pieces compute what their graph computes
    auto result = withCosts(std::make_unique<Model>(std::move(*chunked)), flags, deviceName, subject.updates);
    if (!result) return tl::unexpected(result.error());
    result->from = {chunking, subject.graph().fingerprint};
    result->unchunked = std::move(subject.keepAll);
    return result;
}

Expected<std::unique_ptr<Model>> openModel(const std::string &path)
{
    auto model = readModel(path);
    if (!model) return tl::unexpected(model.error());
    return std::make_unique<Model>(std::move(*model));
}

} // namespace

void ModelWithCosts::planParameters()
{
    model->graph = withPlannedParameters(std::move(model->graph));
    // What could be computed with parameters aside can be computed with them on the device.
    keepAll = *simulate(model->graph, costs, keepAllPlan(model->graph).steps);
}

Expected<ModelWithCosts> openModelWithCosts(const std::string &modelPath, const CostFlags &flags,
                                            const UpdateFlags &updates)
{
    auto model = openModel(modelPath);
    if (!model) return tl::unexpected(model.error());
    return withCosts(std::move(*model), flags, flags.device, updates.updates());
}

Expected<ModelWithCosts> inChunks(ModelWithCosts subject, const Chunking &chunking, const CostFlags &flags)
{
    return chunkedWithCosts(std::move(subject), chunking, flags, flags.device);
}

void sayLacks(const ModelWithCosts &subject)
{
    if (const std::string &lacks = lackedBy(subject.asRead()); !lacks.empty())
        say(stderr, "%s\n", printable(lacks).c_str());
}

int PlanRefusal::report(bool json) const
{
    if (code == kBadInput) return badInput(error);
    if (json)
        printJson({{"ok", false}, {"sentence", error.message}, {"step", -1}});
    else
        say(stdout, "%s\n", printable(error.message).c_str());
    return code;
}

Expected<PlanFile> readPlanFile(const std::string &path)
{
    if (auto right = expectKind(path, FileKind::Plan); !right) return tl::unexpected(right.error());
    Expected<std::string> text = readFile(path, kMaxJsonBytes);
    if (!text) return tl::unexpected(text.error());
    PlanFile file{std::move(*text), std::filesystem::path(path).filename().string(), {}};
    if (auto header = parsePlanHeader(file.text, file.title)) file.header = std::move(*header);
    return file;
}

tl::expected<Plan, PlanRefusal> planOf(const Graph &graph, const PlanFile &file, const ChunkedFrom &from)
{
    auto plan = parsePlan(file.text, file.title, graph, from);
    if (plan) return std::move(*plan);
    const std::string &own = from.given() ? from.fingerprint : graph.fingerprint;
    const bool otherGraph = !file.header.fingerprint.empty() && file.header.fingerprint != own;
    return tl::unexpected(PlanRefusal{plan.error(), otherGraph ? kNo : kBadInput});
}

tl::expected<Plan, PlanRefusal> readPlanOf(const Graph &graph, const std::string &planPath)
{
    const auto file = readPlanFile(planPath);
    if (!file) return tl::unexpected(PlanRefusal{file.error()});
    return planOf(graph, *file);
}

tl::expected<PlanCosts, PlanRefusal> costsOfPlan(const Plan &plan, const Model &model, const CostFlags &flags)
{
    const CostSource &source = plan.costSource;
    PlanCosts costs;
    if (source.kind == "profile" && !flags.given()) costs.remembered = profileRemembered(model, source.device);
    if (source.kind == "profile" && flags.profile.empty() && flags.device != kHere && !costs.remembered) {
        costs.doubt = fmt::format(" The plan was made with a profile{}: name that file with --profile, or times and "
                                  "workspaces are not its own.",
                                  source.device.empty() ? "" : " measured on " + source.device);
        say(stderr, "%s\n", printable(costs.doubt.substr(1)).c_str());
    }
    costs.device = flags.device.empty() ? deviceOf(source) : flags.device;
    if (flags.device.empty() && !costs.device.empty())
        if (const auto known = findDevice(costs.device); !known)
            return tl::unexpected(PlanRefusal{Error{
                known.error().message + " The plan was made with it; name another with --device to judge it by other "
                                        "costs."}});
    return costs;
}

tl::expected<PlanWithCosts, PlanRefusal> openPlanWithCosts(const std::string &modelPath, const std::string &planPath,
                                                           const CostFlags &flags, const UpdateFlags &updates)
{
    auto model = openModel(modelPath);
    if (!model) return tl::unexpected(PlanRefusal{model.error()});
    const auto file = readPlanFile(planPath);
    if (!file) return tl::unexpected(PlanRefusal{file.error()});
    const std::string &fingerprint = file->header.fingerprint;
    Updates held = updates.updates();
    if (updates.optimizer.empty() && !fingerprint.empty()) held = updatesOf(**model, fingerprint);
    auto graph = withUpdates(**model, held);
    if (!graph) return tl::unexpected(PlanRefusal{graph.error()});
    const Chunking &chunking = file->header.chunking;
    ChunkedFrom from;
    if (!chunking.regions.empty() && fingerprint == graph->fingerprint) {
        const auto chunked = chunkedModel(**model, chunking);
        if (!chunked) return tl::unexpected(PlanRefusal{chunked.error(), kNo});
        graph = withUpdates(*chunked, held);
        if (!graph) return tl::unexpected(PlanRefusal{graph.error()});
        from = {chunking, fingerprint};
    }
    auto plan = planOf(*graph, *file, from);
    if (!plan) {
        PlanRefusal refusal = plan.error();
        if (refusal.code == kNo && updates.updates().given() && updatesOf(**model, fingerprint).given())
            refusal.error.message += " It is of this model with other updates in its step: leave --optimizer out.";
        return tl::unexpected(refusal);
    }
    auto costs = costsOfPlan(*plan, **model, flags);
    if (!costs) return tl::unexpected(costs.error());
    auto subject = withCosts(std::move(*model), flags, costs->device, held, costs->remembered);
    if (subject && from.given()) subject = chunkedWithCosts(std::move(*subject), chunking, flags, costs->device);
    if (!subject) return tl::unexpected(PlanRefusal{subject.error()});
    if (plan->parametersPlanned) subject->planParameters();
    return PlanWithCosts{std::move(*subject), std::move(*plan), std::move(costs->doubt)};
}

} // namespace remat::cli
