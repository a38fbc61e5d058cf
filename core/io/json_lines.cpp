// SPDX-License-Identifier: Apache-2.0
#include "core/io/json_lines.h"

#include <algorithm>
#include <string>

namespace remat {

namespace {

/// Walks a text that a parser has accepted; on any other it ends early.
class Walk
{
public:
    Walk(std::string_view text, std::string_view wanted) : m_text(text), m_wanted(wanted) {}

    int line()
    {
        value(0);
        return m_found;
    }

private:
    static constexpr int kDeepest = 256;

    char here() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

    void skipSpace()
    {
        for (; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '\n') ++m_line;
            if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return;
        }
    }

    std::string_view string()
    {
        const std::size_t begin = ++m_at;
        for (; m_at < m_text.size() && m_text[m_at] != '"'; ++m_at)
            if (m_text[m_at] == '\\') ++m_at;
        const std::size_t end = m_at < m_text.size() ? m_at : m_text.size();
        if (m_at < m_text.size()) ++m_at;
        return m_text.substr(begin, end - begin);
    }

    void value(int depth)
    {
        skipSpace();
        if (m_path == m_wanted && m_found == 0) m_found = m_line;
        if (m_found != 0 || depth > kDeepest) return;
        if (here() == '{' || here() == '[')
            list(depth, here() == '{');
        else if (here() == '"')
            string();
        else
            m_at = std::min(m_text.find_first_of(",]} \t\r\n", m_at), m_text.size());
    }

    void list(int depth, bool object)
    {
        ++m_at;
        const std::size_t length = m_path.size();
        for (std::size_t i = 0; m_found == 0; ++i) {
            skipSpace();
            if (here() == '}' || here() == ']' || here() == '\0') break;
            if (object) {
                if (here() != '"') return;
                if (length > 0) m_path += '.';
                m_path += string();
                skipSpace();
                if (here() != ':') return;
                ++m_at;
            } else {
                m_path += '[' + std::to_string(i) + ']';
            }
            const std::size_t before = m_at;
            value(depth + 1);
            m_path.resize(length);
            skipSpace();
            if (here() == ',')
                ++m_at;
            else if (m_at == before)
                return; // no JSON, and no end to it
        }
        if (m_at < m_text.size()) ++m_at;
    }

    std::string_view m_text, m_wanted;
    std::string m_path;
    std::size_t m_at = 0;
    int m_line = 1;
    int m_found = 0;
};

} // namespace

int lineOfPath(std::string_view text, std::string_view path)
{
    return Walk(text, path).line();
}

} // namespace remat
