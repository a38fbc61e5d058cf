// A view of the current plan: what it says when there is nothing to show or something is wrong.
#pragma once

#include "app/studio/work/document/document.h"

#include <QWidget>

namespace remat::studio {

class EmptyState;
class MessageStrip;
class PlotCanvas;

/// Base of the views that are one plot of the current plan. GUI thread only.
class PlanView : public QWidget
{
    Q_OBJECT
public:
    /// `icon` and `purpose` for the empty view: "Open a model to see …". Takes the plot.
    PlanView(Document *document, PlotCanvas *plot, const QString &icon, const QString &purpose);

Q_SIGNALS:
    void openRequested();  ///< "Open…" in the empty view
    void solveRequested(); ///< "Solve" while there is no plan

protected:
    Document *document() const { return m_document; }
    /// Model, plan or axis changed while the view is seen, or it is seen again.
    virtual void takeScene();
    void resizeEvent(QResizeEvent *event) override;

private:
    void place();

    Document *m_document;
    MessageStrip *m_strip;
    EmptyState *m_empty;
    QString m_icon, m_purpose;
    QString m_said; ///< what was closed by hand stays closed
};

} // namespace remat::studio
