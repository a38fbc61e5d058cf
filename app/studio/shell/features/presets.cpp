// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/features/presets.h"

#include "app/studio/base/widgets/segmented_control.h"
#include "app/studio/shell/workspace/tool_row.h"

#include <QSettings>

#include <algorithm>
#include <array>

namespace remat::studio {

namespace {

const QString &stateKey()
{
    static const QString key = QStringLiteral("preset");
    return key;
}

} // namespace

std::vector<Preset> Presets::all()
{
    Preset plan;
    Preset compare;
    compare.id = QStringLiteral("compare");
    compare.bottom = false;
    compare.modules = false;
    compare.centerView = QStringLiteral("compare");
    compare.rightView = QStringLiteral("summary");
    Preset learn;
    learn.id = QStringLiteral("learn");
    learn.left = false;
    learn.player = true;
    learn.rightView = QStringLiteral("explain");
    return {plan, compare, learn};
}

Presets::Presets(const FeatureHost &host)
    : QObject(host.owner),
      m_workspace(host.workspace),
      m_states(host.session.viewStates),
      m_choice(new SegmentedControl({tr("Plan"), tr("Compare"), tr("Learn")})),
      m_actions(new QActionGroup(this))
{
    struct Look {
        const char *id;
        QString text;
        const char *icon;
        Qt::Key key;
        QString tooltip;
    };
    const std::array<Look, 3> looks = {{
        {"preset.plan", tr("Arrange for planning"), "layout-dashboard", Qt::Key_P,
         tr("Graph, memory and the plan panel")},
        {"preset.compare", tr("Arrange for comparing"), "git-compare", Qt::Key_C,
         tr("Two plans over each other, their differences and a summary")},
        {"preset.learn", tr("Arrange for learning"), "graduation-cap", Qt::Key_L,
         tr("Graph and memory, played step by step and explained")},
    }};
    QStringList icons, tips;
    for (std::size_t i = 0; i < looks.size(); ++i) {
        const Look &look = looks[i];
        const CommandSpec spec = {QLatin1String(look.id),
                                  Section::Window,
                                  look.text,
                                  QLatin1String(look.icon),
                                  {QKeySequence(static_cast<int>(Qt::CTRL | Qt::ALT) | look.key)},
                                  look.tooltip,
                                  true};
        QAction *action = m_actions->addAction(host.commands.add(spec));
        connect(action, &QAction::triggered, this, [this, i = static_cast<int>(i)] {
            i == m_choice->current() ? m_workspace.showNamed() : m_choice->setCurrent(i);
            Q_EMIT m_workspace.presetAsked(m_workspace.preset().id);
        });
        icons << spec.icon;
        tips << action->toolTip();
    }
    m_choice->setObjectName(QStringLiteral("presetChoice"));
    m_choice->setAccessibleName(tr("Arrangement of the window"));
    m_choice->setIcons(icons);
    m_choice->setToolTip(tips.join(QLatin1Char('\n')));
    host.tools.addTo(ToolRow::Place::File, m_choice);
    connect(m_choice, &SegmentedControl::picked, this,
            [this] { Q_EMIT m_workspace.presetAsked(m_workspace.preset().id); });
    connect(m_choice, &SegmentedControl::chosenAgain, &m_workspace, &Workspace::showNamed);
    connect(m_choice, &SegmentedControl::currentChanged, this, [this](int index) {
        use(index);
        m_states.touch(stateKey(), m_actions->actions().at(index)->text());
    });
    const auto enable = [this, &document = host.session.document] {
        m_choice->setEnabled(document.model() != nullptr);
        m_actions->setEnabled(document.model() != nullptr);
    };
    connect(&host.session.document, &Document::modelChanged, this, enable);
    enable();

    const auto choose = [this](const QString &id) {
        const std::vector<Preset> presets = all();
        const auto place = std::find_if(presets.begin(), presets.end(), [&](const Preset &p) { return p.id == id; });
        if (place != presets.end()) m_choice->setCurrent(static_cast<int>(place - presets.begin()));
    };
    m_states.add(stateKey(), {[this] {
                                  return QJsonObject{{QStringLiteral("id"), m_workspace.preset().id}};
                              },
                              [choose](const QJsonObject &state) { choose(state[QStringLiteral("id")].toString()); }});
    m_actions->actions().first()->setChecked(true);
    choose(QSettings().value(QStringLiteral("workspace/preset")).toString());
}

int Presets::current() const
{
    return m_choice->current();
}

void Presets::use(int index)
{
    const Preset preset = all()[static_cast<std::size_t>(index)];
    m_actions->actions().at(index)->setChecked(true);
    m_workspace.usePreset(preset);
    QSettings().setValue(QStringLiteral("workspace/preset"), preset.id);
}

} // namespace remat::studio
