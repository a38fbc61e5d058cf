// SPDX-License-Identifier: Apache-2.0
// What remat-run and the program that started it tell each other. The program believes nothing of it.
#include "gpu/run_messages.h"

#include "core/io/plan_text.h"
#include "core/plan/plan_verdict.h"
#include "core/plan/simulator.h"
#include "gpu/run_trust.h"
#include "tests/fuzz/exercise.h"
#include "tests/fuzz/targets/all.h"

namespace remat::fuzz {

namespace {

const Model &smallTrace()
{
    static const Model kModel = readModel(REMAT_FUZZ_DIR "/corpus/trace/good-small.pt2").value();
    return kModel;
}

/// What the window and `remat profile` do with it.
void useProfile(const Profile &said)
{
    const Model &model = knownModel();
    if (!isPossible(said, model.graph.ops.size())) return;
    Profile profile = said;
    profile.fingerprint = model.graph.fingerprint;
    const auto again = parseProfile(profileText(profile, model.graph), "again", model.graph);
    require(again.has_value(), "a profile does not read back: " + (again ? "" : again.error().message));
    require(again->ops.size() == profile.ops.size() && again->aliasMismatches == profile.aliasMismatches,
            "a profile reads back as another");
    if (const auto costs = profileCosts(model.graph, profile, reference()); !costs)
        refusedWith(costs.error().message);
    else if (!simulate(model.graph, *costs, keepAllPlan(model.graph).steps))
        broken("a measured graph cannot be simulated");
}

/// What they do with the record of a run: judge it, and keep it in the plan's file.
void useRecord(const ValidationRecord &record)
{
    if (!isPossible(record)) return;
    const Model &model = knownModel();
    const CostTable costs = referenceCosts(model);
    Plan plan = keepAllPlan(model.graph);
    plan.validated = record;
    const Verdict check = checkPlan(model.graph, costs, plan);
    for (const std::int64_t budgetBytes : {std::int64_t(0), std::int64_t(1), record.measuredPeakBytes}) {
        const PlanVerdict verdict = planVerdict(verdictFacts(plan, check, budgetBytes));
        refusedWith(verdict.title);
        require(verdict.level != VerdictLevel::Ok || budgetBytes == 0 || !verdict.wasRun ||
                    record.measuredPeakBytes <= budgetBytes,
                "over the budget and good");
    }
    const auto again = parsePlan(planText(plan, model.graph), "again", model.graph);
    require(again.has_value(), "a record does not read back: " + (again ? "" : again.error().message));
    require(again->validated && again->validated->measuredPeakBytes == record.measuredPeakBytes &&
                again->validated->sentence == record.sentence,
            "a record reads back as another");
}

} // namespace

bool readRunReply(std::string_view input)
{
    std::optional<RunReply> reply = unpackReply(input);
    if (!reply) return false;
    makeFitToShow(*reply);
    const std::string bytes = pack(*reply);
    const std::optional<RunReply> again = unpackReply(bytes);
    require(again && pack(*again) == bytes, "a reply reads back as another");
    if (const auto *profile = std::get_if<Profile>(&*reply)) useProfile(*profile);
    if (const auto *record = std::get_if<ValidationRecord>(&*reply)) useRecord(*record);
    return true;
}

bool readRunRequest(std::string_view input)
{
    const std::optional<RunRequest> request = unpackRequest(input);
    if (!request) return false;
    const std::string bytes = pack(*request);
    const std::optional<RunRequest> again = unpackRequest(bytes);
    require(again && pack(*again) == bytes, "a request reads back as another");
    return true;
}

std::vector<std::string> runReplies()
{
    RuntimeInfo info;
    info.available = info.cuda = true;
    info.torchVersion = "2.11.0";
    info.cudaTitle = "A GPU";
    info.cudaMemoryBytes = std::int64_t(1) << 37;
    info.protection = "seccomp and Landlock 4";
    Profile profile;
    profile.device = "cpu";
    profile.deviceTitle = "CPU (1 thread)";
    profile.repeats = 3;
    for (std::size_t op = 0; op < knownModel().graph.ops.size(); ++op)
        profile.ops.push_back({1.5 + static_cast<double>(op), 0.25, 64, 9, 1});
    profile.distinctOps = 3;
    profile.spreadLimit = 0.02;
    profile.step = {40, 2, 1};
    profile.link = {{4096, 2, 3}, {1 << 20, 90, 100}};
    profile.clocks = {"performance", 3000, 3400, 0};
    profile.aliasMismatches = {"a1 has memory of its own"};
    ValidationRecord equal;
    equal.passed = equal.peakHolds = equal.lossEqual = true;
    equal.stepsDigest = stepsDigest(keepAllPlan(knownModel().graph).steps);
    equal.sentence = "Loss and 4 gradients equal bit for bit.";
    equal.device = "cpu";
    equal.gradients = equal.gradientsEqual = 4;
    equal.measuredPeakBytes = equal.predictedPeakBytes = equal.measuredKeepAllPeakBytes = 500;
    equal.measuredTimeUs = equal.measuredKeepAllTimeUs = 12.5;
    equal.steps = {{500, 20, 200, 0, 7.25}, {300, 0, 0, 7.25, 12.5}};
    ValidationRecord different = equal;
    different.passed = different.lossEqual = different.peakHolds = false;
    different.gradientsEqual = 3;
    different.largestDifference = 1e300;
    different.differences = {{"loss", 1e300}};
    different.peakReasons = {"f2 needs 1 KiB more workspace than the cost table says."};
    return {pack(RunReply(RunProgress{"Keep-all run", 0.25})),
            pack(RunReply(info)),
            pack(RunReply(profile)),
            pack(RunReply(equal)),
            pack(RunReply(different)),
            pack(RunReply(std::string("Stopped.")))};
}

std::vector<std::string> runRequests()
{
    RunRequest request;
    std::vector<std::string> messages{pack(request)};
    for (const RunJob job : {RunJob::Profile, RunJob::Validate}) {
        request.job = job;
        request.threads = 2;
        request.seed = 7;
        request.repeats = 3;
        request.need = {100, 200, 300};
        request.model = smallTrace();
        request.costs = referenceCosts(request.model);
        request.plan = keepAllPlan(request.model.graph);
        messages.push_back(pack(request));
    }
    return messages;
}

} // namespace remat::fuzz
