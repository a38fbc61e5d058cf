// SPDX-License-Identifier: Apache-2.0
// Compared plans over each other above, their differences below.
#pragma once

#include "app/studio/views/compare/compare_canvas.h"
#include "app/studio/views/compare/compare_header.h"
#include "app/studio/views/compare/difference_table.h"
#include "app/studio/views/shared/plan_view.h"

#include <QJsonObject>
#include <QWidget>

class QLineEdit;

namespace remat::studio {

class StudioButton;
class TokenLabel;

/// Builds what it shows while it is seen, and not before. Without compared plans it takes the current plan and the
/// newest other one. GUI thread only.
class CompareView : public PlanView
{
    Q_OBJECT
public:
    explicit CompareView(Document *document);

    CompareCanvas *canvas() const { return m_canvas; }
    CompareHeader *header() const { return m_header; }
    DifferenceTable *table() const { return m_table; }
    SegmentedControl *levelChoice() const { return m_level; }
    QLineEdit *filter() const { return m_filter; }
    /// The plan that A is compared with, from 1.
    int other() const { return m_other; }
    void setOther(int place);
    /// Takes what the document compares now, for those that show it while this view is not seen.
    void refresh();
    /// What each plan does, in the order of letters; as of the last time the view was seen or refreshed.
    const std::vector<PlanUse> &uses() const { return m_uses; }
    /// Where A and the other plan differ, by storage, as of the same time.
    const PlanComparison &differences() const { return m_differences; }
    QSize sizeHint() const override { return {1032, 780}; }

    QJsonObject saveState() const;
    void restoreState(const QJsonObject &state);

Q_SIGNALS:
    void csvRequested();
    void compared();                     ///< scene and uses are new
    void touched(const QString &change); ///< a change that a person may want to undo

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    EmptyText emptyText() const override;
    Notice trouble() const override { return {}; }

private:
    CompareView(Document *document, CompareCanvas *canvas);
    QWidget *makeDifferences();
    void takeChange();
    void rebuild();
    void chooseFirst();
    void showTable();
    void showReadout();
    void showEmpty();
    CompareAxis axisKind() const;
    void takeAxis(int index);

    CompareHeader *m_header;
    CompareCanvas *m_canvas;
    TokenLabel *m_title, *m_count, *m_note;
    SegmentedControl *m_level, *m_otherChoice;
    QLineEdit *m_filter;
    StudioButton *m_csv;
    DifferenceTable *m_table;
    OpBlocks m_blocks;
    std::shared_ptr<const OpenModel> m_blocksOf;
    std::vector<PlanUse> m_uses;
    PlanComparison m_differences;
    std::vector<int> m_last; ///< ids compared before
    int m_other = 1;
    bool m_aligned = false;
    bool m_building = false;
};

} // namespace remat::studio
