// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/stories/story_window.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/shell/stories/story_chart.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <QSlider>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kMsPerFrame = 1400;
constexpr int kMostPictures = 60;

} // namespace

StoryWindow::StoryWindow(Story story, QWidget *parent)
    : QDialog(parent),
      m_story(std::move(story)),
      m_text(new TokenLabel({}, FontRole::Body, Token::Text, this)),
      m_number(new TokenLabel({}, FontRole::Name, Token::Text, this)),
      m_table(new QTableWidget(this)),
      m_chart(new StoryChartView(this)),
      m_slider(new QSlider(Qt::Horizontal, this))
{
    setObjectName(QStringLiteral("storyWindow"));
    setWindowTitle(toQString(m_story.title));
    resize(940, 560);
    m_text->setObjectName(QStringLiteral("storyText"));
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_text->setMinimumHeight(64);
    m_table->setObjectName(QStringLiteral("storyTable"));
    m_table->setAccessibleName(tr("Table of the frame"));
    m_table->verticalHeader()->hide();
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setShowGrid(false);
    m_slider->setObjectName(QStringLiteral("storySlider"));
    m_slider->setAccessibleName(tr("Frame"));
    m_slider->setRange(0, static_cast<int>(m_story.frames.size()) - 1);
    connect(m_slider, &QSlider::valueChanged, this, &StoryWindow::go);

    auto *back = button("storyBack", tr("Frame before"), "chevron-left");
    m_play = button("storyPlay", tr("Play the story"), "play");
    auto *forward = button("storyForward", tr("Next frame"), "chevron-right");
    auto *save = new StudioButton(tr("Save…"), QStringLiteral("save"), ButtonKind::Plain, this);
    save->setObjectName(QStringLiteral("storySave"));
    connect(back, &QAbstractButton::clicked, this, [this] { step(-1); });
    connect(m_play, &QAbstractButton::clicked, this, &StoryWindow::togglePlaying);
    connect(forward, &QAbstractButton::clicked, this, [this] { step(1); });
    connect(save, &QAbstractButton::clicked, this, &StoryWindow::saveWanted);

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 12);
    column->setSpacing(10);
    column->addWidget(m_text);
    auto *middle = new QHBoxLayout;
    middle->setSpacing(12);
    middle->addWidget(m_table, 1);
    middle->addWidget(m_chart, 1);
    column->addLayout(middle, 1);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    for (QWidget *widget : QList<QWidget *>{back, m_play, forward})
        row->addWidget(widget);
    row->addWidget(m_slider, 1);
    row->addWidget(m_number);
    row->addWidget(save);
    column->addLayout(row);

    m_timer.setInterval(kMsPerFrame);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        go(m_frame + 1);
        if (m_frame == m_slider->maximum()) togglePlaying();
    });
    m_slider->setFocus();
    const QString most = countText(m_slider->maximum() + 1);
    m_number->setMinimumWidth(m_number->fontMetrics().horizontalAdvance(tr("%1 of %2").arg(most, most)) + 4);
    go(0);
}

StudioButton *StoryWindow::button(const char *name, const QString &text, const char *icon)
{
    auto *made = new StudioButton({}, QLatin1String(icon), ButtonKind::Quiet, this);
    made->setObjectName(QLatin1String(name));
    made->setAccessibleName(text);
    made->setToolTip(text);
    made->setFixedSize(28, 28);
    return made;
}

void StoryWindow::go(int frame)
{
    m_frame = std::clamp(frame, 0, m_slider->maximum());
    const StoryFrame &now = m_story.frames[static_cast<std::size_t>(m_frame)];
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(m_frame);
    m_number->setText(tr("%1 of %2").arg(countText(m_frame + 1), countText(m_slider->maximum() + 1)));
    m_text->setText(toQString(now.text));
    m_text->setAccessibleName(m_text->text());
    showTable(now.table);
    m_chart->setChart(now.chart);
    Q_EMIT frameShown(m_frame);
}

std::vector<QImage> StoryWindow::pictures()
{
    m_timer.stop();
    showPlaying();
    const int before = m_frame, last = m_slider->maximum();
    const int count = std::min(last + 1, kMostPictures);
    const QRect told(0, 0, width(), m_play->geometry().top() - layout()->spacing() / 2);
    std::vector<QImage> all;
    for (int i = 0; i < count; ++i) {
        go(count > 1 ? static_cast<int>(std::int64_t(last) * i / (count - 1)) : 0);
        layout()->activate();
        all.push_back(grab(told).toImage().convertToFormat(QImage::Format_RGB32));
    }
    go(before);
    return all;
}

void StoryWindow::step(int by)
{
    m_timer.stop();
    showPlaying();
    go(m_frame + by);
}

void StoryWindow::togglePlaying()
{
    if (playing()) {
        m_timer.stop();
    } else {
        if (m_frame == m_slider->maximum()) go(0);
        m_timer.start();
    }
    showPlaying();
}

void StoryWindow::showPlaying()
{
    m_play->setIconName(playing() ? QStringLiteral("pause") : QStringLiteral("play"));
    m_play->setAccessibleName(playing() ? tr("Pause the story") : tr("Play the story"));
    m_play->setToolTip(m_play->accessibleName());
}

void StoryWindow::showTable(const std::optional<StoryTable> &table)
{
    m_table->setVisible(table.has_value());
    if (!table) return;
    m_table->clear();
    m_table->setColumnCount(static_cast<int>(table->columns.size()));
    m_table->setRowCount(static_cast<int>(table->rows.size()));
    QStringList titles;
    for (const std::string &title : table->columns)
        titles << toQString(title);
    m_table->setHorizontalHeaderLabels(titles);
    for (int row = 0; row < m_table->rowCount(); ++row)
        for (int column = 0; column < m_table->columnCount(); ++column) {
            const auto &cells = table->rows[static_cast<std::size_t>(row)];
            auto *item = new QTableWidgetItem(toQString(cells[static_cast<std::size_t>(column)]));
            if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            m_table->setItem(row, column, item);
        }
    for (const auto &[row, column] : table->marked)
        m_table->item(row, column)->setFont(Theme::instance().font(FontRole::Name));
    m_table->resizeColumnsToContents();
    if (!table->marked.empty())
        m_table->scrollToItem(m_table->item(table->marked.front().first, table->marked.front().second));
}

void StoryWindow::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Space:
        togglePlaying();
        return;
    case Qt::Key_Left:
        step(-1);
        return;
    case Qt::Key_Right:
        step(1);
        return;
    case Qt::Key_Home:
        step(-m_frame);
        return;
    case Qt::Key_End:
        step(m_slider->maximum());
        return;
    default:
        QDialog::keyPressEvent(event);
    }
}

} // namespace remat::studio
