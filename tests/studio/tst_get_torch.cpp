// SPDX-License-Identifier: Apache-2.0
// Validating where there is no LibTorch: one click gets it and goes on. The installer, and what runs graphs, are made
// up.
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/message_strip.h"
#include "core/base/child_process.h"
#include "core/base/file.h"
#include "core/base/resources.h"
#include "gpu/run_messages.h"
#include "gpu/torch_install.h"
#include "gpu/torch_location.h"
#include "tests/studio/window_test.h"

using namespace remat;
using namespace remat::studio;

class TestGetTorch : public QObject, fixture::InWindow
{
    Q_OBJECT

    QString path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    void writeProgram(const char *name, const QString &text)
    {
        QVERIFY(writeFileAtomically(toPath(path(name)), "#!/bin/sh\n" + text.toStdString()));
        QVERIFY(QFile::setPermissions(path(name), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    void writeReply(const char *name, const RunReply &reply)
    {
        QVERIFY(writeFileAtomically(toPath(path(name)), framed(pack(reply))));
    }

    QAbstractButton *action()
    {
        return m_window->messages()->findChild<QAbstractButton *>(QStringLiteral("messageAction"));
    }

    void validate()
    {
        command("validate")->trigger();
        QVERIFY(m_window->session().runner.validating());
        QTRY_VERIFY(!m_window->session().runner.validating());
        QTRY_VERIFY(m_window->messages()->isVisible());
    }

private Q_SLOTS:
    void initTestCase()
    {
        // All resources but the installer are the real ones.
        const QDir real(QString::fromStdString(resourceDir().string()));
        QVERIFY(QDir().mkpath(path("resources")));
        for (const QString &name : real.entryList(QDir::AllEntries | QDir::NoDotAndDotDot))
            if (name != QStringLiteral("get-torch"))
                QVERIFY(QFile::link(real.filePath(name), path("resources") + u'/' + name));
        qputenv("REMAT_RESOURCES", path("resources").toUtf8());

        RuntimeInfo none, some;
        none.sentence = "Running graphs needs LibTorch, and there is none on this machine.";
        none.torchMissing = true;
        some.available = true;
        ValidationRecord record;
        record.passed = record.lossEqual = record.peakHolds = true;
        record.device = "cpu";
        record.sentence = "Loss equal bit for bit.";
        writeReply("none", none);
        writeReply("some", some);
        writeReply("record", record);
        writeProgram("remat-run", QStringLiteral("cd '%1'\n"
                                                 "if [ ! -e installed ]; then cat none\n"
                                                 "elif [ ! -e asked ]; then touch asked; cat some\n"
                                                 "else cat record; fi\n")
                                      .arg(m_folder.path()));
        qputenv("REMAT_RUN", path("remat-run").toUtf8());
        if (builtTorchVersion().empty()) QSKIP("This build runs no graphs, so there is nothing to get.");

        openWindow();
        QVERIFY(m_window->openSample(QStringLiteral("tiny_gpt2")));
        QTRY_VERIFY(document().model() && m_window->idle());
        QTRY_VERIFY(document().currentPlan());
    }

    void theSizeIsOnTheButton()
    {
        validate();
        QVERIFY2(m_window->messages()->sentence().contains(QStringLiteral("there is none on this machine")),
                 qPrintable(m_window->messages()->sentence()));
        QVERIFY(action()->isVisible());
        QVERIFY2(action()->text().contains(toQString(torchInstall(torchKindWanted())->size)),
                 qPrintable(action()->text()));
    }

    void aFailureSaysWhatTheInstallerSaid()
    {
        writeProgram("resources/get-torch", QStringLiteral("echo 'pip says much' >&2\n"
                                                           "echo 'There is no room left.' >&2\nexit 1\n"));
        validate();
        QTest::mouseClick(action(), Qt::LeftButton);
        QTRY_VERIFY(!m_window->session().runner.validating());
        QTRY_COMPARE(m_window->messages()->sentence(),
                     QStringLiteral("LibTorch could not be got. There is no room left."));
    }

    void itCanBeStopped()
    {
        writeProgram("resources/get-torch", QStringLiteral("sleep 60 & echo $! >'%1'; wait\n").arg(path("sleeper")));
        validate();
        QTest::mouseClick(action(), Qt::LeftButton);
        QTRY_VERIFY(QFileInfo(path("sleeper")).size() > 0);
        m_window->session().runner.stopValidation();
        QVERIFY(!m_window->session().runner.validating());
        const QByteArray pid = QByteArray::fromStdString(*readFile(toPath(path("sleeper")))).trimmed();
        QTRY_VERIFY(!QFileInfo::exists(QStringLiteral("/proc/") + QString::fromLatin1(pid)));
    }

    void oneClickGetsItAndValidates()
    {
        writeProgram("resources/get-torch", QStringLiteral("echo \"Downloading torch $2\"\n"
                                                           "while [ ! -e '%1' ]; do sleep 0.02; done\n"
                                                           "touch '%2'\n")
                                                .arg(path("go"), path("installed")));
        validate();
        QTest::mouseClick(action(), Qt::LeftButton);
        const PlanRunner &runner = m_window->session().runner;
        QTRY_VERIFY2(runner.activity().contains(QStringLiteral("Downloading torch") + u' ' +
                                                toQString(torchInstall(torchKindWanted())->version)),
                     qPrintable(runner.activity()));
        QVERIFY(writeFileAtomically(toPath(path("go")), ""));
        QTRY_VERIFY(!runner.validating());
        QVERIFY2(!m_window->messages()->isVisible(), qPrintable(m_window->messages()->sentence()));
        QVERIFY(verdictOf(*document().currentPlan(), 0).wasRun);
    }

    void cleanupTestCase() { m_window.reset(); }
};

QTEST_MAIN(TestGetTorch)
#include "tst_get_torch.moc"
