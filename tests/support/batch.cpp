// SPDX-License-Identifier: Apache-2.0
#include "tests/support/batch.h"

#include <filesystem>
#include <iostream>
#include <map>
#include <string>

namespace remat::test {

namespace {

using Run = int (*)(int, char **);

std::map<std::string, Run> &testsOfBatch()
{
    static std::map<std::string, Run> tests;
    return tests;
}

} // namespace

InBatch::InBatch(const char *file, Run run)
{
    const std::filesystem::path path(file);
    testsOfBatch()[path.parent_path().filename().string() + "_" + path.stem().string()] = run;
}

int runOneOfBatch(int argc, char **argv)
{
    const std::string name = argc > 0 ? std::filesystem::path(argv[0]).filename().string() : std::string();
    if (const auto test = testsOfBatch().find(name); test != testsOfBatch().end()) return test->second(argc, argv);
    std::cerr << "This program holds several tests and runs the one it is called by. Run a link to it:\n";
    for (const auto &[test, run] : testsOfBatch())
        std::cerr << "  build/tests/" << test << "\n";
    return 2;
}

} // namespace remat::test
