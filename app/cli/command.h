// SPDX-License-Identifier: Apache-2.0
// What all commands share: how they are registered, how they end, what they print with.
#pragma once

#include "app/cli/update_flags.h"
#include "core/base/expected.h"
#include "core/costs/cost_table.h"
#include "core/costs/profile.h"
#include "core/graph/model.h"
#include "core/io/plan_header.h"
#include "core/plan/plan.h"
#include "core/plan/simulator.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace remat::cli {

/// Exit codes of every command: done; the answer is no; wrong call or bad input.
enum ExitCode { kDone = 0, kNo = 1, kBadInput = 2 };

/// Set by the command that was called; main() runs it after parsing.
using Action = std::function<int()>;

/// A command: a file of commands/ that defines `const Command &command::<file name>()`.
struct Command {
    int order = 0;                                        ///< help shows commands by rising order
    void (*add)(CLI::App &app, Action &action) = nullptr; ///< adds it to the program
};

namespace command {
#define REMAT_COMMAND(name) const Command &name();
#include "command_list.inc"
#undef REMAT_COMMAND
} // namespace command

/// All commands by `order`.
std::vector<const Command *> commands();

/// Prints the sentence to standard error and returns kBadInput.
int badInput(const Error &error);

/// One JSON object on standard output. Names that are not UTF-8 are replaced, never thrown at.
void printJson(const nlohmann::json &object);

/// 0 of nothing.
double shareOf(std::int64_t part, std::int64_t whole);

/// `--device NAME`, `--device here` or `--profile FILE`; neither means the device `reference`.
struct CostFlags {
    std::string device;
    std::string profile;

    void add(CLI::App &command);
    bool given() const { return !device.empty() || !profile.empty(); }
};

/// A model with its costs and its keep-all figures: what nearly every command starts from.
struct ModelWithCosts {
    std::unique_ptr<Model> model;
    CostTable costs;
    Simulation keepAll;
    Updates updates;                     ///< that the graph holds
    std::unique_ptr<Model> traced;       ///< the model as it was read, where the graph holds updates
    ChunkedFrom from = {};               ///< where the graph is in chunks
    std::optional<Simulation> unchunked; ///< keep-all of the graph as it was traced, where this one is in chunks

    const Graph &graph() const { return model->graph; }
    /// What percent are of: keep-all without chunks.
    const Simulation &base() const { return unchunked ? *unchunked : keepAll; }
    /// What runs, with `updates`.
    const Model &asRead() const { return traced ? *traced : *model; }
    /// From now on parameters count and are planned, keep-all figures included.
    void planParameters();
};

/// With updates the graph holds them, and the model has no program any more: a trace knows nothing of them.
Expected<ModelWithCosts> openModelWithCosts(const std::string &modelPath, const CostFlags &flags,
                                            const UpdateFlags &updates = {});

/// The model with its graph in chunks; percent stay those of the graph as it was traced. Fails as chunkedModel()
/// does, and where costs are measured: a profile knows nothing of pieces.
Expected<ModelWithCosts> inChunks(ModelWithCosts subject, const Chunking &chunking, const CostFlags &flags);

/// Says on standard error what the file left open and what stands in its place, where there is something.
void sayLacks(const ModelWithCosts &subject);

/// The costs that the flags ask for; `deviceName` empty is `reference`. `remembered` counts where the flags name
/// nothing.
Expected<CostTable> readCosts(const Model &model, const CostFlags &flags, const std::string &deviceName,
                              const std::optional<Profile> &remembered = std::nullopt);

/// The device of that name, for the link and for what is not measured: `reference` where it is empty or `here`.
Expected<Device> namedDevice(const std::string &name);

/// Opens model and plan; the costs are the ones the plan was made with, unless flags say otherwise: the same device,
/// the same host link beside a profile. Updates are those of the flags, else those that the plan's graph holds. When
/// the plan was made with a profile and none is given, times are of a device and the plan's own figures are not
/// compared; standard error says so.
struct PlanWithCosts {
    ModelWithCosts subject;
    Plan plan;
    /// What a refusal may be owed to: that the plan's profile is missing. Empty, or begins with a space.
    std::string doubt;
};

/// Why there is no PlanWithCosts: bad input, or a sound plan for another graph, which is a "no" (kNo).
struct PlanRefusal {
    Error error;
    ExitCode code = kBadInput;

    /// Says so: a "no" is an answer and goes to standard output, as JSON if asked for. Returns the exit code.
    int report(bool json) const;
};

/// A plan's file, read once: it may be a pipe.
struct PlanFile {
    std::string text, title;
    PlanHeader header; ///< empty where the text is no plan
};
Expected<PlanFile> readPlanFile(const std::string &path);

/// The file's plan of the graph; `from` where that is in chunks.
tl::expected<Plan, PlanRefusal> planOf(const Graph &graph, const PlanFile &file, const ChunkedFrom &from = {});
/// Reads a plan of the graph.
tl::expected<Plan, PlanRefusal> readPlanOf(const Graph &graph, const std::string &planPath);

/// Which costs a plan is judged by, as PlanWithCosts says.
struct PlanCosts {
    std::string device;                ///< name; empty for `reference`
    std::string doubt;                 ///< see PlanWithCosts
    std::optional<Profile> remembered; ///< the profile of the device that the plan was made for, where nobody names one
};
tl::expected<PlanCosts, PlanRefusal> costsOfPlan(const Plan &plan, const Model &model, const CostFlags &flags);

tl::expected<PlanWithCosts, PlanRefusal> openPlanWithCosts(const std::string &modelPath, const std::string &planPath,
                                                           const CostFlags &flags, const UpdateFlags &updates = {});

} // namespace remat::cli
