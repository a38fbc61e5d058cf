// SPDX-License-Identifier: Apache-2.0
// What the files share that build the program over the chain: what is given, and what is built so far.
#pragma once

#include "solvers/hiremate/top/top_model.h"

namespace remat::hiremate::top {

/// Interface numbers, sorted.
using Set = std::vector<int>;
void insert(Set &set, int value);
bool contains(const Set &set, int value);

/// Thrown when the program is stopped or grows too large: what was begun is thrown away. Leaves `buildTopModel` never.
struct GaveUp {
};

/// What the program is about. Interfaces have numbers 0 … interfaces() − 1; bytes become units of the model.
class ProgramData
{
public:
    /// Keeps references to all but the settings.
    ProgramData(const FlatGraph &flat, const Chain &chain, const std::vector<BlockChoices> &choices,
                std::int64_t budgetBytes, const TopSettings &settings);

    const FlatGraph &flat;
    const Chain &chain;
    const std::vector<BlockChoices> &choices;
    const TopSettings settings;
    const std::vector<Part> &parts;
    const double unitBytes;
    const double budget; ///< in units

    int blocks() const { return static_cast<int>(chain.blocks.size()); }
    const Block &block(int k) const { return chain.blocks[k]; }
    const Block &blockOf(const Part &part) const { return chain.blocks[part.block]; }
    int count() const { return static_cast<int>(parts.size()); }
    int interfaces() const { return static_cast<int>(chain.interfaces.size()); }
    /// The block that makes an interface, and the part in which it does so first.
    int home(int s) const { return chain.blockOfStorage[chain.interfaces[s]]; }
    int homePart(int s) const { return m_homePart[s]; }
    double budgetIn(int t) const
    {
        return settings.setAsideBytes.empty() ? budget : budget - units(settings.setAsideBytes[t]);
    }
    double units(std::int64_t bytes) const { return static_cast<double>(bytes) / unitBytes; }
    double size(int s) const { return units(flat.bytes[chain.interfaces[s]]); }
    int number(int storage) const { return m_number[storage]; }
    Set numbersOf(const std::vector<int> &storages) const;

    /// Whether block j may run forward again, or rebuild single interfaces from what it keeps, at the start of part t.
    bool fastForwardAt(int t, int j) const
    {
        return settings.fastForward && parts[t].backward && choices[j].fastForward.possible;
    }
    /// What a block keeps is there until its first backward part starts.
    bool liteAt(int t, int j) const { return settings.lite && parts[t].backward && t <= m_firstBackward[j]; }
    /// Throws GaveUp when the settings say so.
    void lookAtStop() const
    {
        if (settings.stop()) throw GaveUp();
    }

private:
    std::vector<int> m_number;        ///< per storage
    std::vector<int> m_homePart;      ///< per interface
    std::vector<int> m_firstBackward; ///< per block
};

/// Which interfaces the parts read.
struct Reads {
    std::vector<Set> always;                    ///< per part: whatever is chosen
    std::vector<Set> possible;                  ///< per part: under some option, and what rebuilding those may read
    std::vector<std::vector<Set>> ofOption;     ///< [part][option of its block]: for what is computed again there
    std::vector<int> lastPossible, lastForward; ///< per interface, parts; −1: none
};
Reads findReads(const ProgramData &given);

/// The program so far.
struct Program {
    TopModel top;
    std::vector<std::vector<std::vector<ilp::Term>>> made; ///< [part][interface]: columns that make it there
    std::vector<double> largestHeld;                       ///< per part: the most that `heldBefore` can be, in units

    /// X + Q: interface s is there in part t.
    std::vector<ilp::Term> presence(int t, int s) const;
    /// Throws GaveUp when the settings say so, or when there are too many terms.
    void lookAtLimits(const ProgramData &given) const;
};

/// What block j holds after its part `q` (a number of `Part::ofBlock`), in units, times `factor`.
void addHeld(const ProgramData &given, const TopModel &top, int j, int q, double factor, std::vector<ilp::Term> &terms);

/// Columns y with their times: one option for each block.
void addOptions(const ProgramData &given, Program &program);
/// Columns of what blocks hold while parts of others run, each from one before it and what changed since.
void addHeld(const ProgramData &given, Program &program);
/// Columns X, R and L with their times.
void addVariables(const ProgramData &given, const Reads &reads, Program &program);
/// Rows that say what can be where: what is there was there or is made, what is read is there.
void addFlow(const ProgramData &given, const Reads &reads, Program &program);
/// Rows that hold the memory of every part within the budget.
void addMemory(const ProgramData &given, Program &program);

/// The steps of an option's program that part t runs: first and last, half open.
std::pair<std::size_t, std::size_t> stepsOf(const Part &part, const Option &option);

} // namespace remat::hiremate::top
