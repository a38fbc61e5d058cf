// SPDX-License-Identifier: Apache-2.0
// remat doctor: what is installed, what the device does, and the execution suite on it; a report that can be sent.
#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "app/cli/number_option.h"
#include "app/cli/output.h"
#include "app/cli/progress_bar.h"
#include "app/cli/python_side.h"
#include "app/cli/run_flags.h"

#include "core/base/resources.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/costs/device.h"
#include "core/io/report_json.h"
#include "gpu/torch_location.h"
#include "solvers/cp/cp_sat.h"
#include "solvers/interface/solver.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>

namespace remat::cli {

namespace {

struct DoctorFlags {
    RunFlags run;
    Output output;
    std::vector<std::string> samples, solvers;
    std::string peer, model; ///< `--against` and what it runs
    double planSeconds = 2;
    bool noPlans = false, json = false;
};

/// Becomes the package's part that runs a model of the user's plainly and by a peer. Returns only where that fails.
int runAgainst(const DoctorFlags &flags)
{
    if (flags.model.empty())
        return badInput({fmt::format("Name the model after the peer: remat doctor --against {} MODEL.py:make, where "
                                     "make() returns model, arguments and loss.",
                                     flags.peer)});
    std::vector<std::string> arguments{"doctor", "--against", flags.peer};
    if (flags.json) arguments.emplace_back("--json");
    arguments.insert(arguments.end(), {"--", flags.model});
    return becomePython(arguments, "torch",
                        "It is PyTorch: install it in a virtual environment, activate that, and ask again.");
}

const std::vector<std::string> kSamples = {"tiny_gpt2", "tiny_resnet", "tiny_unet", "tiny_transformer"};
const std::vector<std::string> kPlanners = {"hiremate", "chen-sqrt", "dtr", "pofo", "poet", "offload-greedy-star"};
constexpr SamplingLimits kSampling{2}; ///< for workspaces; times need not be exact

ReportFinding program(const std::string &title, const std::string &name, const std::string &what)
{
    const std::filesystem::path path = helperProgramPath(name);
    if (path.empty()) return {title, false, fmt::format("{} is not beside this program: {}", name, what)};
    return {title, true, path.string()};
}

std::vector<ReportFinding> findings(const RuntimeInfo &runtime, const DeviceFindings &device, RunDevice wanted)
{
    std::vector<ReportFinding> found;
    found.push_back(program("Qt", "remat-studio", "no window. Build with Qt 6.4 or newer."));
    found.push_back(program("Graphviz", "remat-layout", "graphs are not drawn. Run ./packaging/run."));
    found.push_back(program("CBC", "remat-cbc", "planners that solve integer programs have no helper."));
    const Expected<TorchPlace> torch = chooseTorch(torchPlaces());
    found.push_back(
        {"LibTorch", runtime.available,
         !runtime.available ? runtime.sentence : runtime.torchVersion + (torch ? ", " + torch->folder.string() : "")});
    if (runtime.available) found.push_back({"Sandbox of runs", !runtime.protection.empty(), runtime.protection});
    const Expected<cp::Helper> cpSat = cp::findHelper();
    found.push_back({"CP-SAT", cpSat.has_value(), cpSat ? cpSat->program : cpSat.error().message});
    const bool module = device.module.starts_with("built");
    found.push_back({"CUDA module", module, device.module});
    if (wanted != RunDevice::Cuda) return found;
    const CudaFound &cuda = device.cuda;
    const auto version = [](int number) {
        return number > 0 ? fmt::format("{}.{}", number / 1000, number % 1000 / 10) : "none";
    };
    found.push_back(
        {"NVIDIA driver", cuda.driverVersion > 0,
         cuda.driverVersion > 0 ? fmt::format("for CUDA {} or older", version(cuda.driverVersion)) : cuda.sentence});
    found.push_back({"GPU", cuda.usable,
                     cuda.usable ? fmt::format("{}, {}, {} of {} free", cuda.title, cuda.architecture,
                                               formatBytes(cuda.freeBytes, Rounding::Down),
                                               formatBytes(cuda.memoryBytes, Rounding::Down))
                                 : cuda.sentence});
    found.push_back({"LibTorch on the GPU", runtime.cuda, runtime.cuda ? "yes" : runtime.sentence});
    return found;
}

std::string now()
{
    const std::time_t time = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&time, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M UTC", &parts);
    return text.data();
}

/// Real plans on the device; each outcome goes into the report.
class Suite
{
public:
    Suite(const DoctorFlags &flags, ProgressBar &bar, Report &report) : m_flags(flags), m_bar(bar), m_report(report) {}

    Expected<void> run()
    {
        for (const std::string &sample : m_flags.samples)
            if (auto done = runSample(sample); !done) return done;
        return {};
    }

private:
    Expected<void> runSample(const std::string &sample)
    {
        auto model = readModel((resourceDir() / "samples" / (sample + ".pt2")).string());
        if (!model) return tl::unexpected(model.error());
        // Costs of this machine: workspaces are then known, and peaks hold to the byte.
        const RunDevice profiled = m_flags.run.runDevice() == RunDevice::Cuda ? RunDevice::Cuda : RunDevice::Cpu;
        const auto profile = profileModel(*model, profiled, kSampling, context());
        if (!profile) return tl::unexpected(profile.error());
        const auto link = findDevice("reference");
        if (!link) return tl::unexpected(link.error());
        auto costs = profileCosts(model->graph, *profile, *link);
        if (!costs) return tl::unexpected(costs.error());
        const auto keepAll = simulate(model->graph, *costs, keepAllPlan(model->graph).steps);
        if (!keepAll) return tl::unexpected(keepAll.error());
        for (const std::string &solver : m_flags.solvers) {
            // 70 %, 50 %, and the smallest that the planner reaches, in steps of 10 %.
            for (const int least : {70, 50, 20}) {
                Expected<Plan> plan = fail("no plan");
                int percent = least;
                for (; !plan && percent <= (least == 20 ? 90 : least); percent += 10)
                    plan = planAt(solver, *model, *costs, keepAll->peakBytes * percent / 100);
                if (!plan && stopOnInterrupt().stopRequested()) return fail("Stopped.");
                if (!plan) continue; // the planner has none there: no fault of the device
                if (auto done = runPlan(*model, *costs, solver, *plan, keepAll->peakBytes); !done) return done;
            }
        }
        return {};
    }

    Expected<Plan> planAt(const std::string &solver, const Model &model, const CostTable &costs, std::int64_t budget)
    {
        const auto planner = findPlanner(solver);
        if (!planner) return tl::unexpected(planner.error());
        auto options = makeOptions((*planner)->info.options, {});
        if (!options) return tl::unexpected(options.error());
        SolveRequest request;
        request.graph = &model.graph;
        request.costs = &costs;
        if (model.program) request.program = &*model.program;
        request.options = std::move(*options);
        request.budgetBytes = budget;
        SolveContext solving;
        solving.deadline = Deadline(m_flags.planSeconds);
        solving.stop = &stopOnInterrupt();
        m_bar.show(fmt::format("{} on {}", solver, model.graph.name), 0, "");
        auto outcome = solve(**planner, request, solving);
        if (!outcome) return tl::unexpected(outcome.error());
        if (!outcome->plan) return fail(solver + " has no plan.");
        return std::move(*outcome->plan);
    }

    Expected<void> runPlan(const Model &model, const CostTable &costs, const std::string &solver, const Plan &plan,
                           std::int64_t keepAllPeak)
    {
        RunContext running = context();
        running.memory = m_flags.run.runDevice() == RunDevice::Cpu ? MemoryMode::Allocator : MemoryMode::Arena;
        const auto record = validatePlan(model, costs, plan, m_flags.run.runDevice(), running);
        if (stopOnInterrupt().stopRequested()) return fail("Stopped.");
        ReportRun run;
        run.model = model.graph.name;
        run.planner = solver;
        run.budgetBytes = plan.budgetBytes;
        run.budgetShare = shareOf(plan.budgetBytes, keepAllPeak);
        if (record) {
            run.equal = record->lossEqual && record->differences.empty() && record->excused.empty();
            // At planned addresses everything is ours, so the peak is the predicted one to the byte; but on a GPU
            // kernels pad what they make.
            const bool simulated = m_flags.run.runDevice() == RunDevice::Simulated;
            const bool exact = !simulated || (record->measuredPeakBytes == record->predictedPeakBytes &&
                                              record->heightBytes == record->plannedHeightBytes);
            run.passed = record->passed && exact;
            run.measuredPeakBytes = record->measuredPeakBytes;
            run.predictedPeakBytes = record->predictedPeakBytes;
            run.heightBytes = record->heightBytes;
            run.plannedHeightBytes = record->plannedHeightBytes;
            run.measuredUs = record->measuredTimeUs;
            run.predictedUs = record->predictedTimeUs;
            run.keepAllUs = record->measuredKeepAllTimeUs;
            run.sentence = record->sentence;
            m_report.title = record->deviceTitle;
        } else {
            run.sentence = record.error().message;
        }
        m_report.runs.push_back(std::move(run));
        return {};
    }

    RunContext context() const { return m_flags.run.context(m_bar); }

    const DoctorFlags &m_flags;
    ProgressBar &m_bar;
    Report &m_report;
};

void judge(Report &report, const std::string &deviceMissing)
{
    const auto failedChecks =
        std::count_if(report.checks.begin(), report.checks.end(), [](const ReportCheck &c) { return !c.passed; });
    const auto failedRuns =
        std::count_if(report.runs.begin(), report.runs.end(), [](const ReportRun &r) { return !r.passed; });
    report.passed = deviceMissing.empty() && failedChecks == 0 && failedRuns == 0 && !report.checks.empty();
    const auto of = [](auto failed, std::size_t all, const char *what) {
        return formatCount(static_cast<std::int64_t>(all) - failed) + " of " +
               formatCount(static_cast<std::int64_t>(all)) + " " + what;
    };
    if (!deviceMissing.empty())
        report.verdict = deviceMissing;
    else
        report.verdict =
            fmt::format("{}{} passed.", of(failedChecks, report.checks.size(), "checks of the device"),
                        report.runs.empty() ? std::string() : " and " + of(failedRuns, report.runs.size(), "plans"));
}

void print(const Report &report, const Output &output)
{
    std::FILE *to = output.notes();
    say(to, "Found\n");
    for (const ReportFinding &found : report.found)
        say(to, "  %-3s %-20s %s\n", found.there ? "yes" : "no", found.name.c_str(), printable(found.text).c_str());
    if (!report.checks.empty()) say(to, "Device %s\n", report.device.c_str());
    for (const ReportCheck &check : report.checks)
        say(to, "  %-6s %s%s%s\n", check.passed ? "passed" : "FAILED", printable(check.name).c_str(),
            check.passed ? "" : ": ", printable(check.sentence).c_str());
    if (report.linkBytesPerSecond > 0)
        say(to, "  link   %s\n", linkText({report.linkBytesPerSecond, report.linkLatencyUs}).c_str());
    if (report.overlapBothUs > 0) {
        const double longer = std::max(report.overlapCopyUs, report.overlapComputeUs);
        say(to, "  beside a copy of %s and compute of %s took %s together, %s of the longer one\n",
            formatTimeUs(report.overlapCopyUs).c_str(), formatTimeUs(report.overlapComputeUs).c_str(),
            formatTimeUs(report.overlapBothUs).c_str(), formatShare(report.overlapBothUs / longer).c_str());
    }
    if (!report.runs.empty()) say(to, "Plans\n");
    for (const ReportRun &run : report.runs)
        say(to, "  %-6s %-17s %-20s %4s  %s\n", run.passed ? "passed" : "FAILED", printable(run.model).c_str(),
            run.planner.c_str(), formatShare(run.budgetShare).c_str(),
            run.passed ? "" : printable(run.sentence).c_str());
    say(to, "%s\n", printable(report.verdict).c_str());
    if (output.given() && !output.isStandard()) say(to, "  saved  %s\n", printable(output.path).c_str());
}

int runDoctor(DoctorFlags flags)
{
    if (!flags.peer.empty()) return runAgainst(flags);
    if (!flags.model.empty())
        return badInput({"remat doctor takes a model only with --against PEER; without it, it looks at this machine."});
    if (auto ready = flags.output.check({}, flags.json); !ready) return badInput(ready.error());
    for (const std::string &sample : flags.samples)
        if (std::find(kSamples.begin(), kSamples.end(), sample) == kSamples.end())
            return badInput(
                {fmt::format("--samples names {}, which is none of the small samples.", printable(sample))});
    for (const std::string &solver : flags.solvers)
        if (auto planner = findPlanner(solver); !planner) return badInput(planner.error());

    Report report;
    report.made = now();
    report.device = flags.run.device;
    report.title = flags.run.device;
    const RunDevice wanted = flags.run.runDevice();
    const auto link = findDevice("reference");
    if (!link) return badInput(link.error());
    std::string missing;
    {
        ProgressBar bar;
        const RunContext context = flags.run.context(bar);
        const auto device = examineDevice(wanted, link->linkBytesPerSecond, link->linkLatencyUs, context);
        if (!device) return badInput(device.error());
        const RuntimeInfo runtime = runtimeInfo(context.gpu);
        report.found = findings(runtime, *device, wanted);
        for (const DeviceCheck &check : device->checks)
            report.checks.push_back({check.name, check.passed, check.sentence});
        for (const LinkSpeed &speed : device->link)
            report.copies.push_back({speed.bytes, speed.toHostUs, speed.toDeviceUs});
        const LinkFit fit = fitLink(device->link);
        report.linkBytesPerSecond = fit.bytesPerSecond;
        report.linkLatencyUs = fit.latencyUs;
        report.overlapCopyUs = device->overlap.copyUs;
        report.overlapComputeUs = device->overlap.computeUs;
        report.overlapBothUs = device->overlap.bothUs;
        if (!device->cuda.title.empty()) report.title = device->cuda.title;
        missing = device->sentence;
        if (missing.empty() && !flags.noPlans && (!runtime.available || (wanted == RunDevice::Cuda && !runtime.cuda)))
            missing = runtime.sentence;
        if (missing.empty() && !flags.noPlans)
            if (auto done = Suite(flags, bar, report).run(); !done) missing = done.error().message;
    }
    judge(report, missing);
    const std::string text = reportText(report);
    if (auto written = flags.output.write(text); !written) return badInput(written.error());
    if (flags.json)
        printJson(nlohmann::json::parse(text));
    else
        print(report, flags.output);
    return report.passed ? kDone : kNo;
}

void addDoctor(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<DoctorFlags>();
    flags->samples = kSamples;
    flags->solvers = kPlanners;
    CLI::App *command = app.add_subcommand(
        "doctor", "what is installed, what the device does, and real plans on it; writes a report to send");
    flags->run.add(*command);
    command->add_option("--samples", flags->samples, "which of the small samples, with commas; default all four")
        ->delimiter(',');
    command->add_option("--planner,--solver", flags->solvers, "planners, with commas; default six of different kinds")
        ->delimiter(',')
        ->type_name("A,B"); // short, so that the text still stands in its column
    addNumber(*command, "--plan-seconds", flags->planSeconds, 0.1, 3600, "seconds for each plan")->default_str("2");
    command
        ->add_option("--against", flags->peer,
                     "runs MODEL in plain PyTorch and with this peer, and compares gradients, peak and time: inductor, "
                     "aot_eager, checkpoint, or budget=0.5 for the partitioner of torch.compile")
        ->type_name("PEER");
    command->add_option("MODEL", flags->model, "FILE.py:FUNCTION that returns model, arguments and loss");
    command->add_flag("--no-plans", flags->noPlans, "looks at the machine and the device only");
    flags->output.add(*command, "report to write (.json), for a person to send");
    command->add_flag("--json", flags->json, "print the report as one JSON object");
    command->callback([flags, &action] { action = [flags] { return runDoctor(*flags); }; });
}

} // namespace

const Command &command::doctor()
{
    static const Command command = {.order = 190, .add = addDoctor};
    return command;
}

} // namespace remat::cli
