// SPDX-License-Identifier: Apache-2.0
// What stands where a plan would be, while there is none.
#pragma once

#include <QString>

namespace remat::studio {

class Document;

/// No plan of the open model can keep the budget. GUI thread only.
bool noPlanFits(const Document &document);

/// What to do to get a plan: drag or solve, or raise the budget where none can fit it, to at least so much. Of a
/// document with a model. GUI thread only.
QString noPlanText(const Document &document);

} // namespace remat::studio
