// SPDX-License-Identifier: Apache-2.0
// Opens models and changes their costs in the background, and puts the result into the document.
#pragma once

#include "app/studio/base/widgets/notice.h"
#include "app/studio/work/document/document.h"
#include "app/studio/work/jobs/job_tracker.h"
#include "core/model/open_model.h"

#include <functional>

namespace remat::studio {

/// GUI thread only. While something loads, the model that is open stays as it is; a newer call replaces an older one.
class ModelLoader : public QObject
{
    Q_OBJECT
public:
    ModelLoader(Document &document, QThreadPool &pool, QObject *parent = nullptr);

    /// Devices that costs can come from, `reference` first; empty (with a sentence through failed()) when their folder
    /// cannot be read.
    const std::vector<Device> &devices() const { return m_devices; }
    const CostChoice &costChoice() const { return m_choice; }
    /// Sentence why there are no devices, or why one is not among them; empty when all are there.
    const QString &deviceError() const { return m_deviceError; }

    /// `title` is what the window calls the model; the graph's own name when empty. With updates the step holds them,
    /// and the title says so.
    void open(const QString &path, const QString &title = {}, const Updates &updates = {});
    /// The model that is open, with these regions in chunks; with none, with its ops whole.
    void openInChunks(const Chunking &chunking);
    /// The same in words: `head=8`, as `remat plan --chunk` takes them.
    void openInChunks(const QString &names);
    /// What is around the op of that name in so many chunks, beside what is in chunks now.
    void openInChunks(const QString &op, int chunks);
    void useDevice(const QString &name);
    void useProfile(const QString &path);
    /// Profiles the open model on this machine and uses what was measured: on the GPU when LibTorch can use one.
    void measure();
    /// Shows a model and costs that were made before: undo, or a session that was read.
    void restore(std::shared_ptr<const CostedModel> model, CostChoice choice);
    /// What the document holds, or is about to, comes from this file under these costs. Measuring and changes of costs
    /// that still run are about what it held before and end; a model that is being opened goes on.
    void adopt(const QString &path, const QString &title, CostChoice choice);
    void cancel();

    bool running() const { return m_tracker.running(); }
    /// Runs, and what runs is about the model that is open already.
    bool recosting() const { return running() && !m_opening; }
    const QString &activity() const { return m_activity; } ///< `Opening gpt2.pt2`
    double fraction() const { return m_fraction; }         ///< negative when unknown
    const QString &modelPath() const { return m_path; }
    const QString &modelTitle() const { return m_title; }

Q_SIGNALS:
    void progressChanged(); ///< running, activity or fraction
    /// A model was read, and the document takes it as soon as all have heard of it.
    void opening(const QString &path, const std::shared_ptr<const CostedModel> &model);
    void opened(const QString &path); ///< the document holds the model now
    void failed(const remat::studio::Notice &notice);
    void costChoiceChanged();

private:
    struct Opened;
    struct Recosted;
    static Recosted makeRecosted(CostChoice choice, std::shared_ptr<const OpenModel> open,
                                 const std::vector<std::shared_ptr<const PlanEntry>> &plans);
    void openAs(std::function<Expected<Chunking>(const CostedModel &)> chunking);
    void start(std::function<Opened()> open, const QString &path, std::function<QString(const CostedModel &)> title);
    void recost(CostChoice choice, const QString &activity);
    void takeRecosted(Recosted result);
    void setActivity(const QString &activity, double fraction);
    void failWith(const QString &sentence);

    Document &m_document;
    std::vector<Device> m_devices;
    QString m_deviceError;
    CostChoice m_choice;
    QString m_path, m_title, m_activity;
    bool m_opening = false; ///< the newest job opens a model
    double m_fraction = -1;
    JobTracker m_tracker;
};

} // namespace remat::studio
