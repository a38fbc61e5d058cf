// SPDX-License-Identifier: Apache-2.0
// How a call fails: a sentence, never an exception that crosses a library's border.
#pragma once

#include <fmt/core.h>
#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace remat {

/// Why a call failed, as one or two sentences for a person: where, what is wrong, what to do.
struct Error {
    std::string message;
};

/// A value, or the sentence that says why there is none.
template <class T>
using Expected = tl::expected<T, Error>;

/// Builds the failed result: `return fail("gpt2.pt2 ends after 31 of 48 MiB. Copy it again.");` What makes a sentence
/// longer than anybody reads, such as a name of a megabyte, is cut in its middle.
tl::unexpected<Error> fail(std::string message);

/// The same with what stands for each `{}` of the sentence, as `fmt::format` has it.
template <class First, class... Rest>
tl::unexpected<Error> fail(fmt::format_string<First, Rest...> sentence, First &&first, Rest &&...rest)
{
    return fail(fmt::format(sentence, std::forward<First>(first), std::forward<Rest>(rest)...));
}

namespace detail {
/// Prints the broken assumption and aborts: a bug of ours, never bad input.
[[noreturn]] void assertionFailed(const char *condition, const char *why, const char *file, int line);
} // namespace detail

} // namespace remat

/// An assumption of our own code; `why` says what it rests on. Stays on in release builds.
#define REMAT_ASSERT(cond, why)                                                                                        \
    do {                                                                                                               \
        if (!(cond)) ::remat::detail::assertionFailed(#cond, why, __FILE__, __LINE__);                                 \
    } while (false)
