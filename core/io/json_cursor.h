// SPDX-License-Identifier: Apache-2.0
// Checked access to JSON that someone else wrote: the first thing that is wrong becomes a sentence with its path.
#pragma once

#include "core/base/expected.h"

#include <cstdint>
#include <deque>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace remat {

class JsonCursor;

/// A parsed document and the first thing found wrong with it. Readers walk it with cursors as if all was well, leave
/// loops when failed(), and look at the failure once at the end.
class JsonDocument
{
public:
    /// Fails on what is not JSON, on nesting deeper than `kMaxDepth`, and when the tree, what `embedded()` adds to it
    /// included, would take more than `room` bytes of memory. `title` names the file in every sentence.
    static Expected<JsonDocument> parse(std::string_view text, std::string title, std::int64_t room = kNoLimit);
    static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();
    static constexpr int kMaxDepth = 200;

    JsonDocument(JsonDocument &&) noexcept = default;
    JsonDocument &operator=(JsonDocument &&) noexcept = default;
    ~JsonDocument() = default;

    JsonCursor root();
    bool failed() const { return !m_failure.empty(); }
    /// The failure as a result; only when failed().
    tl::unexpected<Error> failure() const { return fail(m_failure); }
    /// Path of the value that the failure is about: `steps[2].text`; empty for the document as a whole.
    const std::string &failedPath() const { return m_failedPath; }
    const std::string &title() const { return m_title; }

private:
    friend class JsonCursor;
    JsonDocument(std::string title, std::int64_t room) : m_title(std::move(title)), m_room(room) {}
    std::string pathOf(const nlohmann::json *value) const;

    /// JSON that stood inside a text of the document.
    struct Embedded {
        nlohmann::json value;
        const nlohmann::json *holder = nullptr;
    };

    nlohmann::json m_root;
    std::deque<Embedded> m_embedded;
    std::string m_title;
    std::int64_t m_room; ///< bytes that trees may still take
    std::string m_failure;
    std::string m_failedPath;
};

/// A place in a document. Cheap to copy, valid as long as the document stays where it is. A read that fails marks the
/// document and gives a harmless default; only the first failure is kept.
class JsonCursor
{
public:
    static constexpr std::int64_t kMaxInt = std::numeric_limits<std::int64_t>::max();

    /// A member that must be there.
    JsonCursor operator[](const char *key) const;
    /// A member that may be missing or null: then the cursor is false.
    JsonCursor find(const char *key) const;
    explicit operator bool() const { return m_value != nullptr; }

    /// Elements of an array, members of an object.
    std::vector<JsonCursor> items() const;
    std::vector<std::pair<std::string, JsonCursor>> members() const;
    bool isObject() const { return m_value && m_value->is_object(); }
    bool isNumber() const { return m_value && m_value->is_number(); }
    bool isArray() const { return m_value && m_value->is_array(); }
    bool isText() const { return m_value && m_value->is_string(); }

    std::string text() const;
    /// A whole number, also when written as 4096.0.
    std::int64_t integer(std::int64_t least = -kMaxInt - 1, std::int64_t most = kMaxInt) const;
    /// A finite number.
    double number(double least = -std::numeric_limits<double>::max(),
                  double most = std::numeric_limits<double>::max()) const;
    /// Any number; `"nan"`, `"inf"`, `"-inf"` (also PyTorch's `"NaN"`, `"Infinity"`, `"-Infinity"`) stand for
    /// themselves.
    double anyNumber() const;
    bool boolean() const;

    std::string textOr(const char *key, std::string otherwise) const;
    std::int64_t integerOr(const char *key, std::int64_t otherwise, std::int64_t least = -kMaxInt - 1,
                           std::int64_t most = kMaxInt) const;
    double numberOr(const char *key, double otherwise, double least = -std::numeric_limits<double>::max(),
                    double most = std::numeric_limits<double>::max()) const;
    bool booleanOr(const char *key, bool otherwise) const;

    /// The one member of an object that says which of several kinds it holds: `{"as_int": 3}`.
    std::pair<std::string, JsonCursor> onlyMember() const;
    /// JSON inside a string; an object is taken as it is.
    JsonCursor embedded() const;
    /// The value written as JSON, strings without their quotes.
    std::string written() const;
    /// Marks the document: `<title>: <path> <what>`; `what` starts with a verb.
    void fail(const std::string &what) const;
    /// The same with what stands for each `{}`.
    template <class First, class... Rest>
    void fail(fmt::format_string<First, Rest...> what, First &&first, Rest &&...rest) const
    {
        fail(fmt::format(what, std::forward<First>(first), std::forward<Rest>(rest)...));
    }
    bool failed() const { return m_document->failed(); }

private:
    friend class JsonDocument;
    JsonCursor(JsonDocument *document, const nlohmann::json *value) : m_document(document), m_value(value) {}

    JsonDocument *m_document;
    const nlohmann::json *m_value;
};

/// A number that reads back as the same number, infinities and NaN included (`anyNumber()`).
nlohmann::ordered_json exactNumber(double value);

/// Compact text; bytes that are not UTF-8 are replaced.
std::string dumped(const nlohmann::ordered_json &value);

} // namespace remat
