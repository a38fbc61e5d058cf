// SPDX-License-Identifier: Apache-2.0
// `remat-profile/1`: readProfile and writeProfile.
#include "core/base/file.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/costs/profile_comparison.h"
#include "core/io/file_kind.h"
#include "core/io/graph_header.h"
#include "core/io/json_cursor.h"
#include "core/io/plan_header.h"
#include "core/io/plan_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/core.h>
#include <unordered_map>

namespace remat {

namespace {

double timeOf(const JsonCursor &cursor)
{
    const double time = cursor.number(0);
    if (time > kMaxMeasuredUs) cursor.fail("is more than any op takes.");
    return time;
}

void readStep(const JsonCursor &step, StepTimes &times)
{
    times.timeUs = timeOf(step["time_us"]);
    times.spreadUs = step.numberOr("spread_us", 0, 0);
    times.betweenUs = step.numberOr("between_us", 0, 0);
}

void readLink(const JsonCursor &list, Profile &profile)
{
    for (const JsonCursor &item : list.items()) {
        if (list.failed()) return;
        const std::int64_t least = profile.link.empty() ? 1 : profile.link.back().bytes + 1;
        profile.link.push_back({item["bytes"].integer(least, kMaxMeasuredBytes), timeOf(item["to_host_us"]),
                                timeOf(item["to_device_us"])});
    }
}

void readClocks(const JsonCursor &from, Clocks &clocks)
{
    clocks.governor = from.textOr("governor", "");
    clocks.leastMhz = from.numberOr("least_mhz", 0, 0, kMaxMhz);
    clocks.mostMhz = from.numberOr("most_mhz", clocks.leastMhz, clocks.leastMhz, kMaxMhz);
    clocks.memoryMhz = from.numberOr("memory_mhz", 0, 0, kMaxMhz);
}

/// Returns which ops the list has, one entry per op of the graph.
std::vector<char> readOps(const JsonCursor &list, const Graph &graph, Profile &profile)
{
    std::unordered_map<std::string_view, std::size_t> names;
    for (std::size_t i = 0; i < graph.ops.size(); ++i)
        names.emplace(graph.ops[i].name, i);
    profile.ops.resize(graph.ops.size());
    std::vector<char> measured(graph.ops.size());
    for (const JsonCursor &item : list.items()) {
        if (list.failed()) break;
        const std::string name = item["op"].text();
        const auto known = names.find(name);
        if (known == names.end()) {
            item["op"].fail("is {}, which is no op of the graph.", quotedName(name));
        } else if (measured[known->second]) {
            item["op"].fail("is {}, which was measured already.", quotedName(name));
        } else {
            measured[known->second] = 1;
            OpMeasurement &op = profile.ops[known->second];
            op.timeUs = timeOf(item["time_us"]);
            op.spreadUs = item.numberOr("spread_us", 0, 0);
            op.workspaceBytes = item.integerOr("workspace_bytes", 0, 0, kMaxMeasuredBytes);
            op.samples = item.integerOr("samples", 0, 0, kMaxSamples);
            op.outliers = item.integerOr("outliers", 0, 0, op.samples);
        }
    }
    return measured;
}

void refuseLacking(const JsonCursor &list, const Graph &graph, const std::vector<char> &measured)
{
    const auto lacking = std::find(measured.begin(), measured.end(), 0);
    if (lacking == measured.end()) return;
    const std::string &name = graph.ops[static_cast<std::size_t>(lacking - measured.begin())].name;
    list.fail("has no measurement of the op {}.", quotedName(name));
}

/// What `remat costs --json` prints: times and workspaces by the names of ops.
void readCosts(const JsonCursor &root, const Graph &graph, Profile &profile)
{
    const JsonCursor times = root["time_us"];
    const JsonCursor workspaces = root.find("workspace_bytes");
    profile.ops.resize(graph.ops.size());
    for (std::size_t i = 0; i < graph.ops.size() && !root.failed(); ++i) {
        const std::string &name = graph.ops[i].name;
        const JsonCursor time = times.find(name.c_str());
        if (!time)
            return times.fail(
                fmt::format("has no time of the op {}: these are the costs of another graph.", quotedName(name)));
        profile.ops[i].timeUs = timeOf(time);
        if (workspaces) profile.ops[i].workspaceBytes = workspaces.integerOr(name.c_str(), 0, 0, kMaxMeasuredBytes);
    }
}

/// What becomes of a file that has no measurement of some op.
enum class Lacking : std::uint8_t { Refused, Read };

Expected<StoredProfile> parseStored(std::string_view text, const std::string &title, const Graph &graph,
                                    Lacking lacking)
{
    Expected<JsonDocument> document = JsonDocument::parse(text, title);
    if (!document) return tl::unexpected(document.error());
    const JsonCursor root = document->root();
    StoredProfile stored;
    Profile &profile = stored.profile;
    profile.fingerprint = graph.fingerprint;
    profile.graphName = graph.name;
    if (!root.find("format") && root.find("time_us")) {
        readCosts(root, graph, profile);
        if (document->failed()) return document->failure();
        stored.measured.assign(graph.ops.size(), 1);
        return stored;
    }
    checkFormat(root, "remat-profile/1", "a profile");
    checkGraphHeader(root["graph"], graph, graph.fingerprint, "profile", "Measure this one with `remat profile`.");

    profile.graphName = root["graph"].textOr("name", graph.name);
    stored.writtenBy = root.textOr("written_by", "");
    profile.device = root.textOr("device", "");
    profile.deviceTitle = root.textOr("device_title", "");
    profile.torchVersion = root.textOr("torch_version", "");
    profile.repeats = static_cast<int>(root.integerOr("repeats", 0, 0, kMaxRepeats));
    const auto mostOps = static_cast<std::int64_t>(graph.ops.size());
    profile.distinctOps = static_cast<int>(root.integerOr("distinct_ops", 0, 0, mostOps));
    profile.spreadLimit = root.numberOr("spread_limit", 0, 0, 1);
    if (const JsonCursor step = root.find("step")) readStep(step, profile.step);
    if (const JsonCursor link = root.find("link")) readLink(link, profile);
    if (const JsonCursor clocks = root.find("clocks")) readClocks(clocks, profile.clocks);
    stored.measured = readOps(root["ops"], graph, profile);
    if (lacking == Lacking::Refused) refuseLacking(root["ops"], graph, stored.measured);
    if (const JsonCursor mismatches = root.find("alias_mismatches")) {
        for (const JsonCursor &name : mismatches.items())
            profile.aliasMismatches.push_back(name.text());
    }
    if (document->failed()) return document->failure();
    return stored;
}

} // namespace

Expected<Profile> readProfile(const std::filesystem::path &path, const Graph &graph)
{
    if (auto right = expectKind(path, FileKind::Profile); !right) return tl::unexpected(right.error());
    const Expected<std::string> text = readFile(path, kMaxJsonBytes);
    if (!text) return tl::unexpected(text.error());
    return parseProfile(*text, path.filename().string(), graph);
}

Expected<Profile> parseProfile(std::string_view text, const std::string &title, const Graph &graph)
{
    Expected<StoredProfile> stored = parseStored(text, title, graph, Lacking::Refused);
    if (!stored) return tl::unexpected(stored.error());
    return std::move(stored->profile);
}

Expected<StoredProfile> readStoredProfile(const std::filesystem::path &path, const Graph &graph)
{
    if (auto right = expectKind(path, FileKind::Profile); !right) return tl::unexpected(right.error());
    const Expected<std::string> text = readFile(path, kMaxJsonBytes);
    if (!text) return tl::unexpected(text.error());
    return parseStored(*text, path.filename().string(), graph, Lacking::Read);
}

Expected<void> writeProfile(const std::filesystem::path &path, const Profile &profile, const Graph &graph)
{
    if (profile.ops.size() != graph.ops.size())
        return fail("The profile has {} ops, the graph {} has {}.", profile.ops.size(), quotedName(graph.name),
                    graph.ops.size());
    return writeFileAtomically(path, profileText(profile, graph));
}

std::string profileText(const Profile &profile, const Graph &graph)
{
    nlohmann::ordered_json head = {{"format", "remat-profile/1"},
                                   {"written_by", writtenBy()},
                                   {"graph", graphHeader(graph, graph.fingerprint)},
                                   {"device", profile.device},
                                   {"device_title", profile.deviceTitle},
                                   {"torch_version", profile.torchVersion},
                                   {"repeats", profile.repeats},
                                   {"alias_mismatches", profile.aliasMismatches}};
    if (profile.distinctOps > 0) head["distinct_ops"] = profile.distinctOps;
    if (profile.spreadLimit > 0) head["spread_limit"] = profile.spreadLimit;
    const StepTimes &step = profile.step;
    if (step.timeUs > 0)
        head["step"] = {{"time_us", step.timeUs}, {"spread_us", step.spreadUs}, {"between_us", step.betweenUs}};
    for (const LinkSpeed &speed : profile.link)
        head["link"].push_back(
            {{"bytes", speed.bytes}, {"to_host_us", speed.toHostUs}, {"to_device_us", speed.toDeviceUs}});
    if (const Clocks &clocks = profile.clocks; clocks.known())
        head["clocks"] = {{"governor", clocks.governor},
                          {"least_mhz", clocks.leastMhz},
                          {"most_mhz", clocks.mostMhz},
                          {"memory_mhz", clocks.memoryMhz}};
    std::vector<nlohmann::ordered_json> ops;
    ops.reserve(profile.ops.size());
    for (std::size_t i = 0; i < profile.ops.size(); ++i) {
        const OpMeasurement &op = profile.ops[i];
        ops.push_back({{"op", graph.ops[i].name},
                       {"time_us", op.timeUs},
                       {"spread_us", op.spreadUs},
                       {"workspace_bytes", op.workspaceBytes}});
        if (op.samples > 0) ops.back()["samples"] = op.samples;
        if (op.outliers > 0) ops.back()["outliers"] = op.outliers;
    }
    return linesOf(head, "ops", ops);
}

} // namespace remat
