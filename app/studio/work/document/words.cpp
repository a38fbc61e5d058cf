// SPDX-License-Identifier: Apache-2.0
#include "app/studio/work/document/words.h"

#include <QCoreApplication>

namespace remat::studio {

const Words &windowWords()
{
    static const Words kWords = [](const char *context, const char *text) {
        return QCoreApplication::translate(context, text).toStdString();
    };
    return kWords;
}

} // namespace remat::studio
