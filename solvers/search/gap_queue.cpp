// SPDX-License-Identifier: Apache-2.0
#include "solvers/search/gap_queue.h"

#include "solvers/search/lookalikes.h"

#include <algorithm>

namespace remat::search {

namespace {

/// A gap is the best when, measured again, it is still worth this share of the next one.
constexpr double kStillBest = 0.97;
/// Trials of one structure in other sizes after which what they come to is believed untried; on graphs of some thousand
/// ops all are tried.
constexpr int kEnoughTrials = 16;

} // namespace

bool GapQueue::Candidate::operator<(const Candidate &other) const
{
    if (worth != other.worth) return worth < other.worth;
    if (gap.storage != other.gap.storage) return gap.storage < other.gap.storage;
    return gap.to < other.gap.to;
}

GapQueue::GapQueue(const State &state)
    : m_state(state),
      m_alike(classesOf(state.flat(), Likeness::Exact)),
      m_structures(classesOf(state.flat(), Likeness::Structure))
{
}

void GapQueue::clear()
{
    m_kindIds.clear();
    m_tried.clear();
    m_kinds.clear();
    m_queue = {};
}

void GapQueue::pushGapsOf(int storage, std::int64_t leastBytes)
{
    const FlatGraph &flat = m_state.flat();
    const std::vector<Key> &events = m_state.events(storage);
    if (events.size() < 2 || flat.once[flat.producer[storage]] || flat.bytes[storage] < leastBytes) return;
    for (std::size_t e = 1; e < events.size(); ++e) {
        if (m_state.makes(events[e], storage)) continue;
        const Gap gap{storage, events[e - 1], events[e]};
        if (const double worth = estimate(gap); worth > 0) {
            const std::size_t kind = kindOf(gap);
            push(kind, {worth / m_kinds[kind].factor, 0, gap});
            if (m_kinds[kind].gaps.front().gap == gap) enqueue(kind);
        }
    }
}

double GapQueue::estimate(const Gap &gap) const
{
    const FlatGraph &flat = m_state.flat();
    const auto off = static_cast<double>(
        m_state.memory().overflowOfLess(slotOf(gap.from) + 1, slotOf(gap.to), flat.bytes[gap.storage]));
    return off / std::max(flat.timeUs[flat.producer[gap.storage]], kLeastUs);
}

double GapQueue::worthNow(const Candidate &candidate) const
{
    const Gap &gap = candidate.gap;
    const std::vector<Key> &events = m_state.events(gap.storage);
    const std::size_t e = m_state.eventAt(gap.storage, gap.to);
    if (e == 0 || e == events.size() || events[e] != gap.to || events[e - 1] != gap.from) return 0;
    return estimate(gap) * (candidate.share > 0 ? candidate.share : 1);
}

std::uint64_t GapQueue::idAmong(const std::vector<int> &classes, const Gap &gap) const
{
    const FlatGraph &flat = m_state.flat();
    const int maker = flat.producer[gap.storage], reader = opOf(gap.to);
    const std::vector<int> &outputs = flat.outputs[maker];
    const auto output =
        static_cast<std::uint64_t>(std::find(outputs.begin(), outputs.end(), gap.storage) - outputs.begin());
    const auto classOf = [&](int op) { return static_cast<std::uint64_t>(op < flat.ops ? classes[op] : op); };
    const auto ops = static_cast<std::uint64_t>(flat.ops) + 1;
    return (output * ops + classOf(maker)) * ops + classOf(reader);
}

std::size_t GapQueue::kindOf(const Gap &gap)
{
    const auto [it, isNew] = m_kindIds.emplace(idAmong(m_alike, gap), m_kinds.size());
    if (isNew) m_kinds.emplace_back().structure = idAmong(m_structures, gap);
    return it->second;
}

double GapQueue::expectedShare(const Kind &kind) const
{
    if (kind.share > 0) return kind.share;
    const auto known = m_tried.find(kind.structure);
    return known == m_tried.end() || known->second.trials < kEnoughTrials ? 0 : known->second.share;
}

void GapQueue::push(std::size_t kind, const Candidate &candidate)
{
    std::vector<Candidate> &gaps = m_kinds[kind].gaps;
    gaps.push_back(candidate);
    std::push_heap(gaps.begin(), gaps.end());
}

void GapQueue::popFirst(Kind &kind)
{
    std::pop_heap(kind.gaps.begin(), kind.gaps.end());
    kind.gaps.pop_back();
}

void GapQueue::enqueue(std::size_t kind)
{
    if (!m_kinds[kind].gaps.empty()) m_queue.emplace(m_kinds[kind].worth(), kind);
}

double GapQueue::nextWorth(const Kind &kind)
{
    while (!m_queue.empty()) {
        const auto [worth, id] = m_queue.top();
        const Kind &other = m_kinds[id];
        if (&other != &kind && !other.gaps.empty() && other.worth() == worth) break;
        m_queue.pop();
    }
    double next = m_queue.empty() ? 0 : m_queue.top().first;
    for (std::size_t second = 1; second < std::min<std::size_t>(3, kind.gaps.size()); ++second)
        next = std::max(next, kind.factor * kind.gaps[second].worth);
    return next;
}

bool GapQueue::findBest()
{
    while (!m_queue.empty()) {
        const auto [queued, id] = m_queue.top();
        m_queue.pop();
        Kind &kind = m_kinds[id];
        if (kind.gaps.empty() || kind.worth() != queued) continue;
        Candidate &first = kind.gaps.front();
        if (first.share <= 0) first.share = expectedShare(kind);
        const double worth = worthNow(first);
        if (worth > 0) {
            m_at = id;
            m_next = nextWorth(kind);
            // What was never tried may be worth more than the estimate.
            if (first.share <= 0 || isStillBest(worth)) return true;
            lookAgain(kind, worth);
        } else {
            popFirst(kind);
        }
        enqueue(id);
    }
    return false;
}

void GapQueue::lookAgain(Kind &kind, double worth)
{
    double fell = worth / kind.worth();
    Candidate first = kind.gaps.front();
    popFirst(kind);
    if (!kind.gaps.empty()) fell = std::max(fell, worthNow(kind.gaps.front()) / kind.worth());
    kind.factor *= std::min(fell, 1.0);
    first.worth = worth / kind.factor;
    kind.gaps.push_back(first);
    std::push_heap(kind.gaps.begin(), kind.gaps.end());
}

bool GapQueue::isStillBest(double worth) const
{
    return worth >= kStillBest * m_next;
}

void GapQueue::keep(double worth)
{
    Kind &kind = m_kinds[m_at];
    Candidate tried = kind.gaps.front();
    popFirst(kind);
    tried.worth = worth / kind.factor;
    tried.share = kind.share = worth / estimate(tried.gap);
    Tried &known = m_tried[kind.structure];
    ++known.trials;
    known.share = tried.share;
    push(m_at, tried);
    enqueue(m_at);
}

void GapQueue::remove()
{
    popFirst(m_kinds[m_at]);
    enqueue(m_at);
}

} // namespace remat::search
