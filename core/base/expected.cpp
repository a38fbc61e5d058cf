// SPDX-License-Identifier: Apache-2.0
#include "core/base/expected.h"

#include "core/base/text.h"

#include <cstdio>
#include <cstdlib>

namespace remat {

tl::unexpected<Error> fail(std::string message)
{
    if (message.size() > kLongestSentence) message = shortened(message, kLongestSentence);
    return tl::unexpected<Error>(Error{std::move(message)});
}

} // namespace remat

namespace remat::detail {

void assertionFailed(const char *condition, const char *why, const char *file, int line)
{
    std::fprintf(stderr, "%s:%d: %s does not hold: %s. This is a bug in Remat Studio.\n", file, line, condition, why);
    std::abort();
}

} // namespace remat::detail
