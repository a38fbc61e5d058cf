#include "solvers/ilp/helper_process.h"

#include "core/base/resources.h"
#include "solvers/ilp/clp_model.h"
#include "solvers/ilp/helper_messages.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace remat::ilp {

namespace {

constexpr int kPollMs = 10;
/// For a helper that was asked to stop: linear programs end at once, presolve and cut generation only when they are
/// done. One that has a solution gets more time to hand it over.
constexpr double kGraceSeconds = 0.3, kGraceWithSolutionSeconds = 2;

/// A running helper and this end of its socket. Kills what is still running when it goes.
class HelperProcess
{
public:
    explicit HelperProcess(const std::string &program)
    {
        std::array<int, 2> ends{};
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
        // Clp prints its failed assertions there, which say nothing to anybody who uses the program.
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
        std::string name = program, argument = "--serve";
        std::array<char *, 3> arguments = {name.data(), argument.data(), nullptr};
        if (posix_spawn(&m_id, program.c_str(), &actions, nullptr, arguments.data(), environ) != 0) m_id = -1;
        posix_spawn_file_actions_destroy(&actions);
        close(ends[1]);
        m_socket = ends[0];
    }
    ~HelperProcess()
    {
        end();
        if (m_socket >= 0) close(m_socket);
    }
    HelperProcess(const HelperProcess &) = delete;
    HelperProcess &operator=(const HelperProcess &) = delete;

    bool started() const { return m_id >= 0; }

    bool send(std::string_view bytes) const
    {
        while (!bytes.empty()) {
            const ssize_t sent = ::send(m_socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent < 0 && errno == EINTR) continue;
            if (sent <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }

    /// Appends what has come within a few milliseconds. False when the helper has ended.
    bool receive(std::string &bytes) const
    {
        pollfd waiting{m_socket, POLLIN, 0};
        if (poll(&waiting, 1, kPollMs) <= 0) return true;
        std::array<char, 1 << 16> chunk{};
        const ssize_t received = recv(m_socket, chunk.data(), chunk.size(), 0);
        if (received < 0 && errno == EINTR) return true;
        if (received <= 0) return false;
        bytes.append(chunk.data(), static_cast<std::size_t>(received));
        return true;
    }

    /// Kills it if it still runs, as there is nothing more it could do. True when it had refused the request.
    bool end()
    {
        if (m_id < 0) return false;
        int status = 0;
        kill(m_id, SIGKILL);
        while (waitpid(m_id, &status, 0) < 0 && errno == EINTR) {
        }
        m_id = -1;
        return WIFEXITED(status) && WEXITSTATUS(status) == kRefusedRequest;
    }

private:
    pid_t m_id = -1;
    int m_socket = -1;
};

/// Passes on what the helper tells until it has answered, has ended, or has to be given up.
std::optional<Solution> listen(HelperProcess &helper, const Limits &limits)
{
    const Meter meter{limits};
    std::optional<Deadline> patience;
    std::string bytes;
    double bound = -kInfinity;
    bool running = true, found = false;
    while (running && !(patience && patience->passed())) {
        if (!patience && meter.shouldStop()) {
            helper.send({&kStopByte, 1});
            patience = Deadline(found ? kGraceWithSolutionSeconds : kGraceSeconds);
        }
        running = helper.receive(bytes);
        while (const std::optional<std::string> message = takeFrame(bytes)) {
            std::optional<HelperReply> reply = unpackReply(*message);
            if (reply && reply->solution) return *std::move(reply->solution);
            if (!reply || !reply->progress) continue;
            bound = std::max(bound, reply->progress->bound);
            found = found || reply->progress->incumbent < kInfinity;
            if (limits.progress) limits.progress(*reply->progress);
        }
    }
    if (!running && helper.end()) return std::nullopt;
    return Solution{patience ? Status::Stopped : Status::Failed, {}, kInfinity, bound};
}

} // namespace

std::string helperProgram()
{
    if (const char *set = std::getenv("REMAT_CBC")) return set;
    return helperProgramPath("remat-cbc").string();
}

std::optional<Solution> solveInHelper(const Model &model, const Limits &limits)
{
    if (Meter{limits}.shouldStop()) return Solution{Status::Stopped, {}, kInfinity, -kInfinity};
    const std::string program = helperProgram();
    if (program.empty()) return std::nullopt;
    HelperProcess helper(program);
    if (!helper.started() || !helper.send(framed(pack(model, limits)))) return std::nullopt;
    return listen(helper, limits);
}

} // namespace remat::ilp
