// SPDX-License-Identifier: Apache-2.0
// Everything there is to say of one op, as words.
#pragma once

#include "app/studio/work/document/document.h"

#include <QString>

namespace remat::studio {

struct OpDetails {
    QString name;                ///< as the user wrote it: `h.11.mlp.c_fc`
    QString kind;                ///< `addmm`
    QString node;                ///< in the archive: `addmm_45`
    QString module;              ///< whole path; may be empty
    QString makes;               ///< `f32[8,512,768] · 12.0 MiB`
    QString time;                ///< `21 µs`; `21 µs measured, 18 µs predicted (+17 %)`
    QString plan;                ///< `kept`, `recomputed twice`
    QString source;              ///< `model.py:41  x = self.fc(x)`; may be empty
    std::vector<OpId> producers; ///< ops that make what it reads, in graph order
    std::vector<OpId> consumers; ///< ops that read what it makes, in graph order
    /// All of it in lines, for the clipboard.
    QString text() const;
};
OpDetails opDetails(const CostedModel &model, const PlanEntry *plan, OpId op);

/// Ops that make what `op` reads, and ops that read what it makes; graph order, distinct. O(its edges).
std::vector<OpId> producersOf(const OpenModel &model, OpId op);
std::vector<OpId> consumersOf(const OpenModel &model, OpId op);

} // namespace remat::studio
