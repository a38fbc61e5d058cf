// SPDX-License-Identifier: Apache-2.0
// The tool bar, 44 high: actions at the left; verdict, device and panels at the right.
#pragma once

#include "app/studio/base/commands/commands.h"
#include "app/studio/work/session/session.h"

#include <QHBoxLayout>
#include <QWidget>

class QMenu;

namespace remat::studio {

class StudioButton;
class VerdictBadge;
struct VerdictLook;

/// In a narrow window presets are icons, and the device loses what stands in brackets behind its name.
class ToolRow : public QWidget
{
    Q_OBJECT
public:
    ToolRow(Session &session, const Commands &commands, QWidget *parent = nullptr);
    /// Shows the verdict of the current plan; none hides it.
    void showVerdict(const VerdictLook *look);
    /// Where features put their entries: after the file buttons, in the middle, before the panel buttons.
    enum class Place { File, Middle, End };
    void addTo(Place place, QWidget *widget);
    /// A button of 32 for an action.
    QWidget *addTo(Place place, QAction *action);

Q_SIGNALS:
    void profileWanted();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeButton(QAction *action);
    void addButton(QAction *action) { m_row->addWidget(makeButton(action)); }
    void addSeparator();
    void showDevice();
    void popUpDevices();

    Session &m_session;
    QAction *m_measure;
    QHBoxLayout *m_row, *m_file, *m_middle, *m_end;
    VerdictBadge *m_badge;
    StudioButton *m_device;
    QMenu *m_devices;
    bool m_narrow = false;
};

} // namespace remat::studio
