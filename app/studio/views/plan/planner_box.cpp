// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/plan/planner_box.h"

#include "app/studio/base/text/text.h"
#include "app/studio/views/plan/options_form.h"
#include "app/studio/views/shared/planner_groups.h"
#include "solvers/interface/solver.h"

#include <QApplication>
#include <QPainter>
#include <QStandardItemModel>
#include <QStylePainter>
#include <QStyledItemDelegate>
#include <QThread>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kKindRole = Qt::UserRole + 1;
constexpr const char *kFirstPlanner = "auto";

void paintTitleAndKind(QPainter &painter, const QRect &rect, const QString &title, const QString &kind)
{
    const Theme &theme = Theme::instance();
    painter.setFont(theme.font(FontRole::Name));
    painter.setPen(theme.color(Token::Text));
    painter.drawText(rect, Qt::AlignVCenter | Qt::TextSingleLine, title);
    const int used = painter.fontMetrics().horizontalAdvance(title) + 8;
    painter.setFont(theme.font(FontRole::Body));
    painter.setPen(theme.color(Token::Text3));
    const QRect rest = rect.adjusted(used, 0, 0, 0);
    painter.drawText(rest, Qt::AlignVCenter | Qt::TextSingleLine,
                     painter.fontMetrics().elidedText(kind, Qt::ElideRight, rest.width()));
}

/// The rows of the planner list.
class PlannerDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        if (!(index.flags() & Qt::ItemIsEnabled)) {
            painter->setFont(Theme::instance().font(FontRole::Small));
            painter->setPen(Theme::instance().color(Token::Text3));
            painter->drawText(option.rect.adjusted(10, 0, -8, -3), Qt::AlignBottom | Qt::TextSingleLine,
                              index.data().toString());
            return;
        }
        if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver))
            painter->fillRect(option.rect, Theme::instance().color(Token::AccentSoft));
        paintTitleAndKind(*painter, option.rect.adjusted(10, 0, -8, 0), index.data().toString(),
                          index.data(kKindRole).toString());
    }
    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &) const override { return {200, 30}; }
};

} // namespace

PlannerCombo::PlannerCombo(QWidget *parent) : QComboBox(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setFixedHeight(30);
    setItemDelegate(new PlannerDelegate(this));
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
}

void PlannerCombo::paintEvent(QPaintEvent *)
{
    QStylePainter painter(this);
    QStyleOptionComboBox option;
    initStyleOption(&option);
    option.currentText.clear();
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    paintTitleAndKind(painter, rect().adjusted(10, 0, -30, 0), currentText(), currentData(kKindRole).toString());
}

void PlannerCombo::wheelEvent(QWheelEvent *event)
{
    event->ignore();
}

PlannerBox::PlannerBox(QWidget *parent)
    : QWidget(parent),
      m_planner(new PlannerCombo(this)),
      m_source(new TokenLabel({}, FontRole::Small, Token::Text3, this)),
      m_timeLimit(new QSpinBox(this)),
      m_threads(new QSpinBox(this)),
      m_chunks(new ChunkBox(this)),
      m_options(new OptionsForm(this))
{
    m_planner->setObjectName(QStringLiteral("planner"));
    m_planner->setAccessibleName(tr("Planner"));
    fillPlanners();
    m_source->setObjectName(QStringLiteral("plannerSource"));
    m_source->setWordWrap(true);
    for (QSpinBox *box : {m_timeLimit, m_threads}) {
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
        box->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        box->setFixedWidth(kFieldWidth);
    }
    m_timeLimit->setObjectName(QStringLiteral("timeLimit"));
    m_timeLimit->setRange(1, 24 * 3600);
    m_timeLimit->setValue(10);
    m_timeLimit->setSuffix(tr(" s"));
    m_threads->setObjectName(QStringLiteral("threads"));
    m_threads->setRange(1, 256);
    m_threads->setValue(std::max(QThread::idealThreadCount(), 1));

    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_planner);
    column->addWidget(m_source);
    column->addSpacing(4);
    column->addWidget(labelledRow(tr("Time limit"), m_timeLimit,
                                  tr("How long the planner may search. The best plan found by then is kept."), this));
    column->addWidget(
        labelledRow(tr("Threads"), m_threads,
                    tr("How many threads may work at once; as many as the processor has cores is quickest."), this));
    column->addWidget(m_chunks);
    column->addWidget(m_options);

    connect(m_planner, &QComboBox::currentIndexChanged, this, &PlannerBox::showPlanner);
    setPlanner(kFirstPlanner);
    showPlanner();
    connect(m_planner, &QComboBox::currentIndexChanged, this,
            [this] { Q_EMIT stateChanged(tr("Planner %1").arg(m_planner->currentText())); });
    connect(m_options, &OptionsForm::changed, this,
            [this] { Q_EMIT stateChanged(tr("Options of %1").arg(m_planner->currentText())); });
    connect(m_timeLimit, &QSpinBox::valueChanged, this,
            [this] { Q_EMIT stateChanged(tr("Time limit %1").arg(m_timeLimit->text())); });
    connect(m_threads, &QSpinBox::valueChanged, this,
            [this](int threads) { Q_EMIT stateChanged(tr("Threads: %1").arg(threads)); });
    connect(m_chunks, &ChunkBox::stateChanged, this, &PlannerBox::stateChanged);
}

void PlannerBox::fillPlanners()
{
    for (const PlannerGroup &group : plannerGroups()) {
        m_planner->addItem(group.title);
        const auto *rows = qobject_cast<QStandardItemModel *>(m_planner->model());
        rows->item(m_planner->count() - 1)->setFlags(Qt::NoItemFlags);
        for (const Planner *planner : group.planners) {
            const PlannerInfo &info = planner->info;
            m_planner->addItem(toQString(info.title), toQString(info.name));
            const int row = m_planner->count() - 1;
            m_planner->setItemData(row, toQString(info.kind), kKindRole);
            m_planner->setItemData(row, toQString(info.text), Qt::ToolTipRole);
        }
    }
}

void PlannerBox::setPlanner(const std::string &name)
{
    const int row = m_planner->findData(toQString(name));
    if (row >= 0) m_planner->setCurrentIndex(row);
}

Expected<void> PlannerBox::setOption(const std::string &key, const std::string &value)
{
    const std::vector<OptionRecord> &records = (*findPlanner(m_shown))->info.options;
    std::map<std::string, std::string> values = m_options->values();
    values[key] = value;
    const Expected<OptionSet> checked = makeOptions(records, values);
    if (!checked) return tl::unexpected(checked.error());
    m_options->setRecords(records, checked->changed());
    Q_EMIT stateChanged(tr("Options of %1").arg(m_planner->currentText()));
    return {};
}

void PlannerBox::showPlanner()
{
    const std::string name = m_planner->currentData().toString().toStdString();
    if (name == m_shown || name.empty()) return;
    if (!m_shown.empty()) m_values[m_shown] = m_options->values();
    m_shown = name;
    const auto planner = findPlanner(name);
    if (!planner) return;
    const PlannerInfo &info = (*planner)->info;
    m_source->setText(toQString(info.source));
    m_planner->setToolTip(toQString(info.text));
    m_options->setRecords(info.options, m_values[name]);
}

QJsonObject PlannerBox::saveState() const
{
    auto values = m_values;
    values[m_shown] = m_options->values();
    QJsonObject options;
    for (const auto &[planner, set] : values) {
        QJsonObject of;
        for (const auto &[name, value] : set)
            of[toQString(name)] = toQString(value);
        if (!of.isEmpty()) options[toQString(planner)] = of;
    }
    return {{QStringLiteral("planner"), toQString(m_shown)},
            {QStringLiteral("options"), options},
            {QStringLiteral("time_limit_seconds"), m_timeLimit->value()},
            {QStringLiteral("threads"), m_threads->value()},
            {QStringLiteral("chunks"), m_chunks->saveState()}};
}

void PlannerBox::restoreState(const QJsonObject &state)
{
    m_values.clear();
    const QJsonObject options = state[QStringLiteral("options")].toObject();
    for (auto planner = options.begin(); planner != options.end(); ++planner) {
        const QJsonObject of = planner.value().toObject();
        for (auto option = of.begin(); option != of.end(); ++option)
            m_values[planner.key().toStdString()][option.key().toStdString()] = option.value().toString().toStdString();
    }
    m_shown.clear(); // the form is made anew with the values above
    setPlanner(state[QStringLiteral("planner")].toString().toStdString());
    showPlanner();
    m_timeLimit->setValue(state[QStringLiteral("time_limit_seconds")].toInt(m_timeLimit->value()));
    m_threads->setValue(state[QStringLiteral("threads")].toInt(m_threads->value()));
    m_chunks->restoreState(state[QStringLiteral("chunks")].toObject());
}

SolveSettings PlannerBox::settings() const
{
    SolveSettings settings;
    settings.planner = m_shown;
    settings.options = m_options->values();
    settings.timeLimitSeconds = m_timeLimit->value();
    settings.threads = m_threads->value();
    m_chunks->tell(settings);
    return settings;
}

} // namespace remat::studio
