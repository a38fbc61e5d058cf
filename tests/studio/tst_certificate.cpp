// SPDX-License-Identifier: Apache-2.0
// A certificate of training opens in a window of its own, which says what it comes to and of which plan it is.
#include "app/studio/base/text/memory_text.h"
#include "app/studio/base/text/text.h"
#include "app/studio/base/widgets/message_strip.h"
#include "app/studio/views/shared/verdict.h"
#include "core/base/digest.h"
#include "core/io/certificate.h"
#include "tests/studio/window_test.h"
#include "tests/support/written.h"

#include <nlohmann/json.hpp>

using namespace remat;
using namespace remat::studio;

class TestCertificate : public QObject, fixture::InWindow
{
    Q_OBJECT

    QString m_plan; ///< its digest of steps
    std::int64_t m_budget = 0;

    /// As training writes it, of the plan that `openPlanned` made; `change` comes before the seal.
    QString written(const std::function<void(nlohmann::ordered_json &)> &change = {})
    {
        nlohmann::ordered_json certificate = {
            {"format", "remat-certificate/1"},
            {"written_by", "remat-studio 0.1.0"},
            {"torch", "2.11.0"},
            {"device", "cpu"},
            {"graph", {{"name", "chain"}, {"fingerprint", document().model()->graph().fingerprint}, {"ops", 17}}},
            {"steps", m_plan.toStdString()},
            {"budget_bytes", m_budget},
            {"outside_bytes", 5056},
            {"predicted", {{"peak_bytes", m_budget - 1024}, {"time_us", 320.0}}},
            {"measured",
             {{"peak_bytes", m_budget},
              {"peak_between_ops_bytes", m_budget},
              {"peak_op", "b7"},
              {"seconds", 0.00041},
              {"plain", {{"peak_bytes", 2 * m_budget}, {"seconds", 0.00035}}}}},
            {"time_over_bound", 0.0123},
            {"compared", 35},
            {"equal", true},
            {"different", nlohmann::json::array()},
            {"pytorch", {{"verdict", "equal"}, {"why", "The graph computes what plain PyTorch computes."}}}};
        if (change) change(certificate);
        std::string text = certificate.dump(1);
        text.replace(text.size() - 2, 2, ",\n ");
        Digest digest;
        digest.add(std::string_view(text));
        text += "\"digest\": \"" + digest.hex() + "\"\n}\n";
        return test::written(m_folder.filePath(QStringLiteral("certificate.json")), QByteArray::fromStdString(text));
    }

    void openPlanned()
    {
        openChain(8);
        m_budget = document().model()->keepAll->peakBytes * 7 / 10;
        document().addPlan(fixture::solvedEntry(*document().model(), "chen-sqrt", m_budget, document().nextPlanId()));
        const Plan &plan = *document().currentPlan()->plan;
        m_plan = QString::fromStdString(namedStepsDigest(plan.steps, document().model()->graph()));
        QTRY_VERIFY(m_window->idle());
    }

    QDialog *shown() { return m_window->findChild<QDialog *>(QStringLiteral("certificateWindow")); }
    QString said(const char *name) { return shown()->findChild<QLabel *>(QString::fromLatin1(name))->text(); }
    VerdictLook verdict() { return shown()->findChild<VerdictBox *>(QStringLiteral("certificateVerdict"))->look(); }
    void drop(const QString &path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &enter);
        QDropEvent event(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(m_window.get(), &event);
    }

private Q_SLOTS:
    void init()
    {
        openFresh();
        openPlanned();
    }

    void saysWhatIsNotKnownOfPlainPyTorch()
    {
        m_window->openFile(written([](auto &certificate) { certificate.erase("pytorch"); }));
        QCOMPARE(verdict().ink, Token::Warn);
        QVERIFY(verdict().sentence.contains(QStringLiteral("did not look at plain PyTorch")));
    }

    void saysHowManyResultsNoRunRepeats()
    {
        m_window->openFile(written([](auto &certificate) { certificate["unrepeatable"] = 3; }));
        QCOMPARE(verdict().ink, Token::Ok);
        QVERIFY(verdict().sentence.contains(QStringLiteral("35 tensors; 3 more differ as much between two runs")));
    }

    void isRedWhereTheGraphIsWrong()
    {
        m_window->openFile(written([](auto &certificate) { certificate["pytorch"]["verdict"] = "different"; }));
        QCOMPARE(verdict().ink, Token::Error);
        QVERIFY(verdict().sentence.contains(QStringLiteral("The graph is not what PyTorch computes")));
    }

    void saysWhatItCertifies()
    {
        m_window->openFile(written());
        QVERIFY(shown() && shown()->isVisible());
        QCOMPARE(verdict().ink, Token::Ok);
        QVERIFY(verdict().sentence.contains(QStringLiteral("bit for bit (35 tensors)")));
        QCOMPARE(said("certificate13"), memoryText(2 * m_budget));
        QCOMPARE(said("certificate21"), QStringLiteral("0.41 ms"));
        QVERIFY(said("certificateBudget").contains(QStringLiteral("beside the plan")));
        QVERIFY(said("certificateBound").contains(QStringLiteral("1.23")));
        QVERIFY(said("certificateVersions").contains(QStringLiteral("PyTorch 2.11.0")));
        QVERIFY(said("certificatePlan").contains(toQString(document().currentPlan()->title)));
    }

    void droppedOneIsToldFromOthers()
    {
        drop(written([](auto &certificate) { certificate["steps"] = "00"; }));
        QVERIFY(shown());
        QVERIFY(said("certificatePlan").contains(QStringLiteral("none of its open plans")));
        delete shown();
        drop(written([](auto &certificate) { certificate["graph"]["fingerprint"] = "00"; }));
        QVERIFY(said("certificatePlan").contains(QStringLiteral("is of another graph")));
    }

    void mayAlsoSayNo()
    {
        m_window->openFile(written([](auto &certificate) {
            certificate["equal"] = false;
            certificate["different"] = {"loss"};
        }));
        QCOMPARE(verdict().ink, Token::Error);
        QVERIFY(verdict().sentence.contains(QStringLiteral("\"loss\"")));
        delete shown();
        m_window->openFile(written([](auto &certificate) {
            certificate["equal"] = nullptr;
            certificate["measured"]["plain"] = {{"did_not_fit", "CUDA out of memory."}};
            certificate["time_over_bound"] = nullptr;
        }));
        QCOMPARE(verdict().ink, Token::Warn);
        QCOMPARE(said("certificate13"), QStringLiteral("did not fit"));
    }

    void aChangedOneIsRefused()
    {
        const QString path = written();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray text = file.readAll().replace("\"compared\": 35", "\"compared\": 36");
        QVERIFY(file.resize(0) && file.seek(0) && file.write(text) == text.size());
        file.close();
        m_window->openFile(path);
        QVERIFY(!shown());
        QVERIFY(m_window->messages()->sentence().contains(QStringLiteral("was changed after it was written")));
    }

    void looksAsItDid_data() { fixture::lookRows({{"", QSize()}}); }
    void looksAsItDid()
    {
        const fixture::RowLook look;
        m_window->openFile(written());
        fixture::looksAsItDid(*shown(), "certificate");
    }
};

QTEST_MAIN(TestCertificate)
#include "tst_certificate.moc"
