// Two small windows beside the main one: all keys, and how to trace a model.
#pragma once

#include "app/studio/window/commands.h"

#include <QDialog>

namespace remat::studio {

/// Every command with its key, made from the list of commands, and the gestures of the views.
class KeysWindow : public QDialog
{
    Q_OBJECT
public:
    KeysWindow(const Commands &commands, QWidget *parent);
};

/// The command that makes a training graph, ready to copy.
class TracerWindow : public QDialog
{
    Q_OBJECT
public:
    explicit TracerWindow(QWidget *parent);
};

} // namespace remat::studio
