// SPDX-License-Identifier: Apache-2.0
// Helpers that do anything but what they should: whoever started them goes on in time, and nothing of them is left.
#include "tests/support/patience.h"

#include "core/base/child_process.h"

#include <QtTest>

#include <csignal>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

using namespace remat;

namespace {

ChildProcess shell(const std::string &script, ChildProgram program = {})
{
    program.path = "/bin/sh";
    program.arguments = {"-c", script};
    Expected<ChildProcess> child = ChildProcess::start(program);
    if (!child) qFatal("%s", child.error().message.c_str());
    return *std::move(child);
}

/// Processes that run with `marker` as an argument, those that have only to be reaped left out.
int running(const QByteArray &marker)
{
    int count = 0;
    const QStringList processes = QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[0-9]*")}, QDir::Dirs);
    for (const QString &process : processes) {
        QFile arguments(QStringLiteral("/proc/%1/cmdline").arg(process));
        if (arguments.open(QIODevice::ReadOnly) && arguments.readAll().split('\0').contains(marker)) ++count;
    }
    return count;
}

/// A length of sleep that no other test has.
QByteArray ownSeconds()
{
    static int next = 0;
    return QByteArray::number(100000 + 1000 * (getpid() % 100000)) + "." + QByteArray::number(++next);
}

} // namespace

class TstChildProcess : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsSaidGoesBothWays()
    {
        ChildProcess child = shell("cat");
        const std::string large(5'000'000, 'x');
        QVERIFY(child.send(framed("one") + framed("") + framed(large), Deadline(30)));
        std::vector<std::string> taken;
        while (taken.size() < 3 && child.receive(5000))
            while (auto frame = child.takeFrame())
                taken.push_back(*std::move(frame));
        QVERIFY(taken == std::vector<std::string>({"one", "", large}));
        QCOMPARE(child.end().signal, std::optional<int>(SIGKILL));
        QVERIFY(child.end().signal.has_value()); // also when asked again
    }

    void aNameOfNoProgramIsASentence()
    {
        ChildProgram program;
        program.path = "/nowhere/helper";
        const Expected<ChildProcess> child = ChildProcess::start(program);
        QVERIFY(!child);
        QVERIFY(child.error().message.find("/nowhere/helper cannot be started") == 0);
    }

    void whatDoesNotListenIsLeft_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<bool>("closes");
        QTest::newRow("does not read") << QByteArray("sleep SECONDS") << false;
        QTest::newRow("ignores SIGTERM") << QByteArray("trap '' TERM INT HUP; sleep SECONDS; sleep SECONDS") << false;
        QTest::newRow("its children hold the socket") << QByteArray("sleep SECONDS & sleep SECONDS") << false;
        QTest::newRow("its children outlive it") << QByteArray("sleep SECONDS & sleep SECONDS & exit 3") << false;
        QTest::newRow("closes and lives on") << QByteArray("sleep SECONDS <&- >&- & exec <&- >&-; wait") << true;
        QTest::newRow("stops itself") << QByteArray("sleep SECONDS & kill -STOP $$") << false;
    }

    void whatDoesNotListenIsLeft()
    {
        QFETCH(QByteArray, script);
        QFETCH(const bool, closes);
        const QByteArray seconds = ownSeconds();
        script.replace("SECONDS", seconds);
        QElapsedTimer timer;
        timer.start();
        {
            ChildProcess child = shell(script.toStdString());
            QTRY_VERIFY(running(seconds) > 0);
            QVERIFY(!child.send(std::string(10'000'000, 'x'), Deadline(0.2)));
            if (closes) QVERIFY(!child.receive(test::kPatienceMs));
            QVERIFY(!child.takeFrame());
        }
        QVERIFY2(timer.elapsed() < 200 + test::kPatienceMs, "it was waited for");
        QTRY_COMPARE(running(seconds), 0);
    }

    void whatWritesWithoutEndIsCutOff_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::newRow("text") << QByteArray("yes");            // a frame of 2^61 bytes
        QTest::newRow("zeros") << QByteArray("cat /dev/zero"); // empty frames
    }

    void whatWritesWithoutEndIsCutOff()
    {
        QFETCH(const QByteArray, script);
        ChildProgram program;
        program.mostFrameBytes = 1 << 20;
        program.mostBytes = 1 << 24;
        ChildProcess child = shell(script.toStdString(), program);
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!child.send(std::string(10'000'000, 'x'), Deadline(0.2)));
        qint64 frames = 0;
        while (child.receive(1000))
            while (child.takeFrame())
                ++frames;
        QVERIFY(child.saidTooMuch());
        QVERIFY(frames <= (1 << 24) / 8);
        child.end();
        QVERIFY(timer.elapsed() < 200 + test::kPatienceMs);
    }

    void whatIsNotTakenIsNotHeldWithoutEnd()
    {
        ChildProgram program;
        program.mostFrameBytes = 1 << 16;
        ChildProcess child = shell("cat /dev/zero", program);
        QVERIFY(!child.send("x" + std::string(1 << 24, 'x'), Deadline(0.3)));
        QVERIFY(child.takeBytes().size() < (1 << 18));
    }

    void aStopEndsTheSending()
    {
        ChildProcess child = shell("sleep 1000");
        StopToken stop;
        std::thread later([&stop] {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            stop.requestStop();
        });
        QVERIFY(!child.send(std::string(10'000'000, 'x'), {}, &stop));
        later.join();
    }

    void itsEndIsTold_data()
    {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("signal");
        QTest::newRow("at once") << QByteArray("exit 0") << 0 << 0;
        QTest::newRow("a code") << QByteArray("exit 7") << 7 << 0;
        QTest::newRow("a signal") << QByteArray("kill -SEGV $$") << -1 << SIGSEGV;
        QTest::newRow("killed") << QByteArray("sleep 1000") << -1 << SIGKILL;
    }

    void itsEndIsTold()
    {
        QFETCH(const QByteArray, script);
        QFETCH(const int, code);
        QFETCH(const int, signal);
        ChildProcess child = shell(script.toStdString());
        const ChildEnd end = child.end(signal == SIGKILL ? 0.05 : test::kPatienceSeconds);
        QCOMPARE(end.exitCode.value_or(-1), code);
        QCOMPARE(end.signal.value_or(0), signal);
    }

    void anAnswerBeforeTheEndIsHeard()
    {
        ChildProcess child = shell("printf '\\005\\0\\0\\0\\0\\0\\0\\0hello'; exit 1");
        while (child.receive(test::kPatienceMs)) {
        }
        QCOMPARE(child.takeFrame().value_or(""), std::string("hello"));
        QCOMPARE(child.end().exitCode.value_or(-1), 1);
    }

    void standardErrorIsKeptUpToItsLimit()
    {
        ChildProgram program;
        program.mostErrorBytes = 1000;
        ChildProcess child = shell("for i in 1 2 3 4 5 6 7 8; do head -c 100000 /dev/zero >&2; done; exit 4", program);
        while (child.receive(test::kPatienceMs)) {
        }
        QCOMPARE(child.end(test::kPatienceSeconds).exitCode.value_or(-1), 4);
        QCOMPARE(child.errors(), std::string(1000, '\0'));
    }

    void onlyWhatIsHandedOnIsOpenInIt()
    {
        const int first = open("/dev/null", O_RDONLY), second = open("/etc/hostname", O_RDONLY); // without CLOEXEC
        ChildProgram program;
        program.inherited = {second, first};
        ChildProcess child =
            shell("readlink /proc/self/fd/3 /proc/self/fd/4; test -e /proc/$$/fd/5 || echo none", program);
        while (child.receive(test::kPatienceMs)) {
        }
        const std::string told = child.takeBytes();
        close(first);
        close(second);
        QVERIFY2(told == "/etc/hostname\n/dev/null\nnone\n", told.c_str());
    }

    void variablesTakeThePlaceOfThoseThatAreThere()
    {
        const auto said = [](const std::vector<std::string> &variables) {
            ChildProgram program;
            program.variables = variables;
            ChildProcess child = shell("echo \"$REMAT_TEST_A,$REMAT_TEST_AB\"", program);
            std::string text;
            for (bool speaks = true; speaks; text += child.takeBytes())
                speaks = child.receive(20);
            return QString::fromStdString(text);
        };
        qputenv("REMAT_TEST_A", "here");
        qputenv("REMAT_TEST_AB", "longer");
        QCOMPARE(said({}), QStringLiteral("here,longer\n"));
        QCOMPARE(said({"REMAT_TEST_A=there"}), QStringLiteral("there,longer\n"));
        qunsetenv("REMAT_TEST_A");
        QCOMPARE(said({"REMAT_TEST_A="}), QStringLiteral(",longer\n"));
        qunsetenv("REMAT_TEST_AB");
    }

    void helpersReadOnlyWhatTheyCanHold()
    {
        std::array<int, 2> ends{};
        QVERIFY(pipe(ends.data()) == 0);
        QVERIFY(writeFrame(ends[1], "abc") && writeFrame(ends[1], "de"));
        QCOMPARE(write(ends[1], "\0\0\0\0\0\0\0\x10", 8), 8);
        QCOMPARE(readFrame(ends[0], 3).value_or("none"), std::string("abc"));
        QCOMPARE(readFrame(ends[0], 3).value_or("none"), std::string("de"));
        QVERIFY(!readFrame(ends[0], std::size_t(1) << 40)); // 2^60 bytes
        close(ends[1]);
        QVERIFY(!readFrame(ends[0], 3));
        close(ends[0]);
    }
};

QTEST_GUILESS_MAIN(TstChildProcess)
#include "tst_child_process.moc"
