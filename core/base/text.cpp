// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"

#include <array>
#include <clocale>
#include <cstdint>
#include <cstdio>
#include <cwctype>

namespace remat {

namespace {

constexpr const char *kReplacement = "\ufffd";

struct Character {
    std::uint32_t code = 0;
    std::size_t length = 0; ///< bytes of UTF-8; 0 when there is none
};

/// The character at the start of `text`.
Character firstOf(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
    std::uint32_t code = lead & (0xffU >> (length + 1));
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) return {};
        code = code << 6U | (byte(i) & 0x3fU);
    }
    const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return overlong || surrogate || code > 0x10ffff ? Character{} : Character{code, length};
}

/// C0, DEL, C1 and the separators of lines and paragraphs.
bool isControl(std::uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
}

/// Marks, embeddings, overrides and isolates of right-to-left writing.
bool turnsDirection(std::uint32_t code)
{
    return code == 0x061c || code == 0x200e || code == 0x200f || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

/// The text with `instead(code)` for what `printable()` replaces.
template <class Instead>
std::string replaced(std::string_view text, bool keepLines, Instead instead)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const Character first = firstOf(text);
        if (first.length == 0)
            result += kReplacement;
        else if (first.code == '\n' && keepLines)
            result += '\n';
        else if (isControl(first.code) || turnsDirection(first.code))
            result += instead(first.code);
        else
            result += text.substr(0, first.length);
        text.remove_prefix(first.length == 0 ? 1 : first.length);
    }
    return result;
}

const char *shownInstead(std::uint32_t code)
{
    return isControl(code) ? " " : kReplacement;
}

/// Lower case as Unicode has it, whatever the locale; of ASCII alone on systems without this one.
std::uint32_t lowerCode(std::uint32_t code)
{
    if (code < 0x80) return code >= 'A' && code <= 'Z' ? code + ('a' - 'A') : code;
    static const locale_t kUnicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return kUnicode ? static_cast<std::uint32_t>(towlower_l(static_cast<std::wint_t>(code), kUnicode)) : code;
}

void append(std::string &text, std::uint32_t code)
{
    const auto put = [&](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
    const auto rest = [&](int bytes) {
        while (bytes-- > 0)
            put(0x80 | (code >> (6 * static_cast<unsigned>(bytes)) & 0x3fU));
    };
    if (code < 0x80) return put(code);
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    put((more == 1 ? 0xc0U : more == 2 ? 0xe0U : 0xf0U) | code >> (6 * static_cast<unsigned>(more)));
    rest(more);
}

bool isSpace(std::uint32_t code)
{
    return code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 || code == 0xa0 || code == 0x1680 ||
           (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 || code == 0x202f || code == 0x205f ||
           code == 0x3000;
}

} // namespace

std::string printable(std::string_view text)
{
    return replaced(text, false, shownInstead);
}

std::string printableLines(std::string_view text)
{
    return replaced(text, true, shownInstead);
}

std::string printableJson(std::string_view text)
{
    return replaced(text, true, [](std::uint32_t code) {
        std::array<char, 8> escape{};
        std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(code & 0xffffU));
        return std::string(escape.data());
    });
}

std::string lowerCase(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const Character first = firstOf(text);
        if (first.length == 0)
            result += text.front();
        else
            append(result, lowerCode(first.code));
        text.remove_prefix(first.length == 0 ? 1 : first.length);
    }
    return result;
}

std::size_t leadingSpace(std::string_view text)
{
    if (text.empty()) return 0;
    const Character first = firstOf(text);
    return isSpace(first.code) ? first.length : 0;
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
