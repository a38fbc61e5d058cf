// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/child.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace remat::fuzz {

namespace {

/// The text with # in the place of each number.
std::string withoutNumbers(const std::string &text)
{
    std::string result;
    for (const char c : text)
        if (c < '0' || c > '9')
            result += c;
        else if (!result.ends_with('#'))
            result += '#';
    return result;
}

/// The line of a report that names the fault.
std::string signOf(const std::string &output, int status)
{
    for (const char *mark : {"SUMMARY: ", "broken: ", "Assertion", "terminate called", "runtime error: "}) {
        const std::size_t at = output.find(mark);
        if (at == std::string::npos) continue;
        std::string line = output.substr(at, std::min(output.find('\n', at), at + 300) - at);
        // What comes after is of the one input.
        if (line.starts_with("broken: ")) line.resize(std::min(line.size(), line.find(": ", 8)));
        return withoutNumbers(line);
    }
    if (!WIFSIGNALED(status)) return "exit status " + std::to_string(WEXITSTATUS(status));
    const int signal = WTERMSIG(status);
    if (signal == SIGPROF) return "takes too long";
    return std::string("signal ") + strsignal(signal) +
           (output.empty() ? "" : ": " + output.substr(0, output.find('\n')));
}

} // namespace

SharedBytes::SharedBytes(std::size_t size) : m_size(size)
{
    void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    m_data = static_cast<char *>(memory);
}

SharedBytes::~SharedBytes()
{
    munmap(m_data, m_size);
}

Ending inChild(const std::function<void()> &work, double seconds)
{
    std::fflush(nullptr);
    std::FILE *told = std::tmpfile();
    if (!told) std::abort();
    const pid_t child = fork();
    if (child < 0) std::abort();
    if (child == 0) {
        dup2(fileno(told), STDERR_FILENO);
        work();
        std::exit(0); // looks for leaks
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    int status = 0;
    bool late = false;
    for (int waitUs = 200; waitpid(child, &status, WNOHANG) == 0; waitUs = std::min(waitUs * 2, 50000)) {
        if (std::chrono::steady_clock::now() > end) {
            late = true;
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(waitUs));
    }
    Ending ending;
    std::array<char, 8192> text{};
    std::rewind(told);
    for (std::size_t n = 0; (n = std::fread(text.data(), 1, text.size(), told)) > 0;) {
        ending.output.append(text.data(), n);
        if (ending.output.size() > 200000) break;
    }
    std::fclose(told);
    ending.good = !late && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!ending.good) ending.sign = late ? "waits for ever" : signOf(ending.output, status);
    return ending;
}

void limitProcessorTime(int seconds)
{
    itimerval limit{};
    limit.it_value.tv_sec = seconds;
    setitimer(ITIMER_PROF, &limit, nullptr);
}

} // namespace remat::fuzz
