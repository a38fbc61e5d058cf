// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/search/search_session.h"

#include "app/studio/base/text/text.h"
#include "app/studio/work/document/words.h"

#include <algorithm>

namespace remat::studio {

namespace {

constexpr int kReplanMs = 120;

} // namespace

SearchSession::SearchSession(Document &document, QObject *parent)
    : QObject(parent), m_document(document), m_index(document)
{
    m_replan.setSingleShot(true);
    m_replan.setInterval(kReplanMs);
    connect(&m_replan, &QTimer::timeout, this, &SearchSession::find);
    const auto planChanged = [this] {
        m_index.forgetPlan();
        if (active() && m_filter.asksPlan() && !m_replan.isActive()) m_replan.start();
    };
    connect(&m_document, &Document::modelChanged, this, [this] {
        m_index.forgetPlan();
        if (active()) find();
    });
    connect(&m_document, &Document::currentPlanChanged, this, planChanged);
    connect(&m_document, &Document::pinsChanged, this, planChanged);
    connect(&m_document, &Document::selectionChanged, this, &SearchSession::followSelection);
}

void SearchSession::setText(const QString &text)
{
    if (text == m_text) return;
    m_text = text;
    find();
}

void SearchSession::find()
{
    m_matches.clear();
    m_problem.clear();
    m_filter = {};
    if (active()) {
        auto filter = parseFilter(m_text.toStdString(), windowWords());
        if (filter) {
            m_filter = std::move(*filter);
            m_matches = m_index.find(m_filter);
        } else {
            m_problem = toQString(filter.error().message);
        }
    }
    m_current = -1;
    Q_EMIT changed();
    followSelection();
    Q_EMIT currentChanged();
}

void SearchSession::followSelection()
{
    const OpId op = m_document.selection().op;
    int current = -1;
    if (op) {
        const auto found = std::lower_bound(m_matches.begin(), m_matches.end(), op);
        if (found != m_matches.end() && *found == op) current = static_cast<int>(found - m_matches.begin());
    }
    if (current == m_current) return;
    m_current = current;
    Q_EMIT currentChanged();
}

void SearchSession::step(int by)
{
    if (m_matches.empty()) return;
    const int count = static_cast<int>(m_matches.size());
    int next = 0;
    if (m_current >= 0) {
        next = ((m_current + by) % count + count) % count;
    } else {
        const OpId op = m_document.selection().op;
        const auto after = op ? std::upper_bound(m_matches.begin(), m_matches.end(), op) : m_matches.begin();
        const int at = static_cast<int>(after - m_matches.begin());
        next = by > 0 ? at % count : (at + count - 1) % count;
    }
    setCurrent(next);
}

void SearchSession::setCurrent(int match)
{
    if (match < 0 || match >= static_cast<int>(m_matches.size())) return;
    const OpId op = m_matches[static_cast<std::size_t>(match)];
    m_current = match;
    m_document.selectOp(op);
    Q_EMIT currentChanged();
    Q_EMIT shown(op);
}

} // namespace remat::studio
