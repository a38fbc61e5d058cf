// SPDX-License-Identifier: Apache-2.0
// Words and figures of comparisons, as the window's strings.
#pragma once

#include "app/studio/base/text/text.h"
#include "app/studio/work/document/words.h"
#include "core/views/comparison_text.h"

namespace remat::studio {

inline QString signedBytesText(std::int64_t bytes)
{
    return toQString(signedBytes(bytes));
}

inline QString signedTimeText(double timeUs)
{
    return toQString(signedTime(timeUs));
}

inline QString useText(NodeState state)
{
    return toQString(stateWord(state, windowWords()));
}

inline QString rowSentence(const DifferenceRow &row, const QString &other)
{
    return toQString(rowSentence(row, other.toStdString(), windowWords()));
}

} // namespace remat::studio
