// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/graph_rail.h"

#include "app/studio/base/style/state_glyph.h"
#include "app/studio/base/text/state_text.h"
#include "app/studio/views/graph/card_text.h"
#include "app/studio/views/graph/graph_painter.h"

#include <QPainter>
#include <QVBoxLayout>

namespace remat::studio {

namespace {

constexpr double kRow = 22; ///< height of a line of the legend
constexpr int kRows = 6;    ///< states that it names at least

} // namespace

GraphRail::GraphRail(const GraphScene &scene, QWidget *parent)
    : QWidget(parent),
      m_scene(scene),
      m_label(new QLabel(tr("Colour by"))),
      m_choice(new QComboBox),
      m_minimap(new GraphMinimap(scene))
{
    setFixedWidth(kWidth);
    m_label->setFont(Theme::instance().font(FontRole::Label));
    m_label->setBuddy(m_choice);
    for (const ColourBy by : colourChoices())
        m_choice->addItem(colourName(by), static_cast<int>(by));
    m_choice->setFixedSize(108, 28);
    m_choice->setAccessibleName(tr("Colour by"));

    auto *rows = new QVBoxLayout(this);
    rows->setContentsMargins(0, 7, 18, 14);
    rows->setSpacing(4);
    rows->addWidget(m_label);
    rows->addWidget(m_choice);
    rows->addStretch();
    rows->addWidget(m_minimap);
    connect(m_choice, &QComboBox::currentIndexChanged, this, [this] {
        Q_EMIT colourByChanged(static_cast<ColourBy>(m_choice->currentData().toInt()));
        update();
    });
    connect(&Theme::instance(), &Theme::changed, this, QOverload<>::of(&QWidget::update));
}

double GraphRail::legendTop() const
{
    return m_choice->geometry().bottom() + 12;
}

double GraphRail::legendBottom() const
{
    return m_minimap->isHidden() ? height() : m_minimap->geometry().top();
}

void GraphRail::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layout()->activate(); // where the choice ends is asked below
    const QMargins margins = layout()->contentsMargins();
    m_minimap->setVisible(height() - margins.bottom() - m_minimap->height() - legendTop() >= kRows * kRow);
}

void GraphRail::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Token::Window));
    painter.setRenderHint(QPainter::Antialiasing);
    const double top = legendTop();
    if (legendBottom() - top < kRows * kRow) return;
    if (m_scene.colourBy == ColourBy::PlanState)
        paintStates(painter, top);
    else if (m_scene.model && !overlayKnown(m_scene.colourBy, *m_scene.model))
        paintSentence(painter, top, tr("Times are predicted. Run ▸ Measure costs shows how far off they are."));
    else
        paintRamp(painter, top);
}

void GraphRail::paintSentence(QPainter &painter, double top, const QString &sentence)
{
    const Theme &theme = Theme::instance();
    painter.setFont(theme.font(FontRole::Small));
    painter.setPen(theme.color(Token::Text3));
    painter.drawText(QRectF(0, top, 108, legendBottom() - top), Qt::AlignLeft | Qt::TextWordWrap, sentence);
}

void GraphRail::paintStates(QPainter &painter, double top)
{
    const Theme &theme = Theme::instance();
    painter.setFont(theme.font(FontRole::Label));
    for (const NodeState state : {NodeState::Kept, NodeState::Recomputed, NodeState::Mixed, NodeState::Offloaded,
                                  NodeState::Freed, NodeState::Backward}) {
        paintStateGlyph(painter, QRectF(0, top + 4, 14, 14), state);
        painter.setPen(theme.color(Token::Text2));
        painter.drawText(QRectF(22, top, width() - 22, kRow), Qt::AlignLeft | Qt::AlignVCenter, stateText(state));
        top += kRow;
    }
    if (legendBottom() - top < kRow) return;
    painter.setPen(QPen(theme.color(Token::Ok), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(1, top + 5, 12, 12), 3, 3);
    painter.setPen(theme.color(Token::Text2));
    painter.drawText(QRectF(22, top, width() - 22, 22), Qt::AlignLeft | Qt::AlignVCenter, tr("Held at cursor"));
}

void GraphRail::paintRamp(QPainter &painter, double top)
{
    const Theme &theme = Theme::instance();
    constexpr double kSwatch = 108.0 / kRampSteps;
    for (int step = 0; step < kRampSteps; ++step)
        painter.fillRect(QRectF(step * kSwatch, top + 4, kSwatch - 2, 10), rampColor(step));
    painter.setFont(theme.font(FontRole::Small));
    painter.setPen(theme.color(Token::Text3));
    const QRectF row(0, top + 18, 106, 18);
    painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("0"));
    painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, overlayText(m_scene.colourBy, m_scene.rampTop));
}

} // namespace remat::studio
