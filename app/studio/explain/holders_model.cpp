#include "app/studio/explain/holders_model.h"

#include "app/studio/document/text.h"
#include "app/studio/panels/table_look.h"

namespace remat::studio {

void HoldersModel::setMoment(std::shared_ptr<const CostedModel> model, const Moment &moment)
{
    beginResetModel();
    if (model && (!m_model || m_model->open != model->open)) m_labels = OpLabels(model->graph());
    m_model = std::move(model);
    m_moment = m_model ? moment : Moment();
    endResetModel();
}

int HoldersModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_moment.holders.size());
}

int HoldersModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant HoldersModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Holder &holder = m_moment.holders[static_cast<std::size_t>(index.row())];
    if (role == kQuietRole) return index.column() != Name;
    if (role == kPlainNameRole) return true;
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((index.column() == Bytes ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    switch (index.column()) {
    case Name:
        if (role == Qt::ToolTipRole)
            return tr("%1, next read by %2")
                .arg(m_labels.storage(m_model->graph(), holder.storage), holderReason(*m_model, holder, m_labels));
        return m_labels.storage(m_model->graph(), holder.storage);
    case Bytes:
        return role == Qt::ToolTipRole ? exactBytesText(holder.bytes) : bytesText(holder.bytes);
    case Reason:
        return holderReason(*m_model, holder, m_labels);
    default:
        return {};
    }
}

QVariant HoldersModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Bytes ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    return section == Name ? tr("Held") : section == Bytes ? tr("Bytes") : tr("Next read by");
}

} // namespace remat::studio
