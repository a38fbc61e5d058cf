// SPDX-License-Identifier: Apache-2.0
// Where costs come from: a device, a profile, or a measurement on this machine.
#pragma once

#include "app/studio/work/jobs/model_loader.h"

#include <QComboBox>

namespace remat::studio {

/// Shows and changes the loader's cost choice.
class CostBox : public QWidget
{
    Q_OBJECT
public:
    CostBox(Document *document, ModelLoader *loader, QWidget *parent = nullptr);

Q_SIGNALS:
    /// A file has to be chosen first.
    void profileWanted();

private:
    void fill();
    void choose(int row);

    Document *m_document;
    ModelLoader *m_loader;
    QComboBox *m_choice;
};

} // namespace remat::studio
