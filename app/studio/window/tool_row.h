// The tool bar, 44 high: actions at the left; verdict, device and panels at the right.
#pragma once

#include "app/studio/window/commands.h"
#include "app/studio/window/session.h"

#include <QWidget>

class QHBoxLayout;
class QMenu;

namespace remat::studio {

class StudioButton;
class VerdictBadge;
struct VerdictLook;

class ToolRow : public QWidget
{
    Q_OBJECT
public:
    ToolRow(Session &session, const Commands &commands, QWidget *parent = nullptr);
    /// Shows the verdict of the current plan; none hides it.
    void showVerdict(const VerdictLook *look);

Q_SIGNALS:
    void profileWanted();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void addButton(QAction *action);
    void addSeparator();
    void showDevice();
    void popUpDevices();

    Session &m_session;
    QAction *m_measure;
    QHBoxLayout *m_row;
    VerdictBadge *m_badge;
    StudioButton *m_device;
    QMenu *m_devices;
};

} // namespace remat::studio
