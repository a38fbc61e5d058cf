// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/compare/compare_header.h"

#include "app/studio/base/style/letters.h"
#include "app/studio/base/style/shown_focus.h"
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/building_blocks.h"

#include <QDragEnterEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace remat::studio {

namespace {

constexpr int kGap = 7;
constexpr int kMostName = 150, kLeastName = 80;

std::shared_ptr<const PlanEntry> planOfId(const Document &document, int id)
{
    for (const auto &plan : document.plans())
        if (plan->id == id) return plan;
    return nullptr;
}

} // namespace

LetterChip::LetterChip(int place, QWidget *parent) : QAbstractButton(parent), m_place(place)
{
    setProperty(kOwnRing, true);
    setObjectName(QStringLiteral("letter.") + letterOf(place));
    setFocusPolicy(Qt::StrongFocus);
    setAcceptDrops(true);
    setFixedHeight(28);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void LetterChip::showPlan(const QString &title, const QString &note)
{
    const bool same = title == text();
    setText(title);
    m_note = note;
    setAccessibleName(tr("%1: %2").arg(letterOf(m_place), title));
    setAccessibleDescription(note);
    setToolTip(tr("%1 is %2. Click to choose another plan, or drop one here.").arg(letterOf(m_place), title));
    if (!same) updateGeometry();
    update();
}

int LetterChip::nameWidth() const
{
    // As it is painted: at a scale between whole ones, metrics without the device are narrower.
    const QFontMetrics metrics(Theme::instance().font(FontRole::Body), this);
    return std::min(metrics.horizontalAdvance(text()) + 2, kMostName);
}

QSize LetterChip::sizeHint() const
{
    // Room for the bytes at the cursor is always there, so that nothing moves when it comes.
    const QFontMetrics metrics(Theme::instance().font(FontRole::Label), this);
    const int note = metrics.horizontalAdvance(QStringLiteral("0000 MiB"));
    return {4 + kLetterBox + kGap + nameWidth() + kGap + note + 6, 28};
}

void LetterChip::paintEvent(QPaintEvent *)
{
    const Theme &theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (underMouse() || m_dropping) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(m_dropping ? Token::AccentSoft : Token::Sunken));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0, 2, 0, -2), 6, 6);
    }
    paintLetter(painter, QRectF(4, (height() - kLetterBox) / 2.0, kLetterBox, kLetterBox), m_place);
    const int left = 4 + kLetterBox + kGap;
    painter.setFont(theme.font(FontRole::Label));
    const int noteWidth = painter.fontMetrics().horizontalAdvance(QStringLiteral("0000 MiB"));
    const QString bytes = m_note;
    // The name comes first; where both do not fit the bytes at the cursor are left to the readout.
    const bool roomy = width() - left >= nameWidth() + kGap + noteWidth + 6;
    if (roomy) {
        painter.setPen(theme.color(Token::Text3));
        painter.drawText(QRect(width() - 6 - noteWidth, 0, noteWidth, height()), Qt::AlignLeft | Qt::AlignVCenter,
                         bytes);
    }
    painter.setFont(theme.font(FontRole::Body));
    painter.setPen(theme.color(Token::Text));
    const int room = width() - left - (roomy ? noteWidth + kGap + 6 : 4);
    painter.drawText(QRect(left, 0, room, height()), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text(), Qt::ElideRight, room));
    if (hasFocus()) paintFocusRing(painter, QRectF(rect()).adjusted(1, 2, -1, -2), 6);
}

void LetterChip::dragEnterEvent(QDragEnterEvent *event)
{
    if (planOf(event->mimeData()) == 0) return;
    event->acceptProposedAction();
    m_dropping = true;
    update();
}

void LetterChip::dragLeaveEvent(QDragLeaveEvent *)
{
    m_dropping = false;
    update();
}

void LetterChip::dropEvent(QDropEvent *event)
{
    m_dropping = false;
    update();
    if (const int plan = planOf(event->mimeData())) {
        event->acceptProposedAction();
        Q_EMIT planDropped(plan);
    }
}

CompareHeader::CompareHeader(Document *document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_more(new StudioButton({}, QStringLiteral("plus"), ButtonKind::Quiet, this)),
      m_axis(new SegmentedControl({tr("Time"), tr("Steps"), tr("Aligned by op")}, this)),
      m_axisWidth(m_axis->sizeHint().width()),
      m_menu(new QMenu(this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 10, 0);
    row->setSpacing(4);
    for (int place = 0; place < kMostCompared; ++place) {
        auto *chip = new LetterChip(place, this);
        m_chips.push_back(chip);
        row->addWidget(chip);
        connect(chip, &LetterChip::planDropped, this,
                [this, place](int plan) { m_document->setCompared(withLetter(m_document->compared(), place, plan)); });
        connect(chip, &QAbstractButton::clicked, this,
                [this, chip, place] { menuOf(place)->popup(chip->mapToGlobal(QPoint(0, chip->height()))); });
    }
    m_more->setObjectName(QStringLiteral("compareMore"));
    m_more->setFixedSize(28, 28);
    m_more->setAccessibleName(tr("Compare another plan"));
    m_more->setToolTip(tr("Lays another plan over these"));
    row->addWidget(m_more);
    row->addStretch(1);
    row->addWidget(m_axis);
    m_axis->setObjectName(QStringLiteral("compareAxis"));
    m_axis->setToolTip(tr("By time, by steps of each plan, or each op where A computes it first"));
    connect(m_more, &QAbstractButton::clicked, this, [this] {
        menuOf(static_cast<int>(m_document->compared().size()))
            ->popup(m_more->mapToGlobal(QPoint(0, m_more->height())));
    });
    connect(m_document, &Document::comparedChanged, this, &CompareHeader::take);
    connect(m_document, &Document::plansChanged, this, &CompareHeader::take);
    take();
}

QMenu *CompareHeader::menuOf(int place)
{
    m_menu->clear();
    const std::vector<int> &compared = m_document->compared();
    const auto model = m_document->model();
    const double keepAllPeak = model ? static_cast<double>(model->keepAllPeakBytes) : 1;
    // By planner, the one of most memory first, as along its curve.
    auto plans = m_document->plans();
    std::stable_sort(plans.begin(), plans.end(), [](const auto &a, const auto &b) {
        return a->title != b->title ? a->title < b->title : a->timeline->peakBytes > b->timeline->peakBytes;
    });
    std::string planner;
    for (const auto &plan : plans) {
        if (std::exchange(planner, plan->title) != plan->title) m_menu->addSection(toQString(plan->title));
        const int id = plan->id;
        const QString peak = memoryShareText(static_cast<double>(plan->timeline->peakBytes) / keepAllPeak);
        QAction *action = m_menu->addAction(tr("%1, peak %2").arg(toQString(plan->title), peak));
        action->setCheckable(true);
        action->setChecked(place < static_cast<int>(compared.size()) &&
                           compared[static_cast<std::size_t>(place)] == id);
        connect(action, &QAction::triggered, this,
                [this, place, id] { m_document->setCompared(withLetter(m_document->compared(), place, id)); });
    }
    if (place >= 2 && place < static_cast<int>(compared.size())) {
        m_menu->addSeparator();
        const int id = compared[static_cast<std::size_t>(place)];
        connect(m_menu->addAction(tr("Take away")), &QAction::triggered, this,
                [this, id] { m_document->setCompared(withoutLetter(m_document->compared(), id)); });
    }
    return m_menu;
}

void CompareHeader::setReadout(const QStringList &bytes)
{
    if (bytes == m_readout) return;
    m_readout = bytes;
    take();
}

void CompareHeader::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    share();
}

void CompareHeader::share()
{
    int wanted = m_axisWidth + (m_more->isHidden() ? 0 : m_more->width());
    for (const LetterChip *chip : m_chips)
        wanted += chip->isHidden() ? 0 : chip->sizeHint().width() + layout()->spacing();
    const bool narrow = width() < wanted;
    m_axis->setIcons(narrow
                         ? QStringList{QStringLiteral("clock"), QStringLiteral("step-forward"), QStringLiteral("ruler")}
                         : QStringList());
    m_axis->setCompact(narrow);
    // Two names are there in full; more share the room.
    const auto compared = m_document->compared().size();
    for (LetterChip *chip : m_chips)
        chip->setMinimumWidth(compared > 2 ? 0 : 4 + kLetterBox + kGap + std::min(chip->nameWidth(), kLeastName) + 4);
}

void CompareHeader::take()
{
    const std::vector<int> &compared = m_document->compared();
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        const auto plan = i < compared.size() ? planOfId(*m_document, compared[i]) : nullptr;
        m_chips[i]->setVisible(plan != nullptr);
        if (!plan) continue;
        // Two plans of one planner are told apart by their peaks.
        const auto twins = std::count_if(compared.begin(), compared.end(), [&](int id) {
            const auto each = planOfId(*m_document, id);
            return each && each->title == plan->title;
        });
        const double all = static_cast<double>(m_document->model()->keepAllPeakBytes);
        const QString share = memoryShareText(static_cast<double>(plan->timeline->peakBytes) / all);
        const QString title = toQString(plan->title);
        m_chips[i]->showPlan(twins > 1 ? tr("%1, %2").arg(title, share) : title, m_readout.value(static_cast<int>(i)));
    }
    m_more->setVisible(compared.size() >= 2 && compared.size() < kMostCompared &&
                       m_document->plans().size() > compared.size());
    share();
}

} // namespace remat::studio
