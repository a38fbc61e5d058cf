// SPDX-License-Identifier: Apache-2.0
#include "app/studio/base/style/translation.h"

#include "core/base/resources.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace remat::studio {

namespace {

constexpr QLatin1String kOurs("remat-studio");

bool install(QCoreApplication &application, const QLocale &language, const QString &name, const QString &folder)
{
    auto *translator = new QTranslator(&application);
    translator->setObjectName(name);
    if (translator->load(language, name, QStringLiteral("_"), folder) &&
        QCoreApplication::installTranslator(translator))
        return true;
    delete translator;
    return false;
}

} // namespace

bool installTranslation(QCoreApplication &application, const QLocale &locale)
{
    const QString folder = QString::fromStdString((resourceDir() / "translations").string());
    for (const QString &name : locale.uiLanguages()) {
        const QLocale language(name);
        if (language.language() == QLocale::English) return false;
        if (!install(application, language, kOurs, folder)) continue;
        install(application, language, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
        return true;
    }
    return false;
}

QString translationLanguage()
{
    const auto *translator = qApp->findChild<QTranslator *>(kOurs);
    return translator ? translator->language() : QString();
}

} // namespace remat::studio
