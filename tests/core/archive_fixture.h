// SPDX-License-Identifier: Apache-2.0
// A small joint archive made by hand, so that tests can change any part of it: a linear layer, its loss, and gradients.
#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace remat::test {

using Json = nlohmann::json;
using Entries = std::vector<std::pair<std::string, std::string>>;

/// An entry of an archive, with what its directory may say wrongly.
struct ZipEntry {
    std::string name;
    std::string content = {};
    bool deflated = false;
    std::optional<std::uint32_t> saidBytes = {}; ///< its size once unpacked
    std::optional<std::uint32_t> saidCrc = {};
    bool again = false; ///< no bytes of its own: those of the entry before
};

inline std::uint32_t crcOf(const std::string &bytes)
{
    std::uint32_t sum = ~0U;
    for (const char c : bytes) {
        sum ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit)
            sum = (sum >> 1U) ^ ((sum & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return ~sum;
}

inline std::string zipWith(const std::vector<ZipEntry> &entries)
{
    std::string file;
    std::string directory;
    const auto put = [](std::string &to, std::uint64_t value, int bytes) {
        for (int i = 0; i < bytes; ++i)
            to += static_cast<char>((value >> (8 * i)) & 0xffU);
    };
    std::size_t start = 0;
    std::string facts; // version, flags, method, time, date, checksum, sizes
    for (const ZipEntry &entry : entries) {
        std::string packed = entry.content;
        if (entry.deflated) {
            // zlib's own frame goes: Qt's length and two bytes before, a checksum behind.
            const QByteArray all = qCompress(QByteArray::fromStdString(entry.content), 9);
            packed = all.mid(6, all.size() - 10).toStdString();
        }
        if (!entry.again) {
            start = file.size();
            facts.clear();
            put(facts, 20, 2);
            put(facts, 0, 2);
            put(facts, entry.deflated ? 8 : 0, 2);
            put(facts, 0x21U << 16U, 4);
            put(facts, entry.saidCrc.value_or(crcOf(entry.content)), 4);
            put(facts, packed.size(), 4);
            put(facts, entry.saidBytes.value_or(static_cast<std::uint32_t>(entry.content.size())), 4);
            put(file, 0x04034b50, 4);
            file += facts;
            put(file, entry.name.size(), 2);
            put(file, 0, 2); // extra field
            file += entry.name + packed;
        }
        put(directory, 0x02014b50, 4);
        put(directory, 20, 2);
        directory += facts;
        put(directory, entry.name.size(), 2);
        put(directory, 0, 2); // extra field
        put(directory, 0, 8);
        put(directory, 0, 2);
        put(directory, start, 4);
        directory += entry.name;
    }
    start = file.size();
    file += directory;
    put(file, 0x06054b50, 4);
    put(file, 0, 4);
    put(file, entries.size(), 2);
    put(file, entries.size(), 2);
    put(file, directory.size(), 4);
    put(file, start, 4);
    put(file, 0, 2);
    return file;
}

/// A zip archive with stored entries.
inline std::string zipOf(const Entries &entries)
{
    std::vector<ZipEntry> plain;
    for (const auto &[name, content] : entries)
        plain.push_back({.name = name, .content = content});
    return zipWith(plain);
}

inline Json tensorMeta(const std::vector<int> &sizes, int dtype = 7)
{
    Json meta = {{"dtype", dtype},
                 {"sizes", Json::array()},
                 {"strides", Json::array()},
                 {"requires_grad", false},
                 {"device", {{"type", "cpu"}, {"index", nullptr}}},
                 {"storage_offset", {{"as_int", 0}}},
                 {"layout", 7}};
    int stride = 1;
    for (const int size : sizes)
        stride *= size;
    for (const int size : sizes) {
        stride /= size;
        meta["sizes"].push_back({{"as_int", size}});
        meta["strides"].push_back({{"as_int", stride}});
    }
    return meta;
}

inline Json tensorArgument(const std::string &name)
{
    return {{"as_tensor", {{"name", name}}}};
}

/// A node with tensor arguments only. `record` is what stands under `remat`; null leaves it out.
inline Json tensorNode(const std::string &target, const std::vector<std::string> &inputs, const std::string &output,
                       const Json &record, const std::string &trace = {})
{
    Json node = {{"target", "torch.ops.aten." + target}, {"name", output}, {"metadata", Json::object()}};
    node["inputs"] = Json::array();
    for (const std::string &input : inputs)
        node["inputs"].push_back({{"name", "for_" + input}, {"arg", tensorArgument(input)}, {"kind", 1}});
    node["outputs"] = Json::array({tensorArgument(output)});
    if (!record.is_null()) node["metadata"]["custom"] = Json({{"remat", record}}).dump();
    if (!trace.empty()) node["metadata"]["stack_trace"] = trace;
    return node;
}

/// y = mm(x, w.t()), loss = mean(y); ones = ones_like(loss), g = expand(ones), gw = mm(g.t(), x).
inline Json tinyModel(bool withRecords = true)
{
    const auto record = [&](const char *phase, Json more = Json::object()) {
        if (!withRecords) return Json();
        more["phase"] = phase;
        more["module"] = "fc";
        more["module_class"] = "Linear";
        more["seq"] = 7;
        return more;
    };
    const Json graphRecord = {
        {"name", "Tiny"},
        {"torch", "2.11.0"},
        {"device", "cpu"},
        {"inputs",
         {{"p_w", {{"kind", "parameter"}, {"fqn", "fc.weight"}, {"mean", 0.5}, {"std", 0.25}, {"min", -1}, {"max", 2}}},
          {"x", {{"kind", "input"}, {"fqn", "image"}}},
          {"i", {{"kind", "input"}, {"fqn", "label"}, {"low", 0}, {"high", 10}}}}}};
    const std::string trace = "  File \"/home/a/run.py\", line 3, in main\n    model(x)\n"
                              "  File \"/home/a/model.py\", line 41, in forward\n    x = self.fc(x)\n";
    Json graph;
    graph["inputs"] = Json::array({tensorArgument("p_w"), tensorArgument("x"), tensorArgument("i")});
    graph["outputs"] = Json::array({tensorArgument("mean"), tensorArgument("mm_1")});
    graph["nodes"] = Json::array(
        {tensorNode("t.default", {"p_w"}, "t", record("forward", {{"alias", {{"t", "p_w"}}}, {"graph", graphRecord}})),
         tensorNode("mm.default", {"x", "t"}, "mm", record("forward"), trace),
         tensorNode("mean.default", {"mm"}, "mean", record("loss")),
         tensorNode("ones_like.default", {"mean"}, "ones", record("backward", {{"forward_op", "mean"}})),
         tensorNode("expand.default", {"ones"}, "expand",
                    record("backward", {{"forward_op", "mean"}, {"alias", {{"expand", "ones"}}}})),
         tensorNode("t.default", {"expand"}, "t_1",
                    record("backward", {{"forward_op", "mm"}, {"alias", {{"t_1", "expand"}}}})),
         tensorNode("mm.default", {"t_1", "x"}, "mm_1", record("backward", {{"forward_op", "t"}}))});
    graph["tensor_values"] = {{"p_w", tensorMeta({300, 200})}, {"x", tensorMeta({4, 200})},
                              {"i", tensorMeta({4}, 5)},       {"t", tensorMeta({200, 300})},
                              {"mm", tensorMeta({4, 300})},    {"mean", tensorMeta({})},
                              {"ones", tensorMeta({})},        {"expand", tensorMeta({4, 300})},
                              {"t_1", tensorMeta({300, 4})},   {"mm_1", tensorMeta({300, 200})}};
    graph["sym_int_values"] = Json::object();
    const Json signature = {
        {"input_specs",
         {{{"parameter", {{"arg", {{"name", "p_w"}}}, {"parameter_name", "fc.weight"}}}},
          {{"user_input", {{"arg", tensorArgument("x")}}}},
          {{"user_input", {{"arg", tensorArgument("i")}}}}}},
        {"output_specs",
         {{{"loss_output", {{"arg", {{"name", "mean"}}}}}},
          {{"gradient_to_parameter", {{"arg", {{"name", "mm_1"}}}, {"parameter_name", "fc.weight"}}}}}}};
    return {{"graph_module", {{"graph", graph}, {"signature", signature}}},
            {"schema_version", {{"major", 8}, {"minor", 17}}},
            {"torch_version", "2.11.0+cpu"}};
}

/// The node of `model` that makes `output`.
inline Json &nodeOf(Json &model, const std::string &output)
{
    for (Json &node : model["graph_module"]["graph"]["nodes"]) {
        if (node["name"] == output) return node;
    }
    qFatal("no such node");
}

inline Entries tinyEntries(const Json &model = tinyModel())
{
    const Json weights = {{"config",
                           {{"fc.weight",
                             {{"path_name", "weight_0"},
                              {"is_param", true},
                              {"use_pickle", false},
                              {"tensor_meta", tensorMeta({300, 200})}}}}}};
    return {{"tiny/data/weights/weight_0", std::string(240000, '\1')},
            {"tiny/data/weights/model_weights_config.json", weights.dump()},
            {"tiny/models/model.json", model.dump()}};
}

/// A folder for one test's files, gone with it.
class Folder
{
public:
    std::filesystem::path write(const std::string &name, const std::string &content) const
    {
        const std::filesystem::path path = std::filesystem::path(m_folder.path().toStdString()) / name;
        QFile file(QString::fromStdString(path.string()));
        if (!file.open(QIODevice::WriteOnly) || file.write(content.data(), static_cast<qint64>(content.size())) < 0)
            qFatal("cannot write the test's file");
        return path;
    }
    std::filesystem::path path(const std::string &name = {}) const
    {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

private:
    QTemporaryDir m_folder;
};

} // namespace remat::test
