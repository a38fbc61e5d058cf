// Work that passes between threads inside Qt's own library, which is not built with ThreadSanitizer: it cannot see the
// locks there. What is given away says so before, and what takes it says so first. Nothing in other builds.
#pragma once

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace remat::studio {

#if defined(__SANITIZE_THREAD__)
inline char handOverMark = 0;
inline void handOver()
{
    __tsan_release(&handOverMark);
}
inline void takeOver()
{
    __tsan_acquire(&handOverMark);
}
#else
inline void handOver() {}
inline void takeOver() {}
#endif

} // namespace remat::studio
