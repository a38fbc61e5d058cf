// SPDX-License-Identifier: Apache-2.0
// Quick plans of the budgets that "What one more GiB buys" asks about.
#pragma once

#include "app/studio/work/document/document.h"
#include "app/studio/work/jobs/job_tracker.h"

#include <QTimer>

#include <map>

namespace remat::studio {

/// Made in the background once the budget rests, kept for the model and its decisions. GUI thread only.
class QuickSteps : public QObject
{
    Q_OBJECT
public:
    QuickSteps(Document &document, QThreadPool &pool, QObject *parent = nullptr);
    /// Asks for these budgets; what is known already is not made again.
    void want(const std::vector<std::int64_t> &budgets);
    /// Overhead of the quick plan by its peak, of all that were made.
    const std::map<std::int64_t, double> &overheads() const { return m_overheads; }

Q_SIGNALS:
    void changed();

private:
    void forget();
    void make();

    Document &m_document;
    std::vector<std::int64_t> m_wanted;
    std::map<std::int64_t, double> m_overheads; ///< by peak in bytes
    std::map<std::int64_t, bool> m_made;        ///< by budget
    JobTracker m_tracker;
    QTimer m_rest;
};

} // namespace remat::studio
