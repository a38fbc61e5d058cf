// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/shared/no_plan.h"

#include "app/studio/base/text/memory_text.h"
#include "app/studio/work/document/document.h"
#include "core/model/open_model.h"

#include <QCoreApplication>

namespace remat::studio {

bool noPlanFits(const Document &document)
{
    const auto model = document.model();
    return model && document.budgetBytes() < model->floor.bytes;
}

QString noPlanText(const Document &document)
{
    if (noPlanFits(document)) {
        const std::int64_t least = document.model()->floor.bytes;
        return QCoreApplication::translate("NoPlan", "No plan fits %1. Raise the budget to at least %2.")
            .arg(memoryText(document.budgetBytes(), least), memoryText(least));
    }
    return QCoreApplication::translate("NoPlan", "No plan yet. Drag the budget or press Solve.");
}

} // namespace remat::studio
