// SPDX-License-Identifier: Apache-2.0
// Arrangements of the window by what it is used for: "Plan", "Compare", "Learn".
#pragma once

#include "app/studio/shell/workspace/feature.h"
#include "app/studio/shell/workspace/workspace.h"

#include <QActionGroup>
#include <QObject>

#include <vector>

namespace remat::studio {

class SegmentedControl;

/// The choice in the tool bar and its commands; the one in use is kept from one start to the next, and with the
/// session. GUI thread only.
class Presets : public QObject
{
    Q_OBJECT
public:
    explicit Presets(const FeatureHost &host);

    /// In the order of the choice.
    static std::vector<Preset> all();
    int current() const;
    SegmentedControl *choice() const { return m_choice; }

private:
    void use(int index);

    Workspace &m_workspace;
    ViewStates &m_states;
    SegmentedControl *m_choice;
    QActionGroup *m_actions;
};

} // namespace remat::studio
