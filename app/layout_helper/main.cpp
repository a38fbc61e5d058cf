// SPDX-License-Identifier: Apache-2.0
// remat-layout: lays out the inside of one cluster after another, each line of standard input a request, each line of
// standard output its answer. A process of its own, so that whoever waits too long can kill it.

#include "app/layout_helper/dot_layout.h"
#include "app/layout_helper/request.h"

#include <csignal>
#include <cstdio>
#include <iostream>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>

namespace {

constexpr const char *kHelp =
    "remat-layout lays out the inside of clusters with Graphviz dot, for the window of Remat Studio.\n"
    "\n"
    "Usage: remat-layout            read requests from standard input, one JSON object per line\n"
    "       remat-layout --version\n"
    "       remat-layout --help\n"
    "\n"
    "Request: {\"id\": 7, \"nodes\": [{\"id\": \"a\", \"width\": 120, \"height\": 26}], \"edges\": [[\"a\", \"b\"]],\n"
    "          \"options\": {\"rank_gap\": 12, \"node_gap\": 8}}\n"
    "Answer:  {\"id\": 7, \"width\": 120, \"height\": 26,\n"
    "          \"nodes\": [{\"id\": \"a\", \"x\": 60, \"y\": 13, \"rank\": 0, \"order\": 0}]}\n"
    "         or {\"id\": 7, \"error\": \"a sentence\"}\n"
    "\n"
    "Edges leave a node from left to right in the order of the request.\n"
    "Sizes and positions are pixels, positions the middle of a box. Ends with 0 at the end of the input, and with 2\n"
    "after the first line that is no request. A layout that takes 20 s of CPU time or 4 GiB kills it.\n";

enum class Read { Line, End, TooLong };

Read readLine(std::istream &in, std::string &line)
{
    line.clear();
    std::streambuf *buffer = in.rdbuf();
    for (int c = buffer->sbumpc(); c != EOF; c = buffer->sbumpc()) {
        if (c == '\n') return Read::Line;
        if (line.size() >= remat::layout::kLongestLine) return Read::TooLong;
        line.push_back(static_cast<char>(c));
    }
    return line.empty() ? Read::End : Read::Line;
}

int refuse(const std::string &sentence)
{
    std::cout << remat::layout::formatError(-1, sentence) << std::endl;
    return 2;
}

/// Whoever waits kills this process long before; these end one that nobody waits for any more.
void limitThisProcess()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // they reserve terabytes
    const rlimit memory{remat::layout::kMostMemoryBytes, remat::layout::kMostMemoryBytes};
    setrlimit(RLIMIT_AS, &memory);
#endif
}

/// From now on; the signal at its end kills.
void limitCpuTime()
{
    const itimerval limit{{0, 0}, {remat::layout::kMostCpuSeconds, 0}};
    setitimer(ITIMER_PROF, &limit, nullptr);
}

int serve()
{
    limitThisProcess();
    remat::layout::DotLayout dot;
    std::string line;
    for (;;) {
        const Read read = readLine(std::cin, line);
        if (read == Read::End) return 0;
        if (read == Read::TooLong) return refuse("The line is longer than 8 MiB.");
        limitCpuTime();
        const remat::layout::Expected<remat::layout::Request> request = remat::layout::parseRequest(line);
        if (!request) return refuse(request.error());
        const remat::layout::Expected<remat::layout::Answer> answer = dot.layOut(*request);
        std::cout << (answer ? formatAnswer(*request, *answer)
                             : remat::layout::formatError(request->id, answer.error()))
                  << std::endl;
    }
}

} // namespace

int main(int argc, char **argv)
{
    std::ios::sync_with_stdio(false);
    if (argc == 1) return serve();
    const std::string_view argument = argv[1];
    if (argc == 2 && argument == "--version") {
        std::cout << "remat-layout " << REMAT_VERSION << "\n";
        return 0;
    }
    if (argc == 2 && (argument == "--help" || argument == "-h")) {
        std::cout << kHelp;
        return 0;
    }
    std::cerr << "remat-layout does not know \"" << argument << "\". Run remat-layout --help.\n";
    return 2;
}
