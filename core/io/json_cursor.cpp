// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_cursor.h"

#include "core/base/text.h"
#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

namespace remat {

namespace {

using nlohmann::json;

constexpr std::size_t kMaxShown = 60;

/// What a text of JSON becomes when it is read, seen without reading it.
struct Outlook {
    int depth = 0; ///< open brackets outside strings. The parser needs no stack, but what walks the tree does
    std::int64_t treeBytes = 0; ///< memory of the tree: what `nlohmann::json` and the heap of glibc take
};

Outlook outlookOf(std::string_view text)
{
    constexpr std::int64_t kElement = 40; // 16, in a list that grows by doubling
    constexpr std::int64_t kList = 32, kObject = 64, kMember = 96, kText = 48;
    constexpr std::size_t kInPlace = 15; // longer texts lie apart
    Outlook outlook;
    int depth = 0;
    std::size_t begin = 0; // start of the string that is open; 0: none
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (begin > 0) {
            if (c == '\\') {
                ++i;
            } else if (c == '"') {
                const std::size_t length = i - begin;
                outlook.treeBytes += kText + (length > kInPlace ? static_cast<std::int64_t>(length) + 17 : 0);
                begin = 0;
            }
        } else if (c == '"') {
            begin = i + 1;
        } else if (c == '[' || c == '{') {
            outlook.depth = std::max(outlook.depth, ++depth);
            outlook.treeBytes += kElement + (c == '[' ? kList : kObject);
        } else if (c == ']' || c == '}') {
            --depth;
        } else if (c == ',') {
            outlook.treeBytes += kElement;
        } else if (c == ':') {
            outlook.treeBytes += kMember - kElement - kText; // what was taken for an element and a text of its own
        }
    }
    return outlook;
}

bool appendPath(const json &here, const json *wanted, std::string &path)
{
    if (&here == wanted) return true;
    const std::size_t length = path.size();
    if (here.is_object()) {
        for (auto it = here.begin(); it != here.end(); ++it) {
            if (length > 0) path += '.';
            path += it.key();
            if (appendPath(*it, wanted, path)) return true;
            path.resize(length);
        }
    } else if (here.is_array()) {
        for (std::size_t i = 0; i < here.size(); ++i) {
            path.append("[").append(std::to_string(i)).append("]");
            if (appendPath(here[i], wanted, path)) return true;
            path.resize(length);
        }
    }
    return false;
}

std::string shown(const json &value)
{
    if (value.is_object()) return "an object";
    if (value.is_array()) return "a list";
    std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    if (text.size() > kMaxShown) text = text.substr(0, kMaxShown) + "…";
    return text;
}

/// nlohmann's own text without its error number: `parse error at line 1, column 5: …`.
std::string withoutId(const std::string &what)
{
    const std::size_t end = what.find("] ");
    std::string text = end == std::string::npos ? what : what.substr(end + 2);
    if (text.size() > 200) text = text.substr(0, 200) + "…";
    return printable(text);
}

/// Takes what the tree needs from `room`.
Expected<json> parsed(std::string_view text, const std::string &title, std::int64_t &room)
{
    const Outlook outlook = outlookOf(text);
    if (outlook.depth > JsonDocument::kMaxDepth)
        return fail("{} is nested deeper than {} levels; no file of Remat Studio is.", title, JsonDocument::kMaxDepth);
    if (outlook.treeBytes > room)
        return fail("{} would take {} of memory, and {} are left for an archive of this size. If it is a "
                    "real trace, save it without compression.",
                    title, formatBytes(outlook.treeBytes), formatBytes(room));
    room -= outlook.treeBytes;
    try {
        return json::parse(text);
    } catch (const json::exception &error) {
        return fail("{} is not valid JSON: {}.", title, withoutId(error.what()));
    }
}

} // namespace

Expected<JsonDocument> JsonDocument::parse(std::string_view text, std::string title, std::int64_t room)
{
    JsonDocument document(std::move(title), room);
    Expected<json> root = parsed(text, document.m_title, document.m_room);
    if (!root) return tl::unexpected(root.error());
    document.m_root = std::move(*root);
    return document;
}

JsonCursor JsonDocument::root()
{
    return {this, &m_root};
}

std::string JsonDocument::pathOf(const json *value) const
{
    std::string path;
    if (appendPath(m_root, value, path)) return path;
    for (const Embedded &part : m_embedded) {
        path.clear();
        if (appendPath(part.value, value, path)) return fmt::format("{}.{}", pathOf(part.holder), path);
    }
    return {};
}

void JsonCursor::fail(const std::string &what) const
{
    if (m_document->failed()) return;
    std::string path = m_value ? m_document->pathOf(m_value) : "";
    m_document->m_failedPath = path;
    if (path.size() > 300) path = "…" + path.substr(path.size() - 300);
    m_document->m_failure =
        printable(fmt::format("{}: {} {}", m_document->title(), path.empty() ? "the file" : path, what));
}

JsonCursor JsonCursor::operator[](const char *key) const
{
    if (!m_value) return *this;
    if (!m_value->is_object()) {
        fail("is {} and must be an object with \"{}\".", shown(*m_value), key);
        return {m_document, nullptr};
    }
    const auto it = m_value->find(key);
    if (it == m_value->end()) {
        fail("has no \"{}\".", key);
        return {m_document, nullptr};
    }
    return {m_document, &*it};
}

JsonCursor JsonCursor::find(const char *key) const
{
    if (!m_value) return *this;
    if (!m_value->is_object()) {
        fail("is {} and must be an object.", shown(*m_value));
        return {m_document, nullptr};
    }
    const auto it = m_value->find(key);
    return {m_document, it == m_value->end() || it->is_null() ? nullptr : &*it};
}

std::vector<JsonCursor> JsonCursor::items() const
{
    std::vector<JsonCursor> list;
    if (!m_value) return list;
    if (!m_value->is_array()) {
        fail("is {} and must be a list.", shown(*m_value));
        return list;
    }
    list.reserve(m_value->size());
    for (const json &item : *m_value)
        list.push_back({m_document, &item});
    return list;
}

std::vector<std::pair<std::string, JsonCursor>> JsonCursor::members() const
{
    std::vector<std::pair<std::string, JsonCursor>> list;
    if (!m_value) return list;
    if (!m_value->is_object()) {
        fail("is {} and must be an object.", shown(*m_value));
        return list;
    }
    for (auto it = m_value->begin(); it != m_value->end(); ++it)
        list.emplace_back(it.key(), JsonCursor(m_document, &*it));
    return list;
}

std::pair<std::string, JsonCursor> JsonCursor::onlyMember() const
{
    if (m_value && m_value->is_object() && m_value->size() == 1)
        return {m_value->begin().key(), JsonCursor(m_document, &*m_value->begin())};
    if (m_value) fail("is {} and must be an object with one member.", shown(*m_value));
    return {"", JsonCursor(m_document, nullptr)};
}

std::string JsonCursor::text() const
{
    if (!m_value) return {};
    if (const auto *text = m_value->get_ptr<const std::string *>()) return *text;
    fail("is {} and must be a text.", shown(*m_value));
    return {};
}

std::int64_t JsonCursor::integer(std::int64_t least, std::int64_t most) const
{
    if (!m_value) return std::max<std::int64_t>(least, 0);
    std::int64_t value = 0;
    bool whole = true;
    if (m_value->is_number_unsigned()) {
        const auto large = m_value->get<std::uint64_t>();
        whole = large <= static_cast<std::uint64_t>(kMaxInt);
        if (whole) value = static_cast<std::int64_t>(large);
    } else if (m_value->is_number_integer()) {
        value = m_value->get<std::int64_t>();
    } else if (m_value->is_number_float()) {
        const auto number = m_value->get<double>();
        whole = std::abs(number) < 9.2e18 && std::floor(number) == number;
        if (whole) value = static_cast<std::int64_t>(number);
    } else {
        whole = false;
    }
    if (whole && value >= least && value <= most) return value;
    std::string wanted = "a whole number";
    if (most != kMaxInt)
        wanted += fmt::format(" from {} to {}", least, most);
    else if (least > -kMaxInt)
        wanted += fmt::format(" of at least {} that fits into 63 bits", least);
    fail("is {} and must be {}.", shown(*m_value), wanted);
    return std::max<std::int64_t>(least, 0);
}

double JsonCursor::number(double least, double most) const
{
    if (!m_value) return std::max(least, 0.0);
    if (m_value->is_number()) {
        const auto value = m_value->get<double>();
        if (std::isfinite(value) && value >= least && value <= most) return value;
    }
    const bool bounded = least > -std::numeric_limits<double>::max();
    const bool closed = most < std::numeric_limits<double>::max();
    fail("is {} and must be a number{}{}.", shown(*m_value), bounded ? " of at least " + json(least).dump() : "",
         closed ? " and at most " + json(most).dump() : "");
    return std::max(least, 0.0);
}

double JsonCursor::anyNumber() const
{
    if (m_value && m_value->is_string()) {
        const std::string word = m_value->get<std::string>();
        if (word == "nan" || word == "NaN") return std::numeric_limits<double>::quiet_NaN();
        if (word == "inf" || word == "Infinity") return std::numeric_limits<double>::infinity();
        if (word == "-inf" || word == "-Infinity") return -std::numeric_limits<double>::infinity();
    }
    return number();
}

bool JsonCursor::boolean() const
{
    if (!m_value) return false;
    if (m_value->is_boolean()) return m_value->get<bool>();
    fail("is {} and must be true or false.", shown(*m_value));
    return false;
}

std::string JsonCursor::textOr(const char *key, std::string otherwise) const
{
    const JsonCursor member = find(key);
    return member ? member.text() : std::move(otherwise);
}

std::int64_t JsonCursor::integerOr(const char *key, std::int64_t otherwise, std::int64_t least, std::int64_t most) const
{
    const JsonCursor member = find(key);
    return member ? member.integer(least, most) : otherwise;
}

double JsonCursor::numberOr(const char *key, double otherwise, double least, double most) const
{
    const JsonCursor member = find(key);
    return member ? member.number(least, most) : otherwise;
}

bool JsonCursor::booleanOr(const char *key, bool otherwise) const
{
    const JsonCursor member = find(key);
    return member ? member.boolean() : otherwise;
}

JsonCursor JsonCursor::embedded() const
{
    if (!m_value || !m_value->is_string()) return *this;
    Expected<json> inner = parsed(m_value->get_ref<const std::string &>(), "the text", m_document->m_room);
    if (!inner) {
        fail("holds no JSON: " + inner.error().message);
        return {m_document, nullptr};
    }
    m_document->m_embedded.push_back({std::move(*inner), m_value});
    return {m_document, &m_document->m_embedded.back().value};
}

std::string JsonCursor::written() const
{
    if (!m_value) return {};
    if (m_value->is_string()) return m_value->get<std::string>();
    return m_value->dump(-1, ' ', false, json::error_handler_t::replace);
}

nlohmann::ordered_json exactNumber(double value)
{
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

std::string dumped(const nlohmann::ordered_json &value)
{
    return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace remat
