// SPDX-License-Identifier: Apache-2.0
#include "core/base/words.h"

namespace remat {

const Words &orEnglish(const Words &words)
{
    static const Words kEnglish = [](const char * /*context*/, const char *text) { return std::string(text); };
    return words ? words : kEnglish;
}

std::string filled(const std::string &text, const std::vector<std::string> &figures)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t which =
            text[i] == '%' && i + 1 < text.size() ? static_cast<std::size_t>(text[i + 1] - '1') : figures.size();
        if (which >= figures.size()) {
            result += text[i];
        } else {
            result += figures[which];
            ++i;
        }
    }
    return result;
}

} // namespace remat
