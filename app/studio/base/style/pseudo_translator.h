// SPDX-License-Identifier: Apache-2.0
// A translator that knows no language: it makes every text longer, to see where a real one would not fit.
#pragma once

#include <QTranslator>

namespace remat::studio {

/// Texts become 40 % longer, at least by two characters, and stand in brackets: what is not in brackets cannot be
/// translated, what does not end in one is cut off. Places for values, keys and mnemonics stay.
class PseudoTranslator : public QTranslator
{
    Q_OBJECT
public:
    using QTranslator::QTranslator;
    QString translate(const char *context, const char *source, const char *disambiguation, int n) const override;
    bool isEmpty() const override { return false; }
};

} // namespace remat::studio
