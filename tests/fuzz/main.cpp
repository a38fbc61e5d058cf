// SPDX-License-Identifier: Apache-2.0
// remat-fuzz: readers against inputs that nobody meant to write.
#include "tests/fuzz/fuzzer.h"

#include <CLI/CLI.hpp>

#include <cstdio>

using namespace remat::fuzz;

namespace {

struct Flags {
    std::vector<std::string> targets;
    std::string file;
    FuzzSettings settings;
    bool list = false, files = false;
};

/// The targets named, all of them when there is no name.
std::vector<const Target *> chosen(const Flags &flags)
{
    std::vector<const Target *> result;
    for (const Target &target : targets())
        if (flags.targets.empty() ||
            std::find(flags.targets.begin(), flags.targets.end(), target.name) != flags.targets.end())
            result.push_back(&target);
    return result;
}

/// Every file of the targets' folders, and what is made instead of kept there; the latter, and those of corpus/ whose
/// names begin with `good`, must be accepted.
int runFiles(const std::vector<const Target *> &of)
{
    int broken = 0, files = 0;
    for (const Target *target : of) {
        for (const std::string &made : target->made ? target->made() : std::vector<std::string>()) {
            bool accepted = false;
            std::string sign = runInput(*target, made, accepted);
            if (sign.empty() && !accepted) sign = "it is refused";
            ++files;
            if (sign.empty()) continue;
            ++broken;
            std::printf("%s, of those that are made: %s\n", target->name, sign.c_str());
        }
        for (const std::filesystem::path &file : filesOf(*target)) {
            bool accepted = false;
            std::string sign = runFile(*target, file, accepted);
            if (sign.empty() && !accepted && file.filename().string().starts_with("good")) sign = "it is refused";
            ++files;
            if (sign.empty()) continue;
            ++broken;
            std::printf("%s %s: %s\n", target->name, file.c_str(), sign.c_str());
        }
    }
    std::printf("%d files, %d break something\n", files, broken);
    return broken > 0 || files == 0 ? 1 : 0;
}

int runFuzz(const std::vector<const Target *> &of, const FuzzSettings &asked)
{
    bool failed = false;
    std::printf("%-15s %9s %9s %6s %6s %8s %8s  %s\n", "target", "inputs", "accepted", "seeds", "found", "places",
                "seconds", "failures");
    for (const Target *target : of) {
        FuzzSettings settings = asked;
        settings.keep = asked.keep / target->name;
        const FuzzFigures figures = fuzz(*target, settings);
        std::printf("%-15s %9lld %9lld %6zu %6zu %8zu %8.1f  %zu\n", target->name,
                    static_cast<long long>(figures.inputs), static_cast<long long>(figures.accepted), figures.seeds,
                    figures.found, figures.places, figures.seconds, figures.failures.size());
        for (const auto &[sign, file] : figures.failures)
            std::printf("  %s\n  again with: remat-fuzz %s --file %s\n", sign.c_str(), target->name, file.c_str());
        std::fflush(stdout);
        failed = failed || !figures.failures.empty();
    }
    return failed ? 1 : 0;
}

int run(const Flags &flags)
{
    const std::vector<const Target *> of = chosen(flags);
    if (flags.list) {
        for (const Target *target : of)
            std::printf("%s\n", target->name);
        return 0;
    }
    if (of.empty()) {
        std::fprintf(stderr, "There is no such target; --list names them.\n");
        return 2;
    }
    if (!flags.file.empty()) {
        bool accepted = false;
        const std::string sign = runFile(*of.front(), flags.file, accepted);
        std::printf("%s\n", !sign.empty() ? sign.c_str() : accepted ? "accepted" : "refused");
        return sign.empty() ? 0 : 1;
    }
    return flags.files ? runFiles(of) : runFuzz(of, flags.settings);
}

} // namespace

int main(int argc, char **argv)
{
    CLI::App app("Readers against inputs made from the files of tests/fuzz/corpus and tests/fuzz/failures.");
    Flags flags;
    flags.settings.keep = "fuzz-work";
    app.add_option("TARGET", flags.targets, "all when none is named");
    app.add_flag("--list", flags.list, "names the targets");
    app.add_flag("--files", flags.files, "runs every file of the corpus and every file that ever failed");
    app.add_option("--file", flags.file, "runs one file")->check(CLI::ExistingFile);
    app.add_option("--inputs", flags.settings.inputs, "of each target, at most")->capture_default_str();
    app.add_option("--seconds", flags.settings.seconds, "for each target, at most");
    app.add_option("--seed", flags.settings.seed, "the same seed makes the same inputs")->capture_default_str();
    app.add_flag("--blind", flags.settings.blind, "makes nothing of inputs that reached new code");
    app.add_option("--keep", flags.settings.keep, "folder for inputs that break something or reach new code")
        ->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return run(flags);
}
