// SPDX-License-Identifier: Apache-2.0
#include "solvers/ilp/helper_process.h"

#include "core/base/child_process.h"
#include "core/base/resources.h"
#include "solvers/ilp/clp_model.h"
#include "solvers/ilp/helper_messages.h"
#include "solvers/ilp/in_process.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace remat::ilp {

namespace {

constexpr int kPollMs = 10;
/// For a helper that was asked to stop: linear programs end at once, presolve and cut generation only when they are
/// done. One that has a solution gets more time to hand it over.
constexpr double kGraceSeconds = 0.3, kGraceWithSolutionSeconds = 0.8;

/// Room for a solution of the model, and nothing much beyond it. How often the helper tells how far it is, is its own
/// affair: that ends with the limits.
ChildProgram helperFor(const Model &model, const std::string &path)
{
    ChildProgram program;
    program.path = path;
    program.arguments = {"--serve"};
    program.mostFrameBytes = 1024 + model.objective.size() * sizeof(double);
    program.mostBytes = std::numeric_limits<std::size_t>::max();
    return program;
}

bool isNonsense(const Progress &progress)
{
    return std::isnan(progress.incumbent) || std::isnan(progress.bound);
}

/// A solution is believed when it is one. That there is none, and bounds, cannot be checked; they are at least numbers.
Solution believed(const Model &model, Solution told)
{
    const bool claimed = told.status == Status::Optimal || told.status == Status::Feasible;
    const bool known = claimed || told.status == Status::Infeasible || told.status == Status::Stopped;
    if (!known || claimed != told.found() || (claimed && !(violation(model, told.x) <= kTolerance))) return {};
    told.objective = claimed ? objectiveOf(model, told.x) : kInfinity;
    told.bound = std::isnan(told.bound) ? -kInfinity : std::min(told.bound, told.objective);
    told.iterations = std::max<std::int64_t>(told.iterations, 0);
    return told;
}

/// Passes on what the helper tells until it has answered, has ended, or has to be given up. Nothing when it refused the
/// request.
std::optional<Solution> listen(ChildProcess &helper, const Model &model, const Limits &limits)
{
    const Meter meter{limits};
    std::optional<Deadline> patience;
    double bound = -kInfinity;
    bool running = true, found = false;
    while (running && !(patience && patience->passed())) {
        if (!patience && meter.shouldStop()) {
            patience = Deadline(found ? kGraceWithSolutionSeconds : kGraceSeconds);
            helper.send({&kStopByte, 1}, *patience);
        }
        running = helper.receive(kPollMs);
        std::optional<Progress> latest;
        while (const std::optional<std::string> message = helper.takeFrame()) {
            std::optional<HelperReply> reply = unpackReply(*message);
            if (reply && reply->solution) return believed(model, *std::move(reply->solution));
            if (!reply || !reply->progress || isNonsense(*reply->progress)) continue;
            latest = reply->progress;
            bound = std::max(bound, latest->bound);
            found = found || latest->incumbent < kInfinity;
        }
        if (latest && limits.progress) limits.progress(*latest);
    }
    if (!running && helper.end(kGraceSeconds).exitCode == kRefusedRequest) return std::nullopt;
    return Solution{patience ? Status::Stopped : Status::Failed, {}, kInfinity, bound};
}

} // namespace

std::string helperProgram()
{
    if (const char *set = std::getenv("REMAT_CBC")) return set;
    return helperProgramPath("remat-cbc").string();
}

std::optional<Solution> solveInHelper(const Model &model, const Limits &limits)
{
    if (Meter{limits}.shouldStop()) return Solution{Status::Stopped, {}, kInfinity, -kInfinity};
    const std::string program = helperProgram();
    if (program.empty()) return std::nullopt;
    Expected<ChildProcess> helper = ChildProcess::start(helperFor(model, program));
    if (!helper) return std::nullopt;
    // What it did not take shows in how it ends, or in that it does not.
    helper->send(framed(pack(model, limits)), limits.deadline, limits.stop);
    return listen(*helper, model, limits);
}

} // namespace remat::ilp
