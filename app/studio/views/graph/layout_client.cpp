// SPDX-License-Identifier: Apache-2.0
#include "app/studio/views/graph/layout_client.h"

#include "app/studio/base/text/text.h"
#include "core/base/resources.h"
#include "core/views/row_answer.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <csignal>
#include <unistd.h>

namespace remat::studio {

namespace {

constexpr int kRowWidth = 300, kRowHeight = 30; // all rows are alike: only their order is used
constexpr qint64 kLongestAnswer = qint64(8) << 20;

QByteArray requestLine(qint64 number, const OrderQuestion &question)
{
    QJsonArray nodes, edges;
    for (int row = 0; row < question.rows; ++row)
        nodes.append(QJsonObject{{QStringLiteral("id"), QString::number(row)},
                                 {QStringLiteral("width"), kRowWidth},
                                 {QStringLiteral("height"), kRowHeight}});
    for (const auto &[from, to] : question.edges)
        edges.append(QJsonArray{QString::number(from), QString::number(to)});
    const QJsonObject line{
        {QStringLiteral("id"), number}, {QStringLiteral("nodes"), nodes}, {QStringLiteral("edges"), edges}};
    return QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
}

/// With its children: the program that is set may be a script around remat-layout.
void killGroup(QProcess &process)
{
    const auto group = static_cast<pid_t>(process.processId());
    if (group > 0) ::kill(-group, SIGKILL);
    process.kill();
}

} // namespace

LayoutClient::LayoutClient(QObject *parent) : QObject(parent), m_program(defaultProgram())
{
    qRegisterMetaType<std::vector<RowRank>>();
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        dropProcess();
        failFront(tr("Graphviz took longer than %1 s for one cluster.").arg(m_timeLimitMs / 1000.0));
    });
}

LayoutClient::~LayoutClient()
{
    if (!m_process) return;
    m_process->disconnect(this);
    killGroup(*m_process);
    m_process->waitForFinished(1000); // it cannot refuse a kill
}

QString LayoutClient::defaultProgram()
{
    QString set = qEnvironmentVariable("REMAT_LAYOUT");
    if (!set.isEmpty()) return set;
    const std::filesystem::path beside = helperProgramPath("remat-layout");
    return beside.empty() ? QStringLiteral("remat-layout") : toQString(beside);
}

void LayoutClient::setProgram(const QString &program)
{
    cancel();
    m_program = program;
}

void LayoutClient::ask(const QByteArray &key, const OrderQuestion &question)
{
    m_queue.push_back({key, question});
    if (!m_sent) sendNext();
}

void LayoutClient::cancel()
{
    if (m_sent) dropProcess();
    m_queue.clear();
    m_sent = false;
    m_timer.stop();
}

void LayoutClient::sendNext()
{
    m_sent = !m_queue.empty();
    if (!m_sent) return;
    if (!m_process) {
        m_process = new QProcess(this);
        m_process->setStandardErrorFile(QProcess::nullDevice());
        m_process->setChildProcessModifier([] { setpgid(0, 0); });
        connect(m_process, &QProcess::readyReadStandardOutput, this, &LayoutClient::readAnswers);
        connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
            if (error != QProcess::FailedToStart) return; // everything else ends in finished()
            const QString reason = m_process->errorString();
            dropProcess();
            failFront(
                tr("The layout program %1 does not start (%2). Build or install it again.").arg(m_program, reason));
        });
        connect(m_process, &QProcess::finished, this, [this](int, QProcess::ExitStatus status) {
            dropProcess();
            failFront(status == QProcess::CrashExit ? tr("The layout program crashed on one cluster.")
                                                    : tr("The layout program ended before it answered."));
        });
        m_process->start(m_program, QStringList());
        if (!m_process) return; // it failed at once, and the queue has moved on
    }
    m_timer.start(m_timeLimitMs);
    m_process->write(requestLine(++m_number, m_queue.front().question));
}

void LayoutClient::readAnswers()
{
    while (m_process && m_process->canReadLine())
        takeAnswer(m_process->readLine());
    if (m_process && m_process->bytesAvailable() > kLongestAnswer) {
        dropProcess();
        failFront(tr("The layout program's answer was too large."));
    }
}

void LayoutClient::takeAnswer(const QByteArray &line)
{
    if (!m_sent) return;
    const auto answer = readRowAnswer({line.constData(), static_cast<std::size_t>(line.size())}, m_number,
                                      m_queue.front().question.rows);
    if (!answer) { // what goes on after nonsense would be read for ever
        dropProcess();
        failFront(toQString(answer.error().message));
        return;
    }
    if (answer->number != m_number) return; // the answer to a dropped question
    m_timer.stop();
    const QByteArray key = m_queue.front().key;
    m_queue.pop_front();
    m_sent = false;
    Q_EMIT answered(key, answer->ranks);
    if (!m_sent) sendNext();
}

void LayoutClient::failFront(const QString &sentence)
{
    m_timer.stop();
    if (!m_sent || m_queue.empty()) return;
    const QByteArray key = m_queue.front().key;
    m_queue.pop_front();
    m_sent = false;
    Q_EMIT failed(key, sentence);
    // Later, so that a program that never starts does not call itself for every question of the queue.
    QTimer::singleShot(0, this, [this] {
        if (!m_sent) sendNext();
    });
}

void LayoutClient::dropProcess()
{
    m_timer.stop();
    if (!m_process) return;
    QProcess *process = m_process;
    m_process = nullptr;
    process->disconnect(this);
    killGroup(*process);
    // Left to itself until it is gone, or the program ends: waiting here would stop the window.
    process->setParent(QCoreApplication::instance());
    if (process->state() == QProcess::NotRunning) {
        process->deleteLater();
    } else {
        connect(process, &QProcess::finished, process, &QObject::deleteLater);
    }
}

} // namespace remat::studio
