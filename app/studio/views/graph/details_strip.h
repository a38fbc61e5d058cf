// SPDX-License-Identifier: Apache-2.0
// The strip at the lower edge of the graph that says everything about the selected op.
#pragma once

#include "app/studio/views/graph/op_details.h"

#include <QWidget>

class QHBoxLayout;

namespace remat::studio {

class StudioButton;
class TokenLabel;

/// Floats over the canvas, so that nothing moves when it comes and goes. GUI thread only.
class DetailsStrip : public QWidget
{
    Q_OBJECT
public:
    static constexpr int kHeight = 60;

    DetailsStrip(Document *document, QWidget *parent);
    /// Wanted by the person; it shows only while an op is selected.
    void setWanted(bool wanted);
    bool wanted() const { return m_wanted; }
    const OpDetails &details() const { return m_details; }

Q_SIGNALS:
    void opChosen(remat::OpId op);
    void closed();
    void shownChanged(); ///< it came or went

protected:
    void paintEvent(QPaintEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void refresh();
    void fillLinks(QHBoxLayout *row, const QString &title, const std::vector<OpId> &ops);

    Document *m_document;
    OpDetails m_details;
    OpId m_shown;
    bool m_wanted = true, m_stale = false;
    TokenLabel *m_name, *m_facts, *m_source;
    QHBoxLayout *m_links;
    StudioButton *m_copy, *m_close;
};

} // namespace remat::studio
