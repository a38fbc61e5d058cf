// SPDX-License-Identifier: Apache-2.0
// Asks remat-layout for the order of rows, without ever waiting for it.
#pragma once

#include "core/views/row_order.h"

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QTimer>

#include <deque>

namespace remat::studio {

/// Keeps one remat-layout process and its queue. GUI thread only; every question ends in exactly one signal unless it
/// is dropped by cancel(). A question that takes too long costs the process its life; the next one starts another.
class LayoutClient : public QObject
{
    Q_OBJECT
public:
    /// Most rows that are given to Graphviz.
    static constexpr int kMostRows = 400;

    explicit LayoutClient(QObject *parent = nullptr);
    ~LayoutClient() override;

    /// `$REMAT_LAYOUT`, or `remat-layout` beside this program, or where it was built.
    static QString defaultProgram();
    void setProgram(const QString &program);
    /// How long one question may take; 2 s at first.
    void setTimeLimit(int milliseconds) { m_timeLimitMs = milliseconds; }

    /// `key` comes back with the answer.
    void ask(const QByteArray &key, const OrderQuestion &question);
    /// Drops all questions, the running one with the process.
    void cancel();
    int waiting() const { return static_cast<int>(m_queue.size()); }

Q_SIGNALS:
    void answered(const QByteArray &key, const std::vector<remat::RowRank> &ranks);
    /// `sentence` says why there is no answer.
    void failed(const QByteArray &key, const QString &sentence);

private:
    struct Question {
        QByteArray key;
        OrderQuestion question;
    };

    void sendNext();
    void readAnswers();
    void takeAnswer(const QByteArray &line);
    void failFront(const QString &sentence);
    void dropProcess();

    QString m_program;
    int m_timeLimitMs = 2000;
    std::deque<Question> m_queue; ///< the front is running while m_sent
    bool m_sent = false;
    qint64 m_number = 0; ///< number of the running question
    QProcess *m_process = nullptr;
    QTimer m_timer;
};

} // namespace remat::studio
