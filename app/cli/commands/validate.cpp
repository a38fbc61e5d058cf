// SPDX-License-Identifier: Apache-2.0
// remat validate: runs a plan for real and compares it with keep-all; the verdict goes into the plan file.
#include "app/cli/again.h"
#include "app/cli/command.h"
#include "app/cli/here.h"
#include "app/cli/number_option.h"
#include "app/cli/output.h"
#include "app/cli/progress_bar.h"
#include "app/cli/run_flags.h"
#include "app/cli/solve_flags.h"
#include "core/base/memory_units.h"

#include "core/base/budget.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/base/writable.h"
#include "core/io/plan_text.h"
#include "core/io/validation_json.h"
#include "core/plan/measured.h"
#include "core/plan/plan_verdict.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace remat::cli {

namespace {

struct ValidateFlags {
    std::string model, plan;
    std::string profile;
    RunFlags run;
    UpdateFlags updates;
    std::string memory, reference, deviceMemory;
    int repeats = 1;
    bool skipsCpu = false, again = false, json = false;

    /// Devices with memory of their own have planned addresses unless told otherwise.
    bool arena() const { return memory.empty() ? run.device != "cpu" : memory == "arena"; }
};

constexpr std::size_t kMostGaps = 5;
constexpr int kMostRounds = 3; ///< the most rounds of `--again`
/// For the plan that takes keep-all's place.
constexpr double kReferenceSeconds = 10;
constexpr const char *kReferencePlanner = "auto";

/// A plan that keeps as much as nine tenths of the room hold; no steps where the planner finds none.
Expected<std::vector<Step>> planWithin(const ModelWithCosts &subject, const Plan &plan, std::int64_t room,
                                       ProgressBar &bar)
{
    bar.show("A plan to compare with, since keep-all does not fit", -1, "");
    SolveFlags flags;
    if (plan.parametersPlanned) flags.set = {"parameters=on"};
    const Expected<ChosenPlanner> chosen = flags.choose(kReferencePlanner);
    if (!chosen) return tl::unexpected(chosen.error());
    SolveRequest request;
    request.graph = &subject.graph();
    request.costs = &subject.costs;
    if (subject.model->program) request.program = &*subject.model->program;
    request.options = chosen->options;
    request.budgetBytes = room / 10 * 9;
    SolveContext context = flags.context();
    context.deadline = Deadline(kReferenceSeconds);
    const Expected<SolveOutcome> outcome = solve(*chosen->planner, request, context);
    if (!outcome) return tl::unexpected(outcome.error());
    return outcome->plan ? outcome->plan->steps : std::vector<Step>();
}

/// Another plan to compare with, where the device has no room for keep-all: the one that was named, or one made for
/// that.
Expected<std::vector<Step>> referenceSteps(const ValidateFlags &flags, const ModelWithCosts &subject, const Plan &plan,
                                           const RunContext &context, ProgressBar &bar)
{
    if (!flags.reference.empty()) {
        const Expected<Plan> named = readPlan(flags.reference, subject.graph());
        if (!named) return tl::unexpected(named.error());
        if (named->parametersPlanned == plan.parametersPlanned) return named->steps;
        return fail(flags.reference + " counts parameters where the plan does not, or the other way round.");
    }
    const Graph graph = plan.parametersPlanned ? withPlannedParameters(subject.graph()) : subject.graph();
    const Expected<Simulation> keepAll = simulate(graph, subject.costs, keepAllPlan(graph).steps);
    if (!keepAll) return tl::unexpected(keepAll.error());
    const auto room = roomForPlans(subject.asRead(), graph, subject.costs, plan.steps, flags.run.runDevice(), context);
    if (!room) return tl::unexpected(room.error());
    if (*room < 0 || keepAll->peakBytes <= *room) return std::vector<Step>();
    return planWithin(subject, plan, *room, bar);
}

/// Where run and prediction are apart. Times of another device's cost table are no prediction for this one.
MeasuredGaps gapsOf(const ModelWithCosts &subject, const Plan &plan)
{
    const Graph graph = plan.parametersPlanned ? withPlannedParameters(subject.graph()) : subject.graph();
    const Expected<Simulation> simulated = simulate(graph, subject.costs, plan.steps);
    const std::vector<StepMeasurement> *measured = measuredSteps(plan);
    if (!simulated || !measured) return {};
    MeasuredGaps gaps = measuredGaps(graph, subject.costs, plan.steps, *simulated, *measured, kMostGaps);
    if (subject.costs.source.kind != "profile") gaps.time.clear();
    return gaps;
}

nlohmann::json toJson(const MeasuredGaps &gaps, const Graph &graph, const Plan &plan)
{
    nlohmann::json memory = nlohmann::json::array(), time = nlohmann::json::array();
    for (const MemoryGap &gap : gaps.memory)
        memory.push_back({{"step", gap.step},
                          {"op", graph.op(gap.op).name},
                          {"bytes", gap.bytes},
                          {"workspace_bytes", gap.workspaceBytes},
                          {"made_bytes", gap.madeBytes},
                          {"held_bytes", gap.heldBytes()},
                          {"sentence", gapSentence(graph, gap)}});
    for (const TimeGap &gap : gaps.time)
        time.push_back({{"step", gap.step},
                        {"title", stepTitle(graph, plan.steps[gap.step])},
                        {"measured_us", gap.measuredUs},
                        {"predicted_us", gap.predictedUs}});
    return {{"memory", memory}, {"time", time}};
}

void print(const MeasuredGaps &gaps, const Graph &graph, const Plan &plan)
{
    if (gaps.memory.empty() && gaps.time.empty()) return;
    say(stdout, "Where measured and predicted are apart the most\n");
    for (const MemoryGap &gap : gaps.memory)
        say(stdout, "  memory      step %s: %s\n", formatCount(static_cast<std::int64_t>(gap.step)).c_str(),
            printable(gapSentence(graph, gap)).c_str());
    for (const TimeGap &gap : gaps.time)
        say(stdout, "  time        step %s: %s took %s, predicted %s\n",
            formatCount(static_cast<std::int64_t>(gap.step)).c_str(),
            printable(stepTitle(graph, plan.steps[gap.step])).c_str(), formatTimeUs(gap.measuredUs).c_str(),
            formatTimeUs(gap.predictedUs).c_str());
}

/// As the plan file has it, but for what is said of the whole, and without the steps.
nlohmann::ordered_json toJson(const ValidationRecord &record, const PlanVerdict &verdict)
{
    nlohmann::ordered_json object = validationJson(record);
    object["verdict"] = levelName(verdict.level);
    object["sentence"] = verdict.sentence;
    object["torch"] = record.torchVersion;
    object.erase("torch_version");
    object.erase("steps");
    if (!record.cpu.done) object["cpu"] = nullptr;
    if (record.chunks.done)
        object["chunks"]["near"] = record.chunks.near();
    else
        object["chunks"] = nullptr;
    // As text: JSON's numbers are not exact to 64 bits everywhere.
    object["checksums"] = nlohmann::ordered_json::object();
    for (const TensorChecksum &checksum : record.checksums)
        object["checksums"][checksum.name] = std::to_string(checksum.sum);
    return object;
}

void print(const ValidationRecord &record, const PlanVerdict &verdict)
{
    say(stdout, "%s on %s\n  %s\n", record.passed ? "Validated" : verdict.title.c_str(),
        printable(record.deviceTitle).c_str(), printable(verdict.sentence).c_str());
    // Where keep-all did not run, the sentence says what did.
    const bool keepAll = record.reference == ReferenceKind::KeepAll;
    const auto beside = [&](const std::string &figure) {
        return keepAll ? "; keep-all measured " + figure : std::string();
    };
    say(stdout, "  peak        measured %s, predicted %s%s\n", formatMemory(record.measuredPeakBytes).c_str(),
        formatMemory(record.predictedPeakBytes).c_str(), beside(formatMemory(record.measuredKeepAllPeakBytes)).c_str());
    if (record.heightBytes > 0) {
        const double unused =
            1 - static_cast<double>(record.measuredPeakBytes) / static_cast<double>(record.heightBytes);
        say(stdout, "  addresses   %s high%s, fragmentation %s; %s in host memory\n",
            formatMemory(record.heightBytes).c_str(), record.memory == "arena" ? " as planned" : ", as room was found",
            formatShare(unused, Rounding::Up).c_str(), formatBytes(record.hostBytes, Rounding::Up).c_str());
    }
    say(stdout, "  time        measured %s, predicted %s%s\n", formatTimeUs(record.measuredTimeUs).c_str(),
        formatTimeUs(record.predictedTimeUs).c_str(), beside(formatTimeUs(record.measuredKeepAllTimeUs)).c_str());
    for (const TensorDifference &difference : record.differences)
        say(stdout, "  %s differs by %g at most\n", printable(difference.name).c_str(), difference.largestDifference);
}

/// Runs the plan and remembers what its ops took on this machine.
Expected<ValidationRecord> runOnce(const ValidateFlags &flags, const ModelWithCosts &subject, const Plan &plan)
{
    ProgressBar bar;
    RunContext context = flags.run.context(bar);
    context.updates = subject.updates;
    context.memory = flags.arena() ? MemoryMode::Arena : MemoryMode::Allocator;
    context.repeats = flags.repeats;
    context.compareWithCpu = !flags.skipsCpu;
    if (!flags.deviceMemory.empty()) {
        const auto bytes = parseBudget(flags.deviceMemory, subject.keepAll.peakBytes);
        if (!bytes) return tl::unexpected(bytes.error());
        context.simulated.memoryBytes = *bytes;
    }
    std::optional<Model> whole;
    if (subject.from.given()) {
        auto read = readModel(flags.model);
        if (!read) return tl::unexpected(read.error());
        context.whole = &whole.emplace(std::move(*read));
        context.pieces = mostPieces(subject.from.chunking);
    }
    auto reference = referenceSteps(flags, subject, plan, context, bar);
    if (!reference) return tl::unexpected(reference.error());
    context.reference = std::move(*reference);
    auto record = validatePlan(subject.asRead(), subject.costs, plan, flags.run.runDevice(), context);
    if (record) rememberRun(subject.asRead(), subject.graph(), plan.steps, *record);
    return record;
}

/// Plans for what was measured, until a run ends within the budget or a plan is none the better for it. What the last
/// run holds beyond its own prediction is left free the next time.
Expected<ValidationRecord> runAgain(const ValidateFlags &flags, PlanWithCosts &opened, ValidationRecord record)
{
    std::int64_t margin = 0;
    for (int round = 0; round < kMostRounds && bytesOver(record, opened.plan) > 0; ++round) {
        say(stderr, "The run held %s more than the budget: planning again for what was measured.\n",
            formatBytes(bytesOver(record, opened.plan), Rounding::Up).c_str());
        auto plan = planAgain(opened.subject, opened.plan, record, margin);
        if (!plan) {
            say(stderr, "%s\n", printable(plan.error().message).c_str());
            break;
        }
        auto next = runOnce(flags, opened.subject, *plan);
        if (!next) return next;
        margin += bytesOver(*next, *plan);
        opened.plan = std::move(*plan);
        record = std::move(*next);
    }
    return record;
}

int runValidate(const ValidateFlags &flags)
{
    CostFlags costs;
    costs.profile = flags.profile;
    auto opened = openPlanWithCosts(flags.model, flags.plan, costs, flags.updates);
    if (!opened) return opened.error().report(flags.json);
    ModelWithCosts &subject = opened->subject;
    Verdict found = checkPlan(subject.graph(), subject.costs, opened->plan);
    if (!found.ok) {
        const std::string sentence = found.sentence + opened->doubt;
        if (flags.json)
            printJson({{"passed", false}, {"sentence", sentence}, {"step", found.step}});
        else
            say(stdout, "%s\n", printable(sentence).c_str());
        return kNo;
    }
    auto record = runOnce(flags, subject, opened->plan);
    if (record && flags.again) {
        record = runAgain(flags, *opened, std::move(*record));
        found = checkPlan(subject.graph(), subject.costs, opened->plan);
    }
    if (!record) return badInput(record.error());

    opened->plan.validated = *record;
    Expected<void> saved;
    if (!std::filesystem::is_regular_file(flags.plan))
        saved = fail(flags.plan + " is no file that could keep it."); // a pipe
    else
        saved = checkWritable(flags.plan);
    if (saved) saved = writeFileAtomically(flags.plan, planText(opened->plan, subject.graph(), subject.from));
    VerdictFacts facts = verdictFacts(opened->plan, found);
    facts.model = &subject.asRead();
    const PlanVerdict verdict = planVerdict(facts);
    const MeasuredGaps gaps = gapsOf(subject, opened->plan);
    if (flags.json) {
        nlohmann::ordered_json object = toJson(*record, verdict);
        object["gaps"] = toJson(gaps, subject.graph(), opened->plan);
        object["saved"] = saved.has_value();
        printJson(object);
    } else {
        print(*record, verdict);
        print(gaps, subject.graph(), opened->plan);
    }
    if (!saved)
        badInput({"The verdict is not in the plan: " + saved.error().message}); // the answer stands all the same
    return record->passed ? kDone : kNo;
}

void addValidate(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<ValidateFlags>();
    CLI::App *command =
        app.add_subcommand("validate", "runs the plan, and compares loss, gradients, peak and time with keep-all");
    command->add_option("MODEL", flags->model, "trace (.pt2)")->required();
    command
        ->add_option("PLAN", flags->plan,
                     "plan (.json), into which the verdict is written. If that fails, verdict and reason are printed. "
                     "The exit code is the verdict's")
        ->required();
    flags->run.add(*command);
    flags->updates.add(*command);
    command
        ->add_option("--memory", flags->memory,
                     "`arena`: everything lies at its planned address in one block; `allocator`: everything lies where "
                     "there is room. Default allocator on the CPU, else arena")
        ->check(CLI::IsMember({"arena", "allocator"}));
    addWhole(*command, "--repeat", flags->repeats, 1, 1000,
             "how often the plan runs in the same memory, which may not grow")
        ->default_str(std::to_string(flags->repeats));
    command->add_option("--reference", flags->reference,
                        "plan (.json) to compare with where keep-all does not fit the device; without it one is made");
    command->add_option("--device-memory", flags->deviceMemory,
                        "memory of the simulated device: `4GiB`, or `60%` of the keep-all peak");
    command->add_flag(
        "--again", flags->again,
        "if the run goes over the budget: plans again with what was measured, runs that plan, and writes it to PLAN");
    command->add_flag("--skip-cpu", flags->skipsCpu,
                      "skips the comparison with a run on the CPU, which other devices get");
    command->add_option("--profile", flags->profile, "the profile the plan was made with");
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runValidate(*flags); }; });
}

} // namespace

const Command &command::validate()
{
    static const Command command = {.order = 130, .add = addValidate};
    return command;
}

} // namespace remat::cli
