#include "core/base/expected.h"

#include <cstdio>
#include <cstdlib>

namespace remat::detail {

void assertionFailed(const char *condition, const char *why, const char *file, int line)
{
    std::fprintf(stderr, "%s:%d: %s does not hold: %s. This is a bug in Remat Studio.\n", file, line, condition, why);
    std::abort();
}

} // namespace remat::detail
