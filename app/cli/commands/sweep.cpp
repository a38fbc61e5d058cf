// SPDX-License-Identifier: Apache-2.0
// remat sweep: several planners over many budgets, as one table.
#include "app/cli/chunk_flag.h"
#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/planner_bars.h"
#include "app/cli/python_side.h"
#include "app/cli/settings.h"
#include "app/cli/solve_flags.h"
#include "core/base/bound_share.h"
#include "core/base/memory_units.h"

#include "core/base/budget_list.h"
#include "core/base/file.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/base/writable.h"
#include "core/io/plan_text.h"
#include "solvers/tools/has_option.h"
#include "solvers/uses/sweep_csv.h"
#include "solvers/uses/sweep_in_chunks.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

namespace remat::cli {

namespace {

struct SweepFlags {
    std::string model, budgets, plans, dask;
    Output output;
    std::string solvers = planners().front()->info.name;
    SolveFlags solve;
    CostFlags costs;
    UpdateFlags updates;
    ChunkFlag chunk;
    bool json = false, lines = false;
};

/// The planners of `A,B`, or every one there is for `all`; each once.
Expected<std::vector<const Planner *>> plannersOf(const std::string &names)
{
    if (names == "all") return planners();
    std::vector<const Planner *> chosen;
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ',');) {
        const Expected<const Planner *> planner = findPlanner(name);
        if (!planner) return tl::unexpected(planner.error());
        if (std::find(chosen.begin(), chosen.end(), *planner) == chosen.end()) chosen.push_back(*planner);
    }
    if (chosen.empty()) return fail("--planner names no planner. `remat solvers` lists them.");
    return chosen;
}

/// Each planner with its options: `KEY=VALUE` is for all that have the option, `PLANNER.KEY=VALUE` for one.
Expected<std::vector<SweepEntry>> entriesOf(const SweepFlags &flags)
{
    const Expected<std::vector<const Planner *>> chosen = plannersOf(flags.solvers);
    if (!chosen) return tl::unexpected(chosen.error());
    const Expected<std::map<std::string, std::string>> settings = parseSettings(flags.solve.set);
    if (!settings) return tl::unexpected(settings.error());
    std::map<std::string, std::map<std::string, std::string>> forAll, own; // by planner
    for (const auto &[key, value] : *settings) {
        const std::size_t dot = key.find('.');
        bool known = false;
        for (const Planner *planner : *chosen) {
            const std::string &name = planner->info.name;
            const bool meant = dot == std::string::npos ? hasOption(*planner, key) : key.substr(0, dot) == name;
            if (!meant) continue;
            (dot == std::string::npos ? forAll : own)[name][key.substr(dot + 1)] = value; // npos + 1 is 0
            known = true;
        }
        if (!known)
            return fail("--set {} is for none of the planners of --planner. `remat solvers` lists the keys of each; "
                        "write KEY=VALUE for all that have it, or PLANNER.KEY=VALUE for one.",
                        key);
    }
    std::vector<SweepEntry> entries;
    for (const Planner *planner : *chosen) {
        std::map<std::string, std::string> &set = own[planner->info.name];
        set.merge(forAll[planner->info.name]);
        setForUpdates(*planner, flags.updates.updates(), set);
        Expected<OptionSet> options = makeOptions(planner->info.options, set);
        if (!options) return tl::unexpected(options.error());
        entries.push_back({planner, std::move(*options)});
    }
    return entries;
}

/// Finds out before hours of planning whether there is a place for what comes out.
Expected<void> checkOutputs(const SweepFlags &flags)
{
    if (flags.lines && flags.output.isStandard())
        return fail("--lines and -o - both want standard output. Name a file with -o, or leave --lines out.");
    if (auto ready = flags.output.check({flags.model, flags.costs.profile}, flags.json); !ready) return ready;
    if (flags.plans.empty()) return {};
    std::error_code error;
    std::filesystem::create_directories(flags.plans, error);
    if (!std::filesystem::is_directory(flags.plans))
        return fail("The folder {} for the plans cannot be made: {}.", flags.plans, error.message());
    return checkWritable(std::filesystem::path(flags.plans) / "plan.json");
}

std::string noteOf(const SweepProgress &progress, const ModelWithCosts &subject)
{
    if (progress.done == progress.total) return "";
    std::string note = formatMemory(progress.budgetBytes);
    if (!progress.solve.activity.empty()) note += "  " + progress.solve.activity;
    if (progress.solve.incumbentTimeUs >= 0 && subject.keepAll.timeUs > 0)
        note += "  best " + formatShare(progress.solve.incumbentTimeUs / subject.keepAll.timeUs - 1);
    return note;
}

/// The file of a plan, which says the chunks that it is for; `of` is null for a plan of the graph as it is.
std::string fileText(const SweepRequest &request, const Plan &plan, const ChunkedModel *of)
{
    if (!of || of->chunking.regions.empty()) return planText(plan, *request.graph);
    return planText(plan, of->model->graph, {of->chunking, request.graph->fingerprint});
}

/// A plan that was just made, with its file, for a program that waits for it: see readSweepLine().
void printLine(const SweepRequest &request, const SweepPoint &point, const ChunkedModel *of)
{
    const nlohmann::json line{{"planner", request.entries[point.entry].planner->info.name},
                              {"budget_bytes", point.budgetBytes},
                              {"status", statusName(point)},
                              {"message", point.message},
                              {"plan", point.plan ? nlohmann::json(fileText(request, *point.plan, of)) : nullptr}};
    say(stdout, "%s\n", line.dump().c_str());
    std::fflush(stdout);
}

/// Each plan in its chunks: as `--chunk auto` finds them, or all in the same.
Expected<ChunkedSweep> sweptInChunks(const SweepRequest &request, const SweepFlags &flags,
                                     const ModelWithCosts &subject, const ChunkedSweepListener &listener)
{
    const auto setting = chunkSetting(subject, flags.costs, flags.chunk);
    if (!setting) return tl::unexpected(setting.error());
    const Model &model = subject.asRead();
    Chunking named;
    if (!flags.chunk.isAuto()) {
        auto found = chunkingByName(flags.chunk.text, model, *setting);
        if (!found) return tl::unexpected(found.error());
        named = std::move(*found);
    }
    const ChunkPlanner one = [&](const Planner &planner, const SolveRequest &asked, const SolveContext &context) {
        return flags.chunk.isAuto() ? planInChunks(planner, model, *setting, asked, context)
                                    : planChunking(planner, model, named, *setting, asked, context);
    };
    return sweepInChunks(request, one, flags.solve.context(), listener);
}

Expected<ChunkedSweep> plan(const SweepRequest &request, const SweepFlags &flags, const ModelWithCosts &subject)
{
    std::vector<std::string> names;
    names.reserve(request.entries.size());
    for (const SweepEntry &entry : request.entries)
        names.push_back(entry.planner->info.name);
    PlannerBars bars(std::move(names));
    const ChunkedSweepListener listener = [&](const SweepProgress &progress, const ChunkedModel *of) {
        if (flags.lines && progress.finished) printLine(request, *progress.finished, of);
        bars.show(progress.entry, progress.done, progress.total, noteOf(progress, subject));
    };
    if (flags.chunk.given()) return sweptInChunks(request, flags, subject, listener);
    auto made = sweep(request, flags.solve.context(), [&](const SweepProgress &p) { listener(p, nullptr); });
    if (!made) return tl::unexpected(made.error());
    return ChunkedSweep{std::move(*made), {}};
}

Expected<std::vector<std::string>> writePlans(const SweepRequest &request, const ChunkedSweep &made,
                                              const SweepFlags &flags)
{
    std::vector<std::string> files(made.sweep.points.size());
    const std::string stem = std::filesystem::path(flags.model).stem().string();
    for (std::size_t i = 0; i < files.size() && !flags.plans.empty(); ++i) {
        const SweepPoint &point = made.sweep.points[i];
        if (!point.plan) continue;
        const ChunkedModel *of = i < made.of.size() ? &made.of[i] : nullptr;
        const std::filesystem::path path =
            std::filesystem::path(flags.plans) /
            (fmt::format("{}-{}-{}.json", stem, request.entries[point.entry].planner->info.name, point.budgetBytes));
        if (isSameFile(path, flags.model) || isSameFile(path, flags.costs.profile))
            return fail("The plan {} would replace an input. Name another folder with --plans.", path.string());
        if (const auto written = writeFileAtomically(path, fileText(request, *point.plan, of)); !written)
            return tl::unexpected(written.error());
        files[i] = path.string();
    }
    return files;
}

void print(std::FILE *to, const SweepRequest &request, const Sweep &made)
{
    say(to, "keep-all peak %s%s, time %s; overheads are over that time, bounds hold in this order\n",
        formatMemory(made.keepAllPeakBytes).c_str(), request.graph->parametersPlanned ? " (parameters included)" : "",
        formatTimeUs(made.keepAllTimeUs).c_str());
    std::size_t shown = request.entries.size();
    for (const SweepPoint &point : made.points) {
        if (point.entry != shown) say(to, "%s\n", request.entries[point.entry].planner->info.name.c_str());
        shown = point.entry;
        say(to, "  %s of the peak", formatMemoryShare(shareOf(point.budgetBytes, made.keepAllPeakBytes)).c_str());
        if (point.plan)
            say(to, "  peak %s  overhead %s  bound %s  %s  %s\n",
                formatMemoryShare(shareOf(point.plan->predicted.peakBytes, made.keepAllPeakBytes)).c_str(),
                formatShare(point.overhead).c_str(), formatBoundShare(point.boundOverhead, point.overhead).c_str(),
                statusName(point), formatTimeUs(point.seconds * 1e6).c_str());
        else
            say(to, "  %s: %s\n", statusName(point), printable(point.message).c_str());
    }
}

nlohmann::json toJson(const SweepRequest &request, const Sweep &made, const SweepNames &names)
{
    nlohmann::json points = nlohmann::json::array();
    for (std::size_t i = 0; i < made.points.size(); ++i) {
        const SweepPoint &point = made.points[i];
        nlohmann::json object{{"planner", request.entries[point.entry].planner->info.name},
                              {"budget_bytes", point.budgetBytes},
                              {"status", statusName(point)},
                              {"lower_bound_time_us", point.bound.timeUs},
                              {"lower_bound_overhead", point.boundOverhead},
                              {"planning_seconds", point.seconds},
                              {"message", point.message}};
        if (point.plan) {
            object["peak_bytes"] = point.plan->predicted.peakBytes;
            object["time_us"] = point.plan->predicted.timeUs;
            object["overhead"] = point.overhead;
            object["made_for_budget_bytes"] = point.madeForBytes;
            if (!names.planFiles[i].empty()) object["plan_file"] = names.planFiles[i];
        } else if (point.smallestPeakBytes > 0) {
            object["smallest_peak_bytes"] = point.smallestPeakBytes;
        }
        points.push_back(std::move(object));
    }
    return {{"model", names.model},
            {"keep_all_peak_bytes", made.keepAllPeakBytes},
            {"parameters_planned", request.graph->parametersPlanned},
            {"keep_all_time_us", made.keepAllTimeUs},
            {"points", points}};
}

/// The same call of the Python package, whose plans are made by the workers of a cluster.
int runOnDask(const SweepFlags &flags)
{
    std::vector<std::string> arguments{"sweep"};
    const auto add = [&](const char *flag, const std::string &value) {
        if (!value.empty()) arguments.push_back(fmt::format("{}={}", flag, value));
    };
    const auto addAll = [&](const char *flag, const std::vector<std::string> &values) {
        for (const std::string &value : values)
            add(flag, value);
    };
    add("--dask", flags.dask);
    add("--budgets", flags.budgets);
    add("--solver", flags.solvers);
    addAll("--set", flags.solve.set);
    addAll("--keep", flags.solve.pins.keep);
    addAll("--recompute", flags.solve.pins.recompute);
    addAll("--never", flags.solve.pins.never);
    add("--time-limit", shortNumber(flags.solve.timeLimitSeconds, 9));
    if (flags.solve.threads > 0) add("--threads", std::to_string(flags.solve.threads));
    add("--seed", std::to_string(flags.solve.seed));
    add("--device", flags.costs.device);
    add("--profile", flags.costs.profile);
    if (flags.chunk.given()) add("--chunk", flags.chunk.text);
    addAll("--never-chunk", flags.chunk.whole);
    add("--output", flags.output.path);
    add("--plans", flags.plans);
    if (flags.chunk.narrowSums) arguments.emplace_back("--chunk-sums-as-they-are");
    if (flags.json) arguments.emplace_back("--json");
    if (flags.lines) arguments.emplace_back("--lines");
    arguments.insert(arguments.end(), {"--", flags.model});
    return becomePython(arguments, "distributed",
                        "It is Dask's: `pip install distributed` beside PyTorch in a virtual environment, activate "
                        "that, and sweep again; or leave out --dask to plan on this machine.");
}

int runSweep(const SweepFlags &flags)
{
    if (!flags.dask.empty() && flags.updates.updates().given())
        return badInput(
            {"The workers of a cluster plan models as they are: leave out --optimizer, or --dask to plan on "
             "this machine."});
    if (!flags.dask.empty()) return runOnDask(flags);
    auto entries = entriesOf(flags);
    if (!entries) return badInput(entries.error());
    auto subject = openModelWithCosts(flags.model, flags.costs, flags.updates);
    if (!subject) return badInput(subject.error());
    sayLacks(*subject);
    // Then all planners share that graph, and those that keep parameters resident say so.
    if (std::any_of(entries->begin(), entries->end(), [](const SweepEntry &e) { return plansParameters(e.options); }))
        subject->planParameters();
    auto budgets = parseBudgets(flags.budgets, subject->keepAll.peakBytes);
    if (!budgets) return badInput(budgets.error());
    auto pins = pinsByName(subject->graph(), flags.solve.pins);
    if (!pins) return badInput(pins.error());
    if (auto writable = checkOutputs(flags); !writable) return badInput(writable.error());

    SweepRequest request;
    request.graph = &subject->graph();
    request.costs = &subject->costs;
    if (subject->model->program) request.program = &*subject->model->program;
    request.entries = std::move(*entries);
    request.budgetBytes = std::move(*budgets);
    request.pins = std::move(*pins);
    request.secondsPerPlan = flags.solve.timeLimitSeconds;
    const Expected<ChunkedSweep> planned = plan(request, flags, *subject);
    if (!planned) return badInput(planned.error());
    const Sweep *made = &planned->sweep;

    auto files = writePlans(request, *planned, flags);
    if (!files) return badInput(files.error());
    const SweepNames names{subject->graph().name, std::move(*files)};
    if (flags.output.given()) {
        const auto written = flags.output.write(sweepCsv(request, *made, names));
        if (!written) return badInput(written.error());
    }
    if (flags.json)
        printJson(toJson(request, *made, names));
    else if (!flags.lines)
        print(flags.output.notes(), request, *made);
    const bool any =
        std::any_of(made->points.begin(), made->points.end(), [](const SweepPoint &p) { return p.plan != nullptr; });
    return any ? kDone : kNo;
}

void addSweep(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<SweepFlags>();
    CLI::App *command = app.add_subcommand("sweep", "several planners over many budgets, as one table");
    command->add_option("MODEL", flags->model, "trace (.pt2) or graph (.json)")->required();
    command->add_option("--budgets", flags->budgets, "a range with both ends, `90%:20%:-10`, or a list, `60%,4GiB`")
        ->required();
    command->add_option("--planner,--solver", flags->solvers, "planners, separated by commas, or `all`")
        ->capture_default_str();
    flags->solve.add(*command,
                     "KEY=VALUE, an option of all planners that have it, or PLANNER.KEY=VALUE of one; may be given "
                     "several times",
                     "seconds for each plan");
    flags->costs.add(*command);
    flags->updates.add(*command);
    flags->chunk.add(*command);
    flags->output.add(*command, "table to write, as CSV");
    command->add_option("--plans", flags->plans, "folder to write every plan into");
    command->add_option("--dask", flags->dask,
                        "plan on the workers of this Dask cluster, `tcp://host:8786`; they need the Python package");
    CLI::Option *json = command->add_flag("--json", flags->json, "print one JSON object");
    command->add_flag("--lines", flags->lines, "print each plan as it is made, a line of JSON with its file")
        ->excludes(json);
    command->callback([flags, &action] { action = [flags] { return runSweep(*flags); }; });
}

} // namespace

const Command &command::sweep()
{
    static const Command command = {.order = 40, .add = addSweep};
    return command;
}

} // namespace remat::cli
