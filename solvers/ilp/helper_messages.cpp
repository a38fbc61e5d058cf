// SPDX-License-Identifier: Apache-2.0
#include "solvers/ilp/helper_messages.h"

#include "core/base/packing.h"

namespace remat::ilp {

namespace {

/// Changes with the layout of the messages, since a helper may be of another build than what calls it.
constexpr std::uint64_t kRequestMark = 0x72656d61742d0002;
constexpr char kProgressMark = 'p', kSolutionMark = 'x';

} // namespace

void fields(auto &io, Is<Term> auto &term)
{
    auto &[column, coefficient] = term;
    io(column, coefficient);
}

void fields(auto &io, Is<Model> auto &model)
{
    auto &[objective, lower, upper, integer, rowStart, terms, rowLower, rowUpper] = model;
    io(objective, lower, upper, integer, rowStart, terms, rowLower, rowUpper);
}

/// Stop, deadline and progress stay with the one who asks.
void fields(auto &io, Is<Limits> auto &limits)
{
    io(limits.iterations, limits.relativeGap, limits.absoluteGap, limits.effort, limits.start, limits.known,
       limits.seed);
}

void fields(auto &io, Is<Progress> auto &progress)
{
    auto &[incumbent, bound] = progress;
    io(incumbent, bound);
}

void fields(auto &io, Is<Solution> auto &solution)
{
    auto &[status, x, objective, bound, iterations] = solution;
    io(status, x, objective, bound, iterations);
}

std::string pack(const Model &model, const Limits &limits)
{
    Packer packer;
    packer(kRequestMark, model, limits.deadline.secondsLeft(), limits);
    return packer.take();
}

std::string pack(const Progress &progress)
{
    Packer packer;
    packer(kProgressMark, progress);
    return packer.take();
}

std::string pack(const Solution &solution)
{
    Packer packer;
    packer(kSolutionMark, solution);
    return packer.take();
}

std::optional<HelperRequest> unpackRequest(std::string_view bytes)
{
    std::uint64_t mark = 0;
    double secondsLeft = 0;
    HelperRequest request;
    Unpacker unpacker(bytes);
    unpacker(mark, request.model, secondsLeft, request.limits);
    if (!unpacker.whole() || mark != kRequestMark || !request.model.consistent()) return std::nullopt;
    if (!request.limits.start.empty() && request.limits.start.size() != request.model.objective.size())
        return std::nullopt;
    if (secondsLeft < kInfinity) request.limits.deadline = Deadline(secondsLeft);
    return request;
}

std::optional<HelperReply> unpackReply(std::string_view bytes)
{
    char mark = 0;
    Unpacker unpacker(bytes);
    unpacker(mark);
    HelperReply reply;
    if (mark == kProgressMark)
        unpacker(reply.progress.emplace());
    else if (mark == kSolutionMark)
        unpacker(reply.solution.emplace());
    if (!unpacker.whole() || !(reply.progress || reply.solution)) return std::nullopt;
    return reply;
}

} // namespace remat::ilp
