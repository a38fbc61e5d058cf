// SPDX-License-Identifier: Apache-2.0
// Calls the real `remat`, on a chain written to a file.
#pragma once

#include "tests/support/written.h"

namespace remat::test {

inline const QString kTinyGpt2 = QStringLiteral(REMAT_SAMPLES "/tiny_gpt2.pt2");

/// A folder of the test's own, and files in it; a test class derives from QObject and from this.
struct InFolder {
    QTemporaryDir m_folder;

    QString path(const QString &name) const { return m_folder.filePath(name); }
    QString write(const QString &name, const QByteArray &bytes) const { return written(path(name), bytes); }
    /// Empty where there is no such file.
    static QByteArray read(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
};

/// How a call ended.
struct Outcome {
    int code = -1;
    QString out, err;
    QJsonObject json() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
};

/// `remat-graph/1`: layers forward, loss, layers backward; every activation 1,000 bytes.
inline QByteArray chainJson(int layers, const QString &name)
{
    QJsonArray ops;
    const auto tensor = [](const QString &n, int bytes) { return QJsonObject{{"name", n}, {"bytes", bytes}}; };
    for (int i = 0; i < layers; ++i)
        ops.append(QJsonObject{{"name", QString("f%1").arg(i)},
                               {"kind", "layer"},
                               {"time_us", 10 + i},
                               {"inputs", QJsonArray{i == 0 ? QString("x") : QString("a%1").arg(i - 1)}},
                               {"outputs", QJsonArray{tensor(QString("a%1").arg(i), 1000)}},
                               {"module", QString("layers.%1").arg(i)},
                               {"phase", "forward"}});
    ops.append(QJsonObject{{"name", "loss"},
                           {"kind", "loss"},
                           {"time_us", 5},
                           {"inputs", QJsonArray{QString("a%1").arg(layers - 1)}},
                           {"outputs", QJsonArray{tensor("l", 4)}},
                           {"phase", "loss"}});
    for (int i = layers - 1; i >= 0; --i) {
        QJsonArray inputs{i == layers - 1 ? QString("l") : QString("g%1").arg(i + 1), QString("a%1").arg(i)};
        ops.append(QJsonObject{{"name", QString("b%1").arg(i)},
                               {"kind", "layer_backward"},
                               {"time_us", 20},
                               {"inputs", inputs},
                               {"outputs", QJsonArray{tensor(QString("g%1").arg(i), 1000)}},
                               {"phase", "backward"},
                               {"forward_op", QString("f%1").arg(i)}});
    }
    return QJsonDocument(
               QJsonObject{{"format", "remat-graph/1"},
                           {"name", name},
                           {"inputs", QJsonArray{QJsonObject{{"name", "x"}, {"bytes", 1000}, {"kind", "input"}}}},
                           {"ops", ops},
                           {"outputs", QJsonArray{"g0"}}})
        .toJson();
}

/// Runs `remat` to its end; the code of a crash is -1.
inline Outcome callRemat(const QStringList &arguments)
{
    QProcess process;
    process.start(QStringLiteral(REMAT_BIN "/remat"), arguments);
    process.waitForFinished(120000);
    const bool crashed = process.exitStatus() != QProcess::NormalExit;
    return {crashed ? -1 : process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

} // namespace remat::test
