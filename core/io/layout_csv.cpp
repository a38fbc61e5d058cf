// SPDX-License-Identifier: Apache-2.0
#include "core/io/layout_csv.h"

#include "core/base/file.h"
#include "core/base/limits.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/io/csv.h"

#include <algorithm>
#include <fmt/core.h>
#include <limits>
#include <map>
#include <numeric>

namespace remat {

namespace {

constexpr std::size_t kMostTableBuffers = 1'000'000;
constexpr std::int64_t kMostTableBytes = std::int64_t(1) << 61;

std::vector<std::string_view> fieldsOf(std::string_view line)
{
    std::vector<std::string_view> fields;
    while (true) {
        const std::size_t comma = line.find(',');
        fields.push_back(line.substr(0, comma));
        if (comma == std::string_view::npos) return fields;
        line.remove_prefix(comma + 1);
    }
}

std::string_view nextLine(std::string_view &text)
{
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    return line;
}

using Columns = std::map<std::string, std::size_t, std::less<>>;

Expected<Columns> readHeader(std::string_view line, bool &inclusive)
{
    static const std::map<std::string, std::string, std::less<>> kOtherNames = {
        {"begin", "lower"}, {"start", "lower"}, {"end", "upper"}, {"buffer", "id"}, {"buffer_id", "id"}};
    Columns columns;
    const std::vector<std::string_view> names = fieldsOf(line);
    for (std::size_t i = 0; i < names.size(); ++i) {
        inclusive = inclusive || names[i] == "end";
        const auto other = kOtherNames.find(names[i]);
        const std::string name(other != kOtherNames.end() ? other->second : names[i]);
        if (!columns.emplace(name, i).second)
            return fail(
                fmt::format("The table of buffers has two columns for {}. Leave one of them out.", printable(name)));
    }
    for (const char *needed : {"id", "lower", "upper", "size"})
        if (!columns.contains(needed))
            return fail("The table of buffers has no column {}. Its first line names the columns: id,lower,upper,size.",
                        needed);
    return columns;
}

} // namespace

Expected<BufferTable> readBufferTable(std::string_view text)
{
    bool inclusive = false;
    const Expected<Columns> columns = readHeader(nextLine(text), inclusive);
    if (!columns) return tl::unexpected(columns.error());
    std::vector<MemoryInstance> instances;
    std::vector<std::string> ids;
    std::vector<std::int64_t> offsets;
    std::int64_t all = 0;
    for (std::size_t number = 2; !text.empty(); ++number) {
        const std::string_view line = nextLine(text);
        if (line.empty()) continue;
        const std::string where = fmt::format("Line {} of the table of buffers ", number);
        const std::vector<std::string_view> fields = fieldsOf(line);
        if (fields.size() != columns->size())
            return fail("{}has {} fields, the first line {}.", where, fields.size(), columns->size());
        const auto whole = [&](const char *name) {
            return readWhole<std::int64_t>(fields[columns->find(name)->second]);
        };
        const auto lower = whole("lower"), upper = whole("upper"), size = whole("size");
        constexpr std::int64_t kLastStep = std::numeric_limits<std::int32_t>::max() - 1;
        if (!lower || !upper || !size || *lower < 0 || *upper > kLastStep || *size < 0 || *size > kMostTableBytes ||
            *upper + (inclusive ? 1 : 0) <= *lower)
            return fail(where + "needs whole numbers with lower below upper, below 2^31, and a size below 2^61.");
        if (columns->contains("alignment") && whole("alignment") != 1)
            return fail(where + "asks for an alignment other than 1. Round the sizes up instead.");
        if (columns->contains("gaps") && !fields[columns->find("gaps")->second].empty())
            return fail(where + "has gaps, which are not known here. Make two buffers of it.");
        if (columns->contains("offset")) {
            const auto offset = whole("offset");
            if (!offset || *offset < 0 || *offset > kMostTableBytes)
                return fail(where + "has an offset that is no whole number from 0.");
            offsets.push_back(*offset);
        }
        all += *size;
        if (all > kMostTableBytes || instances.size() == kMostTableBuffers)
            return fail("The table of buffers has more than a million buffers, or more than 2^61 bytes.");
        instances.push_back({{},
                             {},
                             static_cast<std::int32_t>(*lower),
                             static_cast<std::int32_t>(*upper + (inclusive ? 1 : 0)),
                             *size});
        ids.emplace_back(fields[columns->find("id")->second]);
    }
    std::vector<std::size_t> order(instances.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return instances[a].firstStep < instances[b].firstStep; });
    BufferTable table;
    if (!offsets.empty()) table.offsets.emplace();
    for (const std::size_t at : order) {
        MemoryInstance instance = instances[at];
        instance.storage = StorageId(table.instances.size());
        table.instances.push_back(instance);
        table.ids.push_back(std::move(ids[at]));
        if (table.offsets) table.offsets->push_back(offsets[at]);
    }
    return table;
}

Expected<BufferTable> readBufferTable(const std::filesystem::path &path)
{
    const Expected<std::string> text = readFile(path, kMaxJsonBytes);
    if (!text) return tl::unexpected(text.error());
    Expected<BufferTable> table = readBufferTable(std::string_view(*text));
    if (!table) return fail("{}: {}", path.string(), table.error().message);
    return table;
}

std::string bufferTableText(const BufferTable &table, const MemoryLayout &layout)
{
    std::string text = "id,lower,upper,size,offset\n";
    for (std::size_t i = 0; i < table.instances.size(); ++i) {
        const MemoryInstance &instance = table.instances[i];
        text += fmt::format("{},{},{},{},{}\n", csvField(table.ids[i]), instance.firstStep, instance.endStep,
                            instance.bytes, layout.offsets[i]);
    }
    return text;
}

} // namespace remat
