// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/layout_book.h"

namespace remat::studio {

namespace {

/// The question itself: equal for clusters of equal structure.
QByteArray keyOf(const OrderQuestion &question)
{
    QByteArray key = QByteArray::number(question.rows);
    for (const auto &[from, to] : question.edges)
        key += ' ' + QByteArray::number(from) + '>' + QByteArray::number(to);
    return key;
}

} // namespace

LayoutBook::LayoutBook(QObject *parent) : QObject(parent)
{
    connect(&m_client, &LayoutClient::answered, this, [this](const QByteArray &key, const std::vector<RowRank> &ranks) {
        ++m_laidOut;
        std::vector<RowRank> upright = ranks;
        unmirror(upright);
        settle(key, std::move(upright));
    });
    connect(&m_client, &LayoutClient::failed, this, [this](const QByteArray &key, const QString &sentence) {
        m_fallbacks.insert(key);
        const std::vector<RowRank> ranks = longestPathRanks(m_asked.value(key));
        Q_EMIT fellBack(sentence);
        settle(key, ranks);
    });
}

const std::vector<RowRank> *LayoutBook::ranks(const OrderQuestion &question)
{
    const QByteArray key = keyOf(question);
    if (question.rows > LayoutClient::kMostRows && !m_known.contains(key)) m_known[key] = longestPathRanks(question);
    const auto known = m_known.constFind(key);
    if (known != m_known.constEnd()) return &known.value();
    if (m_asked.contains(key)) return nullptr;
    if (m_asked.isEmpty()) m_done = m_total = 0;
    ++m_total;
    m_asked[key] = question;
    m_client.ask(key, question);
    return nullptr;
}

void LayoutBook::settle(const QByteArray &key, std::vector<RowRank> ranks)
{
    m_known[key] = std::move(ranks);
    m_asked.remove(key);
    ++m_done;
    Q_EMIT progressed();
    if (m_asked.isEmpty()) Q_EMIT settled();
}

void LayoutBook::stop()
{
    if (!waiting()) return;
    m_client.cancel();
    for (auto it = m_asked.cbegin(); it != m_asked.cend(); ++it) {
        m_known[it.key()] = longestPathRanks(it.value());
        m_fallbacks.insert(it.key());
    }
    m_asked.clear();
    Q_EMIT progressed();
    Q_EMIT settled();
}

void LayoutBook::forgetFallbacks()
{
    for (const QByteArray &key : std::as_const(m_fallbacks))
        m_known.remove(key);
    m_fallbacks.clear();
}

} // namespace remat::studio
