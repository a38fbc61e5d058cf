#include "core/base/text.h"

#include <cstdint>

namespace remat {

namespace {

/// Length of the UTF-8 sequence at the start of `text`; 0 when there is none.
std::size_t sequenceLength(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
    std::uint32_t code = lead & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) return 0;
        code = code << 6U | (byte(i) & 0x3fU);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return overlong || surrogate || code > 0x10ffff ? 0 : length;
}

} // namespace

std::string printable(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = sequenceLength(text);
        const unsigned char first = static_cast<unsigned char>(text[0]);
        if (length == 0)
            result += "\ufffd";
        else if (first < 32 || first == 127)
            result += ' ';
        else
            result += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result;
}

std::string shortened(std::string_view text, std::size_t most)
{
    constexpr std::string_view kGap = "…";
    if (text.size() <= most) return std::string(text);
    const auto inCharacter = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xc0U) == 0x80; };
    std::size_t begin = (most - kGap.size()) * 2 / 3;
    std::size_t end = text.size() - (most - kGap.size() - begin);
    while (begin > 0 && inCharacter(begin))
        --begin;
    while (end < text.size() && inCharacter(end))
        ++end;
    return std::string(text.substr(0, begin)).append(kGap).append(text.substr(end));
}

std::string quotedName(std::string_view name)
{
    std::string quoted("\"");
    return quoted.append(printable(shortened(name))).append("\"");
}

} // namespace remat
