// SPDX-License-Identifier: Apache-2.0
#include "app/cli/python_side.h"

#include "app/cli/command.h"
#include "core/base/python.h"
#include "core/base/resources.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <unistd.h>

namespace remat::cli {

int becomePython(const std::vector<std::string> &arguments, const std::string &needs, const std::string &advice)
{
    const auto python = pythonWith(needs, pythonPrefixes());
    if (!python) return badInput({fmt::format("No Python here has the package {}. {}", needs, advice)});
    // -I: neither the current folder nor the environment says what is loaded.
    std::vector<std::string> texts{python->string(), "-I", (resourceDir() / "python" / "run.py").string()};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    std::vector<char *> words;
    words.reserve(texts.size() + 1);
    for (std::string &text : texts)
        words.push_back(text.data());
    words.push_back(nullptr);
    std::error_code error;
    const std::string own = std::filesystem::read_symlink("/proc/self/exe", error).string();
    if (!own.empty()) setenv("REMAT_BIN", own.c_str(), 1);
    execv(python->c_str(), words.data());
    return badInput({fmt::format("{} cannot be started: {}.", python->string(), std::strerror(errno))});
}

} // namespace remat::cli
