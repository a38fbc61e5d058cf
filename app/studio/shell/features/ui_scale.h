// SPDX-License-Identifier: Apache-2.0
// The size of text and controls: 80 to 200 %, chosen in the status bar or by keys.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QObject>

class QAction;
class QMenu;
class QWidget;

namespace remat::studio {

/// One factor for everything that is drawn: all windows of the program take it at once and stay as large as they are on
/// the screen. GUI thread only.
class UiScale : public QObject
{
    Q_OBJECT
public:
    static constexpr int kPresenter = 150; ///< at least; a larger choice grows by the same
    static constexpr int kLeast = 80, kMost = 200, kStep = 10;
    explicit UiScale(const FeatureHost &host);

    /// What the person chose, in percent.
    static int chosen();
    /// Makes the choice hold from now on, on every screen, on top of what the desktop asks for. Once the application
    /// object is made; again does no harm.
    static void apply();
    void choose(int percent);
    /// Large enough for a lecture room, as far as the window still has room for the memory views; the same again goes
    /// back to what was chosen before.
    void present(bool on);
    static bool presenting();
    QMenu *menu() const { return m_menu; }

private:
    void showChosen();
    /// The most at which the window holds the memory views, as tall as it is.
    int roomFor() const;

    QWidget *m_window;
    QMenu *m_menu;
    QAction *m_presenter;
};

} // namespace remat::studio
