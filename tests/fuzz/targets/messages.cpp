// SPDX-License-Identifier: Apache-2.0
// What helper processes and the program tell each other.
#include "tests/fuzz/targets/all.h"

#include "app/layout_helper/request.h"
#include "core/base/child_process.h"
#include "core/views/row_answer.h"
#include "solvers/ilp/helper_messages.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

namespace remat::fuzz {

bool readSolveRequest(std::string_view input)
{
    const auto request = ilp::unpackRequest(input);
    if (!request) return false;
    const auto again = ilp::unpackRequest(ilp::pack(request->model, request->limits));
    require(again && again->model.terms.size() == request->model.terms.size() &&
                again->model.columns() == request->model.columns(),
            "a request reads back as another");
    return true;
}

bool readSolveReply(std::string_view input)
{
    const auto reply = ilp::unpackReply(input);
    if (!reply) return false;
    require(reply->progress.has_value() != reply->solution.has_value(), "a reply that is both or neither");
    if (reply->solution) {
        const auto again = ilp::unpackReply(ilp::pack(*reply->solution));
        require(again && again->solution && again->solution->x.size() == reply->solution->x.size(),
                "a solution reads back as another");
    }
    return true;
}

bool takeFrames(std::string_view input)
{
    constexpr std::size_t kMost = 1 << 20;
    const int file = open(fileOf(input).c_str(), O_RDONLY | O_CLOEXEC);
    require(file >= 0, "no file in memory");
    std::size_t taken = 0;
    while (const auto frame = readFrame(file, kMost))
        require(++taken <= input.size() && frame->size() <= input.size(), "more frames than there are bytes");
    close(file);
    const int whole = open(fileOf(framed(input)).c_str(), O_RDONLY | O_CLOEXEC);
    require(readFrame(whole, kMost) == std::string(input), "a frame reads back as another");
    close(whole);
    return taken > 0;
}

bool readLayoutRequest(std::string_view input)
{
    const auto request = layout::parseRequest(std::string(input));
    if (!request) {
        refusedWith(request.error());
        const std::string line = layout::formatError(-1, request.error());
        require(nlohmann::json::accept(line) && line.find('\n') == std::string::npos,
                "an answer that is no line of JSON");
        return false;
    }
    layout::Answer answer;
    answer.places.resize(request->boxes.size());
    for (const auto &[from, to] : request->edges)
        require(from < request->boxes.size() && to < request->boxes.size(), "an edge to a box that is not there");
    const std::string line = layout::formatAnswer(*request, answer);
    require(nlohmann::json::accept(line) && line.find('\n') == std::string::npos, "an answer that is no line of JSON");
    return true;
}

bool readLayoutAnswer(std::string_view input)
{
    const OrderQuestion question{4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}}};
    const auto answer = readRowAnswer(input, 7, question.rows);
    if (!answer) return refusedWith(answer.error().message);
    if (answer->number != 7) {
        require(answer->ranks.empty(), "ranks for another question");
        return false;
    }
    std::vector<RowRank> ranks = answer->ranks;
    require(ranks.size() == 4, "not a rank for each row");
    unmirror(ranks);
    const std::vector<int> rows = rowsInOrder(question, ranks);
    std::vector<int> place(4, -1);
    for (std::size_t i = 0; i < rows.size(); ++i)
        place[static_cast<std::size_t>(rows[i])] = static_cast<int>(i);
    require(rows.size() == 4 && std::count(place.begin(), place.end(), -1) == 0, "rows that are lost");
    for (const auto &[from, to] : question.edges)
        require(place[static_cast<std::size_t>(from)] < place[static_cast<std::size_t>(to)], "an edge upwards");
    return true;
}

} // namespace remat::fuzz
