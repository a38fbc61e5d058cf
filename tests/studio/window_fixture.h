// SPDX-License-Identifier: Apache-2.0
// What tests of documents, panels and the main window share: a small open model, settings of their own, waiting.
#pragma once

#include "app/studio/base/style/theme.h"
#include "core/graph/model.h"
#include "core/model/open_model.h"
#include "core/model/plan_entry.h"
#include "core/plan/checker.h"
#include "solvers/interface/solver.h"
#include "tests/studio/golden.h"
#include "tests/support/graphs.h"
#include "tests/support/patience.h"

#include <QtTest>
#include <QtWidgets>

#include <algorithm>

// Qt gives up after five seconds, which a busy machine or a sanitizer needs for much that is well.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, remat::test::kPatienceMs)
#define QTRY_VERIFY2(expression, message) QTRY_VERIFY2_WITH_TIMEOUT(expression, message, remat::test::kPatienceMs)
#define QTRY_COMPARE(expression, expected) QTRY_COMPARE_WITH_TIMEOUT(expression, expected, remat::test::kPatienceMs)

namespace remat::studio::fixture {

/// Settings, caches and recent files of a test program stay in a folder that goes with it. The window's look applies.
struct OwnSettings {
    OwnSettings()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("remat-studio-test"));
        QCoreApplication::setApplicationName(
            QStringLiteral("remat-studio-test-%1").arg(QCoreApplication::applicationPid()));
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
        // A test without widgets has no look.
        if (qobject_cast<QApplication *>(QCoreApplication::instance())) Theme::instance().apply();
    }
    QTemporaryDir folder;
};

/// Rows of a test of golden pictures, with the columns `scheme` (int) and `size`: light and dark at each size, named
/// `light` and `dark` and what the size adds.
inline void lookRows(std::initializer_list<std::pair<const char *, QSize>> sizes)
{
    QTest::addColumn<int>("scheme");
    QTest::addColumn<QSize>("size");
    for (const auto &[name, size] : sizes) {
        QTest::addRow("light%s", name) << static_cast<int>(Scheme::Light) << size;
        QTest::addRow("dark%s", name) << static_cast<int>(Scheme::Dark) << size;
    }
}

/// A chain of `stages` stages, opened and costed like a file from disk, written as JSON into `folder`.
inline QString writeChain(const QTemporaryDir &folder, int stages)
{
    QString ops, outputs;
    const auto storage = [](const QString &name, int bytes) {
        return QStringLiteral("{\"name\": \"%1\", \"bytes\": %2}").arg(name).arg(bytes);
    };
    for (int i = 1; i <= stages; ++i)
        ops += QStringLiteral("{\"name\": \"f%1\", \"kind\": \"linear\", \"time_us\": 10, \"inputs\": [\"%2\"], "
                              "\"outputs\": [%3], \"module\": \"layers.%1\", \"phase\": \"forward\"},")
                   .arg(i)
                   .arg(i == 1 ? QStringLiteral("x") : QStringLiteral("a%1").arg(i - 1))
                   .arg(storage(QStringLiteral("a%1").arg(i), 1024 * 1024));
    ops += QStringLiteral("{\"name\": \"loss\", \"kind\": \"sum\", \"time_us\": 5, \"inputs\": [\"a%1\"], \"outputs\": "
                          "[%2], \"phase\": \"loss\"},")
               .arg(stages)
               .arg(storage(QStringLiteral("l"), 512));
    for (int i = stages; i >= 1; --i) {
        const QString above = i == stages ? QStringLiteral("l") : QStringLiteral("g%1").arg(i + 1);
        ops +=
            QStringLiteral("{\"name\": \"b%1\", \"kind\": \"linear_backward\", \"time_us\": 20, \"inputs\": [\"%2\", "
                           "\"a%1\"], \"outputs\": [%3], \"module\": \"layers.%1\", \"phase\": \"backward\", "
                           "\"forward_op\": \"f%1\"}%4")
                .arg(i)
                .arg(above, storage(QStringLiteral("g%1").arg(i), 1024 * 1024),
                     i > 1 ? QStringLiteral(",") : QString());
    }
    const QString text =
        QStringLiteral("{\"format\": \"remat-graph/1\", \"name\": \"chain\", \"inputs\": [{\"name\": \"x\", "
                       "\"bytes\": 1048576, \"kind\": \"input\"}], \"ops\": [%1], \"outputs\": [\"g1\"]}")
            .arg(ops);
    const QString path = folder.filePath(QStringLiteral("chain%1.json").arg(stages));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(path));
    file.write(text.toUtf8());
    return path;
}

inline std::shared_ptr<const CostedModel> openChain(const QString &path)
{
    Device device;
    device.name = std::string("test");
    device.title = std::string("test");
    device.flopsPerSecond["default"] = 1e12;
    device.bytesPerSecond = 1e12;
    device.linkBytesPerSecond = 1e9;
    auto open = openModel(path.toStdString(), device);
    if (!open) qFatal("%s", open.error().message.c_str());
    CostChoice choice;
    choice.device = device;
    auto model = costModel(std::move(*open), choice);
    if (!model) qFatal("%s", model.error().message.c_str());
    return *model;
}

/// What a planner makes of the model, as the document keeps it.
inline std::shared_ptr<const PlanEntry> solvedEntry(const CostedModel &model, const char *planner, std::int64_t budget,
                                                    int id, bool quick = false)
{
    const auto found = findPlanner(planner);
    if (!found) qFatal("%s", found.error().message.c_str());
    SolveRequest request;
    request.graph = &model.graph();
    request.costs = model.costs.get();
    request.budgetBytes = budget;
    request.options = *makeOptions((*found)->info.options, {});
    auto outcome = solve(**found, request, {});
    if (!outcome || !outcome->plan) qFatal("no plan");
    auto entry = makePlanEntry(model, std::make_shared<const Plan>(*outcome->plan), id, (*found)->info.title, quick);
    if (!entry) qFatal("%s", entry.error().message.c_str());
    return *entry;
}

} // namespace remat::studio::fixture
