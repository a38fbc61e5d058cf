// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/explain/holders_model.h"

#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/table_look.h"

namespace remat::studio {

HoldersModel::HoldersModel(QObject *parent)
    : RowTable({{tr("Held")}, {tr("Bytes"), true}, {tr("Next read by")}}, parent)
{
}

void HoldersModel::setMoment(std::shared_ptr<const CostedModel> model, const Moment &moment)
{
    beginResetModel();
    if (model && (!m_model || m_model->open != model->open)) m_labels = OpLabels(model->graph());
    m_model = std::move(model);
    m_moment = m_model ? moment : Moment();
    endResetModel();
}

int HoldersModel::rows() const
{
    return static_cast<int>(m_moment.holders.size());
}

QVariant HoldersModel::cell(int row, int column, int role) const
{
    if (role == kQuietRole) return column != Name;
    if (role == kPlainNameRole) return true;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    const Holder &holder = m_moment.holders[static_cast<std::size_t>(row)];
    switch (column) {
    case Name: {
        const QString name = m_labels.storage(m_model->graph(), holder.storage);
        if (role == Qt::DisplayRole) return name;
        return tr("%1, next read by %2").arg(name, holderReason(*m_model, holder, m_labels));
    }
    case Bytes:
        return bytesCell(holder.bytes, role);
    default:
        return holderReason(*m_model, holder, m_labels);
    }
}

} // namespace remat::studio
