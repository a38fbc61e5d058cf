// SPDX-License-Identifier: Apache-2.0
#include "core/io/pt2_writer.h"

#include "core/base/limits.h"
#include "core/io/archive_data.h"
#include "core/io/pt2_node_json.h"

#include <algorithm>
#include <system_error>
#include <unordered_map>
#include <zip.h>

namespace remat {

namespace {

using Json = nlohmann::ordered_json;

/// Name of a node of the source: its own, or that of its first output.
std::string nameOf(const Json &node)
{
    if (const auto name = node.find("name"); name != node.end() && name->is_string()) return *name;
    for (const Json &output : node.value("outputs", Json::array())) {
        const Json tensor = output.value("as_tensor", Json::object());
        if (tensor.contains("name")) return tensor["name"];
        const Json list = output.value("as_tensors", Json::array());
        if (!list.empty()) return list[0].value("name", "");
    }
    return {};
}

/// `mm#3` and `mm` are both of the node `mm`.
std::string sourceName(const std::string &name)
{
    return name.substr(0, name.find('#'));
}

/// What the tracer wrote about the whole graph: at one of the nodes.
Json graphRecord(const Json &nodes)
{
    for (const Json &node : nodes) {
        const std::string custom = node.value("metadata", Json::object()).value("custom", "");
        const Json parsed = Json::parse(custom, nullptr, false);
        if (parsed.is_object() && parsed.contains("remat") && parsed["remat"].contains("graph"))
            return parsed["remat"]["graph"];
    }
    return {};
}

std::string rewritten(const std::string &text, const Program &program)
{
    Json root = Json::parse(text, nullptr, false);
    Json &graph = root["graph_module"]["graph"];
    std::unordered_map<std::string, Json> metadata;
    for (const Json &node : graph["nodes"])
        metadata.emplace(nameOf(node), node.value("metadata", Json::object()));

    Json nodes = Json::array(), tensors = Json::object();
    Json record = graphRecord(graph["nodes"]);
    for (const ProgramInput &input : program.inputs) {
        const std::string &name = program.value(input.value).name;
        tensors[name] = graph["tensor_values"].value(name, tensorJson(program.value(input.value)));
    }
    for (const Node &node : program.nodes) {
        for (const ValueId id : node.outputs)
            if (id) tensors[program.value(id).name] = tensorJson(program.value(id));
        Json own = nodeRecordJson(program, node);
        if (!record.is_null()) own["graph"] = std::exchange(record, Json());
        Json json = nodeJson(program, node);
        const auto known = metadata.find(sourceName(node.name));
        json["metadata"] = known == metadata.end() ? Json::object() : known->second;
        json["metadata"]["custom"] = Json{{"remat", std::move(own)}}.dump();
        nodes.push_back(std::move(json));
    }
    graph["nodes"] = std::move(nodes);
    graph["tensor_values"] = std::move(tensors);
    // PyTorch's dialect that may write in place, as sums over chunks do; the usual one is refused then.
    if (std::any_of(program.nodes.begin(), program.nodes.end(), [](const Node &node) { return !node.mutates.empty(); }))
        root["verifiers"] = Json::array({"TRAINING"});
    return root.dump();
}

/// Puts `text` in the place of the archive's `models/model.json`.
Expected<void> replaceModel(const std::filesystem::path &path, const std::string &entry, const std::string &text)
{
    const auto problem = [&](const char *reason) {
        return fail("{} cannot be written: {}. Choose another place.", path.filename().string(), reason);
    };
    int code = 0;
    zip_t *archive = zip_open(path.c_str(), 0, &code);
    if (!archive) return problem("it is no archive any more");
    zip_int64_t index = -1;
    const zip_int64_t count = zip_get_num_entries(archive, 0);
    for (zip_int64_t i = 0; i < count && index < 0; ++i) {
        const char *name = zip_get_name(archive, static_cast<zip_uint64_t>(i), 0);
        if (name && std::string_view(name).ends_with(entry)) index = i;
    }
    zip_source_t *source = zip_source_buffer(archive, text.data(), text.size(), 0);
    if (index < 0 || !source || zip_file_replace(archive, static_cast<zip_uint64_t>(index), source, 0) != 0) {
        if (source) zip_source_free(source);
        zip_discard(archive);
        return problem("its model.json cannot be replaced");
    }
    if (zip_close(archive) == 0) return {};
    const std::string reason = zip_strerror(archive);
    zip_discard(archive);
    return problem(reason.c_str());
}

} // namespace

Expected<void> writePt2(const std::filesystem::path &source, const Program &program,
                        const std::filesystem::path &target)
{
    Expected<ArchiveData> archive = ArchiveData::open(source);
    if (!archive) return tl::unexpected(archive.error());
    std::string entry;
    for (const ArchiveData::Entry &one : archive->entries())
        if (one.name.starts_with("models/") && one.name.ends_with(".json")) entry = one.name;
    const Expected<std::string> text = archive->read(entry, std::min(kMaxModelBytes, archive->room()));
    if (!text) return tl::unexpected(text.error());
    const std::string model = rewritten(*text, program);

    std::filesystem::path temporary = target;
    temporary += ".part";
    std::error_code error;
    std::filesystem::copy_file(source, temporary, std::filesystem::copy_options::overwrite_existing, error);
    if (error)
        return fail("{} cannot be written: {}. Choose another place.", target.filename().string(), error.message());
    if (auto replaced = replaceModel(temporary, entry, model); !replaced) {
        std::filesystem::remove(temporary, error);
        return replaced;
    }
    std::filesystem::rename(temporary, target, error);
    if (error)
        return fail("{} cannot be written: {}. Choose another place.", target.filename().string(), error.message());
    return {};
}

} // namespace remat
