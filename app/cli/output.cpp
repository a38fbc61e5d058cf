// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output.h"

#include "app/cli/command.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/writable.h"

#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace remat::cli {

namespace {

bool isOpen(int descriptor)
{
    return ::fcntl(descriptor, F_GETFD) != -1 || errno != EBADF;
}

Expected<void> checkStandardOutput()
{
    const int flags = ::fcntl(STDOUT_FILENO, F_GETFL);
    if (flags == -1 || (flags & O_ACCMODE) == O_RDONLY)
        return fail("Standard output is closed. Redirect it to a file, or name one with -o.");
    return {};
}

} // namespace

void say(std::FILE *to, const char *format, ...)
{
    std::va_list values;
    va_start(values, format);
    std::va_list again;
    va_copy(again, values);
    const int length = std::vsnprintf(nullptr, 0, format, again);
    va_end(again);
    std::string text(static_cast<std::size_t>(length > 0 ? length : 0), '\0');
    std::vsnprintf(text.data(), text.size() + 1, format, values);
    va_end(values);
    text = printableLines(text);
    std::fwrite(text.data(), 1, text.size(), to);
}

void openStandardStreams()
{
    // Read-only for all: what is written there fails, and is noticed.
    while (!isOpen(STDIN_FILENO) || !isOpen(STDOUT_FILENO) || !isOpen(STDERR_FILENO))
        if (::open("/dev/null", O_RDONLY) < 0) return;
}

int checkedOutput(int code)
{
    errno = 0;
    const bool failedBefore = std::ferror(stdout) != 0;
    const bool failedNow = std::fflush(stdout) != 0;
    if (!failedBefore && !failedNow) return code;
    const int error = errno;
    if (error == EPIPE) return code;
    say(stderr, "Standard output cannot be written%s. What is there is not complete.\n",
        error == 0 ? "" : (": " + std::generic_category().message(error)).c_str());
    return kBadInput;
}

CLI::Option *Output::add(CLI::App &command, const std::string &text)
{
    const auto namesSomething = [](const std::string &given) {
        return given.empty() ? std::string("names no file") : std::string();
    };
    return command.add_option("-o,--output", path, text + "; - for standard output")->check(namesSomething);
}

Expected<void> Output::check(const std::vector<std::string> &inputs, bool json) const
{
    if (!given()) return {};
    if (isStandard()) {
        if (json) return fail("--json and -o - both want standard output. Name a file with -o, or leave --json out.");
        return checkStandardOutput();
    }
    for (const std::string &input : inputs)
        if (!input.empty() && isSameFile(path, input))
            return fail("-o names {}, which is an input ({}). Name another file.", path, input);
    return checkWritable(path);
}

Expected<void> Output::write(std::string_view content) const
{
    if (!given()) return {};
    if (!isStandard()) return writeFileAtomically(path, content);
    std::fwrite(content.data(), 1, content.size(), stdout);
    return {};
}

} // namespace remat::cli
