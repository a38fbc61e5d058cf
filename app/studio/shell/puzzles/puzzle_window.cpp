// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/puzzles/puzzle_window.h"

#include "app/studio/base/style/translation.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"

#include <QGridLayout>
#include <QLabel>

#include <QPainter>
#include <QScrollArea>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kSide = 288;
constexpr QSize kFirstSize(1180, 740);

/// The strip that says why, in the colours of what it says.
class Strip : public QFrame
{
public:
    explicit Strip(QWidget *parent) : QFrame(parent) {}
    void setTokens(Token soft, Token strong)
    {
        m_soft = soft;
        m_strong = strong;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        const Theme &theme = Theme::instance();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(m_soft));
        painter.drawRoundedRect(rect(), 6, 6);
        painter.setBrush(theme.color(m_strong));
        painter.drawRoundedRect(QRect(0, 0, 3, height()), 1, 1);
    }

private:
    Token m_soft = Token::Raised, m_strong = Token::Line;
};

} // namespace

QString starsText(int stars)
{
    return QString(stars, QChar(0x2605)) + QString(3 - stars, QChar(0x2606));
}

PuzzleWindow::PuzzleWindow(QThreadPool &pool, Puzzle puzzle, QWidget *parent)
    : QDialog(parent),
      m_run(pool, std::move(puzzle)),
      m_board(new PuzzleBoard(m_run)),
      m_memory(new PuzzleMemoryBar(m_run, this))
{
    const Puzzle &shown = m_run.puzzle();
    const PuzzleText texts = puzzleText(shown, translationLanguage().toStdString());
    setObjectName(QStringLiteral("puzzleWindow"));
    setWindowTitle(tr("Puzzle: %1").arg(toQString(texts.title)));
    setWindowFlag(Qt::WindowMaximizeButtonHint);
    resize(kFirstSize);

    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(20, 16, 20, 16);
    row->setSpacing(20);
    auto *main = new QVBoxLayout;
    main->setSpacing(8);
    const QString title =
        shown.number > 0 ? tr("%1. %2").arg(shown.number).arg(toQString(texts.title)) : toQString(texts.title);
    main->addWidget(new TokenLabel(title, FontRole::PageTitle, Token::Text, this));
    auto *about = new TokenLabel(toQString(texts.text), FontRole::Body, Token::Text2, this);
    about->setWordWrap(true);
    main->addWidget(about);
    main->addWidget(m_memory);
    auto *scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_board);
    main->addWidget(scroll, 1);
    main->addWidget(makeFoot());
    row->addLayout(main, 1);
    row->addWidget(makeSide());

    connect(&m_run, &PuzzleRun::changed, this, &PuzzleWindow::showState);
    connect(&m_run, &PuzzleRun::finishedNow, this, [this] {
        m_tries->showState();
        Q_EMIT kept();
    });
    showState();
    if (!m_board->items().empty()) m_board->items().front()->setFocus(Qt::OtherFocusReason);
}

StudioButton *PuzzleWindow::addButton(QLayout *row, const char *name, const QString &text, const char *icon,
                                      const QKeySequence &key, const QString &tip)
{
    auto *button = new StudioButton(text, QLatin1String(icon), ButtonKind::Plain, this);
    button->setObjectName(QLatin1String(name));
    button->setFixedHeight(32);
    button->setToolTip(
        key.isEmpty() ? tip : tip + QStringLiteral(" (") + key.toString(QKeySequence::NativeText) + QLatin1Char(')'));
    if (!key.isEmpty())
        connect(new QShortcut(key, this), &QShortcut::activated, button, [button] { button->animateClick(); });
    row->addWidget(button);
    return button;
}

QWidget *PuzzleWindow::makeFoot()
{
    auto *foot = new QWidget(this);
    auto *column = new QVBoxLayout(foot);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    m_strip = new Strip(foot);
    m_strip->setMinimumHeight(48);
    auto *line = new QHBoxLayout(m_strip);
    line->setContentsMargins(14, 6, 12, 6);
    m_sentence = new TokenLabel(QString(), FontRole::Body, Token::Text, m_strip);
    m_sentence->setObjectName(QStringLiteral("puzzleSentence"));
    m_sentence->setWordWrap(true);
    line->addWidget(m_sentence, 1);
    column->addWidget(m_strip);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    m_undo = addButton(row, "puzzleUndo", tr("Undo"), "undo-2", QKeySequence::Undo, tr("Takes the last move back"));
    m_redo = addButton(row, "puzzleRedo", tr("Redo"), "redo-2", QKeySequence::Redo, tr("Does it again"));
    m_restart = addButton(row, "puzzleRestart", tr("Start again"), "rotate-ccw", {Qt::CTRL | Qt::SHIFT | Qt::Key_Z},
                          tr("Takes every move back"));
    row->addStretch(1);
    m_cut = addButton(row, "puzzleCut", tr("Where it gets tight"), "lightbulb", {Qt::CTRL | Qt::Key_J},
                      tr("A hint: the op at which all that is needed later no longer fits"));
    m_hint = addButton(row, "puzzleHint", tr("Next move"), "step-forward", {Qt::CTRL | Qt::Key_H},
                       tr("A hint: the next move of the best play from here, found while you wait"));
    column->addLayout(row);
    connect(m_undo, &QAbstractButton::clicked, &m_run, &PuzzleRun::undo);
    connect(m_redo, &QAbstractButton::clicked, &m_run, &PuzzleRun::redo);
    connect(m_restart, &QAbstractButton::clicked, &m_run, &PuzzleRun::restart);
    connect(m_cut, &QAbstractButton::clicked, &m_run, &PuzzleRun::hintCut);
    connect(m_hint, &QAbstractButton::clicked, &m_run, &PuzzleRun::hintNext);
    return foot;
}

void PuzzleWindow::addScores(QVBoxLayout *column)
{
    m_stars = new TokenLabel(QString(), FontRole::Figure, Token::Text, this);
    m_stars->setObjectName(QStringLiteral("puzzleStars"));
    column->addWidget(m_stars);
    auto *grid = new QGridLayout;
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(6);
    const auto label = [this](const QString &text, Token token) {
        return new TokenLabel(text, FontRole::Label, token, this);
    };
    grid->addWidget(label(tr("You"), Token::Text3), 0, 1, Qt::AlignRight);
    grid->addWidget(label(tr("Proven best"), Token::Text3), 0, 2, Qt::AlignRight);
    const QString names[] = {tr("Peak"), tr("Extra time"), tr("Copied")};
    for (int i = 0; i < 3; ++i) {
        grid->addWidget(label(names[i], Token::Text2), i + 1, 0);
        auto *yours = new TokenLabel(QString(), FontRole::Name, Token::Text, this);
        yours->setObjectName(QStringLiteral("puzzleScore.%1").arg(i));
        m_yours.push_back(yours);
        grid->addWidget(yours, i + 1, 1, Qt::AlignRight);
        m_best.push_back(label(QString(), Token::Text));
        m_best.back()->setObjectName(QStringLiteral("puzzleBest.%1").arg(i));
        grid->addWidget(m_best.back(), i + 1, 2, Qt::AlignRight);
    }
    grid->setColumnStretch(0, 1);
    column->addLayout(grid);
    m_note = new TokenLabel(QString(), FontRole::Small, Token::Text3, this);
    m_proof = new TokenLabel(QString(), FontRole::Small, Token::Text2, this);
    m_proof->setObjectName(QStringLiteral("puzzleProof"));
    for (TokenLabel *each : {m_proof, m_note}) {
        each->setWordWrap(true);
        column->addWidget(each);
    }
}

void PuzzleWindow::addKeys(QVBoxLayout *column)
{
    const PuzzleRules &rules = m_run.puzzle().rules;
    QStringList lines = {tr("Click an op to compute it (C), a storage to free it (F).")};
    if (rules.copies)
        lines << tr("Right-click a storage to copy it out (O); click it once it is away to bring it back (B).");
    if (rules.addresses) lines << tr("Right-click an op to put what it makes at the top (T).");
    lines << tr("Arrows go from one to the next, Enter does what is next to do.");
    auto *keys = new TokenLabel(lines.join(QLatin1Char(' ')), FontRole::Small, Token::Text2, this);
    keys->setWordWrap(true);
    column->addWidget(keys);
}

QWidget *PuzzleWindow::makeSide()
{
    auto *side = new QWidget(this);
    side->setFixedWidth(kSide);
    auto *column = new QVBoxLayout(side);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(10);
    addScores(column);
    column->addSpacing(6);
    column->addWidget(new TokenLabel(tr("Your tries"), FontRole::SectionTitle, Token::Text, side));
    m_tries = new PuzzleHistogram(m_run.puzzle(), side);
    column->addWidget(m_tries);
    column->addSpacing(6);
    column->addWidget(new TokenLabel(tr("Moves"), FontRole::SectionTitle, Token::Text, side));
    addKeys(column);
    column->addStretch(1);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    StudioButton *list = addButton(row, "puzzleList", tr("All puzzles"), "list-tree", {}, tr("With the stars of each"));
    connect(list, &QAbstractButton::clicked, this, &PuzzleWindow::listWanted);
    row->addStretch(1);
    if (m_run.puzzle().path.empty() || !m_run.puzzle().optimum) {
        StudioButton *save = addButton(row, "puzzleSave", tr("Save…"), "save", QKeySequence::Save,
                                       tr("As a file that opens here again"));
        connect(save, &QAbstractButton::clicked, this, &PuzzleWindow::saveWanted);
    } else if (m_run.puzzle().number > 0) {
        m_next = addButton(row, "puzzleNext", tr("Next puzzle"), "chevron-right", {Qt::CTRL | Qt::Key_N},
                           tr("The one after this"));
        connect(m_next, &QAbstractButton::clicked, this, [this] { Q_EMIT nextWanted(m_run.puzzle().number + 1); });
    }
    column->addLayout(row);
    return side;
}

void PuzzleWindow::showScores()
{
    const PuzzlePosition &now = m_run.position();
    const QString yours[] = {bytesText(now.peakBytes, Rounding::Up),
                             timeText(m_run.finished() ? m_run.score().figures.extraUs : m_run.extraUs()),
                             bytesText(now.copiedBytes)};
    const auto &best = m_run.puzzle().optimum;
    const QString figures[] = {best ? bytesText(best->peakBytes, Rounding::Up) : dash(),
                               best ? timeText(best->extraUs) : dash(), best ? bytesText(best->copiedBytes) : dash()};
    for (std::size_t i = 0; i < m_yours.size(); ++i) {
        m_yours[i]->setText(yours[i]);
        m_best[i]->setText(figures[i]);
    }
    m_proof->setVisible(!m_run.proof().isEmpty());
    m_proof->setText(m_run.proof());
    m_note->setVisible(m_run.puzzle().parUs > 0);
    m_note->setText(tr("Two stars for at most %1 more, which is what the forward pass costs once again; three for the "
                       "best there is.")
                        .arg(timeText(m_run.puzzle().parUs)));
    const int stars = m_run.finished() ? m_run.score().stars : bestStars(m_run.puzzle());
    m_stars->setText(starsText(stars));
    m_stars->setAccessibleName(m_run.finished() ? tr("%n stars of three", nullptr, stars)
                                                : tr("Best so far: %n stars of three", nullptr, stars));
    m_stars->setToken(stars == 3 ? Token::Ok : Token::Text2);
}

void PuzzleWindow::showState()
{
    m_board->showState();
    m_memory->showState();
    showScores();
    const PuzzleSaid said = m_run.said();
    QString sentence = m_run.sentence();
    if (m_run.thinking()) sentence = tr("Looking for the best play from here…");
    if (sentence.isEmpty())
        sentence = m_run.play().moves().empty()
                       ? tr("Begin with an op that has a play sign: all that it reads is there.")
                       : tr("%n moves", nullptr, static_cast<int>(m_run.play().moves().size()));
    m_sentence->setText(sentence);
    m_sentence->setAccessibleName(sentence);
    auto *strip = static_cast<Strip *>(m_strip);
    if (said == PuzzleSaid::Refusal)
        strip->setTokens(Token::ErrorSoft, Token::Error);
    else if (said == PuzzleSaid::Hint)
        strip->setTokens(Token::WarnSoft, Token::Warn);
    else if (said == PuzzleSaid::Done)
        strip->setTokens(Token::OkSoft, Token::Ok);
    else
        strip->setTokens(Token::Raised, Token::Line);
    m_undo->setEnabled(m_run.play().canUndo());
    m_redo->setEnabled(m_run.play().canRedo());
    m_restart->setEnabled(m_run.play().canUndo());
    m_cut->setEnabled(!m_run.finished());
    m_hint->setEnabled(!m_run.finished() && !m_run.thinking());
}

} // namespace remat::studio
