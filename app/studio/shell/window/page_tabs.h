// SPDX-License-Identifier: Apache-2.0
// The strip of open models under the tool bar.
#pragma once

#include <QTabBar>
#include <QWidget>

class QToolButton;

namespace remat::studio {

class Commands;
class ModelPages;

/// A tab for each open model: click to show, middle click or cross to close, drag to move. Not seen while there is one
/// model only. GUI thread only.
class PageTabs : public QWidget
{
    Q_OBJECT
public:
    explicit PageTabs(QWidget *parent = nullptr);
    /// Once. Both must outlive the strip's last use.
    void setPages(ModelPages *pages, const Commands *commands);
    /// False while the start page is in front of the models: then no tab is marked.
    void setInFront(bool inFront);
    QTabBar *bar() const { return m_bar; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void take();
    void addTab();
    void showMenu(int index, const QPoint &at);
    int idAt(int index) const;

    ModelPages *m_pages = nullptr;
    const Commands *m_commands = nullptr;
    QTabBar *m_bar;
    QToolButton *m_more;
    bool m_inFront = false;
    bool m_taking = false; ///< tabs are being made to say what the pages say
};

} // namespace remat::studio
