// SPDX-License-Identifier: Apache-2.0
#include "app/layout_helper/request.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <unordered_map>

namespace remat::layout {

using Json = nlohmann::json;

namespace {

constexpr double kLargestSize = 100000;
constexpr std::size_t kMostShown = 60; ///< bytes of a name that a sentence repeats

tl::unexpected<std::string> fail(std::string sentence)
{
    return tl::unexpected<std::string>(std::move(sentence));
}

const Json *member(const Json &object, const char *key)
{
    const auto it = object.find(key);
    return it == object.end() ? nullptr : &*it;
}

/// A finite size in pixels within (0, kLargestSize].
Expected<double> readSize(const Json &object, const char *key, const std::string &where)
{
    const Json *value = member(object, key);
    if (!value || !value->is_number()) return fail(where + " has no number \"" + key + "\".");
    const double size = value->get<double>();
    if (!std::isfinite(size) || size <= 0 || size > kLargestSize)
        return fail(where + ": \"" + key + "\" must be above 0 and at most 100000 pixels.");
    return size;
}

Expected<void> readOptions(const Json &line, Request &request)
{
    const Json *options = member(line, "options");
    if (!options) return {};
    if (!options->is_object()) return fail("\"options\" must be an object.");
    for (const auto &[key, value] : options->items()) {
        double *target = key == "rank_gap" ? &request.rankGap : key == "node_gap" ? &request.nodeGap : nullptr;
        if (!target)
            return fail("Option \"" + key.substr(0, kMostShown) + "\" is unknown. There are rank_gap and node_gap.");
        const Expected<double> size = readSize(*options, key.c_str(), "\"options\"");
        if (!size) return tl::unexpected(size.error());
        *target = *size;
    }
    return {};
}

Expected<void> readNodes(const Json &nodes, Request &request, std::unordered_map<std::string, std::size_t> &positions)
{
    for (const Json &node : nodes) {
        const std::string where = std::string("Node ").append(std::to_string(request.boxes.size() + 1));
        if (!node.is_object()) return fail(where + " must be an object.");
        const Json *id = member(node, "id");
        if (!id || !id->is_string()) return fail(where + " has no text \"id\".");
        const Expected<double> width = readSize(node, "width", where);
        if (!width) return tl::unexpected(width.error());
        const Expected<double> height = readSize(node, "height", where);
        if (!height) return tl::unexpected(height.error());
        const auto name = id->get<std::string>();
        if (!positions.emplace(name, request.boxes.size()).second)
            return fail(std::string(where)
                            .append(" has the same id as another: \"")
                            .append(name.substr(0, kMostShown))
                            .append("\"."));
        request.boxes.push_back({name, *width, *height});
    }
    return {};
}

Expected<void> readEdges(const Json &edges, Request &request,
                         const std::unordered_map<std::string, std::size_t> &positions)
{
    for (const Json &edge : edges) {
        const std::string where = std::string("Edge ").append(std::to_string(request.edges.size() + 1));
        if (!edge.is_array() || edge.size() != 2 || !edge[0].is_string() || !edge[1].is_string())
            return fail(where + " must be a pair of node ids.");
        const auto from = positions.find(edge[0].get_ref<const std::string &>());
        const auto to = positions.find(edge[1].get_ref<const std::string &>());
        if (from == positions.end() || to == positions.end())
            return fail(where + " names a node that the request does not have.");
        request.edges.emplace_back(from->second, to->second);
    }
    return {};
}

} // namespace

Expected<Request> parseRequest(const std::string &line)
{
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) return fail("The line is not JSON.");
    if (!json.is_object()) return fail("The line must hold one JSON object.");

    Request request;
    if (const Json *id = member(json, "id")) {
        if (!id->is_number_integer() || *id < 0) return fail("\"id\" must be a whole number from 0 on.");
        request.id = id->get<std::int64_t>();
    }
    const Json *nodes = member(json, "nodes");
    if (!nodes || !nodes->is_array() || nodes->empty()) return fail("\"nodes\" must be a list of at least one node.");
    if (nodes->size() > kMostNodes)
        return fail("The request has " + std::to_string(nodes->size()) + " nodes; at most " +
                    std::to_string(kMostNodes) + " are laid out at once.");
    const Json *edges = member(json, "edges");
    if (edges && !edges->is_array()) return fail("\"edges\" must be a list.");
    if (edges && edges->size() > kMostEdges)
        return fail("The request has " + std::to_string(edges->size()) + " edges; at most " +
                    std::to_string(kMostEdges) + " are laid out at once.");

    if (const auto read = readOptions(json, request); !read) return tl::unexpected(read.error());
    std::unordered_map<std::string, std::size_t> positions;
    if (const auto read = readNodes(*nodes, request, positions); !read) return tl::unexpected(read.error());
    if (edges) {
        if (const auto read = readEdges(*edges, request, positions); !read) return tl::unexpected(read.error());
    }
    return request;
}

std::string formatAnswer(const Request &request, const Answer &answer)
{
    Json nodes = Json::array();
    for (std::size_t i = 0; i < request.boxes.size(); ++i) {
        const Place &place = answer.places[i];
        nodes.push_back({{"id", request.boxes[i].id},
                         {"x", place.x},
                         {"y", place.y},
                         {"rank", place.rank},
                         {"order", place.order}});
    }
    const Json line = {
        {"id", request.id}, {"width", answer.width}, {"height", answer.height}, {"nodes", std::move(nodes)}};
    return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string formatError(std::int64_t id, const std::string &sentence)
{
    Json line = {{"error", sentence}};
    if (id >= 0) line["id"] = id;
    return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace remat::layout
