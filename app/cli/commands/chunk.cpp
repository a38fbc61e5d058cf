// SPDX-License-Identifier: Apache-2.0
// remat chunk: the graph with its largest ops in pieces, as a trace of its own; and the rules by which it is cut.
#include "app/cli/chunk_flag.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "core/base/budget.h"
#include "core/base/memory_units.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/base/writable.h"
#include "core/chunk/modes.h"
#include "core/chunk/prepare.h"
#include "core/chunk/title.h"
#include "core/io/chunks_json.h"
#include "core/io/pt2_writer.h"

#include <nlohmann/json.hpp>

namespace remat::cli {

namespace {

struct ChunkCommandFlags {
    std::string model, floor, by, plan, output;
    CostFlags costs;
    int rules = 0;
    bool json = false;
};

/// Every way in which each call of the loosened graph can run in k pieces.
nlohmann::json rulesJson(const Program &program, int k)
{
    nlohmann::json calls = nlohmann::json::array();
    for (const Node &node : program.nodes) {
        nlohmann::json modes = nlohmann::json::array();
        for (const Mode &mode : modesOf(program, node, k))
            modes.push_back({{"ins", mode.ins}, {"outs", mode.outs}});
        calls.push_back({{"node", node.name}, {"operator", node.opName}, {"modes", std::move(modes)}});
    }
    return {{"chunks", k}, {"whole", kWhole}, {"sum", kSum}, {"calls", std::move(calls)}};
}

Expected<Chunking> chosen(const ChunkCommandFlags &flags, const ModelWithCosts &subject, const ChunkSetting &setting)
{
    if (!flags.by.empty()) return chunkingByName(flags.by, subject.asRead(), setting);
    const auto target = parseBudget(flags.floor, subject.keepAll.peakBytes);
    if (!target) return tl::unexpected(target.error());
    return chunkingForFloor(subject.asRead(), *target, setting, [] { return stopOnInterrupt().stopRequested(); });
}

/// The trace in the chunks that a plan was made for.
int writeAsPlanned(const ChunkCommandFlags &flags)
{
    if (flags.output.empty()) return badInput({"--plan needs the trace that is to be written: -o chunked.pt2."});
    auto opened = openPlanWithCosts(flags.model, flags.plan, flags.costs);
    if (!opened) return opened.error().report(flags.json);
    if (!opened->subject.from.given())
        return badInput({flags.plan + " is a plan of the graph as it was traced: it runs nothing in chunks."});
    if (auto ready = checkWritable(flags.output); !ready) return badInput(ready.error());
    if (auto written = writePt2(flags.model, *opened->subject.asRead().program, flags.output); !written)
        return badInput(written.error());
    const std::string title = chunkingTitle(opened->subject.from.chunking);
    if (flags.json)
        printJson({{"chunks", chunksJson(opened->subject.from.chunking)}});
    else
        say(stdout, "%s\n  saved       %s\n", title.c_str(), printable(flags.output).c_str());
    return kDone;
}

int runChunk(const ChunkCommandFlags &flags)
{
    if (!flags.plan.empty()) return writeAsPlanned(flags);
    if (flags.floor.empty() == flags.by.empty() && flags.rules == 0)
        return badInput(
            {"Say how far the floor is to come down (--floor 5%), or what is to run in chunks (--by head=8)."});
    auto subject = openModelWithCosts(flags.model, flags.costs);
    if (!subject) return badInput(subject.error());
    const auto setting = chunkSetting(*subject, flags.costs);
    if (!setting) return badInput(setting.error());
    if (flags.rules > 0) {
        printJson(rulesJson(loosened(*subject->asRead().program), flags.rules));
        return kDone;
    }
    const auto chunking = chosen(flags, *subject, *setting);
    if (!chunking) return badInput(chunking.error());
    if (!flags.output.empty())
        if (auto ready = checkWritable(flags.output); !ready) return badInput(ready.error());
    const PeakBound before = workingSetBound(subject->graph(), subject->costs);
    const Simulation base = subject->keepAll;
    if (chunking->regions.empty()) {
        say(stdout, "No op can be cut so that less is needed than the %s of today.\n",
            formatMemory(before.bytes).c_str());
        return kNo;
    }
    auto chunked = inChunks(std::move(*subject), *chunking, flags.costs);
    if (!chunked) return badInput(chunked.error());
    const PeakBound after = workingSetBound(chunked->graph(), chunked->costs);
    if (!flags.output.empty())
        if (auto written = writePt2(flags.model, *chunked->asRead().program, flags.output); !written)
            return badInput(written.error());
    if (flags.json) {
        printJson({{"chunks", chunksJson(*chunking)},
                   {"ops", chunked->graph().ops.size()},
                   {"floor_bytes", after.bytes},
                   {"floor_bytes_whole", before.bytes},
                   {"keep_all", {{"peak_bytes", chunked->keepAll.peakBytes}, {"time_us", chunked->keepAll.timeUs}}},
                   {"keep_all_whole", {{"peak_bytes", base.peakBytes}, {"time_us", base.timeUs}}}});
        return kDone;
    }
    const auto share = [&](std::int64_t bytes) { return formatMemoryShare(shareOf(bytes, base.peakBytes)); };
    say(stdout, "%s\n", chunkingTitle(*chunking).c_str());
    say(stdout, "  floor       %s (%s), before %s (%s)\n", formatMemory(after.bytes).c_str(),
        share(after.bytes).c_str(), formatMemory(before.bytes).c_str(), share(before.bytes).c_str());
    say(stdout, "  keep-all    %s peak (%s), %s; before %s, %s\n", formatMemory(chunked->keepAll.peakBytes).c_str(),
        share(chunked->keepAll.peakBytes).c_str(), formatTimeUs(chunked->keepAll.timeUs).c_str(),
        formatMemory(base.peakBytes).c_str(), formatTimeUs(base.timeUs).c_str());
    if (!flags.output.empty()) say(stdout, "  saved       %s\n", printable(flags.output).c_str());
    return kDone;
}

void addChunk(CLI::App &app, Action &action)
{
    auto flags = std::make_shared<ChunkCommandFlags>();
    CLI::App *command = app.add_subcommand("chunk", "the graph with its largest ops in chunks, as a trace");
    command->add_option("MODEL", flags->model, "trace (.pt2)")->required();
    command->add_option("--floor", flags->floor, "`4GiB`, or `5%` of the keep-all peak: no op is to need more");
    command->add_option("--by", flags->by,
                        "`head=8`, `OP=8`, or `batch=8` for the whole step: what is to run in chunks, and in how many");
    command->add_option("--plan", flags->plan, "a plan: the graph is cut into the chunks that it was made for");
    flags->costs.add(*command);
    command->add_option("-o", flags->output, "trace to write (.pt2)");
    command->add_option("--rules", flags->rules, "print how each call can run in that many chunks, as JSON")
        ->check(CLI::Range(2, kMostChunks));
    command->add_flag("--json", flags->json, "print one JSON object");
    command->callback([flags, &action] { action = [flags] { return runChunk(*flags); }; });
}

} // namespace

const Command &command::chunk()
{
    static const Command command = {.order = 70, .add = addChunk};
    return command;
}

} // namespace remat::cli
