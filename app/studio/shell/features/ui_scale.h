// The size of text and controls: 80 to 200 %, chosen in the status bar or by keys.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QObject>

class QMenu;

namespace remat::studio {

/// The toolkit scales a program once, at its start. So a change starts the program again, which opens every window as
/// it was. GUI thread only.
class UiScale : public QObject
{
    Q_OBJECT
public:
    static constexpr int kLeast = 80, kMost = 200, kStep = 10;
    explicit UiScale(const FeatureHost &host);

    /// What the person chose, in percent.
    static int chosen();
    /// Makes the choice hold for this run; before the application object is made.
    static void apply();
    void choose(int percent);
    QMenu *menu() const { return m_menu; }

Q_SIGNALS:
    /// The choice is kept; the program is to start again.
    void restartWanted();

private:
    void showChosen();

    QMenu *m_menu;
};

} // namespace remat::studio
