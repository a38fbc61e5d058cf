// SPDX-License-Identifier: Apache-2.0
#include "app/studio/shell/palette/palette_list.h"

#include <QElapsedTimer>

#include <algorithm>

namespace remat::studio {

namespace {

constexpr std::size_t kBetweenLooks = 64; // items between two looks at the clock
constexpr int kDisabledCosts = 1000;

} // namespace

bool PaletteList::Row::operator<(const Row &other) const
{
    if (score != other.score) return score > other.score;
    const auto length = item->text.folded.size(), otherLength = other.item->text.folded.size();
    return length != otherLength ? length < otherLength : order < other.order;
}

PaletteList::PaletteList(QObject *parent, int sliceMs) : QAbstractListModel(parent), m_sliceMs(sliceMs)
{
    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, [this] { rankSlice(m_sliceMs); });
}

void PaletteList::setItems(std::vector<PaletteItem> commands, std::shared_ptr<const std::vector<PaletteItem>> ofModel)
{
    m_timer.stop();
    beginResetModel();
    m_rows.clear();
    m_best.clear();
    m_commands = std::move(commands);
    m_ofModel = std::move(ofModel);
    endResetModel();
}

const PaletteItem &PaletteList::item(std::size_t index) const
{
    return index < m_commands.size() ? m_commands[index] : (*m_ofModel)[index - m_commands.size()];
}

void PaletteList::ask(const PaletteQuestion &question, std::optional<std::vector<std::uint8_t>> allowed)
{
    m_question = question;
    m_pattern = FuzzyPattern(question.pattern);
    m_allowed = std::move(allowed);
    m_next = 0;
    m_best.clear();
    m_fitting = 0;
    m_timer.start();
    rankSlice(m_sliceMs);
}

void PaletteList::finish()
{
    while (ranking())
        rankSlice(1000);
}

void PaletteList::rankSlice(int milliseconds)
{
    QElapsedTimer clock;
    clock.start();
    const std::size_t end = count();
    do
        for (std::size_t i = 0; i < kBetweenLooks && m_next < end; ++i)
            rank(m_next++);
    while (m_next < end && clock.elapsed() < milliseconds);
    if (m_next >= end) m_timer.stop();
    publish();
}

void PaletteList::rank(std::size_t index)
{
    const PaletteItem &candidate = item(index);
    if (!belongsTo(candidate.kind, m_question.scope)) return;
    if (m_allowed && candidate.kind == PaletteItem::Kind::Op && !(*m_allowed)[candidate.op.index()]) return;
    Row row{&candidate, 0, index};
    if (m_pattern.empty()) {
        // Without a pattern rows stand as they come, the last used commands first.
        const auto recent = candidate.kind == PaletteItem::Kind::Command ? m_recent.indexOf(candidate.title) : -1;
        row.score = recent >= 0 ? 1000000 - static_cast<int>(recent) : -static_cast<int>(index);
    } else {
        auto score = m_pattern.score(candidate.text);
        if (!score) score = m_pattern.score(candidate.name);
        if (!score) return;
        row.score = *score;
    }
    if (candidate.kind == PaletteItem::Kind::Command && !candidate.enabled()) row.score -= kDisabledCosts;
    ++m_fitting;
    if (m_best.size() == static_cast<std::size_t>(kMostRows)) {
        if (!(row < m_best.front())) return;
        std::pop_heap(m_best.begin(), m_best.end());
        m_best.back() = row;
    } else {
        m_best.push_back(row);
    }
    std::push_heap(m_best.begin(), m_best.end());
}

void PaletteList::publish()
{
    std::vector<Row> rows = m_best;
    std::sort(rows.begin(), rows.end());
    const auto same = [](const Row &a, const Row &b) { return a.item == b.item; };
    const bool unchanged = m_rows.size() == rows.size() && std::equal(rows.begin(), rows.end(), m_rows.begin(), same);
    if (!unchanged) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    // The rows are the same, but other letters of them may match.
    if (unchanged && !m_rows.empty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
    Q_EMIT ranked();
}

int PaletteList::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant PaletteList::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const PaletteItem &item = itemAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return item.title;
    case PlaceRole:
        return item.place;
    case KeyRole:
        return item.key;
    case IconRole:
        return item.icon;
    case EnabledRole:
        return item.enabled();
    case MatchedRole:
        return QVariant::fromValue(m_pattern.places(item.text));
    case Qt::AccessibleTextRole:
        return item.key.isEmpty() ? QStringLiteral("%1, %2").arg(item.title, item.place)
                                  : QStringLiteral("%1, %2, %3").arg(item.title, item.place, item.key);
    default:
        return {};
    }
}

} // namespace remat::studio
