#include "app/studio/style/translation.h"

#include "core/base/resources.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace remat::studio {

namespace {

bool install(QCoreApplication &application, const QLocale &language, const QString &name, const QString &folder)
{
    auto *translator = new QTranslator(&application);
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
        if (!install(application, language, QStringLiteral("remat-studio"), folder)) continue;
        install(application, language, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
        return true;
    }
    return false;
}

} // namespace remat::studio
