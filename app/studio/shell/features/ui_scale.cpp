#include "app/studio/shell/features/ui_scale.h"

#include "app/studio/base/commands/commands.h"
#include "app/studio/base/text/text.h"
#include "app/studio/shell/workspace/status_line.h"
#include "core/base/number.h"

#include <QMainWindow>
#include <QMenu>
#include <QSettings>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr const char *kScaleVariable = "QT_SCALE_FACTOR";
/// The factor that was asked for from outside, kept for the program that is started again.
constexpr const char *kOutsideVariable = "REMAT_OUTSIDE_SCALE_FACTOR";
constexpr double kLeastOutside = 0.1, kMostOutside = 10; ///< what is beyond is a slip

QString settingsKey()
{
    return QStringLiteral("uiScale");
}

} // namespace

int UiScale::chosen()
{
    const int percent = QSettings().value(settingsKey(), 100).toInt();
    return std::clamp(percent / kStep * kStep, kLeast, kMost);
}

void UiScale::apply()
{
    if (!qEnvironmentVariableIsSet(kOutsideVariable)) qputenv(kOutsideVariable, qgetenv(kScaleVariable));
    const auto outside = readNumber(qgetenv(kOutsideVariable).toStdString());
    const bool sensible = outside && *outside >= kLeastOutside && *outside <= kMostOutside;
    const double factor = (sensible ? *outside : 1.0) * chosen() / 100;
    if (factor == 1)
        qunsetenv(kScaleVariable);
    else
        qputenv(kScaleVariable, QByteArray::number(factor));
}

UiScale::UiScale(const FeatureHost &host) : QObject(host.owner), m_menu(new QMenu(host.window))
{
    m_menu->setObjectName(QStringLiteral("scaleMenu"));
    for (int percent = kLeast; percent <= kMost; percent += kStep) {
        QAction *action = m_menu->addAction(shareText(percent / 100.0));
        action->setCheckable(true);
        action->setData(percent);
        connect(action, &QAction::triggered, this, [this, percent] { choose(percent); });
    }
    const auto add = [&](const QString &id, const QString &text, const QString &icon, const QList<QKeySequence> &keys,
                         const QString &tooltip, auto next) {
        QAction *action = host.commands.add({id, Section::Window, text, icon, keys, tooltip});
        connect(action, &QAction::triggered, this, [this, next] { choose(next(chosen())); });
    };
    add(QStringLiteral("scale.up"), tr("Larger text and controls"), QStringLiteral("zoom-in"),
        {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal}, tr("Opens everything again 10 % larger"),
        [](int percent) { return percent + kStep; });
    add(QStringLiteral("scale.down"), tr("Smaller text and controls"), QStringLiteral("zoom-out"),
        {Qt::CTRL | Qt::Key_Minus}, tr("Opens everything again 10 % smaller"),
        [](int percent) { return percent - kStep; });
    add(QStringLiteral("scale.normal"), tr("Text and controls at 100 %"), QString(), {Qt::CTRL | Qt::Key_0},
        tr("Opens everything again at the size of the desktop"), [](int) { return 100; });
    host.status.setScaleMenu(m_menu);
    connect(this, &UiScale::restartWanted, host.window, host.startAgain, Qt::QueuedConnection);
    showChosen();
}

void UiScale::choose(int percent)
{
    percent = std::clamp(percent, kLeast, kMost);
    if (percent != chosen()) {
        QSettings().setValue(settingsKey(), percent);
        QSettings().sync();
        Q_EMIT restartWanted();
    }
    showChosen();
}

void UiScale::showChosen()
{
    for (QAction *action : m_menu->actions())
        action->setChecked(action->data().toInt() == chosen());
}

} // namespace remat::studio
