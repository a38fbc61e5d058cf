// SPDX-License-Identifier: Apache-2.0
// Adds the explain card to the plan panel and the way from a failed verdict to its step.
#pragma once

#include "app/studio/shell/workspace/feature.h"

#include <QObject>

namespace remat::studio {

class Explainer;

/// GUI thread only.
class Explain : public QObject
{
    Q_OBJECT
public:
    explicit Explain(const FeatureHost &host);

protected:
    /// The card catches up when the panel comes back into sight.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void addShowStep(const FeatureHost &host);

    Explainer *m_explainer;
};

} // namespace remat::studio
