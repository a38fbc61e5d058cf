// SPDX-License-Identifier: Apache-2.0
// A program killed at any moment: what it kept can be read and is hardly older than its end. REMAT_KILLS says how many
// are killed (10 when it is not set).
#include "app/studio/shell/window/main_window.h"
#include "app/studio/work/jobs/samples.h"
#include "app/studio/work/pages/autosave.h"
#include "app/studio/work/pages/model_pages.h"
#include "app/studio/work/session/recovery.h"
#include "tests/studio/window_fixture.h"

#include <iostream>
#include <map>
#include <random>

#include <signal.h>

using namespace remat;
using namespace remat::studio;

namespace {

constexpr int kChangeEveryMs = 40;
constexpr int kLongestLifeMs = 7000;
constexpr int kTogether = 2;

/// The program that is killed: a real window in which something changes all the time. Every change is told on standard
/// output before the window has a chance to keep it.
int childMain(int argc, char **argv)
{
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("remat-studio"));
    QCoreApplication::setApplicationName(QStringLiteral("remat-studio"));
    MainWindow window;
    window.show();
    QStringList models = {QString::fromLocal8Bit(argv[2]), QString::fromLocal8Bit(argv[3])};
    constexpr std::int64_t kFirstBudget = 1'000'000'000; // above what any model opens with
    int count = 0;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &window, [&] {
        Document &document = window.session().document;
        if (!models.isEmpty() && !window.session().loader.running()) window.openFile(models.takeFirst());
        if (!document.model()) return;
        if (count % 15 == 14) window.pages().showNext(1);
        const std::int64_t peak = document.model()->keepAll->peakBytes;
        ++count;
        if (count % 10 == 0)
            document.addPlan(fixture::solvedEntry(*document.model(), "chen-sqrt", peak * (60 + count % 40) / 100,
                                                  document.nextPlanId()));
        const std::int64_t budget = kFirstBudget + count; // never the same twice, whatever model is shown
        std::cout << budget << ' ' << QDateTime::currentMSecsSinceEpoch() << std::endl;
        document.setBudget(budget);
    });
    timer.start(kChangeEveryMs);
    return QApplication::exec();
}

/// A program on its way to its end.
struct Life {
    QTemporaryDir home;
    QProcess process;
    qint64 endsMs = 0, killedMs = 0;
};

std::unique_ptr<Life> startLife(const QString &program, const QStringList &arguments, int lengthMs)
{
    auto life = std::make_unique<Life>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HOME"})
        environment.insert(QString::fromLatin1(name), life->home.path());
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    life->process.setProcessEnvironment(environment);
    life->process.setStandardErrorFile(QProcess::nullDevice());
    life->process.start(program, arguments);
    life->endsMs = QDateTime::currentMSecsSinceEpoch() + lengthMs;
    return life;
}

QString keptBy(const Life &life)
{
    return life.home.path() + QStringLiteral("/remat-studio/remat-studio/sessions");
}

} // namespace

class TestKilled : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    qint64 m_mostLostMs = 0;
    int m_read = 0, m_tooYoung = 0;
    std::size_t m_mostModels = 0; ///< in one session

    static int kills()
    {
        const int wanted = qEnvironmentVariableIntValue("REMAT_KILLS");
        return wanted > 0 ? wanted : 10;
    }

    static std::vector<Device> devices()
    {
        auto read = readDevices();
        return read ? *read : std::vector<Device>();
    }

    void end(Life &life)
    {
        life.killedMs = QDateTime::currentMSecsSinceEpoch();
        ::kill(static_cast<pid_t>(life.process.processId()), SIGKILL);
        QVERIFY(life.process.waitForFinished(120000));
        QCOMPARE(life.process.exitStatus(), QProcess::CrashExit);
    }

    void judge(Life &life)
    {
        std::map<std::int64_t, qint64> told; // when, by budget
        for (const QByteArray &line : life.process.readAllStandardOutput().split('\n')) {
            const QList<QByteArray> words = line.split(' ');
            if (words.size() == 2) told[words[0].toLongLong()] = words[1].toLongLong();
        }
        const QDir folder(keptBy(life));
        const qsizetype files = folder.entryList(sessionPatterns(), QDir::Files).size();
        const std::vector<LeftSession> left = findLeftSessions(folder.path());
        QCOMPARE(static_cast<qsizetype>(left.size()), files); // what is there can be read and nobody holds it
        if (left.empty()) {
            // Killed before there was anything, or while the first was being written.
            qint64 first = life.killedMs;
            for (const auto &[budget, when] : told)
                first = std::min(first, when);
            m_mostLostMs = std::max(m_mostLostMs, life.killedMs - first);
            ++m_tooYoung;
            return;
        }
        QCOMPARE(left.size(), std::size_t(1));
        const auto session = readSessionFile(left.front().path);
        QVERIFY2(session.has_value(), session ? "" : session.error().message.c_str());
        std::int64_t newest = 0;
        for (const SessionModel &model : session->models) {
            const auto opened = readSessionModel(model, left.front().path, {}, devices());
            QVERIFY2(opened.has_value(), opened ? "" : qPrintable(opened.error().sentence));
            newest = std::max(newest, model.budgetBytes);
        }
        ++m_read;
        m_mostModels = std::max(m_mostModels, session->models.size());
        const auto kept = told.find(newest);
        if (told.empty() || newest < told.begin()->first) return; // before the first change
        QVERIFY2(kept != told.end(), qPrintable(QStringLiteral("A budget of %1 was never set; told were %2 to %3.")
                                                    .arg(newest)
                                                    .arg(told.begin()->first)
                                                    .arg(told.rbegin()->first)));
        const auto next = std::next(kept); // the oldest change that is lost
        if (next != told.end()) m_mostLostMs = std::max(m_mostLostMs, life.killedMs - next->second);
    }

private Q_SLOTS:
    void atAnyMoment()
    {
        std::mt19937 random(20);
        const QString model = fixture::writeChain(m_folder, 40), second = fixture::writeChain(m_folder, 30);
        std::vector<std::unique_ptr<Life>> running;
        int started = 0;
        while (started < kills() || !running.empty()) {
            while (started < kills() && running.size() < kTogether) {
                running.push_back(startLife(QCoreApplication::applicationFilePath(),
                                            {QStringLiteral("--child"), model, second},
                                            static_cast<int>(random() % kLongestLifeMs) + 20));
                ++started;
            }
            QTest::qWait(5);
            for (auto life = running.begin(); life != running.end();) {
                if (QDateTime::currentMSecsSinceEpoch() < (*life)->endsMs) {
                    ++life;
                    continue;
                }
                end(**life);
                judge(**life);
                if (QTest::currentTestFailed()) return;
                life = running.erase(life);
            }
        }
        qInfo("%d killed: %d sessions read back, %d had kept nothing yet; at most %.1f s lost", started, m_read,
              m_tooYoung, static_cast<double>(m_mostLostMs) / 1000);
        QVERIFY2(m_mostLostMs < 60000, qPrintable(QString::number(m_mostLostMs)));
        QVERIFY(m_read > 0);
        QCOMPARE(m_mostModels, std::size_t(2));
    }

    void theProgramItselfRecovers()
    {
        const QString program = QStringLiteral(REMAT_BIN "/remat-studio");
        if (!QFileInfo(program).isExecutable()) QFAIL("remat-studio is not built.");
        auto life = startLife(
            program, {QStringLiteral("--sample"), QStringLiteral("tiny_gpt2"), QStringLiteral("--solve")}, 60000);
        const QDir folder(keptBy(*life));
        const auto withPlan = [&] {
            for (const QString &name : folder.entryList(sessionPatterns(), QDir::Files)) {
                const auto file = readSessionFile(folder.filePath(name));
                if (!file || file->models.empty()) continue;
                const std::vector<SessionPlan> &plans = file->models.front().plans;
                if (std::any_of(plans.begin(), plans.end(), [](const SessionPlan &plan) { return !plan.quick; }))
                    return true;
            }
            return false;
        };
        QTRY_VERIFY(withPlan());
        end(*life);
        QVERIFY2(findLeftSessions(folder.path()).size() == 1, "the lock of a killed program is free");

        // The next one opens it, and once it keeps it anew the old file goes.
        const QStringList before = folder.entryList(sessionPatterns(), QDir::Files);
        QProcess next;
        next.setProcessEnvironment(life->process.processEnvironment());
        next.setStandardErrorFile(QProcess::nullDevice());
        next.start(program, {QStringLiteral("--recover")});
        const auto taken = [&] {
            const QStringList now = folder.entryList(sessionPatterns(), QDir::Files);
            return now.size() == 1 && now != before;
        };
        QTRY_VERIFY(taken());
        QVERIFY(withPlan());
        next.kill();
        QVERIFY(next.waitForFinished());
    }
};

int main(int argc, char **argv)
{
    if (argc == 4 && qstrcmp(argv[1], "--child") == 0) return childMain(argc, argv);
    QCoreApplication application(argc, argv);
    TestKilled test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_killed.moc"
