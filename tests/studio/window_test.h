// SPDX-License-Identifier: Apache-2.0
// Base of tests in the real window.
#pragma once

#include "app/studio/shell/window/main_window.h"
#include "tests/studio/window_fixture.h"

namespace remat::studio::fixture {

/// What they share; a test class derives from QObject and from this, and opens the window in its `init()`.
class InWindow
{
protected:
    OwnSettings m_settings;
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    Document &document() { return m_window->session().document; }
    /// None when the window has no such command.
    QAction *command(const char *id) { return m_window->commands().find(QString::fromLatin1(id)); }

    void openWindow(QSize size = {1600, 1000})
    {
        m_window = std::make_unique<MainWindow>();
        m_window->resize(size);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }

    /// Ends the window of the test before, and opens one that finds no settings.
    void openFresh(QSize size = {1600, 1000})
    {
        m_window.reset();
        QSettings().clear();
        openWindow(size);
    }

    /// Opens a chain and waits until what is shown of it is complete.
    void openChain(int stages)
    {
        m_window->openFile(writeChain(m_folder, stages));
        QTRY_VERIFY(document().model() && m_window->idle());
    }
};

} // namespace remat::studio::fixture
