// SPDX-License-Identifier: Apache-2.0
// What a feature gets to build itself into the window: its commands, views, tool bar entries and jobs.
#pragma once

#include "app/studio/base/widgets/notice.h"

#include <functional>

class QMainWindow;
class QObject;

namespace remat::studio {

class Commands;
class ModelPages;
struct Session;
class StatusLine;
class ToolRow;
class Workspace;

/// Lives as long as the window.
struct FeatureHost {
    QMainWindow *window;
    QObject *owner; ///< owner of the features: goes before the session does
    Session &session;
    Commands &commands;
    Workspace &workspace;
    ToolRow &tools;
    StatusLine &status;
    ModelPages &pages;
    std::function<void(const Notice &)> say; ///< a strip under the tool bar
};

/// Adds every feature to a window, one line each. A feature is an object owned by the window that listens to the
/// document and to its own commands; nothing else in the window knows it.
void addFeatures(const FeatureHost &host);

} // namespace remat::studio
