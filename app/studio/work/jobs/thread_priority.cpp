// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/jobs/thread_priority.h"

#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace remat::studio {

void yieldToInput()
{
#ifdef __linux__
    // On Linux a nice value is of a thread, and new threads inherit it.
    constexpr int kNice = 10;
    thread_local bool lowered = false;
    if (lowered) return;
    lowered = true;
    setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNice);
#endif
}

} // namespace remat::studio
