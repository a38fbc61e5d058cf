// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/target.h"

#include "core/base/text.h"

#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>
#include <unistd.h>

namespace remat::fuzz {

namespace {

constexpr std::size_t kLongestSentence = 3000;

} // namespace

void broken(const std::string &what)
{
    std::fprintf(stderr, "broken: %s\n", what.c_str());
    std::abort();
}

bool refusedWith(const std::string &sentence)
{
    require(!sentence.empty(), "refused without a sentence");
    require(sentence.size() <= kLongestSentence,
            "a sentence that is too long: " + std::to_string(sentence.size()) + " bytes, " + sentence.substr(0, 200));
    const std::string shown = printable(sentence); // as commands and window do
    require(!shown.empty() && printable(shown) == shown, "a sentence that cannot be printed: " + shown);
    return false;
}

std::string fileOf(std::string_view bytes)
{
    static const int file = memfd_create("input", 0);
    require(file >= 0 && ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0, "no file in memory");
    require(write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "the file was not written");
    return "/proc/self/fd/" + std::to_string(file);
}

} // namespace remat::fuzz
