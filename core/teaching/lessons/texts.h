// SPDX-License-Identifier: Apache-2.0
// Texts of a file in another language: `lessons/de/sqrt.json` beside `lessons/sqrt.json`, `remat-texts/1`.
#pragma once

#include "core/base/expected.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace remat {

/// An English text as the file has it, and the same in the other language. Texts of several paragraphs (with an empty
/// line between) are translated paragraph by paragraph.
struct TranslatedText {
    std::string source, text;
};

struct TranslatedTexts {
    std::filesystem::path path;
    std::vector<TranslatedText> texts;
    std::string source; ///< the file's text, by which mistakes find their line
};

/// Something wrong in a file, for the one who writes it.
struct TextMistake {
    int line = 0;         ///< from 1; 0 when unknown
    std::string field;    ///< `texts[2].text`
    std::string sentence; ///< what is wrong, and what to do
};

/// Visits the texts of a file: where each stands in it, and the text, which may be changed.
using TextVisitor = std::function<void(const std::string &field, std::string &text)>;
using TextWalk = std::function<void(const TextVisitor &visit)>;

/// `folder/de/sqrt.json` for `folder/sqrt.json` and `de`.
std::filesystem::path textsPath(const std::filesystem::path &file, const std::string &language);
/// The languages that the file is translated into, in the order of the alphabet.
std::vector<std::string> textLanguages(const std::filesystem::path &file);

/// Reads a `remat-texts/1`; a mistake becomes a sentence with its line and field.
Expected<TranslatedTexts> parseTexts(std::string_view text, const std::filesystem::path &path);
Expected<TranslatedTexts> readTexts(const std::filesystem::path &path);

/// Puts every text that has a translation into the other language; the others stay. O(texts · log texts).
void translate(const TextWalk &walk, const TranslatedTexts &texts);

/// Texts without a translation, translations of texts that are not there any more or stand twice, and translations
/// that lose a `{figure}`, the stars of a **word** or the marks of a `name`. A text without a letter outside of braces
/// needs none.
std::vector<TextMistake> translationMistakes(const TextWalk &walk, const TranslatedTexts &texts);

} // namespace remat
