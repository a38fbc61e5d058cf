// A plot over time with its header, and what it says when there is nothing to show or something is wrong.
#pragma once

#include "app/studio/plots/time_header.h"
#include "app/studio/plots/time_plot.h"

namespace remat::studio {

class EmptyState;
class MessageStrip;

/// Base of the views over time beside the memory view. GUI thread only.
class TimeView : public QWidget
{
    Q_OBJECT
public:
    /// `icon` and `purpose` for the empty view: "Open a model to see …".
    TimeView(Document *document, TimePlot *plot, const QString &icon, const QString &purpose);

    TimeHeader *header() { return m_header; }
    QSize sizeHint() const override { return {1272, 302}; }

Q_SIGNALS:
    void openRequested();  ///< "Open…" in the empty view
    void solveRequested(); ///< "Solve" while there is no plan

protected:
    Document *document() const { return m_document; }
    /// Model, plan or axis changed while the view is seen, or it is seen again.
    virtual void takeScene();
    /// Over the plot; an empty sentence takes it away. What was closed by hand stays closed.
    void say(const QString &sentence);
    void resizeEvent(QResizeEvent *event) override;

private:
    void place();

    Document *m_document;
    TimePlot *m_plot;
    TimeHeader *m_header;
    MessageStrip *m_strip;
    EmptyState *m_empty;
    QString m_icon, m_purpose, m_said;
};

} // namespace remat::studio
