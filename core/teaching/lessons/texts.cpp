// SPDX-License-Identifier: Apache-2.0
#include "core/teaching/lessons/texts.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/io/graph_header.h"
#include "core/io/json_cursor.h"
#include "core/io/json_lines.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <set>

namespace remat {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMostTextBytes = 8 << 20;
constexpr std::string_view kBreak = "\n\n";

std::vector<std::string> paragraphsOf(const std::string &text)
{
    std::vector<std::string> all;
    std::size_t at = 0;
    for (std::size_t end = text.find(kBreak); end != std::string::npos; end = text.find(kBreak, at)) {
        all.push_back(text.substr(at, end - at));
        at = end + kBreak.size();
    }
    all.push_back(text.substr(at));
    return all;
}

/// The names in braces, sorted.
std::vector<std::string> figuresIn(const std::string &text)
{
    std::vector<std::string> names;
    std::size_t at = 0;
    while ((at = text.find('{', at)) != std::string::npos) {
        const std::size_t close = text.find('}', at);
        if (close == std::string::npos) break;
        names.push_back(text.substr(at, close + 1 - at));
        at = close;
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool needsWords(const std::string &text)
{
    int depth = 0;
    for (const char each : text) {
        depth += each == '{' ? 1 : each == '}' ? -1 : 0;
        const char lower = static_cast<char>(each | 0x20);
        if (depth == 0 && lower >= 'a' && lower <= 'z') return true;
    }
    return false;
}

std::size_t countOf(const std::string &text, const std::string &part)
{
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

/// What the translation has lost; empty when nothing.
std::string lost(const TranslatedText &each)
{
    if (each.text.empty()) return "It is empty: translate it.";
    if (figuresIn(each.source) != figuresIn(each.text)) return "It must hold the same figures in braces as its source.";
    if (countOf(each.source, "**") != countOf(each.text, "**"))
        return "It must hold as many words between two stars as its source.";
    if (countOf(each.source, "`") != countOf(each.text, "`"))
        return "It must hold as many names between ` and ` as its source.";
    return {};
}

} // namespace

fs::path textsPath(const fs::path &file, const std::string &language)
{
    return file.parent_path() / language / file.filename();
}

std::vector<std::string> textLanguages(const fs::path &file)
{
    std::vector<std::string> languages;
    std::error_code error;
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    for (const auto &entry : fs::directory_iterator(folder, error))
        if (entry.is_directory(error) && fs::exists(entry.path() / file.filename(), error))
            languages.push_back(entry.path().filename().string());
    std::sort(languages.begin(), languages.end());
    return languages;
}

Expected<TranslatedTexts> parseTexts(std::string_view text, const fs::path &path)
{
    const std::string title = fmt::format("{}/{}", path.parent_path().filename().string(), path.filename().string());
    auto document = JsonDocument::parse(text, title);
    if (!document) return tl::unexpected(document.error());
    const JsonCursor root = document->root();
    checkFormat(root, "remat-texts/1", "texts in another language");
    TranslatedTexts texts;
    texts.path = path;
    texts.source = text;
    for (const JsonCursor &each : root["texts"].items()) {
        texts.texts.push_back({each["source"].text(), each["text"].text()});
        if (document->failed()) break;
    }
    if (!document->failed()) return texts;
    const int line = lineOfPath(text, document->failedPath());
    const std::string sentence = document->failure().value().message;
    const bool placed = line > 0 && sentence.compare(0, title.size() + 2, printable(title) + ": ") == 0;
    if (!placed) return document->failure();
    return fail("{}, line {}{}", printable(title), line, sentence.substr(title.size()));
}

Expected<TranslatedTexts> readTexts(const fs::path &path)
{
    auto text = readFile(path, kMostTextBytes);
    if (!text) return tl::unexpected(text.error());
    return parseTexts(*text, path);
}

void translate(const TextWalk &walk, const TranslatedTexts &texts)
{
    std::map<std::string_view, std::string_view> known;
    for (const TranslatedText &each : texts.texts)
        known.emplace(each.source, each.text);
    walk([&known](const std::string & /*field*/, std::string &text) {
        std::string all;
        for (const std::string &part : paragraphsOf(text)) {
            const auto found = known.find(part);
            if (!all.empty()) all += kBreak;
            all += found == known.end() ? std::string_view(part) : found->second;
        }
        text = std::move(all);
    });
}

std::vector<TextMistake> translationMistakes(const TextWalk &walk, const TranslatedTexts &texts)
{
    std::vector<TextMistake> mistakes;
    const auto say = [&](const std::string &field, const std::string &sentence) {
        mistakes.push_back({lineOfPath(texts.source, field), field, sentence});
    };
    std::set<std::string> known, there;
    for (const TranslatedText &each : texts.texts)
        known.insert(each.source);
    walk([&](const std::string &field, std::string &text) {
        for (const std::string &part : paragraphsOf(text))
            if (there.insert(part).second && needsWords(part) && !known.contains(part))
                say("texts", fmt::format("{} has no translation: {}.", field, quotedName(part)));
    });
    std::set<std::string> seen;
    for (std::size_t i = 0; i < texts.texts.size(); ++i) {
        const TranslatedText &each = texts.texts[i];
        const std::string field = fmt::format("texts[{}]", i);
        if (!there.contains(each.source))
            say(field + ".source", "This text is not there any more: translate the one that stands in its place.");
        if (!seen.insert(each.source).second) say(field + ".source", "This text is translated twice.");
        if (const std::string what = lost(each); !what.empty()) say(field + ".text", what);
    }
    return mistakes;
}

} // namespace remat
