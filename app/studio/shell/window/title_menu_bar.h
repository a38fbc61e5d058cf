// SPDX-License-Identifier: Apache-2.0
// The menu bar with the program's mark at the left and the document's name in the middle.
#pragma once

#include <QMenuBar>

namespace remat::studio {

class TitleMenuBar : public QMenuBar
{
    Q_OBJECT
public:
    explicit TitleMenuBar(QWidget *parent = nullptr);
    /// A dot stands before the name while a plan is not saved.
    void setDocumentName(const QString &name, bool unsaved);
    QString documentName() const { return m_name; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString m_name;
    bool m_unsaved = false;
};

} // namespace remat::studio
