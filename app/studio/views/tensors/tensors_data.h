// SPDX-License-Identifier: Apache-2.0
// What the view "Tensors" shows now: the saved tensors of the document's plan, those that the filter leaves, and sums.
#pragma once

#include "app/studio/base/text/op_labels.h"
#include "app/studio/work/document/document.h"
#include "core/views/saved_tensors.h"

#include <optional>

namespace remat::studio {

/// GUI thread only. What filters look at is made when one is set.
class TensorsData
{
public:
    explicit TensorsData(const Document &document) : m_document(document) {}

    /// The document has another model, plan or decision.
    void forgetModel();
    void forgetPlan();
    /// Takes a filter in the language of Find; the sentence says what cannot be understood, and the old one stays.
    Expected<void> setFilter(const QString &text);

    /// What the filter leaves, the largest first; none without a model.
    const std::vector<SavedTensor> &tensors();
    const std::vector<SavedSum> &sums(GroupBy by);
    std::int64_t allTensors(); ///< the filter aside
    const Document &document() const { return m_document; }
    const Graph &graph() const { return m_document.model()->graph(); }
    QString label(StorageId storage) const { return m_labels.storage(graph(), storage); }
    QString label(OpId op) const { return m_labels.op(graph(), op); }

private:
    void make();

    const Document &m_document;
    OpLabels m_labels;
    Filter m_filter;
    std::shared_ptr<const OpenModel> m_model; ///< that facts and labels are of
    std::vector<OpFacts> m_facts;
    std::optional<OpFates> m_fates;
    std::optional<std::vector<SavedTensor>> m_all, m_left;
    std::optional<GroupBy> m_summedBy;
    std::vector<SavedSum> m_sums;
};

} // namespace remat::studio
