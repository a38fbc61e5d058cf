// Text between quotation marks, as Python and Graphviz read it.
#pragma once

#include "core/base/text.h"

#include <string>

namespace remat {

inline std::string quoted(const std::string &text)
{
    std::string result = "\"";
    for (const char c : printable(text)) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result += '"';
}

} // namespace remat
