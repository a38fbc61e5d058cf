#include "solvers/chain/chain_table.h"

#include "solvers/translate.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace remat::chain {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

} // namespace

ChainTable::ChainTable(const ChainModel &model, const TableSettings &settings, const std::function<bool()> &stop)
    : m_model(model), m_checkpoints(settings.checkpoints)
{
    const std::int64_t slots = std::max(settings.slots, 1);
    m_slotBytes = std::max<std::int64_t>(1, (settings.memoryBytes + slots - 1) / slots);
    m_slots = static_cast<int>(std::max<std::int64_t>(settings.memoryBytes, 0) / m_slotBytes);
    const int stages = model.size();
    m_cost.resize(cell(0, stages));
    for (int t = 0; t < stages; ++t)
        for (int s = t; s >= 0; --s) {
            if (stop()) return;
            fill(s, t);
        }
    m_complete = true;
}

template <class Visit>
void ChainTable::forEachTerm(int s, int t, const Visit &visit) const
{
    const bool first = t + 1 == m_model.size();
    const Stage &stage = m_model.stages[s];
    const std::int64_t constant = m_model.stages[t].constantBytes;
    const std::vector<std::int64_t> &input = m_model.inputBytes[s];
    if (m_checkpoints) {
        double advanceUs = 0;
        std::int64_t peak = 0;
        for (int j = s + 1; j <= t; ++j) {
            const Stage &passed = m_model.stages[j - 1];
            if (!first) advanceUs += passed.advanceUs;
            peak = std::max(peak, input[j - 1] + passed.advancePeakBytes);
            visit(advanceUs, toSlots(constant + peak), &at(j, t), toSlots(input[j]), &at(s, j - 1), Choice{j, -1});
        }
    }
    for (int k = 0; k < static_cast<int>(stage.options.size()); ++k) {
        const StageOption &option = stage.options[k];
        const bool alone = s == t;
        const double againUs = first ? 0 : alone ? option.remakeUs : option.remakeNextUs;
        const std::int64_t forward = alone && !first ? option.remakePeakBytes : option.forwardPeakBytes;
        const int least = toSlots(std::max(constant + forward, option.backwardPeakBytes));
        const int kept = alone ? 0 : toSlots(option.keptBytes + input[s + 1]);
        visit(againUs + option.extraUs, least, alone ? nullptr : &at(s + 1, t), kept, nullptr, Choice{-1, k});
    }
}

void ChainTable::fill(int s, int t)
{
    std::vector<double> best(m_slots + 1, kInfinity);
    forEachTerm(
        s, t,
        [&](double us, int least, const std::vector<double> *part, int less, const std::vector<double> *rest, Choice) {
            const int from = std::max(least, less), count = m_slots + 1 - from;
            if (count <= 0) return;
            double *out = best.data() + from;
            if (!part) {
                for (int m = 0; m < count; ++m)
                    out[m] = std::min(out[m], us);
                return;
            }
            const double *a = part->data() + (from - less);
            if (!rest) {
                for (int m = 0; m < count; ++m)
                    out[m] = std::min(out[m], us + a[m]);
                return;
            }
            const double *b = rest->data() + from;
            for (int m = 0; m < count; ++m)
                out[m] = std::min(out[m], us + a[m] + b[m]);
        });
    at(s, t) = std::move(best);
}

ChainTable::Choice ChainTable::choose(int s, int t, int memory) const
{
    Choice best;
    double bestUs = kInfinity;
    forEachTerm(s, t,
                [&](double us, int least, const std::vector<double> *part, int less, const std::vector<double> *rest,
                    Choice choice) {
                    if (memory < std::max(least, less)) return;
                    if (part) us += (*part)[memory - less];
                    if (rest) us += (*rest)[memory];
                    if (us >= bestUs) return;
                    bestUs = us;
                    best = choice;
                });
    return best;
}

double ChainTable::extraUs(int memory) const
{
    if (!m_complete || memory < 0 || memory > m_slots) return kInfinity;
    return at(0, m_model.size() - 1)[memory];
}

ChainSchedule ChainTable::schedule(int memory) const
{
    struct Part {
        int memory, first, last;
    };
    ChainSchedule schedule;
    schedule.option.assign(m_model.size(), 0);
    std::vector<Part> open{{memory, 0, m_model.size() - 1}};
    while (!open.empty()) {
        const auto [m, s, t] = open.back();
        open.pop_back();
        const Choice choice = choose(s, t, m);
        const int time = t + 1 == m_model.size() ? kForwardPass : t;
        if (choice.checkpoint >= 0) {
            const int j = choice.checkpoint;
            schedule.holds.push_back({time, j, -1});
            open.push_back({m, s, j - 1});
            open.push_back({m - toSlots(m_model.inputBytes[s][j]), j, t});
            continue;
        }
        schedule.option[s] = choice.option;
        schedule.holds.push_back({time, s, choice.option});
        if (s == t) continue;
        schedule.holds.push_back({time, s + 1, -1});
        const std::int64_t kept = m_model.stages[s].options[choice.option].keptBytes;
        open.push_back({m - toSlots(kept + m_model.inputBytes[s][s + 1]), s + 1, t});
    }
    return schedule;
}

} // namespace remat::chain
