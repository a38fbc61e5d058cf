// SPDX-License-Identifier: Apache-2.0
#include "gpu/run_process.h"

#include "core/base/child_process.h"
#include "core/base/resources.h"
#include "core/base/units.h"
#include "gpu/run_trust.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fmt/core.h>
#include <new>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace remat {
namespace {

constexpr int kPollMs = 20;
/// For the end of a process that has said all it will.
constexpr double kGraceSeconds = 5;
/// A profile of a million ops, or a record that names every tensor, is far below.
constexpr std::size_t kMostReplyBytes = std::size_t(256) << 20;

/// The page that both processes see.
class SharedPage
{
public:
    SharedPage() : m_descriptor(memfd_create("remat-run", MFD_CLOEXEC))
    {
        if (m_descriptor < 0 || ftruncate(m_descriptor, sizeof(RunPage)) != 0) return;
        void *memory = mmap(nullptr, sizeof(RunPage), PROT_READ | PROT_WRITE, MAP_SHARED, m_descriptor, 0);
        if (memory != MAP_FAILED) m_page = new (memory) RunPage;
    }
    ~SharedPage()
    {
        if (m_page) munmap(m_page, sizeof(RunPage));
        if (m_descriptor >= 0) close(m_descriptor);
    }
    SharedPage(const SharedPage &) = delete;
    SharedPage &operator=(const SharedPage &) = delete;

    int descriptor() const { return m_descriptor; }
    bool ready() const { return m_page; }
    /// `op addmm_3 (aten::addmm)`; empty between ops.
    std::string runningOp(const RunRequest &request) const
    {
        const std::int32_t node = m_page ? m_page->node.load(std::memory_order_relaxed) : -1;
        if (node < 0 || !request.model.program) return {};
        const auto index = static_cast<std::size_t>(node);
        const std::vector<Node> &nodes = request.model.program->nodes;
        return index < nodes.size() ? fmt::format("op {} ({})", nodes[index].name, nodes[index].opName) : std::string();
    }

private:
    int m_descriptor;
    RunPage *m_page = nullptr;
};

/// `in op x (aten::y)`, or `at "Loading the inputs"`, or nothing when it had not begun.
std::string place(const std::string &op, const std::string &stage)
{
    if (!op.empty()) return " in " + op;
    return stage.empty() ? std::string() : fmt::format(" at \"{}\"", stage);
}

/// Why there is no outcome from a process that ended by itself.
std::string deathSentence(const ChildEnd &end, const std::string &where)
{
    const std::string who = "LibTorch, which runs in a process of its own, ";
    if (end.signal && *end.signal == SIGKILL)
        return fmt::format("{}was ended by the system{}, which it does when memory runs out. Trace the model with a "
                           "smaller batch, or close other programs.",
                           who, where);
    if (end.signal)
        return fmt::format("{}crashed{}: {}. Nothing else was harmed. The trace may ask for what this LibTorch cannot "
                           "do; trace the model again.",
                           who, where, strsignal(*end.signal));
    return fmt::format("{}ended without an answer{}. Run it again; when it happens again, build the programs again.",
                       who, where);
}

/// Large pages for what LibTorch's CPU kernels work in: a step that gets its memory in pages of 4 KiB spends up to
/// half of its time on them when it runs for the first time, and a share that differs from run to run later. Where the
/// system has none, nothing changes. What the user has set stays.
std::string memoryTunables()
{
    constexpr std::string_view kLargePages = "glibc.malloc.hugetlb";
    const char *set = std::getenv("GLIBC_TUNABLES");
    std::string value = set ? set : "";
    if (value.find(kLargePages) == std::string::npos)
        value += fmt::format("{}{}=1", value.empty() ? "" : ":", kLargePages);
    return "GLIBC_TUNABLES=" + value;
}

Expected<RunReply> listen(ChildProcess &child, const RunRequest &request, const RunContext &context,
                          const Deadline &deadline, const SharedPage &page)
{
    std::string stage;
    for (bool speaks = true; speaks;) {
        speaks = child.receive(kPollMs);
        while (const std::optional<std::string> frame = child.takeFrame()) {
            std::optional<RunReply> reply = unpackReply(*frame);
            if (!reply) return fail("remat-run is of another build than this program. Build both again.");
            makeFitToShow(*reply);
            if (auto *progress = std::get_if<RunProgress>(&*reply)) {
                stage = std::move(progress->stage);
                if (context.progress) context.progress(stage, progress->fraction);
                continue;
            }
            if (auto *sentence = std::get_if<std::string>(&*reply)) return fail(std::move(*sentence));
            return std::move(*reply);
        }
        if (context.stop && context.stop->stopRequested()) return fail("Stopped.");
        if (deadline.passed())
            return fail("The run took longer than its limit of {} and was ended{}. Allow it more with "
                        "--time-limit, or trace the model with a smaller batch.",
                        formatTimeUs(deadline.totalSeconds() * 1e6), place(page.runningOp(request), stage));
    }
    if (child.saidTooMuch()) return fail("remat-run said more than it may, and was ended. Do not trust the trace.");
    const ChildEnd end = child.end(kGraceSeconds);
    return fail(deathSentence(end, place(page.runningOp(request), stage)));
}

} // namespace

std::string runProgram()
{
    if (const char *set = std::getenv("REMAT_RUN")) return set;
    return helperProgramPath("remat-run").string();
}

Expected<RunReply> runInProcess(const RunRequest &request, const RunContext &context)
{
    const std::string program = runProgram();
    if (program.empty())
        return fail("Running graphs needs remat-run, which is not beside this program. Nothing is run without it, "
                    "since it holds what a trace may do in bounds. Run ./packaging/run, or install the program again.");
    const SharedPage page;
    if (!page.ready()) return fail("This system gives no memory for a page. Close other programs.");
    ChildProgram start;
    start.path = program;
    start.arguments = {"--serve"};
    start.inherited = {page.descriptor()};
    start.variables = {memoryTunables()};
    start.mostFrameBytes = kMostReplyBytes;
    Expected<ChildProcess> child = ChildProcess::start(start);
    if (!child) return tl::unexpected(child.error());
    const Deadline deadline(context.timeLimitSeconds);
    // A child that ends before it has read everything may still have said why.
    child->send(framed(pack(request)), deadline, context.stop);
    return listen(*child, request, context, deadline, page);
}

} // namespace remat
