// SPDX-License-Identifier: Apache-2.0
#include "core/base/expected.h"
#include "core/base/text.h"

#include <QtTest>

using namespace remat;

class TstText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shortTextsStay()
    {
        QCOMPARE(shortened("layers.0"), std::string("layers.0"));
        QCOMPARE(shortened(std::string(kLongestQuote, 'x')), std::string(kLongestQuote, 'x'));
        QCOMPARE(quotedName("a\x1b[31m"), std::string("\"a [31m\""));
    }

    void longOnesLoseTheirMiddle()
    {
        const std::string text = "begin" + std::string(1000000, 'x') + "end";
        const std::string cut = shortened(text);
        QCOMPARE(cut.size(), kLongestQuote);
        QVERIFY(cut.starts_with("beginxx") && cut.ends_with("xxend"));
        QVERIFY(cut.find("x…x") != std::string::npos);
    }

    /// Whatever the length: what is UTF-8 stays UTF-8.
    void charactersStayWhole()
    {
        std::string text;
        for (int i = 0; i < 100; ++i)
            text += i % 3 == 0 ? "ä" : i % 3 == 1 ? "€" : "𝄞";
        for (std::size_t most = 8; most < text.size(); ++most) {
            const std::string cut = shortened(text, most);
            QVERIFY(cut.size() <= most);
            QCOMPARE(printable(cut), cut);
        }
        const std::string noUtf8(1000, '\x80');
        QVERIFY(shortened(noUtf8).size() <= kLongestQuote);
    }

    void sentencesHaveAnEnd()
    {
        const auto failed = fail("The op " + std::string(1000000, 'n') + " is too long. Rename it.");
        QVERIFY(failed.value().message.size() <= kLongestSentence);
        QVERIFY(failed.value().message.starts_with("The op n"));
        QVERIFY(failed.value().message.ends_with("n is too long. Rename it."));
    }
};

QTEST_GUILESS_MAIN(TstText)
#include "tst_text.moc"
