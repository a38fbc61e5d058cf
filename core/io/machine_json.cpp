// SPDX-License-Identifier: Apache-2.0
#include "core/io/machine_json.h"

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/limits.h"
#include "core/io/graph_header.h"
#include "core/io/json_cursor.h"

#include <cstdlib>

namespace remat {

std::filesystem::path machineFolder()
{
    const char *cache = std::getenv("XDG_CACHE_HOME");
    const char *home = std::getenv("HOME");
    if (cache && *cache) return std::filesystem::path(cache) / "remat-studio" / "machine";
    if (home && *home) return std::filesystem::path(home) / ".cache" / "remat-studio" / "machine";
    return {};
}

std::filesystem::path machineFile(const std::filesystem::path &folder, const std::string &deviceTitle,
                                  const std::string &torchVersion)
{
    Digest digest;
    digest.add(std::string_view(deviceTitle));
    digest.add(std::string_view(torchVersion));
    return folder / (digest.hex() + ".json");
}

Expected<MachineCosts> readMachine(const std::filesystem::path &file)
{
    const Expected<std::string> text = readFile(file, kMaxJsonBytes);
    if (!text) return tl::unexpected(text.error());
    Expected<JsonDocument> document = JsonDocument::parse(*text, file.filename().string());
    if (!document) return tl::unexpected(document.error());
    const JsonCursor root = document->root();
    checkFormat(root, "remat-machine/1", "a machine's costs");
    MachineCosts costs;
    costs.device = root["device"].text();
    costs.deviceTitle = root["device_title"].text();
    costs.torchVersion = root["torch_version"].text();
    for (const JsonCursor &item : root["ops"].items()) {
        if (document->failed()) break;
        OpMeasurement &op = costs.ops[item["id"].text()];
        op.timeUs = item["time_us"].number(0, kMaxMeasuredUs);
        op.spreadUs = item.numberOr("spread_us", 0, 0);
        op.workspaceBytes = item["workspace_bytes"].integer(0, kMaxMeasuredBytes);
        op.samples = item.integerOr("samples", 0, 0, kMaxSamples);
        op.outliers = item.integerOr("outliers", 0, 0, op.samples);
    }
    if (document->failed()) return document->failure();
    return costs;
}

Expected<void> writeMachine(const std::filesystem::path &folder, const MachineCosts &costs)
{
    if (folder.empty())
        return fail("There is no folder to remember measurements in: neither XDG_CACHE_HOME nor HOME is set.");
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return fail("The folder {} cannot be made: {}.", folder.string(), error.message());
    std::vector<nlohmann::ordered_json> ops;
    ops.reserve(costs.ops.size());
    for (const auto &[identity, op] : costs.ops)
        ops.push_back({{"id", identity},
                       {"time_us", op.timeUs},
                       {"spread_us", op.spreadUs},
                       {"workspace_bytes", op.workspaceBytes},
                       {"samples", op.samples},
                       {"outliers", op.outliers}});
    const nlohmann::ordered_json head = {{"format", "remat-machine/1"},
                                         {"device", costs.device},
                                         {"device_title", costs.deviceTitle},
                                         {"torch_version", costs.torchVersion}};
    return writeFileAtomically(machineFile(folder, costs.deviceTitle, costs.torchVersion), linesOf(head, "ops", ops));
}

std::optional<MachineCosts> rememberedMachine(const std::filesystem::path &folder, const std::string &deviceTitle,
                                              const Model &model)
{
    std::error_code error;
    for (const auto &entry : std::filesystem::directory_iterator(folder, error)) {
        auto costs = readMachine(entry.path());
        if (costs && costs->deviceTitle == deviceTitle && unknownOps(*costs, model) == 0) return std::move(*costs);
    }
    return std::nullopt;
}

} // namespace remat
