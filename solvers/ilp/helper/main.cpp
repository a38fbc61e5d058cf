// remat-cbc: solves one integer program that comes over standard input, for remat and remat-studio.
#include "solvers/ilp/helper_messages.h"
#include "solvers/ilp/in_process.h"

#include <array>
#include <csignal>
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

/// The next message from standard input; nothing when it has ended. What came after it stays in `bytes`.
std::optional<std::string> readMessage(std::string &bytes)
{
    std::array<char, 1 << 16> chunk{};
    while (true) {
        const ssize_t size = read(STDIN_FILENO, chunk.data(), chunk.size());
        if (size <= 0) return std::nullopt;
        bytes.append(chunk.data(), static_cast<std::size_t>(size));
        if (std::optional<std::string> message = takeFrame(bytes)) return message;
    }
}

void tell(const std::string &message)
{
    const std::string bytes = framed(message);
    for (std::size_t done = 0; done < bytes.size();) {
        const ssize_t written = write(STDOUT_FILENO, bytes.data() + done, bytes.size() - done);
        if (written <= 0) _exit(1);
        done += static_cast<std::size_t>(written);
    }
}

int serve()
{
    std::signal(SIGINT, SIG_IGN); // an interrupt from the terminal is for the program, which then asks to stop
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);

    std::string bytes;
    const std::optional<std::string> message = readMessage(bytes);
    std::optional<HelperRequest> request = message ? unpackRequest(*message) : std::nullopt;
    if (!request) {
        std::cerr << "remat-cbc was not given a request of its own version. Build remat and remat-cbc together.\n";
        return kRefusedRequest;
    }
    static remat::StopToken stop; // outlives the thread, which only the end of the process ends
    if (!bytes.empty()) stop.requestStop();
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
        std::cout << "remat-cbc " << REMAT_VERSION << "\n";
        return 0;
    }
    const bool asked = argument == "--help" || argument == "-h";
    (asked ? std::cout : std::cerr) << kHelp;
    return asked ? 0 : 2;
}
