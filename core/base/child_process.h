// SPDX-License-Identifier: Apache-2.0
// A helper program on a socket: nobody waits for it longer than they want to, and it ends with all its children.
#pragma once

#include "core/base/expected.h"
#include "core/base/stop_token.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace remat {

/// What to start, and how much is taken from it. It is held for broken or hostile once it says more.
struct ChildProgram {
    std::string path;
    std::vector<std::string> arguments; ///< without the program's own name
    std::vector<int> inherited;         ///< descriptors that it gets as 3, 4, …; all others are closed to it
    std::vector<std::string> variables; ///< `NAME=VALUE`, in place of what this program has under the name
    std::size_t mostFrameBytes = std::size_t(64) << 20;
    std::size_t mostBytes = std::size_t(1) << 30; ///< over its whole life
    std::size_t mostErrorBytes = 0;               ///< bytes of its standard error that are kept; the rest is dropped
};

/// How a child ended: one of the two. None when it could not be asked.
struct ChildEnd {
    std::optional<int> exitCode;
    std::optional<int> signal; ///< the one that killed it
};

/// A running program whose standard input and output are one socket, in a process group of its own, so that an
/// interrupt from the terminal does not reach it. One thread at a time. Its end kills the whole group; only processes
/// that have left the group escape.
class ChildProcess
{
public:
    /// Fails with a sentence when the program cannot be started.
    static Expected<ChildProcess> start(const ChildProgram &program);
    ~ChildProcess();
    ChildProcess(ChildProcess &&other) noexcept;
    ChildProcess &operator=(ChildProcess &&) = delete;

    /// Sends all bytes, and takes in meanwhile what the child says. False when it has closed its end, has said too
    /// much, or the deadline or the stop came first; part of the bytes may have gone then. Returns within 20 ms of the
    /// latter.
    bool send(std::string_view bytes, const Deadline &deadline, const StopToken *stop = nullptr);
    /// Waits up to `milliseconds` for more from the child. False when nothing can come any more: it has closed its end,
    /// or has said too much.
    bool receive(int milliseconds);
    /// The next whole message of those that have come; each has its length before it, as framed() puts it there.
    std::optional<std::string> takeFrame();
    /// All bytes that have come and were not taken, for a child that does not speak in frames.
    std::string takeBytes();

    /// It has sent a message, or a sum of them, above the limits. Nothing of it is listened to any more.
    bool saidTooMuch() const { return m_tooMuch; }
    /// The beginning of its standard error.
    const std::string &errors() const { return m_errors; }
    /// The last line of those that says anything, printable: what a program says before it gives up. May be empty.
    std::string lastError() const;

    /// Waits up to `graceSeconds` for it to end by itself, then kills it, and its group in any case. Takes two seconds
    /// more at most, even for one that the system does not let go. The same answer when called again.
    ChildEnd end(double graceSeconds = 0);

private:
    ChildProcess() = default;
    void pump(std::string_view *outgoing, int milliseconds);
    void readSocket();
    bool readErrors();
    bool roomForMore() const;

    pid_t m_id = -1;
    int m_socket = -1, m_errorPipe = -1;
    bool m_listens = true, m_speaks = true, m_tooMuch = false;
    std::size_t m_mostFrameBytes = 0, m_bytesLeft = 0, m_mostErrorBytes = 0;
    std::string m_incoming, m_errors;
    std::size_t m_taken = 0; ///< bytes taken from m_incoming
    ChildEnd m_end;
};

/// A message with its length before it, as ChildProcess::takeFrame() takes it.
std::string framed(std::string_view message);

// For the helpers themselves.

/// The system kills this process when the thread that started it ends, however it ends. Whoever started it must
/// therefore end it on the same thread, or on one that lives longer.
void dieWithParent();
/// The next message; blocks until it is there. Nothing when the other side has ended or announces more than
/// `mostBytes`.
std::optional<std::string> readFrame(int descriptor, std::size_t mostBytes);
/// Blocks until all of it is written. False when the other side has ended.
bool writeFrame(int descriptor, std::string_view message);

} // namespace remat
