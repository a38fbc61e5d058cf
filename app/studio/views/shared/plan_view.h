// SPDX-License-Identifier: Apache-2.0
// A view of the current plan: what it says when there is nothing to show or something is wrong.
#pragma once

#include "app/studio/base/widgets/notice.h"
#include "app/studio/work/document/document.h"

#include <QVBoxLayout>
#include <QWidget>

namespace remat::studio {

class EmptyState;
class MessageStrip;
class PlotCanvas;

/// What a view says while it has nothing to show.
struct EmptyText {
    QString sentence; ///< empty: there is something to see
    QString button;   ///< opens a model while there is none, else solves; empty for no button
};

/// Base of the views that are about one plot. GUI thread only.
class PlanView : public QWidget
{
    Q_OBJECT
public:
    /// `icon` and `purpose` for the empty view: "Open a model to see …". Takes the plot, which fills the view until it
    /// is put elsewhere in it.
    PlanView(Document *document, PlotCanvas *plot, const QString &icon, const QString &purpose);

Q_SIGNALS:
    void openRequested();  ///< "Open…" in the empty view
    void solveRequested(); ///< "Solve" while there is no plan

protected:
    Document *document() const { return m_document; }
    MessageStrip *strip() const { return m_strip; }
    QVBoxLayout *column() const { return m_column; }
    /// Model, plan or axis changed while the view is seen, or it is seen again.
    virtual void takeScene() { showState(); }
    /// Says what is missing or wrong now.
    void showState();
    /// What is missing, of what the document holds alone: a plot that is not seen may be behind.
    virtual EmptyText emptyText() const;
    /// What is wrong with what is shown, over the plot until it is closed; without a sentence nothing is. Of the
    /// document alone, too.
    virtual Notice trouble() const;
    void resizeEvent(QResizeEvent *event) override;

private:
    void place();

    Document *m_document;
    PlotCanvas *m_plot;
    QVBoxLayout *m_column;
    MessageStrip *m_strip;
    EmptyState *m_empty;
    QString m_icon, m_purpose;
    QString m_said; ///< what was closed by hand stays closed
};

} // namespace remat::studio
