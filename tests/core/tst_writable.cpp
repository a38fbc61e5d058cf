// SPDX-License-Identifier: Apache-2.0
#include "core/base/writable.h"

#include <QtTest>

using namespace remat;

class TestWritable : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }
    QString write(const char *name) const
    {
        QFile file(QString::fromStdString(path(name)));
        if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write the test's file");
        file.write("kept");
        return file.fileName();
    }

private Q_SLOTS:
    void whatCanBeWrittenStaysAsItIs()
    {
        const QString there = write("there");
        QVERIFY(checkWritable(there.toStdString()));
        QVERIFY(checkWritable(path("new")));
        QVERIFY(checkWritable("/dev/null"));
        QFile file(there);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("kept"));
        QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("there")});
    }

    void whatCannotBeWrittenIsSaid_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("why");
        QTest::newRow("folder") << m_folder.path() << "is a folder";
        QTest::newRow("no folder") << m_folder.filePath(QStringLiteral("none/a")) << "There is no folder";
        QTest::newRow("no name") << QString() << "names no file";
        QTest::newRow("folder with a slash") << m_folder.path() + QLatin1Char('/') << "names no file";
        QTest::newRow("a file as folder") << write("plain") + QStringLiteral("/a") << "There is no folder";
        QTest::newRow("read-only system") << QStringLiteral("/proc/remat") << "cannot be written";
        QTest::newRow("too long") << m_folder.filePath(QString(300, QLatin1Char('x'))) << "cannot be written";
    }
    void whatCannotBeWrittenIsSaid()
    {
        QFETCH(QString, name);
        QFETCH(QString, why);
        const auto checked = checkWritable(name.toStdString());
        QVERIFY(!checked);
        QVERIFY2(QString::fromStdString(checked.error().message).contains(why), checked.error().message.c_str());
    }

    void aFileIsTheSameThroughLinks()
    {
        const QString there = write("same"), link = m_folder.filePath(QStringLiteral("link"));
        QVERIFY(QFile::link(there, link));
        QVERIFY(isSameFile(there.toStdString(), link.toStdString()));
        QVERIFY(isSameFile(there.toStdString(), path("./same")));
        QVERIFY(!isSameFile(there.toStdString(), write("other").toStdString()));
        QVERIFY(!isSameFile(path("none"), path("none")));
    }
};

QTEST_GUILESS_MAIN(TestWritable)
#include "tst_writable.moc"
