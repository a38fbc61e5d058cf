// SPDX-License-Identifier: Apache-2.0
// Colours keep the contrast and the distances that were promised for them; fonts and icons are there.
#include "app/studio/base/style/style_sheet.h"
#include "app/studio/base/style/theme.h"
#include "app/studio/base/style/theme_table.h"

#include <QtTest>
#include <QtWidgets>

#include <algorithm>
#include <array>
#include <cmath>

using namespace remat;
using namespace remat::studio;

namespace {

using Triple = std::array<double, 3>;

double linear(int channel)
{
    const double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

Triple linearRgb(const QColor &color)
{
    return {linear(color.red()), linear(color.green()), linear(color.blue())};
}

/// WCAG 2 contrast ratio.
double contrast(const QColor &a, const QColor &b)
{
    const auto luminance = [](const QColor &color) {
        const Triple rgb = linearRgb(color);
        return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
    };
    const double high = std::max(luminance(a), luminance(b)), low = std::min(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

Triple multiply(const std::array<Triple, 3> &matrix, const Triple &v)
{
    Triple result{};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 3; ++column)
            result[row] += matrix[row][column] * v[column];
    return result;
}

constexpr std::array<Triple, 3> kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
// Full severity, Machado, Oliveira and Fernandes 2009, table 1; on linear RGB.
constexpr std::array<Triple, 3> kDeuteranopia{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr std::array<Triple, 3> kProtanopia{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr std::array<Triple, 3> kTritanopia{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

/// CAM02-UCS of a linear RGB colour under the sRGB viewing conditions: white D65, adapting luminance 64/5π cd/m²,
/// background 20, average surround (Luo, Cui and Li 2006).
Triple cam02(const Triple &rgb)
{
    constexpr std::array<Triple, 3> toXyz{
        {{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
    constexpr std::array<Triple, 3> cat02{
        {{0.7328, 0.4296, -0.1624}, {-0.7036, 1.6975, 0.0061}, {0.0030, 0.0136, 0.9834}}};
    // Hunt-Pointer-Estévez after the inverse of CAT02.
    constexpr std::array<Triple, 3> toHpe{
        {{0.7409792, 0.2180250, 0.0410058}, {0.2853532, 0.6242014, 0.0904454}, {-0.0096280, -0.0056980, 1.0153260}}};
    const Triple white{95.047, 100, 108.883};
    const double adapting = 64 / M_PI / 5, background = 20;
    const double f = 1, c = 0.69, nc = 1;

    const double k = 1 / (5 * adapting + 1);
    const double fl =
        0.2 * std::pow(k, 4) * 5 * adapting + 0.1 * std::pow(1 - std::pow(k, 4), 2) * std::cbrt(5 * adapting);
    const double n = background / white[1], z = 1.48 + std::sqrt(n), nbb = 0.725 * std::pow(1 / n, 0.2);
    const double degree = f * (1 - 1 / 3.6 * std::exp((-adapting - 42) / 92));
    const Triple whiteCat = multiply(cat02, white);
    const auto respond = [&](const Triple &xyz) {
        Triple cat = multiply(cat02, xyz);
        for (std::size_t i = 0; i < 3; ++i)
            cat[i] *= degree * white[1] / whiteCat[i] + 1 - degree;
        Triple hpe = multiply(toHpe, cat);
        for (double &value : hpe) {
            const double power = std::pow(fl * std::abs(value) / 100, 0.42);
            value = std::copysign(400 * power / (power + 27.13), value) + 0.1;
        }
        return hpe;
    };
    const auto achromatic = [&](const Triple &r) { return (2 * r[0] + r[1] + r[2] / 20 - 0.305) * nbb; };

    Triple xyz = multiply(toXyz, rgb);
    for (double &value : xyz)
        value *= 100;
    const Triple r = respond(xyz);
    const double a = r[0] - 12 * r[1] / 11 + r[2] / 11, b = (r[0] + r[1] - 2 * r[2]) / 9;
    const double hue = std::atan2(b, a);
    const double eccentricity = (std::cos(hue + 2) + 3.8) / 4;
    const double t = 50000.0 / 13 * nc * nbb * eccentricity * std::hypot(a, b) / (r[0] + r[1] + 21 * r[2] / 20);
    const double lightness = 100 * std::pow(achromatic(r) / achromatic(respond(white)), c * z);
    const double chroma = std::pow(t, 0.9) * std::sqrt(lightness / 100) * std::pow(1.64 - std::pow(0.29, n), 0.73);
    const double colourfulness = std::log(1 + 0.0228 * chroma * std::pow(fl, 0.25)) / 0.0228;
    return {1.7 * lightness / (1 + 0.007 * lightness), colourfulness * std::cos(hue), colourfulness * std::sin(hue)};
}

Triple clipped(Triple rgb)
{
    for (double &value : rgb)
        value = std::clamp(value, 0.0, 1.0);
    return rgb;
}

double distance(const QColor &a, const QColor &b, const std::array<Triple, 3> &vision)
{
    const Triple x = cam02(clipped(multiply(vision, linearRgb(a))));
    const Triple y = cam02(clipped(multiply(vision, linearRgb(b))));
    return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

constexpr std::array<Scheme, 3> kSchemes{Scheme::Light, Scheme::Dark, Scheme::HighContrast};
constexpr std::array<Token, 5> kSurfaces{Token::Window, Token::Panel, Token::Plot, Token::Raised, Token::Sunken};
constexpr std::array<Token, 8> kCategories{Token::Parameters, Token::States,    Token::Kept,
                                           Token::Recomputed, Token::Gradients, Token::ParameterGradients,
                                           Token::Offloaded,  Token::Workspace};

double worstOnSurfaces(Token token, Scheme scheme)
{
    double worst = 1e9;
    for (Token surface : kSurfaces)
        worst = std::min(worst, contrast(Theme::color(token, scheme), Theme::color(surface, scheme)));
    return worst;
}

} // namespace

class TestTheme : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        qunsetenv("REMAT_THEME");
        Theme::instance().apply();
    }

    void theEnvironmentCanChooseTheScheme()
    {
        qputenv("REMAT_THEME", "dark");
        Theme::instance().followSystem();
        QCOMPARE(Theme::instance().scheme(), Scheme::Dark);
        qputenv("REMAT_THEME", "contrast");
        Theme::instance().followSystem();
        QCOMPARE(Theme::instance().scheme(), Scheme::HighContrast);
        qunsetenv("REMAT_THEME");
        Theme::instance().followSystem();
        QCOMPARE(Theme::instance().scheme(), Scheme::Light);
    }

    void rowsAre24High()
    {
        QTreeWidget tree;
        tree.addTopLevelItem(new QTreeWidgetItem({QStringLiteral("transformer")}));
        tree.show();
        QCOMPARE(tree.visualItemRect(tree.topLevelItem(0)).height(), 24);
        QPushButton button(QStringLiteral("Solve"));
        QCOMPARE(button.sizeHint().height(), 32);
        QComboBox combo;
        QCOMPARE(combo.sizeHint().height(), 30);
        QLineEdit field;
        QCOMPARE(field.sizeHint().height(), 30);
    }

    void tableIsInOrder()
    {
        for (std::size_t i = 0; i < kThemeTable.size(); ++i)
            QCOMPARE(static_cast<std::size_t>(kThemeTable[i].token), i);
    }

    void contrastOnSurfaces_data()
    {
        QTest::addColumn<int>("token");
        QTest::addColumn<QList<double>>("ratios");
        const auto row = [](const char *name, Token token, double light, double dark, double high) {
            QTest::newRow(name) << static_cast<int>(token) << QList<double>{light, dark, high};
        };
        row("lineStrong", Token::LineStrong, 3.10, 3.45, 19.3);
        row("text", Token::Text, 14.6, 13.5, 19.3);
        row("text2", Token::Text2, 6.57, 8.13, 17.2);
        row("text3", Token::Text3, 4.75, 5.28, 12.5);
        row("accent", Token::Accent, 5.20, 6.25, 9.54);
        row("focus", Token::Focus, 5.20, 8.14, 15.1);
        row("ghost", Token::Ghost, 3.98, 6.11, 19.3);
        row("bound", Token::Bound, 4.13, 4.77, 9.38);
    }
    void contrastOnSurfaces()
    {
        QFETCH(int, token);
        QFETCH(QList<double>, ratios);
        for (std::size_t i = 0; i < kSchemes.size(); ++i)
            QVERIFY2(worstOnSurfaces(static_cast<Token>(token), kSchemes[i]) >= ratios[static_cast<int>(i)] - 0.06,
                     qPrintable(QString::number(worstOnSurfaces(static_cast<Token>(token), kSchemes[i]))));
    }

    void contrastOfPairs_data()
    {
        QTest::addColumn<int>("front");
        QTest::addColumn<int>("back");
        QTest::addColumn<QList<double>>("ratios");
        const auto row = [](const char *name, Token front, Token back, double light, double dark, double high) {
            QTest::newRow(name) << static_cast<int>(front) << static_cast<int>(back)
                                << QList<double>{light, dark, high};
        };
        row("onAccent", Token::OnAccent, Token::Accent, 6.16, 7.25, 10.4);
        row("text on accentSoft", Token::Text, Token::AccentSoft, 12.1, 12.1, 12.1);
        row("accent on accentSoft", Token::Accent, Token::AccentSoft, 5.20, 5.20, 5.20);
        row("error", Token::Error, Token::ErrorSoft, 5.59, 6.85, 10.4);
        row("warn", Token::Warn, Token::WarnSoft, 5.76, 8.16, 14.6);
        row("ok", Token::Ok, Token::OkSoft, 5.74, 7.52, 14.8);
        row("tag text on budget", Token::Panel, Token::Budget, 6.04, 6.28, 8.41);
        row("parameters", Token::Parameters, Token::Plot, 6.07, 5.43, 9.60);
        row("states", Token::States, Token::Plot, 9.39, 3.05, 4.57);
        row("kept", Token::Kept, Token::Plot, 3.75, 5.36, 7.14);
        row("recomputed", Token::Recomputed, Token::Plot, 3.09, 7.20, 10.2);
        row("gradients", Token::Gradients, Token::Plot, 10.5, 9.73, 14.0);
        row("parameter gradients", Token::ParameterGradients, Token::Plot, 3.47, 4.55, 6.66);
        row("offloaded", Token::Offloaded, Token::Plot, 3.75, 11.6, 16.7);
        row("workspace", Token::Workspace, Token::Plot, 4.45, 13.8, 18.2);
    }
    void contrastOfPairs()
    {
        QFETCH(int, front);
        QFETCH(int, back);
        QFETCH(QList<double>, ratios);
        for (std::size_t i = 0; i < kSchemes.size(); ++i) {
            const double ratio = contrast(Theme::color(static_cast<Token>(front), kSchemes[i]),
                                          Theme::color(static_cast<Token>(back), kSchemes[i]));
            QVERIFY2(ratio >= ratios[static_cast<int>(i)] - 0.06, qPrintable(QString::number(ratio)));
        }
    }

    void categoriesStayApart_data()
    {
        QTest::addColumn<int>("scheme");
        QTest::addColumn<QList<double>>("smallest"); // normal, deuteranopia, protanopia, tritanopia
        QTest::newRow("light") << 0 << QList<double>{24.3, 13.7, 9.6, 8.5};
        QTest::newRow("dark") << 1 << QList<double>{23.7, 18.3, 17.3, 17.4};
        QTest::newRow("high contrast") << 2 << QList<double>{17.6, 15.6, 15.7, 14.0};
    }
    void categoriesStayApart()
    {
        QFETCH(int, scheme);
        QFETCH(QList<double>, smallest);
        const Scheme in = kSchemes[static_cast<std::size_t>(scheme)];
        const std::array visions{kNormal, kDeuteranopia, kProtanopia, kTritanopia};
        for (std::size_t v = 0; v < visions.size(); ++v) {
            double least = 1e9;
            for (std::size_t i = 0; i < kCategories.size(); ++i)
                for (std::size_t j = i + 1; j < kCategories.size(); ++j)
                    least = std::min(least, distance(Theme::color(kCategories[i], in), Theme::color(kCategories[j], in),
                                                     visions[v]));
            QVERIFY2(std::abs(least - smallest[static_cast<int>(v)]) < 0.3,
                     qPrintable(QStringLiteral("vision %1: %2").arg(v).arg(least)));
        }
    }

    void styleSheetNamesTokensOnly()
    {
        for (Scheme scheme : kSchemes) {
            const QString sheet = styleSheet(scheme);
            QVERIFY(!sheet.contains(QLatin1Char('@')));
            QVERIFY(sheet.contains(Theme::color(Token::Accent, scheme).name()));
        }
        QCOMPARE(withTokens(QStringLiteral("a @text2~40;"), Scheme::Light), QStringLiteral("a rgba(74, 83, 97, 40%);"));
    }

    void fontsAreOurs()
    {
        QCOMPARE(QFontInfo(Theme::instance().font(FontRole::Body)).family(), QStringLiteral("Remat Sans"));
        QCOMPARE(QFontInfo(Theme::instance().font(FontRole::Mono)).family(), QStringLiteral("Remat Mono"));
        QCOMPARE(QFontInfo(Theme::instance().font(FontRole::Figure)).weight(), int(QFont::DemiBold));
    }

    void digitsHaveOneWidth()
    {
        for (FontRole role : {FontRole::PageTitle, FontRole::Figure, FontRole::Body, FontRole::Name, FontRole::Label,
                              FontRole::Small, FontRole::Mono}) {
            const QFontMetricsF metrics(Theme::instance().font(role));
            const qreal ones = metrics.horizontalAdvance(QStringLiteral("1111111111"));
            for (int digit = 0; digit < 10; ++digit)
                QVERIFY(std::abs(metrics.horizontalAdvance(QString(10, QLatin1Char(char('0' + digit)))) - ones) < 0.2);
            QVERIFY(std::abs(metrics.horizontalAdvance(QStringLiteral("1234567890")) - ones) < 0.2);
        }
    }

    void textHasTheSizesOfItsRoles()
    {
        for (FontRole role : {FontRole::PageTitle, FontRole::Figure, FontRole::SectionTitle, FontRole::Body,
                              FontRole::Name, FontRole::Label, FontRole::Small, FontRole::Mono}) {
            QCOMPARE(QFontInfo(Theme::instance().font(role)).pixelSize(), Theme::fontSize(role));
            QVERIFY(Theme::fontSize(role) >= 11);
        }
    }

    void everyIconThatIsNamedExists()
    {
        const QRegularExpression name(QStringLiteral("icon(?:Pixmap)?\\(\\s*QStringLiteral\\(\"([a-z0-9-]+)\"\\)"),
                                      QRegularExpression::CaseInsensitiveOption);
        QDirIterator files(QStringLiteral(REMAT_SAMPLES "/../../app/studio"), {QStringLiteral("*.cpp")}, QDir::Files,
                           QDirIterator::Subdirectories);
        int read = 0;
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            ++read;
            for (auto hit = name.globalMatch(QString::fromUtf8(file.readAll())); hit.hasNext();) {
                const QString icon = hit.next().captured(1);
                QVERIFY2(QFile::exists(QStringLiteral(":/icons/%1.svg").arg(icon)),
                         qPrintable(icon + QStringLiteral(" in ") + file.fileName()));
            }
        }
        QVERIFY(read > 0);
    }

    void iconsHaveTheTokensColour()
    {
        Theme &theme = Theme::instance();
        theme.setScheme(Scheme::Light);
        const QIcon icon = theme.icon(QStringLiteral("square"), Token::Error);
        const auto strongest = [](const QImage &image) {
            QColor best(Qt::transparent);
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y).alpha() > best.alpha()) best = image.pixelColor(x, y);
            return best;
        };
        QImage picture = icon.pixmap(QSize(36, 36), 2.0).toImage();
        QCOMPARE(picture.size(), QSize(72, 72));
        QCOMPARE(strongest(picture).rgb(), theme.color(Token::Error).rgb());
        theme.setScheme(Scheme::Dark);
        QCOMPARE(strongest(icon.pixmap(QSize(36, 36), 2.0).toImage()).rgb(), theme.color(Token::Error).rgb());
        QCOMPARE(theme.iconPixmap(QStringLiteral("box"), 15, Token::Text, 1.5).size(), QSize(23, 23));
    }

    void schemeChangesAreTold()
    {
        Theme &theme = Theme::instance();
        theme.setScheme(Scheme::Light);
        QSignalSpy changed(&theme, &Theme::changed);
        theme.setScheme(Scheme::Light);
        QCOMPARE(changed.count(), 0);
        theme.setScheme(Scheme::HighContrast);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(QGuiApplication::palette().color(QPalette::Base), theme.color(Token::Panel));
        theme.followSystem();
        QCOMPARE(theme.scheme(), Scheme::Light); // the test platform's palette is a light one
        QCOMPARE(changed.count(), 2);
        QCOMPARE(QGuiApplication::palette().color(QPalette::Base), theme.color(Token::Panel));
    }

    void patternsRepeatWithoutSeams()
    {
        Theme &theme = Theme::instance();
        for (std::size_t i = 0; i < kCategoryCount; ++i) {
            const auto category = static_cast<Category>(i);
            QImage image(60, 60, QImage::Format_RGB32);
            QPainter painter(&image);
            painter.fillRect(image.rect(), theme.categoryBrush(category, 1));
            painter.end();
            const bool flat = category == Category::KeptActivations;
            QSet<QRgb> colors;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    colors.insert(image.pixel(x, y));
            QCOMPARE(colors.size() == 1, flat);
            QVERIFY(colors.contains(theme.categoryColor(category).rgb()));
        }
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
