// SPDX-License-Identifier: Apache-2.0
// How to trace a model, in a small window beside the main one.
#pragma once

#include <QDialog>

namespace remat::studio {

/// The command that makes a training graph, ready to copy.
class TracerWindow : public QDialog
{
    Q_OBJECT
public:
    explicit TracerWindow(QWidget *parent);
};

} // namespace remat::studio
