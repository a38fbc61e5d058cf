// SPDX-License-Identifier: Apache-2.0
#include "core/io/graph_header.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/base/version.h"

#include <charconv>
#include <fmt/core.h>

namespace remat {

namespace {

/// `remat-plan/12` against `remat-plan/1`: the same name and a higher number.
bool isNewer(std::string_view format, std::string_view wanted)
{
    const std::size_t slash = wanted.rfind('/') + 1;
    if (format.substr(0, slash) != wanted.substr(0, slash)) return false;
    const auto number = [slash](std::string_view text) {
        int version = 0;
        const auto [end, error] = std::from_chars(text.data() + slash, text.data() + text.size(), version);
        return error == std::errc() && end == text.data() + text.size() ? version : 0;
    };
    return number(format) > number(wanted);
}

/// What wrote a file whose format is not known, shortened; empty when the file does not say, or not as text.
std::string writerOf(const JsonCursor &root)
{
    const JsonCursor writer = root.find("written_by");
    return writer && writer.isText() ? printable(writer.text().substr(0, 60)) : std::string();
}

} // namespace

void checkFormat(const JsonCursor &root, const char *wanted, const char *what)
{
    const std::string format = root["format"].text();
    if (root.failed() || format == wanted) return;
    if (isNewer(format, wanted)) {
        const std::string writer = writerOf(root);
        root["format"].fail("is \"{}\", of a newer Remat Studio{}; this is {}, which opens {} up to "
                            "\"{}\". Update Remat Studio, or save the file with this version.",
                            format, writer.empty() ? std::string() : fmt::format(" (written by {})", writer),
                            programVersion(), what, wanted);
        return;
    }
    root["format"].fail("is \"{}\"; {} has \"{}\".", format.substr(0, 60), what, wanted);
}

void checkGraphHeader(const JsonCursor &header, const Graph &graph, const std::string &own, const std::string &what,
                      const std::string &advice)
{
    const std::string fingerprint = header["fingerprint"].text();
    if (header.failed() || fingerprint == own) return;
    const std::int64_t ops = header.integerOr("ops", -1, -1);
    const std::string count = ops < 0 ? std::string() : formatCount(ops) + " ops, ";
    header["fingerprint"].fail(
        "does not fit: the {} is for another graph. It was made for {} ({}{}), this is {} ({} ops, {}). {}", what,
        quotedName(header.textOr("name", "")), count, fingerprint.substr(0, 12), quotedName(graph.name),
        formatCount(static_cast<std::int64_t>(graph.ops.size())), own.substr(0, 12), advice);
}

nlohmann::ordered_json graphHeader(const Graph &graph, const std::string &fingerprint)
{
    return {{"name", graph.name}, {"fingerprint", fingerprint}, {"ops", graph.ops.size()}};
}

std::string linesOf(const nlohmann::ordered_json &head, const std::string &key,
                    const std::vector<nlohmann::ordered_json> &list)
{
    std::string text = "{";
    for (const auto &[name, value] : head.items()) {
        text += text.size() == 1 ? "\n " : " ";
        text.append(dumped(name)).append(": ").append(dumped(value)).append(",\n");
    }
    text.append(" ").append(dumped(key)).append(": [");
    for (std::size_t i = 0; i < list.size(); ++i)
        text.append(i == 0 ? "\n  " : ",\n  ").append(dumped(list[i]));
    return text + "\n ]\n}\n";
}

} // namespace remat
