// SPDX-License-Identifier: Apache-2.0
// The longer answers: the selection, the peak with everything held at it, the budget.
#pragma once

#include "app/studio/views/explain/explainer.h"
#include "app/studio/views/explain/explanation_card.h"
#include "app/studio/views/explain/holders_model.h"

#include <QScrollArea>
#include <QTableView>

namespace remat::studio {

/// GUI thread only.
class ExplainView : public QScrollArea
{
    Q_OBJECT
public:
    ExplainView(Document *document, Explainer *explainer, QWidget *parent = nullptr);
    Explainer *explainer() const { return m_explainer; }
    QTableView *holders() const { return m_holders; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    void showStory();

    Document *m_document;
    Explainer *m_explainer;
    TokenLabel *m_empty;
    ExplanationCard *m_selected, *m_peak, *m_budget, *m_more;
    HoldersModel *m_model;
    QTableView *m_holders;
};

} // namespace remat::studio
