#include "solvers/hiremate/top_model.h"

#include <algorithm>
#include <map>
#include <set>

namespace remat::hiremate {

namespace {

using Set = std::vector<int>; ///< sorted

/// Stages × interfaces, of each of which some lists are kept.
constexpr std::size_t kMostPlaces = 4'000'000;

void insert(Set &set, int value)
{
    const auto at = std::lower_bound(set.begin(), set.end(), value);
    if (at == set.end() || *at != value) set.insert(at, value);
}

bool contains(const Set &set, int value)
{
    return std::binary_search(set.begin(), set.end(), value);
}

/// A stretch of an option's backward program in which the same interfaces are still to be read.
struct Piece {
    Set pinned;        ///< interface numbers
    double memory = 0; ///< largest internal memory plus constants, relative to the start of the stage
};

/// Builds the program row by row; lives for one call.
class Builder
{
public:
    Builder(const FlatGraph &flat, const Chain &chain, const std::vector<BlockChoices> &choices,
            std::int64_t budgetBytes, const TopSettings &settings)
        : m_flat(flat), m_chain(chain), m_choices(choices), m_settings(settings)
    {
        m_top.stages.blocks = static_cast<int>(chain.blocks.size());
        m_top.unitBytes = std::max(1.0, static_cast<double>(chain.keepAllPeakBytes) / 1e4);
        m_budget = units(budgetBytes);
        m_number.assign(flat.storages(), -1);
        for (std::size_t i = 0; i < chain.interfaces.size(); ++i)
            m_number[chain.interfaces[i]] = static_cast<int>(i);
    }

    std::optional<TopModel> build()
    {
        if (static_cast<std::size_t>(stages().count()) * m_chain.interfaces.size() > kMostPlaces) return std::nullopt;
        findReads();
        addOptions();
        addKeptColumns();
        addInterfaces();
        addRecomputes();
        addPresence();
        addNeeds();
        for (int t = 0; t < stages().count() && !gaveUp(); ++t) {
            if (stages().backward(t)) {
                addRecomputeMemory(t);
                addBackwardMemory(t);
            } else {
                addForwardMemory(t);
            }
        }
        if (m_settings.orderIdentical) addOrder();
        addClosureCut();
        if (gaveUp()) return std::nullopt;
        return std::move(m_top);
    }

private:
    /// Every solution is a plan of the whole graph, so its added time is at least what the closure bound proves; the
    /// relaxation, which may mix options, knows no such thing.
    void addClosureCut()
    {
        if (m_settings.leastUs <= 0) return;
        std::vector<ilp::Term> time;
        for (int column = 0; column < m_top.model.columns(); ++column)
            if (m_top.model.objective[column] > 0) time.push_back({column, m_top.model.objective[column]});
        m_top.model.addAtLeast(m_settings.leastUs * (1 - 1e-9), std::move(time));
    }

    /// It is stopped, or grows too large: what was begun is thrown away.
    bool gaveUp()
    {
        m_gaveUp = m_gaveUp || m_top.model.terms.size() > m_settings.mostTerms || m_settings.stop();
        return m_gaveUp;
    }

    const Stages &stages() const { return m_top.stages; }
    const Block &block(int k) const { return m_chain.blocks[k]; }
    int interfaces() const { return static_cast<int>(m_chain.interfaces.size()); }
    int home(int s) const { return m_chain.blockOfStorage[m_chain.interfaces[s]]; }
    double units(std::int64_t bytes) const { return static_cast<double>(bytes) / m_top.unitBytes; }
    double size(int s) const { return units(m_flat.bytes[m_chain.interfaces[s]]); }

    Set numbersOf(const std::vector<int> &storages) const
    {
        Set set;
        for (const int s : storages)
            insert(set, m_number[s]);
        return set;
    }

    /// What each stage reads in any case, what options may read, and what rebuilding those may read in turn.
    void findReads()
    {
        const int count = stages().count();
        m_base.resize(count);
        m_possible.resize(count);
        m_optionReads.resize(stages().blocks);
        for (int t = 0; t < count && !gaveUp(); ++t) {
            const Block &b = block(stages().block(t));
            const int begin = stages().backward(t) ? b.forwardOps() : 0;
            const int end = stages().backward(t) ? static_cast<int>(b.ops.size()) : b.forwardOps();
            for (int i = begin; i < end; ++i)
                for (const int s : b.ops[i].interfaces)
                    insert(m_base[t], m_number[s]);
            m_possible[t] = m_base[t];
            if (!stages().backward(t)) continue;
            const int k = stages().block(t);
            for (const Option &option : *m_choices[k].options) {
                Set reads;
                for (const ProgramStep &step : option.program)
                    if (step.recompute())
                        for (const int s : b.ops[step.op].interfaces)
                            insert(reads, m_number[s]);
                for (const int s : reads)
                    insert(m_possible[t], s);
                m_optionReads[k].push_back(std::move(reads));
            }
            closeReads(t);
        }
        if (gaveUp()) return;
        m_lastPossible.assign(interfaces(), -1);
        m_lastForward.assign(interfaces(), -1);
        for (int t = 0; t < count; ++t) {
            for (const int s : m_possible[t])
                m_lastPossible[s] = t;
            if (!stages().backward(t))
                for (const int s : m_base[t])
                    m_lastForward[s] = t;
        }
    }

    void closeReads(int t)
    {
        Set work = m_possible[t];
        while (!work.empty()) {
            const int s = work.back();
            work.pop_back();
            const auto reach = [&](const std::vector<int> &storages) {
                for (const int q : numbersOf(storages))
                    if (!contains(m_possible[t], q)) {
                        insert(m_possible[t], q);
                        work.push_back(q);
                    }
            };
            if (fastForwardAt(t, home(s))) reach(m_choices[home(s)].fastForward.readsInterfaces);
            if (liteAt(t, home(s)))
                for (const Lite &lite : m_choices[home(s)].lites)
                    if (m_number[lite.interface] == s) reach(lite.rebuild.readsInterfaces);
        }
    }

    bool fastForwardAt(int t, int j) const
    {
        return m_settings.fastForward && stages().backward(t) && m_choices[j].fastForward.possible;
    }
    /// What a block keeps is there until its backward stage starts.
    bool liteAt(int t, int j) const { return m_settings.lite && stages().backward(t) && j <= stages().block(t); }

    void addOptions()
    {
        m_top.optionColumn.resize(stages().blocks);
        for (int k = 0; k < stages().blocks; ++k) {
            std::vector<ilp::Term> one;
            double largest = 0;
            for (const Option &option : *m_choices[k].options) {
                m_top.optionColumn[k].push_back(m_top.model.addBinary(option.extraUs));
                one.push_back({m_top.optionColumn[k].back(), 1});
                largest = std::max(largest, units(option.keptBytes));
            }
            m_top.model.addRow(1, one, 1);
            m_largestKept.push_back(largest);
        }
    }

    void addInterfaces()
    {
        if (gaveUp()) return;
        m_top.thereColumn.assign(stages().count() + 1, std::vector<int>(interfaces(), -1));
        for (int t = 0; t < stages().count(); ++t)
            for (int s = 0; s < interfaces(); ++s) {
                if (t <= home(s) || t > m_lastPossible[s]) continue;
                const int column = m_top.model.addBinary(1e-4);
                m_top.thereColumn[t][s] = column;
                if (t <= m_lastForward[s]) m_top.model.fix(column, 1);
            }
    }

    void addRecomputes()
    {
        if (gaveUp()) return;
        m_top.forwardColumn.assign(stages().count(), std::vector<int>(stages().blocks, -1));
        m_made.assign(stages().count(), std::vector<std::vector<ilp::Term>>(interfaces()));
        for (int t = stages().blocks; t < stages().count() && !gaveUp(); ++t)
            for (int j = 0; j < stages().blocks; ++j) {
                std::vector<int> here;
                for (int s = 0; s < interfaces(); ++s)
                    if (home(s) == j && contains(m_possible[t], s)) here.push_back(s);
                if (here.empty()) continue;
                if (fastForwardAt(t, j)) {
                    const int column = m_top.model.addBinary(m_choices[j].fastForward.timeUs);
                    m_top.forwardColumn[t][j] = column;
                    for (const int s : here)
                        m_made[t][s].push_back({column, 1});
                }
                if (liteAt(t, j)) addLites(t, j);
            }
    }

    void addLites(int t, int j)
    {
        for (std::size_t a = 0; a < m_choices[j].lites.size(); ++a) {
            const Lite &lite = m_choices[j].lites[a];
            const int s = m_number[lite.interface];
            if (!contains(m_possible[t], s)) continue;
            const int column = m_top.model.addBinary(lite.rebuild.timeUs);
            m_top.liteColumns.push_back({t, j, static_cast<int>(a), column});
            m_made[t][s].push_back({column, 1});
            std::vector<ilp::Term> row{{column, 1}};
            for (const int o : lite.options)
                row.push_back({m_top.optionColumn[j][o], -1});
            m_top.model.addAtMost(std::move(row), 0);
        }
    }

    std::vector<ilp::Term> presence(int t, int s) const
    {
        std::vector<ilp::Term> terms = m_made[t][s];
        if (m_top.thereColumn[t][s] >= 0) terms.push_back({m_top.thereColumn[t][s], 1});
        return terms;
    }

    void addPresence()
    {
        for (int t = 0; t < stages().count() && !gaveUp(); ++t)
            for (int s = 0; s < interfaces(); ++s) {
                if (!m_made[t][s].empty()) m_top.model.addAtMost(presence(t, s), 1);
                const int there = m_top.thereColumn[t][s];
                if (there < 0 || t - 1 <= home(s)) continue;
                std::vector<ilp::Term> row{{there, 1}};
                for (const ilp::Term &term : presence(t - 1, s))
                    row.push_back({term.column, -1});
                m_top.model.addAtMost(std::move(row), 0);
            }
    }

    void need(int t, int s, const std::vector<ilp::Term> &users, double constant)
    {
        if (home(s) == t) return;
        std::vector<ilp::Term> row = presence(t, s);
        for (const ilp::Term &user : users)
            row.push_back({user.column, -1});
        m_top.model.addAtLeast(constant, std::move(row));
    }

    void addNeeds()
    {
        if (gaveUp()) return;
        for (int t = stages().blocks; t < stages().count() && !gaveUp(); ++t) {
            const int k = stages().block(t);
            for (const int s : m_base[t])
                need(t, s, {}, 1);
            std::map<int, std::vector<ilp::Term>> readers;
            for (std::size_t o = 0; o < m_optionReads[k].size(); ++o)
                for (const int s : m_optionReads[k][o])
                    if (!contains(m_base[t], s)) readers[s].push_back({m_top.optionColumn[k][o], 1});
            for (const auto &[s, users] : readers)
                need(t, s, users, 0);
            for (int j = 0; j < stages().blocks; ++j)
                if (m_top.forwardColumn[t][j] >= 0)
                    for (const int s : numbersOf(m_choices[j].fastForward.readsInterfaces))
                        need(t, s, {{m_top.forwardColumn[t][j], 1}}, 0);
        }
        for (const TopModel::LiteColumn &lite : m_top.liteColumns)
            for (const int s : numbersOf(m_choices[lite.block].lites[lite.lite].rebuild.readsInterfaces))
                need(lite.stage, s, {{lite.column, 1}}, 0);
    }

    /// What the blocks before k keep: a column of its own, so that memory rows stay short.
    std::vector<ilp::Term> keptBefore(int k, double &largest) const
    {
        largest = m_largestBefore[k];
        if (k == 0) return {};
        return {{m_top.keptColumn[k], 1}};
    }

    void addKeptColumns()
    {
        m_top.keptColumn.assign(stages().blocks + 1, -1);
        m_largestBefore.assign(stages().blocks + 1, 0);
        for (int k = 1; k <= stages().blocks; ++k) {
            m_largestBefore[k] = m_largestBefore[k - 1] + m_largestKept[k - 1];
            m_top.keptColumn[k] = m_top.model.addColumn(0, 0, m_largestBefore[k], false);
            std::vector<ilp::Term> row{{m_top.keptColumn[k], -1}};
            addKept(k - 1, row);
            if (k > 1) row.push_back({m_top.keptColumn[k - 1], 1});
            m_top.model.addRow(0, std::move(row), 0);
        }
    }

    void addKept(int j, std::vector<ilp::Term> &terms) const
    {
        const std::vector<Option> &options = *m_choices[j].options;
        for (std::size_t o = 0; o < options.size(); ++o)
            if (options[o].keptBytes > 0) terms.push_back({m_top.optionColumn[j][o], units(options[o].keptBytes)});
    }

    /// Adds `terms` ≤ budget − constant, unless it cannot be violated.
    void memoryRow(std::vector<ilp::Term> terms, double constant, double largest)
    {
        if (constant + largest > m_budget) m_top.model.addAtMost(std::move(terms), m_budget - constant);
    }

    void addForwardMemory(int t)
    {
        const Block &b = block(t);
        const std::vector<Option> &options = *m_choices[t].options;
        // One row per distinct set of interfaces that are still to be read in this stage.
        std::map<Set, std::vector<int>> groups;
        for (int z = 0; z < b.forwardOps(); ++z)
            groups[pinnedInForward(t, b.forwardBegin + z)].push_back(z);
        double keptLargest = 0;
        const std::vector<ilp::Term> before = keptBefore(t, keptLargest);
        for (const auto &[pinned, steps] : groups) {
            if (gaveUp()) return;
            std::vector<ilp::Term> row = before;
            double constant = 0, largest = keptLargest, largestOption = 0;
            for (const int s : pinned)
                constant += size(s);
            for (std::size_t o = 0; o < options.size(); ++o) {
                double memory = 0;
                for (const int z : steps)
                    memory =
                        std::max(memory, units(options[o].forwardBytes[z] + m_chain.constantAt[b.forwardBegin + z]));
                row.push_back({m_top.optionColumn[t][o], memory});
                largestOption = std::max(largestOption, memory);
            }
            const int lastStep = b.forwardBegin + steps.back();
            addLivingOn(t, pinned, lastStep, row, largest);
            memoryRow(std::move(row), constant, largest + largestOption);
        }
    }

    Set pinnedInForward(int t, int op) const
    {
        Set pinned;
        for (int s = 0; s < interfaces(); ++s) {
            const int storage = m_chain.interfaces[s];
            const int made = m_flat.producer[storage];
            if (made > op) continue;
            bool readLater = made == op;
            for (const int reader : m_flat.readers[storage])
                readLater = readLater || (reader >= op && reader < block(t).forwardEnd);
            if (readLater) pinned.push_back(s);
        }
        return pinned;
    }

    /// Interfaces outside `pinned`, made before or by `lastStep`, while they live on to the next stage.
    void addLivingOn(int t, const Set &pinned, int lastStep, std::vector<ilp::Term> &row, double &largest) const
    {
        for (int s = 0; s < interfaces(); ++s) {
            if (m_flat.producer[m_chain.interfaces[s]] > lastStep || contains(pinned, s)) continue;
            const int next = m_top.thereColumn[t + 1][s];
            if (next < 0) continue;
            row.push_back({next, size(s)});
            largest += size(s);
        }
    }

    std::vector<Piece> piecesOf(int t, const Option &option) const
    {
        const Block &b = block(stages().block(t));
        const std::int64_t base = m_chain.constantBefore[b.backwardBegin];
        std::vector<Set> pins(option.program.size());
        Set pinned;
        for (std::size_t p = option.program.size(); p-- > 0;) {
            for (const int s : b.ops[option.program[p].op].interfaces)
                insert(pinned, m_number[s]);
            pins[p] = pinned;
        }
        std::vector<Piece> pieces;
        double highest = -1e300;
        for (std::size_t p = 0; p < option.program.size(); ++p) {
            const ProgramStep &step = option.program[p];
            const int slot = b.globalOp(step.before);
            const std::int64_t constants = (step.recompute() ? m_chain.constantBefore : m_chain.constantAt)[slot];
            const double memory = units(option.backwardBytes[p] + constants - base);
            // A later step with fewer pinned interfaces and no more memory adds nothing.
            if (memory <= highest) continue;
            highest = memory;
            if (!pieces.empty() && pieces.back().pinned == pins[p])
                pieces.back().memory = memory;
            else
                pieces.push_back({pins[p], memory});
        }
        return pieces;
    }

    void addBackwardMemory(int t)
    {
        const int k = stages().block(t);
        const Block &b = block(k);
        if (b.backwardOps() == 0) return;
        const double start = units(m_chain.constantBefore[b.backwardBegin]);
        std::vector<std::vector<Piece>> pieces;
        std::set<Set> pinSets;
        for (const Option &option : *m_choices[k].options) {
            pieces.push_back(piecesOf(t, option));
            for (const Piece &piece : pieces.back())
                pinSets.insert(piece.pinned);
        }
        double keptLargest = 0;
        const std::vector<ilp::Term> before = keptBefore(k, keptLargest);
        for (const Set &pinned : pinSets) {
            if (gaveUp()) return;
            std::vector<ilp::Term> row = before;
            double pinnedSize = 0, largest = keptLargest, largestOption = 0;
            for (const int s : pinned)
                pinnedSize += size(s);
            for (std::size_t o = 0; o < pieces.size(); ++o) {
                double memory = -1e300;
                for (const Piece &piece : pieces[o])
                    if (std::includes(piece.pinned.begin(), piece.pinned.end(), pinned.begin(), pinned.end()))
                        memory = std::max(memory, piece.memory);
                if (memory < -1e299) continue;
                row.push_back({m_top.optionColumn[k][o], memory + pinnedSize});
                largestOption = std::max(largestOption, memory + pinnedSize);
            }
            addLivingOn(t, pinned, m_flat.ops, row, largest);
            memoryRow(std::move(row), start, largest + largestOption);
        }
    }

    /// Recomputations at the start of a backward stage, block by block: the fast forward, then the lites.
    void addRecomputeMemory(int t)
    {
        const int k = stages().block(t);
        const Block &b = block(k);
        if (b.backwardOps() == 0) return;
        const double start = units(m_chain.constantBefore[b.backwardBegin]);
        double keptLargest = 0;
        std::vector<ilp::Term> before = keptBefore(k, keptLargest);
        addKept(k, before);
        keptLargest += m_largestKept[k];

        std::vector<char> made(interfaces(), 0);
        const auto addRow = [&](const std::vector<ilp::Term> &overhead, double largestOverhead) {
            if (gaveUp()) return;
            std::vector<ilp::Term> row = before;
            double largest = keptLargest + largestOverhead;
            row.insert(row.end(), overhead.begin(), overhead.end());
            for (int s = 0; s < interfaces(); ++s) {
                bool counts = false;
                if (m_top.thereColumn[t][s] >= 0) {
                    row.push_back({m_top.thereColumn[t][s], size(s)});
                    counts = true;
                }
                if (made[s])
                    for (const ilp::Term &term : m_made[t][s]) {
                        row.push_back({term.column, size(s)});
                        counts = true;
                    }
                if (counts) largest += size(s);
            }
            memoryRow(std::move(row), start, largest);
        };
        for (int j = 0; j < stages().blocks && !gaveUp(); ++j) {
            if (m_top.forwardColumn[t][j] >= 0) {
                for (int s = 0; s < interfaces(); ++s)
                    if (home(s) == j) made[s] = 1;
                const double overhead = units(m_choices[j].fastForward.overheadBytes);
                addRow({{m_top.forwardColumn[t][j], overhead}}, overhead);
            }
            std::map<int, std::vector<ilp::Term>> lites;
            double largest = 0;
            for (const TopModel::LiteColumn &lite : m_top.liteColumns) {
                if (lite.stage != t || lite.block != j) continue;
                const Lite &way = m_choices[j].lites[lite.lite];
                lites[m_number[way.interface]].push_back({lite.column, units(way.rebuild.overheadBytes)});
                largest = std::max(largest, units(way.rebuild.overheadBytes));
            }
            for (const auto &[s, overhead] : lites) {
                made[s] = 1;
                addRow(overhead, largest);
            }
        }
    }

    void addOrder()
    {
        std::map<int, int> previous;
        for (int k = 0; k < stages().blocks; ++k) {
            const auto [at, first] = previous.try_emplace(block(k).representative, k);
            if (first) continue;
            std::vector<ilp::Term> row, later;
            addKept(at->second, row);
            addKept(k, later);
            for (const ilp::Term &term : later)
                row.push_back({term.column, -term.value});
            m_top.model.addAtMost(std::move(row), 0);
            at->second = k;
        }
    }

    const FlatGraph &m_flat;
    const Chain &m_chain;
    const std::vector<BlockChoices> &m_choices;
    const TopSettings m_settings;
    TopModel m_top;
    double m_budget = 0;
    bool m_gaveUp = false;
    std::vector<int> m_number;                               ///< per storage, its interface number
    std::vector<Set> m_base, m_possible;                     ///< per stage
    std::vector<std::vector<Set>> m_optionReads;             ///< [block][option]
    std::vector<int> m_lastPossible, m_lastForward;          ///< per interface, stages
    std::vector<double> m_largestKept;                       ///< per block
    std::vector<double> m_largestBefore;                     ///< per block: of all before it
    std::vector<std::vector<std::vector<ilp::Term>>> m_made; ///< [stage][interface]: columns that make it there
};

} // namespace

std::optional<TopModel> buildTopModel(const FlatGraph &flat, const Chain &chain,
                                      const std::vector<BlockChoices> &choices, std::int64_t budgetBytes,
                                      const TopSettings &settings)
{
    return Builder(flat, chain, choices, budgetBytes, settings).build();
}

} // namespace remat::hiremate
