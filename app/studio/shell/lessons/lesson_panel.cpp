// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/lessons/lesson_panel.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

namespace remat::studio {

namespace {

constexpr int kSide = 16;

/// A frame with a soft ground: what was answered, what is to be done.
class NoteFrame : public QWidget
{
public:
    NoteFrame(Token ground, Token edge, QWidget *parent) : QWidget(parent), m_ground(ground), m_edge(edge) {}
    void setTokens(Token ground, Token edge)
    {
        m_ground = ground;
        m_edge = edge;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::instance().color(m_edge), 1));
        painter.setBrush(Theme::instance().color(m_ground));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
    }

private:
    Token m_ground, m_edge;
};

/// With a figure and its unit on one line.
QString keptTogether(QString text)
{
    static const QRegularExpression gap(QStringLiteral("(?<=\\d) (?=(?:%|[KMG]iB|B|ms|µs|s)(?!\\w))"));
    return text.replace(gap, QString(QChar::Nbsp));
}

/// `**word**` and `` `code` `` of one escaped paragraph.
QString marked(QString text, const QString &mark, const QString &open, const QString &close)
{
    for (bool inside = false;; inside = !inside) {
        const qsizetype at = text.indexOf(mark);
        if (at < 0) return text;
        text.replace(at, mark.size(), inside ? close : open);
    }
}

} // namespace

/// A segment for each step: done, here, to come.
class LessonProgress : public QWidget
{
public:
    LessonProgress(LessonRun &run, QWidget *parent) : QWidget(parent), m_run(run) { setFixedHeight(6); }

protected:
    void paintEvent(QPaintEvent *) override
    {
        if (!m_run.running()) return;
        const Theme &theme = Theme::instance();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        const auto count = static_cast<int>(m_run.states().size());
        const double each = (width() + 3.0) / count;
        for (int i = 0; i < count; ++i) {
            const bool done = m_run.states()[static_cast<std::size_t>(i)].done;
            painter.setBrush(theme.color(i == m_run.step() ? Token::Accent : done ? Token::Ok : Token::Line));
            painter.drawRoundedRect(QRectF(i * each, 1, each - 3, 4), 2, 2);
        }
    }

private:
    LessonRun &m_run;
};

LessonPanel::LessonPanel(LessonRun &run, QWidget *parent)
    : QWidget(parent),
      m_run(run),
      m_title(new TokenLabel({}, FontRole::Name, Token::Text, this)),
      m_count(new TokenLabel({}, FontRole::Label, Token::Text3, this)),
      m_progress(new LessonProgress(run, this)),
      m_scroll(new QScrollArea(this)),
      m_back(new StudioButton(tr("Back"), QStringLiteral("chevron-left"), ButtonKind::Quiet, this)),
      m_skip(new StudioButton(tr("Skip"), {}, ButtonKind::Plain, this)),
      m_next(new StudioButton(tr("Next"), {}, ButtonKind::Primary, this))
{
    setObjectName(QStringLiteral("lessonPanel"));
    m_title->setWordWrap(true); // long titles have two lines
    setMinimumWidth(300);
    setFocusPolicy(Qt::ClickFocus);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(1, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeHeader());
    m_scroll->setObjectName(QStringLiteral("lessonScroll"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->setAutoFillBackground(false);
    column->addWidget(m_scroll, 1);
    column->addWidget(makeFooter());
    connect(&m_run, &LessonRun::changed, this, &LessonPanel::showStep);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_built = nullptr; // rich texts take their colours when they are made
        if (m_run.running()) showStep();
    });
}

QWidget *LessonPanel::makeHeader()
{
    auto *header = new QWidget(this);
    auto *column = new QVBoxLayout(header);
    column->setContentsMargins(kSide, 6, 8, 6);
    column->setSpacing(6);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(new IconLabel(QStringLiteral("graduation-cap"), 15, Token::Accent, header));
    row->addWidget(m_title, 1);
    row->addWidget(m_count);
    auto *list = new StudioButton({}, QStringLiteral("list-tree"), ButtonKind::Quiet, header);
    list->setObjectName(QStringLiteral("lessonList"));
    list->setToolTip(tr("All lessons"));
    list->setAccessibleName(list->toolTip());
    auto *close = new StudioButton({}, QStringLiteral("x"), ButtonKind::Quiet, header);
    close->setObjectName(QStringLiteral("lessonClose"));
    close->setToolTip(tr("Ends the lesson; it goes on from here the next time"));
    close->setAccessibleName(tr("End the lesson"));
    for (StudioButton *button : {list, close}) {
        button->setFixedSize(26, 26);
        row->addWidget(button);
    }
    column->addLayout(row);
    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(0, 0, 8, 0);
    bar->addWidget(m_progress);
    column->addLayout(bar);
    m_count->setObjectName(QStringLiteral("lessonCount"));
    connect(list, &QAbstractButton::clicked, this, &LessonPanel::listWanted);
    connect(close, &QAbstractButton::clicked, &m_run, &LessonRun::end);
    return header;
}

QWidget *LessonPanel::makeFooter()
{
    auto *footer = new QWidget(this);
    auto *row = new QHBoxLayout(footer);
    row->setContentsMargins(kSide, 10, kSide, 10);
    row->setSpacing(8);
    m_back->setObjectName(QStringLiteral("lessonBack"));
    m_next->setObjectName(QStringLiteral("lessonNext"));
    m_skip->setObjectName(QStringLiteral("lessonSkip"));
    for (StudioButton *button : {m_back, m_skip, m_next})
        button->setFixedHeight(32);
    m_next->setMinimumWidth(120);
    row->addWidget(m_back);
    row->addStretch(1);
    row->addWidget(m_skip);
    row->addWidget(m_next);
    connect(m_skip, &QAbstractButton::clicked, &m_run, &LessonRun::next);
    connect(m_back, &QAbstractButton::clicked, &m_run, &LessonRun::back);
    connect(m_next, &QAbstractButton::clicked, &m_run, &LessonRun::next);
    // The keys of the next step go to it, wherever its scene puts the views.
    for (StudioButton *button : {m_back, m_skip, m_next})
        connect(button, &QAbstractButton::clicked, this, [this] { setFocus(Qt::OtherFocusReason); });
    return footer;
}

QString LessonPanel::html(const std::string &text) const
{
    QStringList paragraphs;
    for (const QString &part :
         keptTogether(toQString(withFigures(m_run.lesson(), text))).split(QStringLiteral("\n\n"))) {
        QString line = part.toHtmlEscaped();
        line = marked(line, QStringLiteral("**"), QStringLiteral("<span style=\"font-weight:600\">"),
                      QStringLiteral("</span>"));
        line = marked(line, QStringLiteral("`"),
                      QStringLiteral("<span style=\"font-family:'Remat Mono'; color:%1\">")
                          .arg(Theme::instance().color(Token::Accent).name()),
                      QStringLiteral("</span>"));
        paragraphs << QStringLiteral("<p style=\"margin:0 0 10px 0; line-height:138%\">%1</p>").arg(line);
    }
    return paragraphs.join(QString());
}

QLabel *LessonPanel::addText(const QString &text, const QString &name)
{
    auto *label = new QLabel(m_body);
    label->setObjectName(name);
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setFont(Theme::instance().font(FontRole::Body));
    QPalette colors = label->palette();
    colors.setColor(QPalette::WindowText, Theme::instance().color(Token::Text));
    label->setPalette(colors);
    label->setText(text);
    return label;
}

void LessonPanel::showStep()
{
    if (!m_run.running()) return;
    const Lesson &lesson = m_run.lesson();
    const LessonStep &step = m_run.current();
    m_title->setText(toQString(lesson.title));
    m_title->setToolTip(toQString(lesson.goal));
    setAccessibleName(tr("Lesson: %1").arg(m_title->text()));
    m_count->setText(tr("%1 of %2").arg(m_run.step() + 1).arg(lesson.steps.size()));
    m_progress->update();
    if (m_built != &step) buildStep();
    showAct();
    m_back->setEnabled(m_run.step() > 0);
    const bool open = step.kind != LessonStepKind::Read && !m_run.state().done;
    m_skip->setVisible(open);
    m_next->setVisible(!open);
    m_next->setText(m_run.isLast() ? tr("End the lesson") : tr("Next"));
}

QString LessonPanel::titleOf(const LessonStep &step) const
{
    if (!step.recall) return toQString(step.title);
    const QString from = m_run.comesFrom();
    if (!from.isEmpty()) return tr("Once more, from “%1”").arg(from);
    return tr("What has stayed? Question %1").arg(m_run.step() + 1 - static_cast<int>(taughtSteps(m_run.lesson())));
}

void LessonPanel::buildStep()
{
    const LessonStep &step = m_run.current();
    m_built = &step;
    m_choices.clear();
    m_answer = m_task = nullptr;
    m_answerText = m_hints = nullptr;
    m_hint = nullptr;
    m_body = new QWidget;
    m_body->setObjectName(QStringLiteral("lessonBody"));
    m_column = new QVBoxLayout(m_body);
    m_column->setContentsMargins(kSide, 10, kSide, 12);
    m_column->setSpacing(10);
    auto *title = new TokenLabel(titleOf(step), FontRole::SectionTitle, Token::Text, m_body);
    title->setObjectName(QStringLiteral("lessonStepTitle"));
    title->setWordWrap(true);
    m_column->addWidget(title);
    if (!step.text.empty()) m_column->addWidget(addText(html(step.text), QStringLiteral("lessonText")));
    if (step.kind == LessonStepKind::Predict || step.kind == LessonStepKind::Question) {
        QLabel *question = addText(html(step.question.text), QStringLiteral("lessonQuestion"));
        question->setFont(Theme::instance().font(FontRole::Name));
        auto *what = new TokenLabel(step.kind == LessonStepKind::Predict ? tr("What do you expect?")
                                    : step.recall                        ? tr("Do you remember?")
                                                                         : tr("What is right?"),
                                    FontRole::Label, Token::Text3, m_body);
        m_column->addWidget(what);
        m_column->addWidget(question);
        for (std::size_t i = 0; i < step.question.choices.size(); ++i) {
            auto *choice =
                new ChoiceRow(static_cast<int>(i) + 1,
                              keptTogether(toQString(withFigures(m_run.lesson(), step.question.choices[i]))), m_body);
            connect(choice, &QAbstractButton::clicked, &m_run, [this, i] { m_run.choose(static_cast<int>(i)); });
            m_choices.push_back(choice);
            m_column->addWidget(choice);
        }
        m_answer = new NoteFrame(Token::Raised, Token::Line, m_body);
        auto *inside = new QVBoxLayout(m_answer);
        inside->setContentsMargins(12, 10, 12, 2);
        m_answerText = addText({}, QStringLiteral("lessonAnswer"));
        inside->addWidget(m_answerText);
        m_column->addWidget(m_answer);
    } else if (step.kind == LessonStepKind::Task) {
        m_task = new NoteFrame(Token::AccentSoft, Token::Accent, m_body);
        auto *inside = new QVBoxLayout(m_task);
        inside->setContentsMargins(12, 10, 12, 8);
        auto *head = new QHBoxLayout;
        auto *icon = new IconLabel(QStringLiteral("circle"), 18, Token::Accent, m_task);
        icon->setObjectName(QStringLiteral("lessonTaskIcon"));
        auto *said = new TokenLabel(tr("Your turn"), FontRole::Label, Token::Text2, m_task);
        said->setObjectName(QStringLiteral("lessonTaskState"));
        head->addWidget(icon);
        head->addWidget(said, 1);
        inside->addLayout(head);
        inside->addWidget(addText(html(step.task.text), QStringLiteral("lessonTask")));
        m_hints = addText({}, QStringLiteral("lessonHints"));
        inside->addWidget(m_hints);
        m_hint = new StudioButton(tr("Hint"), QStringLiteral("lightbulb"), ButtonKind::Plain, m_task);
        m_hint->setObjectName(QStringLiteral("lessonHint"));
        m_hint->setFixedHeight(28);
        connect(m_hint, &QAbstractButton::clicked, &m_run, &LessonRun::hint);
        inside->addWidget(m_hint, 0, Qt::AlignLeft);
        m_column->addWidget(m_task);
    } else if (static_cast<std::size_t>(m_run.step()) + 1 == taughtSteps(m_run.lesson())) {
        auto *frame = new NoteFrame(Token::OkSoft, Token::Ok, m_body);
        auto *inside = new QVBoxLayout(frame);
        inside->setContentsMargins(12, 10, 12, 2);
        inside->addWidget(addText(html(m_run.lesson().remember), QStringLiteral("lessonRemember")));
        m_column->addWidget(frame);
    }
    m_column->addStretch(1);
    m_scroll->setWidget(m_body);
    m_body->setAutoFillBackground(false);
}

void LessonPanel::showAct()
{
    const LessonStep &step = m_run.current();
    if (m_answer)
        showQuestion(step, m_run.state());
    else if (m_task)
        showTask(step, m_run.state());
}

void LessonPanel::showQuestion(const LessonStep &step, const LessonStepState &state)
{
    const bool answered = state.chosen >= 0;
    const bool right = state.chosen == step.question.answer;
    const bool revealed = answered && (right || step.kind == LessonStepKind::Predict);
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        const auto index = static_cast<int>(i);
        ChoiceRow::Look look = ChoiceRow::Look::Open;
        if (revealed) look = ChoiceRow::Look::Other;
        if (revealed && index == step.question.answer) look = ChoiceRow::Look::Right;
        if (answered && index == state.chosen && !right) look = ChoiceRow::Look::Wrong;
        m_choices[i]->setLook(look);
    }
    m_answer->setVisible(answered);
    if (!answered) return;
    auto *frame = static_cast<NoteFrame *>(m_answer);
    frame->setTokens(right ? Token::OkSoft : Token::Raised, right ? Token::Ok : Token::Line);
    const QString begin = right      ? tr("Yes.")
                          : revealed ? tr("Not quite.")
                                     : tr("Not that one. Look again, and try another.");
    m_answerText->setText(
        QStringLiteral("<p style=\"margin:0 0 6px 0; font-weight:600\">%1</p>").arg(begin.toHtmlEscaped()) +
        (revealed ? html(step.question.because) : QString()));
    QAccessibleEvent said(m_answerText, QAccessible::Alert);
    QAccessible::updateAccessibility(&said);
    // Why it is so is the one sentence to learn: it must not stand below the edge. Once it has its place.
    QTimer::singleShot(0, m_answer, [this, answer = m_answer] { m_scroll->ensureWidgetVisible(answer, 0, 12); });
}

void LessonPanel::showTask(const LessonStep &step, const LessonStepState &state)
{
    static_cast<NoteFrame *>(m_task)->setTokens(state.done ? Token::OkSoft : Token::AccentSoft,
                                                state.done ? Token::Ok : Token::Accent);
    m_task->findChild<IconLabel *>(QStringLiteral("lessonTaskIcon"))
        ->setIcon(state.done ? QStringLiteral("circle-check") : QStringLiteral("circle"),
                  state.done ? Token::Ok : Token::Accent);
    auto *said = m_task->findChild<TokenLabel *>(QStringLiteral("lessonTaskState"));
    const QString now = state.done ? tr("Done") : tr("Your turn");
    if (said->text() != now) {
        said->setText(now);
        QAccessibleEvent event(said, QAccessible::Alert);
        QAccessible::updateAccessibility(&event);
    }
    QString hints;
    for (int i = 0; i < state.hints; ++i)
        hints += html(step.task.hints[static_cast<std::size_t>(i)]);
    m_hints->setText(hints);
    m_hints->setVisible(state.hints > 0);
    m_hint->setVisible(!state.done && state.hints < static_cast<int>(step.task.hints.size()));
    m_hint->setText(state.hints == 0 ? tr("Hint") : tr("Another hint"));
}

QString LessonPanel::shownText() const
{
    return m_run.running() ? toQString(withFigures(m_run.lesson(), m_run.current().text)) : QString();
}

void LessonPanel::keyPressEvent(QKeyEvent *event)
{
    const int number = event->key() - Qt::Key_1;
    if (number >= 0 && number < static_cast<int>(m_choices.size()))
        m_choices[static_cast<std::size_t>(number)]->click();
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_next->isVisible())
        m_next->click();
    else
        QWidget::keyPressEvent(event);
}

void LessonPanel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::instance().color(Token::Panel));
    painter.fillRect(0, 0, 1, height(), Theme::instance().color(Token::Line));
}

} // namespace remat::studio
