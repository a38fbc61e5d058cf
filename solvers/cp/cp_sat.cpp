// SPDX-License-Identifier: Apache-2.0
#include "solvers/cp/cp_sat.h"

#include "core/base/child_process.h"
#include "core/base/number.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <locale>
#include <optional>
#include <sstream>

namespace remat::cp {

namespace {

constexpr int kPollMs = 10;
constexpr char kStopByte = 's';
constexpr double kGraceSeconds = 0.3;
constexpr std::size_t kMostErrorBytes = 2000;
constexpr std::size_t kBytesPerNumber = 24;
/// What a helper ends with by itself when its time is up, before it is asked.
constexpr double kMarginSeconds = 0.1;

/// CP-SAT's parameters in protobuf's text format. Interleaved, or with one alone, its strategies give the same answer
/// on any number of threads.
std::string parametersOf(const CpLimits &limits)
{
    std::ostringstream text;
    text.imbue(std::locale::classic());
    if (limits.strategy == Strategy::Many)
        text << "num_workers: " << std::clamp(limits.threads, 1, 64)
             << " interleave_search: true interleave_batch_size: 4";
    else if (limits.strategy == Strategy::Branching)
        text
            << "num_workers: 1 linearization_level: 2 search_branching: PSEUDO_COST_SEARCH exploit_best_solution: true";
    else // cuts, and more than one round of presolve, cost more than they save
        text << "num_workers: 1 linearization_level: 2 cp_model_probing_level: 0 cut_level: 0 max_presolve_iterations: "
                "1";
    if (limits.strategy == Strategy::Dive) text << " search_branching: LP_SEARCH";
    text << " random_seed: " << limits.seed % 1'000'000'000;
    const double left = limits.deadline.secondsLeft();
    if (std::isfinite(left)) text << " max_time_in_seconds: " << std::max(left - kMarginSeconds, 0.01);
    if (limits.work > 0) text << " max_deterministic_time: " << limits.work;
    return text.str();
}

ChildProgram programOf(const Helper &helper, const CpModel &model)
{
    ChildProgram program;
    program.path = helper.program;
    program.arguments = helper.arguments;
    program.mostFrameBytes = 1024 + static_cast<std::size_t>(model.told) * kBytesPerNumber;
    program.mostBytes = std::numeric_limits<std::size_t>::max();
    program.mostErrorBytes = kMostErrorBytes;
    return program;
}

std::vector<std::string_view> wordsOf(std::string_view text)
{
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (end > 0) words.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return words;
}

/// The values of a told solution; none when it is none within the variables' bounds.
std::optional<std::vector<std::int64_t>> valuesOf(const CpModel &model, const std::vector<std::string_view> &words)
{
    if (words.size() != 1 + static_cast<std::size_t>(model.told)) return std::nullopt;
    std::vector<std::int64_t> values;
    for (std::size_t v = 0; v + 1 < words.size(); ++v) {
        const std::optional<std::int64_t> value = readWhole<std::int64_t>(words[v + 1]);
        if (!value || *value < model.low[v] || *value > model.high[v]) return std::nullopt;
        values.push_back(*value);
    }
    return values;
}

std::optional<CpStatus> statusOf(std::string_view word)
{
    if (word == "OPTIMAL") return CpStatus::Optimal;
    if (word == "FEASIBLE") return CpStatus::Feasible;
    if (word == "INFEASIBLE") return CpStatus::Infeasible;
    if (word == "UNKNOWN") return CpStatus::Stopped;
    return std::nullopt;
}

class Listener
{
public:
    Listener(ChildProcess &helper, const CpModel &model, const CpLimits &limits)
        : m_helper(helper), m_model(model), m_limits(limits)
    {
    }

    CpSolution operator()()
    {
        std::optional<Deadline> patience;
        bool running = true;
        while (running && !(patience && patience->passed())) {
            const bool stop = m_limits.deadline.passed() || (m_limits.stop && m_limits.stop->stopRequested()) ||
                              (m_limits.enough && m_limits.enough());
            if (!patience && stop) {
                patience = Deadline(kGraceSeconds);
                m_helper.send({&kStopByte, 1}, *patience);
            }
            running = m_helper.receive(kPollMs);
            while (const std::optional<std::string> message = m_helper.takeFrame())
                if (const std::optional<CpStatus> end = take(*message)) return finish(*end);
        }
        m_helper.end(patience ? 0 : kGraceSeconds);
        return finish(patience ? (m_found ? CpStatus::Feasible : CpStatus::Stopped) : CpStatus::Failed);
    }

private:
    /// The status when it was the last message. What is no message is passed over.
    std::optional<CpStatus> take(const std::string &message)
    {
        const std::vector<std::string_view> words = wordsOf(message);
        if (words.size() < 2) return std::nullopt;
        if (words[0] == "b" && words.size() == 2) tell(words[1], nullptr);
        if (words[0] == "s") {
            const std::optional<std::vector<std::int64_t>> x = valuesOf(m_model, words);
            m_found = m_found || x.has_value();
            if (x) tell({}, &*x);
        }
        if (words[0] != "e" || words.size() < 3 || words.size() > 4) return std::nullopt;
        if (words.size() == 4) m_work = readNumber(words[3]).value_or(0);
        tell(words[2], nullptr);
        const CpStatus status = statusOf(words[1]).value_or(CpStatus::Failed);
        const bool claimed = status == CpStatus::Optimal || status == CpStatus::Feasible;
        return claimed && !m_found ? CpStatus::Failed : status;
    }

    void tell(std::string_view bound, const std::vector<std::int64_t> *x)
    {
        if (const std::optional<double> number = readNumber(bound)) m_bound = std::max(m_bound, *number);
        if (m_limits.progress) m_limits.progress({m_bound, x});
    }

    CpSolution finish(CpStatus status) const
    {
        return {status, m_bound, m_work, status == CpStatus::Failed ? m_helper.errors() : ""};
    }

    ChildProcess &m_helper;
    const CpModel &m_model;
    const CpLimits &m_limits;
    double m_bound = 0, m_work = 0;
    bool m_found = false;
};

} // namespace

CpSolution solve(const Helper &helper, const CpModel &model, const CpLimits &limits)
{
    if (limits.deadline.passed() || (limits.stop && limits.stop->stopRequested())) return {CpStatus::Stopped, 0, 0, ""};
    Expected<ChildProcess> child = ChildProcess::start(programOf(helper, model));
    if (!child) return {CpStatus::Failed, 0, 0, child.error().message};
    // The helper reads no faster than this writes: half of the time is enough to know that there will be no answer.
    const double half = limits.deadline.secondsLeft() / 2;
    const std::optional<std::string> text = textOf(model, [&limits, half] {
        return limits.deadline.secondsLeft() < half || (limits.stop && limits.stop->stopRequested());
    });
    if (!text) return {CpStatus::Stopped, 0, 0, ""};
    const std::string request = fmt::format("{}\n{}\n{}", model.told, parametersOf(limits), *text);
    // What it did not take shows in how it ends, or in that it does not.
    child->send(framed(request), limits.deadline, limits.stop);
    return Listener(*child, model, limits)();
}

} // namespace remat::cp
