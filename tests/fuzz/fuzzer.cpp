// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzzer.h"

#include "core/base/file.h"
#include "tests/fuzz/child.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/watch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <set>

namespace remat::fuzz {

namespace {

namespace fs = std::filesystem;

// A few inputs of the size of a corpus take milliseconds; a sanitizer on a busy machine makes that 100 times as much.
constexpr int kSecondsForOne = 20;
// The clock is only for what waits without working.
constexpr double kClockForOne = 300;
// Not so many that what a fault in one of them left behind could hide for long.
constexpr std::int64_t kInputsOfAChild = 20000;
constexpr std::int64_t kThoroughEvery = 16;
constexpr int kSimplerTries = 400;
constexpr double kSimplerSeconds = 60;

double secondsNow()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::uint64_t hashOf(std::string_view bytes)
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : bytes)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    return hash;
}

std::string nameOf(std::string_view bytes)
{
    char name[17];
    std::snprintf(name, sizeof name, "%016llx", static_cast<unsigned long long>(hashOf(bytes)));
    return name;
}

fs::path save(const fs::path &folder, std::string_view bytes)
{
    fs::create_directories(folder);
    const fs::path file = folder / nameOf(bytes);
    if (const auto written = writeFileAtomically(file, bytes); !written) broken(written.error().message);
    return file;
}

bool runOne(const Target &target, std::string_view input)
{
    limitProcessorTime(kSecondsForOne);
    watchMemory(input.size());
    return target.run(input);
}

Ending endingOf(const Target &target, std::string_view input)
{
    return inChild(
        [&] {
            thorough = true;
            runOne(target, input);
        },
        kClockForOne);
}

/// A smaller input that says the same.
std::string simplest(const Target &target, std::string input, const std::string &sign)
{
    const double end = secondsNow() + kSimplerSeconds;
    int tries = 0;
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (const std::string &candidate : simpler(target.form, input)) {
            if (++tries > kSimplerTries || secondsNow() > end) return input;
            if (candidate.size() >= input.size() || endingOf(target, candidate).sign != sign) continue;
            input = candidate;
            smaller = true;
            break;
        }
    }
    return input;
}

/// What a child tells while it works, since it may not live to tell the end.
struct Told {
    std::int64_t inputs, accepted;
    std::size_t found, places, inputBytes;
    char input[kLargestInput];
};

class Fuzzer
{
public:
    Fuzzer(const Target &target, const FuzzSettings &settings)
        : m_target(target),
          m_settings(settings),
          m_shared(sizeof(Told)),
          m_told(reinterpret_cast<Told *>(m_shared.data()))
    {
        for (const fs::path &file : filesOf(target)) {
            auto bytes = readFile(file);
            if (bytes && bytes->size() <= kLargestInput) m_corpus.push_back(std::move(*bytes));
        }
        if (target.made) {
            std::vector<std::string> made = target.made();
            m_corpus.insert(m_corpus.end(), made.begin(), made.end());
        }
        if (m_corpus.empty()) m_corpus.emplace_back();
        m_figures.seeds = m_corpus.size();
    }

    FuzzFigures run()
    {
        const double begin = secondsNow();
        m_end = begin + m_settings.seconds;
        for (std::uint64_t child = 0; m_figures.inputs < m_settings.inputs && secondsNow() < m_end; ++child) {
            std::memset(m_told, 0, offsetof(Told, input));
            const std::uint64_t seed = m_settings.seed * 1000003 + child;
            const Ending ending = inChild([&] { work(seed); }, m_settings.seconds + kClockForOne);
            m_figures.inputs += m_told->inputs;
            m_figures.accepted += m_told->accepted;
            m_figures.found += m_told->found;
            m_figures.places = std::max(m_figures.places, m_told->places);
            if (!ending.good) keepFailure(ending);
            readFound();
        }
        m_figures.seconds = secondsNow() - begin;
        return m_figures;
    }

private:
    void work(std::uint64_t seed)
    {
        test::Random random(seed);
        std::vector<std::string> corpus = m_corpus;
        for (const std::string &seen : corpus)
            tryOne(seen);                      // for the code they reach
        m_told->inputs = m_told->accepted = 0; // only what is new counts
        const std::int64_t most = std::min(kInputsOfAChild, m_settings.inputs - m_figures.inputs);
        while (m_told->inputs < most && secondsNow() < m_end) {
            // What was found last is tried most.
            const auto size = static_cast<int>(corpus.size());
            const int back = random.percent(50) ? std::min(random.below(size), random.below(size)) : random.below(size);
            const std::string input =
                mutated(m_target, corpus[static_cast<std::size_t>(size - 1 - back)], random.pick(corpus), random);
            const std::size_t before = placesReached();
            tryOne(input);
            if (placesReached() == before) continue;
            ++m_told->found;
            if (m_settings.blind) continue;
            corpus.push_back(input);
            if (!m_settings.keep.empty()) save(m_settings.keep / "found", input);
        }
        limitProcessorTime(0);
    }

    void tryOne(const std::string &input)
    {
        std::memcpy(m_told->input, input.data(), input.size());
        m_told->inputBytes = input.size();
        thorough = m_told->inputs % kThoroughEvery == 0;
        m_told->accepted += runOne(m_target, input) ? 1 : 0;
        ++m_told->inputs;
        m_told->places = placesReached();
    }

    void keepFailure(const Ending &ending)
    {
        ++m_figures.inputs;
        const std::string input(m_told->input, m_told->inputBytes);
        // An input of the corpus that breaks something would end every child at once.
        std::erase(m_corpus, input);
        if (m_corpus.empty()) m_corpus.emplace_back();
        if (m_figures.failures.contains(ending.sign)) return;
        // A leak, or what only several inputs together do, is told of but has no input of its own.
        const Ending alone = endingOf(m_target, input);
        const std::string small = alone.good ? input : simplest(m_target, input, alone.sign);
        const fs::path file = save(m_settings.keep / "failures", small);
        std::fprintf(stderr, "%s: %s%s\n  %s\n", m_target.name, ending.sign.c_str(),
                     alone.good ? " (not by this input alone)" : "", file.c_str());
        if (const auto written = writeFileAtomically(file.string() + ".txt", ending.output); !written)
            broken(written.error().message);
        m_figures.failures[ending.sign] = file;
    }

    /// What children found is for the next ones.
    void readFound()
    {
        std::error_code none;
        for (const auto &entry : fs::directory_iterator(m_settings.keep / "found", none)) {
            if (!m_read.insert(entry.path()).second) continue;
            if (auto bytes = readFile(entry.path())) m_corpus.push_back(std::move(*bytes));
        }
    }

    const Target &m_target;
    const FuzzSettings &m_settings;
    SharedBytes m_shared;
    Told *m_told;
    std::vector<std::string> m_corpus;
    std::set<fs::path> m_read;
    FuzzFigures m_figures;
    double m_end = 0;
};

} // namespace

FuzzFigures fuzz(const Target &target, const FuzzSettings &settings)
{
    return Fuzzer(target, settings).run();
}

std::string runInput(const Target &target, std::string_view input, bool &accepted)
{
    const SharedBytes shared(1);
    const Ending ending = inChild([&] { *shared.data() = runOne(target, input) ? 1 : 0; }, kClockForOne);
    accepted = *shared.data() != 0;
    if (!ending.good) std::fputs(ending.output.c_str(), stderr);
    return ending.sign;
}

std::string runFile(const Target &target, const fs::path &file, bool &accepted)
{
    const auto bytes = readFile(file);
    return bytes ? runInput(target, *bytes, accepted) : bytes.error().message;
}

std::vector<fs::path> filesOf(const Target &target)
{
    std::vector<fs::path> files;
    for (const char *folder : {"corpus", "failures"}) {
        std::error_code none;
        for (const auto &entry : fs::directory_iterator(fs::path(REMAT_FUZZ_DIR) / folder / target.name, none))
            files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace remat::fuzz
