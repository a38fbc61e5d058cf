// SPDX-License-Identifier: Apache-2.0
// Calls the real `remat` and measures what it needs.
#pragma once

#include <fcntl.h>
#include <filesystem>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace remat::test {

/// How a call ended and what it took.
struct Measured {
    int code = -1;              ///< code of the exit; -1 when a signal ended it
    int signal = 0;             ///< that ended it
    std::int64_t peakBytes = 0; ///< peak of memory in use (not of addresses)
    double cpuSeconds = 0;
    std::string out, err;
};

/// What the system allows a call; beyond it the system sends a signal (SIGXCPU, SIGXFSZ).
struct Allowed {
    rlim_t cpuSeconds = 60;
    rlim_t fileBytes = RLIM_INFINITY; ///< limit for each file that it writes
};

/// Runs `remat` to its end. `folder` takes what it prints.
inline Measured measuredRemat(const std::vector<std::string> &arguments, const std::filesystem::path &folder,
                              Allowed allowed = {})
{
    const std::string out = (folder / "stdout").string();
    const std::string err = (folder / "stderr").string();
    std::vector<char *> argv;
    std::string program = REMAT_BIN "/remat";
    argv.push_back(program.data());
    std::vector<std::string> copies = arguments;
    for (std::string &argument : copies)
        argv.push_back(argument.data());
    argv.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit cpu{allowed.cpuSeconds, allowed.cpuSeconds + 1};
        ::setrlimit(RLIMIT_CPU, &cpu);
        const rlimit size{allowed.fileBytes, allowed.fileBytes};
        ::setrlimit(RLIMIT_FSIZE, &size);
        const rlimit none{0, 0};
        ::setrlimit(RLIMIT_CORE, &none);
        for (const auto &[path, descriptor] : {std::pair(&out, 1), std::pair(&err, 2)}) {
            const int file = ::open(path->c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
            if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(120);
        }
        ::execv(program.c_str(), argv.data());
        ::_exit(121);
    }
    int status = 0;
    rusage usage = {};
    ::wait4(child, &status, 0, &usage);
    Measured result;
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    result.peakBytes = std::int64_t(usage.ru_maxrss) * 1024;
    const auto seconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    result.cpuSeconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
    const auto textOf = [](const std::string &path) {
        QFile file(QString::fromStdString(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
    };
    result.out = textOf(out);
    result.err = textOf(err);
    return result;
}

} // namespace remat::test
