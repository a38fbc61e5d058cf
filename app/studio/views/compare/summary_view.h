// SPDX-License-Identifier: Apache-2.0
// What a person needs to choose between compared plans: cards, figures, a verdict, memory at the peak.
#pragma once

#include "app/studio/views/compare/compare_view.h"
#include "app/studio/views/compare/summary_parts.h"

#include <QScrollArea>

class QLabel;
class QVBoxLayout;

namespace remat::studio {

class VerdictBox;

/// Says what a compare view shows, or what the document compares while that view is not seen. GUI thread only.
class SummaryView : public QScrollArea
{
    Q_OBJECT
public:
    SummaryView(Document *document, CompareView *view, QWidget *parent = nullptr);

    FigureTable *figures() const { return m_figures; }
    VerdictBox *verdict() const { return m_verdict; }
    /// The sentence about the chosen row; empty without one.
    QString rowText() const;
    /// Adds a button beside "Use A" and "Use B".
    void addAction(QAction *action);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void follow();
    void take();
    void takeRow();
    PlanFigures figuresOf(const CompareScene &scene, std::size_t place) const;

    Document *m_document;
    CompareView *m_view;
    QWidget *m_body, *m_content;
    QLabel *m_empty;
    std::vector<PlanCard *> m_cards;
    FigureTable *m_figures;
    VerdictBox *m_verdict;
    TokenLabel *m_unequal;
    PeakBars *m_bars;
    TokenLabel *m_rowTitle;
    QLabel *m_row;
    StudioButton *m_useA, *m_useOther;
    QVBoxLayout *m_buttons;
};

} // namespace remat::studio
