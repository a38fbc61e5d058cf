// SPDX-License-Identifier: Apache-2.0
// The window in the person's language.
#pragma once

#include <QString>

class QCoreApplication;
class QLocale;

namespace remat::studio {

/// Installs the translation of the first of the locale's languages that there is one for, and Qt's own (buttons of
/// dialogs, names of keys) in the same language. False where the texts stay English: there is no translation, or
/// English comes first. Which languages there are says the folder `translations` of resourceDir(). Main thread.
bool installTranslation(QCoreApplication &application, const QLocale &locale);

/// The language of the translation that is installed, as its file is called: `de`; empty in English. Main thread.
QString translationLanguage();

} // namespace remat::studio
