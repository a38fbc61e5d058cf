// SPDX-License-Identifier: Apache-2.0
// remat-cbc: solves one integer program that comes over standard input, for remat and remat-studio.
#include "core/base/child_process.h"
#include "core/base/version.h"
#include "solvers/ilp/helper_messages.h"
#include "solvers/ilp/in_process.h"

#include <iostream>
#include <string_view>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace {

using namespace remat::ilp;

constexpr std::string_view kHelp =
    "remat-cbc solves one integer program with CBC, for remat and remat-studio, which start it.\n"
    "\n"
    "Usage: remat-cbc --serve       one request from standard input, progress and solution to standard output\n"
    "       remat-cbc --version\n"
    "       remat-cbc --help\n";

void tell(const std::string &message)
{
    if (!remat::writeFrame(STDOUT_FILENO, message)) _exit(1);
}

int serve()
{
    remat::dieWithParent();
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);

    const std::optional<std::string> message = remat::readFrame(STDIN_FILENO, kMostRequestBytes);
    std::optional<HelperRequest> request = message ? unpackRequest(*message) : std::nullopt;
    if (!request) {
        std::cerr << "remat-cbc was not given a request of its own version. Build remat and remat-cbc together.\n";
        return kRefusedRequest;
    }
    static remat::StopToken stop; // outlives the thread, which only the end of the process ends
    std::thread([] {
        for (char byte = 0; read(STDIN_FILENO, &byte, 1) == 1;)
            stop.requestStop();
        _exit(1); // nobody waits for an answer any more
    }).detach();
    request->limits.stop = &stop;
    request->limits.progress = [](const Progress &progress) { tell(pack(progress)); };
    tell(pack(solveInProcess(request->model, request->limits)));
    _exit(0);
}

} // namespace

int main(int argc, char **argv)
{
    const std::string_view argument = argc == 2 ? argv[1] : "";
    if (argument == "--serve") return serve();
    if (argument == "--version") {
        std::cout << "remat-cbc " << remat::programVersion() << "\n";
        return 0;
    }
    const bool asked = argument == "--help" || argument == "-h";
    (asked ? std::cout : std::cerr) << kHelp;
    return asked ? 0 : 2;
}
