// SPDX-License-Identifier: Apache-2.0
#include "core/io/written_by_hand.h"

#include <algorithm>

namespace remat {

void onlyMembers(const JsonCursor &object, std::initializer_list<const char *> known)
{
    for (const auto &[key, value] : object.members())
        if (std::find(known.begin(), known.end(), key) == known.end()) {
            std::string list;
            for (const char *each : known)
                list += (list.empty() ? "" : ", ") + std::string(each);
            value.fail("is not known here. There are: {}.", list);
        }
}

std::string filledText(const JsonCursor &object, const char *key)
{
    std::string text = object[key].text();
    if (text.empty() && !object.failed()) object[key].fail("is empty.");
    return text;
}

} // namespace remat
