// SPDX-License-Identifier: Apache-2.0
// Work in a process of its own, which may crash, hang or grow.
#pragma once

#include <functional>
#include <string>

namespace remat::fuzz {

/// How a child ended.
struct Ending {
    bool good = false;  ///< with the exit status 0
    std::string sign;   ///< one line that is the same for the same fault: what the sanitizer or `broken` said
    std::string output; ///< the end of what it wrote to standard error
};

/// Memory that parent and child share, which outlives the child.
class SharedBytes
{
public:
    explicit SharedBytes(std::size_t size);
    ~SharedBytes();
    SharedBytes(const SharedBytes &) = delete;
    SharedBytes &operator=(const SharedBytes &) = delete;
    char *data() const { return m_data; }

private:
    char *m_data;
    std::size_t m_size;
};

/// Runs `work` in a fork of this process and waits for its end, at most `seconds` of the clock.
Ending inChild(const std::function<void()> &work, double seconds);

/// In the child: this process ends when it takes more than `seconds` of processor time from now on.
void limitProcessorTime(int seconds);

} // namespace remat::fuzz
