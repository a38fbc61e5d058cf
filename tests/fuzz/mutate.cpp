// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace remat::fuzz {

namespace {

std::size_t below(std::size_t n, test::Random &random)
{
    return static_cast<std::size_t>(random.below(static_cast<int>(std::max<std::size_t>(n, 1))));
}

/// Eight bytes that lengths and offsets go wrong with.
std::uint64_t oddLength(test::Random &random)
{
    static const std::array<std::uint64_t, 12> kOdd = {
        0, 1, 2, 7, 255, 65535, 1U << 20U, 0x7fffffffU, 0xffffffffU, 1ULL << 61U, 1ULL << 63U, ~0ULL};
    return random.pick(kOdd);
}

} // namespace

void mutateBytes(std::string &bytes, const std::string &other, test::Random &random)
{
    const std::size_t at = below(bytes.size(), random);
    const std::size_t length = std::min(below(64, random) + 1, bytes.size() - std::min(at, bytes.size()));
    switch (random.below(9)) {
    case 0:
        if (!bytes.empty()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
        break;
    case 1:
        if (!bytes.empty()) bytes[at] = static_cast<char>(random.below(256));
        break;
    case 2:
        bytes.erase(at, length);
        break;
    case 3:
        bytes.insert(at, bytes.substr(at, length));
        break;
    case 4:
        bytes.resize(at); // cut off
        break;
    case 5: { // a part of another
        const std::size_t from = below(other.size(), random);
        bytes.replace(at, length, other.substr(std::min(from, other.size()), below(256, random)));
        break;
    }
    case 6: { // a length, at its place or beside it
        const std::uint64_t value = oddLength(random);
        const std::size_t size = random.percent(50) ? 8 : 4;
        const std::size_t place = random.percent(80) ? at / 4 * 4 : at;
        if (place + size <= bytes.size()) std::memcpy(bytes.data() + place, &value, size);
        break;
    }
    case 7: { // digits become another number
        const std::size_t digit = bytes.find_first_of("0123456789", at);
        if (digit == std::string::npos) break;
        const std::size_t end = std::min(bytes.find_first_not_of("0123456789.", digit), bytes.size());
        static const std::array<const char *, 10> kNumbers = {
            "0",          "-1",  "1e308", "1e999", "9223372036854775807", "9223372036854775808",
            "4294967296", "0.1", "nan",   "-0"};
        bytes.replace(digit, end - digit, random.pick(kNumbers));
        break;
    }
    default: // one letter often
        bytes.insert(at, std::string(below(2000, random), bytes.empty() ? 'a' : bytes[at]));
    }
}

void mutateText(std::string &text, const std::vector<std::string> &words, test::Random &random)
{
    static const std::vector<std::string> kOdd = {"",  " ",    "\"", "'",     "%",   "-",    ":",        ",",    "=",
                                                  "0", "-1",   "1e", "1e999", "nan", "inf",  "\xff\xfe", "\n",   "µ",
                                                  "(", "1e18", ".",  "*",     ">",   "\x1b", "100%",     "1GiB", "/"};
    const std::size_t at = below(text.size() + 1, random);
    const auto word = [&] { return !words.empty() && random.percent(60) ? random.pick(words) : random.pick(kOdd); };
    switch (random.below(4)) {
    case 0:
        text.insert(at, word());
        break;
    case 1:
        text.replace(at, below(8, random), word());
        break;
    case 2: // a line of words
        text.insert(at, word() + random.pick(kOdd) + word());
        break;
    default:
        mutateBytes(text, words.empty() ? text : random.pick(words), random);
    }
}

std::string mutated(const Target &target, const std::string &input, const std::string &other, test::Random &random)
{
    std::string result = input;
    const bool bare = target.form != Form::Bytes && random.percent(15);
    for (int changes = random.between(1, 4); changes > 0; --changes) {
        bool done = false;
        if (!bare && target.form == Form::Json) done = mutateJson(result, other, random);
        if (!bare && target.form == Form::Zip) done = mutateZip(result, other, random);
        if (!bare && target.form == Form::Text) {
            mutateText(result, target.words, random);
            done = true;
        }
        if (!done) mutateBytes(result, other, random);
    }
    if (result.size() > kLargestInput) result.resize(kLargestInput);
    return result;
}

} // namespace remat::fuzz
