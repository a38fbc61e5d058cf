// SPDX-License-Identifier: Apache-2.0
#include "core/base/child_process.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace remat {

namespace {

constexpr int kPollMs = 10;
constexpr double kKillSeconds = 2;

/// A descriptor that is closed when its owner goes.
class Handle
{
public:
    explicit Handle(int number = -1) : m_number(number) {}
    ~Handle()
    {
        if (m_number >= 0) close(m_number);
    }
    Handle(Handle &&other) noexcept : m_number(other.release()) {}
    Handle &operator=(Handle &&) = delete;

    int number() const { return m_number; }
    int release() { return std::exchange(m_number, -1); }

private:
    int m_number;
};

/// Above all numbers that the child's own get, so that none is overwritten before it has been handed on.
Handle movedUp(int descriptor, std::size_t inherited)
{
    return Handle(fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1 + static_cast<int>(inherited)));
}

/// How the child is started: in a group of its own, with no signal ignored or blocked.
class SpawnAttributes
{
public:
    SpawnAttributes()
    {
        posix_spawnattr_init(&m_attributes);
        sigset_t none, all;
        sigemptyset(&none);
        sigfillset(&all);
        posix_spawnattr_setsigmask(&m_attributes, &none);
        posix_spawnattr_setsigdefault(&m_attributes, &all);
        posix_spawnattr_setflags(&m_attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    ~SpawnAttributes() { posix_spawnattr_destroy(&m_attributes); }
    SpawnAttributes(const SpawnAttributes &) = delete;
    SpawnAttributes &operator=(const SpawnAttributes &) = delete;

    const posix_spawnattr_t *get() const { return &m_attributes; }

private:
    posix_spawnattr_t m_attributes{};
};

/// What becomes of its descriptors.
class SpawnActions
{
public:
    SpawnActions() { posix_spawn_file_actions_init(&m_actions); }
    ~SpawnActions() { posix_spawn_file_actions_destroy(&m_actions); }
    SpawnActions(const SpawnActions &) = delete;
    SpawnActions &operator=(const SpawnActions &) = delete;

    void hand(int descriptor, int as) { posix_spawn_file_actions_adddup2(&m_actions, descriptor, as); }
    void openNull(int as) { posix_spawn_file_actions_addopen(&m_actions, as, "/dev/null", O_WRONLY, 0); }
    void closeFrom(int first) { posix_spawn_file_actions_addclosefrom_np(&m_actions, first); }
    const posix_spawn_file_actions_t *get() const { return &m_actions; }

private:
    posix_spawn_file_actions_t m_actions{};
};

tl::unexpected<Error> cannotStart(const ChildProgram &program, int error)
{
    return fail("{} cannot be started: {}.", program.path, std::strerror(error));
}

/// As exec takes them; they point into `texts`.
std::vector<char *> pointersTo(std::vector<std::string> &texts)
{
    std::vector<char *> pointers;
    pointers.reserve(texts.size() + 1);
    for (std::string &text : texts)
        pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// The variables of this program, but for those that the child gets otherwise.
std::vector<std::string> environmentOf(const ChildProgram &program)
{
    std::vector<std::string> texts = program.variables;
    const auto isReplaced = [&](std::string_view text) {
        const std::string_view name = text.substr(0, text.find('=') + 1);
        return std::any_of(program.variables.begin(), program.variables.end(),
                           [&](const std::string &variable) { return variable.starts_with(name); });
    };
    for (char **variable = environ; variable && *variable; ++variable)
        if (!isReplaced(*variable)) texts.emplace_back(*variable);
    return texts;
}

/// 0, or what went wrong.
int spawn(const ChildProgram &program, int socket, int errorPipe, pid_t &id)
{
    const std::size_t inherited = program.inherited.size();
    std::vector<Handle> kept;
    SpawnActions actions;
    const auto hand = [&](int descriptor, int as) {
        kept.push_back(movedUp(descriptor, inherited));
        actions.hand(kept.back().number(), as);
        return kept.back().number() >= 0;
    };
    bool handed = hand(socket, STDIN_FILENO) && hand(socket, STDOUT_FILENO);
    if (errorPipe < 0)
        actions.openNull(STDERR_FILENO);
    else
        handed = handed && hand(errorPipe, STDERR_FILENO);
    for (std::size_t i = 0; i < inherited; ++i)
        handed = handed && hand(program.inherited[i], STDERR_FILENO + 1 + static_cast<int>(i));
    if (!handed) return errno;
    actions.closeFrom(STDERR_FILENO + 1 + static_cast<int>(inherited));

    std::vector<std::string> texts{program.path};
    texts.insert(texts.end(), program.arguments.begin(), program.arguments.end());
    std::vector<std::string> variables = environmentOf(program);
    const SpawnAttributes attributes;
    return posix_spawn(&id, program.path.c_str(), actions.get(), attributes.get(), pointersTo(texts).data(),
                       pointersTo(variables).data());
}

void doNotBlock(int descriptor)
{
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

/// Until the process has ended, without taking its status: its number, and so that of its group, is not given to
/// another.
bool waitForEnd(pid_t id, double seconds)
{
    const Deadline deadline(seconds);
    for (auto pause = std::chrono::microseconds(100);; pause = std::min(pause * 2, std::chrono::microseconds(10000))) {
        siginfo_t info{};
        const int asked = waitid(P_PID, static_cast<id_t>(id), &info, WEXITED | WNOHANG | WNOWAIT);
        if (asked == 0 ? info.si_pid == id : errno != EINTR) return true;
        if (deadline.passed()) return false;
        std::this_thread::sleep_for(pause);
    }
}

} // namespace

Expected<ChildProcess> ChildProcess::start(const ChildProgram &program)
{
    std::array<int, 2> ends{}, pipeEnds{-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return cannotStart(program, errno);
    Handle ours(ends[0]);
    const Handle theirs(ends[1]);
    if (program.mostErrorBytes > 0 && pipe2(pipeEnds.data(), O_CLOEXEC) != 0) return cannotStart(program, errno);
    Handle ourPipe(pipeEnds[0]);
    const Handle theirPipe(pipeEnds[1]);

    ChildProcess child;
    if (const int error = spawn(program, theirs.number(), theirPipe.number(), child.m_id); error != 0) {
        child.m_id = -1;
        return cannotStart(program, error);
    }
    child.m_socket = ours.release();
    child.m_errorPipe = ourPipe.release();
    child.m_mostFrameBytes = program.mostFrameBytes;
    child.m_bytesLeft = program.mostBytes;
    child.m_mostErrorBytes = program.mostErrorBytes;
    doNotBlock(child.m_socket);
    if (child.m_errorPipe >= 0) doNotBlock(child.m_errorPipe);
    return child;
}

ChildProcess::ChildProcess(ChildProcess &&other) noexcept
    : m_id(std::exchange(other.m_id, -1)),
      m_socket(std::exchange(other.m_socket, -1)),
      m_errorPipe(std::exchange(other.m_errorPipe, -1)),
      m_listens(other.m_listens),
      m_speaks(other.m_speaks),
      m_tooMuch(other.m_tooMuch),
      m_mostFrameBytes(other.m_mostFrameBytes),
      m_bytesLeft(other.m_bytesLeft),
      m_mostErrorBytes(other.m_mostErrorBytes),
      m_incoming(std::move(other.m_incoming)),
      m_errors(std::move(other.m_errors)),
      m_taken(other.m_taken),
      m_end(other.m_end)
{
}

ChildProcess::~ChildProcess()
{
    end();
    if (m_socket >= 0) close(m_socket);
    if (m_errorPipe >= 0) close(m_errorPipe);
}

/// What is waited to be taken is at most one message, and what came with its end.
bool ChildProcess::roomForMore() const
{
    return m_incoming.size() - m_taken < m_mostFrameBytes + sizeof(std::uint64_t);
}

bool ChildProcess::send(std::string_view bytes, const Deadline &deadline, const StopToken *stop)
{
    while (!bytes.empty()) {
        if (!m_listens || m_tooMuch || deadline.passed() || (stop && stop->stopRequested())) return false;
        pump(&bytes, kPollMs);
    }
    return true;
}

bool ChildProcess::receive(int milliseconds)
{
    if (!m_speaks || m_tooMuch) return false;
    pump(nullptr, milliseconds);
    return m_speaks && !m_tooMuch;
}

void ChildProcess::pump(std::string_view *outgoing, int milliseconds)
{
    const bool full = !roomForMore();
    const auto events = static_cast<short>((full ? 0 : POLLIN) | (outgoing ? POLLOUT : 0));
    std::array<pollfd, 2> waiting{pollfd{m_socket, events, 0}, pollfd{m_errorPipe, POLLIN, 0}};
    if (full && !outgoing) milliseconds = 0;
    if (poll(waiting.data(), waiting.size(), milliseconds) <= 0) return;
    if (waiting[1].revents != 0) readErrors();
    if ((waiting[0].revents & POLLOUT) != 0 && outgoing) {
        const ssize_t sent = ::send(m_socket, outgoing->data(), outgoing->size(), MSG_NOSIGNAL);
        if (sent > 0)
            outgoing->remove_prefix(static_cast<std::size_t>(sent));
        else if (sent < 0 && errno != EINTR && errno != EAGAIN)
            m_listens = false;
    }
    if ((waiting[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !full) readSocket();
}

void ChildProcess::readSocket()
{
    std::array<char, 1 << 16> chunk; // NOLINT(cppcoreguidelines-pro-type-member-init): recv fills it
    const ssize_t received = recv(m_socket, chunk.data(), chunk.size(), 0);
    if (received < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (received <= 0) {
        m_listens = m_speaks = false;
        return;
    }
    const auto size = static_cast<std::size_t>(received);
    m_tooMuch = size > m_bytesLeft;
    if (m_tooMuch) return;
    m_bytesLeft -= size;
    if (m_taken > m_incoming.size() / 2) {
        m_incoming.erase(0, m_taken);
        m_taken = 0;
    }
    m_incoming.append(chunk.data(), size);
}

/// False when there is nothing more at present.
bool ChildProcess::readErrors()
{
    std::array<char, 1 << 12> chunk; // NOLINT(cppcoreguidelines-pro-type-member-init): read fills it
    const ssize_t size = read(m_errorPipe, chunk.data(), chunk.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return false;
    if (size > 0) {
        m_errors.append(chunk.data(), std::min(static_cast<std::size_t>(size), m_mostErrorBytes - m_errors.size()));
        return true;
    }
    close(m_errorPipe);
    m_errorPipe = -1;
    return false;
}

std::optional<std::string> ChildProcess::takeFrame()
{
    std::uint64_t size = 0;
    const std::string_view waiting = std::string_view(m_incoming).substr(m_taken);
    if (m_tooMuch || waiting.size() < sizeof size) return std::nullopt;
    std::memcpy(&size, waiting.data(), sizeof size);
    m_tooMuch = size > m_mostFrameBytes;
    if (m_tooMuch || waiting.size() - sizeof size < size) return std::nullopt;
    m_taken += sizeof size + size;
    return std::string(waiting.substr(sizeof size, size));
}

std::string ChildProcess::takeBytes()
{
    m_incoming.erase(0, std::exchange(m_taken, 0));
    return std::exchange(m_incoming, {});
}

std::string ChildProcess::lastError() const
{
    const std::size_t end = m_errors.find_last_not_of("\r\n \t");
    if (end == std::string::npos) return {};
    const std::size_t begin = m_errors.find_last_of("\r\n", end) + 1; // npos + 1 is 0
    return printable(m_errors.substr(begin, end + 1 - begin));
}

ChildEnd ChildProcess::end(double graceSeconds)
{
    if (m_id < 0) return m_end;
    if (!waitForEnd(m_id, graceSeconds)) kill(m_id, SIGKILL);
    kill(-m_id, SIGKILL); // its children too, also when it has ended itself
    int status = 0;
    if (waitForEnd(m_id, kKillSeconds) && waitpid(m_id, &status, WNOHANG) == m_id) {
        if (WIFEXITED(status)) m_end.exitCode = WEXITSTATUS(status);
        if (WIFSIGNALED(status)) m_end.signal = WTERMSIG(status);
    }
    m_id = -1;
    while (m_errorPipe >= 0 && m_errors.size() < m_mostErrorBytes && readErrors()) {
    }
    return m_end;
}

std::string framed(std::string_view message)
{
    const auto size = static_cast<std::uint64_t>(message.size());
    std::string bytes(sizeof size, '\0');
    std::memcpy(bytes.data(), &size, sizeof size);
    return bytes.append(message);
}

void dieWithParent()
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

std::optional<std::string> readFrame(int descriptor, std::size_t mostBytes)
{
    const auto readUpTo = [descriptor](std::string &bytes, std::size_t size) {
        std::array<char, 1 << 16> chunk; // NOLINT(cppcoreguidelines-pro-type-member-init): read fills it
        while (bytes.size() < size) {
            const ssize_t got = read(descriptor, chunk.data(), std::min(chunk.size(), size - bytes.size()));
            if (got < 0 && errno == EINTR) continue;
            if (got <= 0) return false;
            bytes.append(chunk.data(), static_cast<std::size_t>(got));
        }
        return true;
    };
    std::uint64_t size = 0;
    std::string head, message;
    if (!readUpTo(head, sizeof size)) return std::nullopt;
    std::memcpy(&size, head.data(), sizeof size);
    if (size > mostBytes || !readUpTo(message, size)) return std::nullopt;
    return message;
}

bool writeFrame(int descriptor, std::string_view message)
{
    const std::string whole = framed(message);
    for (std::string_view bytes = whole; !bytes.empty();) {
        const ssize_t written = write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

} // namespace remat
