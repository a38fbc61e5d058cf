// SPDX-License-Identifier: Apache-2.0
#include "solvers/ilp/helper_messages.h"

#include <cstring>
#include <type_traits>

namespace remat::ilp {

namespace {

/// Changes with the layout of the messages, since a helper may be of another build than what calls it.
constexpr std::uint64_t kRequestMark = 0x72656d61742d0001;
constexpr char kProgressMark = 'p', kSolutionMark = 'x';

class Packer
{
public:
    template <typename T>
    Packer &add(const T &value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        m_bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
        return *this;
    }
    template <typename T>
    Packer &add(const std::vector<T> &values)
    {
        add(static_cast<std::uint64_t>(values.size()));
        m_bytes.append(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
        return *this;
    }
    std::string take() { return std::move(m_bytes); }

private:
    std::string m_bytes;
};

class Unpacker
{
public:
    explicit Unpacker(std::string_view bytes) : m_bytes(bytes) {}

    template <typename T>
    Unpacker &read(T &value)
    {
        copy(&value, sizeof value);
        return *this;
    }
    template <typename T>
    Unpacker &read(std::vector<T> &values)
    {
        std::uint64_t count = 0;
        read(count);
        if (count > m_bytes.size() / sizeof(T)) m_whole = false;
        if (!m_whole) return *this;
        values.resize(count);
        copy(values.data(), count * sizeof(T));
        return *this;
    }
    /// Everything was there, and nothing is left over.
    bool whole() const { return m_whole && m_bytes.empty(); }

private:
    void copy(void *target, std::size_t size)
    {
        if (size > m_bytes.size()) m_whole = false;
        if (!m_whole || size == 0) return;
        std::memcpy(target, m_bytes.data(), size);
        m_bytes.remove_prefix(size);
    }

    std::string_view m_bytes;
    bool m_whole = true;
};

} // namespace

std::string pack(const Model &model, const Limits &limits)
{
    Packer packer;
    packer.add(kRequestMark);
    packer.add(model.objective).add(model.lower).add(model.upper).add(model.integer);
    packer.add(model.rowStart).add(model.terms).add(model.rowLower).add(model.rowUpper);
    packer.add(limits.deadline.secondsLeft()).add(limits.iterations);
    packer.add(limits.relativeGap).add(limits.absoluteGap).add(limits.effort);
    packer.add(limits.start).add(limits.known).add(limits.seed);
    return packer.take();
}

std::string pack(const Progress &progress)
{
    return Packer().add(kProgressMark).add(progress.incumbent).add(progress.bound).take();
}

std::string pack(const Solution &solution)
{
    Packer packer;
    packer.add(kSolutionMark).add(solution.status).add(solution.x);
    packer.add(solution.objective).add(solution.bound).add(solution.iterations);
    return packer.take();
}

std::optional<HelperRequest> unpackRequest(std::string_view bytes)
{
    std::uint64_t mark = 0;
    double secondsLeft = 0;
    HelperRequest request;
    Model &model = request.model;
    Limits &limits = request.limits;
    Unpacker unpacker(bytes);
    unpacker.read(mark);
    unpacker.read(model.objective).read(model.lower).read(model.upper).read(model.integer);
    unpacker.read(model.rowStart).read(model.terms).read(model.rowLower).read(model.rowUpper);
    unpacker.read(secondsLeft).read(limits.iterations);
    unpacker.read(limits.relativeGap).read(limits.absoluteGap).read(limits.effort);
    unpacker.read(limits.start).read(limits.known).read(limits.seed);
    if (!unpacker.whole() || mark != kRequestMark || !model.consistent()) return std::nullopt;
    if (!limits.start.empty() && limits.start.size() != model.objective.size()) return std::nullopt;
    if (secondsLeft < kInfinity) limits.deadline = Deadline(secondsLeft);
    return request;
}

std::optional<HelperReply> unpackReply(std::string_view bytes)
{
    char mark = 0;
    Unpacker unpacker(bytes);
    unpacker.read(mark);
    HelperReply reply;
    if (mark == kProgressMark) {
        Progress &progress = reply.progress.emplace();
        unpacker.read(progress.incumbent).read(progress.bound);
    } else if (mark == kSolutionMark) {
        Solution &solution = reply.solution.emplace();
        unpacker.read(solution.status).read(solution.x);
        unpacker.read(solution.objective).read(solution.bound).read(solution.iterations);
    }
    if (!unpacker.whole() || !(reply.progress || reply.solution)) return std::nullopt;
    return reply;
}

} // namespace remat::ilp
