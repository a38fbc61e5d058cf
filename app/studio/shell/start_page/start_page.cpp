// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/start_page/start_page.h"

#include "app/studio/base/widgets/building_blocks.h"
#include "app/studio/shell/start_page/sample_card.h"
#include "app/studio/shell/start_page/start_rows.h"
#include "app/studio/work/session/last_session.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLayoutItem>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kWideColumn = 1240;
constexpr int kNarrowColumn = 1040;
constexpr int kNarrowWindow = 1340;
constexpr int kTop = 60;

QVBoxLayout *plainColumn(QWidget *widget, int spacing)
{
    auto *column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing);
    return column;
}

/// Rows may be cleared by a click on one of them.
void clearRows(QVBoxLayout *rows)
{
    while (QLayoutItem *item = rows->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();
        }
        delete item;
    }
}

} // namespace

StartPage::StartPage(const std::vector<Sample> &samples, const QString &samplesError, const Commands &commands,
                     QWidget *parent)
    : QScrollArea(parent)
{
    setObjectName(QStringLiteral("startPage"));
    setFrameShape(QFrame::NoFrame);
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget(this);
    content->setObjectName(QStringLiteral("startPageContent"));
    m_column = new QWidget(content);
    auto *center = new QHBoxLayout(content);
    center->setContentsMargins(24, kTop, 24, 24);
    center->addStretch(1);
    center->addWidget(m_column, 0, Qt::AlignTop);
    center->addStretch(1);

    auto *column = plainColumn(m_column, 24);
    column->addWidget(makeHead());
    column->addWidget(makeDropZone(commands));
    column->addWidget(makeLeft());
    column->addWidget(makeSamples(samples, samplesError));
    auto *lower = new QHBoxLayout;
    lower->setSpacing(32);
    lower->addWidget(makeRecent(), 820, Qt::AlignTop);
    lower->addWidget(makeNewcomers(samples, commands), 388, Qt::AlignTop);
    column->addLayout(lower);
    setWidget(content);
    showRecent();
}

QWidget *StartPage::makeHead()
{
    auto *head = new QWidget(m_column);
    auto *row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(14);
    row->addWidget(new IconLabel(QStringLiteral("layers"), 40, Token::Accent, head));
    auto *texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(new TokenLabel(tr("Train the model that does not fit"), FontRole::PageTitle, Token::Text, head));
    texts->addWidget(
        new TokenLabel(tr("Open a training graph, set a memory budget, and get a plan that is checked and run."),
                       FontRole::Body, Token::Text2, head));
    row->addLayout(texts, 1);
    m_back = new StudioButton({}, QStringLiteral("undo-2"), ButtonKind::Plain, head);
    m_back->setObjectName(QStringLiteral("backButton"));
    m_back->setFixedHeight(36);
    m_back->setKeyText(QKeySequence(Qt::Key_Escape).toString(QKeySequence::NativeText));
    m_back->hide();
    row->addWidget(m_back);
    connect(m_back, &QAbstractButton::clicked, this, &StartPage::backWanted);
    return head;
}

QWidget *StartPage::makeDropZone(const Commands &commands)
{
    m_dropZone = new DropZone(m_column);
    m_dropZone->setObjectName(QStringLiteral("dropZone"));
    auto *row = new QHBoxLayout(m_dropZone);
    row->setContentsMargins(24, 0, 24, 0);
    row->setSpacing(16);
    row->addWidget(new IconLabel(QStringLiteral("file-up"), 28, Token::Accent, m_dropZone));
    auto *texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addStretch(1);
    texts->addWidget(new TokenLabel(tr("Drop a model here"), FontRole::Name, Token::Text, m_dropZone));
    texts->addWidget(new TokenLabel(tr("Exported training graph (.pt2) or graph (.json)"), FontRole::Body, Token::Text2,
                                    m_dropZone));
    texts->addStretch(1);
    row->addLayout(texts, 1);
    auto *open = new StudioButton(tr("Open…"), QStringLiteral("folder-open"), ButtonKind::Primary, m_dropZone);
    open->setObjectName(QStringLiteral("openButton"));
    open->setFixedHeight(36);
    open->setMinimumWidth(152);
    open->setKeyText(commands.action(command::kOpen)->shortcut().toString(QKeySequence::NativeText));
    open->followAction(commands.action(command::kOpen));
    auto *trace =
        new StudioButton(tr("Trace from PyTorch…"), QStringLiteral("file-code"), ButtonKind::Plain, m_dropZone);
    trace->setObjectName(QStringLiteral("traceButton"));
    trace->setFixedHeight(36);
    trace->followAction(commands.action(command::kTracer));
    row->addWidget(open);
    row->addWidget(trace);
    return m_dropZone;
}

QWidget *StartPage::makeSamples(const std::vector<Sample> &samples, const QString &error)
{
    auto *part = new QWidget(m_column);
    auto *column = plainColumn(part, 12);
    column->addWidget(new TokenLabel(tr("Samples"), FontRole::SectionTitle, Token::Text, part));
    if (samples.empty()) {
        auto *none =
            new TokenLabel(error.isEmpty() ? tr("The samples are not installed. Open a model of your own.") : error,
                           FontRole::Body, Token::Text2, part);
        none->setObjectName(QStringLiteral("samplesError"));
        none->setWordWrap(true);
        column->addWidget(none);
        return part;
    }
    auto *cards = new QHBoxLayout;
    cards->setSpacing(16);
    auto *chips = new QHBoxLayout;
    chips->setSpacing(8);
    chips->addWidget(
        new TokenLabel(tr("Tiny versions that run on a CPU in seconds:"), FontRole::Body, Token::Text2, part));
    bool anyTiny = false;
    for (const Sample &sample : samples) {
        QAbstractButton *button = nullptr;
        if (sample.tiny) {
            auto *chip = new StudioButton(sample.title, QStringLiteral("cpu"), ButtonKind::Plain, part);
            chip->setObjectName(QStringLiteral("sample.") + sample.name);
            chip->setFixedHeight(28);
            chip->setFont(Theme::instance().font(FontRole::Body));
            chip->setToolTip(sample.subtitle);
            chip->setAccessibleName(tr("Open %1").arg(sample.title));
            chips->addWidget(chip);
            button = chip;
            anyTiny = true;
        } else {
            auto *card = new SampleCard(sample, part);
            m_cards.push_back(card);
            cards->addWidget(card, 1);
            button = card;
        }
        connect(button, &QAbstractButton::clicked, this,
                [this, path = sample.path, title = sample.title] { Q_EMIT openWanted(path, title); });
    }
    chips->addStretch(1);
    column->addLayout(cards);
    if (anyTiny) column->addLayout(chips);
    return part;
}

QWidget *StartPage::makeLeft()
{
    m_left = new QWidget(m_column);
    auto *column = plainColumn(m_left, 10);
    column->addWidget(new TokenLabel(tr("Left behind"), FontRole::SectionTitle, Token::Text, m_left));
    m_leftFrame = new CardFrame(m_left);
    m_leftRows = plainColumn(m_leftFrame, 0);
    m_leftRows->setContentsMargins(1, 1, 1, 1);
    column->addWidget(m_leftFrame);
    m_left->hide();
    return m_left;
}

void StartPage::showLeft(const std::vector<LeftRow> &rows)
{
    clearRows(m_leftRows);
    bool first = true;
    for (const LeftRow &left : rows) {
        auto *row =
            new HelpRow(QStringLiteral("history"), tr("Reopen %1").arg(left.title), left.sentence, first, m_leftFrame);
        row->setObjectName(QStringLiteral("left.%1").arg(m_leftRows->count() + 1));
        connect(row, &QAbstractButton::clicked, this, [this, path = left.path] { Q_EMIT openWanted(path, {}); });
        m_leftRows->addWidget(row);
        first = false;
    }
    if (!rows.empty()) {
        auto *forget = new HelpRow(QStringLiteral("trash-2"), tr("Forget"), tr("Removes what was kept of them"), false,
                                   m_leftFrame);
        forget->setObjectName(QStringLiteral("left.forget"));
        connect(forget, &QAbstractButton::clicked, this, &StartPage::leftForgotten);
        m_leftRows->addWidget(forget);
    }
    m_left->setVisible(!rows.empty());
}

QWidget *StartPage::makeRecent()
{
    auto *part = new QWidget(m_column);
    auto *column = plainColumn(part, 10);
    column->addWidget(new TokenLabel(tr("Recent"), FontRole::SectionTitle, Token::Text, part));
    m_recentFrame = new CardFrame(part);
    m_recentRows = plainColumn(m_recentFrame, 0);
    m_recentRows->setContentsMargins(1, 1, 1, 1);
    column->addWidget(m_recentFrame);
    return part;
}

QWidget *StartPage::makeNewcomers(const std::vector<Sample> &samples, const Commands &commands)
{
    auto *part = new QWidget(m_column);
    auto *column = plainColumn(part, 10);
    column->addWidget(new TokenLabel(tr("New here?"), FontRole::SectionTitle, Token::Text, part));
    auto *frame = new CardFrame(part);
    auto *rows = plainColumn(frame, 0);
    rows->setContentsMargins(1, 1, 1, 1);
    bool first = true;
    const auto add = [&](const QString &name, const QString &icon, const QString &title, const QString &text) {
        auto *row = new HelpRow(icon, title, text, first, frame);
        row->setObjectName(name);
        rows->addWidget(row);
        first = false;
        return row;
    };
    if (!samples.empty()) {
        HelpRow *row = add(QStringLiteral("help.firstPlan"), QStringLiteral("play"), tr("Watch a plan being solved"),
                           tr("%1 in half of its memory").arg(samples.front().title));
        connect(row, &QAbstractButton::clicked, this, &StartPage::firstPlanWanted);
    }
    HelpRow *lessons = add(QStringLiteral("help.lessons"), QStringLiteral("graduation-cap"), tr("Learn it by doing"),
                           tr("Short lessons, from the first idea to proofs"));
    connect(lessons, &QAbstractButton::clicked, this, &StartPage::lessonsWanted);
    HelpRow *puzzles = add(QStringLiteral("help.puzzles"), QStringLiteral("target"), tr("Schedule by hand"),
                           tr("Puzzles, each with a proven best"));
    connect(puzzles, &QAbstractButton::clicked, this, &StartPage::puzzlesWanted);
    HelpRow *trace = add(QStringLiteral("help.tracer"), QStringLiteral("file-code"), tr("Trace your own model"),
                         tr("One command, from PyTorch"));
    connect(trace, &QAbstractButton::clicked, commands.action(command::kTracer), &QAction::trigger);
    HelpRow *keys = add(QStringLiteral("help.keys"), QStringLiteral("keyboard"), tr("Keys and commands"),
                        tr("Press ? at any time"));
    connect(keys, &QAbstractButton::clicked, commands.action(command::kKeys), &QAction::trigger);
    column->addWidget(frame);
    return part;
}

void StartPage::showRecent()
{
    clearRows(m_recentRows);
    const std::vector<RecentFile> files = recentFiles();
    const auto last = lastSession();
    if (last) {
        auto *row = new HelpRow(QStringLiteral("history"), tr("Reopen the last session"),
                                lastSentence(*last, QDateTime::currentDateTime()), true, m_recentFrame);
        row->setObjectName(QStringLiteral("lastSession"));
        connect(row, &QAbstractButton::clicked, this, [this] { Q_EMIT openWanted(lastSessionPath(), {}); });
        m_recentRows->addWidget(row);
    }
    int number = 0;
    for (const RecentFile &file : files) {
        ++number;
        auto *row = new RecentRow(file, number, number == 1 && !last, m_recentFrame);
        connect(row, &QAbstractButton::clicked, this,
                [this, path = file.path, title = file.title] { Q_EMIT openWanted(path, title); });
        m_recentRows->addWidget(row);
    }
    if (!files.empty() || last) return;
    auto *none = new TokenLabel(tr("Models you open are listed here."), FontRole::Body, Token::Text3, m_recentFrame);
    none->setFixedHeight(42);
    none->setContentsMargins(16, 0, 16, 0);
    m_recentRows->addWidget(none);
}

void StartPage::setPreview(const QString &name, const SamplePreview &preview)
{
    for (SampleCard *card : m_cards)
        if (card->sample().name == name) card->setPreview(preview);
}

void StartPage::setDropHint(bool dragging)
{
    m_dropZone->setDragging(dragging);
}

void StartPage::focusFirst()
{
    if (!m_cards.empty()) m_cards.front()->setFocus(Qt::OtherFocusReason);
}

void StartPage::setBack(const QString &title)
{
    m_back->setVisible(!title.isEmpty());
    m_back->setText(tr("Back to %1").arg(title));
}

void StartPage::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && m_back->isVisible())
        Q_EMIT backWanted();
    else
        QScrollArea::keyPressEvent(event);
}

void StartPage::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    m_column->setFixedWidth(width() >= kNarrowWindow ? kWideColumn : std::min(kNarrowColumn, width() - 64));
}

} // namespace remat::studio
