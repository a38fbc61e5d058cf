// SPDX-License-Identifier: Apache-2.0
// Plan files, opened into the model that they were made for.
#pragma once

#include "app/studio/base/widgets/notice.h"
#include "app/studio/work/jobs/job_tracker.h"

#include <QObject>

#include <memory>

namespace remat {
struct CostedModel;
struct PlanHeader;
} // namespace remat

namespace remat::studio {

class ModelPages;
struct Session;

/// A plan for the model that is shown joins its plans; one for another open model shows that first; one for a model
/// that is not open gets a tab that asks for its file. GUI thread only.
class PlanFiles : public QObject
{
    Q_OBJECT
public:
    PlanFiles(Session &session, ModelPages &pages, QObject *parent = nullptr);
    /// In the background.
    void open(const QString &path);
    bool running() const { return m_reading.running(); }

Q_SIGNALS:
    void opened(const QString &path); ///< it is the current plan
    void failed(const remat::studio::Notice &notice);
    void progressChanged();

private:
    void place(const QString &path, const PlanHeader &header, std::shared_ptr<const std::string> text);
    void read(const QString &path, const QString &title, std::shared_ptr<const std::string> text);
    void failWith(const QString &sentence);

    Session &m_session;
    ModelPages &m_pages;
    JobTracker m_reading;
};

} // namespace remat::studio
